/*
 * loop.h - the loop of a kernel: 64 bytes at a time.
 *
 * Included once by each kernel, after its `needle`, `make_needle` and
 * `find_in_64`, with KERNEL_SPLIT as the name of the function.
 */
#ifndef KERNEL_SPLIT
#error "include this from a kernel: see split.h"
#endif

#include <stdint.h>

#include "stream/split/store_ends.h"

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
