/*
 * add_stage.c - see add_stage.h.
 *
 * The warning comes once, when the count of keys passes the capacity, with the
 * rate as the set estimates it then; and once if that is, or becomes, too high.
 */
#include "sets/add_stage.h"

#include "command.h"
#include "report/complain.h"
#include "sets/set_batch.h"
#include "sets/setfile.h"
#include "text/units.h"

void add_stage_start(add_stage *into, seenset *set, const char *name)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    bool keeps_rate = info.on_full == SEENSET_ON_FULL_GROW ||
                      info.on_full == SEENSET_ON_FULL_ROTATE;
    *into = (add_stage){.set = set,
                        .name = name,
                        .capacity_items = keeps_rate ? 0 : info.capacity_items,
                        .added_items = info.added_items,
                        .wants_keys = set_batch_wants_keys(set)};
}

void add_stage_set_times(add_stage *into, uint32_t times)
{
    if (times <= 1)
        return;
    into->times = times;
    into->wants_keys = true; /* copies are counted by key */
}

/* With --times, copies of a key are new, too, but not new to the set. */
static void count_added(add_stage *into, uint64_t new_count)
{
    seenset_info info = {0};
    into->added_items += new_count;
    if (into->times > 1 && seenset_get_info(into->set, &info, sizeof info) == 0)
        into->added_items = info.added_items;
}

static void warn_once_if_over(add_stage *into)
{
    if (into->is_over || into->capacity_items == 0 ||
        into->added_items <= into->capacity_items)
        return;
    into->is_over = true;
    seenset_estimate set = {0};
    (void)seenset_get_estimate(into->set, &set, sizeof set);
    complain("%s: past its capacity of %s keys: its false-positive rate is now "
             "%s, and rising (planned: %.4g); start again with a larger -n",
             into->name, units_grouped(into->capacity_items).text,
             units_as_rate(set.current_fp_rate).text, set.fp_rate);
    into->rate.is_told |= rate_watch_is_high(&set);
}

static void warn_once_if_useless(add_stage *into)
{
    seenset_info info = {0};
    seenset_estimate set = {0};
    (void)seenset_get_info(into->set, &info, sizeof info);
    double keys = (double)into->added_items + (double)into->key_count -
                  (double)into->new_count;
    if (!rate_watch_is_due(&into->rate, &info, keys))
        return;
    (void)seenset_get_estimate(into->set, &set, sizeof set);
    rate_watch_tell(&into->rate, into->name, "key", &set);
}

static size_t first_refused(const batch *keys)
{
    size_t i = 0;
    while (i < keys->count && keys->answers[i] != SEENSET_ANSWER_REFUSED)
        i++;
    return i;
}

static void complain_of_refusal(const add_stage *into, const batch *keys)
{
    complain("%s: %s %llu of %s was refused: the set is at its capacity of "
             "%s keys; %s",
             into->name, keys->unit,
             (unsigned long long)(keys->first_number + keys->count),
             keys->input, units_grouped(into->capacity_items).text,
             into->is_in_memory
                 ? "start again with a larger -n, or without --on-full "
                   "refuse"
                 : "what came before was kept; go on from there with a larger "
                   "set that takes in this one ('seenset help merge')");
}

static uint64_t count_new(const batch *keys)
{
    uint64_t count = 0;
    for (size_t i = 0; i < keys->count; i++)
        count += keys->answers[i] == SEENSET_ANSWER_NEW;
    return count;
}

static int add_keys(const add_stage *into, batch *keys)
{
    if (into->add != NULL)
        return set_batch_ask(keys, into->add, into->add_context);
    return into->times > 1 ? set_batch_add_times(into->set, into->times, keys)
                           : set_batch_add(into->set, into->wants_keys, keys);
}

static void complain_of_error(const add_stage *into, int error)
{
    if (error == SET_BATCH_REPORTED)
        return;
    if (error == SEENSET_EUNSUPPORTED)
        complain("%s: sealed, and takes no more keys; seal them all again",
                 into->name);
    else
        setfile_complain(into->name, error);
}

int add_stage_run(add_stage *into, batch *keys)
{
    bool is_stopped = left_out_stop(keys, into->name);
    is_stopped |= replay_follow(&into->replay, keys, into->name);
    int error = add_keys(into, keys);
    if (error != 0 && error != SEENSET_EFULL) {
        batch_cut(keys, 0);
        into->is_unsure = true;
        complain_of_error(into, error);
        return COMMAND_ERROR;
    }
    if (error == SEENSET_EFULL)
        batch_cut(keys, first_refused(keys));
    uint64_t new_count = count_new(keys);
    batch_keep_missing(keys, SEENSET_ANSWER_NEW);
    into->key_count += batch_key_count(keys);
    left_out_take(&into->left_out, keys);
    into->new_count += new_count;
    count_added(into, new_count);
    warn_once_if_over(into);
    warn_once_if_useless(into);
    if (error == SEENSET_EFULL)
        complain_of_refusal(into, keys);
    return error == 0 && !is_stopped ? 0 : COMMAND_ERROR;
}
