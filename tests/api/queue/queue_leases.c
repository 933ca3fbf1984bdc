/*
 * queue_leases.c - the contract of leases, on each kind of queue: who may end
 * one, what is handed out again, and when. A time of 0 or of a nanosecond is
 * over at once, and one of 1e9 seconds is not over during a test, so no result
 * depends on how fast a test runs. tests/unit/queue/queue_time.c sets the time.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <time.h>

#include "queue_kinds.h"

static const double long_seconds = 1e9, no_seconds = 1e-9;

/* The queue of a test once more, with leases of another length. */
static void open_with_leases(queue_place *at, double lease_seconds)
{
    seenset_queue_options options = at->options;
    options.lease_seconds = lease_seconds;
    queue_place_close(at);
    queue_place_open_with(at, &options);
}

/* Pops until there is something, which must be this URL. */
static void await(seenset_queue *queue, seenset_queue_item *item, int number)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    int result;
    while ((result = seenset_queue_pop(queue, item)) == 0)
        nanosleep(&moment, NULL);
    assert_int_equal(result, 1);
    assert_int_equal(queue_url_number(item), number);
}

static void assert_has_ended(seenset_queue *queue, uint64_t lease)
{
    assert_int_equal(seenset_queue_ack(queue, lease), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_ack_many(queue, &lease, 1), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_nack(queue, lease, NULL), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_extend(queue, lease, 1), SEENSET_ELEASE);
}

/* ---- who has an item ---- */

static void leased_items_are_not_handed_out(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 2);
    (void)queue_pop(at->queue, 0);
    uint64_t lease = queue_pop(at->queue, 1);
    queue_assert_empty(at->queue);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 2);
    assert_int_equal(seenset_queue_ack(at->queue, lease), SEENSET_OK);
    queue_assert_empty(at->queue);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 1);
}

static void acked_leases_have_ended(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 2);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_ack(at->queue, lease), SEENSET_OK);
    assert_has_ended(at->queue, lease);
    assert_int_equal(queue_stats_of(at->queue).acked_items, 1);
    (void)queue_pop(at->queue, 1);
}

static void numbers_that_are_no_lease_are_refused(void **state)
{
    static const uint64_t numbers[] = {0, 1, 255, UINT64_C(1) << 40,
                                       UINT64_MAX};
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 1);
    for (size_t i = 0; i < TEST_COUNT(numbers); i++)
        assert_has_ended(at->queue, numbers[i]);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_has_ended(at->queue, lease + 1);
    assert_has_ended(at->queue, ~lease);
    assert_int_equal(seenset_queue_ack(at->queue, lease), SEENSET_OK);
}

/* ---- given back ---- */

static void nacked_items_come_before_new_ones(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    queue_push_new(at->queue, 0, 2);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_nack(at->queue, lease, NULL), SEENSET_OK);
    assert_has_ended(at->queue, lease);
    assert_int_equal(queue_stats_of(at->queue).pending_items, 2);
    assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
    assert_int_equal(queue_url_number(&item), 0);
    assert_int_equal(item.number, 0);
    assert_int_equal(item.deliveries, 2);
    assert_int_not_equal(item.lease, lease);
    assert_has_ended(at->queue, lease);
    assert_int_equal(seenset_queue_ack(at->queue, item.lease), SEENSET_OK);
    seenset_queue_item_free(&item);
    queue_assert_left(at->queue, 1, 2);
}

static void give_back_untried(queue_place *at, uint64_t lease, double seconds)
{
    const seenset_queue_nack_options options = {.delay_seconds = seconds,
                                                .flags = SEENSET_QUEUE_UNTRIED};
    assert_int_equal(seenset_queue_nack(at->queue, lease, &options),
                     SEENSET_OK);
    assert_has_ended(at->queue, lease);
    assert_int_equal(seenset_queue_nack(at->queue, lease, &options),
                     SEENSET_ELEASE);
}

/* Each time is under another lease, and none is counted. */
static void untried_items_have_no_delivery_more(void **state)
{
    enum {
        TIMES = 300 /* more than a byte counts */
    };
    queue_place *at = *state;
    seenset_queue_item item = {0};
    uint64_t leases[TIMES];
    queue_push_new(at->queue, 0, 2);
    assert_int_equal(
        seenset_queue_nack(at->queue, queue_pop(at->queue, 0), NULL),
        SEENSET_OK);
    for (int i = 0; i < TIMES; i++) {
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        assert_int_equal(queue_url_number(&item), 0);
        assert_int_equal(item.deliveries, 2);
        leases[i] = item.lease;
        for (int j = 0; j < i; j++)
            assert_int_not_equal(leases[j], leases[i]);
        give_back_untried(at, item.lease, 0);
    }
    assert_int_equal(seenset_queue_peek(at->queue, &item), 1);
    assert_int_equal(item.deliveries, 1);
    assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
    give_back_untried(at, item.lease, long_seconds);
    assert_int_equal(queue_stats_of(at->queue).delayed_items, 1);
    seenset_queue_item_free(&item);
    queue_assert_left(at->queue, 1, 2);
}

/* Whatever became of it before, it counts as never handed out. */
static void visited_items_begin_again(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    seenset_queue_nack_options how = {.flags = SEENSET_QUEUE_VISITED};
    uint64_t last = 0;
    queue_push_new(at->queue, 0, 2);
    for (int i = 0; i < 3; i++) {
        for (uint32_t tries = 1; tries <= 3; tries++) {
            assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
            assert_int_equal(queue_url_number(&item), 0);
            assert_int_equal(item.deliveries, tries);
            assert_int_not_equal(item.lease, last);
            last = item.lease;
            assert_int_equal(
                seenset_queue_nack(at->queue, last, tries < 3 ? NULL : &how),
                SEENSET_OK);
            assert_has_ended(at->queue, last);
        }
        assert_int_equal(seenset_queue_nack(at->queue, last, &how),
                         SEENSET_ELEASE);
    }
    assert_int_equal(seenset_queue_peek(at->queue, &item), 1);
    assert_int_equal(item.deliveries, 0);
    how.delay_seconds = long_seconds;
    assert_int_equal(
        seenset_queue_nack(at->queue, queue_pop(at->queue, 0), &how),
        SEENSET_OK);
    assert_int_equal(queue_stats_of(at->queue).delayed_items, 1);
    seenset_queue_item_free(&item);
    queue_assert_left(at->queue, 1, 2);
}

static void options_of_nack_are_checked(void **state)
{
    queue_place *at = *state;
    const seenset_queue_nack_options wrong[] = {
        {.flags = SEENSET_QUEUE_UNTRIED | SEENSET_QUEUE_VISITED},
        {.delay_seconds = -1},
        {.delay_seconds = 1.1e9},
        {.delay_seconds = NAN},
        {.reserved32 = 1},
        {.flags = SEENSET_QUEUE_AGAIN},
        {.reserved = {0, 0, 0, 1}}};
    queue_push_new(at->queue, 0, 1);
    uint64_t lease = queue_pop(at->queue, 0);
    for (size_t i = 0; i < TEST_COUNT(wrong); i++)
        assert_int_equal(seenset_queue_nack(at->queue, lease, &wrong[i]),
                         SEENSET_EINVAL);
    assert_int_equal(seenset_queue_nack(NULL, lease, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_nack(at->queue, lease, NULL), SEENSET_OK);
    assert_has_ended(at->queue, lease);
    queue_assert_left(at->queue, 0, 1);
}

static void delayed_items_wait(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 2);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_nack(at->queue, lease,
                                        &(const seenset_queue_nack_options){
                                            .delay_seconds = long_seconds}),
                     SEENSET_OK);
    assert_has_ended(at->queue, lease);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.pending_items, 2);
    assert_int_equal(stats.leased_items, 0);
    queue_assert_left(at->queue, 1, 2);
    assert_int_equal(queue_push(at->queue, 0), 0); /* it is not forgotten */
    assert_int_equal(queue_stats_of(at->queue).pending_items, 1);
}

/* However often an item comes back, it is one item, and one lease is right. */
static void items_come_back_any_number_of_times(void **state)
{
    enum {
        TIMES = 600
    };
    queue_place *at = *state;
    seenset_queue_item item = {0};
    uint64_t before = 0;
    queue_push_new(at->queue, 0, 1);
    for (uint32_t i = 1; i <= TIMES; i++) {
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        assert_int_equal(item.number, 0);
        assert_int_equal(item.deliveries, i);
        if (i > 1)
            assert_int_equal(seenset_queue_ack(at->queue, before),
                             SEENSET_ELEASE);
        before = item.lease;
        assert_int_equal(seenset_queue_nack(at->queue, item.lease, NULL),
                         SEENSET_OK);
    }
    seenset_queue_item_free(&item);
    queue_assert_left(at->queue, 0, 1);
}

/* ---- times ---- */

static void leases_end_when_their_time_is_over(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    open_with_leases(at, no_seconds);
    queue_push_new(at->queue, 0, 1);
    uint64_t first = queue_pop(at->queue, 0);
    await(at->queue, &item, 0);
    assert_int_equal(item.deliveries, 2);
    assert_has_ended(at->queue, first);
    /* late, but nobody else has it */
    assert_int_equal(seenset_queue_ack(at->queue, item.lease), SEENSET_OK);
    seenset_queue_item_free(&item);
    queue_assert_empty(at->queue);
}

static double now_seconds(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* By the real clock, not early. How late is the machine's affair. */
static void times_last_as_long_as_they_were_given(void **state)
{
    const double seconds = 0.003;
    queue_place *at = *state;
    seenset_queue_item item = {0};
    open_with_leases(at, seconds);
    queue_push_new(at->queue, 0, 1);
    for (int i = 0; i < 3; i++) {
        double begin = now_seconds();
        await(at->queue, &item, 0);
        if (i == 1)
            assert_int_equal(
                seenset_queue_nack(at->queue, item.lease,
                                   &(const seenset_queue_nack_options){
                                       .delay_seconds = 2 * seconds}),
                0);
        if (i == 2)
            assert_int_equal(
                seenset_queue_extend(at->queue, item.lease, 3 * seconds), 0);
        await(at->queue, &item, 0);
        assert_true(now_seconds() - begin >= (i + 1) * seconds);
        assert_int_equal(seenset_queue_nack(at->queue, item.lease, NULL), 0);
    }
    seenset_queue_item_free(&item);
}

static void extended_leases_end_later(void **state)
{
    queue_place *at = *state;
    open_with_leases(at, no_seconds);
    queue_push_new(at->queue, 0, 1);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_extend(at->queue, lease, long_seconds),
                     SEENSET_OK);
    queue_assert_empty(at->queue);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 1);
    assert_int_equal(seenset_queue_ack(at->queue, lease), SEENSET_OK);
    queue_assert_empty(at->queue);
}

static void leases_can_be_ended_early(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    queue_push_new(at->queue, 0, 1);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_extend(at->queue, lease, 0), SEENSET_OK);
    await(at->queue, &item, 0);
    assert_int_equal(item.deliveries, 2);
    assert_has_ended(at->queue, lease);
    seenset_queue_item_free(&item);
}

static void times_have_limits(void **state)
{
    const double bad[] = {-1.0, -1e-300, nextafter(1e9, INFINITY),
                          (double)INFINITY, (double)NAN};
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 1);
    uint64_t lease = queue_pop(at->queue, 0);
    for (size_t i = 0; i < TEST_COUNT(bad); i++) {
        assert_int_equal(seenset_queue_nack(at->queue, lease,
                                            &(const seenset_queue_nack_options){
                                                .delay_seconds = bad[i]}),
                         SEENSET_EINVAL);
        assert_int_equal(seenset_queue_extend(at->queue, lease, bad[i]),
                         SEENSET_EINVAL);
    }
    assert_int_equal(seenset_queue_extend(at->queue, lease, 1e9), SEENSET_OK);
    assert_int_equal(seenset_queue_ack(at->queue, lease), SEENSET_OK);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(leased_items_are_not_handed_out),
        QUEUE_TEST(acked_leases_have_ended),
        QUEUE_TEST(numbers_that_are_no_lease_are_refused),
        QUEUE_TEST(nacked_items_come_before_new_ones),
        QUEUE_TEST(untried_items_have_no_delivery_more),
        QUEUE_TEST(visited_items_begin_again),
        QUEUE_TEST(options_of_nack_are_checked),
        QUEUE_TEST(delayed_items_wait),
        QUEUE_TEST(items_come_back_any_number_of_times),
        QUEUE_TEST(leases_end_when_their_time_is_over),
        QUEUE_TEST(times_last_as_long_as_they_were_given),
        QUEUE_TEST(extended_leases_end_later),
        QUEUE_TEST(leases_can_be_ended_early),
        QUEUE_TEST(times_have_limits),
    };
    return queue_run_kinds(tests, TEST_COUNT(tests));
}
