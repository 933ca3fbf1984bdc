/*
 * pop.c - handing out items of a crawl in Redis.
 *
 * A lease that is printed is one that the servers gave, and with --replicas,
 * one that the replicas have. What cannot be printed is given back. With --ack,
 * the output is synced if it is a file, and then all is acked.
 */
#define _GNU_SOURCE /* fdatasync */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "queue/access/wait.h"
#include "queue/crawl/access.h"
#include "report/complain.h"
#include "stream/clock.h"

enum {
    TURN_ITEMS = 1000 /* that are printed at once */
};

#define FIRST_PAUSE_SECONDS 0.02
#define LONGEST_PAUSE_SECONDS 0.5
#define DEFAULT_LEASE_MS 60000

typedef struct handing {
    const queue_crawl_pop *from;
    crawl *it;
    item_text text;
    uint64_t leases[TURN_ITEMS];
    size_t ends[TURN_ITEMS]; /* of the items, in the text */
    size_t turn_count;
    uint64_t total;
} handing;

static int take_item(void *context, const crawl_item *item)
{
    handing *now = context;
    const item_facts facts = {.has_no_number = true,
                              .lease = item->lease,
                              .deliveries = item->deliveries,
                              .url = item->url,
                              .url_len = item->url_len,
                              .data = item->data,
                              .data_len = item->data_len};
    if (now->turn_count == TURN_ITEMS ||
        !item_text_add(&now->text, &now->from->form, &facts))
        return -1;
    now->ends[now->turn_count] = now->text.size;
    now->leases[now->turn_count++] = item->lease;
    return 0;
}

/* Returns how much was written: all, or less after a message. */
static size_t write_text(const item_text *text)
{
    size_t written = 0;
    while (written < text->size) {
        ssize_t wrote =
            write(STDOUT_FILENO, text->bytes + written, text->size - written);
        if (wrote >= 0) {
            written += (size_t)wrote;
        } else if (errno != EINTR && errno != EAGAIN) {
            if (errno != EPIPE)
                complain("standard output: %s; the output is not complete",
                         strerror(errno));
            break;
        }
    }
    return written;
}

static void give_back(handing *now, size_t first)
{
    size_t missing;
    (void)crawl_nack(now->it, now->leases + first, now->turn_count - first,
                     &(crawl_back){0}, &missing);
}

/* Before an ack it must be on the disk, if it is a file. */
static bool is_output_synced(void)
{
    struct stat output;
    if (fstat(STDOUT_FILENO, &output) != 0 || !S_ISREG(output.st_mode) ||
        fdatasync(STDOUT_FILENO) == 0)
        return true;
    complain("standard output: %s; the output is not complete",
             strerror(errno));
    return false;
}

static int ack_turn(handing *now)
{
    size_t missing = 0;
    if (!is_output_synced()) {
        give_back(now, 0);
        return COMMAND_ERROR;
    }
    const crawl_back for_good = {0};
    int status =
        crawl_ack(now->it, now->leases, now->turn_count, &for_good, &missing);
    if (status == 0 && missing > 0)
        complain("%s: printing took longer than some leases, so their items "
                 "are handed out again; give a longer --lease",
                 now->from->access->dir);
    return status;
}

static int print_turn(handing *now)
{
    size_t written = write_text(&now->text), printed = 0;
    if (written == now->text.size)
        return now->from->acks ? ack_turn(now) : 0;
    while (!now->from->acks && now->ends[printed] <= written)
        printed++;
    give_back(now, printed);
    return COMMAND_ERROR;
}

static uint64_t lease_ms(const queue_access *access)
{
    double ms = access->options.lease_seconds * 1e3;
    if (!(ms > 0))
        return DEFAULT_LEASE_MS;
    return ms < 1 ? 1 : (uint64_t)ms;
}

/* Hands out what there is, until it is enough. */
static int hand_out_now(handing *now)
{
    const queue_crawl_pop *from = now->from;
    int status = 0;
    do {
        uint64_t left = from->count - now->total;
        now->turn_count = now->text.size = 0;
        status =
            crawl_pop(now->it, left < TURN_ITEMS ? (size_t)left : TURN_ITEMS,
                      lease_ms(from->access), take_item, now);
        if (status == 0 && now->turn_count > 0)
            status = print_turn(now);
        now->total += now->turn_count;
    } while (status == 0 && now->turn_count > 0 && now->total < from->count);
    return status;
}

static void pause_for(double seconds)
{
    struct timespec time = {.tv_nsec = (long)(seconds * 1e9)};
    (void)nanosleep(&time, NULL);
}

/* Not for longer than for an item, and not for ever. */
static void wait_for_servers(handing *now, double seconds)
{
    crawl_set_wait(now->it, seconds < QUEUE_WAIT_DEFAULT_SECONDS
                                ? seconds
                                : QUEUE_WAIT_DEFAULT_SECONDS);
}

static int hand_out(handing *now)
{
    const queue_crawl_pop *from = now->from;
    double until = clock_steady_seconds() + from->access->wait_seconds;
    double pause = FIRST_PAUSE_SECONDS;
    int status = hand_out_now(now);
    while (status == 0 && now->total == 0 && from->waits &&
           clock_steady_seconds() < until) {
        pause_for(pause);
        wait_for_servers(now, until - clock_steady_seconds());
        pause = pause * 2 < LONGEST_PAUSE_SECONDS ? pause * 2
                                                  : LONGEST_PAUSE_SECONDS;
        status = hand_out_now(now);
    }
    if (status == 0 && now->total == 0)
        return COMMAND_NOTHING;
    return status;
}

int queue_pop_crawl(const queue_crawl_pop *from)
{
    queue_access access = *from->access;
    handing *now = calloc(1, sizeof *now);
    if (now == NULL)
        return queue_complain(access.dir, SEENSET_ENOMEM);
    if (!(access.wait_seconds < QUEUE_WAIT_DEFAULT_SECONDS))
        access.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS;
    now->from = from;
    (void)signal(SIGPIPE, SIG_IGN); /* items are given back first */
    int status = queue_crawl_open(&now->it, &access, NULL);
    if (status == 0)
        status = hand_out(now);
    crawl_close(now->it);
    free(now->text.bytes);
    free(now);
    return status;
}
