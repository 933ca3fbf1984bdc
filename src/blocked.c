/*
 * blocked.c - the filter of lines (Putze, Sanders & Singler 2007): one cache
 * miss a key, or two, or three.
 *
 *     table:   region 0            region 1              L regions of R lines
 *              |line|line|...|     |line|line|...|
 *     line:    | w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7 |  8 words of 64 bits
 *     key:       .1.. 1... ..1. ...1 .1.. 1... .1.. ..1.  one bit in each word
 *
 * A key takes one line of each region and sets one bit in each of its words,
 * k = 8 L bits in all. One region is enough down to a rate of about 1e-3;
 * lines fill unevenly, and the fullest ones then dominate the rate. A second
 * region multiplies two independent rates: both lines must be full at once.
 * Regions, rather than L lines anywhere, so that a key's lines are always
 * different and independent: the rate is s^L exactly (rate.c).
 *
 *     x = hash       line of region r = R r + floor(x R / 2^64)
 *     x = step(x)    word w gets bit (x >> (16 + 6 w)) mod 64
 *     x = step(x)    next region
 *
 * This is the portable twin of the line test; others may do eight words at a
 * time, and must give the same bits and answers.
 */
#include <math.h>

#include "hash.h"
#include "table.h"

enum {
    FIELD_SHIFT = 16,
    FIELD_BITS = 6
};

static uint64_t blocked_range(uint64_t size_bits, uint32_t hash_count)
{
    return size_bits / SS_LINE_BITS / (hash_count / SS_LINE_WORDS);
}

static uint64_t word_mask(uint64_t x, unsigned word)
{
    return UINT64_C(1) << (x >> (FIELD_SHIFT + FIELD_BITS * word) & 63);
}

/* Sets the key's bits in a line; true if one of them was not set. */
static bool line_add(uint64_t *line, uint64_t x)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_LINE_WORDS; w++) {
        uint64_t mask = word_mask(x, w);
        missing |= mask & ~line[w];
        line[w] |= mask;
    }
    return missing != 0;
}

static bool line_has(const uint64_t *line, uint64_t x)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_LINE_WORDS; w++)
        missing |= word_mask(x, w) & ~line[w];
    return missing == 0;
}

static bool blocked_add(ss_table *table, uint64_t hash)
{
    uint64_t region_words = table->range * SS_LINE_WORDS;
    uint64_t *region = table->words;
    uint64_t x = hash;
    bool is_new = false;
    for (uint32_t k = 0; k < table->hash_count; k += SS_LINE_WORDS) {
        uint64_t *line =
            region + ss_hash_range(x, table->range) * SS_LINE_WORDS;
        x = ss_hash_step(x);
        is_new |= line_add(line, x);
        x = ss_hash_step(x);
        region += region_words;
    }
    return is_new;
}

static bool blocked_has(const ss_table *table, uint64_t hash)
{
    uint64_t region_words = table->range * SS_LINE_WORDS;
    const uint64_t *region = table->words;
    uint64_t x = hash;
    for (uint32_t k = 0; k < table->hash_count; k += SS_LINE_WORDS) {
        const uint64_t *line =
            region + ss_hash_range(x, table->range) * SS_LINE_WORDS;
        x = ss_hash_step(x);
        if (!line_has(line, x))
            return false;
        x = ss_hash_step(x);
        region += region_words;
    }
    return true;
}

static size_t blocked_add_many(ss_table *table, const uint64_t *hashes,
                               size_t count, uint8_t *is_new)
{
    size_t news = 0;
    for (size_t i = 0; i < count; i++) {
        is_new[i] = blocked_add(table, hashes[i]);
        news += is_new[i];
    }
    return news;
}

static size_t blocked_has_many(const ss_table *table, const uint64_t *hashes,
                               size_t count, uint8_t *is_seen)
{
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        is_seen[i] = blocked_has(table, hashes[i]);
        seen += is_seen[i];
    }
    return seen;
}

/* The chance that a fresh key finds its bits set in a uniform line. */
static double region_rate(const uint64_t *words, uint64_t line_count)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < line_count; i++) {
        double full = 1.0;
        for (unsigned w = 0; w < SS_LINE_WORDS; w++)
            full *= ss_bits_count(*words++) / (double)SS_WORD_BITS;
        sum += full;
    }
    return sum / (double)line_count;
}

static double blocked_current_fp_rate(const ss_table *table)
{
    double rate = 1.0;
    const uint64_t *region = table->words;
    for (uint32_t k = 0; k < table->hash_count; k += SS_LINE_WORDS) {
        rate *= region_rate(region, table->range);
        region += table->range * SS_LINE_WORDS;
    }
    return rate;
}

const ss_layout ss_blocked = {.id = SEENSET_BLOCKED,
                              .range = blocked_range,
                              .add = blocked_add,
                              .has = blocked_has,
                              .add_many = blocked_add_many,
                              .has_many = blocked_has_many,
                              .current_fp_rate = blocked_current_fp_rate};
