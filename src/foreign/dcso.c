/*
 * dcso.c - a filter of DCSO's bloom: six numbers, then the bits.
 *
 *     0  8  version    the lowest byte is 1, the others are 0
 *     8  8  n          keys that it is made for
 *    16  8  p          the rate at that number, as a double
 *    24  8  k          bits a key sets
 *    32  8  m          bits
 *    40  8  N          keys added
 *    48     the bits   in words of 64, ceil(m / 64) of them
 *           data       of the owner's, to the end of the file
 *
 * All is little-endian. There is no magic, so all that can be checked has to
 * hold before a file is taken for one.
 */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/foreign.h"

enum {
    HEADER_BYTES = 48,
    AT_N = 8,
    AT_P = 16,
    AT_K = 24,
    AT_M = 32,
    AT_ADDED = 40
};

static uint64_t field(const uint8_t *bytes, size_t at)
{
    return ss_bits_load(bytes + at, 8);
}

static double real(const uint8_t *bytes, size_t at)
{
    uint64_t bits = field(bytes, at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A version, and five numbers that can be a filter's. */
static bool begins(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < HEADER_BYTES || field(bytes, 0) != 1)
        return false;
    double p = real(bytes, AT_P);
    uint64_t n = field(bytes, AT_N), k = field(bytes, AT_K);
    uint64_t m = field(bytes, AT_M), added = field(bytes, AT_ADDED);
    return p > 0 && p < 1 && k >= 1 && k <= SEENSET_MAX_HASH_COUNT && n >= 1 &&
           n <= SEENSET_MAX_SIZE_BITS && m >= 1 && m <= SEENSET_MAX_SIZE_BITS &&
           added <= SEENSET_MAX_SIZE_BITS;
}

/* Bits after the last are zero, in a word that a writer zeroed. */
static bool is_padded(const uint8_t *bits, uint64_t m)
{
    unsigned used = (unsigned)(m % SS_WORD_BITS);
    return used == 0 ||
           ss_bits_load(bits + m / SS_WORD_BITS * 8, 8) >> used == 0;
}

static int open_dcso(seenset_foreign *file, seenset_file_report *report)
{
    const uint8_t *bytes = file->bytes;
    uint64_t m = field(bytes, AT_M), size = file->info.file_bytes;
    if (ss_bits_word_count(m) * 8 > size - HEADER_BYTES)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size,
                                "the file ends inside the bits");
    if (!is_padded(bytes + HEADER_BYTES, m))
        return ss_header_refuse(report, SEENSET_ECORRUPT,
                                HEADER_BYTES + m / SS_WORD_BITS * 8,
                                "bits are set after the last");
    int error = ss_foreign_make_room(file, 1, 0, report);
    if (error == SEENSET_OK)
        file->filters[0] =
            (seenset_foreign_filter){.column = "",
                                     .reason = "",
                                     .bits_offset = HEADER_BYTES,
                                     .size_bits = m,
                                     .hash_count = (uint32_t)field(bytes, AT_K),
                                     .capacity_items = field(bytes, AT_N),
                                     .fp_rate = real(bytes, AT_P),
                                     .added_items = field(bytes, AT_ADDED),
                                     .layout = SEENSET_LAYOUT_BLOOM,
                                     .scheme = SEENSET_SCHEME_DCSO};
    return error;
}

static void store_items(uint8_t *bytes, uint64_t items)
{
    ss_bits_store(bytes + AT_ADDED, 8, items);
}

/* As flor does, which has DCSO's formulas: k = ln 2 m / n, rounded up. What is
 * too large becomes 0. */
static void solve(seenset_plan *plan)
{
    double n = (double)plan->capacity_items;
    double m = fmax(ss_foreign_size_of(plan), 1);
    double k = ceil(log(2.0) * m / n);
    plan->size_bits = m <= (double)SEENSET_MAX_SIZE_BITS ? (uint64_t)m : 0;
    plan->hash_count = k <= SEENSET_MAX_HASH_COUNT ? (uint32_t)k : 0;
}

static bool holds(const seenset_plan *plan, seenset_scheme scheme)
{
    (void)plan;
    return scheme == SEENSET_SCHEME_DCSO;
}

static uint64_t file_bytes(const seenset_plan *plan)
{
    return HEADER_BYTES + ss_bits_word_count(plan->size_bits) * 8;
}

static void put_empty(uint8_t *bytes, const seenset_plan *plan,
                      seenset_scheme scheme)
{
    uint64_t rate;
    (void)scheme;
    memcpy(&rate, &plan->fp_rate, sizeof rate);
    ss_bits_store(bytes, 8, 1);
    ss_bits_store(bytes + AT_N, 8, plan->capacity_items);
    ss_bits_store(bytes + AT_P, 8, rate);
    ss_bits_store(bytes + AT_K, 8, plan->hash_count);
    ss_bits_store(bytes + AT_M, 8, plan->size_bits);
    ss_bits_store(bytes + AT_ADDED, 8, 0);
}

const ss_format ss_format_dcso = {.id = SEENSET_FORMAT_DCSO,
                                  .name = "dcso",
                                  .begins = begins,
                                  .open = open_dcso,
                                  .is_written = true,
                                  .solve = solve,
                                  .holds = holds,
                                  .file_bytes = file_bytes,
                                  .put_empty = put_empty,
                                  .scheme = SEENSET_SCHEME_DCSO,
                                  .store_items = store_items};
