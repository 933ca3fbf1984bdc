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
 */
#define _GNU_SOURCE /* argp, poll, fdatasync */
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
#include "queue/queue.h"
#include "queue/session.h"
#include "queue/wait.h"
#include "report/complain.h"
#include "text/arguments.h"
#include "text/options.h"

enum {
    TURN_BYTES = 16 << 20 /* of text, and one item more */
};

typedef struct request {
    queue_access access;
    uint64_t count;
    bool has_data, acks;
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
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
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
        to->has_data = true;
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
    char *text;
    size_t text_bytes, text_room;
    uint64_t *leases;
    size_t *ends; /* of a turn's items, in its text */
    size_t lease_count, turn_count, lease_room;
} handing;

static void *reserve(void *block, size_t *room, size_t wanted, size_t size)
{
    size_t more = *room;
    while (more < wanted)
        more = more == 0 ? 1024 : more * 2;
    void *moved = reallocarray(block, more, size);
    if (moved != NULL)
        *room = more;
    return moved;
}

/* Room for another item, of that many bytes. */
static bool make_room(handing *now, size_t bytes)
{
    if (now->text_room - now->text_bytes < bytes) {
        char *text =
            reserve(now->text, &now->text_room, now->text_bytes + bytes, 1);
        if (text == NULL)
            return false;
        now->text = text;
    }
    if (now->lease_count < now->lease_room)
        return true;
    size_t room = now->lease_room;
    void *leases = reserve(now->leases, &room, now->lease_count + 1, 8);
    if (leases == NULL)
        return false;
    now->leases = leases;
    size_t *ends = reallocarray(now->ends, room, sizeof *ends);
    if (ends == NULL)
        return false;
    now->ends = ends;
    now->lease_room = room;
    return true;
}

static void put(handing *now, const void *bytes, size_t size)
{
    if (size > 0)
        memcpy(now->text + now->text_bytes, bytes, size);
    now->text_bytes += size;
}

static int add_item(handing *now, const seenset_queue_item *item)
{
    char lease[24];
    int length = snprintf(lease, sizeof lease, "%llu\t",
                          (unsigned long long)item->lease);
    if (!make_room(now, sizeof lease + item->url_len + item->data_len + 2))
        return SEENSET_ENOMEM;
    if (!now->from->acks)
        put(now, lease, (size_t)length);
    put(now, item->url, item->url_len);
    if (now->from->has_data) {
        put(now, "\t", 1);
        put(now, item->data, item->data_len);
    }
    put(now, "\n", 1);
    now->ends[now->turn_count++] = now->text_bytes;
    now->leases[now->lease_count++] = item->lease;
    return SEENSET_OK;
}

/* Pops for one turn. Returns 1, 0 (there is nothing more now) or an error. */
static int gather(handing *now)
{
    seenset_queue_item item = {0};
    int result = 1;
    now->turn_count = now->text_bytes = 0;
    while (result == 1 && now->lease_count < now->from->count &&
           now->text_bytes < TURN_BYTES) {
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
    while (written < now->text_bytes) {
        size_t size = now->text_bytes - written;
        if (now->session.queue != NULL && await_reader(0) &&
            queue_session_close(&now->session, 0) != 0)
            return written;
        if (now->session.queue != NULL && size > PIPE_BUF)
            size = PIPE_BUF;
        ssize_t wrote = write(STDOUT_FILENO, now->text + written, size);
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
    if (written == now->text_bytes)
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

/* ---- the command ---- */

static int hand_out(handing *now)
{
    const request *from = now->from;
    int result = 1, status = 0, saved_errno = 0;
    while (status == 0 && result == 1 && now->lease_count < from->count) {
        status = queue_session_open(&now->session);
        if (status != 0)
            break;
        result = gather(now);
        saved_errno = errno;
        if (!from->acks)
            status = queue_session_close(&now->session, 0);
        if (status == 0)
            status = print_turn(now);
    }
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
    handing now = {.from = &from, .session.access = from.access};
    (void)signal(SIGPIPE, SIG_IGN); /* items are given back first */
    int status = hand_out(&now);
    free(now.text);
    free(now.leases);
    free(now.ends);
    return status;
}
