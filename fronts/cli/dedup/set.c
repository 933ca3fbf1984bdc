/*
 * set.c - see set.h.
 */
#define _GNU_SOURCE /* access */
#include "dedup/set.h"

#include <errno.h>
#include <unistd.h>

#include "command.h"
#include "commands/wanted_set.h"
#include "report/complain.h"
#include "sets/sample.h"
#include "sets/setfile.h"
#include "text/options.h"
#include "text/units.h"

#define DEFAULT_CAPACITY_ITEMS UINT64_C(10000000)
#define DEFAULT_FP_RATE 1e-6
#define NOTED_FP_RATE 1e-3 /* of a set that exists, if it is over this */

/* The narrowest counters that count so far. */
static uint32_t bits_to_count(uint32_t times)
{
    uint32_t bits = 2;
    while ((UINT32_C(1) << bits) - 1 < times)
        bits++;
    return bits;
}

/* Can the set of the file count the copies of a line? */
static int check_times(const dedup *work)
{
    seenset_info info = {0};
    (void)seenset_get_info(work->set, &info, sizeof info);
    if (work->times <= 1)
        return 0;
    if (info.counter_bits == 0) {
        complain("%s: has no counters, so --times cannot use it; leave out "
                 "--times, or give another file",
                 work->set_path);
        return COMMAND_ERROR;
    }
    if (bits_to_count(work->times) <= info.counter_bits)
        return 0;
    complain("%s: its counters of %u bits count to %u, and --times %u needs "
             "%u bits; give another file, or a smaller N",
             work->set_path, info.counter_bits,
             (UINT32_C(1) << info.counter_bits) - 1, work->times,
             bits_to_count(work->times));
    return COMMAND_ERROR;
}

/* About how many distinct lines a growing set should expect, if that may be
 * more than was planned; 0: not known. */
static uint64_t expected_lines(const dedup *work,
                               const seenset_options *planned)
{
    bool grows = work->window.capacity_items == 0 && work->times <= 1 &&
                 (work->on_full == SEENSET_ON_FULL_DEFAULT ||
                  work->on_full == SEENSET_ON_FULL_GROW);
    if (!grows || work->normalises || fields_are_used(&work->fields))
        return 0;
    uint64_t expected = sample_different_lines(
        work->paths, work->path_count, work->separator, work->mode,
        planned->capacity_items, planned->fp_rate);
    return expected / (work->shard.count > 1 ? work->shard.count : 1);
}

/* Without -n the set is for as many lines as are expected. A number that was
 * given holds, until there are more. *options: then what the set was made
 * with; *told: what it was told, or 0. */
static int new_set(dedup *work, seenset_options *options, const char *name,
                   uint64_t *told)
{
    seenset_options wide = *options;
    wide.capacity_items = expected_lines(work, options);
    *told = 0;
    if (work->capacity_items == 0 &&
        wide.capacity_items > options->capacity_items &&
        seenset_new(&work->set, &wide) == 0) {
        *options = wide;
        return 0;
    }
    int status = setfile_new(&work->set, options, name);
    if (status == 0 && wide.capacity_items > 0 &&
        seenset_expect(work->set, wide.capacity_items) == 0)
        *told = wide.capacity_items;
    return status;
}

/* A set that is in no file, and grows, need not grow in place. */
static void follow(dedup *work, const seenset_options *options, uint64_t told)
{
    seenset_info info = {0};
    (void)seenset_get_info(work->set, &info, sizeof info);
    if (work->set_path == NULL && info.on_full == SEENSET_ON_FULL_GROW)
        dedup_room_start(&work->room, &work->into, options, told);
}

static seenset_options set_options(const dedup *work)
{
    seenset_options options = work->window;
    if (options.capacity_items == 0)
        options.capacity_items = work->capacity_items;
    options.fp_rate = work->fp_rate;
    if (options.capacity_items == 0)
        options.capacity_items = DEFAULT_CAPACITY_ITEMS;
    if (options.fp_rate == 0)
        options.fp_rate = DEFAULT_FP_RATE;
    if (work->on_full != SEENSET_ON_FULL_DEFAULT)
        options.on_full = work->on_full;
    return options;
}

static int make_set(dedup *work)
{
    seenset_options options = set_options(work);
    const char *name = work->set_path != NULL ? work->set_path : "dedup";
    if (work->times > 1) {
        options.layout = SEENSET_LAYOUT_COUNTING;
        options.counter_bits = bits_to_count(work->times);
    }
    if (work->is_window_bare)
        options_say_window(name, options.capacity_items, "lines");
    if (work->is_dry_run)
        work->secret.secret_path = NULL; /* nothing is made */
    int status = new_secret_prepare(
        &work->secret, dedup_saves(work) ? work->set_path : NULL, &options);
    uint64_t told = 0;
    if (status == 0)
        status = new_set(work, &options, name, &told);
    if (status == 0) {
        add_stage_start(&work->into, work->set, name);
        follow(work, &options, told);
    }
    work->into.is_in_memory = work->set_path == NULL;
    return status;
}

/* A set that 'seenset new' made as it makes them is for 1 %, which dedup by
 * itself never is. Once: before it has lines. */
static void say_rate(const dedup *work)
{
    seenset_info info = {0};
    (void)seenset_get_info(work->set, &info, sizeof info);
    if (work->fp_rate == 0 && info.fp_rate > NOTED_FP_RATE &&
        info.added_items == 0)
        complain("%s: was made for a rate of %s, and drops new lines that "
                 "often; dedup makes sets for %g; -p %g avoids this message",
                 work->set_path, units_as_rate(info.fp_rate).text,
                 DEFAULT_FP_RATE, info.fp_rate);
}

static int open_or_make(dedup *work)
{
    if (work->set_path == NULL)
        return make_set(work);
    if (access(work->set_path, F_OK) != 0 && errno == ENOENT)
        return make_set(work);
    int status = setfile_open(&work->set, work->set_path, SEENSET_OPEN_APPEND,
                              work->secret.secret_path);
    const wanted_set what = {.path = work->set_path,
                             .capacity_items = work->capacity_items,
                             .fp_rate = work->fp_rate,
                             .on_full = work->on_full,
                             .is_keyed = work->secret.is_keyed,
                             .window = &work->window};
    if (status == 0)
        status = wanted_set_check(&what, work->set);
    if (status == 0)
        status = check_times(work);
    if (status == 0)
        say_rate(work);
    if (status == 0)
        add_stage_start(&work->into, work->set, work->set_path);
    return status;
}

int dedup_open_set(dedup *work)
{
    int status = open_or_make(work);
    if (status == 0)
        add_stage_set_times(&work->into, work->times);
    return status == 0 ? replay_start(&work->into.replay, &work->fields,
                                      work->set, work->into.name)
                       : status;
}

int dedup_save_set(dedup *work)
{
    if (!dedup_saves(work))
        return 0;
    if (work->into.is_unsure) {
        complain("%s: the set was not saved", work->set_path);
        return COMMAND_ERROR;
    }
    int status = setfile_append(work->set, work->set_path);
    work->is_saved = work->is_saved || status == 0;
    return status;
}
