/*
 * city.c - CityHash64, version 1.0.2.
 *
 * Four ways by the length of the key. Up to 16 bytes, from 17 to 32 and from 33
 * to 64, words from both ends of the key, which may overlap, are mixed once.
 * Longer keys go through a state of seven words, 64 bytes at a time. The state
 * starts from the last 64 bytes, so the rest of the key, which does not fill a
 * step, is in it from the beginning.
 *
 * The constants are large odd numbers without a meaning, those of the paper's
 * code. Words are read as little-endian.
 */
#include "hash/city.h"

#include "hash/xxh3.h" /* XXH_readLE64 */

#define K0 UINT64_C(0xC3A5C85C97CB3127)
#define K1 UINT64_C(0xB492B66FBE98F273)
#define K2 UINT64_C(0x9AE16A3B2F90404F)
#define K3 UINT64_C(0xC949D7C7509E6557)
#define MIX UINT64_C(0x9DDFEA08EB382D69)

enum {
    STEP_BYTES = 64
};

typedef struct pair {
    uint64_t a, b;
} pair;

static uint64_t word_at(const uint8_t *bytes)
{
    return XXH_readLE64(bytes);
}

/* To the right, by 1 to 63 bits. */
static uint64_t turn(uint64_t x, unsigned bits)
{
    return x >> bits | x << (64 - bits);
}

static uint64_t fold(uint64_t x)
{
    return x ^ x >> 47;
}

uint64_t ss_city_mix(uint64_t low, uint64_t high)
{
    uint64_t once = fold((low ^ high) * MIX);
    return fold((high ^ once) * MIX) * MIX;
}

uint64_t ss_city_seeded(uint64_t hash, uint64_t seed)
{
    return ss_city_mix(hash - K2, seed);
}

static uint64_t of_3(const uint8_t *key, size_t len)
{
    uint32_t y = key[0] + ((uint32_t)key[len / 2] << 8);
    uint32_t z = (uint32_t)len + ((uint32_t)key[len - 1] << 2);
    return fold(y * K2 ^ z * K3) * K2;
}

static uint64_t of_16(const uint8_t *key, size_t len)
{
    if (len > 8) {
        uint64_t last = word_at(key + len - 8);
        return ss_city_mix(word_at(key), turn(last + len, (unsigned)len)) ^
               last;
    }
    if (len >= 4)
        return ss_city_mix(len + ((uint64_t)XXH_readLE32(key) << 3),
                           XXH_readLE32(key + len - 4));
    return len > 0 ? of_3(key, len) : K2;
}

static uint64_t of_32(const uint8_t *key, size_t len)
{
    uint64_t first = word_at(key) * K1, second = word_at(key + 8);
    uint64_t last = word_at(key + len - 8) * K2;
    uint64_t before = word_at(key + len - 16) * K0;
    return ss_city_mix(turn(first - second, 43) + turn(last, 30) + before,
                       first + turn(second ^ K3, 20) - last + len);
}

/* Four words in a row, begun with `start` in place of the first and mixed with
 * `other`: their sum, and a sum of turns. */
static pair sum_of_32(const uint8_t *words, uint64_t start, uint64_t other)
{
    uint64_t inner = start + word_at(words + 8);
    uint64_t turned = turn(start + other, 52) + turn(start, 37);
    turned += turn(inner, 7);
    inner += word_at(words + 16);
    return (pair){inner + other, turned + turn(inner, 31)};
}

static uint64_t of_64(const uint8_t *key, size_t len)
{
    uint64_t before = word_at(key + len - 16);
    const uint8_t *tail = key + len - 32;
    pair front =
        sum_of_32(key, word_at(key) + (len + before) * K0, word_at(key + 24));
    pair back = sum_of_32(tail, word_at(key + 16) + word_at(tail),
                          word_at(key + len - 8));
    uint64_t both = fold((front.a + back.b) * K2 + (back.a + front.b) * K0);
    return fold(both * K0 + front.b) * K2;
}

/* 32 bytes taken into two words of the state. */
static pair take_32(const uint8_t *words, uint64_t a, uint64_t b)
{
    uint64_t start = a + word_at(words), last = word_at(words + 24);
    uint64_t inner = start + word_at(words + 8) + word_at(words + 16);
    b = turn(b + start + last, 21) + turn(inner, 44);
    return (pair){inner + last, b + start};
}

typedef struct state {
    uint64_t x, y, z;
    pair v, w;
} state;

static state start(const uint8_t *key, size_t len)
{
    const uint8_t *end = key + len;
    state s = {.x = word_at(key),
               .y = word_at(end - 16) ^ K1,
               .z = word_at(end - 56) ^ K0};
    s.v = take_32(end - 64, len, s.y);
    s.w = take_32(end - 32, len * K1, K0);
    s.z += fold(s.v.b) * K1;
    s.x = turn(s.z + s.x, 39) * K1;
    s.y = turn(s.y, 33) * K1;
    return s;
}

static void step(state *s, const uint8_t *bytes)
{
    uint64_t x = turn(s->x + s->y + s->v.a + word_at(bytes + 16), 37) * K1;
    uint64_t y = turn(s->y + s->v.b + word_at(bytes + 48), 42) * K1;
    x ^= s->w.b;
    y ^= s->v.a;
    uint64_t z = turn(s->z ^ s->w.a, 33);
    s->v = take_32(bytes, s->v.b * K1, x + s->w.a);
    s->w = take_32(bytes + 32, z + s->w.b, y);
    s->x = z; /* the two change places */
    s->y = y;
    s->z = x;
}

uint64_t ss_city_64(const void *key, size_t key_len)
{
    const uint8_t *bytes = key;
    if (key_len <= 16)
        return of_16(bytes, key_len);
    if (key_len <= 32)
        return of_32(bytes, key_len);
    if (key_len <= STEP_BYTES)
        return of_64(bytes, key_len);
    state s = start(bytes, key_len);
    size_t steps = (key_len - 1) / STEP_BYTES;
    for (size_t i = 0; i < steps; i++)
        step(&s, bytes + i * STEP_BYTES);
    return ss_city_mix(ss_city_mix(s.v.a, s.w.a) + fold(s.y) * K1 + s.z,
                       ss_city_mix(s.v.b, s.w.b) + s.x);
}
