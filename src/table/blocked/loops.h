/*
 * loops.h - from a test of one line to the blocked layout's row of functions.
 *
 * Included once by each kernel, after its line_add and line_has, with TWIN_ROW
 * and TWIN_NAME defined, and TWIN_IS_SHARED where it is so. Here is where the
 * lines of a key are (blocked.c); the functions are those of table/kernel.
 */
#include "table/kernel/field.h"

enum {
    MAX_LINES = SEENSET_MAX_LINE_COUNT
};

static inline uint32_t line_count_of(const ss_table *table)
{
    return ss_blocked_line_count(table);
}

static inline bool has_one_line(const ss_table *table)
{
    return table->hash_count == SS_LINE_WORDS;
}

static SS_ALWAYS_INLINE uint64_t *line_of(field f, uint32_t region, uint64_t x)
{
    uint64_t line = region * f.range + ss_hash_range(x, f.range);
    return f.words + line * SS_LINE_WORDS;
}

static SS_ALWAYS_INLINE uint64_t bits_of(uint64_t x)
{
    return ss_hash_step(x);
}

static SS_ALWAYS_INLINE uint64_t next_of(uint64_t x)
{
    return ss_hash_step(ss_hash_step(x));
}

#include "table/kernel/loops.h"

const ss_layout TWIN_ROW = {.traits = &ss_blocked_traits,
                            .name = TWIN_NAME,
                            .is_shared = TWIN_IS_SHARED,
                            .is_inlined = !TWIN_IS_SHARED,
                            .range = ss_blocked_range,
                            .range_step_bits = SS_LINE_BITS,
                            .list_bits = ss_blocked_list_bits,
                            .add = kernel_add,
                            .has = kernel_has,
                            .add_key = kernel_add_key,
                            .has_key = kernel_has_key,
                            .add_many = kernel_add_many,
                            .has_many = kernel_has_many,
                            .both = KERNEL_BOTH,
                            .probe_bits = SS_LINE_WORDS,
                            .probe_steps = 2,
                            .add_probes = kernel_add_probes,
                            .sample = ss_blocked_sample,
                            .events = ss_blocked_events};
