/* handing.c - see handing.h. */
#define _GNU_SOURCE /* poll, sigaction, reallocarray */
#include "queue/handing.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "stream/clock.h"

enum {
    POPS_AT_ONCE = 128,
    TURN_BYTES = 16 << 20, /* of text, and some items more */
    READ_BYTES = 1 << 20   /* the same, of what is read again */
};

#define DEFAULT_LEASE_SECONDS 60.0
#define BULK_PART_OF_LEASE (1.0 / 16) /* a bulk that takes longer is halved */

/* ---- signals ---- */

/* From now on signals wait until release_signals. */
void handing_hold_signals(handing *now)
{
    sigset_t held;
    (void)sigemptyset(&held);
    (void)sigaddset(&held, SIGINT);
    (void)sigaddset(&held, SIGTERM);
    (void)sigaddset(&held, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &held, &now->mask);
}

bool handing_is_signal_held(const handing *now)
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
void handing_release_signals(const handing *now)
{
    (void)sigprocmask(SIG_SETMASK, &now->mask, NULL);
}

/* ---- what is handed out ---- */

/* Room for another item in the text. */
static bool make_room(handing *now)
{
    size_t room = now->room == 0 ? 1024 : now->room * 2;
    if (now->text_count < now->room)
        return true;
    uint64_t *leases = reallocarray(now->leases, room, sizeof *leases);
    if (leases != NULL)
        now->leases = leases;
    size_t *ends = reallocarray(now->ends, room, sizeof *ends);
    if (ends != NULL)
        now->ends = ends;
    if (leases == NULL || ends == NULL)
        return false;
    now->room = room;
    return true;
}

static int add_text(handing *now, const seenset_queue_item *item)
{
    const item_facts facts = item_facts_of(item);
    if (!make_room(now) || !item_text_add(&now->text, &now->from->form, &facts))
        return SEENSET_ENOMEM;
    now->leases[now->text_count] = item->lease;
    now->ends[now->text_count++] = now->text.size;
    return SEENSET_OK;
}

static int add_item(handing *now, const seenset_queue_item *item)
{
    if (now->at_once == 0)
        return add_text(now, item);
    return lease_runs_add(&now->bulk, item->lease) ? SEENSET_OK
                                                   : SEENSET_ENOMEM;
}

static bool is_turn_full(const handing *now)
{
    uint64_t taken = now->text_count + now->bulk.count;
    return now->count + taken >= now->from->count ||
           (now->at_once > 0 ? taken >= now->at_once
                             : now->text.size >= TURN_BYTES);
}

/* How many may be popped at once. */
static size_t wanted(const handing *now)
{
    uint64_t taken = now->text_count + now->bulk.count;
    uint64_t left = now->from->count - now->count - taken;
    if (now->at_once > 0 && left > now->at_once - taken)
        left = now->at_once - taken;
    return left < POPS_AT_ONCE ? (size_t)left : POPS_AT_ONCE;
}

/* Takes them into the turn. What there is no memory for is given back. */
static int add_items(handing *now, const seenset_queue_item *items,
                     size_t count)
{
    size_t added = 0;
    while (added < count && add_item(now, &items[added]) == SEENSET_OK)
        added++;
    for (size_t i = added; i < count; i++)
        (void)seenset_queue_nack(now->session.queue, items[i].lease, NULL);
    return added == count ? 1 : SEENSET_ENOMEM;
}

int handing_gather(handing *now)
{
    seenset_queue_item items[POPS_AT_ONCE] = {{0}};
    int result = 1;
    if (now->memory == NULL)
        now->memory = malloc(SEENSET_QUEUE_POP_BYTES);
    if (now->memory == NULL)
        return SEENSET_ENOMEM;
    while (result == 1 && !is_turn_full(now)) {
        int64_t popped =
            seenset_queue_pop_many(now->session.queue, items, wanted(now),
                                   now->memory, SEENSET_QUEUE_POP_BYTES, NULL);
        result =
            popped > 0 ? add_items(now, items, (size_t)popped) : (int)popped;
    }
    return result;
}

/* Nothing is left of the turn. */
static void end_turn(handing *now)
{
    now->text_count = now->text.size = 0;
    lease_runs_clear(&now->bulk);
    now->place = (lease_place){0};
}

static void nack_all(seenset_queue *queue, const lease_runs *leases,
                     lease_place from)
{
    uint64_t lease;
    while (lease_runs_next(leases, &from, &lease))
        (void)seenset_queue_nack(queue, lease, NULL);
}

/* Gives back the items of the turn but the first ones of the text, and with
 * --ack those that were printed before. If that fails, they are handed out
 * again when their leases end. */
void handing_give_back(handing *now, size_t printed)
{
    seenset_queue *queue;
    if (queue_session_open(&now->session) == 0) {
        queue = now->session.queue;
        nack_all(queue, &now->done, (lease_place){0});
        for (size_t i = printed; i < now->text_count; i++)
            (void)seenset_queue_nack(queue, now->leases[i], NULL);
        nack_all(queue, &now->bulk, now->place);
        (void)queue_session_close(&now->session, 0);
    }
    end_turn(now);
}

/* Writes the leases down. A bulk is read again from the open queue. */
int handing_save(handing *now)
{
    if (now->from->acks)
        return 0;
    if (now->at_once == 0)
        return queue_session_close(&now->session, 0);
    int error = seenset_queue_save_leases(now->session.queue);
    if (error == SEENSET_OK)
        return 0;
    int status = queue_complain(now->from->access.dir, error);
    handing_give_back(now, 0);
    return status;
}

/* ---- printing ---- */

/* Waits until a small write would not wait, but only so many milliseconds.
 * Returns whether that time was over. */
static bool await_reader(int milliseconds)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, milliseconds) == 0;
}

int handing_complain_output(void)
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
        if (now->session.queue != NULL &&
            await_reader(queue_session_grace_milliseconds(&now->session)) &&
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
            handing_complain_output();
            return written;
        }
    }
    return written;
}

/* Notes what was printed of the text, with --ack. There is room. */
static void remember(handing *now, size_t printed)
{
    for (size_t i = 0; i < printed && now->from->acks; i++)
        (void)lease_runs_add(&now->done, now->leases[i]);
    now->count += printed;
}

/* Prints the text. What cannot be printed is given back, with --ack all. */
static int print_text(handing *now)
{
    size_t printed = 0;
    if (now->from->acks && !lease_runs_reserve(&now->done, now->text_count)) {
        handing_give_back(now, 0);
        return queue_complain(now->from->access.dir, SEENSET_ENOMEM);
    }
    size_t written = write_text(now);
    bool is_whole = written == now->text.size;
    while (printed < now->text_count && now->ends[printed] <= written)
        printed++;
    remember(now, printed);
    if (!is_whole)
        handing_give_back(now, printed);
    now->text_count = now->text.size = 0;
    return is_whole ? 0 : COMMAND_ERROR;
}

/* Reads items of the bulk into the text, until it is full. One whose lease has
 * ended by now belongs to others. */
static int read_text(handing *now)
{
    seenset_queue_item item = {0};
    lease_place next = now->place;
    uint64_t lease;
    int error = SEENSET_OK;
    while (error == SEENSET_OK && now->text.size < READ_BYTES &&
           lease_runs_next(&now->bulk, &next, &lease)) {
        error = seenset_queue_get_leased(now->session.queue, lease, &item);
        if (error == SEENSET_OK)
            error = add_text(now, &item);
        if (error == SEENSET_ELEASE)
            error = SEENSET_OK;
        if (error == SEENSET_OK)
            now->place = next;
    }
    seenset_queue_item_free(&item);
    return error;
}

/* Prints what was taken in bulk. A signal between two texts ends it. */
static int print_bulk(handing *now)
{
    int status = 0, error = SEENSET_OK;
    while (status == 0 && error == SEENSET_OK &&
           now->place.run < now->bulk.run_count) {
        handing_hold_signals(now);
        status = queue_session_open(&now->session);
        if (status == 0)
            error = read_text(now);
        if (handing_is_signal_held(now))
            handing_give_back(now, 0);
        handing_release_signals(now);
        if (status == 0)
            status = print_text(now);
        if (status == 0)
            status = queue_session_pass(&now->session);
    }
    if (error != SEENSET_OK)
        status = queue_complain(now->from->access.dir, error);
    if (status != 0 && handing_has_items(now))
        handing_give_back(now, 0);
    return status;
}

static double lease_seconds(const handing *now)
{
    double seconds = now->from->access.options.lease_seconds;
    return seconds > 0 ? seconds : DEFAULT_LEASE_SECONDS;
}

/* How many are taken next, if this turn's many took that long. */
static void choose_bulk(handing *now, uint64_t many, double seconds)
{
    bool is_quick = seconds <= lease_seconds(now) * BULK_PART_OF_LEASE;
    now->at_once = is_quick ? many * 2 : now->at_once / 2;
}

int handing_print(handing *now, double since)
{
    uint64_t many = now->text_count + now->bulk.count;
    int status = print_text(now);
    if (status == 0)
        status = print_bulk(now);
    end_turn(now);
    if (!now->from->acks)
        choose_bulk(now, many, clock_steady_seconds() - since);
    return status;
}

bool handing_has_items(const handing *now)
{
    return now->text_count + now->bulk.count > 0;
}

void handing_free(handing *now)
{
    free(now->text.bytes);
    free(now->memory);
    free(now->leases);
    free(now->ends);
    lease_runs_free(&now->bulk);
    lease_runs_free(&now->done);
}
