/*
 * sample.h - what the cells of a table show: all of them, or some.
 *
 *     table:   |###       |###       |###       |    ...    |###       |
 *              chunk 0     chunk 1                           chunk 23
 *
 * An audit reads every line. An estimate reads at most so many, in chunks that
 * are spread evenly over the table: keys are spread by a hash, so that some of
 * the lines are like all. A blocked table has one, two or three regions, and 24
 * is a multiple of each: no chunk is in two of them, and each has as many.
 */
#ifndef SS_TABLE_SAMPLE_H
#define SS_TABLE_SAMPLE_H

#include <stdint.h>

#include "base/bits.h"

enum {
    SS_CHUNKS = 24
};

/* Which lines are looked at: in each chunk, the first most_lines. */
typedef struct ss_part {
    uint64_t line_count; /* of the table */
    uint64_t most_lines;
} ss_part;

/* Lines first, ..., end - 1. */
typedef struct ss_lines {
    uint64_t first;
    uint64_t end;
} ss_lines;

static inline uint64_t ss_part_chunk_start(const ss_part *part, uint32_t chunk)
{
    return part->line_count * chunk / SS_CHUNKS; /* of at most 2^48 lines */
}

static inline ss_lines ss_part_lines(const ss_part *part, uint32_t chunk)
{
    uint64_t first = ss_part_chunk_start(part, chunk);
    uint64_t all = ss_part_chunk_start(part, chunk + 1) - first;
    return (ss_lines){
        first, first + (all < part->most_lines ? all : part->most_lines)};
}

/* What was seen. */
typedef struct ss_sample {
    uint64_t cells;     /* that were looked at */
    uint64_t set_cells; /* of those, not 0 */
    /* The chance that a fresh uniform hash is answered "seen" by a table of
     * such cells; of all cells, the true rate. */
    double rate;
    /* What chance adds if it was a part: standard deviations, of set_cells
     * over cells, and of the rate, as a part of it. */
    double fill_error;
    double rate_error;
} ss_sample;

/* What blocks show, each of which a key chooses by chance. */
typedef struct ss_tally {
    uint64_t blocks;
    uint64_t ones;
    uint64_t one_squares; /* the squares of the blocks' ones */
    double full;          /* in each, the chance that a fresh key has its bits
                             there */
    double full_squares;
} ss_tally;

static inline void ss_tally_add(ss_tally *tally, double full, uint64_t ones)
{
    tally->blocks++;
    tally->ones += ones;
    tally->one_squares += ones * ones;
    tally->full += full;
    tally->full_squares += full * full;
}

/* The bits that are set in some lines. */
uint64_t ss_sample_count(const uint64_t *words, ss_lines lines);

/*
 * What a table shows whose keys have a block in each of some regions: its rate
 * is the product of theirs, and variances of independent parts add up.
 */
ss_sample ss_sample_of_regions(const ss_tally *regions, uint32_t region_count,
                               uint32_t block_bits);

#endif
