/* fingerprint.c - the fingerprint layout: its shape, what its slots show, and
 * the choice of the kernel that reads its lines; the idea is in fingerprint.h
 */
#include "table/fingerprint/fingerprint.h"

#include <math.h>
#include <string.h>

#include "lines/processor.h"
#include "hash/block_sum.h"

/* Lines that the units of a segment's last home can go on in: they end within
 * SS_END_MAX places from there. Small tables have fewer. */
ss_fingerprint_shape ss_fingerprint_shape_of(uint64_t size_bits, uint32_t width)
{
    uint64_t lines = size_bits / SS_LINE_BITS;
    uint64_t segments = lines / SS_FINGERPRINT_SEGMENT;
    segments = segments > 0 ? segments : 1;
    uint32_t each = (uint32_t)(lines / segments);
    uint32_t spill = (SS_END_MAX - 1) / ss_line_slots(width);
    spill = spill < each / 2 ? spill : each / 2;
    return (ss_fingerprint_shape){segments, each - spill, spill};
}

/*
 * Runs of full lines end at a line with a free place. A line of S places at
 * load a gets a S slots of its own, give or take sqrt(a S), so its run goes on
 * for more than i lines with a chance of about exp(-(1 - a)^2 S i / (2 a)), as
 * a random walk that drifts down does. This load makes that exp(-i / 10), at
 * any width.
 */
double ss_fingerprint_room(uint64_t size_bits, uint32_t width)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_of(size_bits, width);
    double slots = ss_line_slots(width);
    double load = 1.0 - 0.44 / sqrt(slots);
    return floor(load * slots * shape.homes * (double)shape.segments);
}

uint64_t ss_fingerprint_range(uint64_t size_bits, uint32_t hash_count)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_of(size_bits, hash_count);
    return shape.segments << SS_FINGERPRINT_LINE_BITS |
           (uint64_t)shape.homes << SS_FINGERPRINT_SPILL_BITS | shape.spill;
}

/* An add moves slots up to the end of its segment at most: a bit of each block
 * of that. */
uint32_t ss_fingerprint_list_bits(const ss_table *table, uint64_t hash,
                                  uint64_t bits[SEENSET_MAX_HASH_COUNT])
{
    const uint32_t step = SS_BLOCK_BYTES * 8;
    ss_fingerprint_shape shape = ss_fingerprint_shape_in(table);
    uint32_t each = (shape.homes + shape.spill) * SS_LINE_BITS;
    uint64_t first = ss_hash_range(hash, shape.segments) * each;
    uint32_t count = 0;
    for (uint32_t at = 0; at < each; at += step)
        bits[count++] = first + at;
    bits[count++] = first + each - 1;
    return count;
}

/* ---- what the slots show ---- */

/* Does another slot of the unit cover it? Of equal ones the first. */
static bool is_covered(const uint64_t *slots, uint32_t count, uint32_t i)
{
    for (uint32_t j = 0; j < count; j++)
        if (ss_fingerprint_covers(slots[j], slots[i]) &&
            (slots[j] != slots[i] || j < i))
            return true;
    return false;
}

/* The part of its hashes that a unit's slots cover. */
static double covered(const uint64_t *slots, uint32_t count, uint32_t width)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_covered(slots, count, i))
            sum += ldexp(1.0, -(int)ss_slot_length(slots[i], width));
    return sum;
}

/* Lines first, ..., end - 1 of a table that are homes, one after another. */
typedef struct walker {
    const ss_table *table;
    uint64_t line, end;
    ss_fingerprint_place at;
} walker;

static bool next_home(walker *walk)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_in(walk->table);
    uint32_t each = shape.homes + shape.spill;
    uint64_t used = shape.segments * each;
    while (walk->line < walk->end && walk->line < used &&
           walk->line % each >= shape.homes)
        walk->line++;
    if (walk->line >= walk->end || walk->line >= used)
        return false;
    walk->at = ss_fingerprint_unit(walk->table, walk->line / each,
                                   (uint32_t)(walk->line % each), 0);
    walk->line++;
    return true;
}

static walker walk_all(const ss_table *table)
{
    return (walker){.table = table, .end = table->size_bits / SS_LINE_BITS};
}

static void tally_line(ss_tally *tally, ss_fingerprint_place at, uint32_t width)
{
    double full = 0.0;
    uint64_t used = 0;
    for (at.unit = 0; at.unit < SS_LINE_UNITS; at.unit++) {
        uint64_t slots[SS_END_MAX];
        uint32_t count = ss_fingerprint_read(&at, width, slots);
        full += covered(slots, count, width);
        used += count;
    }
    ss_tally_add(tally, full / SS_LINE_UNITS, used);
}

/* A slot in use counts as its part of a line's bits. */
ss_sample ss_fingerprint_sample(const ss_table *table, const ss_part *part)
{
    ss_tally tally = {0};
    uint32_t width = table->hash_count;
    for (uint32_t chunk = 0; chunk < SS_CHUNKS; chunk++) {
        ss_lines lines = ss_part_lines(part, chunk);
        walker walk = {.table = table, .line = lines.first, .end = lines.end};
        while (next_home(&walk))
            tally_line(&tally, walk.at, width);
    }
    if (tally.blocks == 0)
        return (ss_sample){0};
    ss_sample seen = ss_sample_of_regions(&tally, 1, SS_LINE_BITS);
    seen.set_cells = tally.ones * SS_LINE_BITS / ss_line_slots(width);
    seen.fill_error *= (double)SS_LINE_BITS / ss_line_slots(width);
    return seen;
}

static uint32_t count_distinct(ss_fingerprint_place at, uint32_t width)
{
    uint32_t distinct = 0;
    for (at.unit = 0; at.unit < SS_LINE_UNITS; at.unit++) {
        uint64_t slots[SS_END_MAX];
        uint32_t count = ss_fingerprint_read(&at, width, slots);
        for (uint32_t i = 0; i < count; i++)
            distinct += !is_covered(slots, count, i);
    }
    return distinct;
}

double ss_fingerprint_events(const ss_table *table, ss_lines lines,
                             double *places)
{
    walker walk = {.table = table, .line = lines.first, .end = lines.end};
    uint64_t distinct = 0, homes = 0;
    for (; next_home(&walk); homes++)
        distinct += count_distinct(walk.at, table->hash_count);
    *places = (double)homes;
    return (double)distinct;
}

uint64_t ss_fingerprint_count_cut(const ss_table *table)
{
    walker walk = walk_all(table);
    uint64_t found = 0;
    while (next_home(&walk)) {
        ss_fingerprint_place at = walk.at;
        for (; at.unit < SS_LINE_UNITS; at.unit++) {
            uint64_t slots[SS_END_MAX];
            uint32_t count = ss_fingerprint_read(&at, table->hash_count, slots);
            for (uint32_t i = 0; i < count; i++)
                found += !ss_fingerprint_is_whole(slots[i]);
        }
    }
    return found;
}

/* Every slot of a unit, to the same unit of a table of the same shape. */
static void merge_unit(ss_table *into, const ss_table *from,
                       const ss_fingerprint_place *unit)
{
    uint64_t slots[SS_END_MAX];
    ss_fingerprint_place to = *unit;
    to.line = into->words + (unit->line - from->words);
    uint32_t count = ss_fingerprint_read(unit, from->hash_count, slots);
    for (uint32_t i = 0; i < count; i++)
        ss_fingerprint_put(&to, into->hash_count, slots[i]);
}

/* Every slot of both. */
void ss_fingerprint_merge(ss_table *into, const ss_table *from)
{
    bool is_alike = ss_table_is_alike(into, from);
    walker walk = walk_all(from);
    for (uint64_t home = 0; next_home(&walk); home++) {
        for (; walk.at.unit < SS_LINE_UNITS; walk.at.unit++) {
            if (is_alike)
                merge_unit(into, from, &walk.at);
            else
                ss_fingerprint_squeeze(into, from, &walk.at, home);
        }
    }
}

/* ---- is it one? ---- */

static bool are_ends_sound(uint64_t ends, uint32_t carry, bool is_home)
{
    bool is_sound = ends >> 63 == 0 && ss_line_end(ends, 0) == carry;
    for (uint32_t b = 0; b < SS_LINE_UNITS; b++) {
        uint32_t begin = ss_line_end(ends, b), end = ss_line_end(ends, b + 1);
        is_sound &= is_home ? begin <= end : begin == end;
    }
    return is_sound;
}

static bool are_slots_sound(const uint64_t *line, uint32_t width)
{
    uint32_t slots = ss_line_slots(width);
    uint32_t used = ss_line_used(line[SS_SLOT_WORDS], slots);
    uint32_t rest = SS_SLOT_LINE_BITS - slots * width;
    bool is_sound = rest == 0 || line[SS_SLOT_WORDS - 1] >> (64 - rest) == 0;
    for (uint32_t at = 0; at < slots; at++)
        is_sound &= (ss_line_slot(line, width, at) != 0) == (at < used);
    return is_sound;
}

/* One line, and what it leaves to the next one. */
static bool is_line_sound(const uint64_t *line, uint32_t width, bool is_home,
                          bool is_last, uint32_t *carry)
{
    uint32_t slots = ss_line_slots(width);
    uint64_t ends = line[SS_SLOT_WORDS];
    bool is_sound =
        are_ends_sound(ends, *carry, is_home) && are_slots_sound(line, width);
    uint32_t last = ss_line_last(ends);
    *carry = last > slots ? last - slots : 0;
    return is_sound && !(is_last && *carry > 0);
}

bool ss_fingerprint_are_sound(const ss_table *table, const uint64_t *words,
                              uint64_t line, uint64_t line_count,
                              uint32_t *carry)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_in(table);
    uint32_t each = shape.homes + shape.spill;
    bool is_sound = true;
    for (uint64_t end = line + line_count; is_sound && line < end; line++) {
        uint64_t at = line % each;
        if (line < shape.segments * each)
            is_sound = is_line_sound(words, table->hash_count, at < shape.homes,
                                     at + 1 == each, carry);
        for (uint32_t i = 0; line >= shape.segments * each && i < SS_LINE_WORDS;
             i++)
            is_sound &= words[i] == 0;
        words += SS_LINE_WORDS;
    }
    return is_sound;
}

/* ---- rows ---- */

static uint64_t line_bits(uint32_t hash_count)
{
    (void)hash_count;
    return SS_LINE_BITS;
}

const ss_layout_traits ss_fingerprint_traits = {
    .id = SEENSET_LAYOUT_FINGERPRINT,
    .name = "fingerprint",
    .first_file_version = 5,
    .can_merge = true,
    .has_slots = true,
    .min_hash_count = SS_WIDTH_MIN,
    .max_hash_count = SS_FINGERPRINT_WIDTH_MAX,
    .hash_count_step = 1,
    .unit_bits = line_bits,
    .max_size_bits = SEENSET_MAX_SIZE_BITS};

/* The kernels this processor can run, the fastest first. */
static const ss_layout *runnable_kernel(size_t index)
{
    const ss_layout *kernels[3] = {0};
    size_t count = 0;
#if SS_HAS_X86_KERNELS
    if (ss_processor_has_vbmi())
        kernels[count++] = &ss_fingerprint_vbmi;
    if (ss_processor_has_avx2())
        kernels[count++] = &ss_fingerprint_avx2;
#endif
    kernels[count++] = &ss_fingerprint_portable;
    return index < count ? kernels[index] : NULL;
}

const ss_layout *ss_fingerprint_best(void)
{
    return runnable_kernel(0);
}

const ss_layout *ss_fingerprint_kernel(const char *name)
{
    const ss_layout *kernel;
    for (size_t i = 0; (kernel = runnable_kernel(i)) != NULL; i++) {
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return NULL;
}
