/*
 * split.h - where lines end: the offsets of all separators.
 *
 * A kernel compares 64 bytes with the separator at once, which gives a word
 * with a bit for each byte, and lists the bits that are set. All kernels return
 * the same; the fastest one that the processor can run is used.
 */
#ifndef STREAM_SPLIT_SPLIT_H
#define STREAM_SPLIT_SPLIT_H

#include <stddef.h>

/*
 * Stores in ends the offsets of `separator` in data[0..size), in order, at most
 * `room` of them. Returns how many; never writes past ends[room - 1].
 */
typedef size_t split_function(const char *data, size_t size, char separator,
                              size_t *ends, size_t room);

/* The kernels. Those for other processors do not exist. */
split_function split_portable;
split_function split_avx2;
split_function split_avx512;

/* The fastest one here. */
split_function *split_best(void);

/* Kernel number `index` of those that can run here, the fastest first; NULL
 * after the last. */
split_function *split_kernel(size_t index);

#endif
