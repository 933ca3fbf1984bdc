/*
 * grown.c - what a set that grows will cost.
 *
 * A set without bits is made as seenset_new makes it. Its figures are those of
 * an estimate that reads no bits (figures.h).
 *
 * The table that grows in place has no size of its own. What it is with the
 * keys that the first leaves is computed (plan/expand.h) and added to that.
 */
#include <math.h>

#include "base/growth.h"
#include "plan/expand.h"
#include "plan/tail.h"
#include "seenset/extra/formulas.h"
#include "set/figures/figures.h"
#include "set/options.h"
#include "set/promise.h"
#include "table/layouts.h"

enum {
    EXPANDABLE_PROBES = 2 /* an entry of the directory, and a line */
};

/* A set that grew. */
typedef struct history {
    seenset *set; /* its table of a fixed size, which has no words */
    ss_generation table;
    uint64_t expanded_items; /* keys of the table that grows in place; 0: the
                                set has none */
    ss_plan_expand_state expanded;
} history;

static void begin(history *out, const ss_set_spec *design)
{
    const ss_set_params *kind = &design->kind;
    const seenset_plan *first = &design->first;
    out->expanded_items = 0;
    *out->set = (seenset){.generations = &out->table,
                          .generation_count = 1,
                          .room_count = 1,
                          .own_count = 1,
                          .on_full = kind->on_full,
                          .capacity_items = kind->capacity_items,
                          .fp_rate = kind->fp_rate,
                          .identity = kind->identity,
                          .clock = &ss_clock_system};
    out->table = (ss_generation){
        .table = ss_set_table(out->set, first->layout, first->size_bits,
                              first->hash_count, design->cell_bits, NULL),
        .capacity_items = first->capacity_items,
        .fp_rate = first->fp_rate};
    ss_set_choose_kind(out->set);
}

/* The rest of the keys, in a table that grows in place. 0 or SEENSET_ERATE. */
static int expand(history *to, uint64_t items)
{
    seenset *set = to->set;
    uint8_t widths[SS_EXPAND_DEPTHS];
    double fp_rate;
    int error = ss_promise_plan_expand(set->fp_rate, set->generations,
                                       set->generation_count, &fp_rate, widths);
    if (error == SEENSET_OK && items > ss_plan_expand_items(fp_rate))
        error = SEENSET_ERATE;
    if (error != SEENSET_OK)
        return error;
    set->room_count *= 2; /* the set's list doubles when it is full */
    to->expanded_items = items;
    ss_plan_expand_at(widths, SS_EXPAND_LOAD, (double)items, &to->expanded);
    return SEENSET_OK;
}

/* Fills one table, then the other. 0, or SEENSET_ERATE. */
static int fill(history *to, uint64_t items)
{
    ss_generation *first = &to->table;
    first->added_items =
        items < first->capacity_items ? items : first->capacity_items;
    items -= first->added_items;
    return items == 0 ? SEENSET_OK : expand(to, items);
}

/* Any hash is looked for in as many places. */
static uint32_t probe_count(const history *of)
{
    const seenset *set = of->set;
    uint64_t places[SEENSET_MAX_HASH_COUNT];
    uint32_t count = of->expanded_items > 0 ? EXPANDABLE_PROBES : 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_table *table = &set->generations[i].table;
        count += table->layout->list_bits(table, 0, places);
    }
    return count;
}

/* A key of the newest table is found in the first that is asked. */
static double mean_tables_asked(const history *of, double items)
{
    const seenset *set = of->set;
    uint32_t count = set->generation_count + (of->expanded_items > 0);
    double asked = (double)of->expanded_items;
    for (uint32_t i = 0; i < set->generation_count; i++)
        asked += (double)set->generations[i].added_items * (double)(count - i);
    return asked / items;
}

/* A set has its first tables in its own block. */
static uint64_t room_in_block(const seenset *set)
{
    return set->room_count == set->own_count ? ss_set_room_bytes(set) : 0;
}

/* Of the tables of a fixed size. */
static void describe_tables(const history *of, const seenset_stats *told,
                            seenset_plan_growth *out)
{
    const seenset *set = of->set;
    *out = (seenset_plan_growth){
        .layout = told->layout,
        .table_count = told->table_count,
        .first_capacity_items = set->capacity_items,
        .added_items = told->added_items,
        .capacity_items = told->capacity_items,
        .fp_rate = told->fp_rate,
        .expected_fp_rate = ss_plan_add_equal_hashes(told->current_fp_rate,
                                                     (double)told->added_items),
        .size_bits = told->size_bits,
        .memory_bytes = told->memory_bytes - room_in_block(set),
        .wrong_items = told->wrong_items,
        .hash_count = told->hash_count};
}

/* And of the one that grows in place. Its keys had to get past the others, and
 * a hash that equals one of them is one that it covers. */
static void add_expanded(const history *of, double older_rate,
                         seenset_plan_growth *out)
{
    const ss_plan_expand_state *expanded = &of->expanded;
    double items = (double)of->expanded_items;
    uint64_t bytes = (uint64_t)llround(expanded->bytes);
    out->table_count++;
    out->added_items += of->expanded_items;
    out->capacity_items += (uint64_t)llround(fmax(expanded->room, items));
    out->expected_fp_rate =
        fmin(out->expected_fp_rate + (1.0 - older_rate) * expanded->rate, 1.0);
    out->size_bits += bytes * 8;
    out->memory_bytes += bytes;
    out->wrong_items +=
        (expanded->wrong_items + items * older_rate) / (1.0 - older_rate);
    out->hash_count = 1;
    out->expanded_items = of->expanded_items;
}

static int describe(const history *of, seenset_plan_growth *out)
{
    ss_set_state state;
    int error = ss_figures_take(of->set, 0, &state);
    if (error != SEENSET_OK)
        return error;
    const seenset_stats told = ss_figures_stats(of->set, &state);
    describe_tables(of, &told, out);
    if (of->expanded_items > 0)
        add_expanded(of, told.current_fp_rate, out);
    double items = (double)out->added_items;
    out->bits_per_key = (double)out->size_bits / items;
    out->floor_bits = seenset_plan_floor_bits(out->added_items, out->fp_rate);
    out->probe_count = probe_count(of);
    out->mean_tables_asked = mean_tables_asked(of, items);
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
    seenset set;
    history grown = {.set = &set};
    seenset_plan_growth told;
    if (plan == NULL || !SS_GROWTH_IS_UNUSED(plan) || out == NULL ||
        out_bytes == 0 || items == 0 || items > SEENSET_MAX_SIZE_BITS)
        return SEENSET_EINVAL;
    int error = specify(&design, plan);
    if (error != SEENSET_OK)
        return error;
    begin(&grown, &design);
    error = fill(&grown, items);
    if (error == SEENSET_OK)
        error = describe(&grown, &told);
    return error != SEENSET_OK
               ? error
               : ss_growth_hand_out(out, out_bytes, &told, sizeof told);
}
