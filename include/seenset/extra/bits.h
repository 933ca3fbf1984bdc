/*
 * seenset/extra/bits.h - a field of bits over bytes of your own.
 *
 * Extra: installed, but without a promise. Its functions and types may change
 * with any release, so build your program again with each one; the loader does
 * not run it with the library of another release (docs/stability.md).
 *
 * What every Bloom filter rests on, for programs that build one by hand or read
 * the bits of another system. Bit i is bit i % 8 of byte i / 8, the least
 * significant first, which is the order of this library's files too:
 *
 *     bytes      05                       80
 *     printed    1 0 1 0 0 0 0 0          0 0 0 0 0 0 0 1
 *     bit        0 1 2 3 4 5 6 7          8 9 ...       15
 *
 *     uint8_t field[2] = {0};
 *     if (seenset_bits_set(field, sizeof field, 15) == 0)
 *         ...
 *
 * Every call is given the size of the field and checks the index against it, so
 * none reads or writes outside. Nothing here allocates, prints or keeps state.
 * Threads: calls that read may run at once; a call that changes a byte must not
 * run beside another on that byte.
 */
#ifndef SEENSET_EXTRA_BITS_H
#define SEENSET_EXTRA_BITS_H

#include "seenset/base.h"
#include "seenset/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sets bit number `index` of the size_bytes bytes at `bytes` to 1.
 * Returns 0 or SEENSET_EINVAL (bytes is NULL, or index is not below 8 *
 * size_bytes); then nothing has changed. Cost: constant. Threads: changes.
 */
SEENSET_API int seenset_bits_set(uint8_t *bytes, size_t size_bytes,
                                 uint64_t index);

/* Sets it to 0. Returns, cost and Threads: as seenset_bits_set. */
SEENSET_API int seenset_bits_clear(uint8_t *bytes, size_t size_bytes,
                                   uint64_t index);

/* Flips it. Returns, cost and Threads: as seenset_bits_set. */
SEENSET_API int seenset_bits_toggle(uint8_t *bytes, size_t size_bytes,
                                    uint64_t index);

/*
 * Asks for a bit. Returns 1, 0 or SEENSET_EINVAL (bytes is NULL, or index is
 * not below 8 * size_bytes). Cost: constant. Threads: reads.
 */
SEENSET_API int seenset_bits_test(const uint8_t *bytes, size_t size_bytes,
                                  uint64_t index);

/*
 * Stores in *set_count how many bits are 1. bytes may be NULL when size_bytes
 * is 0.
 * Returns 0 or SEENSET_EINVAL (set_count is NULL, or bytes is and size_bytes is
 * not 0; *set_count is unchanged). Cost: reads the bytes. Threads: reads.
 */
SEENSET_API int seenset_bits_count(const uint8_t *bytes, size_t size_bytes,
                                   uint64_t *set_count);

/*
 * Writes all bits to `text` as the characters 0 and 1, bit 0 of byte 0 first,
 * and a NUL. On entry *text_bytes is the room at text, on return what was
 * written: 8 * size_bytes + 1, the NUL counted. bytes may be NULL when
 * size_bytes is 0, and text when the room is 0.
 * Returns 0; SEENSET_ESPACE (the room is too small: *text_bytes is the room
 * needed, and text is unchanged); or SEENSET_EINVAL (another pointer is NULL,
 * or the text would be over SIZE_MAX bytes). Cost: writes the text.
 * Threads: reads.
 */
SEENSET_API int seenset_bits_print(const uint8_t *bytes, size_t size_bytes,
                                   char *text, size_t *text_bytes);

#ifdef __cplusplus
}
#endif
#endif
