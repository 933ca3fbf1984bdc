/*
 * pop.c - handing items out.
 *
 * A lease that is printed must be valid. So the order is: pop, close the queue,
 * which writes the leases to disk, and only then print. If the disk is full,
 * nothing is printed that the next command would not know. What could not be
 * printed is given back. The text of one turn is bounded; for more, the queue
 * is opened again.
 *
 * With --ack the order is the opposite, since an item that is acked is never
 * handed out again: print, sync the output if it is a file, and only then ack,
 * all at once. While the reader of the output makes the command wait, the queue
 * is closed.
 *
 * With --wait, the queue is closed while there is nothing to hand out, and
 * opened again when something has changed in its folder (arrival.h), or when
 * the next lease or delay ends. A signal that comes between a pop and the
 * printing is held back until the items are given back.
 */
#define _GNU_SOURCE /* argp, poll, fdatasync, sigaction */
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
#include "queue/access.h"
#include "queue/arrival.h"
#include "queue/crawl_access.h"
#include "queue/item_text.h"
#include "queue/queue.h"
#include "queue/session.h"
#include "queue/wait.h"
#include "report/complain.h"
#include "stream/clock.h"
#include "text/arguments.h"
#include "text/options.h"

enum {
    TURN_BYTES = 16 << 20 /* of text, and one item more */
};

#define RETRY_SECONDS 10.0 /* in case that a change was not seen */

typedef struct request {
    queue_access access;
    uint64_t count;
    item_form form;
    bool acks, waits;
} request;

/* ---- options ---- */

static const struct argp_option pop_options[] = {
    {"count", 'n', "COUNT", 0, "Print at most COUNT items (default 1)", 0},
    {"ack", QUEUE_OPTION_ACK, NULL, 0,
     "Items are done once they are printed; print no leases", 0},
    {"data", QUEUE_OPTION_DATA, NULL, 0,
     "Print a TAB and the data after each URL", 0},
    {"lease", QUEUE_OPTION_LEASE, "SECONDS", 0,
     "Hand items out again after SECONDS (default 60)", 0},
    {"deliveries", QUEUE_OPTION_DELIVERIES, NULL, 0,
     "Print how often an item was handed out, and a TAB, before its URL", 0},
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print a line of JSON for each item",
     0},
    QUEUE_SECRET_ROW,
    {"wait", QUEUE_OPTION_WAIT, "SECONDS", OPTION_ARG_OPTIONAL,
     "Wait up to SECONDS for an item, too; without SECONDS: for ever (default: "
     "only while others have the queue open, 30 seconds; 0: not at all)",
     0},
    QUEUE_REPLICAS_ROW,
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    request *to = state->input;
    switch (key) {
    case 'n':
        to->count = options_count(state, "-n", text);
        return 0;
    case QUEUE_OPTION_ACK:
        to->acks = true;
        return 0;
    case QUEUE_OPTION_DATA:
        to->form.has_data = true;
        return 0;
    case QUEUE_OPTION_DELIVERIES:
        to->form.has_deliveries = true;
        return 0;
    case QUEUE_OPTION_JSON:
        to->form.is_json = true;
        return 0;
    case QUEUE_OPTION_WAIT:
        to->waits = true;
        to->access.wait_seconds = queue_wait_seconds(state, text);
        return 0;
    case ARGP_KEY_END:
        to->form.has_lease = !to->acks;
        return 0;
    case QUEUE_OPTION_LEASE:
        to->access.options.lease_seconds =
            queue_seconds(state, "--lease", text);
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const struct argp pop_argp = {
    .options = pop_options,
    .parser = parse_option,
    .args_doc = "DIR",
    .doc = "Print the oldest items of the queue in DIR, each as its lease, a "
           "TAB and its URL.\vThe exit status is 0 if something was printed, "
           "1 if there is nothing to hand out now, and 2 after an error: then "
           "do not use what was printed; it is handed out again."};

/* ---- what is handed out ---- */

/* The items of one turn as they are printed, and all leases of the command. */
typedef struct handing {
    const request *from;
    queue_session session;
    item_text text;
    uint64_t *leases;
    size_t *ends; /* of a turn's items, in its text */
    size_t lease_count, turn_count, lease_room;
    double until;  /* of --wait, by clock_steady_seconds */
    double due;    /* when the next lease or delay ends, likewise */
    sigset_t mask; /* the signals of before */
} handing;

/* Room for another lease. */
static bool make_room(handing *now)
{
    size_t room = now->lease_room == 0 ? 1024 : now->lease_room * 2;
    if (now->lease_count < now->lease_room)
        return true;
    uint64_t *leases = reallocarray(now->leases, room, sizeof *leases);
    if (leases != NULL)
        now->leases = leases;
    size_t *ends = reallocarray(now->ends, room, sizeof *ends);
    if (ends != NULL)
        now->ends = ends;
    if (leases == NULL || ends == NULL)
        return false;
    now->lease_room = room;
    return true;
}

static int add_item(handing *now, const seenset_queue_item *item)
{
    const item_facts facts = {.number = item->number,
                              .lease = item->lease,
                              .deliveries = item->deliveries,
                              .priority = (uint32_t)item->priority,
                              .url = item->url,
                              .url_len = item->url_len,
                              .data = item->data,
                              .data_len = item->data_len};
    if (!make_room(now) || !item_text_add(&now->text, &now->from->form, &facts))
        return SEENSET_ENOMEM;
    now->ends[now->turn_count++] = now->text.size;
    now->leases[now->lease_count++] = item->lease;
    return SEENSET_OK;
}

/* Pops for one turn. Returns 1, 0 (there is nothing more now) or an error. */
static int gather(handing *now)
{
    seenset_queue_item item = {0};
    int result = 1;
    now->turn_count = now->text.size = 0;
    while (result == 1 && now->lease_count < now->from->count &&
           now->text.size < TURN_BYTES) {
        result = seenset_queue_pop(now->session.queue, &item);
        if (result == 1 && add_item(now, &item) != SEENSET_OK) {
            (void)seenset_queue_nack(now->session.queue, item.lease, 0);
            result = SEENSET_ENOMEM;
        }
    }
    seenset_queue_item_free(&item);
    return result;
}

/* Gives back the leases from that one on. If that fails, their items are
 * handed out again when the leases end. */
static void give_back(handing *now, size_t first)
{
    if (queue_session_open(&now->session) != 0)
        return;
    for (size_t i = first; i < now->lease_count; i++)
        (void)seenset_queue_nack(now->session.queue, now->leases[i], 0);
    (void)queue_session_close(&now->session, 0);
}

/* ---- printing ---- */

/* Waits until a small write would not wait, but only so many milliseconds.
 * Returns whether that time was over. */
static bool await_reader(int milliseconds)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, milliseconds) == 0;
}

static int complain_output(void)
{
    if (errno != EPIPE)
        complain("standard output: %s; the output is not complete",
                 strerror(errno));
    return COMMAND_ERROR;
}

/*
 * Writes the text, and closes an open queue before a write that waits. Returns
 * how much was written: all, or less after a message.
 */
static size_t write_text(handing *now)
{
    size_t written = 0;
    while (written < now->text.size) {
        size_t size = now->text.size - written;
        if (now->session.queue != NULL && await_reader(0) &&
            queue_session_close(&now->session, 0) != 0)
            return written;
        if (now->session.queue != NULL && size > PIPE_BUF)
            size = PIPE_BUF;
        ssize_t wrote = write(STDOUT_FILENO, now->text.bytes + written, size);
        if (wrote >= 0)
            written += (size_t)wrote;
        else if (errno == EAGAIN)
            (void)await_reader(-1);
        else if (errno != EINTR) {
            complain_output();
            return written;
        }
    }
    return written;
}

/* Prints a turn. What cannot be printed is given back, with --ack all of it. */
static int print_turn(handing *now)
{
    size_t written = write_text(now), printed = 0;
    if (written == now->text.size)
        return 0;
    while (!now->from->acks && now->ends[printed] <= written)
        printed++;
    give_back(now, now->from->acks
                       ? 0
                       : now->lease_count - now->turn_count + printed);
    return COMMAND_ERROR;
}

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

static int ack_open(handing *now)
{
    const char *dir = now->from->access.dir;
    int error = seenset_queue_ack_many(now->session.queue, now->leases,
                                       now->lease_count);
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
    int status = sync_output() == 0 ? 0 : complain_output();
    if (status == 0)
        status = queue_session_open(&now->session);
    if (status == 0)
        status = ack_open(now);
    if (status != 0)
        give_back(now, 0);
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

/* From now on signals wait until release_signals. */
static void hold_signals(handing *now)
{
    sigset_t held;
    (void)sigemptyset(&held);
    (void)sigaddset(&held, SIGINT);
    (void)sigaddset(&held, SIGTERM);
    (void)sigaddset(&held, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &held, &now->mask);
}

static bool is_signal_held(const handing *now)
{
    static const int held[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t pending;
    (void)sigpending(&pending);
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++)
        if (sigismember(&pending, held[i]) == 1 &&
            sigismember(&now->mask, held[i]) == 0)
            return true;
    return false;
}

/* Ends the process if a signal came. */
static void release_signals(const handing *now)
{
    (void)sigprocmask(SIG_SETMASK, &now->mask, NULL);
}

/* When will a lease or delay end? */
static double due_at(const handing *now)
{
    seenset_queue_stats stats = {0};
    (void)seenset_queue_get_stats(now->session.queue, &stats, sizeof stats);
    return clock_steady_seconds() + stats.seconds_to_due;
}

/* Pops for one turn and, without --ack, closes the queue. Returns as gather;
 * *status is not 0 if the queue could not be closed. */
static int take_turn(handing *now, int *status)
{
    hold_signals(now);
    int result = gather(now);
    int saved_errno = errno;
    if (now->from->waits)
        now->due = due_at(now);
    if (!now->from->acks)
        *status = queue_session_close(&now->session, 0);
    if (now->turn_count > 0 && is_signal_held(now))
        give_back(now, now->lease_count - now->turn_count);
    release_signals(now);
    errno = saved_errno;
    return result;
}

/* Opens the queue. Once it was open, others may have it until the time of
 * --wait is over: then nothing came. */
static int open_queue(handing *now)
{
    if (now->from->waits && now->session.was_open && now->lease_count == 0)
        return queue_session_open_until(&now->session, now->until);
    return queue_session_open(&now->session);
}

/* Prints turns until there are enough items, or no more now. */
static int hand_out_now(handing *now, int *result)
{
    const request *from = now->from;
    int status = 0;
    *result = 1;
    while (status == 0 && *result == 1 && now->lease_count < from->count) {
        status = open_queue(now);
        if (status != 0)
            break;
        *result = take_turn(now, &status);
        if (status == 0)
            status = print_turn(now);
    }
    return status;
}

static int hand_out(handing *now)
{
    const request *from = now->from;
    arrival_mark mark;
    int result, status, saved_errno;
    do {
        arrival_look(&mark, from->access.dir);
        status = hand_out_now(now, &result);
        saved_errno = errno;
        if (status != 0 || result != 0 || now->lease_count > 0 || !from->waits)
            break;
        status = queue_session_close(&now->session, 0);
    } while (status == 0 && await_item(now, &mark));
    if (status == 0 && from->acks && now->lease_count > 0)
        status = ack_all(now);
    status = queue_session_close(&now->session, status);
    if (status != 0 || (result >= 0 && now->lease_count > 0))
        return status;
    if (result >= 0)
        return COMMAND_NOTHING;
    /* What was printed before the error is valid; the next pop reports it. */
    errno = saved_errno;
    queue_complain(from->access.dir, result);
    return now->lease_count > 0 ? COMMAND_DONE : COMMAND_ERROR;
}

int queue_pop(int argc, char **argv)
{
    request from = {.access = {.options.must_exist = 1,
                               .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS},
                    .count = 1};
    arguments_parse(&pop_argp, argc, argv, &from);
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
    free(now.text.bytes);
    free(now.leases);
    free(now.ends);
    return status;
}
