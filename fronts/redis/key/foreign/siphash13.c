/* siphash13.c - see siphash13.h */
#include "key/foreign/siphash13.h"

typedef struct state {
    uint64_t v0, v1, v2, v3;
} state;

static uint64_t rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

/* Up to eight bytes as a little-endian number. */
static uint64_t read_word(const uint8_t *bytes, size_t len)
{
    uint64_t word = 0;
    for (size_t i = 0; i < len; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

/* SipRound, figure 2.1 of the paper. */
static void mix(state *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 = rotate(s->v2, 32);
}

static void take(state *s, uint64_t word)
{
    s->v3 ^= word;
    mix(s);
    s->v0 ^= word;
}

uint64_t sr_siphash13(const uint8_t *bytes, size_t len,
                      const uint8_t key[SR_SIPHASH13_KEY_BYTES])
{
    uint64_t k0 = read_word(key, 8), k1 = read_word(key + 8, 8);
    state s = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
               k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
    take(&s, len);
    size_t whole = len - len % 8;
    for (size_t at = 0; at < whole; at += 8)
        take(&s, read_word(bytes + at, 8));
    uint64_t hashed_bytes = (uint64_t)len + 8;
    take(&s, read_word(bytes + whole, len % 8) | hashed_bytes << 56);
    s.v2 ^= 0xff;
    for (int round = 0; round < 3; round++)
        mix(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
