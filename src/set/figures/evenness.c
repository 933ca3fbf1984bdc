/* evenness.c - see evenness.h */
#include "set/figures/evenness.h"

#include <math.h>

#include "expand/expand.h"

enum {
    COARSE_BITS = 10 /* 2^10 parts of a table that grows in place */
};

/* With fewer things nothing is measured. */
static const double least_events = 2 * SS_SPREAD_EVENTS;

/*
 * A slot that was merged from a smaller table may cover many units, and keys
 * that come later are not stored there. From a thirty-second of all hashes on
 * that could look like a weak hash.
 */
static const double most_rate = 1.0 / 32;

/* Below that rate such holes make each slot diverge by so much at most; a shard
 * of two by ln 2. */
static const double slot_slack = 0.03;

static ss_evenness none(void)
{
    return (ss_evenness){.chance = 1.0};
}

static ss_evenness of_spread(const ss_spread *spread)
{
    if (!(spread->events >= least_events) || spread->slices < 2)
        return none();
    return (ss_evenness){.slices = spread->slices,
                         .chi_square = 2.0 * ss_spread_divergence(spread),
                         .freedom = (double)spread->slices - 1.0,
                         .chance = ss_spread_chance(spread)};
}

/* ---- lines ---- */

static void add_lines(ss_spread *spread, const ss_table *table, ss_lines lines)
{
    double places = 0.0;
    double events = table->layout->events(table, lines, &places);
    ss_spread_add(spread, events, places);
}

static ss_spread spread_of_chunks(const ss_table *table, const ss_part *part)
{
    ss_spread spread = {0};
    for (uint32_t i = 0; i < SS_CHUNKS; i++)
        add_lines(&spread, table, ss_part_lines(part, i));
    return spread;
}

/* The same, and what came while it was counted, where threads may add. */
static ss_spread spread_of_part(const ss_table *table, const ss_part *part)
{
    ss_spread before = spread_of_chunks(table, part);
    if (!table->layout->is_shared)
        return before;
    ss_spread spread = spread_of_chunks(table, part);
    ss_spread_between(&spread, before.events,
                      spread_of_chunks(table, part).events);
    return spread;
}

/* Slices of as few lines as have SS_SPREAD_EVENTS things in the mean. The table
 * had so many before. */
static ss_evenness of_small_slices(const ss_table *table, const ss_part *all,
                                   double before)
{
    const uint64_t line_count = all->line_count;
    double most = floor(before / SS_SPREAD_EVENTS);
    if (!(most > SS_CHUNKS))
        return none();
    uint64_t lines = (uint64_t)ceil((double)line_count / most);
    ss_spread spread = {0};
    for (uint64_t first = 0; first < line_count; first += lines) {
        uint64_t left = line_count - first;
        add_lines(&spread, table,
                  (ss_lines){first, first + (left < lines ? left : lines)});
    }
    if (table->layout->is_shared)
        ss_spread_between(&spread, before, spread_of_chunks(table, all).events);
    return of_spread(&spread);
}

/* ---- tables that grow in place ---- */

static void add_part(void *context, uint64_t slots)
{
    ss_spread_add(context, (double)slots, 1.0);
}

static ss_evenness of_hash_parts(const ss_expand *expand, uint32_t most_bits)
{
    ss_spread spread = {.slack = slot_slack};
    uint32_t bits = 0;
    double events = (double)expand->stored;
    while (bits < most_bits && events >= ldexp(SS_SPREAD_EVENTS, (int)bits + 1))
        bits++;
    if (bits == 0 || !(ss_expand_rate(expand) <= most_rate))
        return none();
    ss_expand_spread(expand, bits, add_part, &spread);
    return of_spread(&spread);
}

static ss_evenness of_segments(const ss_expand *expand)
{
    uint32_t depth = ss_expand_least_depth(expand);
    return of_hash_parts(expand, depth < COARSE_BITS ? depth : COARSE_BITS);
}

/* ---- both ---- */

ss_evenness ss_evenness_of_part(const ss_table *table, const ss_part *part)
{
    if (table->expand != NULL)
        return of_segments(table->expand);
    if (table->layout->events == NULL)
        return none();
    ss_spread spread = spread_of_chunks(table, part);
    ss_evenness found = of_spread(&spread);
    if (!table->layout->is_shared || !(found.chance < SS_EVENNESS_ALARM))
        return found;
    /* a weak hash, or a thread that waited half-way while others added */
    spread = spread_of_part(table, part);
    return of_spread(&spread);
}

/* Two looks: the chance that either is so far out is at most the sum. */
static ss_evenness either(ss_evenness coarse, ss_evenness fine)
{
    if (fine.slices == 0 || coarse.slices == 0)
        return fine.slices == 0 ? coarse : fine;
    ss_evenness found = coarse.chance < fine.chance ? coarse : fine;
    found.chance = fmin(2.0 * found.chance, 1.0);
    return found;
}

ss_evenness ss_evenness_of(const ss_table *table)
{
    const ss_expand *expand = table->expand;
    if (expand != NULL)
        return either(of_segments(expand),
                      of_hash_parts(expand, ss_expand_least_depth(expand) +
                                                expand->unit_bits));
    if (table->layout->events == NULL)
        return none();
    ss_part all = ss_table_part(table, UINT64_MAX);
    ss_spread chunks = spread_of_part(table, &all);
    return either(of_spread(&chunks),
                  of_small_slices(table, &all, chunks.events));
}
