/*
 * seenset/extra/inline.h - single adds and lookups without a call.
 *
 * Extra: installed, but without a promise. Its functions and types may change
 * with any release, so build your program again with each one; the loader does
 * not run it with the library of another release (docs/stability.md).
 *
 *     const seenset_view *view;
 *     if (seenset_get_view(set, &view) != 0)
 *         ...
 *     if (seenset_inline_add_u64(view, id) == 1)
 *         ...                                     // never seen until now
 *
 * Optional: seenset/seenset.h does not include it. In a set of one table of
 * SEENSET_LAYOUT_BLOCKED, a 64-bit hash or integer is looked up, and added, by
 * code that the compiler puts where it is used. It tests a block of 512 bits at
 * once where the caller's compiler may: with AVX-512 (-mavx512f) or AVX2
 * (-mavx2), as -march=native allows, or NEON on 64-bit ARM; else word by word.
 * On x86-64 without AVX2 all functions are the calls, which find out what the
 * processor has and are faster than code word by word (SEENSET_INLINE_WORDS, if
 * defined, selects that code).
 * The bits and the answers are the library's whichever it is. They are fixed by
 * the file format (docs/format.md), so they never change:
 *
 *     x = hash       block of partition r: r B + floor(x B / 2^64)
 *     x = step(x)    word w of it has bit (x >> (16 + 6 w)) mod 64
 *     x = step(x)    next partition
 *     step(x) = (x ^ x >> 32) * 0x9E3779B97F4A7C15
 *
 * Every other set, and a set in any other state (several tables, full, shared,
 * keyed, a view with blocks that are still to be checked), is left to the calls
 * of seenset/seenset.h. These functions look at the state each time, so
 * they can be used on any set, and mixed with all calls. The number of keys
 * stays right too: adding counts the key where the library counts, and the key
 * with which a set is at its capacity goes by the call, which grows the set,
 * refuses the key or calls at_capacity. A set that is opened to be appended to
 * keeps its journal.
 *
 * Threads: as the calls that these functions stand for; asks and adds, as
 * seenset/seenset.h has them. Cost, in a cache: a lookup about 0.6 of the time
 * of the call, an add 0.7, and 0.6 of a run of adds (seenset_inline_adder).
 * `view` must not be NULL.
 */
#ifndef SEENSET_EXTRA_INLINE_H
#define SEENSET_EXTRA_INLINE_H

#include <stdint.h>

#include "seenset/extra/raw.h"
#include "seenset/seenset.h"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/* 1: everything is left to the calls. */
#if (defined(__x86_64__) || defined(_M_X64)) && !defined(__AVX2__) &&          \
    !defined(__AVX512F__) && !defined(SEENSET_INLINE_WORDS)
#define SEENSET_INLINE_IS_CALL 1
#else
#define SEENSET_INLINE_IS_CALL 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A mixer of integers: their hash, such as seenset_add_hash takes it. It is
 * seenset_hash of the integer's 8 bytes, the least significant first; so a set
 * has the same keys whether it is given integers, their bytes, or these.
 *
 * It is a bijection: two integers never have one hash. Each bit of the integer
 * changes each bit of the hash with a probability of 1/2 (a test measures it).
 * The design is Pelle Evensen's rrmxmx (2018: two rotations, xor, multiply,
 * shift, xor, multiply, shift, xor), in the form that XXH3 has for keys of 4 to
 * 8 bytes. It is easily undone: where an adversary may choose the integers, use
 * a keyed set.
 * Cost: about 2 nanoseconds, less where several can overlap.
 */
static inline uint64_t seenset_inline_mix(uint64_t integer)
{
    const uint64_t multiplier = UINT64_C(0x9FB21C651E98DF25);
    uint64_t x = (integer << 32 | integer >> 32) ^ UINT64_C(0xC73AB174C5ECD5A2);
    x ^= (x << 49 | x >> 15) ^ (x << 24 | x >> 40);
    x *= multiplier;
    x ^= (x >> 35) + 8;
    x *= multiplier;
    return x ^ x >> 28;
}

/* ---- what the functions below are made of ---- */

/* From the part of the hash that chose a block to that which chooses bits, and
 * on to the next block's. */
static inline uint64_t seenset_inline_step(uint64_t x)
{
    return (x ^ x >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

/* floor(x * range / 2^64) */
static inline uint64_t seenset_inline_range(uint64_t x, uint64_t range)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)x * range >> 64);
#else
    uint64_t x_low = x & UINT32_MAX, x_high = x >> 32;
    uint64_t r_low = range & UINT32_MAX, r_high = range >> 32;
    uint64_t middle = x_high * r_low + (x_low * r_low >> 32);
    uint64_t other = x_low * r_high + (middle & UINT32_MAX);
    return x_high * r_high + (middle >> 32) + (other >> 32);
#endif
}

/* The table, or NULL. While a checked view is asked, in another thread too, it
 * can become one. */
static inline uint64_t *seenset_inline_words(const seenset_view *view)
{
#if defined(__GNUC__)
    return __atomic_load_n(&view->words, __ATOMIC_RELAXED);
#else
    return *(uint64_t *const volatile *)&view->words;
#endif
}

/*
 * Two functions for a block of 8 words: does it have the bits that x chooses,
 * one in each word; and set them: was one missing?
 */
#if defined(__AVX512F__) && !defined(SEENSET_INLINE_WORDS)

/* By intrinsics with a mask of all words: of those without, some compilers warn
 * in their own header. */
static inline __m512i seenset_inline_mask(uint64_t x)
{
    const __m512i shifts = _mm512_setr_epi64(16, 22, 28, 34, 40, 46, 52, 58);
    __m512i all = _mm512_set1_epi64((long long)x);
    __m512i fields = _mm512_maskz_srlv_epi64(0xFF, all, shifts);
    return _mm512_maskz_rolv_epi64(0xFF, _mm512_set1_epi64(1), fields);
}

static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    __m512i words = _mm512_loadu_si512(block);
    return _mm512_testn_epi64_mask(words, seenset_inline_mask(x)) == 0;
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    __m512i mask = seenset_inline_mask(x);
    __m512i words = _mm512_loadu_si512(block);
    _mm512_storeu_si512(block, _mm512_or_si512(words, mask));
    return _mm512_testn_epi64_mask(words, mask) != 0;
}

#elif defined(__AVX2__) && !defined(SEENSET_INLINE_WORDS)

/* Of words 0 to 3 (first_shift 16), or 4 to 7 (40). */
static inline __m256i seenset_inline_mask(uint64_t x, long long first_shift)
{
    const __m256i steps = _mm256_setr_epi64x(0, 6, 12, 18);
    __m256i shifts = _mm256_add_epi64(_mm256_set1_epi64x(first_shift), steps);
    __m256i fields =
        _mm256_srlv_epi64(_mm256_set1_epi64x((long long)x), shifts);
    return _mm256_sllv_epi64(_mm256_set1_epi64x(1),
                             _mm256_and_si256(fields, _mm256_set1_epi64x(63)));
}

static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    const __m256i *halves = (const __m256i *)(const void *)block;
    return _mm256_testc_si256(_mm256_loadu_si256(halves),
                              seenset_inline_mask(x, 16)) &
           _mm256_testc_si256(_mm256_loadu_si256(halves + 1),
                              seenset_inline_mask(x, 40));
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    __m256i *halves = (__m256i *)(void *)block;
    __m256i low_mask = seenset_inline_mask(x, 16);
    __m256i high_mask = seenset_inline_mask(x, 40);
    __m256i low = _mm256_loadu_si256(halves);
    __m256i high = _mm256_loadu_si256(halves + 1);
    _mm256_storeu_si256(halves, _mm256_or_si256(low, low_mask));
    _mm256_storeu_si256(halves + 1, _mm256_or_si256(high, high_mask));
    return !(_mm256_testc_si256(low, low_mask) &
             _mm256_testc_si256(high, high_mask));
}

#elif defined(__aarch64__) && defined(__ARM_NEON) &&                           \
    !defined(SEENSET_INLINE_WORDS)

/* Of words 2 pair and 2 pair + 1. */
static inline uint64x2_t seenset_inline_mask(uint64_t x, int pair)
{
    const int64_t shifts[2] = {-16 - 12 * pair, -22 - 12 * pair};
    uint64x2_t fields = vshlq_u64(vdupq_n_u64(x), vld1q_s64(shifts));
    fields = vandq_u64(fields, vdupq_n_u64(63));
    return vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(fields));
}

static inline int seenset_inline_is_any(uint64x2_t bits)
{
    return (vgetq_lane_u64(bits, 0) | vgetq_lane_u64(bits, 1)) != 0;
}

static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    uint64x2_t missing = vdupq_n_u64(0);
    for (int pair = 0; pair < 4; pair++)
        missing = vorrq_u64(missing, vbicq_u64(seenset_inline_mask(x, pair),
                                               vld1q_u64(block + 2 * pair)));
    return !seenset_inline_is_any(missing);
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    uint64x2_t missing = vdupq_n_u64(0);
    for (int pair = 0; pair < 4; pair++) {
        uint64x2_t mask = seenset_inline_mask(x, pair);
        uint64x2_t words = vld1q_u64(block + 2 * pair);
        vst1q_u64(block + 2 * pair, vorrq_u64(words, mask));
        missing = vorrq_u64(missing, vbicq_u64(mask, words));
    }
    return seenset_inline_is_any(missing);
}

#else

static inline int seenset_inline_block_has(const uint64_t *block, uint64_t x)
{
    uint64_t set = 1;
    x >>= 16;
    for (unsigned w = 0; w < 8; w++, x >>= 6)
        set &= block[w] >> (x & 63);
    return (int)(set & 1);
}

static inline int seenset_inline_block_add(uint64_t *block, uint64_t x)
{
    uint64_t missing = 0;
    x >>= 16;
    for (unsigned w = 0; w < 8; w++, x >>= 6) {
        uint64_t word = block[w], mask = UINT64_C(1) << (x & 63);
        block[w] = word | mask;
        missing |= mask & ~word;
    }
    return missing != 0;
}

#endif

/* The block of a partition that x chooses. */
static inline uint64_t *seenset_inline_block(const seenset_view *view,
                                             uint64_t *words,
                                             uint32_t partition, uint64_t x)
{
    return words + 8 * (partition * view->blocks +
                        seenset_inline_range(x, view->blocks));
}

/* The 8 bytes of an integer, the least significant first. */
static inline void seenset_inline_bytes(uint8_t bytes[8], uint64_t integer)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(integer >> 8 * i);
}

/* In a table that may be asked. */
static inline int seenset_inline_table_has(const seenset_view *view,
                                           uint64_t *words, uint64_t x)
{
    for (uint32_t partition = 0;; partition++) {
        uint64_t *block = seenset_inline_block(view, words, partition, x);
        x = seenset_inline_step(x);
        int has = seenset_inline_block_has(block, x);
        if (view->blocks_per_key == partition + 1)
            return has;
        if (!has)
            return 0;
        x = seenset_inline_step(x);
    }
}

/* Sets the bits in the other partitions, of a table with several. */
static inline int seenset_inline_others_add(const seenset_view *view,
                                            uint64_t *words, uint64_t x)
{
    int is_new = 0;
    for (uint32_t partition = 1; partition < view->blocks_per_key;
         partition++) {
        x = seenset_inline_step(x);
        uint64_t *block = seenset_inline_block(view, words, partition, x);
        x = seenset_inline_step(x);
        is_new |= seenset_inline_block_add(block, x);
    }
    return is_new;
}

/* To a table that may be added to. Returns whether the key is new. */
static inline int seenset_inline_table_add(const seenset_view *view,
                                           uint64_t *words, uint64_t x)
{
    uint64_t *block = seenset_inline_block(view, words, 0, x);
    x = seenset_inline_step(x);
    int is_new = seenset_inline_block_add(block, x);
    if (view->blocks_per_key != 1)
        is_new |= seenset_inline_others_add(view, words, x);
    return is_new;
}

/* The same, and counts it. */
static inline int seenset_inline_count_add(const seenset_view *view, uint64_t x)
{
    int is_new = seenset_inline_table_add(view, view->words, x);
    *view->added_items += (uint64_t)is_new;
    return is_new;
}

/* How many new keys may be added before the next needs a call. */
static inline uint64_t seenset_inline_room(const seenset_view *view)
{
    if (SEENSET_INLINE_IS_CALL || view->full_items == 0 ||
        *view->added_items >= view->full_items)
        return 0;
    return view->full_items - *view->added_items;
}

/* ---- adding and asking ---- */

/*
 * Asks for a hash. Returns as seenset_has_hash: 1 (seen, or a false positive),
 * 0 (never added), SEENSET_EUNSUPPORTED (a set with a secret, a seed or a
 * scheme) or, of a checked view, SEENSET_ECORRUPT. Threads: asks.
 */
static inline int seenset_inline_has_hash(const seenset_view *view,
                                          uint64_t hash)
{
    uint64_t *words = SEENSET_INLINE_IS_CALL ? 0 : seenset_inline_words(view);
    return words != 0 ? seenset_inline_table_has(view, words, hash)
                      : seenset_has_hash(view->set, hash);
}

/*
 * Adds a hash. Returns as seenset_add_hash: 1 (new), 0 (seen), or any of its
 * errors. Threads: adds.
 */
static inline int seenset_inline_add_hash(const seenset_view *view,
                                          uint64_t hash)
{
    return seenset_inline_room(view) != 0 ? seenset_inline_count_add(view, hash)
                                          : seenset_add_hash(view->set, hash);
}

/*
 * Asks for an integer: for the key of its 8 bytes, the least significant first,
 * as seenset_has_u64_many. Returns as seenset_has. Threads: asks.
 */
static inline int seenset_inline_has_u64(const seenset_view *view,
                                         uint64_t integer)
{
    uint8_t bytes[8];
    uint64_t *words = SEENSET_INLINE_IS_CALL ? 0 : seenset_inline_words(view);
    if (words != 0)
        return seenset_inline_table_has(view, words,
                                        seenset_inline_mix(integer));
    seenset_inline_bytes(bytes, integer);
    return seenset_has(view->set, bytes, sizeof bytes);
}

/*
 * Adds an integer, as seenset_add_u64_many. Returns as seenset_add.
 * Threads: adds.
 */
static inline int seenset_inline_add_u64(const seenset_view *view,
                                         uint64_t integer)
{
    uint8_t bytes[8];
    if (seenset_inline_room(view) != 0)
        return seenset_inline_count_add(view, seenset_inline_mix(integer));
    seenset_inline_bytes(bytes, integer);
    return seenset_add(view->set, bytes, sizeof bytes);
}

/* ---- a run of adds ---- */

/*
 * Adds many keys, one at a time, in less time each: what every add would read
 * from memory and write back, the count of keys above all, stays in registers
 * from the start of the run to its end.
 *
 *     seenset_inline_adder adder = seenset_inline_adder_start(view);
 *     while (...)
 *         if (seenset_inline_adder_add(&adder, hash) == 1)
 *             ...
 *     seenset_inline_adder_end(&adder);
 *
 * The same bits and answers as seenset_inline_add_hash and _u64. In between,
 * keys may be asked for. Nothing else may be done to the set, by this thread or
 * another, and the number of keys that it gives may be too low; the end of the
 * run puts it right. The end must not be left out: without it the set would be
 * taken as less full than it is, and its promise of a rate would not be kept.
 */
typedef struct seenset_inline_adder {
    seenset_view table;       /* as it was at the start */
    const seenset_view *view; /* as it is */
    uint64_t room;            /* for new keys, before the next needs a call */
    uint64_t start;           /* what it was */
} seenset_inline_adder;

/* Threads: adds. `view` must not be NULL. */
static inline seenset_inline_adder
seenset_inline_adder_start(const seenset_view *view)
{
    seenset_inline_adder adder;
    adder.table = *view;
    adder.view = view;
    adder.room = seenset_inline_room(view);
    adder.start = adder.room;
    return adder;
}

/* The set's count is right after this; the run may go on. Threads: adds. */
static inline void seenset_inline_adder_end(seenset_inline_adder *adder)
{
    if (adder->start != adder->room)
        *adder->view->added_items += adder->start - adder->room;
    adder->start = adder->room;
}

/* Adds a hash. Returns as seenset_add_hash. Threads: adds. */
static inline int seenset_inline_adder_add(seenset_inline_adder *adder,
                                           uint64_t hash)
{
    if (SEENSET_INLINE_IS_CALL)
        return seenset_add_hash(adder->table.set, hash);
    if (adder->room == 0) {
        seenset_inline_adder_end(adder);
        int answer = seenset_add_hash(adder->table.set, hash);
        *adder = seenset_inline_adder_start(adder->view);
        return answer;
    }
    int is_new =
        seenset_inline_table_add(&adder->table, adder->table.words, hash);
    adder->room -= (uint64_t)is_new;
    return is_new;
}

/* Adds an integer. Returns as seenset_add. Threads: adds. */
static inline int seenset_inline_adder_add_u64(seenset_inline_adder *adder,
                                               uint64_t integer)
{
    uint8_t bytes[8];
    if (adder->room != 0)
        return seenset_inline_adder_add(adder, seenset_inline_mix(integer));
    seenset_inline_bytes(bytes, integer);
    if (SEENSET_INLINE_IS_CALL)
        return seenset_add(adder->table.set, bytes, sizeof bytes);
    seenset_inline_adder_end(adder);
    int answer = seenset_add(adder->table.set, bytes, sizeof bytes);
    *adder = seenset_inline_adder_start(adder->view);
    return answer;
}

#ifdef __cplusplus
}
#endif
#endif
