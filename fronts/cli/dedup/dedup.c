/*
 * dedup.c - prints each line the first time it is seen, in order.
 *
 * A false positive loses a line, so the default rate is one in a million. With
 * --set the lines that were seen are remembered from run to run, and the order
 * of the last steps matters. The set is saved only after every line was written
 * without an error and, where the output is a file, is on the disk: if the
 * machine stops in between, the next run prints the same lines again, and no
 * line is lost. (If the output is a pipe, its reader has to keep the lines.)
 *
 * A stream may never end. So the set is also saved when a signal stops the
 * command and, with --save-every, in pauses: the read stage ends as if the
 * input had ended, all lines go through the other stages, the set is saved, and
 * the stages start again where the reader stopped.
 */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "dedup/options.h"
#include "dedup/report.h"
#include "dedup/run.h"
#include "dedup/set.h"
#include "report/complain.h"
#include "stream/pipeline.h"
#include "stream/stop.h"

/* From here on signals stop the reader, and saves pause it. */
static int watch(dedup *work)
{
    if (stop_arm() != 0) {
        complain("dedup: %s", strerror(errno));
        return COMMAND_ERROR;
    }
    read_pause_restart(&work->pause);
    work->reader.wait = read_pause_wait;
    work->reader.wait_context = &work->pause;
    return 0;
}

static int prepare(dedup *work)
{
    if (lines_init(&work->reader, work->separator) != 0 ||
        output_init(&work->out) != 0) {
        complain("dedup: %s", strerror(errno));
        return COMMAND_ERROR;
    }
    work->reader.input.mode = work->mode;
    if (work->set_path == NULL)
        return dedup_open_set(work);
    int status = lock_take(&work->held, work->set_path);
    if (status == 0)
        status = dedup_open_set(work);
    return status == 0 ? watch(work) : status;
}

static void free_all(dedup *work)
{
    progress_clear(&work->bar);
    output_free(&work->out);
    lines_free(&work->reader);
    seenset_free(work->set);
    new_secret_finish(&work->secret, work->set_path == NULL || work->is_saved);
    lock_release(&work->held);
}

static int complain_of_loss(const dedup *work)
{
    complain_of_output(&work->out, work->set_path != NULL
                                       ? "the set was not saved"
                                       : "the output is not complete");
    return COMMAND_ERROR;
}

/* Saves, if everything was written; the lines before a refused line are saved
 * too. */
static int finish(dedup *work)
{
    if (work->has_save_failed)
        return COMMAND_ERROR;
    if (work->out.error != 0)
        return complain_of_loss(work);
    if (work->input_error != 0)
        return COMMAND_ERROR;
    if (work->wants_counts && dedup_print_counts(&work->into) != 0)
        return COMMAND_ERROR;
    if (work->set_path != NULL && output_sync(&work->out) != 0)
        return complain_of_loss(work);
    if (dedup_save_set(work) != 0)
        return COMMAND_ERROR;
    if (work->wants_stats)
        dedup_print_stats(&work->into, work->set_path != NULL);
    if (work->status == 0)
        work->status = audit_report(&work->audit, work->set, work->into.name);
    return work->status;
}

int command_dedup(int argc, char **argv)
{
    dedup work = {.separator = '\n',
                  .thread_count = pipeline_default_threads(),
                  .held = LOCK_FREE};
    dedup_read_options(&work, argc, argv);
    int status = prepare(&work);
    if (status == 0) {
        dedup_run(&work);
        status = left_out_finish(&work.into.left_out, work.into.name,
                                 work.is_strict, finish(&work));
    }
    free_all(&work);
    return status == 0 && stop_signal() != 0 ? stop_die() : status;
}
