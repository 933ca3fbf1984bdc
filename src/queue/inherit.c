/* inherit.c - the options of a new queue that is made of another */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
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

/* What happens when it is full, and in a window when a URL is forgotten. */
static void inherit_policy(seenset_options *to, const seenset_options *from)
{
    if (to->on_full != SEENSET_ON_FULL_DEFAULT)
        return;
    to->on_full = from->on_full;
    to->window_seconds = from->window_seconds;
    to->window_generations = from->window_generations;
    to->flags |= from->flags & SEENSET_SLIDING;
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
           set->secret != NULL || set->on_full == SEENSET_ON_FULL_ROTATE ||
           set->size_bits != 0 || set->hash_count != 0;
}

void ss_inherit_options(seenset_queue_options *to, seenset_options *set,
                        const seenset_queue *from)
{
    const ss_manifest *manifest = &from->manifest;
    if (manifest->is_exact && !asks_for_filter(set))
        to->exact = 1;
    if (to->exact != 0) {
        inherit_exact(set, &manifest->set);
    } else {
        inherit_policy(set, &manifest->set);
        inherit_kind(set, &manifest->set);
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
