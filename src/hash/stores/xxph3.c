/*
 * xxph3.c - see xxph3.h.
 *
 * All mixing is with bytes of one secret. A product is folded: the upper half
 * of its 128 bits XOR the lower. `finish` makes a hash of a sum.
 *
 *     0        the first 8 bytes of the secret, times PRIME_2, folded
 *     1 .. 3   first, middle and last byte and the length, in one word
 *     4 .. 8   the first and last 4 bytes, in one word
 *     9 .. 16  the first and last 8 bytes, their sum and their product
 *     to 128   pairs of 16 bytes, from both ends to the middle
 *     to 240   all pieces of 16 bytes: eight, finish, the others, and the last
 *     longer   stripes of 64 bytes into eight sums, each of 8 bytes of them; 16
 *              stripes are a block, after which the sums are scrambled
 *
 * The source: RocksDB's util/xxph3.h and xxHash 0.7.2 (Yann Collet), read for
 * what they compute.
 */
#include "hash/stores/xxph3.h"

#include "hash/xxh3.h"

#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)
#define SMALL_1 UINT64_C(0x9E3779B1)
#define SMALL_2 UINT64_C(0x85EBCA77)
#define SMALL_3 UINT64_C(0xC2B2AE3D)

enum {
    SECRET_BYTES = 192,
    PIECE_BYTES = 16,
    STRIPE_BYTES = 64,
    BLOCK_STRIPES = 16, /* each takes the secret from 8 bytes further on */
    LAST_STRIPE = SECRET_BYTES - STRIPE_BYTES - 7,
    SCRAMBLE = SECRET_BYTES - STRIPE_BYTES,
    MERGE = 11,
    AFTER_EIGHT = 3,
    LAST_PIECE = 136 - 17
};

static const uint8_t secret[SECRET_BYTES] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c,
    0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb,
    0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
    0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6,
    0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97,
    0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
    0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31,
    0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83,
    0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26,
    0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc,
    0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
    0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

static uint64_t secret_at(size_t at)
{
    return XXH_readLE64(secret + at);
}

static uint64_t fold(uint64_t a, uint64_t b)
{
    XXH128_hash_t product = XXH_mult64to128(a, b);
    return product.low64 ^ product.high64;
}

static uint64_t finish(uint64_t sum)
{
    sum ^= sum >> 37;
    sum *= PRIME_3;
    return sum ^ sum >> 32;
}

static uint64_t of_short(const uint8_t *key, size_t len)
{
    if (len == 0)
        return fold(secret_at(0), PRIME_2);
    if (len < 4) {
        uint32_t word = key[0] | (uint32_t)key[len / 2] << 8 |
                        (uint32_t)key[len - 1] << 16 | (uint32_t)len << 24;
        return finish((word ^ (secret_at(0) & UINT32_MAX)) * PRIME_1);
    }
    if (len <= 8) {
        uint64_t word =
            XXH_readLE32(key) | (uint64_t)XXH_readLE32(key + len - 4) << 32;
        word ^= secret_at(0);
        word = len + (word ^ word >> 51) * SMALL_1;
        return finish((word ^ word >> 47) * PRIME_2);
    }
    uint64_t low = XXH_readLE64(key) ^ secret_at(0);
    uint64_t high = XXH_readLE64(key + len - 8) ^ secret_at(8);
    return finish(len + low + high + fold(low, high));
}

static uint64_t of_piece(const uint8_t *piece, size_t at)
{
    return fold(XXH_readLE64(piece) ^ secret_at(at),
                XXH_readLE64(piece + 8) ^ secret_at(at + 8));
}

/* 17 to 128 bytes: as many pairs as begin in the first half. */
static uint64_t of_pairs(const uint8_t *key, size_t len)
{
    uint64_t sum = len * PRIME_1;
    for (size_t i = 0; 2 * PIECE_BYTES * i < len; i++) {
        sum += of_piece(key + PIECE_BYTES * i, 2 * PIECE_BYTES * i);
        sum += of_piece(key + len - PIECE_BYTES * (i + 1),
                        2 * PIECE_BYTES * i + PIECE_BYTES);
    }
    return finish(sum);
}

/* 129 to 240 bytes. */
static uint64_t of_pieces(const uint8_t *key, size_t len)
{
    uint64_t sum = len * PRIME_1;
    for (size_t i = 0; i < 8; i++)
        sum += of_piece(key + PIECE_BYTES * i, PIECE_BYTES * i);
    sum = finish(sum);
    for (size_t i = 8; i < len / PIECE_BYTES; i++)
        sum += of_piece(key + PIECE_BYTES * i,
                        PIECE_BYTES * (i - 8) + AFTER_EIGHT);
    return finish(sum + of_piece(key + len - PIECE_BYTES, LAST_PIECE));
}

static void add_stripe(uint64_t sums[8], const uint8_t *stripe, size_t at)
{
    for (size_t i = 0; i < 8; i++) {
        uint64_t word = XXH_readLE64(stripe + 8 * i);
        uint64_t keyed = word ^ secret_at(at + 8 * i);
        sums[i] += word + (keyed & UINT32_MAX) * (keyed >> 32);
    }
}

static void scramble(uint64_t sums[8])
{
    for (size_t i = 0; i < 8; i++)
        sums[i] =
            (sums[i] ^ sums[i] >> 47 ^ secret_at(SCRAMBLE + 8 * i)) * SMALL_1;
}

static uint64_t of_stripes(const uint8_t *key, size_t len)
{
    uint64_t sums[8] = {SMALL_3, PRIME_1, PRIME_2, PRIME_3,
                        PRIME_4, SMALL_2, PRIME_5, SMALL_1};
    for (size_t i = 0; i < len / STRIPE_BYTES; i++) {
        add_stripe(sums, key + STRIPE_BYTES * i, 8 * (i % BLOCK_STRIPES));
        if (i % BLOCK_STRIPES == BLOCK_STRIPES - 1)
            scramble(sums);
    }
    if (len % STRIPE_BYTES != 0)
        add_stripe(sums, key + len - STRIPE_BYTES, LAST_STRIPE);
    uint64_t sum = len * PRIME_1;
    for (size_t i = 0; i < 8; i += 2)
        sum += fold(sums[i] ^ secret_at(MERGE + 8 * i),
                    sums[i + 1] ^ secret_at(MERGE + 8 * i + 8));
    return finish(sum);
}

uint64_t ss_xxph3(const void *key, size_t key_len)
{
    if (key_len <= 16)
        return of_short(key, key_len);
    if (key_len <= 128)
        return of_pairs(key, key_len);
    if (key_len <= 240)
        return of_pieces(key, key_len);
    return of_stripes(key, key_len);
}
