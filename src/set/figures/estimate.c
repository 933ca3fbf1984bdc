/*
 * estimate.c - what a set shows of its cells, in constant time.
 *
 * An audit reads every cell, and knows. An estimate reads 4 MiB, or 16 MiB
 * where the number of keys leaves much of the rate open (figures.h). A table
 * that fits is counted, and there the two agree exactly. A larger one is
 * modelled: the keys that were added to it set so many bits, give or take what
 * chance does, and in a large table chance does little (plan/expect.c).
 *
 * A model knows nothing of what it was not told. Keys are removed, sets are
 * intersected, an index scheme may be too weak to spread its keys. So a part of
 * the large table is read all the same. Where it differs from the model by more
 * than chance explains, the part is believed and not the model. Six standard
 * deviations are more than chance explains: once in 5e8 tables.
 *
 * Nothing is kept from one call to the next, and adding keeps no count. So
 * adding costs what it did, and no merge and no file can leave an old count.
 */
#include <math.h>

#include "base/growth.h"
#include "plan/shape.h"
#include "set/view/checks.h"
#include "set/figures/evenness.h"
#include "set/expanded.h"
#include "set/figures/figures.h"
#include "set/two/groups.h"

static uint64_t line_count(const ss_generation *generation)
{
    return ss_set_word_count(generation) / SS_LINE_WORDS;
}

/* Checks the blocks of a part, of a checked view, and looks at it. */
static int look(const seenset *set, const ss_generation *generation,
                uint64_t most_lines, ss_table_state *state)
{
    ss_part part = ss_table_part(&generation->table, most_lines);
    for (uint32_t i = 0; i < SS_CHUNKS; i++) {
        ss_lines lines = ss_part_lines(&part, i);
        int error = ss_checks_bits(set, generation, lines.first * SS_LINE_BITS,
                                   (lines.end - lines.first) * SS_LINE_BITS);
        if (error != SEENSET_OK)
            return error;
    }
    state->seen = generation->table.layout->sample(&generation->table, &part);
    state->skew_chance = ss_evenness_of_part(&generation->table, &part).chance;
    return SEENSET_OK;
}

/* As answers are now: each hash beside the table covers itself. */
static double rate_beside(const seenset *set, const ss_generation *generation)
{
    bool is_there = generation == ss_set_newest(set);
    return is_there ? ldexp((double)ss_checks_beside_count(set), -64) : 0.0;
}

/* Takes down a table of which most_lines may be read. */
static int take_table(const seenset *set, const ss_generation *generation,
                      uint64_t most_lines, ss_table_state *state)
{
    const ss_table *table = &generation->table;
    *state =
        (ss_table_state){.traits = table->layout->traits,
                         .size_bits = ss_table_size_bits(table),
                         .hash_count = table->hash_count,
                         .added_items = ss_set_added_items(generation),
                         .is_credited = ss_groups_is_credited(
                             set, (uint32_t)(generation - set->generations)),
                         .is_counted = line_count(generation) <= most_lines,
                         .skew_chance = 1.0};
    if (table->expand != NULL) {
        state->is_counted = true;
        state->skew_chance = ss_evenness_of_part(table, NULL).chance;
        state->seen = ss_table_sample(table);
        state->seen.rate += rate_beside(set, generation);
        state->wrong_items = ss_expanded_wrong_items(generation);
        return SEENSET_OK;
    }
    if (most_lines == 0)
        return SEENSET_OK;
    return look(set, generation, state->is_counted ? UINT64_MAX : most_lines,
                state);
}

/*
 * How many lines may be read of each table. From the oldest on, those that fit
 * are read whole: in a set that grows these are the smallest, about which a
 * model knows least. The others share what is left, and get a few in any case.
 */
static void share_out(const seenset *set, uint64_t left,
                      uint64_t most_lines[SS_MAX_TABLES])
{
    const uint64_t least_lines = left > 0 ? 8 * SS_CHUNKS : 0;
    uint32_t large_count = 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        uint64_t lines = line_count(&set->generations[i]);
        most_lines[i] = lines <= left ? lines : 0;
        left -= most_lines[i];
        large_count += most_lines[i] == 0;
    }
    uint64_t share = large_count > 0 ? left / large_count : 0;
    if (share < least_lines)
        share = least_lines;
    for (uint32_t i = 0; i < set->generation_count; i++)
        if (most_lines[i] == 0)
            most_lines[i] = share;
}

/* Do the keys that were added to a table leave much of its rate open? They
 * leave open about as large a part of the rate as the rate itself is. */
static bool is_open(const ss_generation *generation)
{
    const ss_table *table = &generation->table;
    const ss_layout_traits *traits = table->layout->traits;
    return !traits->is_built_once &&
           ss_plan_rate(traits->id, ss_set_added_items(generation),
                        table->size_bits, table->hash_count) > SS_FIGURES_MUCH;
}

static bool needs_more(const seenset *set,
                       const uint64_t most_lines[SS_MAX_TABLES])
{
    bool is_any = false;
    for (uint32_t i = 0; !is_any && i < set->generation_count; i++)
        is_any = line_count(&set->generations[i]) > most_lines[i] &&
                 is_open(&set->generations[i]);
    return is_any;
}

int ss_figures_take(const seenset *set, uint64_t most_bytes,
                    ss_set_state *state)
{
    uint64_t most_lines[SS_MAX_TABLES];
    uint64_t now = ss_set_now(set);
    ss_checks_settle(set);
    share_out(set, most_bytes / SS_LINE_BYTES, most_lines);
    if (most_bytes > 0 && needs_more(set, most_lines))
        share_out(set, most_bytes / SS_LINE_BYTES * SS_FIGURES_MORE,
                  most_lines);
    state->info = ss_set_info(set, now);
    state->size_bits = 0;
    state->count = 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        state->size_bits += ss_table_size_bits(&generation->table);
        if (ss_set_is_expired(set, i, now))
            continue; /* no key is sought there */
        int error = take_table(set, generation, most_lines[i],
                               &state->tables[state->count++]);
        if (error != SEENSET_OK)
            return error;
    }
    return SEENSET_OK;
}

int seenset_get_estimate(const seenset *set, seenset_estimate *out,
                         size_t out_bytes)
{
    ss_set_state state;
    if (set == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    int error = ss_figures_take(set, SS_ESTIMATE_BYTES, &state);
    if (error != SEENSET_OK)
        return error;
    seenset_estimate estimate = ss_figures_of(&state);
    return ss_growth_hand_out(out, out_bytes, &estimate, sizeof estimate);
}
