/*
 * split_loop.h - from 64 bytes compared at once to the ends of lines.
 *
 * Included once by each twin, after its `needle`, `make_needle` and
 * `find_in_64`, with TWIN_SPLIT naming the function to be made.
 *
 * Most lines are longer than 32 bytes, so that 64 bytes hold none, one or
 * two; which of them cannot be predicted. Two offsets are therefore stored
 * whatever was found, and the count moves on by what was: nothing to predict.
 */
#ifndef TWIN_SPLIT
#error "include this from a twin: see split.h"
#endif

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

size_t TWIN_SPLIT(const char *data, size_t size, char separator, size_t *ends,
                  size_t room)
{
    needle wanted = make_needle(separator);
    size_t count = 0;
    size_t at = 0;
    for (; size - at >= 64 && room - count >= 64; at += 64)
        count += store_ends(ends + count, at, find_in_64(data + at, wanted));
    /* The last bytes, or the last ends that there is room for. */
    size_t rest = split_portable(data + at, size - at, separator, ends + count,
                                 room - count);
    for (size_t i = count; i < count + rest; i++)
        ends[i] += at;
    return count + rest;
}
