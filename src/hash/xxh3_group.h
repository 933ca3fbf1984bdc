/*
 * xxh3_group.h - the hashes of a few keys at a time.
 *
 * XXH3 of a short key is a dozen instructions on one number, so eight keys of
 * eight bytes, the commonest short key there is, are hashed side by side where
 * the file that includes this is compiled for a processor that can (the kernels
 * of the blocked layout). Any other group goes key by key. Integers, which are
 * keys of eight bytes in an array without gaps, need no look at lengths and
 * pointers. The hashes are XXH3's either way, bit for bit
 * (tests/unit/table/twins.c).
 */
#ifndef SS_HASH_XXH3_GROUP_H
#define SS_HASH_XXH3_GROUP_H

#include <stdbool.h>

#include "hash/xxh3.h"
#include "seenset/base.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum {
    SS_GROUP = 8
};

#if defined(__AVX2__)
static inline long long ss_hash_bytes_of(const seenset_key *key)
{
    long long bytes;
    memcpy(&bytes, key->data, sizeof bytes);
    return bytes;
}
#endif

#if defined(__AVX512DQ__)
static inline void ss_hash_eight_numbers(__m512i x, uint64_t *hashes)
{
    const __m512i multiplier =
        _mm512_set1_epi64((long long)SS_XXH3_SHORT_MULTIPLIER);
    const __m512i secret = _mm512_set1_epi64((long long)SS_XXH3_SHORT_SECRET);
    const __m512i eight = _mm512_set1_epi64(8);
    x = _mm512_xor_si512(_mm512_rol_epi64(x, 32), secret);
    x = _mm512_xor_si512(
        x, _mm512_xor_si512(_mm512_rol_epi64(x, 49), _mm512_rol_epi64(x, 24)));
    x = _mm512_mullo_epi64(x, multiplier);
    x = _mm512_xor_si512(x, _mm512_add_epi64(_mm512_srli_epi64(x, 35), eight));
    x = _mm512_mullo_epi64(x, multiplier);
    x = _mm512_xor_si512(x, _mm512_srli_epi64(x, 28));
    _mm512_storeu_si512(hashes, x);
}

static inline bool ss_hash_eight_avx512(const seenset_key *keys,
                                        uint64_t *hashes)
{
    const __m512i eight = _mm512_set1_epi64(8);
    __m512i low = _mm512_loadu_si512(keys), high = _mm512_loadu_si512(keys + 4);
    __m512i datas = _mm512_unpacklo_epi64(low, high);
    __m512i lens = _mm512_unpackhi_epi64(low, high);
    if (_mm512_cmpneq_epi64_mask(lens, eight) != 0 ||
        _mm512_testn_epi64_mask(datas, datas) != 0)
        return false;
    ss_hash_eight_numbers(
        _mm512_set_epi64(ss_hash_bytes_of(keys + 7), ss_hash_bytes_of(keys + 6),
                         ss_hash_bytes_of(keys + 5), ss_hash_bytes_of(keys + 4),
                         ss_hash_bytes_of(keys + 3), ss_hash_bytes_of(keys + 2),
                         ss_hash_bytes_of(keys + 1), ss_hash_bytes_of(keys)),
        hashes);
    return true;
}

#elif defined(__AVX2__)
static inline __m256i ss_hash_rotate_four(__m256i x, int bits)
{
    return _mm256_or_si256(_mm256_slli_epi64(x, bits),
                           _mm256_srli_epi64(x, 64 - bits));
}

/* By the multiplier, modulo 2^64, from products of 32 bits. */
static inline __m256i ss_hash_multiply(__m256i x)
{
    const __m256i low = _mm256_set1_epi64x((long long)SS_XXH3_SHORT_MULTIPLIER);
    const __m256i high = _mm256_srli_epi64(low, 32);
    __m256i cross =
        _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 32), low),
                         _mm256_mul_epu32(x, high));
    return _mm256_add_epi64(_mm256_mul_epu32(x, low),
                            _mm256_slli_epi64(cross, 32));
}

static inline void ss_hash_four_numbers(__m256i x, uint64_t *hashes)
{
    x = _mm256_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1)); /* rotated by 32 */
    x = _mm256_xor_si256(x,
                         _mm256_set1_epi64x((long long)SS_XXH3_SHORT_SECRET));
    x = _mm256_xor_si256(x, _mm256_xor_si256(ss_hash_rotate_four(x, 49),
                                             ss_hash_rotate_four(x, 24)));
    x = ss_hash_multiply(x);
    x = _mm256_xor_si256(
        x, _mm256_add_epi64(_mm256_srli_epi64(x, 35), _mm256_set1_epi64x(8)));
    x = ss_hash_multiply(x);
    x = _mm256_xor_si256(x, _mm256_srli_epi64(x, 28));
    _mm256_storeu_si256((__m256i *)(void *)hashes, x);
}

static inline void ss_hash_four(const seenset_key *keys, uint64_t *hashes)
{
    ss_hash_four_numbers(_mm256_set_epi64x(ss_hash_bytes_of(keys + 3),
                                           ss_hash_bytes_of(keys + 2),
                                           ss_hash_bytes_of(keys + 1),
                                           ss_hash_bytes_of(keys)),
                         hashes);
}

static inline bool ss_hash_eight_avx2(const seenset_key *keys, uint64_t *hashes)
{
    bool is_fit = true;
    for (unsigned i = 0; i < SS_GROUP; i++)
        is_fit &= (keys[i].len == 8) & (keys[i].data != NULL);
    if (!is_fit)
        return false;
    ss_hash_four(keys, hashes);
    ss_hash_four(keys + 4, hashes + 4);
    return true;
}

#endif

/* Hashes eight keys if each has eight bytes that are there; else false. */
static inline bool ss_hash_eight(const seenset_key *keys, uint64_t *hashes)
{
#if defined(__AVX512DQ__)
    return ss_hash_eight_avx512(keys, hashes);
#elif defined(__AVX2__)
    return ss_hash_eight_avx2(keys, hashes);
#else
    (void)keys;
    (void)hashes;
    return false;
#endif
}

/* Hashes eight integers, as the bytes of each, the least significant first. */
static SS_ALWAYS_INLINE void ss_hash_eight_integers(const uint64_t *integers,
                                                    uint64_t *hashes)
{
#if defined(__AVX512DQ__)
    ss_hash_eight_numbers(_mm512_loadu_si512(integers), hashes);
#elif defined(__AVX2__)
    const __m256i *fours = (const __m256i *)(const void *)integers;
    ss_hash_four_numbers(_mm256_loadu_si256(fours), hashes);
    ss_hash_four_numbers(_mm256_loadu_si256(fours + 1), hashes + 4);
#else
    for (unsigned i = 0; i < SS_GROUP; i++)
        hashes[i] = ss_hash_integer(integers[i]);
#endif
}

/* Hashes count of them, at most SS_GROUP. */
static SS_ALWAYS_INLINE void ss_hash_integers(const uint64_t *integers,
                                              size_t count, uint64_t *hashes)
{
    if (count == SS_GROUP) {
        ss_hash_eight_integers(integers, hashes);
        return;
    }
    for (size_t i = 0; i < count; i++)
        hashes[i] = ss_hash_integer(integers[i]);
}

/* Hashes count keys, at most SS_GROUP; returns how many have a length and no
 * data. */
static SS_NOINLINE size_t ss_hash_group(const seenset_key *keys, size_t count,
                                        uint64_t *hashes)
{
    size_t missing = 0;
    if (count == SS_GROUP && ss_hash_eight(keys, hashes))
        return 0;
    for (size_t i = 0; i < count; i++) {
        bool is_there = keys[i].data != NULL || keys[i].len == 0;
        hashes[i] = is_there ? ss_hash_key(keys[i].data, keys[i].len) : 0;
        missing += !is_there;
    }
    return missing;
}

#endif
