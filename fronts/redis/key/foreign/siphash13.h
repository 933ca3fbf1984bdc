/*
 * siphash13.h - SipHash-1-3 (J.-P. Aumasson and D. J. Bernstein, "SipHash: a
 * fast short-input PRF", INDOCRYPT 2012, with one round a word and three at the
 * end), as Rust hashes a slice of bytes: its length, a number of 64 bits, comes
 * before the bytes. valkey-bloom's filters are made with it.
 */
#ifndef SEENSET_REDIS_KEY_FOREIGN_SIPHASH13_H
#define SEENSET_REDIS_KEY_FOREIGN_SIPHASH13_H

#include <stddef.h>
#include <stdint.h>

enum {
    SR_SIPHASH13_KEY_BYTES = 16
};

uint64_t sr_siphash13(const uint8_t *bytes, size_t len,
                      const uint8_t key[SR_SIPHASH13_KEY_BYTES]);

#endif
