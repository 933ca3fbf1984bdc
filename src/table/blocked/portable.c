/* portable.c - the line test word by word, for any processor; the kernel
 * that the others are measured against, bit for bit */
#include "table/blocked/blocked.h"

/* Sets the key's bits in a line; true if one of them was not set. */
static inline bool line_add(uint64_t *line, uint64_t x)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_LINE_WORDS; w++) {
        uint64_t mask = ss_blocked_mask(x, w);
        missing |= mask & ~line[w];
        line[w] |= mask;
    }
    return missing != 0;
}

static inline bool line_has(const uint64_t *line, uint64_t x)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_LINE_WORDS; w++)
        missing |= ss_blocked_mask(x, w) & ~line[w];
    return missing == 0;
}

#define TWIN_ROW ss_blocked_portable
#define TWIN_NAME "portable"
#include "table/blocked/loops.h"
