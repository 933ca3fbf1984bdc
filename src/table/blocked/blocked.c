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
 * Here is what does not depend on how a line is tested: shape, rate, and the
 * choice of the kernel (blocked.h) that does it.
 */
#include "table/blocked/blocked.h"

#include <string.h>

#include "base/kernels.h"

uint64_t ss_blocked_range(uint64_t size_bits, uint32_t hash_count)
{
    return size_bits / SS_LINE_BITS / (hash_count / SS_LINE_WORDS);
}

uint32_t ss_blocked_list_bits(const ss_table *table, uint64_t hash,
                              uint64_t bits[SEENSET_MAX_HASH_COUNT])
{
    uint32_t lines = ss_blocked_line_count(table);
    uint64_t x = hash;
    for (uint32_t region = 0; region < lines; region++) {
        uint64_t line = region * table->range + ss_hash_range(x, table->range);
        bits[region] = line * SS_LINE_BITS;
        x = ss_hash_step(ss_hash_step(x));
    }
    return lines;
}

/* A fresh key has its bits in a line with the product of the words' fills. */
static SS_ALWAYS_INLINE void tally_each(ss_tally *tally, const uint64_t *words,
                                        uint64_t line_count)
{
    for (uint64_t i = 0; i < line_count; i++) {
        uint64_t full = 1, ones = 0;
        for (unsigned w = 0; w < SS_LINE_WORDS; w++) {
            unsigned count = ss_bits_count(ss_bits_read(words++));
            full *= count;
            ones += count;
        }
        ss_tally_add(tally, (double)full * 0x1p-48, ones);
    }
}

SS_BITS_COUNTER static void
tally_by_counter(ss_tally *tally, const uint64_t *words, uint64_t line_count)
{
    tally_each(tally, words, line_count);
}

static void tally_lines(ss_tally *tally, const uint64_t *words,
                        uint64_t line_count)
{
    if (ss_bits_has_counter())
        tally_by_counter(tally, words, line_count);
    else
        tally_each(tally, words, line_count);
}

ss_sample ss_blocked_sample(const ss_table *table, const ss_part *part)
{
    ss_tally regions[SEENSET_MAX_LINE_COUNT] = {0};
    uint32_t region_count = ss_blocked_line_count(table);
    for (uint32_t chunk = 0; chunk < SS_CHUNKS; chunk++) {
        ss_lines lines = ss_part_lines(part, chunk);
        tally_lines(&regions[chunk * region_count / SS_CHUNKS],
                    table->words + lines.first * SS_LINE_WORDS,
                    lines.end - lines.first);
    }
    return ss_sample_of_regions(regions, region_count, SS_LINE_BITS);
}

/* Eight bits are one thing. */
double ss_blocked_events(const ss_table *table, ss_lines lines, double *places)
{
    *places = (double)(lines.end - lines.first);
    return (double)ss_sample_count(table->words, lines) / SS_LINE_WORDS;
}

static uint64_t blocked_unit_bits(uint32_t hash_count)
{
    return (uint64_t)hash_count * SS_WORD_BITS; /* a line in each region */
}

const ss_layout_traits ss_blocked_traits = {
    .id = SEENSET_LAYOUT_BLOCKED,
    .name = "blocked",
    .first_file_version = 1,
    .can_grow = true,
    .can_merge = true,
    .can_compare = true,
    .min_hash_count = SS_LINE_WORDS,
    .max_hash_count = SEENSET_MAX_LINE_COUNT * SS_LINE_WORDS,
    .hash_count_step = SS_LINE_WORDS,
    .unit_bits = blocked_unit_bits,
    .max_size_bits = SEENSET_MAX_SIZE_BITS};

/* The kernels this processor can run, the fastest first. */
static const ss_layout *runnable_kernel(size_t index)
{
    const ss_layout *kernels[4] = {0};
    size_t count = 0;
#if SS_HAS_X86_KERNELS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        kernels[count++] = &ss_blocked_avx512;
    if (__builtin_cpu_supports("avx2"))
        kernels[count++] = &ss_blocked_avx2;
#elif defined(__aarch64__)
    kernels[count++] = &ss_blocked_neon;
#elif defined(__wasm_simd128__)
    kernels[count++] = &ss_blocked_wasm;
#endif
    kernels[count++] = &ss_blocked_portable;
    return index < count ? kernels[index] : NULL;
}

const ss_layout *ss_blocked_best(void)
{
    return runnable_kernel(0);
}

const ss_layout *ss_blocked_kernel(const char *name)
{
    const ss_layout *kernel;
    for (size_t i = 0; (kernel = runnable_kernel(i)) != NULL; i++) {
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return NULL;
}
