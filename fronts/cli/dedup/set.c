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
#include "sets/setfile.h"
#include "text/options.h"

#define DEFAULT_CAPACITY_ITEMS UINT64_C(10000000)
#define DEFAULT_FP_RATE 1e-6
#define NO_CAPACITY 0 /* a set that grows: no warning that it is full */

static int make_set(dedup *work)
{
    seenset_options options = work->window;
    if (options.capacity_items == 0)
        options.capacity_items = work->capacity_items;
    options.fp_rate = work->fp_rate;
    if (options.capacity_items == 0)
        options.capacity_items = DEFAULT_CAPACITY_ITEMS;
    if (options.fp_rate == 0)
        options.fp_rate = DEFAULT_FP_RATE;
    const char *name = work->set_path != NULL ? work->set_path : "dedup";
    if (work->is_window_bare)
        options_say_window(name, options.capacity_items, "lines");
    int status = new_secret_prepare(&work->secret, work->set_path, &options);
    if (status == 0)
        status = setfile_new(&work->set, &options, name);
    if (status == 0)
        add_stage_start_empty(&work->into, work->set, name, NO_CAPACITY);
    return status;
}

int dedup_open_set(dedup *work)
{
    if (work->set_path == NULL)
        return make_set(work);
    if (access(work->set_path, F_OK) != 0 && errno == ENOENT)
        return make_set(work);
    int status = setfile_open(&work->set, work->set_path, SEENSET_OPEN_COPY,
                              work->secret.secret_path);
    const wanted_set what = {.path = work->set_path,
                             .capacity_items = work->capacity_items,
                             .fp_rate = work->fp_rate,
                             .is_keyed = work->secret.is_keyed,
                             .window = &work->window};
    if (status == 0)
        status = wanted_set_check(&what, work->set);
    if (status == 0)
        add_stage_start(&work->into, work->set, work->set_path);
    return status;
}

int dedup_save_set(dedup *work)
{
    if (work->set_path == NULL)
        return 0;
    if (work->into.is_unsure) {
        complain("%s: the set was not saved", work->set_path);
        return COMMAND_ERROR;
    }
    int status = setfile_save(work->set, work->set_path);
    work->is_saved = work->is_saved || status == 0;
    return status;
}
