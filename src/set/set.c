/* set.c - the handle: made from options, freed, copied, cleared */
#include "set/set.h"

#include <string.h>

#include "base/growth.h"
#include "base/map.h"
#include "set/checks.h"
#include "set/generations.h"
#include "table/layouts.h"

const char *seenset_on_full_name(seenset_on_full on_full)
{
    switch (on_full) {
    case SEENSET_ON_FULL_DEGRADE:
        return "degrade";
    case SEENSET_ON_FULL_REFUSE:
        return "refuse";
    case SEENSET_ON_FULL_GROW:
        return "grow";
    case SEENSET_ON_FULL_ROTATE:
        return "rotate";
    default:
        return "unknown";
    }
}

int ss_set_make(seenset **out, const ss_memory *memory,
                const ss_set_params *kind, uint32_t room_count)
{
    seenset *set = ss_memory_alloc(memory, 1, sizeof *set);
    if (set == NULL)
        return SEENSET_ENOMEM;
    set->generations =
        ss_memory_alloc(memory, room_count, sizeof *set->generations);
    if (set->generations == NULL) {
        ss_memory_free(memory, set, 1, sizeof *set);
        return SEENSET_ENOMEM;
    }
    set->memory = *memory;
    set->room_count = room_count;
    set->on_full = kind->on_full;
    set->capacity_items = kind->capacity_items;
    set->fp_rate = kind->fp_rate;
    set->window_generations = kind->window_generations;
    set->window_seconds = kind->window_seconds;
    set->is_sliding = kind->is_sliding;
    set->is_shared = kind->is_shared;
    set->identity = kind->identity;
    set->clock = &ss_clock_system;
    *out = set;
    return SEENSET_OK;
}

/* Room for one generation more. */
static int make_room(seenset *set)
{
    if (set->generation_count < set->room_count)
        return SEENSET_OK;
    uint32_t room_count = set->room_count * 2;
    ss_generation *moved =
        ss_memory_alloc(&set->memory, room_count, sizeof *moved);
    if (moved == NULL)
        return SEENSET_ENOMEM;
    memcpy(moved, set->generations, set->generation_count * sizeof *moved);
    ss_memory_free(&set->memory, set->generations, set->room_count,
                   sizeof *moved);
    set->generations = moved;
    set->room_count = room_count;
    return SEENSET_OK;
}

ss_table ss_set_table(const seenset *set, seenset_layout layout,
                      uint64_t size_bits, uint32_t hash_count,
                      uint32_t cell_bits, uint64_t *words)
{
    bool is_hashed = ss_key_hash_is_hash(&set->identity);
    ss_table table =
        ss_table_make(is_hashed ? ss_layout_find(layout, set->is_shared)
                                : ss_layout_find_foreign(layout),
                      size_bits, hash_count, cell_bits, words);
    if (!is_hashed) {
        table.scheme = ss_scheme_find(set->identity.scheme);
        table.scheme_context = &set->identity.caller;
    }
    return table;
}

int ss_set_append(seenset *set, const seenset_plan *plan, uint32_t counter_bits)
{
    if (make_room(set) != SEENSET_OK)
        return SEENSET_ENOMEM;
    uint64_t word_count = ss_table_words_for(plan->size_bits, counter_bits);
    uint64_t *words = ss_memory_alloc(&set->memory, word_count, sizeof *words);
    if (words == NULL)
        return SEENSET_ENOMEM;
    set->generations[set->generation_count++] = (ss_generation){
        .table = ss_set_table(set, plan->layout, plan->size_bits,
                              plan->hash_count, counter_bits, words),
        .capacity_items = plan->capacity_items,
        .fp_rate = plan->fp_rate};
    ss_set_update_fast_path(set);
    return SEENSET_OK;
}

uint64_t ss_set_word_count(const ss_generation *generation)
{
    return ss_table_word_count(&generation->table);
}

void ss_set_free_words(seenset *set, uint32_t i)
{
    ss_generation *generation = &set->generations[i];
    ss_memory_free(&set->memory, generation->table.words,
                   ss_set_word_count(generation),
                   sizeof *generation->table.words);
}

void ss_set_drop_newest(seenset *set)
{
    ss_set_free_words(set, set->generation_count - 1);
    set->generation_count--;
    ss_set_update_fast_path(set);
}

bool ss_set_can_be_single(const seenset *set)
{
    return set->generation_count == 1 && set->window_seconds == 0 &&
           !ss_key_hash_is_keyed(&set->identity);
}

void ss_set_update_fast_path(seenset *set)
{
    bool is_keyed = ss_key_hash_is_keyed(&set->identity);
    set->fast_path_items = 0;
    set->is_single = ss_set_can_be_single(set);
    if (set->is_view || set->is_shared || is_keyed || ss_set_is_sealed(set) ||
        set->generation_count != 1 || set->on_full == SEENSET_ON_FULL_ROTATE)
        return;
    set->fast_path_items = set->on_full == SEENSET_ON_FULL_DEGRADE
                               ? UINT64_MAX
                               : set->generations[0].capacity_items;
}

void seenset_free(seenset *set)
{
    if (set == NULL)
        return;
    while (!set->is_view && set->generation_count > 0)
        ss_set_drop_newest(set);
    ss_checks_end(set);
    ss_map_end(set->mapping, set->mapping_bytes);
    ss_key_hash_wipe(&set->identity);
    ss_memory memory = set->memory;
    ss_memory_free(&memory, set->generations, set->room_count,
                   sizeof *set->generations);
    ss_memory_free(&memory, set, 1, sizeof *set);
}

/* ---- from options ---- */

static bool has_scheme(const seenset_options *options)
{
    return options->scheme > SEENSET_SCHEME_CHAIN;
}

static bool is_size_given(const seenset_options *options)
{
    return options->size_bits != 0 || options->hash_count != 0;
}

static bool is_shared(const seenset_options *options)
{
    return (options->flags & SEENSET_SHARED) != 0;
}

static bool is_sliding(const seenset_options *options)
{
    return (options->flags & SEENSET_SLIDING) != 0;
}

/* The default: grow, where that can be. */
static seenset_on_full choose_on_full(const seenset_options *options)
{
    if (options->on_full != SEENSET_ON_FULL_DEFAULT)
        return options->on_full;
    bool is_fixed = is_size_given(options) ||
                    !ss_layout_find_traits(options->layout)->can_grow ||
                    has_scheme(options) || is_shared(options);
    return is_fixed ? SEENSET_ON_FULL_DEGRADE : SEENSET_ON_FULL_GROW;
}

/* Can a set of this layout, shared or of a given size, do that when full? */
static int check_policy(const seenset_options *options, seenset_on_full on_full)
{
    bool can_grow = ss_layout_find_traits(options->layout)->can_grow;
    bool can_share = ss_layout_find(options->layout, true) != NULL;
    bool is_list =
        on_full == SEENSET_ON_FULL_GROW || on_full == SEENSET_ON_FULL_ROTATE;
    if (on_full != SEENSET_ON_FULL_DEGRADE &&
        on_full != SEENSET_ON_FULL_REFUSE && !is_list)
        return SEENSET_EINVAL;
    if (is_list && is_size_given(options))
        return SEENSET_EINVAL;
    if (is_sliding(options) && on_full != SEENSET_ON_FULL_ROTATE)
        return SEENSET_EINVAL;
    if (is_shared(options) && (!can_share || is_list))
        return SEENSET_EUNSUPPORTED;
    if (!can_grow && is_list)
        return SEENSET_EUNSUPPORTED;
    if (has_scheme(options) &&
        (is_shared(options) || on_full != SEENSET_ON_FULL_DEGRADE))
        return SEENSET_EUNSUPPORTED;
    return SEENSET_OK;
}

static bool are_options_in_range(const seenset_options *options)
{
    const ss_layout_traits *layout = ss_layout_find_traits(options->layout);
    uint32_t bits = options->counter_bits;
    uint32_t generations = options->window_generations;
    uint32_t known_flags = SEENSET_SHARED | SEENSET_SLIDING;
    return (options->flags & ~known_flags) == 0 && layout != NULL &&
           (bits == 0 || (layout->max_counter_bits > 0 &&
                          ss_layout_is_cell_bits(layout, bits))) &&
           generations != 1 && generations <= SS_MAX_GENERATIONS &&
           SS_GROWTH_IS_UNUSED(options) && !layout->is_built_once;
}

/* A size without a promise: full when half the bits are set, if k is given
 * (n = m ln 2 / k), else at 1 %. */
static void choose_promise(seenset_plan *plan)
{
    if (plan->hash_count == 0) {
        plan->fp_rate = 0.01;
        return;
    }
    double items =
        (double)plan->size_bits * 0.69314718055994531 / plan->hash_count;
    plan->capacity_items = items > 1.0 ? (uint64_t)items : 1;
}

/* The plan that the options ask for, defaults filled in. */
static int plan_from_options(seenset_plan *plan, const seenset_options *options)
{
    *plan = (seenset_plan){.layout = options->layout,
                           .capacity_items = options->capacity_items,
                           .fp_rate = options->fp_rate,
                           .size_bits = options->size_bits,
                           .hash_count = options->hash_count};
    if (plan->layout == SEENSET_LAYOUT_DEFAULT && has_scheme(options))
        plan->layout = SEENSET_LAYOUT_BLOOM;
    if (plan->fp_rate == 0.0 && plan->capacity_items == 0 &&
        plan->size_bits != 0)
        choose_promise(plan);
    if (plan->fp_rate == 0.0 && plan->size_bits == 0)
        plan->fp_rate = 0.01;
    if (plan->capacity_items == 0 && plan->size_bits == 0)
        plan->capacity_items = 1000000;
    return seenset_plan_solve(plan);
}

_Static_assert(SS_SCHEME_MAX_SIZE_BITS == SEENSET_MAX_SIZE_BITS &&
                   SS_SCHEME_MAX_INDICES == SEENSET_MAX_HASH_COUNT,
               "a scheme goes as far as a table");

/* Can the scheme make k places below m in tables of that layout? */
static int check_scheme(const seenset_plan *plan, uint32_t scheme)
{
    if (scheme <= SEENSET_SCHEME_CHAIN)
        return SEENSET_OK;
    if (ss_layout_find_foreign(plan->layout) == NULL)
        return SEENSET_EUNSUPPORTED;
    return ss_scheme_find(scheme)->accepts(plan->size_bits, plan->hash_count)
               ? SEENSET_OK
               : SEENSET_EINVAL;
}

int ss_set_specify(ss_set_spec *out, const seenset_options *options)
{
    if (!are_options_in_range(options))
        return SEENSET_EINVAL;
    *out = (ss_set_spec){.kind.on_full = choose_on_full(options),
                         .kind.is_shared = is_shared(options),
                         .kind.is_sliding = is_sliding(options),
                         .cell_bits = 1};
    ss_set_params *kind = &out->kind;
    seenset_plan *plan = &out->first;
    int error = check_policy(options, kind->on_full);
    if (error == SEENSET_OK)
        error =
            ss_key_hash_make(&kind->identity, options->scheme, options->secret,
                             options->index_function, options->index_context);
    if (error == SEENSET_OK)
        error = plan_from_options(plan, options);
    if (error == SEENSET_OK)
        error = check_scheme(plan, options->scheme);
    if (error != SEENSET_OK)
        return error;
    kind->capacity_items = plan->capacity_items;
    kind->fp_rate = plan->fp_rate;
    if (kind->on_full == SEENSET_ON_FULL_ROTATE) {
        kind->window_seconds = options->window_seconds;
        kind->window_generations =
            options->window_generations == 0 ? 5 : options->window_generations;
    }
    out->cell_bits =
        options->counter_bits != 0
            ? options->counter_bits
            : ss_layout_cell_bits(ss_layout_find_traits(plan->layout));
    return ss_generations_plan(plan, kind);
}

/* A set with the first table of its kind. */
static int make_set(seenset **out, const ss_memory *memory,
                    const ss_set_spec *design)
{
    seenset *set;
    int error = ss_set_make(&set, memory, &design->kind, 1);
    if (error != SEENSET_OK)
        return error;
    error = ss_set_append(set, &design->first, design->cell_bits);
    if (error != SEENSET_OK) {
        seenset_free(set);
        return error;
    }
    if (design->kind.window_seconds > 0)
        ss_set_newest(set)->started_seconds = ss_clock_wall_seconds(set->clock);
    *out = set;
    return SEENSET_OK;
}

int seenset_new(seenset **out, const seenset_options *options)
{
    static const seenset_options defaults = {0};
    ss_set_spec design;
    ss_memory memory;
    if (options == NULL)
        options = &defaults;
    if (out == NULL)
        return SEENSET_EINVAL;
    int error = ss_set_specify(&design, options);
    if (error == SEENSET_OK)
        error = ss_memory_init(&memory, options->allocator);
    if (error == SEENSET_OK)
        error = make_set(out, &memory, &design);
    ss_key_hash_wipe(&design.kind.identity);
    return error;
}

/* ---- copied, cleared ---- */

static ss_set_params kind_of(const seenset *set)
{
    return (ss_set_params){.on_full = set->on_full,
                           .capacity_items = set->capacity_items,
                           .fp_rate = set->fp_rate,
                           .window_generations = set->window_generations,
                           .window_seconds = set->window_seconds,
                           .is_sliding = set->is_sliding,
                           .is_shared = set->is_shared,
                           .identity = set->identity};
}

int ss_set_append_copy(seenset *set, const ss_generation *generation)
{
    const ss_table *table = &generation->table;
    seenset_plan plan = {.layout = table->layout->traits->id,
                         .size_bits = table->size_bits,
                         .hash_count = table->hash_count,
                         .capacity_items = generation->capacity_items,
                         .fp_rate = generation->fp_rate};
    int error = ss_set_append(set, &plan, table->cell_bits);
    if (error != SEENSET_OK)
        return error;
    ss_generation *copy = ss_set_newest(set);
    ss_bits_copy(copy->table.words, table->words, ss_table_word_count(table),
                 table->layout->is_shared);
    copy->table.fuse = table->fuse;
    copy->added_items = ss_set_added_items(generation);
    copy->started_seconds = generation->started_seconds;
    copy->noticed_seconds = generation->noticed_seconds;
    return SEENSET_OK;
}

int seenset_copy(seenset **out, const seenset *set)
{
    if (out == NULL || set == NULL)
        return SEENSET_EINVAL;
    ss_set_params kind = kind_of(set);
    seenset *copy = NULL;
    int error = ss_checks_all(set);
    if (error != SEENSET_OK)
        return error;
    error = ss_set_make(&copy, &set->memory, &kind, set->generation_count);
    for (uint32_t i = 0; error == SEENSET_OK && i < set->generation_count; i++)
        error = ss_set_append_copy(copy, &set->generations[i]);
    if (error != SEENSET_OK) {
        seenset_free(copy);
        return error;
    }
    copy->clock = set->clock;
    *out = copy;
    return SEENSET_OK;
}

int seenset_clear(seenset *set)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    if (ss_set_is_sealed(set))
        return SEENSET_EUNSUPPORTED;
    if (set->is_view)
        return SEENSET_EREADONLY;
    while (set->generation_count > 1)
        ss_set_drop_newest(set);
    ss_generation *only = set->generations;
    memset(only->table.words, 0,
           (size_t)ss_set_word_count(only) * sizeof *only->table.words);
    only->added_items = 0;
    only->started_seconds =
        set->window_seconds > 0 ? ss_clock_wall_seconds(set->clock) : 0;
    only->noticed_seconds = 0;
    ss_set_update_fast_path(set);
    return SEENSET_OK;
}
