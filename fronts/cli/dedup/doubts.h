/*
 * doubts.h - which lines were called seen, and are not among the printed ones.
 *
 * Two lists of hashes, in bins (bins.h): those of the lines that were printed,
 * and those of lines that the set called seen, with the place of each. A line
 * of the second list whose hash is not in the first one was new after all. Bin
 * by bin the second list becomes a table of its different hashes, each with its
 * first place, from which the first list strikes its own.
 *
 * If a bin has more different hashes than the table takes, it is done in parts:
 * the hashes of a range, then those of the next one. The range is halved until
 * the table takes it. So memory is fixed, and what is read again is a bin.
 */
#ifndef DOUBTS_H
#define DOUBTS_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/bins.h"
#include "stream/wide.h"

/* A record of the second list; one of the first is a wide_hash. */
typedef struct doubt {
    wide_hash hash;
    uint64_t place;
} doubt;

static inline unsigned doubts_bin(wide_hash hash)
{
    return (unsigned)(hash.high >> 57);
}

/* Is called with the first place of a line that was new. Not 0 ends all. */
typedef int doubts_function(void *context, uint64_t place);

/*
 * Shows each such line once, in no order. table_slots: a power of two, at least
 * 4; three quarters of them are filled. Returns 0, what `found` returned, or -1
 * and errno.
 */
int doubts_settle(const bins *printed, const bins *doubted, size_t table_slots,
                  doubts_function *found, void *context);

#endif
