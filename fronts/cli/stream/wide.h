/*
 * wide.h - 128-bit hashes of the keys of a batch, beside those of the set.
 *
 * 64 bits are too few to tell ten billion keys apart; 128 are enough: of n
 * different keys two have the same with a chance of about n^2 / 2^129. The hash
 * is XXH3 under a secret that is made for the run, which those who write the
 * keys do not know.
 */
#ifndef WIDE_H
#define WIDE_H

#include <stddef.h>
#include <stdint.h>

#include "stream/spill.h"

#define WIDE_SECRET_BYTES 192

typedef struct wide_hash {
    uint64_t low, high;
} wide_hash;

/* Makes a secret. Returns 0, or -1 and errno. */
int wide_make_secret(uint8_t secret[WIDE_SECRET_BYTES]);

wide_hash wide_of(const void *key, size_t bytes,
                  const uint8_t secret[WIDE_SECRET_BYTES]);

/* The same hash of a long line, of which only a piece is in memory at a time.
 * Returns 0, or -1 and errno. */
int wide_of_line(wide_hash *hash, const spill *line,
                 const uint8_t secret[WIDE_SECRET_BYTES]);

#endif
