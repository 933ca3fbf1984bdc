/*
 * loops.h - from a test of one line to a layout's row of functions.
 *
 * Included once by each kernel, after its line_add and line_has, with TWIN_ROW
 * and TWIN_NAME defined, and TWIN_IS_SHARED where it is so. What is inside the
 * batch loops is inlined there, so that a key costs no call.
 *
 * A batch asks for lines before it tests them: in a ring, where processors have
 * a prefetch (ring.h), else in bursts (bursts.h). A test may
 * define TWIN_HAS_BURSTS to have the other ones.
 */
#ifndef TWIN_ROW
#error "include this from a kernel: see blocked.h"
#endif
#ifndef TWIN_IS_SHARED
#define TWIN_IS_SHARED false
#endif
#ifndef TWIN_HAS_BURSTS
#define TWIN_HAS_BURSTS !SS_HAS_PREFETCH
#endif

/* What a loop needs of the table, held in registers. */
typedef struct field {
    uint64_t *words;
    uint64_t range; /* lines in a region */
} field;

static SS_ALWAYS_INLINE uint64_t *line_of(field f, uint32_t region, uint64_t x)
{
    uint64_t line = region * f.range + ss_hash_range(x, f.range);
    return f.words + line * SS_LINE_WORDS;
}

static SS_ALWAYS_INLINE uint64_t two_steps(uint64_t x)
{
    return ss_hash_step(ss_hash_step(x));
}

/* What these three do with the key's lines in regions first, first + 1, ...,
 * lines - 1; x is the key's in the first of them. */
static SS_ALWAYS_INLINE bool add_key(field f, uint32_t first, uint32_t lines,
                                     uint64_t x)
{
    bool is_new = false;
    for (uint32_t region = first; region < lines; region++) {
        is_new |= line_add(line_of(f, region, x), ss_hash_step(x));
        x = two_steps(x);
    }
    return is_new;
}

static SS_ALWAYS_INLINE bool has_key(field f, uint32_t first, uint32_t lines,
                                     uint64_t x)
{
    for (uint32_t region = first; region < lines; region++) {
        if (!line_has(line_of(f, region, x), ss_hash_step(x)))
            return false;
        x = two_steps(x);
    }
    return true;
}

#if TWIN_HAS_BURSTS
#include "table/blocked/bursts.h"
#else
#include "table/blocked/ring.h"
#endif

static inline field field_of(const ss_table *table)
{
    return (field){.words = table->words, .range = table->range};
}

/* Several lines: apart, so that the usual case of one needs no stack. */
static SS_NOINLINE bool add_lines(const ss_table *table, uint64_t hash)
{
    return add_key(field_of(table), 0, ss_blocked_line_count(table), hash);
}

static SS_NOINLINE int has_lines(const ss_table *table, uint64_t hash)
{
    return has_key(field_of(table), 0, ss_blocked_line_count(table), hash);
}

static SS_ALWAYS_INLINE bool add_one(const ss_table *table, uint64_t hash)
{
    if (table->hash_count == SS_LINE_WORDS)
        return add_key(field_of(table), 0, 1, hash);
    return add_lines(table, hash);
}

static SS_ALWAYS_INLINE int has_one(const ss_table *table, uint64_t hash)
{
    if (table->hash_count == SS_LINE_WORDS)
        return has_key(field_of(table), 0, 1, hash);
    return has_lines(table, hash);
}

static bool kernel_add(ss_table *table, uint64_t hash)
{
    return add_one(table, hash);
}

static int kernel_has(const ss_table *table, uint64_t hash)
{
    return has_one(table, hash);
}

/* Keys of eight bytes are hashed in a few instructions and without stack; what
 * others need stays out of their way. */
static SS_NOINLINE bool add_other_key(ss_table *table, const void *key,
                                      size_t key_len)
{
    return add_one(table, ss_hash_key(key, key_len));
}

static SS_NOINLINE int has_other_key(const ss_table *table, const void *key,
                                     size_t key_len)
{
    return has_one(table, ss_hash_key(key, key_len));
}

static bool kernel_add_key(ss_table *table, const void *key, size_t key_len)
{
    if (key_len != 8)
        return add_other_key(table, key, key_len);
    return add_one(table, ss_hash_eight_bytes(key));
}

static int kernel_has_key(const ss_table *table, const void *key,
                          size_t key_len)
{
    if (key_len != 8)
        return has_other_key(table, key, key_len);
    return has_one(table, ss_hash_eight_bytes(key));
}

static size_t kernel_add_many(ss_table *table, const ss_batch *batch,
                              uint8_t *is_new)
{
    uint32_t lines = ss_blocked_line_count(table);
    return add_many_of(field_of(table), lines, batch, is_new);
}

static size_t kernel_has_many(const ss_table *table, const ss_batch *batch,
                              uint8_t *is_seen)
{
    uint32_t lines = ss_blocked_line_count(table);
    return has_many_of(field_of(table), lines, batch, is_seen);
}

static size_t kernel_add_probes(ss_table *table, uint32_t probe,
                                const uint64_t *xs, size_t count)
{
    field f = field_of(table);
    size_t news = 0;
    for (size_t i = 0; i < SS_AHEAD && i < count; i++)
        SS_PREFETCH(line_of(f, probe, xs[i]));
    for (size_t i = 0; i < count; i++) {
        if (i + SS_AHEAD < count)
            SS_PREFETCH(line_of(f, probe, xs[i + SS_AHEAD]));
        news += line_add(line_of(f, probe, xs[i]), ss_hash_step(xs[i]));
    }
    return news;
}

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
                            .probe_bits = SS_LINE_WORDS,
                            .probe_steps = 2,
                            .add_probes = kernel_add_probes,
                            .sample = ss_blocked_sample,
                            .events = ss_blocked_events};
