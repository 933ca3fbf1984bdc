/*
 * bip37.c - a Bloom filter of Bitcoin, as the payload of a `filterload` message
 * has it (BIP-37).
 *
 *     0  1 or 3  bytes    how many follow, a CompactSize: one byte up to 252,
 *                         then 253 and a number of 2 bytes
 *        bytes   the bits bit i is bit i mod 8 of byte i / 8
 *        4       k        bits a key sets
 *        4       tweak    the seed of the hashes
 *        1       flags    what a node adds to it when a transaction matches:
 *                         0 nothing, 1 its outputs, 2 those to public keys
 *
 * All is little-endian. There is no magic, and no number of keys: a file is
 * taken for one if it has just these bytes and a filter that a node accepts.
 */
#include <math.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/foreign.h"

enum {
    LONG_MARK = 253, /* the number has 2 bytes */
    MOST_BYTES = 36000,
    MOST_HASHES = 50,
    TAIL_BYTES = 9,
    AT_TWEAK = 4, /* in the tail, which begins with k */
    AT_FLAGS = 8,
    MOST_FLAGS = 2
};

/* Of the number of bytes, so many bytes. */
static size_t head_bytes(uint64_t filter_bytes)
{
    return filter_bytes < LONG_MARK ? 1 : 3;
}

/* The bytes of the filter; 0: they are not a number that a filter has, or not
 * in its shortest form. */
static uint64_t filter_bytes_of(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < 1 || bytes[0] < LONG_MARK)
        return size_bytes < 1 ? 0 : bytes[0];
    if (bytes[0] != LONG_MARK || size_bytes < 3)
        return 0;
    uint64_t count = ss_bits_load(bytes + 1, 2);
    return count >= LONG_MARK && count <= MOST_BYTES ? count : 0;
}

static bool begins(const uint8_t *bytes, size_t size_bytes)
{
    uint64_t count = filter_bytes_of(bytes, size_bytes);
    if (count == 0 || size_bytes != head_bytes(count) + count + TAIL_BYTES)
        return false;
    const uint8_t *tail = bytes + size_bytes - TAIL_BYTES;
    uint64_t k = ss_bits_load(tail, 4);
    return k >= 1 && k <= MOST_HASHES && tail[AT_FLAGS] <= MOST_FLAGS;
}

static int open_bip37(seenset_foreign *file, seenset_file_report *report)
{
    const uint8_t *bytes = file->bytes;
    size_t size = (size_t)file->info.file_bytes;
    const uint8_t *tail = bytes + size - TAIL_BYTES;
    uint64_t count = filter_bytes_of(bytes, size);
    int error = ss_foreign_make_room(file, 1, 0, report);
    if (error == SEENSET_OK)
        file->filters[0] = (seenset_foreign_filter){
            .column = "",
            .reason = "",
            .bits_offset = head_bytes(count),
            .size_bits = 8 * count,
            .hash_count = (uint32_t)ss_bits_load(tail, 4),
            .seed = ss_bits_load(tail + AT_TWEAK, 4),
            .layout = SEENSET_LAYOUT_BLOOM,
            .scheme = SEENSET_SCHEME_BIP37};
    return error;
}

/* As the BIP has it: the bits in whole bytes, rounded down, and k = m / n ln 2,
 * too. What is too large for a node becomes 0. */
static void solve(seenset_plan *plan)
{
    double n = (double)plan->capacity_items;
    double bytes = fmax(floor(ss_foreign_size_of(plan) / 8), 1);
    double k = fmax(floor(bytes * 8 / n * log(2.0)), 1);
    plan->size_bits = bytes <= MOST_BYTES ? (uint64_t)bytes * 8 : 0;
    plan->hash_count = k <= MOST_HASHES ? (uint32_t)k : 0;
}

static bool holds(const seenset_plan *plan, seenset_scheme scheme)
{
    return scheme == SEENSET_SCHEME_BIP37 && plan->size_bits % 8 == 0 &&
           plan->size_bits <= 8 * MOST_BYTES && plan->hash_count <= MOST_HASHES;
}

static uint64_t file_bytes(const seenset_plan *plan)
{
    uint64_t count = plan->size_bits / 8;
    return head_bytes(count) + count + TAIL_BYTES;
}

static void put_empty(uint8_t *bytes, const seenset_plan *plan,
                      seenset_scheme scheme)
{
    uint64_t count = plan->size_bits / 8;
    (void)scheme;
    bytes[0] = count < LONG_MARK ? (uint8_t)count : LONG_MARK;
    if (count >= LONG_MARK)
        ss_bits_store(bytes + 1, 2, count);
    ss_bits_store(bytes + head_bytes(count) + count, 4, plan->hash_count);
}

static void store_seed(uint8_t *bytes, size_t size_bytes, uint64_t seed)
{
    ss_bits_store(bytes + size_bytes - TAIL_BYTES + AT_TWEAK, 4, seed);
}

const ss_format ss_format_bip37 = {.id = SEENSET_FORMAT_BIP37,
                                   .name = "bip37",
                                   .begins = begins,
                                   .open = open_bip37,
                                   .is_written = true,
                                   .solve = solve,
                                   .holds = holds,
                                   .file_bytes = file_bytes,
                                   .put_empty = put_empty,
                                   .scheme = SEENSET_SCHEME_BIP37,
                                   .store_seed = store_seed};
