/*
 * murmur.c - these hashes cut a key into words, least significant byte first,
 * mix each into a running state, and stir the state once more at the end.
 *
 * The last word is short and reads as if zero bytes followed the key; the
 * length is mixed in, so that trailing zero bytes still count. Words are put
 * together from bytes: the result is the same on any machine, whatever the
 * key's address.
 */
#include "hash/murmur.h"

#include "base/bits.h"

/* In one instruction each: compilers do not always make one of
 * ss_bits_load. */
static inline uint64_t read_8(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return ss_bits_is_little_endian() ? word : __builtin_bswap64(word);
}

static inline uint32_t read_4(const unsigned char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return ss_bits_is_little_endian() ? word : __builtin_bswap32(word);
}

/* The 0 to 8 bytes of a last word, without a loop: two halves that overlap, or
 * the first, the middle and the last byte. Where two are the same they agree.
 */
static inline uint64_t read_rest(const unsigned char *bytes, size_t count)
{
    if (count >= 4)
        return read_4(bytes) | (uint64_t)read_4(bytes + count - 4)
                                   << 8 * (count - 4);
    if (count == 0)
        return 0;
    size_t middle = count / 2, last = count - 1;
    return bytes[0] | (uint64_t)bytes[middle] << 8 * middle |
           (uint64_t)bytes[last] << 8 * last;
}

/* ---- MurmurHash2A ---- */

#define FACTOR_2 UINT32_C(0x5BD1E995)

static uint32_t mix_2a(uint32_t hash, uint32_t word)
{
    word *= FACTOR_2;
    word ^= word >> 24;
    word *= FACTOR_2;
    return hash * FACTOR_2 ^ word;
}

uint32_t ss_murmur_2a(const void *key, size_t key_len, uint32_t seed)
{
    enum {
        WORD = 4
    };
    const unsigned char *bytes = key;
    uint32_t hash = seed;
    size_t left = key_len;
    for (; left >= WORD; left -= WORD, bytes += WORD)
        hash = mix_2a(hash, read_4(bytes));
    hash = mix_2a(hash, (uint32_t)read_rest(bytes, left));
    hash = mix_2a(hash, (uint32_t)key_len);
    hash ^= hash >> 13;
    hash *= FACTOR_2;
    return hash ^ hash >> 15;
}

/* ---- MurmurHash64A ---- */

#define FACTOR_64A UINT64_C(0xC6A4A7935BD1E995)

static uint64_t mix_64a(uint64_t hash, uint64_t word)
{
    word *= FACTOR_64A;
    word ^= word >> 47;
    return (hash ^ word * FACTOR_64A) * FACTOR_64A;
}

uint64_t ss_murmur_64a(const void *key, size_t key_len, uint64_t seed)
{
    enum {
        WORD = 8
    };
    const unsigned char *bytes = key;
    uint64_t hash = seed ^ key_len * FACTOR_64A;
    size_t left = key_len;
    for (; left >= WORD; left -= WORD, bytes += WORD)
        hash = mix_64a(hash, read_8(bytes));
    if (left > 0)
        hash = (hash ^ read_rest(bytes, left)) * FACTOR_64A;
    hash ^= hash >> 47;
    hash *= FACTOR_64A;
    return hash ^ hash >> 47;
}

/* ---- MurmurHash3_x86_32 ---- */

static uint32_t turn(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static uint32_t scramble_32(uint32_t word)
{
    return turn(word * 0xCC9E2D51u, 15) * 0x1B873593u;
}

uint32_t ss_murmur_3_32(const void *key, size_t key_len, uint32_t seed)
{
    enum {
        WORD = 4
    };
    const unsigned char *bytes = key;
    uint32_t hash = seed;
    size_t left = key_len;
    for (; left >= WORD; left -= WORD, bytes += WORD) {
        hash ^= scramble_32(read_4(bytes));
        hash = turn(hash, 13) * 5 + 0xE6546B64u;
    }
    hash ^= scramble_32((uint32_t)read_rest(bytes, left));
    hash ^= (uint32_t)key_len;
    hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
    return hash ^ hash >> 16;
}

/* ---- MurmurHash3_x64_128 ---- */

#define FACTOR_3_FIRST UINT64_C(0x87C37B91114253D5)
#define FACTOR_3_SECOND UINT64_C(0x4CF5AD432745937F)

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static uint64_t scramble_first(uint64_t word)
{
    return rotate(word * FACTOR_3_FIRST, 31) * FACTOR_3_SECOND;
}

static uint64_t scramble_second(uint64_t word)
{
    return rotate(word * FACTOR_3_SECOND, 33) * FACTOR_3_FIRST;
}

static void mix_3(ss_murmur_pair *hash, const unsigned char *bytes)
{
    hash->first ^= scramble_first(read_8(bytes));
    hash->first = rotate(hash->first, 27) + hash->second;
    hash->first = hash->first * 5 + 0x52DCE729;
    hash->second ^= scramble_second(read_8(bytes + 8));
    hash->second = rotate(hash->second, 31) + hash->first;
    hash->second = hash->second * 5 + 0x38495AB5;
}

/* The last 0 to 15 bytes: no rotation of the state follows them. What of these
 * follows a whole word ends where a word that reaches back into that one does.
 */
static void mix_3_tail(ss_murmur_pair *hash, const unsigned char *bytes,
                       size_t count)
{
    if (count <= 8) {
        hash->first ^= scramble_first(read_rest(bytes, count));
        return;
    }
    uint64_t last = read_8(bytes + count - 8) >> 8 * (16 - count);
    hash->second ^= scramble_second(last);
    hash->first ^= scramble_first(read_8(bytes));
}

static uint64_t stir(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

static void add_across(ss_murmur_pair *hash)
{
    hash->first += hash->second;
    hash->second += hash->first;
}

ss_murmur_pair ss_murmur_3_128(const void *key, size_t key_len, uint32_t seed)
{
    enum {
        BLOCK = 16
    };
    const unsigned char *bytes = key;
    ss_murmur_pair hash = {seed, seed};
    size_t left = key_len;
    for (; left >= BLOCK; left -= BLOCK, bytes += BLOCK)
        mix_3(&hash, bytes);
    mix_3_tail(&hash, bytes, left);
    hash.first ^= key_len;
    hash.second ^= key_len;
    add_across(&hash);
    hash.first = stir(hash.first);
    hash.second = stir(hash.second);
    add_across(&hash);
    return hash;
}
