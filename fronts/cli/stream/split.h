/*
 * split.h - where the lines end: every separator in a piece of memory.
 *
 * A twin compares 64 bytes with the separator at once, which gives a word
 * with one bit for each byte, and walks the bits that are set. All twins give
 * the same answer; the fastest that the processor can run is taken.
 */
#ifndef SPLIT_H
#define SPLIT_H

#include <stddef.h>

/*
 * Stores the offsets in data[0..size) at which `separator` stands, in order,
 * into ends, until there are no more or `room` were stored. Returns how many
 * were stored; never writes past ends[room - 1].
 */
typedef size_t split_function(const char *data, size_t size, char separator,
                              size_t *ends, size_t room);

/* The twins. Those of another processor's instructions do not exist. */
split_function split_portable;
split_function split_avx2;
split_function split_avx512;

/* The fastest one here. */
split_function *split_best(void);

/* Number `index` of those that can run here, the fastest first, or NULL. */
split_function *split_twin(size_t index);

#endif
