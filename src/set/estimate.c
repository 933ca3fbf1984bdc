/*
 * estimate.c - how full a set is, in constant time.
 *
 * An audit reads every cell, and knows. An estimate reads some MiB at most. A
 * table that fits is counted, and there the two agree exactly. A larger one is
 * modelled: the keys that were added to it set so many bits, give or take
 * what chance does, and in a large table chance does little (plan/expect.c).
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
#include "set/checks.h"
#include "set/figures.h"

/* What an estimate reads: well under a millisecond's worth. */
static const uint64_t estimate_bytes = UINT64_C(4) << 20;

static uint64_t line_count(const ss_generation *generation)
{
    return ss_set_word_count(generation) / SS_LINE_WORDS;
}

/* ---- reading ---- */

/* Checks the blocks of a part, of a checked view, and looks at it. */
static int look(const seenset *set, const ss_generation *generation,
                uint64_t most_lines, ss_look *seen)
{
    ss_part part = ss_table_part(&generation->table, most_lines);
    for (uint32_t i = 0; i < SS_CHUNKS; i++) {
        ss_lines lines = ss_part_lines(&part, i);
        int error = ss_checks_bits(set, generation, lines.first * SS_LINE_BITS,
                                   (lines.end - lines.first) * SS_LINE_BITS);
        if (error != SEENSET_OK)
            return error;
    }
    *seen = generation->table.layout->look(&generation->table, &part);
    return SEENSET_OK;
}

/* ---- a part against the model ---- */

static const double most_deviations = 6.0;

/* What chance does to the fill of a part: what it shows itself; of a few keys
 * only, that their number is a Poisson variable. */
static double fill_error(const ss_look *seen, const ss_plan_state *model,
                         uint32_t hash_count)
{
    double cells = (double)seen->cells;
    bool is_sparse = model->fill * cells < 1000.0 * hash_count;
    return seen->fill_error +
           (is_sparse ? sqrt(hash_count * model->fill / cells) : 0.0);
}

/* What it does to the rate of a part. That of a table which is nearly empty
 * varies so much that a part shows nothing: infinite. */
static double rate_error(const ss_look *seen, const ss_plan_state *model,
                         uint64_t size_bits)
{
    double of_part =
        model->spread * sqrt((double)size_bits / (double)seen->cells);
    if (!(of_part < 0.02))
        return INFINITY;
    return fmax(of_part * model->rate, seen->rate_error * seen->rate);
}

static bool is_near(double a, double b, double error)
{
    return fabs(a - b) <= most_deviations * error;
}

/* What the model and a part of the cells say together. */
static void conclude(ss_table_state *state, const ss_look *seen,
                     const ss_plan_state *model)
{
    double fill = (double)seen->set_cells / (double)seen->cells;
    bool is_full_as_told =
        is_near(fill, model->fill, fill_error(seen, model, state->hash_count));
    bool is_as_told =
        is_full_as_told && is_near(seen->rate, model->rate,
                                   rate_error(seen, model, state->size_bits));
    if (is_full_as_told)
        fill = model->fill;
    state->set_bits = (uint64_t)llround(fill * (double)state->size_bits);
    state->rate = is_as_told ? model->rate : seen->rate;
    state->rate_error = is_as_told ? model->spread : seen->rate_error;
}

/* A table that is built once holds the keys it was built from. */
static void conclude_built(ss_table_state *state, const ss_look *seen)
{
    double fill = (double)seen->set_cells / (double)seen->cells;
    state->set_bits = (uint64_t)llround(fill * (double)state->size_bits);
    state->rate = seen->rate;
}

/* ---- tables ---- */

/* Takes down a table of which most_lines may be read. */
static int take_table(const seenset *set, const ss_generation *generation,
                      uint64_t most_lines, ss_table_state *state)
{
    const ss_table *table = &generation->table;
    *state =
        (ss_table_state){.traits = table->layout->traits,
                         .size_bits = table->size_bits,
                         .hash_count = table->hash_count,
                         .added_items = ss_set_added_items(generation),
                         .is_counted = line_count(generation) <= most_lines};
    ss_look seen;
    int error = look(set, generation,
                     state->is_counted ? UINT64_MAX : most_lines, &seen);
    if (error != SEENSET_OK)
        return error;
    if (state->is_counted) {
        state->set_bits = seen.set_cells;
        state->rate = seen.rate;
    } else if (state->traits->is_built_once) {
        conclude_built(state, &seen);
    } else {
        ss_plan_state model =
            ss_plan_expect(state->traits->id, state->added_items,
                           state->size_bits, state->hash_count);
        conclude(state, &seen, &model);
    }
    return SEENSET_OK;
}

/*
 * How many lines may be read of each table. From the oldest on, those that fit
 * are read whole: in a set that grows these are the smallest, about which a
 * model knows least. The others share what is left, and get a few in any case.
 */
static void share_out(const seenset *set, uint64_t left,
                      uint64_t most_lines[SS_MAX_TABLES])
{
    static const uint64_t least_lines = 8 * SS_CHUNKS;
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

int ss_figures_take(const seenset *set, uint64_t most_bytes,
                    ss_set_state *state)
{
    uint64_t most_lines[SS_MAX_TABLES];
    uint64_t now = ss_set_now(set);
    share_out(set, most_bytes / SS_LINE_BYTES, most_lines);
    state->info = ss_set_info(set, now);
    state->size_bits = 0;
    state->count = 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        state->size_bits += generation->table.size_bits;
        if (ss_set_is_expired(set, i, now))
            continue; /* no key is sought there */
        int error = take_table(set, generation, most_lines[i],
                               &state->tables[state->count++]);
        if (error != SEENSET_OK)
            return error;
    }
    return SEENSET_OK;
}

int ss_figures_take_estimate(const seenset *set, ss_set_state *state)
{
    return ss_figures_take(set, estimate_bytes, state);
}

int seenset_get_estimate(const seenset *set, seenset_estimate *out,
                         size_t out_bytes)
{
    ss_set_state state;
    if (set == NULL || out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    int error = ss_figures_take_estimate(set, &state);
    if (error != SEENSET_OK)
        return error;
    seenset_estimate estimate = ss_figures_of(&state);
    return ss_growth_hand_out(out, out_bytes, &estimate, sizeof estimate);
}
