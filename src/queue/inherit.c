/* inherit.c - the options of a new queue that is made of another */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/inherit.h"

static void inherit_promise(seenset_options *to, const seenset_options *from)
{
    if (to->capacity_items == 0)
        to->capacity_items = from->capacity_items;
    if (to->fp_rate == 0.0)
        to->fp_rate = from->fp_rate;
}

/* What a filter is sized by; one part alone may replace the others. */
static void inherit_size(seenset_options *to, const seenset_options *from)
{
    bool is_sized = to->size_bits != 0 || to->hash_count != 0;
    bool is_planned = to->capacity_items != 0 || to->fp_rate != 0.0;
    if (is_sized)
        return;
    if (!is_planned) {
        to->size_bits = from->size_bits;
        to->hash_count = from->hash_count;
        to->flags |= SEENSET_FLAG_ANY_RATE; /* as it was */
    }
    inherit_promise(to, from);
}

/* A layout, with what belongs to it. */
static void inherit_kind(seenset_options *to, const seenset_options *from)
{
    if (to->layout != SEENSET_LAYOUT_DEFAULT || to->scheme != 0)
        return;
    to->layout = from->layout;
    to->scheme = from->scheme;
    to->index_function = from->index_function;
    to->index_context = from->index_context;
    if (to->counter_bits == 0)
        to->counter_bits = from->counter_bits;
}

/* What a scheme is given goes with it. One that is named has what it is given
 * with its name, and no more; else each argument is as it was. */
static void inherit_arguments(seenset_options *to,
                              seenset_scheme_arguments *room,
                              const ss_manifest *from)
{
    const seenset_scheme_arguments old = ss_arguments_lend(&from->arguments);
    if (ss_manifest_scheme(to) != ss_manifest_scheme(&from->set))
        return;
    *room = (seenset_scheme_arguments){0};
    if (to->scheme_arguments != NULL)
        *room = *to->scheme_arguments;
    if (room->seed == 0 && to->secret == NULL)
        room->seed = old.seed;
    if (room->unit_bits == 0)
        room->unit_bits = old.unit_bits;
    if (room->seeds == NULL) {
        room->seeds = old.seeds;
        room->seed_count = old.seed_count;
    }
    to->scheme_arguments = room;
}

/* What happens when it is full, and in a window when a URL is forgotten. */
static void inherit_policy(seenset_options *to, const seenset_options *from)
{
    if (to->on_full != SEENSET_ON_FULL_DEFAULT)
        return;
    to->on_full = from->on_full;
    to->window_seconds = from->window_seconds;
    to->window_generations = from->window_generations;
    to->flags |= from->flags & SEENSET_FLAG_SLIDING;
}

/* An exact set has a capacity, a rate that is kept for others, and a policy. */
static void inherit_exact(seenset_options *to, const seenset_options *from)
{
    inherit_promise(to, from);
    if (to->on_full == SEENSET_ON_FULL_DEFAULT &&
        from->on_full != SEENSET_ON_FULL_ROTATE)
        to->on_full = from->on_full;
}

static bool asks_for_filter(const seenset_options *set)
{
    return set->layout != SEENSET_LAYOUT_DEFAULT || set->scheme != 0 ||
           ss_arguments_are_asked(set->scheme_arguments) ||
           set->secret != NULL || set->on_full == SEENSET_ON_FULL_ROTATE ||
           set->size_bits != 0 || set->hash_count != 0;
}

void ss_inherit_options(seenset_queue_options *to, seenset_options *set,
                        seenset_scheme_arguments *arguments,
                        const seenset_queue *from)
{
    const ss_manifest *manifest = &from->manifest;
    bool has_named_scheme = set->scheme != SEENSET_SCHEME_DEFAULT;
    if (manifest->is_exact && !asks_for_filter(set))
        to->flags |= SEENSET_QUEUE_EXACT;
    if ((to->flags & SEENSET_QUEUE_EXACT) != 0) {
        inherit_exact(set, &manifest->set);
    } else {
        inherit_policy(set, &manifest->set);
        inherit_kind(set, &manifest->set);
        if (!has_named_scheme)
            inherit_arguments(set, arguments, manifest);
        inherit_size(set, &manifest->set);
        if (set->secret == NULL)
            set->secret = from->seen.set.options.secret;
    }
    to->set = set;
    if (to->normalise == SEENSET_QUEUE_NORMALISE_DEFAULT)
        to->normalise = manifest->normalise;
    if (to->segment_bytes == 0)
        to->segment_bytes = manifest->segment_bytes;
}

bool ss_inherit_is_off(const seenset_queue_politeness *politeness)
{
    if (politeness == NULL || politeness->flags != SEENSET_QUEUE_NOT_POLITE)
        return false;
    seenset_queue_politeness others = *politeness;
    others.flags = 0;
    return ss_rules_are_valid(&others) && others.by == 0 &&
           others.host_leases == 0 && others.budget == 0 &&
           !(others.delay_seconds > 0);
}

void ss_inherit_politeness(seenset_queue_options *to,
                           seenset_queue_politeness *room,
                           const seenset_queue *from)
{
    if (ss_inherit_is_off(to->politeness)) {
        to->politeness = NULL;
        return;
    }
    if (to->politeness != NULL || !from->manifest.is_polite)
        return;
    *room = ss_rules_as_asked(&from->manifest.rules);
    to->politeness = room;
}
