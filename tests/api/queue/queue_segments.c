/*
 * queue_segments.c - when the log files of a queue go: a segment is removed
 * when its last item has ended and a checkpoint has been made, so that the log
 * of a long crawl does not grow.
 */
#include <string.h>

#include "queue_kinds.h"

enum {
    DATA_BYTES = 200
};

static uint64_t log_bytes(const queue_place *at)
{
    return queue_stats_of(at->queue).log_bytes;
}

/* Pushes one new URL with so many bytes of data. */
static void push_with_data(queue_place *at, int number, size_t data_bytes)
{
    char url[QUEUE_URL_BYTES], data[300];
    assert_true(data_bytes <= sizeof data);
    memset(data, 'd', sizeof data);
    queue_url(number, url);
    assert_int_equal(
        seenset_queue_push(at->queue, url, strlen(url), data, data_bytes), 1);
}

/* Pushes, and ends, so many items of about 220 bytes. */
static void crawl_through(queue_place *at, int first, int end)
{
    for (int i = first; i < end; i++)
        push_with_data(at, i, DATA_BYTES);
    queue_assert_left(at->queue, first, end);
}

/* A log whose items are done does not grow. */
static void queue_gives_back_segments(void **state)
{
    queue_place *at = *state;
    for (int round = 0; round < 10; round++) {
        crawl_through(at, 50 * round, 50 * round + 50);
        assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
    }
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.acked_items, 500);
    if (at->options.segment_bytes == 0) {
        assert_int_equal(stats.segment_count, 1);
        assert_in_range(stats.log_bytes, 500 * DATA_BYTES, 1 << 18);
    } else { /* 130,000 bytes were written */
        assert_true(stats.segment_count < 16);
        assert_true(stats.log_bytes < 16 * 4200);
    }
    queue_place_reopen(at);
    queue_assert_empty(at->queue);
}

/* A segment goes with its last item, not with the first of the next. */
static void a_segment_goes_with_its_last_item(void **state)
{
    queue_place *at = *state;
    int count = 0;
    if (at->options.segment_bytes == 0)
        return;
    while (queue_stats_of(at->queue).segment_count == 1)
        push_with_data(at, count++, 300);
    for (int i = 0; i < count - 1; i++)
        assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, i)),
                         0);
    assert_int_equal(queue_stats_of(at->queue).segment_count, 2);
    for (int i = 0; i < 2; i++) { /* two states are kept, and two sets */
        assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
        queue_push_new(at->queue, count, count + 1);
        count++;
    }
    assert_int_equal(queue_stats_of(at->queue).segment_count, 1);
    queue_assert_left(at->queue, count - 3, count);
}

/* The log is given back by the first checkpoint after the last ack, and so it
 * is when the queue is closed, but for as much as the set is large. A polite
 * queue gives back some of it on the way. */
static void a_drained_queue_has_no_log(void **state)
{
    queue_place *at = *state;
    seenset_stats set;
    if (at->options.segment_bytes == 0)
        return;
    crawl_through(at, 0, 200);
    if (at->options.politeness == NULL)
        assert_true(log_bytes(at) > 40000);
    assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
    assert_int_equal(log_bytes(at), 32);
    assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
    assert_int_equal(log_bytes(at), 32);
    crawl_through(at, 200, 600);
    assert_int_equal(seenset_queue_get_set_stats(at->queue, &set, sizeof set),
                     0);
    queue_place_reopen(at);
    assert_in_range(log_bytes(at), 32, set.memory_bytes + 512);
    queue_assert_empty(at->queue);
    for (int i = 0; i < 600; i += 7)
        assert_int_equal(queue_push(at->queue, i), 0);
}

/* One lease keeps its segment, and not the ones before it. */
static void a_leased_item_keeps_its_segment(void **state)
{
    queue_place *at = *state;
    if (at->options.segment_bytes == 0)
        return;
    crawl_through(at, 0, 200);
    queue_push_new(at->queue, 200, 201);
    uint64_t lease = queue_pop(at->queue, 200);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
        assert_in_range(log_bytes(at), 32, 2 * 4200);
    }
    assert_int_equal(seenset_queue_nack(at->queue, lease, NULL), NULL);
    queue_place_reopen(at);
    queue_assert_left(at->queue, 200, 201);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(queue_gives_back_segments),
        QUEUE_TEST(a_segment_goes_with_its_last_item),
        QUEUE_TEST(a_drained_queue_has_no_log),
        QUEUE_TEST(a_leased_item_keeps_its_segment),
    };
    return queue_run_kept_kinds(tests, TEST_COUNT(tests));
}
