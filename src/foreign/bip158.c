/*
 * bip158.c - a filter of a block of Bitcoin (BIP-158), as nodes hand it out: a
 * Golomb-coded set of the scripts that the block pays to and spends from.
 *
 *     1, 3 or 5 bytes   N, how many items, a CompactSize: one byte up to 252;
 *                       253 and a number of 2; 254 and one of 4
 *     the items         their values in order, as differences; and zero bits up
 *                       to the next byte
 *
 * A value is SipHash-2-4 of the item, times N M, divided by 2^64: below N M,
 * where M = 784931. So a new item has the value of one in the set about once in
 * M times. A difference d is d / 2^19 ones, a zero, and the lower 19 bits of d,
 * the highest first; the first bit of a byte is its highest.
 *
 * The key of the hash is the beginning of the block's own hash, which the file
 * does not have: the caller says it, as the secret. A block is asked for keys
 * by a walk through all of it, so keys are looked for in groups.
 *
 * There is no magic. A file is taken for one if N values, each below N M, end
 * in its last byte, with nothing but zeros after them.
 */
#include <string.h>

#include "base/bits.h"
#include "base/sort.h"
#include "file/header/header.h"
#include "foreign/foreign.h"
#include "hash/siphash.h"
#include "hash/xxh3.h"

enum {
    LOW_BITS = 19,
    SPREAD = 784931,
    LEAST_BITS = LOW_BITS + 1, /* of a value */
    GROUP_KEYS = 512
};

/* ---- the values of a file ---- */

/* A walk through the values. */
typedef struct walk {
    const uint8_t *bytes; /* after N */
    uint64_t at, end;     /* bits */
    uint64_t left;        /* values */
    uint64_t limit;       /* N M, above all of them */
    uint64_t value;       /* the last one */
} walk;

/* N at the beginning, in its shortest form. Returns its bytes; 0: it is none */
static size_t read_count(const uint8_t *bytes, size_t size_bytes,
                         uint64_t *count)
{
    size_t more = size_bytes < 1    ? 0
                  : bytes[0] == 253 ? 2
                  : bytes[0] == 254 ? 4
                                    : 0;
    if (size_bytes < 1 + more || bytes[0] == 255)
        return 0;
    *count = more == 0 ? bytes[0] : ss_bits_load(bytes + 1, (unsigned)more);
    uint64_t least = more == 0 ? 0 : more == 2 ? 253 : 65536;
    return *count >= least ? 1 + more : 0;
}

/* False: the bytes cannot hold N values, or hold too much for them. The ones of
 * all differences are at most N M / 2^19. */
static bool start(walk *out, const uint8_t *bytes, size_t size_bytes)
{
    uint64_t count = 0;
    size_t head = read_count(bytes, size_bytes, &count);
    if (head == 0)
        return false;
    *out = (walk){.bytes = bytes + head,
                  .end = (uint64_t)(size_bytes - head) * 8,
                  .left = count,
                  .limit = count * SPREAD};
    uint64_t least = count * LEAST_BITS;
    return out->end >= least &&
           out->end - least <= (out->limit >> LOW_BITS) + 7;
}

/* The bits from a place on, the first one highest, at least 57 of them; zeros
 * after the end. */
static uint64_t bits_at(const walk *in)
{
    const uint8_t *first = in->bytes + in->at / 8;
    uint64_t left = (in->end - in->at + in->at % 8) / 8, word = 0;
    unsigned count = left < 8 ? (unsigned)left : 8;
    for (unsigned i = 0; i < count; i++)
        word |= (uint64_t)first[i] << (56 - 8 * i);
    return word << in->at % 8;
}

/* The ones up to a zero, which is passed over. A run without an end is longer
 * than any value's. */
static bool read_ones(walk *in, uint64_t *count)
{
    enum {
        SURE_BITS = 57
    };
    for (*count = 0; *count <= in->limit >> LOW_BITS;) {
        uint64_t zeros = ~bits_at(in);
        unsigned ones = zeros == 0 ? 64 : (unsigned)__builtin_clzll(zeros);
        bool is_end = ones < SURE_BITS;
        ones = is_end ? ones : SURE_BITS - 1;
        if (in->end - in->at <= ones)
            return false;
        *count += ones;
        in->at += ones + is_end;
        if (is_end)
            return true;
    }
    return false;
}

/* The next value. False: there is none, or it is not one; then left is not 0.
 */
static bool next(walk *in)
{
    uint64_t ones;
    if (in->left == 0 || !read_ones(in, &ones) || in->end - in->at < LOW_BITS)
        return false;
    uint64_t low = bits_at(in) >> (64 - LOW_BITS);
    uint64_t step = (ones << LOW_BITS) + low;
    in->at += LOW_BITS;
    if (step >= in->limit - in->value)
        return false;
    in->value += step;
    in->left--;
    return true;
}

static bool begins(const uint8_t *bytes, size_t size_bytes)
{
    walk in;
    if (!start(&in, bytes, size_bytes))
        return false;
    while (next(&in)) {
    }
    return in.left == 0 && in.end - in.at < 8 &&
           (in.end == in.at || bits_at(&in) == 0);
}

static int open_bip158(seenset_foreign *file, seenset_file_report *report)
{
    uint64_t count = 0;
    size_t size = (size_t)file->info.file_bytes;
    size_t head = read_count(file->bytes, size, &count);
    int error = ss_foreign_make_room(file, 1, 0, report);
    if (error == SEENSET_OK)
        file->filters[0] =
            (seenset_foreign_filter){.column = "",
                                     .reason = "",
                                     .bits_offset = head,
                                     .size_bits = 8 * (uint64_t)(size - head),
                                     .hash_count = 1,
                                     .capacity_items = count,
                                     .fp_rate = 1.0 / SPREAD,
                                     .added_items = count};
    return error;
}

/* ---- keys ---- */

/* A group of keys: their values in their own order, and sorted; and which of
 * the sorted ones are in the set. */
typedef struct group {
    uint64_t values[GROUP_KEYS], sorted[GROUP_KEYS];
    uint8_t is_there[GROUP_KEYS];
    size_t count;
} group;

static void take_keys(group *out, const seenset_foreign *file, uint64_t limit,
                      const seenset_key *keys, size_t count)
{
    out->count = count;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = ss_siphash_2_4(keys[i].data, keys[i].len, file->secret);
        out->values[i] = ss_hash_range(hash, limit);
    }
    memcpy(out->sorted, out->values, count * sizeof *out->values);
    memset(out->is_there, 0, count);
    ss_sort_numbers(out->sorted, count);
}

/* Both are in order, so one walk is enough. */
static void find_keys(group *of, walk *in)
{
    for (size_t i = 0; i < of->count && next(in);) {
        while (i < of->count && of->sorted[i] < in->value)
            i++;
        for (; i < of->count && of->sorted[i] == in->value; i++)
            of->is_there[i] = 1;
    }
}

/* The first place in order that is not below a value, which is there. */
static size_t place_of(const group *of, uint64_t value)
{
    size_t first = 0, end = of->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (of->sorted[middle] < value)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static int has_keys(const seenset_foreign *file, const seenset_key *keys,
                    size_t count, uint8_t *is_seen)
{
    group of;
    walk in;
    if (!file->has_secret)
        return SEENSET_ESECRET;
    for (size_t done = 0; done < count; done += of.count) {
        size_t left = count - done;
        (void)start(&in, file->bytes, (size_t)file->info.file_bytes);
        take_keys(&of, file, in.limit, keys + done,
                  left < GROUP_KEYS ? left : GROUP_KEYS);
        find_keys(&of, &in);
        for (size_t i = 0; i < of.count; i++)
            is_seen[done + i] = of.is_there[place_of(&of, of.values[i])];
    }
    return SEENSET_OK;
}

const ss_format ss_format_bip158 = {.id = SEENSET_FORMAT_BIP158,
                                    .name = "bip158",
                                    .begins = begins,
                                    .open = open_bip158,
                                    .has_keys = has_keys,
                                    .is_keyed = true};
