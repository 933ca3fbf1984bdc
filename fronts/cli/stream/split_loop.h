/*
 * split_loop.h - the loop of a kernel: 64 bytes at a time.
 *
 * Included once by each kernel, after its `needle`, `make_needle` and
 * `find_in_64`, with KERNEL_SPLIT as the name of the function.
 *
 * Most lines are longer than 32 bytes, so 64 bytes have no end, one or two, and
 * the processor cannot predict how many. So two offsets are always stored, and
 * the count grows by the number that was found: no branch to mispredict.
 */
#ifndef KERNEL_SPLIT
#error "include this from a kernel: see split.h"
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

size_t KERNEL_SPLIT(const char *data, size_t size, char separator, size_t *ends,
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
