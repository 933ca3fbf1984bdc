/*
 * queue_threads.c - several threads use a queue of each kind at once: each URL
 * is new once, and is handed out once.
 */
#include "queue_kinds.h"

enum {
    THREADS = 4,
    THREAD_URLS = 300
};

typedef struct member {
    seenset_queue *queue;
    int new_count, acked;
} member;

static void *push_and_pop(void *argument)
{
    member *me = argument;
    seenset_queue_item item = {0};
    for (int i = 0; i < THREAD_URLS; i++) {
        me->new_count += queue_push(me->queue, i) == 1;
        if (seenset_queue_pop(me->queue, &item) == 1)
            me->acked += seenset_queue_ack(me->queue, item.lease) == 0;
    }
    while (seenset_queue_pop(me->queue, &item) == 1)
        me->acked += seenset_queue_ack(me->queue, item.lease) == 0;
    seenset_queue_item_free(&item);
    return NULL;
}

/* All threads push the same URLs: each is new once, and acked once. */
static void queue_serves_many_threads(void **state)
{
    queue_place *at = *state;
    member members[THREADS];
    int new_count = 0, acked = 0;
    for (int i = 0; i < THREADS; i++)
        members[i] = (member){.queue = at->queue};
    test_run_threads(THREADS, push_and_pop, members, sizeof members[0]);
    for (int i = 0; i < THREADS; i++) {
        new_count += members[i].new_count;
        acked += members[i].acked;
    }
    assert_int_equal(new_count, THREAD_URLS);
    assert_int_equal(acked, THREAD_URLS);
    assert_int_equal(queue_stats_of(at->queue).acked_items, THREAD_URLS);
    assert_int_equal(queue_stats_of(at->queue).dropped_items,
                     (THREADS - 1) * THREAD_URLS);
    queue_assert_empty(at->queue);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(queue_serves_many_threads),
    };
    return queue_run_kinds_in_threads(tests, TEST_COUNT(tests));
}
