/*
 * pop.c - handing items out.
 *
 * A lease that is printed must be valid. So the order is: pop, close the queue,
 * which writes the leases to disk, and only then print. If the disk is full,
 * nothing is printed that the next command would not know. What could not be
 * printed is given back. Many items are handed out in turns (handing.h).
 *
 * With --ack the order is the opposite, since an item that is acked is never
 * handed out again: print, sync the output if it is a file, and only then ack,
 * all at once. While the reader of the output makes the command wait, the queue
 * is closed.
 *
 * With --wait, the queue is closed while there is nothing to hand out, and
 * opened again when something has changed in its folder (arrival.h), or when
 * the next lease or delay ends, or a host may be asked again. A signal that
 * comes between a pop and the printing is held back until the items are given
 * back.
 */
#define _GNU_SOURCE /* poll, fdatasync, sigaction */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/arrival.h"
#include "queue/access/session.h"
#include "queue/access/wait.h"
#include "queue/crawl/access.h"
#include "queue/handing.h"
#include "queue/queue.h"
#include "report/complain.h"
#include "stream/clock.h"
#include "text/arguments.h"
#include "text/options.h"

enum {
    ACKS_AT_ONCE = 1 << 18
};

#define RETRY_SECONDS 10.0 /* in case that a change was not seen */

/* ---- options ---- */

static const option_row pop_options[] = {
    {"count", 'n', "COUNT", 0, "Print at most COUNT items (default 1)"},
    {"ack", QUEUE_OPTION_ACK, NULL, 0,
     "Items are done once they are printed; print no leases"},
    {"data", QUEUE_OPTION_DATA, NULL, 0,
     "Print a TAB and the data after each URL"},
    {"lease", QUEUE_OPTION_LEASE, "SECONDS", 0,
     "Hand items out again after SECONDS, or a time such as 15m or 2h (default "
     "60)"},
    {"deliveries", QUEUE_OPTION_DELIVERIES, NULL, 0,
     "Print how often an item was handed out, and a TAB, before its URL"},
    QUEUE_HOST_ROW,
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print a line of JSON for each item"},
    QUEUE_SECRET_ROW,
    {"wait", QUEUE_OPTION_WAIT, "SECONDS", OPTION_VALUE_OPTIONAL,
     "Wait up to SECONDS for an item, too; without SECONDS: for ever (default: "
     "only while others have the queue open, 30 seconds; 0: not at all)"},
    QUEUE_REPLICAS_ROW,
    QUEUE_TLS_ROWS,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    handing_request *to = state->input;
    switch (key) {
    case 'n':
        to->count = options_count(state, "-n", text);
        return 0;
    case QUEUE_OPTION_ACK:
        to->acks = true;
        return 0;
    case QUEUE_OPTION_WAIT:
        to->waits = true;
        queue_take_wait(state, text, &to->access);
        return 0;
    case ARGUMENTS_END:
        to->form.has_lease = !to->acks;
        return 0;
    case QUEUE_OPTION_LEASE:
        to->access.options.lease_seconds =
            queue_seconds(state, "--lease", text);
        return 0;
    default:
        return queue_take_column(key, &to->form)
                   ? 0
                   : queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax pop_syntax = {
    .options = pop_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Print the oldest items of the queue in DIR, each as its lease, a "
            "TAB and its URL; of a polite queue, of hosts that may be asked "
            "now." QUEUE_CRAWL_HELP
            "\vThe exit status is 0 if something was printed, "
            "1 if there is nothing to hand out now, and 2 after an error: then "
            "do not use what was printed; it is handed out again."};

/* ---- with --ack ---- */

/* Syncs the output if it is a file: before an ack it must be on the disk.
 * Returns 0, or -1 and errno. */
static int sync_output(void)
{
    struct stat output;
    if (fstat(STDOUT_FILENO, &output) != 0 || !S_ISREG(output.st_mode))
        return 0;
    return fdatasync(STDOUT_FILENO);
}

/* Acks all, many at once. Returns 0 or the last error. */
static int ack_runs(seenset_queue *queue, const lease_runs *done)
{
    uint64_t *leases = malloc(ACKS_AT_ONCE * sizeof *leases);
    lease_place at = {0};
    int result = leases == NULL ? SEENSET_ENOMEM : SEENSET_OK;
    while ((result == SEENSET_OK || result == SEENSET_ELEASE) &&
           at.run < done->run_count) {
        size_t count = 0;
        while (count < ACKS_AT_ONCE &&
               lease_runs_next(done, &at, &leases[count]))
            count++;
        int error = seenset_queue_ack_many(queue, leases, count);
        if (error != SEENSET_OK)
            result = error;
    }
    free(leases);
    return result;
}

static int ack_open(handing *now)
{
    const char *dir = now->from->access.dir;
    int error = ack_runs(now->session.queue, &now->done);
    if (error == SEENSET_OK)
        return 0;
    if (error != SEENSET_ELEASE)
        return queue_complain(dir, error);
    complain("%s: printing took longer than some leases, so their items are "
             "handed out again; give a longer --lease",
             dir);
    return 0;
}

/* What was printed is done, even if writing the state fails after that. */
static int ack_all(handing *now)
{
    int status = sync_output() == 0 ? 0 : handing_complain_output();
    if (status == 0)
        status = queue_session_open(&now->session);
    if (status == 0)
        status = ack_open(now);
    if (status != 0)
        handing_give_back(now, 0);
    else
        (void)queue_session_close(&now->session, 0);
    return status;
}

/* ---- waiting for an item ---- */

/* Nothing was there. Waits for a change since the mark, or until a lease or
 * delay ends; for a while at least, so that opening is not all that is done.
 * Returns false if the time is over. */
static bool await_item(const handing *now, const arrival_mark *since)
{
    double start = clock_steady_seconds();
    double rest = start + 4 * queue_session_cost_seconds(&now->session);
    double until =
        now->due < start + RETRY_SECONDS ? now->due : start + RETRY_SECONDS;
    if (!(start < now->until))
        return false;
    until = until < rest ? rest : until;
    arrival_await(since, now->from->access.dir,
                  until < now->until ? until : now->until);
    rest = rest < now->until ? rest : now->until;
    while ((start = clock_steady_seconds()) < rest) {
        double left = rest - start;
        struct timespec time = {.tv_sec = (time_t)left};
        time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
        (void)nanosleep(&time, NULL);
    }
    return true;
}

/* ---- the command ---- */

/* When will a lease or delay end, or the time of a host come? */
static double due_at(const handing *now)
{
    seenset_queue_stats stats = {0};
    (void)seenset_queue_get_stats(now->session.queue, &stats, sizeof stats);
    return clock_steady_seconds() + stats.seconds_to_next;
}

/* Pops for one turn, and writes its leases down. Returns as gather; *status is
 * not 0 if that failed. */
static int take_turn(handing *now, int *status)
{
    handing_hold_signals(now);
    int result = handing_gather(now);
    int saved_errno = errno;
    if (now->from->waits)
        now->due = due_at(now);
    *status = handing_save(now);
    if (handing_has_items(now) && handing_is_signal_held(now))
        handing_give_back(now, 0);
    handing_release_signals(now);
    errno = saved_errno;
    return result;
}

/* Opens the queue. Once it was open, others may have it until the time of
 * --wait is over: then nothing came. */
static int open_queue(handing *now)
{
    if (now->from->waits && now->session.was_open && now->count == 0)
        return queue_session_open_until(&now->session, now->until);
    return queue_session_open(&now->session);
}

/* Prints turns until there are enough items, or no more now. */
static int hand_out_now(handing *now, int *result)
{
    const handing_request *from = now->from;
    int status = 0;
    *result = 1;
    while (status == 0 && *result == 1 && now->count < from->count) {
        double since = clock_steady_seconds();
        status = open_queue(now);
        if (status != 0)
            break;
        *result = take_turn(now, &status);
        if (status == 0)
            status = handing_print(now, since);
    }
    return status;
}

static int hand_out(handing *now)
{
    const handing_request *from = now->from;
    arrival_mark mark;
    int result, status, saved_errno;
    do {
        arrival_look(&mark, from->access.dir);
        status = hand_out_now(now, &result);
        saved_errno = errno;
        if (status != 0 || result != 0 || now->count > 0 || !from->waits)
            break;
        status = queue_session_close(&now->session, 0);
    } while (status == 0 && await_item(now, &mark));
    if (status == 0 && from->acks && now->count > 0)
        status = ack_all(now);
    status = queue_session_close(&now->session, status);
    if (status != 0 || (result >= 0 && now->count > 0))
        return status;
    if (result >= 0)
        return COMMAND_NOTHING;
    errno = saved_errno;
    queue_complain(from->access.dir, result);
    /* What comes before damage is valid, and the next pop reports it again. */
    return result == SEENSET_EDAMAGED && now->count > 0 ? COMMAND_DONE
                                                        : COMMAND_ERROR;
}

int queue_pop(int argc, char **argv)
{
    handing_request from = {
        .access = {.options.flags = SEENSET_QUEUE_MUST_EXIST,
                   .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS},
        .count = 1};
    arguments_parse(&pop_syntax, argc, argv, &from);
    if (crawl_is_address(from.access.dir))
        return queue_pop_crawl(&(queue_crawl_pop){.access = &from.access,
                                                  .count = from.count,
                                                  .form = from.form,
                                                  .acks = from.acks,
                                                  .waits = from.waits});
    if (queue_crawl_refuse(&from.access) != 0)
        return COMMAND_ERROR;
    handing now = {.from = &from,
                   .session.access = from.access,
                   .until = clock_steady_seconds() + from.access.wait_seconds};
    (void)signal(SIGPIPE, SIG_IGN); /* items are given back first */
    int status = hand_out(&now);
    handing_free(&now);
    return status;
}
