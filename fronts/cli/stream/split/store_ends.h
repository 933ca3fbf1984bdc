/*
 * store_ends.h - the offsets of the bits of a word.
 *
 * Most lines are longer than 32 bytes, so 64 bytes have no end, one or two, and
 * the processor cannot predict how many. So two offsets are always stored, and
 * the count grows by the number that was found: no branch to mispredict.
 */
#ifndef STREAM_SPLIT_STORE_ENDS_H
#define STREAM_SPLIT_STORE_ENDS_H

#include <stddef.h>
#include <stdint.h>

/* Stores at least two; the room for 64 was checked. */
static inline size_t store_ends(size_t *ends, size_t at, uint64_t found)
{
    size_t count = (size_t)__builtin_popcountll(found);
    /* Zero has no lowest bit; 63 is as good as any for what is not kept. */
    const uint64_t last = UINT64_C(1) << 63;
    ends[0] = at + (size_t)__builtin_ctzll(found | last);
    found &= found - 1;
    ends[1] = at + (size_t)__builtin_ctzll(found | last);
    for (size_t i = 2; __builtin_expect(i < count, 0); i++) {
        found &= found - 1;
        ends[i] = at + (size_t)__builtin_ctzll(found);
    }
    return count;
}

#endif
