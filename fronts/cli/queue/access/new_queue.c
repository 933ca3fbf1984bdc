/*
 * new_queue.c - see new_queue.h.
 */
#include "queue/access/new_queue.h"

#include "text/options.h"

/* Joins --window with the other options. */
static void apply_window(arguments *state, new_queue *to)
{
    seenset_options *set = &to->set;
    if (set->flags != 0 && !to->has_window)
        arguments_refuse(state, "--sliding is for --window");
    if (!to->has_window)
        return;
    if (set->on_full != SEENSET_ON_FULL_DEFAULT)
        arguments_refuse(state,
                         "--window and --on-full both say what is forgotten");
    if (to->window.capacity_items != 0 && set->capacity_items != 0)
        arguments_refuse(state, "-n and --window both say how many URLs");
    set->on_full = SEENSET_ON_FULL_ROTATE;
    set->window_seconds = to->window.window_seconds;
    if (to->window.capacity_items != 0)
        set->capacity_items = to->window.capacity_items;
}

/* An exact queue has no filter, whose options the library would refuse. */
static void check_exact(arguments *state, const new_queue *to)
{
    const seenset_options *set = &to->set;
    if (to->is_exact &&
        (set->layout != SEENSET_LAYOUT_DEFAULT || set->scheme != 0 ||
         set->scheme_arguments != NULL || set->size_bits != 0 ||
         set->hash_count != 0 || to->has_window || to->is_keyed))
        arguments_refuse(state,
                         "--exact is for no -m, -k, --layout, --scheme, "
                         "--seed, --seeds, --units, --window or --keyed");
}

/* A remake that names no scheme keeps that of its queue, which is read later.
 */
static void check_arguments(arguments *state, const new_queue *to)
{
    bool is_known = !to->is_remake || to->set.scheme != 0;
    const char *wrong =
        is_known ? schemes_argument_conflict(&to->set, to->is_keyed) : NULL;
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
}

void new_queue_check(arguments *state, new_queue *to)
{
    apply_window(state, to);
    check_exact(state, to);
    check_arguments(state, to);
}

int new_queue_parse(int key, char *text, arguments *state, new_queue *to)
{
    seenset_options *set = &to->set;
    switch (key) {
    case 'n':
        set->capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        set->fp_rate = options_rate(state, "-p", text);
        return 0;
    case 'm':
        set->size_bits = options_bits(state, "-m", text);
        return 0;
    case 'k':
        set->hash_count =
            options_small(state, "-k", text, SEENSET_MAX_HASH_COUNT);
        return 0;
    case QUEUE_OPTION_ON_FULL:
        set->on_full = options_on_full(state, text);
        return 0;
    case QUEUE_OPTION_EXACT:
        to->is_exact = true;
        return 0;
    case QUEUE_OPTION_NORMALISE:
        to->normalise = options_normalise(state, text)
                            ? SEENSET_QUEUE_NORMALISE_URL
                            : SEENSET_QUEUE_NORMALISE_OFF;
        return 0;
    case OPTION_KEYED:
        to->is_keyed = true;
        return 0;
    case OPTION_LAYOUT:
        set->layout = options_new_layout(state, text);
        return 0;
    case OPTION_WINDOW:
        to->has_window = true;
        to->is_window_bare = options_window(state, text, &to->window);
        return 0;
    case OPTION_SLIDING:
        set->flags = SEENSET_FLAG_SLIDING;
        return 0;
    default:
        return schemes_parse(key, text, state, &to->scheme, set);
    }
}

void new_queue_say(const char *dir, const new_queue *made)
{
    if (made->is_window_bare)
        options_say_window(dir, made->set.capacity_items, "URLs");
}
