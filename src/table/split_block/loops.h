/*
 * loops.h - from a test of one block to the split-block layout's row of
 * functions.
 *
 * Included once by each kernel, after its line_add and line_has, with TWIN_ROW
 * and TWIN_NAME defined, TWIN_IS_SHARED where it is so, and TWIN_ASKS_ANYWHERE
 * where line_has takes a block at any address. A key has one line, which is a
 * block; the functions are those of table/kernel, and one for blocks in a file.
 */
#include "table/kernel/field.h"

enum {
    MAX_LINES = 1
};

static inline uint32_t line_count_of(const ss_table *table)
{
    (void)table;
    return 1;
}

static inline bool has_one_line(const ss_table *table)
{
    (void)table;
    return true;
}

static SS_ALWAYS_INLINE uint64_t *line_of(field f, uint32_t region, uint64_t x)
{
    (void)region;
    return f.words + ss_split_block_of(x, f.range) * SS_SPLIT_BLOCK_WORDS;
}

static SS_ALWAYS_INLINE uint64_t bits_of(uint64_t x)
{
    return x;
}

static SS_ALWAYS_INLINE uint64_t next_of(uint64_t x)
{
    return x;
}

#include "table/kernel/loops.h"

/* A block as a file has it, at any address. */
static SS_ALWAYS_INLINE bool has_in_file(const uint8_t *block, uint64_t hash)
{
#ifdef TWIN_ASKS_ANYWHERE
    return line_has(block, hash);
#else
    uint64_t words[SS_SPLIT_BLOCK_WORDS];
    for (unsigned w = 0; w < SS_SPLIT_BLOCK_WORDS; w++)
        words[w] = ss_bits_load(block + 8 * w, 8);
    return line_has(words, hash);
#endif
}

static void kernel_has_bytes(const uint8_t *bytes, uint64_t range,
                             const uint64_t *hashes, size_t count,
                             uint8_t *is_seen)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t at =
            ss_split_block_of(hashes[i], range) * SS_SPLIT_BLOCK_BYTES;
        is_seen[i] = has_in_file(bytes + at, hashes[i]);
    }
}

const ss_layout TWIN_ROW = {.traits = &ss_split_block_traits,
                            .name = TWIN_NAME,
                            .is_shared = TWIN_IS_SHARED,
                            .is_inlined = !TWIN_IS_SHARED,
                            .range = ss_split_block_range,
                            .range_step_bits = SS_SPLIT_BLOCK_BITS,
                            .range_ignores = SS_SPLIT_BLOCK_BIT_HALF,
                            .list_bits = ss_split_block_list_bits,
                            .add = kernel_add,
                            .has = kernel_has,
                            .add_key = kernel_add_key,
                            .has_key = kernel_has_key,
                            .add_many = kernel_add_many,
                            .has_many = kernel_has_many,
                            .has_bytes = kernel_has_bytes,
                            .both = KERNEL_BOTH,
                            .probe_bits = SS_SPLIT_BLOCK_HASHES,
                            .probe_steps = 0,
                            .add_probes = kernel_add_probes,
                            .sample = ss_split_block_sample,
                            .events = ss_split_block_events};
