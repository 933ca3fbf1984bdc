/*
 * run.c - see run.h.
 */
#include "dedup/run.h"

#include <errno.h>
#include <string.h>

#include "command.h"
#include "dedup/set.h"
#include "report/complain.h"
#include "report/progress.h"
#include "sets/set_batch.h"
#include "stream/pipeline.h"
#include "stream/stop.h"
#include "system/temporary.h"

static const char *input_name(const dedup *work)
{
    return strcmp(*work->path, "-") == 0 ? "standard input" : *work->path;
}

/*
 * The read stage, from file to file. After an error, or for a pause, it ends
 * as if the input had ended, so that the lines before that are still printed.
 */
static int read_batch(void *context, batch *into)
{
    dedup *work = context;
    into->shard = work->shard;
    into->wide_secret = work->exact.is_wanted ? work->exact.secret : NULL;
    for (; *work->path != NULL; work->path++) {
        int got = 1;
        if (!work->is_open)
            got = lines_open(&work->reader, *work->path) == 0 ? 1 : -1;
        work->is_open = true;
        /* of the last file only: the others are closed meanwhile */
        work->reader.may_cut = work->may_cut && work->path[1] == NULL;
        if (got == 1)
            got = lines_next(&work->reader, into);
        if (got < 0)
            work->input_error = errno;
        into->input = input_name(work);
        work->is_paused = got == LINES_LATER;
        work->pause.line_count += got == 1 ? into->count : 0;
        if (got != 0)
            return got == 1;
        work->is_open = false;
    }
    return 0;
}

/* Where the hash stage reads lines, the reader does not know how many. */
static void number_lines(dedup *work, batch *keys)
{
    if (keys->first_number == 1)
        work->numbered = 0;
    keys->first_number = work->numbered + 1;
    work->numbered += keys->count;
}

static int filter_batch(void *context, batch *keys)
{
    dedup *work = context;
    if (keys->source.has_failed) {
        work->unread_error = keys->error;
        work->unread_name = keys->input;
        return COMMAND_ERROR;
    }
    if (work->may_cut)
        number_lines(work, keys);
    work->status = add_stage_run(&work->into, keys);
    if (work->status == 0 && work->room.is_followed) {
        dedup_room_follow(&work->room, &work->into, keys);
        work->set = work->into.set;
    }
    return work->status;
}

/* Each batch is written at once: a program may be waiting for its answer. */
static int write_batch(void *context, const batch *keys)
{
    dedup *work = context;
    watch_count(&work->watching, keys);
    if (!work->wants_counts)
        output_put_answered(&work->outputs.lines.out, keys,
                            work->wants_repeats ? 0 : 1);
    if (work->outputs.repeats.is_open)
        output_put_answered(&work->outputs.repeats.out, keys, 0);
    int error = dedup_outputs_flush(&work->outputs);
    if (error == 0 && work->exact.is_wanted)
        error = exact_take(&work->exact, keys);
    return error;
}

static void run_stages(dedup *work)
{
    const pipeline_stages stages = {
        .context = work,
        .read = read_batch,
        .hash = set_batch_prepare(work->into.wants_keys, work->normalises),
        .filter = filter_batch,
        .write = write_batch};
    if (pipeline_run(&stages, work->thread_count) == 0)
        return;
    complain("dedup: %s", strerror(errno));
    work->status = COMMAND_ERROR;
}

/* In a pause, when all lines that were read are written. Returns whether to
 * read on. */
static bool save_between(dedup *work)
{
    if (work->status != 0 || dedup_outputs_sync(&work->outputs) != 0)
        return false;
    work->has_save_failed = dedup_save_set(work) != 0;
    read_pause_restart(&work->pause);
    return !work->has_save_failed;
}

/* Of an input that cannot be read to its end. */
static const char *consequence(const dedup *work)
{
    bool replaces = dedup_outputs_replace(&work->outputs);
    if (dedup_saves(work))
        return replaces ? "; no file was replaced, and the set was not saved"
                        : "; the set was not saved";
    return replaces ? "; no file was replaced" : "";
}

/* One thread is as fast without. */
static bool can_cut(const dedup *work)
{
    return work->thread_count > 1 && !work->normalises &&
           !fields_are_used(&work->fields) && work->pause.every_lines == 0 &&
           work->pause.every_seconds == 0;
}

/* What ended the reading, in words. */
static void complain_of_input(dedup *work)
{
    const char *name = work->unread_name;
    if (name == NULL)
        name = input_name(work);
    if (work->may_cut && work->reader.given > 0)
        work->reader.separators = work->numbered;
    complain("%s: %s%s", name,
             lines_error(&work->reader, work->input_error).text,
             consequence(work));
}

/* Lines that were wrongly called seen are printed, also if the input ended by
 * an error or a signal: then those of the lines before that. */
static void print_late(dedup *work)
{
    exact *with = &work->exact;
    if (dedup_outputs_failed(&work->outputs) != NULL)
        return;
    if (exact_finish(with, &work->outputs.lines.out) == 0) {
        work->into.new_count += with->late_count;
        return;
    }
    const char *loss = dedup_outputs_replace(&work->outputs)
                           ? "no file was replaced"
                           : "the output is not complete";
    if (with->error == ENOMEM)
        complain("dedup: --exact needs some 70 MB of memory beside the set: "
                 "%s; %s",
                 strerror(with->error), loss);
    else
        complain("dedup: lines that --exact checks in the end cannot be kept "
                 "in %s: %s; %s; in TMPDIR, name a folder with room for a copy "
                 "of the input",
                 temporary_folder(), strerror(with->error), loss);
    work->status = COMMAND_ERROR;
}

void dedup_run(dedup *work)
{
    work->path = work->paths;
    /* A line too long for memory is not a URL, and is not printed. */
    work->reader.wants_bytes =
        fields_are_used(&work->fields) ||
        (!work->normalises && (work->into.wants_keys || !work->wants_counts ||
                               work->exact.is_wanted));
    bool prints_lines = !work->wants_counts && work->outputs.lines.path == NULL;
    work->watching.total_bytes = progress_total(work->paths, work->path_count);
    watch_start(&work->watching, prints_lines);
    work->may_cut = can_cut(work);
    do
        run_stages(work);
    while (work->is_paused && stop_signal() == 0 && save_between(work));
    print_late(work);
    watch_end(&work->watching);
    if (work->unread_error != 0)
        work->input_error = work->unread_error;
    /* An error of an earlier stage was reported already, and came first. */
    if (work->status != 0 || dedup_outputs_failed(&work->outputs) != NULL)
        work->input_error = 0;
    if (work->input_error != 0)
        complain_of_input(work);
}
