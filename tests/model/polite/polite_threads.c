/*
 * polite_threads.c - the log of a polite queue is cleaned while several threads
 * use the queue.
 *
 * Each thread pushes URLs of its own, hands out, acks and gives back; a host of
 * which each has some is blocked, so its items are moved to the log's end
 * again and again, by whichever thread takes a step. One more thread looks. In
 * the end each item of that host is there once, no other one is, and the log is
 * as short as ever. The thread sanitizer watches.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "support.h"

enum {
    THREADS = 4,
    THREAD_URLS = 400,
    LEFT = 8, /* each eighth URL is of the blocked host */
    DATA_BYTES = 150,
    SEGMENT = 4096,
    SPARE_SEGMENTS = 8
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen bytes ok";

static const struct {
    const char *name;
    seenset_queue_durability durability;
    const uint8_t *secret;
} rows[] = {
    {"each", SEENSET_QUEUE_DURABILITY_EACH, NULL},
    {"interval", SEENSET_QUEUE_DURABILITY_INTERVAL, NULL},
    {"none, keyed", SEENSET_QUEUE_DURABILITY_NONE, secret},
};

typedef struct place {
    seenset_queue *queue;
    atomic_int left;  /* threads that have not ended */
    atomic_int wrong; /* calls that did not do what they should */
    int shown[THREADS * THREAD_URLS];
} place;

typedef struct member {
    place *at;
    int number; /* THREADS: it looks */
} member;

static size_t url_of(int number, char url[64])
{
    const char *host = number % LEFT == 0 ? "blocked" : "quick";
    return (size_t)snprintf(url, 64, "http://%s%d.example/%d", host,
                            number % LEFT == 0 ? 0 : number % 5, number);
}

static void push(place *at, int number)
{
    static const uint8_t data[DATA_BYTES];
    char url[64];
    size_t url_len = url_of(number, url);
    at->wrong +=
        seenset_queue_push(at->queue, url, url_len, data, sizeof data) != 1;
}

/* Each third is given back first. */
static bool work_on_one(place *at, seenset_queue_item *item)
{
    if (seenset_queue_pop(at->queue, item) != 1)
        return false;
    int error = item->number % 3 == 0 && item->deliveries == 1
                    ? seenset_queue_nack(at->queue, item->lease, NULL)
                    : seenset_queue_ack(at->queue, item->lease);
    at->wrong += error != SEENSET_OK;
    return true;
}

static int show(void *context, const seenset_queue_listed *item)
{
    place *at = context;
    char url[64];
    const char *slash = memchr((const char *)item->url + 7, '/', 20);
    int number = atoi(slash + 1);
    size_t url_len = url_of(number, url);
    at->wrong += url_len != item->url_len || item->data_len != DATA_BYTES ||
                 memcmp(item->url, url, url_len) != 0;
    at->shown[number]++;
    return 0;
}

static void *run(void *argument)
{
    const member *me = argument;
    place *at = me->at;
    seenset_queue_item item = {0};
    if (me->number == THREADS) {
        while (at->left > 0)
            at->wrong += seenset_queue_list(at->queue, show, at) != SEENSET_OK;
        return NULL;
    }
    for (int i = 0; i < THREAD_URLS; i++) {
        push(at, me->number * THREAD_URLS + i);
        (void)work_on_one(at, &item);
    }
    while (work_on_one(at, &item))
        ;
    seenset_queue_item_free(&item);
    at->left--;
    return NULL;
}

static seenset_queue *open_queue(const char *dir, size_t row)
{
    static const seenset_queue_politeness rules = {.host_leases = 1000};
    const seenset_options set = {.capacity_items = THREADS * THREAD_URLS,
                                 .fp_rate = 1e-9,
                                 .secret = rows[row].secret};
    const seenset_queue_options options = {.set = &set,
                                           .politeness = &rules,
                                           .durability = rows[row].durability,
                                           .segment_bytes = SEGMENT,
                                           .snapshot_bytes = 2 * SEGMENT,
                                           .lease_seconds = 1e6};
    seenset_queue *queue = NULL;
    assert_int_equal(seenset_queue_open(&queue, dir, &options), SEENSET_OK);
    return queue;
}

static void block(seenset_queue *queue)
{
    const seenset_queue_host_settings blocked = {
        .flags = SEENSET_QUEUE_HOST_BLOCK, .block_seconds = 1e6};
    static const char host[] = "blocked0.example";
    assert_int_equal(
        seenset_queue_set_host(queue, host, strlen(host), &blocked), 0);
}

/* All others are acked; each of these is there once, at most twice its bytes
 * and some segments from the end of the log. */
static void check(place *at)
{
    seenset_queue *queue = at->queue;
    memset(at->shown, 0, sizeof at->shown);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_list(queue, show, at), 0);
    assert_int_equal(at->wrong, 0);
    for (int i = 0; i < THREADS * THREAD_URLS; i++)
        assert_int_equal(at->shown[i], i % LEFT == 0);
    assert_true(queue->manifest.has_moved);
    assert_true(queue->log.tail - queue->log.segments.at[0] <
                2 * queue->frontier->live.bytes + SPARE_SEGMENTS * SEGMENT);
}

static void log_is_cleaned_beside_threads(void **state)
{
    (void)state;
    for (size_t row = 0; row < TEST_COUNT(rows); row++) {
        test_folder folder;
        member members[THREADS + 1];
        test_folder_make(&folder);
        place at = {.queue = open_queue(folder.path, row), .left = THREADS};
        block(at.queue);
        for (int i = 0; i <= THREADS; i++)
            members[i] = (member){&at, i};
        test_run_threads(THREADS + 1, run, members, sizeof members[0]);
        check(&at);
        assert_int_equal(seenset_queue_close(at.queue), SEENSET_OK);
        at.queue = open_queue(folder.path, row);
        check(&at);
        assert_int_equal(seenset_queue_close(at.queue), SEENSET_OK);
        test_folder_remove(&folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_cleaned_beside_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
