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
    for (; *work->path != NULL; work->path++) {
        int got = 1;
        if (!work->is_open)
            got = lines_open(&work->reader, *work->path) == 0 ? 1 : -1;
        work->is_open = true;
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

static int filter_batch(void *context, batch *keys)
{
    dedup *work = context;
    work->status = add_stage_run(&work->into, keys);
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
    return dedup_outputs_flush(&work->outputs);
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

void dedup_run(dedup *work)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path, NULL};
    char **paths = work->path_count > 0 ? work->paths : stdin_paths;
    int path_count = work->path_count > 0 ? work->path_count : 1;
    work->path = paths;
    /* A line too long for memory is not a URL, and is not printed. */
    work->reader.wants_bytes =
        fields_are_used(&work->fields) ||
        (!work->normalises && (work->into.wants_keys || !work->wants_counts));
    bool prints_lines = !work->wants_counts && work->outputs.lines.path == NULL;
    work->watching.total_bytes = progress_total(paths, path_count);
    watch_start(&work->watching, prints_lines);
    do
        run_stages(work);
    while (work->is_paused && stop_signal() == 0 && save_between(work));
    watch_end(&work->watching);
    /* An error of an earlier stage was reported already, and came first. */
    if (work->status != 0 || dedup_outputs_failed(&work->outputs) != NULL)
        work->input_error = 0;
    if (work->input_error != 0)
        complain("%s: %s%s", input_name(work),
                 lines_error(&work->reader, work->input_error).text,
                 consequence(work));
}
