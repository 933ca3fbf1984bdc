/*
 * guava.c - a filter of Guava's BloomFilter, as its writeTo writes it.
 *
 *     0  1  strategy   0: MURMUR128_MITZ_32, 1: MURMUR128_MITZ_64
 *     1  1  k          bits a key sets
 *     2  4  longs      how many words of 64 bits follow
 *     6     the bits   bit i is bit i mod 64 of word i / 64
 *
 * All is big-endian. There is no magic, and no number of keys: a file is taken
 * for one if its words are what the rest of it has.
 *
 * MURMUR128_MITZ_32 has no place from 2^31 on, and below that the size does not
 * change one. So a longer table is one of 2^31 bits, and its rest is data.
 */
#include <math.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/foreign.h"

enum {
    HEADER_BYTES = 6,
    WORD_BYTES = 8,
    LONG_BITS = 64,
    MITZ_32 = 0,
    MITZ_64 = 1
};

static uint64_t longs_of(const uint8_t *bytes)
{
    return (uint64_t)bytes[2] << 24 | (uint64_t)bytes[3] << 16 |
           (uint64_t)bytes[4] << 8 | bytes[5];
}

static bool begins(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < HEADER_BYTES + WORD_BYTES || bytes[0] > MITZ_64 ||
        bytes[1] == 0)
        return false;
    uint64_t longs = longs_of(bytes);
    return longs <= INT32_MAX &&
           size_bytes == HEADER_BYTES + longs * WORD_BYTES;
}

static int open_guava(seenset_foreign *file, seenset_file_report *report)
{
    const uint8_t *bytes = file->bytes;
    bool is_32 = bytes[0] == MITZ_32;
    uint64_t size_bits = longs_of(bytes) * LONG_BITS;
    uint64_t most = is_32 ? UINT64_C(1) << 31 : size_bits;
    int error = ss_foreign_make_room(file, 1, 0, report);
    if (error == SEENSET_OK)
        file->filters[0] = (seenset_foreign_filter){
            .column = "",
            .reason = "",
            .bits_offset = HEADER_BYTES,
            .size_bits = size_bits < most ? size_bits : most,
            .hash_count = bytes[1],
            .layout = SEENSET_LAYOUT_BLOOM,
            .scheme = is_32 ? SEENSET_SCHEME_GUAVA_MITZ_32
                            : SEENSET_SCHEME_GUAVA_MITZ_64};
    return error;
}

/* As Guava 31 does: k = m / n ln 2, to the nearest; and then m becomes whole
 * longs. What is too large becomes 0. */
static void solve(seenset_plan *plan)
{
    double n = (double)plan->capacity_items;
    double m = ss_foreign_size_of(plan);
    double k = floor(m / n * log(2.0) + 0.5);
    bool is_size = m <= (double)SEENSET_MAX_SIZE_BITS;
    uint64_t bits = is_size ? (uint64_t)fmax(m, 1) : 0;
    plan->size_bits = (bits + LONG_BITS - 1) / LONG_BITS * LONG_BITS;
    plan->hash_count = k <= SEENSET_MAX_HASH_COUNT ? (uint32_t)fmax(k, 1) : 0;
}

static bool holds(const seenset_plan *plan, seenset_scheme scheme)
{
    uint64_t m = plan->size_bits;
    bool is_32 = scheme == SEENSET_SCHEME_GUAVA_MITZ_32;
    return (is_32 || scheme == SEENSET_SCHEME_GUAVA_MITZ_64) &&
           m % LONG_BITS == 0 && m / LONG_BITS <= INT32_MAX &&
           (!is_32 || m <= UINT64_C(1) << 31);
}

static uint64_t file_bytes(const seenset_plan *plan)
{
    return HEADER_BYTES + ss_bits_word_count(plan->size_bits) * 8;
}

static void put_empty(uint8_t *bytes, const seenset_plan *plan,
                      seenset_scheme scheme)
{
    uint64_t longs = plan->size_bits / LONG_BITS;
    bytes[0] = scheme == SEENSET_SCHEME_GUAVA_MITZ_32 ? MITZ_32 : MITZ_64;
    bytes[1] = (uint8_t)plan->hash_count;
    for (unsigned i = 0; i < 4; i++)
        bytes[2 + i] = (uint8_t)(longs >> (24 - 8 * i));
}

const ss_format ss_format_guava = {.id = SEENSET_FORMAT_GUAVA,
                                   .name = "guava",
                                   .begins = begins,
                                   .open = open_guava,
                                   .is_written = true,
                                   .solve = solve,
                                   .holds = holds,
                                   .file_bytes = file_bytes,
                                   .put_empty = put_empty,
                                   .scheme = SEENSET_SCHEME_GUAVA_MITZ_64,
                                   .has_big_words = true};
