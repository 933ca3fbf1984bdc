/*
 * bits.h - the few operations on words that the layers above share.
 *
 * A table is an array of 64-bit words. Bit i of a table is bit i % 64 of word
 * i / 64, counted from the least significant. In a file words are
 * little-endian, so byte i / 8 of the payload holds bit i at i % 8.
 */
#ifndef SS_BASE_BITS_H
#define SS_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SS_WORD_BITS = 64,
    SS_LINE_WORDS = 8, /* a line: what one cache miss brings */
    SS_LINE_BITS = SS_WORD_BITS * SS_LINE_WORDS,
    SS_LINE_BYTES = SS_LINE_BITS / 8
};

/*
 * Asks for the line that holds a word, to be read or written some dozen keys
 * later, in the second-level cache: a core has many more misses of that cache
 * under way than of the first, and lines on their way to the first are what a
 * batch would wait for (docs/lab/speed.md).
 */
#ifdef __wasm__
/* WebAssembly has no prefetch instruction. Reading a byte whose value is not
 * used fetches the line as well, and the processor goes on meanwhile, though
 * not far (table/kernel/bursts.h). */
#define SS_HAS_PREFETCH 0
#define SS_PREFETCH(word) ((void)*(const volatile char *)(word))
#else
#define SS_HAS_PREFETCH 1
#define SS_PREFETCH(word) __builtin_prefetch(word, 0, 2)
#endif

/* Words for so many bits. */
static inline uint64_t ss_bits_word_count(uint64_t bits)
{
    return bits / SS_WORD_BITS + (bits % SS_WORD_BITS != 0);
}

static inline unsigned ss_bits_count(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

/*
 * The oldest x86-64 processors lack the instruction that counts bits, so what
 * is compiled for all of them counts by other means, and five times slower. A
 * function that is marked so has the instruction; it is called where
 * ss_bits_has_counter() only.
 */
#if defined(__x86_64__)
#define SS_BITS_COUNTER __attribute__((target("popcnt")))
static inline bool ss_bits_has_counter(void)
{
    return __builtin_cpu_supports("popcnt") != 0;
}
#else
#define SS_BITS_COUNTER
static inline bool ss_bits_has_counter(void)
{
    return false;
}
#endif

/* The lowest bit of each cell of a word, whose width divides 64: is any bit of
 * that cell set? */
static inline uint64_t ss_bits_fold(uint64_t word, uint32_t cell_bits)
{
    for (uint32_t shift = cell_bits / 2; shift > 0; shift /= 2)
        word |= word >> shift;
    return word & UINT64_MAX / (UINT64_MAX >> (SS_WORD_BITS - cell_bits));
}

/* A word that another thread may be setting bits in. */
static inline uint64_t ss_bits_read(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* Sets bits in such a word and returns what it was. */
static inline uint64_t ss_bits_set(uint64_t *word, uint64_t mask)
{
    return __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
}

/*
 * Copies words. is_shared: other threads may be setting bits in them
 * meanwhile, so each is read by one atomic load, which no compiler makes
 * vectors of; the copy holds every bit that was set before.
 */
static inline void ss_bits_copy(uint64_t *to, const uint64_t *from,
                                uint64_t count, bool is_shared)
{
    if (!is_shared) {
        memcpy(to, from, (size_t)count * sizeof *to);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        to[i] = ss_bits_read(&from[i]);
}

static inline uint64_t ss_bits_count_all(const uint64_t *words, uint64_t count)
{
    uint64_t ones = 0;
    for (uint64_t i = 0; i < count; i++)
        ones += ss_bits_count(ss_bits_read(&words[i]));
    return ones;
}

static inline bool ss_bits_is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static inline uint64_t ss_bits_load(const uint8_t *bytes, unsigned size_bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size_bytes; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static inline void ss_bits_store(uint8_t *bytes, unsigned size_bytes,
                                 uint64_t value)
{
    for (unsigned i = 0; i < size_bytes; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

/* words <-> little-endian bytes; on a little-endian machine a plain copy */
static inline void ss_bits_words_to_bytes(uint8_t *bytes, const uint64_t *words,
                                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        ss_bits_store(bytes + 8 * i, 8, words[i]);
}

static inline void ss_bits_bytes_to_words(uint64_t *words, const uint8_t *bytes,
                                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = ss_bits_load(bytes + 8 * i, 8);
}

#endif
