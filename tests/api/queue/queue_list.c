/*
 * queue_list.c - the contract of looking into a queue, on each kind of queue:
 * what comes next, what a lease is of, and all that is pending. None of it
 * takes a lease.
 */
#include <math.h>
#include <string.h>

#include "queue_kinds.h"

enum {
    COUNT = 120
};

/* What a walk has shown: the state of each number, and in which order. */
typedef struct shown {
    int count, stop_after;
    int numbers[4 * COUNT];
    seenset_queue_listed items[4 * COUNT];
    seenset_queue *queue; /* acks what it is shown, unless NULL */
} shown;

static int number_of(const seenset_queue_listed *item)
{
    const seenset_queue_item as_item = {.url = item->url,
                                        .url_len = item->url_len};
    assert_int_equal(((const char *)item->url)[item->url_len], 0);
    assert_int_equal(((const char *)item->data)[item->data_len], 0);
    return queue_url_number(&as_item);
}

static int show(void *context, const seenset_queue_listed *item)
{
    shown *to = context;
    to->numbers[to->count] = number_of(item);
    to->items[to->count++] = *item;
    assert_in_range(to->count, 1, 4 * COUNT - 1);
    return to->count == to->stop_after ? 77 : 0;
}

static shown list(seenset_queue *queue)
{
    shown to = {0};
    assert_int_equal(seenset_queue_list(queue, show, &to), 0);
    return to;
}

static void push_at(seenset_queue *queue, int number, unsigned priority)
{
    char url[QUEUE_URL_BYTES];
    queue_url(number, url);
    const seenset_queue_entry entry = {
        .url = url, .url_len = strlen(url), .data = url, .data_len = 3};
    const seenset_queue_push_options options = {.priority = priority};
    assert_int_equal(seenset_queue_push_many(queue, &entry, 1, &options, NULL),
                     0);
}

static void peek_shows_what_pop_hands_out(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_peek(at->queue, &item), 0);
    queue_push_new(at->queue, 0, 3);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) {
            assert_int_equal(seenset_queue_peek(at->queue, &item), 1);
            assert_int_equal(queue_url_number(&item), i);
            assert_int_equal(item.number, i);
            assert_true(item.lease == 0);
            assert_int_equal(item.deliveries, 0);
        }
        uint64_t lease = queue_pop(at->queue, i);
        if (i == 0)
            assert_int_equal(seenset_queue_nack(at->queue, lease, NULL), 0);
        if (i > 0)
            continue;
        assert_int_equal(seenset_queue_peek(at->queue, &item), 1);
        assert_int_equal(queue_url_number(&item), 0);
        assert_int_equal(item.deliveries, 1);
        (void)queue_pop(at->queue, 0);
    }
    assert_int_equal(queue_stats_of(at->queue).leased_items, 3);
    assert_int_equal(seenset_queue_peek(at->queue, &item), 0);
    seenset_queue_item_free(&item);
}

static void leases_know_their_items(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    queue_push_new(at->queue, 0, 2);
    (void)queue_pop(at->queue, 0);
    uint64_t lease = queue_pop(at->queue, 1);
    assert_int_equal(seenset_queue_get_leased(at->queue, lease, &item), 0);
    assert_int_equal(queue_url_number(&item), 1);
    assert_true(item.lease == lease);
    assert_int_equal(item.deliveries, 1);
    assert_int_equal(seenset_queue_ack(at->queue, lease), 0);
    assert_int_equal(seenset_queue_get_leased(at->queue, lease, &item),
                     SEENSET_ELEASE);
    seenset_queue_item_free(&item);
}

static void a_walk_shows_all_that_is_pending(void **state)
{
    queue_place *at = *state;
    assert_int_equal(list(at->queue).count, 0);
    queue_push_new(at->queue, 0, COUNT);
    for (int i = 0; i < 60; i++) {
        uint64_t lease = queue_pop(at->queue, i);
        if (i % 3 == 0)
            assert_int_equal(seenset_queue_ack(at->queue, lease), 0);
        if (i % 3 == 1)
            assert_int_equal(
                seenset_queue_nack(
                    at->queue, lease,
                    &(const seenset_queue_nack_options){.delay_seconds = 1e6}),
                0);
    }
    const shown to = list(at->queue);
    assert_int_equal(to.count, COUNT - 20);
    for (int i = 0, n = 0; n < COUNT; n++) {
        if (n < 60 && n % 3 == 0)
            continue;
        const seenset_queue_listed *item = &to.items[i];
        assert_int_equal(to.numbers[i++], n);
        assert_int_equal(item->number, n);
        assert_int_equal(item->deliveries, n < 60);
        assert_int_equal(item->priority, 0);
        assert_int_equal(item->state, n >= 60      ? SEENSET_QUEUE_ITEM_WAITING
                                      : n % 3 == 1 ? SEENSET_QUEUE_ITEM_DELAYED
                                                   : SEENSET_QUEUE_ITEM_LEASED);
        assert_true((item->seconds > 0) == (n < 60));
        assert_true((item->lease != 0) == (n < 60 && n % 3 == 2));
    }
    const seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.leased_items, 20);
    assert_int_equal(stats.delayed_items, 20);
    assert_true(stats.seconds_to_due > 0 && stats.seconds_to_due <= 1e6);
    assert_int_equal(stats.priority_items[0], COUNT - 20);
    assert_int_equal(list(at->queue).count, COUNT - 20); /* nothing changed */
}

static void a_walk_goes_by_priority(void **state)
{
    queue_place *at = *state;
    for (int i = 0; i < COUNT; i++)
        push_at(at->queue, i, (unsigned)i % 3 * 4);
    (void)queue_pop(at->queue, 2); /* of priority 8 */
    const shown to = list(at->queue);
    assert_int_equal(to.count, COUNT);
    for (int i = 1; i < COUNT; i++) {
        const seenset_queue_listed *item = &to.items[i];
        assert_int_equal(item->priority, (unsigned)to.numbers[i] % 3 * 4);
        assert_int_equal(item->data_len, 3);
        assert_true(item->priority < item[-1].priority ||
                    (item->priority == item[-1].priority &&
                     item->number > item[-1].number));
    }
    assert_int_equal(to.items[0].state, SEENSET_QUEUE_ITEM_LEASED);
}

static void a_visitor_can_end_the_walk(void **state)
{
    queue_place *at = *state;
    shown to = {.stop_after = 5};
    queue_push_new(at->queue, 0, COUNT);
    assert_int_equal(seenset_queue_list(at->queue, show, &to), 77);
    assert_int_equal(to.count, 5);
}

/* Takes all that is behind it away. */
static int empty_queue(void *context, const seenset_queue_listed *item)
{
    shown *to = context;
    assert_int_equal(number_of(item), 0);
    to->count++;
    queue_assert_left(to->queue, 0, 4 * COUNT);
    assert_int_equal(seenset_queue_checkpoint(to->queue), 0);
    assert_int_equal(seenset_queue_checkpoint(to->queue), 0);
    assert_int_equal(seenset_queue_checkpoint(to->queue), 0);
    return 0;
}

static void a_visitor_can_use_the_queue(void **state)
{
    queue_place *at = *state;
    shown to = {.queue = at->queue};
    queue_push_new(at->queue, 0, 4 * COUNT);
    assert_int_equal(seenset_queue_list(at->queue, empty_queue, &to), 0);
    assert_int_equal(to.count, 1);
    assert_int_equal(list(at->queue).count, 0);
}

/* A folder shows what was written of it; leases as of the last checkpoint. */
static void a_look_shows_all_that_is_pending(void **state)
{
    queue_place *at = *state;
    shown to = {0};
    seenset_options given;
    const seenset_queue_options options = {.set =
                                               queue_place_given(at, &given)};
    if (at->kind->is_in_memory)
        return;
    for (int i = 0; i < COUNT; i++)
        push_at(at->queue, i, (unsigned)i % 2);
    (void)queue_pop(at->queue, 1);
    assert_int_equal(seenset_queue_save_leases(at->queue), 0);
    const char *dir = at->folder.path;
    assert_int_equal(seenset_queue_look_list(dir, &options, show, &to), 0);
    assert_int_equal(to.count, COUNT);
    assert_int_equal(to.numbers[0], 1);
    assert_int_equal(to.items[0].state, SEENSET_QUEUE_ITEM_LEASED);
    assert_int_equal(to.items[1].state, SEENSET_QUEUE_ITEM_WAITING);
    assert_int_equal(to.numbers[COUNT / 2], 0);
    to.count = 0;
    to.stop_after = 1;
    assert_int_equal(seenset_queue_look_list(dir, &options, show, &to), 77);
}

static void bad_arguments_are_refused(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    seenset_queue *queue = at->queue;
    assert_int_equal(seenset_queue_peek(NULL, &item), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_peek(queue, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_get_leased(NULL, 1, &item), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_get_leased(queue, 1, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_get_leased(queue, 1, &item), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_list(NULL, show, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_list(queue, NULL, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_look_list(NULL, NULL, show, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_look_list(".", NULL, NULL, NULL),
                     SEENSET_EINVAL);
    assert_true(isinf(queue_stats_of(queue).seconds_to_due));
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(peek_shows_what_pop_hands_out),
        QUEUE_TEST(leases_know_their_items),
        QUEUE_TEST(a_walk_shows_all_that_is_pending),
        QUEUE_TEST(a_walk_goes_by_priority),
        QUEUE_TEST(a_visitor_can_end_the_walk),
        QUEUE_TEST(a_visitor_can_use_the_queue),
        QUEUE_TEST(a_look_shows_all_that_is_pending),
        QUEUE_TEST(bad_arguments_are_refused),
    };
    return queue_run_kinds(tests, TEST_COUNT(tests));
}
