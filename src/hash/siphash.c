/*
 * siphash.c - SipHash-2-4 as the paper's section 2 has it.
 *
 * Four words hold the state. It starts as the secret under four constants.
 * Each word of the message goes into v3, is stirred in by two rounds, and goes
 * into v0. The last word holds the bytes that are left, and the length modulo
 * 256 in its top byte. Four rounds end it.
 *
 * The variant of 128 bits differs in two constants: 0xEE at the start and at
 * the end, so that its results have nothing to do with those of 64 bits.
 */
#include "hash/siphash.h"

#include "base/bits.h"

typedef struct state {
    uint64_t v0, v1, v2, v3;
} state;

static inline uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* SipRound: figure 2.1 of the paper. */
static inline void stir(state *s)
{
    s->v0 += s->v1;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v3;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 += s->v3;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 += s->v1;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v2 = rotate(s->v2, 32);
}

static inline void take(state *s, uint64_t word)
{
    s->v3 ^= word;
    stir(s);
    stir(s);
    s->v0 ^= word;
}

/* What is different in the two variants. */
typedef struct variant {
    uint64_t at_start, at_end;
} variant;

/* The text "somepseudorandomlygeneratedbytes", eight letters a word. */
static state start(const uint8_t *secret, uint64_t at_start)
{
    uint64_t first = ss_bits_load(secret, 8);
    uint64_t second = ss_bits_load(secret + 8, 8);
    return (state){.v0 = first ^ UINT64_C(0x736F6D6570736575),
                   .v1 = second ^ UINT64_C(0x646F72616E646F6D) ^ at_start,
                   .v2 = first ^ UINT64_C(0x6C7967656E657261),
                   .v3 = second ^ UINT64_C(0x7465646279746573)};
}

static uint64_t hash(const void *bytes, size_t size_bytes,
                     const uint8_t *secret, variant of)
{
    const uint8_t *next = bytes;
    size_t left = size_bytes;
    state s = start(secret, of.at_start);
    for (; left >= 8; left -= 8, next += 8)
        take(&s, ss_bits_load(next, 8));
    take(&s, ss_bits_load(next, (unsigned)left) | (uint64_t)size_bytes << 56);
    s.v2 ^= of.at_end;
    for (int i = 0; i < 4; i++)
        stir(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

uint64_t ss_siphash_2_4_128(const void *bytes, size_t size_bytes,
                            const uint8_t secret[SS_SIPHASH_SECRET_BYTES])
{
    return hash(bytes, size_bytes, secret, (variant){0xEE, 0xEE});
}

uint64_t ss_siphash_2_4(const void *bytes, size_t size_bytes,
                        const uint8_t secret[SS_SIPHASH_SECRET_BYTES])
{
    return hash(bytes, size_bytes, secret, (variant){0, 0xFF});
}
