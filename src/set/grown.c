/*
 * grown.c - what a set that grows will cost.
 *
 * A set without bits is made as seenset_new makes it, and gets its tables as
 * seenset_add gives them: the same plans, one after the other. So whatever a
 * set does to grow, what is told of it beforehand is the same. Its figures are
 * those of an estimate that reads no bits (figures.h).
 */
#include "base/growth.h"
#include "plan/tail.h"
#include "set/figures.h"
#include "set/generations.h"
#include "set/options.h"
#include "table/layouts.h"

/* As ss_set_append, whose list doubles when it is full. */
static void append(seenset *set, const seenset_plan *plan, uint32_t cell_bits)
{
    if (set->generation_count == set->room_count)
        set->room_count *= 2;
    set->generations[set->generation_count++] = (ss_generation){
        .table = ss_set_table(set, plan->layout, plan->size_bits,
                              plan->hash_count, cell_bits, NULL),
        .capacity_items = plan->capacity_items,
        .fp_rate = plan->fp_rate};
}

/* A set whose tables have no words. */
static void begin(seenset *out, ss_generation tables[SS_MAX_GENERATIONS],
                  const ss_set_spec *design)
{
    const ss_set_params *kind = &design->kind;
    *out = (seenset){.generations = tables,
                     .room_count = 1,
                     .own_count = 1,
                     .on_full = kind->on_full,
                     .capacity_items = kind->capacity_items,
                     .fp_rate = kind->fp_rate,
                     .identity = kind->identity,
                     .clock = &ss_clock_system};
    append(out, &design->first, design->cell_bits);
}

/* Fills table after table, as far as the keys go. 0, or why it cannot grow. */
static int fill(seenset *set, uint64_t items)
{
    for (;;) {
        ss_generation *newest = ss_set_newest(set);
        newest->added_items =
            items < newest->capacity_items ? items : newest->capacity_items;
        items -= newest->added_items;
        if (items == 0)
            return SEENSET_OK;
        seenset_plan next;
        int error = ss_generations_plan_next(set, &next);
        if (error != SEENSET_OK)
            return error;
        append(set, &next, newest->table.cell_bits);
    }
}

/* Any hash is looked for in as many places. */
static uint32_t probe_count(const seenset *set)
{
    uint64_t places[SEENSET_MAX_HASH_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_table *table = &set->generations[i].table;
        count += table->layout->list_bits(table, 0, places);
    }
    return count;
}

/* A key of the newest table is found in the first that is asked. */
static double mean_tables_asked(const seenset *set, double items)
{
    double asked = 0.0;
    for (uint32_t i = 0; i < set->generation_count; i++)
        asked += (double)set->generations[i].added_items *
                 (double)(set->generation_count - i);
    return asked / items;
}

/* A set has its first tables in its own block. */
static uint64_t room_in_block(const seenset *set)
{
    return set->room_count == set->own_count ? ss_set_room_bytes(set) : 0;
}

static int describe(const seenset *set, seenset_plan_growth *out)
{
    ss_set_state state;
    int error = ss_figures_take(set, 0, &state);
    if (error != SEENSET_OK)
        return error;
    const seenset_stats told = ss_figures_stats(set, &state);
    double items = (double)told.added_items;
    *out = (seenset_plan_growth){
        .layout = told.layout,
        .table_count = told.table_count,
        .first_capacity_items = set->capacity_items,
        .added_items = told.added_items,
        .capacity_items = told.capacity_items,
        .fp_rate = told.fp_rate,
        .expected_fp_rate =
            ss_plan_add_equal_hashes(told.current_fp_rate, items),
        .size_bits = told.size_bits,
        .bits_per_key = (double)told.size_bits / items,
        .floor_bits = seenset_plan_floor_bits(told.added_items, told.fp_rate),
        .memory_bytes = told.memory_bytes - room_in_block(set),
        .wrong_items = told.wrong_items,
        .probe_count = probe_count(set),
        .hash_count = told.hash_count,
        .mean_tables_asked = mean_tables_asked(set, items)};
    return SEENSET_OK;
}

/* What seenset_new would make. */
static int specify(ss_set_spec *out, const seenset_plan *plan)
{
    const ss_layout_traits *layout = ss_layout_find_traits(plan->layout);
    const seenset_options options = {.layout = plan->layout,
                                     .on_full = SEENSET_ON_FULL_GROW,
                                     .capacity_items = plan->capacity_items,
                                     .fp_rate = plan->fp_rate};
    if (layout == NULL || plan->capacity_items == 0 ||
        !(plan->fp_rate > 0.0 && plan->fp_rate < 1.0))
        return SEENSET_EINVAL;
    return layout->can_grow ? ss_set_specify(out, &options)
                            : SEENSET_EUNSUPPORTED;
}

int seenset_plan_grown(const seenset_plan *plan, uint64_t items,
                       seenset_plan_growth *out, size_t out_bytes)
{
    ss_set_spec design;
    ss_generation tables[SS_MAX_GENERATIONS];
    seenset grown;
    seenset_plan_growth told;
    if (plan == NULL || out == NULL || out_bytes == 0 || items == 0 ||
        items > SEENSET_MAX_SIZE_BITS)
        return SEENSET_EINVAL;
    int error = specify(&design, plan);
    if (error != SEENSET_OK)
        return error;
    begin(&grown, tables, &design);
    error = fill(&grown, items);
    if (error == SEENSET_OK)
        error = describe(&grown, &told);
    return error != SEENSET_OK
               ? error
               : ss_growth_hand_out(out, out_bytes, &told, sizeof told);
}
