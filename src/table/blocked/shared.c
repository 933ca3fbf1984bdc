/*
 * shared.c - the line test for sets that many threads change at once.
 *
 * A word is read with a relaxed load, and only a bit that is missing costs a
 * fetch_or. A load and a store would lose bits that another thread sets in
 * between; fetch_or cannot, and who set a bit first learns it from what the
 * operation returns. Relaxed is enough: bits are only ever set, and nothing is
 * published through them.
 */
#include "table/blocked/blocked.h"

static inline bool line_add(uint64_t *line, uint64_t x)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_LINE_WORDS; w++) {
        uint64_t mask = ss_blocked_mask(x, w);
        if ((ss_bits_read(&line[w]) & mask) == 0)
            missing |= mask & ~ss_bits_set(&line[w], mask);
    }
    return missing != 0;
}

static inline bool line_has(const uint64_t *line, uint64_t x)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_LINE_WORDS; w++)
        missing |= ss_blocked_mask(x, w) & ~ss_bits_read(&line[w]);
    return missing == 0;
}

#define TWIN_ROW ss_blocked_shared
#define TWIN_NAME "shared"
#define TWIN_IS_SHARED true
#include "table/blocked/loops.h"
