/*
 * seenset/algebra.h - two sets together: united, intersected, compared.
 *
 * seenset/seenset.h includes this header, and has the rules for NULL and
 * for threads.
 */
#ifndef SEENSET_ALGEBRA_H
#define SEENSET_ALGEBRA_H

#include "seenset/base.h"
#include "seenset/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Adds every key of `from` to `into`. Then `into` returns "seen" for all keys
 * of both. `from` is unchanged; both may be one set.
 *
 * A set that grows takes any set of its layout: tables that are alike and have
 * room are united, and others are copied into its list. Tables that grew in
 * place are united however they grew: no key is in both afterwards, and both
 * rates add up, less what both had. A window by age takes
 * windows of its layout, window_seconds and window_generations, and no key is
 * forgotten sooner than in either set. A set of fingerprints takes one of the
 * same size or larger (its lines times 2^hash_count are at least as many). So
 * one that many keys were taken out of goes into a small one, at the small
 * one's rate, and keys can be taken out of that as well. All others must agree
 * in layout, size_bits, hash_count, counter_bits and window, and `from` must be
 * one table. All must hash keys in the same way. A set that refuses is merged
 * all the same: no key is lost, and it is at its capacity then. The counts of
 * counting sets add up. The rates that the two sets promised add up;
 * seenset_get_stats returns the true one.
 *
 * Returns 0; SEENSET_EINVAL (a set is NULL), SEENSET_EREADONLY (`into` is a
 * view), SEENSET_EUNSUPPORTED (a sealed set), SEENSET_EMISMATCH; or, with
 * `into` unchanged, SEENSET_ENOMEM, SEENSET_ETOOBIG (over 64 tables; windows by
 * age: over 256) or SEENSET_ECORRUPT (`from` is a checked view of a damaged
 * file). Cost: reads both sets, writes one; some 50 ns for each key of the
 * smaller of two tables that grew in place, and meanwhile the memory of the
 * larger once more. Threads: changes `into`, asks `from`.
 */
SEENSET_API int seenset_merge(seenset *into, const seenset *from);

/*
 * Keeps in `into` what is in both sets. Every key of both is still seen; other
 * keys are seen at a rate not above the lower of the two. Both must be one
 * table of bits (not counters, not sealed, not a set that has grown), of one
 * shape, and hash keys in the same way.
 *
 * Returns 0, SEENSET_EINVAL (a set is NULL), SEENSET_EUNSUPPORTED (several
 * tables, counters or sealed), SEENSET_EMISMATCH, SEENSET_EREADONLY (`into` is
 * a view) or SEENSET_ECORRUPT (`from` is a checked view of a damaged file).
 * Cost: reads both sets, writes one. Threads: changes `into`, asks `from`.
 */
SEENSET_API int seenset_intersect(seenset *into, const seenset *from);

/*
 * Asks whether every bit of `other` is set in `set`: 1 (it may hold all keys of
 * `other`) or 0 (it lacks at least one). What the sets must be like is said at
 * seenset_intersect.
 *
 * Returns 1, 0, SEENSET_EINVAL (a set is NULL), SEENSET_EUNSUPPORTED,
 * SEENSET_EMISMATCH or SEENSET_ECORRUPT (a checked view of a damaged file).
 * Cost: reads both sets. Threads: asks both.
 */
SEENSET_API int seenset_is_superset(const seenset *set, const seenset *other);

/* How similar two sets are, estimated from their bits. */
typedef struct seenset_similarity {
    double union_items;        /* distinct keys in either */
    double intersection_items; /* in both */
    double jaccard;            /* intersection / union, 0 to 1 */
    double jaccard_error;      /* its standard error, an upper estimate */
} seenset_similarity;

/*
 * Estimates how similar two sets are and fills in *out. What the sets must be
 * like is said at seenset_intersect.
 *
 * Returns 0, SEENSET_EINVAL (a set or out is NULL), SEENSET_EUNSUPPORTED,
 * SEENSET_EMISMATCH or SEENSET_ECORRUPT (a checked view of a damaged file).
 * Cost: reads both sets. Threads: asks both.
 */
SEENSET_API int seenset_compare(const seenset *a, const seenset *b,
                                seenset_similarity *out);

/*
 * What two sets have in common, estimated from their bits. Each number has its
 * standard error, an upper estimate. Where a table is full, its bits tell
 * nothing: the numbers are infinite or NaN, and the errors infinite.
 */
typedef struct seenset_overlap {
    double a_items, a_items_error; /* distinct keys in a */
    double b_items, b_items_error; /* in b */
    double union_items, union_items_error;
    double intersection_items, intersection_items_error;
    double a_only_items, a_only_items_error; /* in a and not in b */
    double b_only_items, b_only_items_error; /* in b and not in a */
    double jaccard, jaccard_error;           /* intersection / union, 0 to 1 */
} seenset_overlap;

/*
 * Estimates what two sets have in common, whatever their sizes and rates, and
 * whether they grew; fills in the first out_bytes bytes of *out. Both must have
 * bits (not counters, not sealed) in one layout and hash keys in the same way.
 * Where an index scheme of another system gives the places, their shapes must
 * be equal as well. Of windows it counts the keys that are remembered; sliding
 * ones may have a key several times, and are refused.
 *
 * A key that a set of several tables took for seen when it was added is in none
 * of them, and not counted, but that tables which grow in place make up for it
 * by the rate of those before them; one that it got by merges may be in two,
 * and then counts twice. Between tables that grew in place the error is the
 * root of the pairs of keys that are alike by chance: some 250 keys of ten
 * million in each at 1 %. The error of the intersection of two blocked tables
 * is about sqrt(8 (e^L1 - 1) (e^L2 - 1) R), with L = k n / m and R the lines of
 * the larger: some 500 keys of a million in each.
 *
 * Returns 0, SEENSET_EINVAL (a set or out is NULL, or out_bytes is 0),
 * SEENSET_EUNSUPPORTED (counters, sealed or a sliding window),
 * SEENSET_EMISMATCH, SEENSET_ECORRUPT (a checked view of a damaged file) or
 * SEENSET_ENOMEM (of a view whose journal has keys for a table that grows in
 * place, a copy is read).
 * Cost: reads each table of the one as often as the other has tables.
 * Threads: asks both.
 */
SEENSET_API int seenset_get_overlap(const seenset *a, const seenset *b,
                                    seenset_overlap *out, size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
