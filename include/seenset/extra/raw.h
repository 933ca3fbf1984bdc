/*
 * seenset/extra/raw.h - the bits, counters and words of a set's tables.
 *
 * Extra: installed, but without a promise. Its functions and types may change
 * with any release, so build your program again with each one; the loader does
 * not run it with the library of another release (docs/stability.md).
 *
 * seenset/seenset.h has the rules for NULL and for threads.
 */
#ifndef SEENSET_EXTRA_RAW_H
#define SEENSET_EXTRA_RAW_H

#include "seenset/info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cells ---- */

/*
 * Stores whether bits first, ..., first + count - 1 of table number `table` are
 * set, one byte each, 0 or 1. In a counting set: whether counters are not 0;
 * in a sealed set: the bits of its fingerprints. There are size_bits of them.
 * bits may be NULL when count is 0. Returns 0; SEENSET_EINVAL (set or bits is
 * NULL, no such table, or past its end), SEENSET_EUNSUPPORTED (a table that
 * grows in place) or, of a checked view, SEENSET_ECORRUPT (these bits are in a
 * damaged block). Cost: some nanoseconds a bit. Threads: asks.
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
 * Where the bits of a set are, for seenset/extra/inline.h. It belongs to the
 * set, which keeps it up to date until seenset_free.
 */
typedef struct seenset_view {
    /* The table, if keys can be asked for in it without a call: a set of one
     * table of SEENSET_LAYOUT_BLOCKED or SEENSET_LAYOUT_SPLIT_BLOCK, without a
     * secret, a seed or a scheme, that is not shared and of which no block is
     * still to be checked. Else NULL. */
    uint64_t *words;
    uint64_t blocks; /* in each partition of the table: of 8 words, or of 4 in
                        SEENSET_LAYOUT_SPLIT_BLOCK */
    /* In SEENSET_LAYOUT_BLOCKED 1 to 3; and partitions, one after another. In
     * SEENSET_LAYOUT_SPLIT_BLOCK 0: one block, in one partition. */
    uint32_t blocks_per_key;
    uint32_t reserved;
    uint64_t full_items;   /* bits may be set while *added_items is less; 0 if
                              keys must be added by a call */
    uint64_t *added_items; /* one more for each key whose bits were not all
                              set */
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
