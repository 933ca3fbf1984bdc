/*
 * loops.h - from a test of one line to the functions of a layout's row.
 *
 * In some layouts a key has one line in each of a few regions, and a kernel is
 * one way to test and set its bits in a line. A kernel is a file that defines
 *
 *     line_add, line_has    set a key's bits in a line, or ask for them
 *
 * and includes its layout's loops.h, which says where the lines are,
 *
 *     MAX_LINES             of a key
 *     line_count_of         the lines of a key in this table
 *     has_one_line          the same as line_count_of() == 1
 *     line_of               the line of a key in a region
 *     bits_of               what line_add and line_has take, of the key there
 *     next_of               the key's number in the next region
 *
 * then includes this file, and makes a row of the functions here. What is
 * inside the batch loops is inlined there, so that a key costs no call. Where a
 * layout has one line per key, the compiler removes all that is for more.
 *
 * A batch asks for lines before it tests them: in a ring, where processors have
 * a prefetch (ring.h), else in bursts (bursts.h). A test may
 * define TWIN_HAS_BURSTS to have the other ones.
 */
#ifndef TWIN_ROW
#error "include this from the loops of a layout: see blocked.h"
#endif
#ifndef TWIN_IS_SHARED
#define TWIN_IS_SHARED false
#endif
#ifndef TWIN_HAS_BURSTS
#define TWIN_HAS_BURSTS !SS_HAS_PREFETCH
#endif
#include "table/batch_feed.h"

/* What these two do with the key's lines in regions first, first + 1, ...,
 * lines - 1; x is the key's in the first of them. */
static SS_ALWAYS_INLINE bool add_key(field f, uint32_t first, uint32_t lines,
                                     uint64_t x)
{
    bool is_new = false;
    for (uint32_t region = first; region < lines; region++) {
        is_new |= line_add(line_of(f, region, x), bits_of(x));
        x = next_of(x);
    }
    return is_new;
}

static SS_ALWAYS_INLINE bool has_each(field f, uint32_t first, uint32_t lines,
                                      uint64_t x)
{
    for (uint32_t region = first; region < lines; region++) {
        if (!line_has(line_of(f, region, x), bits_of(x)))
            return false;
        x = next_of(x);
    }
    return true;
}

/* The same, for constants: of one line the answer is a number and no branch,
 * which half of the time would be mispredicted. */
static SS_ALWAYS_INLINE bool has_key(field f, uint32_t first, uint32_t lines,
                                     uint64_t x)
{
    return lines == 1 ? line_has(line_of(f, 0, x), bits_of(x))
                      : has_each(f, first, lines, x);
}

#if TWIN_HAS_BURSTS
#include "table/kernel/bursts.h"
#else
#include "table/kernel/ring.h"
#endif

/* Several lines: apart, so that the usual case of one needs no stack. All are
 * asked for before the first is tested: an add touches each of them. */
static SS_NOINLINE bool add_lines(const ss_table *table, uint64_t hash)
{
    field f = field_of(table);
    uint32_t count = line_count_of(table);
    uint64_t *lines[MAX_LINES], bits[MAX_LINES];
    bool is_new = false;
    for (uint32_t region = 0; region < count; region++) {
        lines[region] = line_of(f, region, hash);
        SS_PREFETCH(lines[region]);
        bits[region] = bits_of(hash);
        hash = next_of(hash);
    }
    for (uint32_t region = 0; region < count; region++)
        is_new |= line_add(lines[region], bits[region]);
    return is_new;
}

static SS_NOINLINE int has_lines(const ss_table *table, uint64_t hash)
{
    return has_each(field_of(table), 0, line_count_of(table), hash);
}

static SS_ALWAYS_INLINE bool add_one(const ss_table *table, uint64_t hash)
{
    if (__builtin_expect(!has_one_line(table), 0))
        return add_lines(table, hash);
    return add_key(field_of(table), 0, 1, hash);
}

static SS_ALWAYS_INLINE int has_one(const ss_table *table, uint64_t hash)
{
    if (__builtin_expect(!has_one_line(table), 0))
        return has_lines(table, hash);
    return has_key(field_of(table), 0, 1, hash);
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
    uint32_t lines = line_count_of(table);
    return add_many_of(field_of(table), lines, batch, is_new);
}

static size_t kernel_has_many(const ss_table *table, const ss_batch *batch,
                              uint8_t *is_seen)
{
    uint32_t lines = line_count_of(table);
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
        news += line_add(line_of(f, probe, xs[i]), bits_of(xs[i]));
    }
    return news;
}

#ifdef TWIN_ASKS_BOTH
#include "table/kernel/both.h"
#define KERNEL_BOTH &kernel_both
#else
#define KERNEL_BOTH NULL
#endif
