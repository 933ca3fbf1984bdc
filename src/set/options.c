/* options.c - what options ask for, and a set that is made so */
#include "set/options.h"

#include "base/growth.h"
#include "plan/shape.h"
#include "set/capacity.h"
#include "set/promise.h"
#include "set/recent.h"
#include "set/window.h"
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

static bool has_scheme(const seenset_options *options)
{
    return options->scheme > SEENSET_SCHEME_CHAIN;
}

static bool is_size_given(const seenset_options *options)
{
    return options->size_bits != 0 || options->hash_count != 0;
}

static bool asks_to_share(const seenset_options *options)
{
    return (options->flags & SEENSET_FLAG_SHARED) != 0;
}

static bool asks_to_slide(const seenset_options *options)
{
    return (options->flags & SEENSET_FLAG_SLIDING) != 0;
}

/* The default: grow, where that can be. */
static seenset_on_full choose_on_full(const seenset_options *options)
{
    if (options->on_full != SEENSET_ON_FULL_DEFAULT)
        return options->on_full;
    bool is_fixed = is_size_given(options) ||
                    !ss_layout_find_traits(options->layout)->can_grow ||
                    has_scheme(options) || asks_to_share(options);
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
    if (asks_to_slide(options) && on_full != SEENSET_ON_FULL_ROTATE)
        return SEENSET_EINVAL;
    if (asks_to_share(options) && (!can_share || is_list))
        return SEENSET_EUNSUPPORTED;
    if (!can_grow && is_list)
        return SEENSET_EUNSUPPORTED;
    if (has_scheme(options) &&
        (asks_to_share(options) || on_full != SEENSET_ON_FULL_DEGRADE))
        return SEENSET_EUNSUPPORTED;
    return SEENSET_OK;
}

static bool are_options_in_range(const seenset_options *options)
{
    const ss_layout_traits *layout = ss_layout_find_traits(options->layout);
    uint32_t bits = options->counter_bits;
    uint32_t generations = options->window_generations;
    uint32_t known_flags = SEENSET_FLAG_SHARED | SEENSET_FLAG_SLIDING |
                           SEENSET_FLAG_ZEROED | SEENSET_FLAG_ANY_RATE;
    return (options->flags & ~known_flags) == 0 && layout != NULL &&
           (bits == 0 || (layout->max_counter_bits > 0 &&
                          ss_layout_is_cell_bits(layout, bits))) &&
           generations != 1 && generations <= SS_MAX_GENERATIONS &&
           options->reserved32 == 0 && SS_GROWTH_IS_UNUSED(options) &&
           !layout->is_built_once && !layout->is_expandable;
}

/* A size without a promise: full when half the bits are set, if k is given
 * (n = m ln 2 / k), or when it has no room for more slots; else at 1 %. */
static void choose_promise(seenset_plan *plan)
{
    if (plan->hash_count == 0) {
        plan->fp_rate = 0.01;
        return;
    }
    double items =
        (double)plan->size_bits * 0.69314718055994531 / plan->hash_count;
    const ss_layout_traits *layout = ss_layout_find_traits(plan->layout);
    if (layout->has_slots && ss_plan_is_hash_count(layout, plan->hash_count))
        items = (double)ss_plan_most_items(plan->layout, plan->size_bits,
                                           plan->hash_count);
    plan->capacity_items = items > 1.0 ? (uint64_t)items : 1;
}

/* The plan that the options ask for, defaults filled in. */
static int plan_from_options(seenset_plan *plan, const seenset_options *options,
                             const ss_key_hash *identity)
{
    *plan = (seenset_plan){.layout = options->layout,
                           .capacity_items = options->capacity_items,
                           .fp_rate = options->fp_rate,
                           .size_bits = options->size_bits,
                           .hash_count = options->hash_count};
    if (plan->fp_rate == 0.0 && plan->capacity_items == 0 &&
        plan->size_bits != 0)
        choose_promise(plan);
    if (plan->fp_rate == 0.0 && plan->size_bits == 0)
        plan->fp_rate = 0.01;
    if (plan->capacity_items == 0 && plan->size_bits == 0)
        plan->capacity_items = 1000000;
    return has_scheme(options)
               ? ss_plan_solve_scheme(plan, ss_scheme_find(identity->scheme),
                                      &identity->arguments)
               : seenset_plan_solve(plan);
}

/* Turns the promise of a whole set (layout, n, p) into the plan of its first
 * table, solved again where the policy splits the promise. */
static int plan_first(seenset_plan *plan, const ss_set_params *kind)
{
    uint64_t full_ones = kind->window_generations - 1;
    if (kind->on_full == SEENSET_ON_FULL_GROW)
        return ss_promise_plan_first(plan, plan->fp_rate);
    if (kind->window_seconds > 0)
        return ss_window_plan_first(plan, kind);
    if (kind->on_full != SEENSET_ON_FULL_ROTATE)
        return SEENSET_OK;
    *plan = (seenset_plan){
        .layout = plan->layout,
        .capacity_items = (plan->capacity_items + full_ones - 1) / full_ones,
        .fp_rate = plan->fp_rate / kind->window_generations};
    return seenset_plan_solve(plan);
}

/* The promise of the whole set, and the plan of its first table. */
static int search_plan(seenset_plan *first, ss_set_params *kind,
                       const seenset_options *options)
{
    int error = plan_from_options(first, options, &kind->identity);
    if (error != SEENSET_OK)
        return error;
    kind->capacity_items = first->capacity_items;
    kind->fp_rate = first->fp_rate;
    return plan_first(first, kind);
}

/* All that the search depends on, where no scheme takes part in it. */
static ss_recent_asked recent_of(const ss_set_params *kind,
                                 const seenset_options *options)
{
    return (ss_recent_asked){.layout = options->layout,
                             .on_full = kind->on_full,
                             .capacity_items = options->capacity_items,
                             .fp_rate = options->fp_rate,
                             .size_bits = options->size_bits,
                             .hash_count = options->hash_count,
                             .window_generations = kind->window_generations,
                             .window_seconds = kind->window_seconds};
}

/* The same; what was found for equal options is not sought again. */
static int plan_tables(seenset_plan *first, ss_set_params *kind,
                       const seenset_options *options)
{
    if (has_scheme(options))
        return search_plan(first, kind, options);
    ss_recent_found found;
    ss_recent_asked asked = recent_of(kind, options);
    if (ss_recent_find(&asked, &found)) {
        kind->capacity_items = found.capacity_items;
        kind->fp_rate = found.fp_rate;
        *first = found.first;
        return SEENSET_OK;
    }
    int error = search_plan(first, kind, options);
    if (error != SEENSET_OK)
        return error;
    found = (ss_recent_found){.capacity_items = kind->capacity_items,
                              .fp_rate = kind->fp_rate,
                              .first = *first};
    ss_recent_keep(&asked, &found);
    return SEENSET_OK;
}

_Static_assert(SS_SCHEME_MAX_SIZE_BITS == SEENSET_MAX_SIZE_BITS &&
                   SS_SCHEME_MAX_INDICES == SEENSET_MAX_HASH_COUNT,
               "a scheme goes as far as a table");

int ss_set_identify(ss_key_hash *out, const seenset_options *options)
{
    uint32_t id =
        has_scheme(options) ? (uint32_t)options->scheme : SS_SCHEME_CHAIN;
    const ss_scheme *scheme = ss_scheme_find(id);
    ss_scheme_arguments arguments;
    int error = SEENSET_EINVAL;
    if (scheme != NULL)
        error = ss_scheme_read_arguments(&arguments, scheme,
                                         options->scheme_arguments);
    if (error != SEENSET_OK)
        return error;
    arguments.caller = (ss_scheme_caller){.function = options->index_function,
                                          .context = options->index_context};
    return ss_key_hash_make(out, id, options->secret, &arguments);
}

int ss_set_specify(ss_set_spec *out, const seenset_options *options)
{
    if (!are_options_in_range(options))
        return SEENSET_EINVAL;
    *out = (ss_set_spec){.kind.on_full = choose_on_full(options),
                         .kind.is_shared = asks_to_share(options),
                         .kind.is_sliding = asks_to_slide(options),
                         .cell_bits = 1};
    ss_set_params *kind = &out->kind;
    int error = check_policy(options, kind->on_full);
    if (error == SEENSET_OK)
        error = ss_set_identify(&kind->identity, options);
    if (error != SEENSET_OK)
        return error;
    if (kind->on_full == SEENSET_ON_FULL_ROTATE) {
        kind->window_seconds = options->window_seconds;
        kind->window_generations =
            options->window_generations == 0 ? 5 : options->window_generations;
    }
    error = plan_tables(&out->first, kind, options);
    if (error == SEENSET_OK)
        out->cell_bits =
            options->counter_bits != 0
                ? options->counter_bits
                : ss_layout_cell_bits(ss_layout_find_traits(out->first.layout));
    return error;
}

int ss_set_check_rate(const ss_set_spec *spec, const seenset_options *options)
{
    bool is_chosen = options->capacity_items == 0 || options->size_bits == 0 ||
                     options->fp_rate > 0.0 ||
                     (options->flags & SEENSET_FLAG_ANY_RATE) != 0;
    return is_chosen || spec->kind.fp_rate <= SEENSET_MOST_RATE ? SEENSET_OK
                                                                : SEENSET_ERATE;
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
        error = ss_set_check_rate(&design, options);
    if (error == SEENSET_OK)
        error = ss_memory_init(&memory, options->allocator);
    memory.is_zeroed = (options->flags & SEENSET_FLAG_ZEROED) != 0;
    if (error == SEENSET_OK)
        error = make_set(out, &memory, &design);
    if (error == SEENSET_OK)
        ss_capacity_watch(*out, options->at_capacity,
                          options->at_capacity_context);
    ss_key_hash_wipe(&design.kind.identity);
    return error;
}
