/*
 * seenset/info.h - what a set is, how full it is, and its bits.
 *
 *     seenset_info info;
 *     if (seenset_get_info(set, &info, sizeof info) == 0)
 *         printf("%u tables\n", info.table_count);
 *
 * The structs may get more fields at their ends in later versions. So a call
 * that fills one in is given its size: it writes the fields that the caller's
 * struct has room for, and zeros to those that it does not know.
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
    uint32_t flags;          /* SEENSET_SHARED, SEENSET_SLIDING */
    int is_read_only;        /* 1: opened as a view */
    uint64_t capacity_items; /* distinct keys it was planned for */
    double fp_rate;          /* promised, at capacity_items */
    uint64_t added_items;    /* adds answered "new", and in sliding windows
                                keys renewed; windows: of the keys that are
                                remembered; after a merge of two sets that
                                hold keys, an estimate */
    uint32_t table_count;    /* tables it is made of */
    int is_keyed;            /* 1: under a secret */
    seenset_scheme scheme;
    uint32_t counter_bits;       /* SEENSET_LAYOUT_COUNTING, else 0 */
    uint32_t fingerprint_bits;   /* SEENSET_LAYOUT_SEALED, _FINGERPRINT, else
                                    0 */
    uint32_t window_generations; /* SEENSET_ON_FULL_ROTATE, else 0 */
    uint64_t window_seconds;     /* a window by age, else 0 */
    uint64_t memory_bytes;       /* of the whole object, or of its mapping */
    uint32_t format_version;     /* of the file it was opened from; 0: none */
    int is_checked;              /* 1: a view whose blocks are checked */
    int is_at_capacity; /* 1: it has capacity_items keys or more, and so its
                           rate rises or new keys are refused. Sets that grow,
                           windows and sealed sets: 0 */
    /* What the scheme was given (seenset_scheme_arguments): */
    uint64_t seed;
    const uint32_t *seeds; /* SEENSET_SCHEME_POLYNOMIAL: seed_count factors,
                              the set's until it is freed; else NULL */
    uint32_t seed_count;
    uint32_t unit_bits; /* SEENSET_SCHEME_POLYNOMIAL: 8 or 16, else 0 */
    /* The journal that was beside the file when it was opened: */
    uint64_t journal_items; /* hashes in it, which are in the set, too */
    uint64_t journal_bytes; /* its length; 0: there was none */
} seenset_info;

/*
 * Fills in the first out_bytes bytes of *out: `seenset_get_info(set, &info,
 * sizeof info)`.
 * Returns 0 or SEENSET_EINVAL (set or out is NULL, or out_bytes is 0).
 * Cost: constant, whatever the size of the set; but of a table that grows in
 * place 8 bytes are read for each 36 to 64 KiB. Threads: asks.
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
    int is_expired;           /* 1: past its time, and its keys are forgotten */
    seenset_layout layout;    /* SEENSET_LAYOUT_EXPANDABLE: it grows in place;
                                 size_bits are those of its memory, capacity_items
                                 what it has room for as it is, and it has no
                                 cells */
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
 * How full a set is, at once. added_items and wrong_items never come from bits.
 * The others are counted (is_counted) or modelled.
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
    double estimated_items;  /* distinct keys, from set_bits */
    double wrong_items;      /* expected number of new keys answered "seen" */
    int is_counted;          /* 1: of all bits, as seenset_get_stats */
} seenset_estimate;

/*
 * Fills in the first out_bytes bytes of *out, without reading all of a large
 * set: at most 4 MiB of it, or 16 MiB if the rate of a table is over 0.8 %.
 *
 * Tables that fit into those, the oldest first, are counted. So a set of up to
 * 4 MiB is, and its figures are those of seenset_get_stats. Larger tables are
 * modelled from the keys added to them, by the formulas of seenset/plan.h, and
 * a part of the bits is read to see whether the model holds: where it does not,
 * as after seenset_intersect or under a weak index scheme, the figures are that
 * part's. Either way they are within 1 % of seenset_get_stats, while the set
 * holds a thousand keys or more and its fill is at most 99 %. current_fp_rate
 * is so, or within six times fp_rate_error, which is over a sixth of 1 % where
 * a set has few keys for its size, takes several blocks a key, or was
 * intersected. After a merge added_items is a number of distinct keys, and not
 * one of adds that were answered "new". Where that may change the rate by more
 * than 0.8 %, the part of the bits decides how many keys there are, in a set
 * that was saved and opened as well.
 *
 * Returns 0, SEENSET_EINVAL (set or out is NULL, or out_bytes is 0) or
 * SEENSET_ECORRUPT (a checked view, and what is read of it is damaged; of an
 * unchecked one, what its bits give, unless a table that grows in place is
 * damaged). Cost: whatever the size of the set, a millisecond or so for 4 MiB,
 * and some 0.1 milliseconds a table for the expected numbers; of a table that
 * grows in place as seenset_get_info. Threads: asks.
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
    double estimated_items;    /* distinct keys, from set_bits */
    double wrong_items;        /* expected number of new keys answered "seen" */
    uint64_t memory_bytes;     /* as in seenset_info */
    int is_read_only;          /* 1: opened as a view */
    uint32_t counter_bits;     /* SEENSET_LAYOUT_COUNTING, else 0 */
    uint32_t fingerprint_bits; /* SEENSET_LAYOUT_SEALED, _FINGERPRINT, else 0 */
    seenset_scheme scheme;
    int is_keyed;                /* 1: under a secret */
    uint32_t window_generations; /* SEENSET_ON_FULL_ROTATE, else 0 */
    uint64_t window_seconds;     /* a window by age, else 0 */
    uint64_t full_counters;      /* full, and so never changed again; or slots
                                    that were cut */
    double overflow_bound;       /* P(any counter is full) is at most that */
    int is_skewed; /* 1: the bits are not spread as a good hash spreads them
                      (seenset_get_uniformity): current_fp_rate,
                      estimated_items and wrong_items are not to be trusted */
} seenset_stats;

/*
 * Fills in the first out_bytes bytes of *out.
 * Returns 0, SEENSET_EINVAL (set or out is NULL, or out_bytes is 0) or
 * SEENSET_ECORRUPT (a checked view of a damaged file; of an unchecked one, what
 * its bits give, unless a table that grows in place is damaged). Cost: reads
 * every bit of the set, those of bloom and counting sets three times. Threads:
 * asks.
 */
SEENSET_API int seenset_get_stats(const seenset *set, seenset_stats *out,
                                  size_t out_bytes);

/*
 * Whether the set bits, or counters that are not 0, are spread as those of a
 * good hash are. The tables of SEENSET_LAYOUT_BLOOM and SEENSET_LAYOUT_COUNTING
 * are cut into equal slices, and the set bits of each slice are counted. If
 * each place is as likely as each other, the sum of the squares of their
 * deviations from the mean, by their variance, is chi-square (Pearson 1900). It
 * is larger where bits are near each other, as with a scheme whose hash is too
 * weak for the keys, and smaller where a hash reaches some places only.
 */
typedef struct seenset_uniformity {
    uint64_t slice_count;      /* 0: nothing was measured, as other layouts
                                  keep keys together, or as fewer than some
                                  hundred bits are set, or are not */
    double chi_square;         /* over all slices */
    double degrees_of_freedom; /* what is expected of chi_square */
    double p_value; /* the chance of one as far out, if places are uniform;
                       1 if nothing was measured */
    int is_skewed;  /* 1: p_value is under 1e-9, and estimates from the bits
                       are not to be trusted */
} seenset_uniformity;

/*
 * Fills in the first out_bytes bytes of *out.
 * Returns 0, SEENSET_EINVAL (set or out is NULL, or out_bytes is 0) or
 * SEENSET_ECORRUPT (a checked view of a damaged file). Cost: reads every bit of
 * the set twice. Threads: asks.
 */
SEENSET_API int seenset_get_uniformity(const seenset *set,
                                       seenset_uniformity *out,
                                       size_t out_bytes);

/*
 * Stores whether bits first, ..., first + count - 1 of table number `table` are
 * set, one byte each, 0 or 1. Of a counting set, whether counters are not 0; of
 * a sealed set, the bits of its fingerprints. There are size_bits of them. bits
 * may be NULL when count is 0.
 * Returns 0; SEENSET_EINVAL (set or bits is NULL, no such table, or past its
 * end), SEENSET_EUNSUPPORTED (a table that grows in place) or, of a checked
 * view, SEENSET_ECORRUPT (these bits are in a damaged block). Cost: some
 * nanoseconds a bit. Threads: asks.
 */
SEENSET_API int seenset_get_bits(const seenset *set, uint32_t table,
                                 uint64_t first, uint64_t count, uint8_t *bits);

/*
 * Stores the values of counters first, ..., first + count - 1 of table number
 * `table` of a counting set, each from 0 to 2^counter_bits - 1. There are
 * size_bits of them. A counter at its largest value is full, and stays so.
 * counters may be NULL when count is 0.
 * Returns 0; SEENSET_EINVAL (set or counters is NULL, no such table, or past
 * its end), SEENSET_EUNSUPPORTED (not a counting set) or, of a checked view,
 * SEENSET_ECORRUPT (some of these counters are in a damaged block). On error
 * counters is unchanged. Cost: some nanoseconds a counter. Threads: asks.
 */
SEENSET_API int seenset_get_counters(const seenset *set, uint32_t table,
                                     uint64_t first, uint64_t count,
                                     uint16_t *counters);

/*
 * Stores in *set_count how many of the cells first, ..., first + count - 1 of
 * table number `table` are not 0. A cell is a bit, a counter or a fingerprint;
 * there are seenset_table_info.cell_count of them.
 * Returns 0; SEENSET_EINVAL (set or set_count is NULL, no such table, or past
 * its end), SEENSET_EUNSUPPORTED (a table that grows in place) or, of a checked
 * view, SEENSET_ECORRUPT (some of these cells are in a damaged block). Cost:
 * reads the cells. Threads: asks.
 */
SEENSET_API int seenset_count_cells(const seenset *set, uint32_t table,
                                    uint64_t first, uint64_t count,
                                    uint64_t *set_count);

/* ---- the table itself ---- */

/*
 * Where the bits of a set are, for seenset/inline.h. It belongs to the set and
 * is kept right by it, whatever is done to the set, until seenset_free.
 */
typedef struct seenset_view {
    /* The table, if keys can be asked for in it without a call: a set of one
     * table of SEENSET_LAYOUT_BLOCKED, without a secret, a seed or a scheme,
     * that is not shared and of which no block is still to be checked. Else
     * NULL. */
    uint64_t *words;
    uint64_t blocks;         /* of 8 words, in each partition of the table */
    uint32_t blocks_per_key; /* 1 to 3; and partitions, one after another */
    uint32_t reserved;
    uint64_t full_items;   /* bits may be set while *added_items is less; 0 if
                              keys must be added by a call */
    uint64_t *added_items; /* goes up by each key whose bits were not all set */
    seenset *set;
} seenset_view;

/*
 * Stores in *view the view of a set, which lasts as long as the set.
 * Returns 0, or SEENSET_EINVAL (set or view is NULL; *view is unchanged).
 * Cost: constant, and nothing is allocated. Threads: asks.
 */
SEENSET_API int seenset_get_view(seenset *set, const seenset_view **view);

#ifdef __cplusplus
}
#endif
#endif
