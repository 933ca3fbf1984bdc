/*
 * siphash.h - SipHash-2-4, the hash of keyed sets (J.-P. Aumasson and
 * D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012).
 *
 * Without the secret nobody can predict a hash, so nobody can choose keys
 * that collide. Sets use the variant with a result of 128 bits, of which they
 * need the first half only; Bitcoin's filters the one of 64 bits.
 */
#ifndef SS_HASH_SIPHASH_H
#define SS_HASH_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

enum {
    SS_SIPHASH_SECRET_BYTES = 16
};

/* Bytes 0 to 7 of SipHash-2-4-128, as a little-endian number. bytes may be
 * NULL if size_bytes is 0. */
uint64_t ss_siphash_2_4_128(const void *bytes, size_t size_bytes,
                            const uint8_t secret[SS_SIPHASH_SECRET_BYTES]);

/* SipHash-2-4 itself. bytes as above. */
uint64_t ss_siphash_2_4(const void *bytes, size_t size_bytes,
                        const uint8_t secret[SS_SIPHASH_SECRET_BYTES]);

#endif
