/*
 * queue_full_disk.c - a log that is to be cleaned takes acks on a full disk.
 *
 * A polite queue has a log in which a few items are left everywhere. Then the
 * disk is full, but for the rest of a block. Items that are moved out of old
 * segments do not fit. They must not be in the way of acks, which do. Once
 * there is room again, the log is cleaned.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "support.h"

enum {
    SEGMENT = 1 << 16,
    ITEMS = 3000,
    LEFT = 3, /* each third item is not acked when the disk gets full */
    ROOM = 4000,
    ACK_BYTES =
        60, /* of an ack, and of a record before it of what is durable */
    FITTING = ROOM / ACK_BYTES
};

typedef struct crawl {
    disk *on;
    seenset_queue *queue;
    uint64_t leases[ITEMS];
} crawl;

static void open_queue(crawl *of, seenset_queue_durability durability)
{
    static const seenset_options set = {.capacity_items = ITEMS,
                                        .fp_rate = 1e-9};
    static const seenset_queue_politeness rules = {
        .host_leases = SEENSET_QUEUE_MAX_HOST_LEASES};
    const seenset_queue_options options = {.set = &set,
                                           .politeness = &rules,
                                           .durability = durability,
                                           .segment_bytes = SEGMENT,
                                           .lease_seconds = 1e6,
                                           .flags = SEENSET_QUEUE_KEEP_LEASES};
    assert_int_equal(
        ss_queue_open(disk_io(of->on), &of->queue, DISK_FOLDER, &options), 0);
}

/* All are pushed, and handed out. */
static void hand_out(crawl *of)
{
    char url[32];
    static const char data[100];
    seenset_queue_item item = {0};
    for (int i = 0; i < ITEMS; i++) {
        size_t url_len = (size_t)snprintf(url, sizeof url, "http://h/%d", i);
        assert_int_equal(
            seenset_queue_push(of->queue, url, url_len, data, sizeof data), 1);
    }
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(seenset_queue_pop(of->queue, &item), 1);
        of->leases[item.number] = item.lease;
    }
    seenset_queue_item_free(&item);
}

static void ack(crawl *of, int item)
{
    assert_int_equal(seenset_queue_ack(of->queue, of->leases[item]), 0);
}

static bool is_left(int item)
{
    return item % LEFT == 0;
}

static void scatter(crawl *of)
{
    of->queue->cleaner.is_running = true; /* nothing is moved until the end */
    for (int i = 0; i < ITEMS; i++)
        if (!is_left(i))
            ack(of, i);
    assert_int_equal(seenset_queue_checkpoint(of->queue), 0);
    of->queue->cleaner.is_running = false;
}

static uint64_t count_left(crawl *of)
{
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(of->queue, &stats, sizeof stats),
                     0);
    return stats.pending_items + stats.leased_items;
}

/* The manifest is written before: there is room for it no more. */
static void fill(crawl *of)
{
    disk_faults *faults = disk_faults_of(of->on);
    assert_int_equal(ss_create_moved(of->queue), 0);
    faults->is_full = true;
    faults->room_bytes = ROOM;
}

static void acks_fit(seenset_queue_durability durability)
{
    crawl of = {.on = disk_new()};
    int next = 0;
    open_queue(&of, durability);
    hand_out(&of);
    scatter(&of);
    fill(&of);
    for (int count = 0; count < FITTING; next += LEFT, count++)
        ack(&of, next);
    assert_int_equal(seenset_queue_sync(of.queue), 0);
    assert_true(of.queue->cleaner.has_failed);
    disk_faults_of(of.on)->is_full = false;
    uint64_t log_bytes = of.queue->log.tail - of.queue->log.segments.at[0];
    for (; next < ITEMS / 2; next += LEFT)
        ack(&of, next);
    assert_false(of.queue->cleaner.has_failed);
    assert_int_equal(seenset_queue_checkpoint(of.queue), 0);
    assert_true(of.queue->log.tail - of.queue->log.segments.at[0] <
                log_bytes / 2);
    assert_int_equal(seenset_queue_close(of.queue), 0);
    open_queue(&of, durability);
    assert_int_equal(count_left(&of), (ITEMS - next + LEFT - 1) / LEFT);
    assert_int_equal(seenset_queue_close(of.queue), 0);
    disk_free(of.on);
}

static void a_full_disk_takes_acks(void **state)
{
    (void)state;
    acks_fit(SEENSET_QUEUE_DURABILITY_EACH);
}

static void a_full_disk_takes_acks_that_are_synced_later(void **state)
{
    (void)state;
    acks_fit(SEENSET_QUEUE_DURABILITY_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_takes_acks),
        cmocka_unit_test(a_full_disk_takes_acks_that_are_synced_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
