/* sample.c - from what blocks show to what a table does */
#include "table/sample.h"

#include <math.h>

#include "base/inlining.h"

static SS_ALWAYS_INLINE uint64_t count_each(const uint64_t *words,
                                            const uint64_t *end)
{
    uint64_t ones = 0;
    for (; words < end; words++)
        ones += ss_bits_count(ss_bits_read(words));
    return ones;
}

SS_BITS_COUNTER static uint64_t count_by_counter(const uint64_t *words,
                                                 const uint64_t *end)
{
    return count_each(words, end);
}

uint64_t ss_sample_count(const uint64_t *words, ss_lines lines)
{
    const uint64_t *from = words + lines.first * SS_LINE_WORDS;
    const uint64_t *end = words + lines.end * SS_LINE_WORDS;
    return ss_bits_has_counter() ? count_by_counter(from, end)
                                 : count_each(from, end);
}

/* Of the mean of `count` values, relative to it. */
static double relative_variance(double sum, double squares, double count)
{
    return sum > 0.0 ? fmax(squares * count / (sum * sum) - 1.0, 0.0) / count
                     : 0.0;
}

ss_sample ss_sample_of_regions(const ss_tally *regions, uint32_t region_count,
                               uint32_t block_bits)
{
    double rate_variance = 0.0, ones_variance = 0.0;
    ss_sample seen = {.rate = 1.0};
    for (uint32_t i = 0; i < region_count; i++) {
        const ss_tally *region = &regions[i];
        double blocks = (double)region->blocks, ones = (double)region->ones;
        seen.cells += region->blocks * block_bits;
        seen.set_cells += region->ones;
        seen.rate *= fmin(region->full / blocks, 1.0);
        rate_variance +=
            relative_variance(region->full, region->full_squares, blocks);
        ones_variance +=
            ones * ones *
            relative_variance(ones, (double)region->one_squares, blocks);
    }
    seen.rate_error = sqrt(rate_variance);
    seen.fill_error = sqrt(ones_variance) / (double)seen.cells;
    return seen;
}
