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
 * Adds every key of `from` to `into`. Then `into` answers "seen" for all keys
 * of both. `from` is unchanged; both may be one set.
 *
 * The order of merges makes no difference, and merging a set again changes
 * nothing: seenset_merge(a, copy of a) leaves every byte of a unchanged. If a
 * or b answers "seen", their union does. So for sets of different keys the
 * rates add up, in any structure: fp_rate of such a union (seenset_get_info) is
 * their sum, made_fp_rate what `into` was made for, and current_fp_rate the
 * true rate. To unite N sets at a rate of p, make each at p / N
 * (seenset_plan_source_rate).
 *
 * A set that grows takes any set of its layout. Two tables of bits are united
 * place by place if they keep their promise that way, or together have no
 * higher rate than as a list; other tables are copied into the list of `into`.
 * Tables that grow in place are united slot by slot, and a slot that another
 * one covers is not stored again. A list of over 64 tables folds: the two whose
 * union costs least become one, whatever their sizes. A window by age takes
 * windows of its layout, window_seconds and window_generations, and no key is
 * forgotten sooner than in either set. A set of fingerprints takes one of the
 * same size or larger (whose lines times 2^hash_count are at least as many). So
 * a large one, most of whose keys were removed, can go into a small one, at the
 * rate of the small one. All others must agree in layout, size_bits,
 * hash_count, counter_bits and window, and `from` must be one table. All must
 * hash keys in the same way. A set that refuses new keys is merged too: no key
 * is lost, and it is at its capacity then.
 *
 * Sets that count keys add their counts, because with fewer, removing one key
 * could forget another. So merging a counting set again doubles its counts; its
 * keys and answers stay.
 *
 * estimated_items is the number of distinct keys of both, with the error that
 * seenset_get_overlap states for union_items before the merge. Each merge adds
 * an error of its own: measured within 1 % of the keys for two sets, 3 % for
 * eight that grew to a hundred times their first capacity, 40 % for eight to a
 * hundred small ones, and 50 % where the union's rate is over 0.5.
 *
 * These hold for keys in random order. Small sets that grew to a few times
 * their first capacity do not show what they share if it was added last to one
 * and first to the other. At worst the union counts a key once for each set
 * that has it: measured 75 % above the truth for twelve sets of 2,000 keys,
 * grown from 1,000, each of which shares half with the one before, and 223 %
 * for a hundred of 39 keys, grown from 30, of which each shares three quarters.
 *
 * wrong_items of a union is an upper bound: that of one set to which all keys
 * were added. A key counts if every set to which it was added answered "seen".
 * It is right within 2 % for sets of the same keys, and nearly so for sets of
 * different keys whose tables stay apart, as those of sets that have grown do
 * (measured: 5 % above the truth; 20 % for sets that grew to 100,000 times
 * their first capacity). It is up to five times the truth for sets that share
 * most of their keys, because a key that one set wrongly called seen may be in
 * the other. If tables of bits became one, the bound follows from their fill
 * and is up to 45 times the truth (for two half-full sets some 300 keys of
 * 200,000, where the truth is 8).
 *
 * Returns 0; SEENSET_EINVAL (a set is NULL), SEENSET_EREADONLY (`into` is a
 * view), SEENSET_EUNSUPPORTED (a sealed set), SEENSET_EMISMATCH; or, with
 * `into` unchanged, SEENSET_ENOMEM, SEENSET_ETOOBIG (over 64 tables with an
 * index scheme of another system, which cannot fold) or SEENSET_ECORRUPT
 * (`from` is a checked view of a damaged file). Cost: reads both sets (sets
 * that grow as often as seenset_get_overlap does) and writes one; for two
 * tables that grow in place some 50 ns for each key of the smaller, and as much
 * memory again as the larger. Threads: changes `into`, asks `from`.
 */
SEENSET_API int seenset_merge(seenset *into, const seenset *from);

/*
 * Keeps in `into` the keys that are in both sets. Every such key is still seen;
 * other keys are seen at a rate not above the lower of the two. Both must be
 * one table of bits (not counters, not sealed, not a set that has grown), of
 * one shape, and hash keys in the same way.
 *
 * Returns 0, SEENSET_EINVAL (a set is NULL), SEENSET_EUNSUPPORTED (several
 * tables, counters or sealed), SEENSET_EMISMATCH, SEENSET_EREADONLY (`into` is
 * a view) or SEENSET_ECORRUPT (`from` is a checked view of a damaged file).
 * Cost: reads both sets, writes one. Threads: changes `into`, asks `from`.
 */
SEENSET_API int seenset_intersect(seenset *into, const seenset *from);

/*
 * Stores in *out whether every bit of `other` is set in `set`: true (it may
 * hold all keys of `other`) or false (it lacks at least one). The sets must be
 * as for seenset_intersect.
 *
 * Returns 0, SEENSET_EINVAL (a set or out is NULL), SEENSET_EUNSUPPORTED,
 * SEENSET_EMISMATCH or SEENSET_ECORRUPT (a checked view of a damaged file); on
 * error *out is unchanged. Cost: reads both sets. Threads: asks both.
 */
SEENSET_API int seenset_is_superset(const seenset *set, const seenset *other,
                                    bool *out);

/*
 * What two sets have in common, estimated from their bits. Each number has its
 * standard error, an upper estimate. The bits of a full table show nothing:
 * then numbers are infinite or NaN, and the errors infinite (jaccard_error: 1).
 */
typedef struct seenset_overlap {
    double a_items, a_items_error; /* distinct keys in a */
    double b_items, b_items_error; /* in b */
    double union_items, union_items_error;
    double intersection_items, intersection_items_error;
    double a_only_items, a_only_items_error; /* in a and not in b */
    double b_only_items, b_only_items_error; /* in b and not in a */
    double jaccard, jaccard_error;           /* intersection / union, 0 to 1; of
                                                split_block tables, which fill
                                                unevenly, the error may be a
                                                quarter low */
} seenset_overlap;

/*
 * Estimates what two sets have in common, whatever their sizes and rates, and
 * whether they grew; fills in the first out_bytes bytes of *out. Both must have
 * bits (not counters, not sealed) in one layout and hash keys in the same way.
 * With an index scheme of another system their shapes must be equal as well. In
 * windows it counts the keys that are remembered; sliding windows may have a
 * key several times, and are refused.
 *
 * Keys dropped as false positives are not counted; for expandable tables this
 * is corrected by the rate of the older tables. After a merge a key may be in
 * two tables: it counts once, as far as bits show it. Between tables that grow
 * in place the error is the square root of the number of pairs of keys that
 * match by chance: some 250 keys of ten million in each at 1 %. The error of
 * the intersection of two blocked tables is about sqrt(8 (e^L1 - 1) (e^L2 - 1)
 * R), with L = k n / m and R the lines of the larger: some 500 keys of a
 * million in each.
 *
 * Returns 0, SEENSET_EINVAL (a set or out is NULL, or out_bytes is 0),
 * SEENSET_EUNSUPPORTED (counters, sealed or a sliding window),
 * SEENSET_EMISMATCH, SEENSET_ECORRUPT (a checked view of a damaged file) or
 * SEENSET_ENOMEM (a view whose journal has keys for a table that grows in place
 * is copied; tables of one shape, which merges leave, are united).
 * Cost: reads each table of one set as often as the other has tables.
 * Threads: asks both.
 */
SEENSET_API int seenset_get_overlap(const seenset *a, const seenset *b,
                                    seenset_overlap *out, size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
