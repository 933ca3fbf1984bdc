/*
 * xxh3.h - from a key to 64 bits, and from 64 bits to as many as needed.
 *
 * A key is hashed once, by XXH3-64 with seed 0. Everything else comes from
 * that one number x0 by a chain of steps
 *
 *     x[i+1] = (x[i] XOR x[i] >> 32) * STEP      mod 2^64
 *
 * Each step is a bijection, so nothing of the 64 bits is lost however long the
 * chain grows. The fold brings the well-mixed upper half down, the multiply by
 * an odd constant carries the lower half up; a table takes what it needs from
 * the upper bits, by multiply-high for a range and by shifts for bit fields,
 * each from an x of its own.
 *
 * Why not double hashing, a + i*b: it gives m^2 different index sets at most,
 * so a small filter at a small rate (a thousand keys at 1e-6) has more than
 * twice the false positives its formula promises, and the enhanced form does
 * not change that count. A chain over 64 bits costs one multiply an index and
 * has 2^64 of them at any size.
 *
 * None of this resists a caller who chooses keys to collide.
 */
#ifndef SS_HASH_XXH3_H
#define SS_HASH_XXH3_H

#include <stddef.h>
#include <stdint.h>

#include "base/inlining.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* 2^64 / golden ratio, odd (Knuth, TAOCP 3, 6.4) */
#define SS_HASH_STEP UINT64_C(0x9E3779B97F4A7C15)

/* Names in a file what made the hashes and the indices of its keys. */
enum {
    SS_HASH_XXH3_64 = 1
};
enum {
    SS_SCHEME_CHAIN = 1
};

/* XXH3-64 of 4 to 8 bytes, seed 0 (the XXH3 specification, "small inputs"):
 * bytes 8 to 16 of its secret XOR bytes 16 to 24, and PRIME_MX2. */
#define SS_XXH3_SHORT_SECRET UINT64_C(0xC73AB174C5ECD5A2)
#define SS_XXH3_SHORT_MULTIPLIER UINT64_C(0x9FB21C651E98DF25)

static SS_ALWAYS_INLINE uint64_t ss_hash_rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

/* XXH3-64 of the eight bytes of an integer, the least significant first: of all
 * keys the commonest and the shortest work. */
static SS_ALWAYS_INLINE uint64_t ss_hash_integer(uint64_t integer)
{
    uint64_t x = ss_hash_rotate(integer, 32) ^ SS_XXH3_SHORT_SECRET;
    x ^= ss_hash_rotate(x, 49) ^ ss_hash_rotate(x, 24);
    x *= SS_XXH3_SHORT_MULTIPLIER;
    x ^= (x >> 35) + 8;
    x *= SS_XXH3_SHORT_MULTIPLIER;
    return x ^ x >> 28;
}

static SS_ALWAYS_INLINE uint64_t ss_hash_eight_bytes(const void *key)
{
    return ss_hash_integer(XXH_readLE64(key));
}

/* XXH3-64 of any key. Who builds for size has it once, in key_hash.c, instead
 * of a copy in each file that hashes. */
#ifdef SS_HASH_ONE_COPY
uint64_t ss_hash_bytes(const void *key, size_t key_len);
#else
static SS_ALWAYS_INLINE uint64_t ss_hash_bytes(const void *key, size_t key_len)
{
    return XXH3_64bits(key, key_len);
}
#endif

static SS_ALWAYS_INLINE uint64_t ss_hash_key(const void *key, size_t key_len)
{
    return key_len == 8 ? ss_hash_eight_bytes(key)
                        : ss_hash_bytes(key, key_len);
}

static inline uint64_t ss_hash_step(uint64_t x)
{
    return (x ^ x >> 32) * SS_HASH_STEP;
}

/* floor(x * range / 2^64): uniform over 0..range-1 when x is uniform.
 * WebAssembly has 128 bits in name only: a call of a function. */
static inline uint64_t ss_hash_range(uint64_t x, uint64_t range)
{
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)x * range >> 64);
#else
    uint64_t x_low = (uint32_t)x, x_high = x >> 32;
    uint64_t r_low = (uint32_t)range, r_high = range >> 32;
    if (r_high == 0)
        return (x_high * r_low + (x_low * r_low >> 32)) >> 32;
    uint64_t middle = x_high * r_low + (x_low * r_low >> 32);
    uint64_t other = x_low * r_high + (uint32_t)middle;
    return x_high * r_high + (middle >> 32) + (other >> 32);
#endif
}

#endif
