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
 * SEENSET_LAYOUT_BLOCKED or SEENSET_LAYOUT_SPLIT_BLOCK, a 64-bit hash or
 * integer is looked up, and added, by code that the compiler puts where it is
 * used. It tests a block at once where the caller's compiler may: with AVX-512
 * (-mavx512f) or AVX2 (-mavx2), as -march=native allows, or NEON on 64-bit ARM;
 * else word by word. On x86-64 without AVX2 all functions are the calls, which
 * find out what the processor has and are faster than code word by word
 * (SEENSET_INLINE_WORDS, if defined, selects that code).
 * The bits and the answers are the library's whichever it is. They are fixed by
 * the file format (docs/format.md), so they never change. In the first of these
 * layouts:
 *
 *     x = hash       block of partition r: r B + floor(x B / 2^64)
 *     x = step(x)    word w of it has bit (x >> (16 + 6 w)) mod 64
 *     x = step(x)    next partition
 *     step(x) = (x ^ x >> 32) * 0x9E3779B97F4A7C15
 *
 * Every other set, and a set in any other state (several tables, full, shared,
 * keyed, a view with blocks that are still to be checked), is left to the calls
 * of seenset/seenset.h. These functions look at the state each time, so they
 * can be used on any set, and mixed with all calls; not so a run of lookups or
 * of adds (below). The number of keys stays right too: adding counts the key
 * where the library counts, and the key with which a set is at its capacity
 * goes by the call, which grows the set, refuses the key or calls at_capacity.
 * A set that is opened to be appended to keeps its journal.
 *
 * Threads: as the calls that these functions stand for; asks and adds, as
 * seenset/seenset.h has them. Cost, in a cache and with AVX2: a lookup 0.6 to
 * 0.8 of the time of the call, and 0.4 to 0.6 in a run (seenset_inline_looker);
 * an add 0.7, and 0.5 to 0.6 in a run (seenset_inline_adder). With AVX-512 the
 * call is faster, and a single lookup takes 0.8 to 1.0 of it. `view` must not
 * be NULL.
 */
#ifndef SEENSET_EXTRA_INLINE_H
#define SEENSET_EXTRA_INLINE_H

#include <stdint.h>

#include "seenset/extra/block.h"
#include "seenset/extra/raw.h"
#include "seenset/extra/split_block.h"
#include "seenset/seenset.h"

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

/* The 8 bytes of an integer, the least significant first. */
static inline void seenset_inline_bytes(uint8_t bytes[8], uint64_t integer)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(integer >> 8 * i);
}

/*
 * A table whose keys have one block each is asked and added to where the call
 * is written. One with several, and a set that is left to the calls, goes by a
 * function apart, so that it does not lie in the way of the others.
 */
#if defined(__GNUC__)
#define SEENSET_INLINE_APART static __attribute__((noinline, unused))
#define SEENSET_INLINE_FETCH(address) __builtin_prefetch(address)
#define SEENSET_INLINE_USUALLY(condition) __builtin_expect((condition), 1)
#else
#define SEENSET_INLINE_APART static inline
#define SEENSET_INLINE_FETCH(address) ((void)(address))
#define SEENSET_INLINE_USUALLY(condition) (condition)
#endif

/* As likely as not. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_expect_with_probability)
#define SEENSET_INLINE_EITHER(condition)                                       \
    __builtin_expect_with_probability((condition), 1, 0.5)
#endif
#endif
#if !defined(SEENSET_INLINE_EITHER)
#define SEENSET_INLINE_EITHER(condition) (condition)
#endif

/* The block of the first partition that x chooses. */
static inline uint64_t *seenset_inline_block(uint64_t *words, uint64_t blocks,
                                             uint64_t x)
{
    return words + 8 * seenset_inline_range(x, blocks);
}

/* In a table of one partition. */
static inline int seenset_inline_one_has(uint64_t *words, uint64_t blocks,
                                         uint64_t x)
{
    return seenset_inline_block_has(seenset_inline_block(words, blocks, x),
                                    seenset_inline_step(x));
}

static inline int seenset_inline_one_add(uint64_t *words, uint64_t blocks,
                                         uint64_t x)
{
    return seenset_inline_block_add(seenset_inline_block(words, blocks, x),
                                    seenset_inline_step(x));
}

/* In a table of several: the next block is asked for when the last one has its
 * bits. */
SEENSET_INLINE_APART int seenset_inline_several_has(uint64_t *words,
                                                    uint64_t blocks,
                                                    uint64_t count, uint64_t x)
{
    for (; count > 0; count--) {
        if (!seenset_inline_one_has(words, blocks, x))
            return 0;
        words += 8 * blocks;
        x = seenset_inline_step(seenset_inline_step(x));
    }
    return 1;
}

/* All blocks are on their way before the first is tested. */
SEENSET_INLINE_APART int seenset_inline_several_add(uint64_t *words,
                                                    uint64_t blocks,
                                                    uint64_t count, uint64_t x)
{
    uint64_t *block[3], bits[3];
    for (uint64_t i = 0; i < count; i++, words += 8 * blocks) {
        block[i] = seenset_inline_block(words, blocks, x);
        SEENSET_INLINE_FETCH(block[i]);
        bits[i] = seenset_inline_step(x);
        x = seenset_inline_step(bits[i]);
    }
    int is_new = 0;
    for (uint64_t i = 0; i < count; i++)
        is_new |= seenset_inline_block_add(block[i], bits[i]);
    return is_new;
}

/* In a table whose keys have one block: it counts as 0 if it is of
 * SEENSET_LAYOUT_SPLIT_BLOCK. */
static inline int seenset_inline_near_has(uint64_t *words, uint64_t blocks,
                                          uint64_t per_key, uint64_t x)
{
    return SEENSET_INLINE_USUALLY(per_key != 0)
               ? seenset_inline_one_has(words, blocks, x)
               : seenset_inline_split_block_has(
                     seenset_inline_split_block(words, blocks, x), x);
}

static inline int seenset_inline_near_add(uint64_t *words, uint64_t blocks,
                                          uint64_t per_key, uint64_t x)
{
    return SEENSET_INLINE_USUALLY(per_key != 0)
               ? seenset_inline_one_add(words, blocks, x)
               : seenset_inline_split_block_add(
                     seenset_inline_split_block(words, blocks, x), x);
}

/* In any table. */
static inline int seenset_inline_table_has(uint64_t *words, uint64_t blocks,
                                           uint64_t per_key, uint64_t x)
{
    return SEENSET_INLINE_USUALLY(per_key <= 1)
               ? seenset_inline_near_has(words, blocks, per_key, x)
               : seenset_inline_several_has(words, blocks, per_key, x);
}

static inline int seenset_inline_table_add(uint64_t *words, uint64_t blocks,
                                           uint64_t per_key, uint64_t x)
{
    return SEENSET_INLINE_USUALLY(per_key <= 1)
               ? seenset_inline_near_add(words, blocks, per_key, x)
               : seenset_inline_several_add(words, blocks, per_key, x);
}

/* What a lookup by a view does that is not of the usual kind. */
SEENSET_INLINE_APART int seenset_inline_other_has(const seenset_view *view,
                                                  uint64_t hash)
{
    uint64_t *words = SEENSET_INLINE_IS_CALL ? 0 : seenset_inline_words(view);
    return words != 0 ? seenset_inline_table_has(words, view->blocks,
                                                 view->blocks_per_key, hash)
                      : seenset_has_hash(view->set, hash);
}

SEENSET_INLINE_APART int seenset_inline_other_has_u64(const seenset_view *view,
                                                      uint64_t integer)
{
    uint8_t bytes[8];
    if (!SEENSET_INLINE_IS_CALL && seenset_inline_words(view) != 0)
        return seenset_inline_other_has(view, seenset_inline_mix(integer));
    seenset_inline_bytes(bytes, integer);
    return seenset_has(view->set, bytes, sizeof bytes);
}

/* May one key more be added without a call? */
static inline int seenset_inline_takes(const seenset_view *view)
{
    return !SEENSET_INLINE_IS_CALL && *view->added_items < view->full_items;
}

/* What an add by a view does that is not of the usual kind. */
SEENSET_INLINE_APART int seenset_inline_other_add(const seenset_view *view,
                                                  uint64_t hash)
{
    if (!seenset_inline_takes(view))
        return seenset_add_hash(view->set, hash);
    int is_new = seenset_inline_table_add(view->words, view->blocks,
                                          view->blocks_per_key, hash);
    *view->added_items += (uint64_t)is_new;
    return is_new;
}

SEENSET_INLINE_APART int seenset_inline_other_add_u64(const seenset_view *view,
                                                      uint64_t integer)
{
    uint8_t bytes[8];
    if (seenset_inline_takes(view))
        return seenset_inline_other_add(view, seenset_inline_mix(integer));
    seenset_inline_bytes(bytes, integer);
    return seenset_add(view->set, bytes, sizeof bytes);
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
    if (SEENSET_INLINE_USUALLY(words != 0 && view->blocks_per_key <= 1))
        return seenset_inline_near_has(words, view->blocks,
                                       view->blocks_per_key, hash);
    return seenset_inline_other_has(view, hash);
}

/*
 * Asks for an integer: for the key of its 8 bytes, the least significant first,
 * as seenset_has_u64_many. Returns as seenset_has. Threads: asks.
 */
static inline int seenset_inline_has_u64(const seenset_view *view,
                                         uint64_t integer)
{
    uint64_t *words = SEENSET_INLINE_IS_CALL ? 0 : seenset_inline_words(view);
    if (SEENSET_INLINE_USUALLY(words != 0 && view->blocks_per_key <= 1))
        return seenset_inline_near_has(words, view->blocks,
                                       view->blocks_per_key,
                                       seenset_inline_mix(integer));
    return seenset_inline_other_has_u64(view, integer);
}

/* Adds to a table of one block a key, which takes a key more. */
static inline int seenset_inline_count_add(const seenset_view *view, uint64_t x)
{
    int is_new = seenset_inline_near_add(view->words, view->blocks,
                                         view->blocks_per_key, x);
    *view->added_items += (uint64_t)is_new;
    return is_new;
}

/*
 * Adds a hash. Returns as seenset_add_hash: 1 (new), 0 (seen), or any of its
 * errors. Threads: adds.
 */
static inline int seenset_inline_add_hash(const seenset_view *view,
                                          uint64_t hash)
{
    if (SEENSET_INLINE_USUALLY(seenset_inline_takes(view) &&
                               view->blocks_per_key <= 1))
        return seenset_inline_count_add(view, hash);
    return seenset_inline_other_add(view, hash);
}

/*
 * Adds an integer, as seenset_add_u64_many. Returns as seenset_add.
 * Threads: adds.
 */
static inline int seenset_inline_add_u64(const seenset_view *view,
                                         uint64_t integer)
{
    if (SEENSET_INLINE_USUALLY(seenset_inline_takes(view) &&
                               view->blocks_per_key <= 1))
        return seenset_inline_count_add(view, seenset_inline_mix(integer));
    return seenset_inline_other_add_u64(view, integer);
}

/* ---- a run of lookups ---- */

/*
 * Asks for many keys, one at a time, in less time each: what every lookup would
 * read of the set stays in registers.
 *
 *     seenset_inline_looker looker = seenset_inline_looker_start(view);
 *     while (...)
 *         if (seenset_inline_looker_has(&looker, hash) == 1)
 *             ...
 *
 * The same answers as seenset_inline_has_hash and _u64. A looker is as the set
 * was at its start: after a key is added, or anything else is done to the set
 * but asking, start another. It has nothing to give back.
 */
typedef struct seenset_inline_looker {
    uint64_t *words; /* NULL: asked by the view */
    uint64_t blocks;
    uint64_t blocks_per_key;
    const seenset_view *view;
} seenset_inline_looker;

/* Threads: asks. `view` must not be NULL. */
static inline seenset_inline_looker
seenset_inline_looker_start(const seenset_view *view)
{
    seenset_inline_looker looker;
    looker.words = !SEENSET_INLINE_IS_CALL && view->blocks_per_key <= 1
                       ? seenset_inline_words(view)
                       : 0;
    looker.blocks = view->blocks;
    looker.blocks_per_key = view->blocks_per_key;
    looker.view = view;
    return looker;
}

/* In the looker's table. Neither layout is the usual one, so that the compiler
 * keeps the constants of both in registers from one lookup to the next. */
static inline int
seenset_inline_looker_table(const seenset_inline_looker *looker, uint64_t x)
{
    uint64_t *words = looker->words, blocks = looker->blocks;
    return SEENSET_INLINE_EITHER(looker->blocks_per_key != 0)
               ? seenset_inline_one_has(words, blocks, x)
               : seenset_inline_split_block_has(
                     seenset_inline_split_block(words, blocks, x), x);
}

/* Asks for a hash. Returns as seenset_has_hash. Threads: asks. */
static inline int seenset_inline_looker_has(const seenset_inline_looker *looker,
                                            uint64_t hash)
{
    if (SEENSET_INLINE_USUALLY(looker->words != 0))
        return seenset_inline_looker_table(looker, hash);
    return seenset_inline_other_has(looker->view, hash);
}

/* Asks for an integer. Returns as seenset_has. Threads: asks. */
static inline int
seenset_inline_looker_has_u64(const seenset_inline_looker *looker,
                              uint64_t integer)
{
    if (SEENSET_INLINE_USUALLY(looker->words != 0))
        return seenset_inline_looker_table(looker, seenset_inline_mix(integer));
    return seenset_inline_other_has_u64(looker->view, integer);
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
    uint64_t *words;
    uint64_t blocks;
    uint64_t room;  /* for new keys, before the next needs a call */
    uint64_t start; /* what it was */
    uint64_t blocks_per_key;
    const seenset_view *view;
} seenset_inline_adder;

/* Threads: adds. `view` must not be NULL. */
static inline seenset_inline_adder
seenset_inline_adder_start(const seenset_view *view)
{
    seenset_inline_adder adder;
    adder.words = view->words;
    adder.blocks = view->blocks;
    adder.room =
        seenset_inline_takes(view) ? view->full_items - *view->added_items : 0;
    adder.start = adder.room;
    adder.blocks_per_key = view->blocks_per_key;
    adder.view = view;
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
    int answer;
    if (SEENSET_INLINE_USUALLY(adder->room != 0)) {
        answer = seenset_inline_table_add(
            adder->words, adder->blocks, (uint32_t)adder->blocks_per_key, hash);
        adder->room -= (uint64_t)answer;
        return answer;
    }
    seenset_inline_adder_end(adder);
    answer = seenset_inline_other_add(adder->view, hash);
    *adder = seenset_inline_adder_start(adder->view);
    return answer;
}

/* Adds an integer. Returns as seenset_add. Threads: adds. */
static inline int seenset_inline_adder_add_u64(seenset_inline_adder *adder,
                                               uint64_t integer)
{
    if (SEENSET_INLINE_USUALLY(adder->room != 0))
        return seenset_inline_adder_add(adder, seenset_inline_mix(integer));
    seenset_inline_adder_end(adder);
    int answer = seenset_inline_other_add_u64(adder->view, integer);
    *adder = seenset_inline_adder_start(adder->view);
    return answer;
}

#undef SEENSET_INLINE_APART
#undef SEENSET_INLINE_FETCH
#undef SEENSET_INLINE_USUALLY

#ifdef __cplusplus
}
#endif
#endif
