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
#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/foreign.h"

enum {
    HEADER_BYTES = 6,
    WORD_BYTES = 8,
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
    uint64_t size_bits = longs_of(bytes) * WORD_BYTES * 8;
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

const ss_format ss_format_guava = {.id = SEENSET_FORMAT_GUAVA,
                                   .name = "guava",
                                   .begins = begins,
                                   .open = open_guava,
                                   .is_written = true,
                                   .has_big_words = true};
