/*
 * seenset/info.h - what a set is, how full it is, and its bits.
 *
 *     seenset_info info;
 *     if (seenset_get_info(set, &info, sizeof info) == 0)
 *         printf("%u tables\n", info.table_count);
 *
 * The structs may get more fields at their ends. A call that fills one in is
 * given its size: it writes the fields that the caller's struct has room for,
 * and zeros to unknown ones (seenset/base.h).
 *
 * seenset/seenset.h includes this header, and has the rules for NULL and
 * for threads.
 */
#ifndef SEENSET_INFO_H
#define SEENSET_INFO_H

#include "seenset/base.h"
#include "seenset/error.h"
#include "seenset/hash.h"
#include "seenset/options.h"
#include "seenset/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a set is. */
typedef struct seenset_info {
    seenset_layout layout;
    seenset_on_full on_full;
    uint32_t flags;          /* SEENSET_FLAG_SHARED, SEENSET_FLAG_SLIDING */
    uint32_t table_count;    /* tables it is made of */
    uint64_t capacity_items; /* distinct keys it was planned for */
    double fp_rate;          /* promised, at capacity_items */
    uint64_t added_items;    /* adds answered "new", and in sliding windows
                                keys renewed; windows: of the keys that are
                                remembered; after a merge of two sets that
                                hold keys, an estimate */
    seenset_scheme scheme;
    uint32_t counter_bits;       /* SEENSET_LAYOUT_COUNTING, else 0 */
    uint32_t fingerprint_bits;   /* SEENSET_LAYOUT_SEALED, _FINGERPRINT, else
                                    0 */
    uint32_t window_generations; /* SEENSET_ON_FULL_ROTATE, else 0 */
    uint64_t window_seconds;     /* a window by age, else 0 */
    uint64_t memory_bytes;       /* of the whole object, or of its mapping */
    uint32_t format_version;     /* of the file it was opened from; 0: none */
    bool is_read_only;           /* opened as a view */
    bool is_keyed;               /* under a secret */
    bool is_checked;             /* a view whose blocks are checked */
    bool is_at_capacity;         /* it has capacity_items keys or more, so its
                                    rate rises or new keys are refused; never a
                                    set that grows, a window or a sealed set */
    /* What the scheme was given (seenset_scheme_arguments): */
    uint64_t seed;
    const uint32_t *seeds; /* SEENSET_SCHEME_POLYNOMIAL: seed_count factors,
                              the set's until it is freed; else NULL */
    uint32_t seed_count;
    uint32_t unit_bits; /* SEENSET_SCHEME_POLYNOMIAL: 8 or 16, else 0 */
    /* The journal that was beside the file when it was opened: */
    uint64_t journal_items; /* hashes in it, which are in the set, too */
    uint64_t journal_bytes; /* its length; 0: there was none */
    uint64_t journal_missing_items; /* so many keys at most are missing, because
                                       the set was opened without its journal or
                                       with a part of it; 0: none */
    double made_fp_rate; /* the rate that the set was made for; fp_rate is
                            higher after merges of sets whose promises add up to
                            more */
    bool is_copied;      /* read into memory, and read-only all the same: a view
                            on a big-endian machine, or a copy without its
                            secret */
    uint8_t reserved[7]; /* 0 */
} seenset_info;

/*
 * Fills in the first out_bytes bytes of *out: `seenset_get_info(set, &info,
 * sizeof info)`.
 * Returns 0 or SEENSET_EINVAL (set or out is NULL, or out_bytes is 0).
 * Cost: constant, whatever the size of the set; but if a table grows in place,
 * 8 bytes are read for each 36 to 64 KiB of it. Threads: asks.
 */
SEENSET_API int seenset_get_info(const seenset *set, seenset_info *out,
                                 size_t out_bytes);

/* One of the tables that a set is made of. */
typedef struct seenset_table_info {
    uint64_t size_bits;       /* m: bits, or counters */
    uint32_t hash_count;      /* k: bits a key sets */
    uint32_t cell_bits;       /* of a cell: 1, or of a counter or fingerprint */
    uint64_t cell_count;      /* how many of those */
    uint64_t capacity_items;  /* distinct keys it was planned for */
    double fp_rate;           /* promised, at capacity_items */
    uint64_t added_items;     /* adds to it that were answered "new" */
    uint64_t started_seconds; /* windows by age: since 1970; else 0 */
    uint64_t memory_bytes;    /* of its cells */
    uint32_t block_bits;      /* blocked, expandable: 512; split blocks: 256;
                                 else 0 */
    seenset_layout layout;    /* SEENSET_LAYOUT_EXPANDABLE: it grows in place;
                                 size_bits is its memory, capacity_items
                                 what it has room for now, and it has no
                                 cells */
    bool is_expired;          /* past its time, and its keys are forgotten */
    uint8_t reserved[7];      /* 0 */
} seenset_table_info;

/*
 * Fills in the first out_bytes bytes of *out for table number `table`: 0 is the
 * oldest, seenset_info.table_count - 1 the newest, to which keys are added.
 * Returns 0 or SEENSET_EINVAL (set or out is NULL, out_bytes is 0, or there is
 * no such table). Cost: as seenset_get_info. Threads: asks.
 */
SEENSET_API int seenset_get_table_info(const seenset *set, uint32_t table,
                                       seenset_table_info *out,
                                       size_t out_bytes);

/*
 * How full a set is, at once. added_items never comes from bits, and
 * wrong_items only if the exact number is not known. The others are counted
 * (is_counted) or modelled.
 */
typedef struct seenset_estimate {
    uint64_t capacity_items; /* as in seenset_info */
    uint64_t added_items;    /* as in seenset_info */
    uint64_t size_bits;      /* m */
    uint64_t set_bits;       /* bits that are 1; counters that are not 0 */
    double fill;             /* set_bits / size_bits */
    double fp_rate;          /* promised, at capacity_items */
    double current_fp_rate;  /* of the bits as they are now */
    double fp_rate_error;    /* of current_fp_rate: a standard deviation, as a
                                part of it; 0 if it is counted */
    double estimated_items;  /* distinct keys, from set_bits; infinite: not
                                known, because all bits are set, or many slots
                                of fingerprints were cut */
    double wrong_items;      /* expected number of new keys answered "seen"; of
                                a union an upper bound (seenset_merge) */
    bool is_counted;         /* from all bits, as seenset_get_stats */
    bool is_wrong_at_least;  /* the number is not known, and wrong_items is the
                                least that it can be (below) */
    bool is_skewed;          /* the bits that were read are filled unevenly, and
                                the figures are not to be trusted; see
                                seenset_stats */
    uint8_t reserved[5];     /* 0 */
} seenset_estimate;

/*
 * Fills in the first out_bytes bytes of *out, without reading all of a large
 * set: at most 4 MiB of it, or 16 MiB if the rate of a table is over 0.8 %.
 *
 * Tables that fit into those, the oldest first, are counted. So a set of up to
 * 4 MiB is, and its figures are those of seenset_get_stats. Larger tables are
 * modelled from the keys added to them, by the formulas of seenset/plan.h, and
 * a part of the bits is read to see whether the model holds. If it does not, as
 * after seenset_intersect or under a weak index scheme, the figures come from
 * that part. Either way they are within 1 % of seenset_get_stats, while the set
 * holds a thousand keys or more and its fill is at most 99 %. current_fp_rate
 * is within 1 % or within six times fp_rate_error, which is over a sixth of 1 %
 * for a set that has few keys for its size, takes several blocks a key, or was
 * intersected. After a merge added_items is a number of distinct keys, not of
 * adds that were answered "new". If that may change the rate by more than
 * 0.8 %, the part of the bits decides how many keys there are, also in a set
 * that was saved and opened.
 *
 * wrong_items follows from the keys that were added to each table. A table that
 * is so full that hardly any key is new does not show how many were wrongly
 * answered "seen". While the number is known, its standard deviation is at most
 * the sum of a tenth of it, its square root and a half. After that
 * is_wrong_at_least is true, and wrong_items is the least that it can be, with
 * a chance of 99.9 %. In a classic filter with k = 7 that begins at a rate of
 * about 0.35 with 500 bits, of 0.8 with 10,000 and of 0.98 with a million. With
 * fingerprints it begins as soon as slots may have been cut; in a sliding
 * window, whose tables count keys that are renewed, at one wrong item. Windows
 * count the keys that they remember, and a key that was removed counts as one
 * that was never added.
 *
 * Returns 0, SEENSET_EINVAL (set or out is NULL, or out_bytes is 0) or
 * SEENSET_ECORRUPT (a checked view, and what is read of it is damaged; of an
 * unchecked one, what its bits give, unless a table that grows in place is
 * damaged). Cost: whatever the size of the set, a millisecond or so for 4 MiB,
 * and some 0.1 milliseconds a table for the expected numbers; a table that
 * grows in place costs as for seenset_get_info. Threads: asks.
 */
SEENSET_API int seenset_get_estimate(const seenset *set, seenset_estimate *out,
                                     size_t out_bytes);

/* How full a set is, from its bits. */
typedef struct seenset_stats {
    seenset_layout layout;
    seenset_on_full on_full;
    uint32_t hash_count;       /* k: bits a key sets, in the newest table */
    uint32_t table_count;      /* tables it is made of */
    uint64_t capacity_items;   /* as in seenset_info */
    uint64_t added_items;      /* as in seenset_info */
    uint64_t size_bits;        /* m */
    uint64_t set_bits;         /* bits that are 1; counters that are not 0; bits
                                  that slots in use take of their lines */
    double fill;               /* set_bits / size_bits */
    double fp_rate;            /* promised, at capacity_items */
    double current_fp_rate;    /* of the bits as they are now */
    double estimated_items;    /* distinct keys, from set_bits; infinite: not
                                  known, as in seenset_estimate */
    double wrong_items;        /* expected number of new keys answered "seen" */
    uint64_t memory_bytes;     /* as in seenset_info */
    uint32_t counter_bits;     /* SEENSET_LAYOUT_COUNTING, else 0 */
    uint32_t fingerprint_bits; /* SEENSET_LAYOUT_SEALED, _FINGERPRINT, else 0 */
    seenset_scheme scheme;
    uint32_t window_generations; /* SEENSET_ON_FULL_ROTATE, else 0 */
    uint64_t window_seconds;     /* a window by age, else 0 */
    uint64_t full_counters;      /* full, and so never changed again; or slots
                                    that were cut */
    double overflow_bound;       /* P(any counter is full) is at most this */
    bool is_read_only;           /* opened as a view */
    bool is_keyed;               /* under a secret */
    bool is_skewed; /* the bits are not spread as a good hash spreads them
                       (seenset_get_uniformity): the hash is too weak for the
                       keys, or all hashes have bits in common, as those of a
                       shard do if it is not seenset_shard's. current_fp_rate,
                       estimated_items and wrong_items are not to be trusted;
                       up to all keys with the same bits in common are called
                       seen */
    bool is_wrong_at_least; /* as in seenset_estimate */
    uint8_t reserved[4];    /* 0 */
} seenset_stats;

/*
 * Fills in the first out_bytes bytes of *out.
 * Returns 0, SEENSET_EINVAL (set or out is NULL, or out_bytes is 0) or
 * SEENSET_ECORRUPT (a checked view of a damaged file; of an unchecked one, what
 * its bits give, unless a table that grows in place is damaged). Cost: reads
 * every bit of the set two to three times, of a shared one up to six times.
 * Threads: asks.
 */
SEENSET_API int seenset_get_stats(const seenset *set, seenset_stats *out,
                                  size_t out_bytes);

/*
 * Whether the set bits, counters that are not 0, or slots in use are spread as
 * those of a good hash are. Tables are cut into equal slices, and those of each
 * slice are counted.
 *
 * SEENSET_LAYOUT_BLOOM and SEENSET_LAYOUT_COUNTING: if each place is as likely
 * as each other, the sum of the squares of their deviations from the mean, by
 * their variance, is chi-square (Pearson 1900). It is larger where bits are
 * near each other, as with a scheme whose hash is too weak for the keys, and
 * smaller where a hash reaches some places only.
 *
 * Other layouts keep the bits of a key together: eight bits count as one, and a
 * slot as one however often its key was added. chi_square is then that of the
 * likelihood ratio, at most as large as is expected, and p_value a bound which
 * holds for any counts (Agrawal 2020). It finds what leaves parts of a table
 * empty, above all hashes that have bits in common. Merged, intersected and
 * overfull sets pass, and those whose keys were removed.
 *
 * Of a shared set, what the keys may explain that come while it is measured is
 * taken off for p_value, not for chi_square: they come to the parts that are
 * counted last.
 *
 * SEENSET_LAYOUT_SEALED is not measured: it mixes each hash again first, so
 * bits in common do it no harm.
 */
typedef struct seenset_uniformity {
    uint64_t slice_count;      /* 0: not measured: fewer than a few hundred
                                  bits are set or clear, or there are fewer
                                  than 32 keys */
    double chi_square;         /* over all slices */
    double degrees_of_freedom; /* what is expected of chi_square */
    double p_value; /* an upper bound on the chance that any table is as far
                       out if places are uniform; 1 if nothing was measured */
    bool is_skewed; /* p_value is under 1e-9, and estimates from the bits
                       are not to be trusted */
    uint8_t reserved[7]; /* 0 */
} seenset_uniformity;

/*
 * Fills in the first out_bytes bytes of *out.
 * Returns 0, SEENSET_EINVAL (set or out is NULL, or out_bytes is 0) or
 * SEENSET_ECORRUPT (a checked view of a damaged file). Cost: reads every bit of
 * the set twice, of a shared one up to five times. Threads: asks.
 */
SEENSET_API int seenset_get_uniformity(const seenset *set,
                                       seenset_uniformity *out,
                                       size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
