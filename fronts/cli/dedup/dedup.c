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
#include "sets/setfile.h"
#include "stream/pipeline.h"
#include "stream/stop.h"
#include "system/asked.h"
#include "system/temporary.h"

/* From here on signals stop the reader, and saves pause it. Lines that --exact
 * prints in the end are printed then, too. */
static int arm(dedup *work)
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

/* Repeats do not replace what is read, not even by -v -o. */
static int spare_inputs(const dedup *work)
{
    const dedup_outputs *to = &work->outputs;
    int status = dedup_outputs_spare(to->repeats.path, "--repeats-to",
                                     work->paths, work->path_count);
    if (status == 0 && work->wants_repeats)
        status = dedup_outputs_spare(to->lines.path, "-o", work->paths,
                                     work->path_count);
    return status;
}

static int start_exact(dedup *work)
{
    if (exact_start(&work->exact, !work->wants_counts) == 0)
        return 0;
    if (errno == ENOMEM)
        complain("dedup: --exact needs some 70 MB of memory beside the set: %s",
                 strerror(errno));
    else
        complain("dedup: --exact needs temporary files in %s: %s; name another "
                 "folder in TMPDIR",
                 temporary_folder(), strerror(errno));
    return COMMAND_ERROR;
}

static int prepare(dedup *work)
{
    int status = 0;
    if (lines_init(&work->reader, work->separator) != 0 ||
        fields_attach(&work->fields, &work->reader) != 0) {
        complain("dedup: %s", strerror(errno));
        return COMMAND_ERROR;
    }
    work->reader.input.mode = work->mode;
    status = spare_inputs(work);
    if (status == 0 && dedup_saves(work))
        status = lock_take(&work->held, work->set_path);
    if (status == 0)
        status = dedup_open_set(work);
    if (status == 0)
        status = dedup_outputs_open(&work->outputs, work->set_path);
    if (status == 0)
        status = start_exact(work);
    bool is_kept = dedup_saves(work) || work->exact.is_wanted ||
                   dedup_outputs_replace(&work->outputs);
    return status == 0 && is_kept ? arm(work) : status;
}

static void free_all(dedup *work)
{
    dedup_outputs_free(&work->outputs);
    lines_free(&work->reader);
    fields_free(&work->fields);
    dedup_room_free(&work->room);
    exact_free(&work->exact);
    seenset_free(work->set);
    new_secret_finish(&work->secret, !dedup_saves(work) || work->is_saved);
    lock_release(&work->held);
}

static int complain_of_loss(const dedup *work)
{
    complain_of_output(dedup_outputs_failed(&work->outputs),
                       dedup_saves(work) ? "the set was not saved"
                       : dedup_outputs_replace(&work->outputs)
                           ? "no file was replaced"
                           : "the output is not complete");
    return COMMAND_ERROR;
}

/*
 * The files first, and on the disk, and then the set: if the machine stops in
 * between, the next run prints the same lines again. Of a part of the input, or
 * if lines have no answer, neither is kept.
 */
static int keep(dedup *work)
{
    bool replaces = dedup_outputs_replace(&work->outputs);
    if (replaces && stop_signal() != 0) {
        complain("dedup: stopped; no file was replaced%s",
                 dedup_saves(work) ? ", and the set was not saved" : "");
        return 0;
    }
    if ((dedup_saves(work) || replaces) &&
        dedup_outputs_sync(&work->outputs) != 0)
        return complain_of_loss(work);
    if (!work->into.is_unsure && dedup_outputs_keep(&work->outputs) != 0)
        return COMMAND_ERROR;
    if (dedup_save_set(work) != 0)
        return COMMAND_ERROR;
    if (dedup_saves(work) && stop_signal() != 0)
        setfile_report_stop(work->set_path);
    return 0;
}

/* The exit status of a run without errors. */
static int status_of(const dedup *work)
{
    if (work->status != 0)
        return work->status;
    return work->wants_exit_status && work->into.new_count == 0
               ? COMMAND_NOTHING
               : COMMAND_DONE;
}

/* Keeps what was done, if everything was written; the lines before a refused
 * line are kept too. */
static int finish(dedup *work)
{
    if (work->has_save_failed)
        return COMMAND_ERROR;
    if (dedup_outputs_failed(&work->outputs) != NULL)
        return complain_of_loss(work);
    if (work->input_error != 0 || work->exact.error != 0)
        return COMMAND_ERROR;
    if (work->wants_counts && dedup_print_counts(&work->into) != 0)
        return COMMAND_ERROR;
    if (keep(work) != 0)
        return COMMAND_ERROR;
    if (work->wants_stats)
        dedup_print_stats(work);
    if (work->status == 0)
        work->status = audit_report(&work->audit, work->set, work->into.name);
    return status_of(work);
}

int command_dedup(int argc, char **argv)
{
    dedup work = {.separator = '\n',
                  .thread_count = pipeline_default_threads(),
                  .watching.name = "dedup",
                  .held = LOCK_FREE};
    dedup_read_options(&work, argc, argv);
    asked_block();
    int status = prepare(&work);
    if (status == 0) {
        dedup_run(&work);
        replay_finish(&work.into.replay, work.into.name);
        status = left_out_finish(&work.into.left_out, work.into.name,
                                 work.is_strict, finish(&work));
    }
    free_all(&work);
    bool is_done = status != COMMAND_ERROR;
    return is_done && stop_signal() != 0 ? stop_die() : status;
}
