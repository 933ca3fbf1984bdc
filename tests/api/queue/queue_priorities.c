/*
 * queue_priorities.c - the contract of pushes that are more than push, on each
 * kind of queue: with a priority, of a URL that was seen, into the set only;
 * and of URLs that are forgotten.
 */
#include <string.h>

#include "queue_kinds.h"

enum {
    COUNT = 300 /* some segments */
};

static int push_as(seenset_queue *queue, int number,
                   seenset_queue_push_options options)
{
    char url[QUEUE_URL_BYTES];
    uint8_t answer = 0;
    queue_url(number, url);
    const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
    int error = seenset_queue_push_many(queue, &entry, 1, &options, &answer);
    return error == SEENSET_OK ? answer : error;
}

static int push_at(seenset_queue *queue, int number, unsigned priority)
{
    return push_as(queue, number,
                   (seenset_queue_push_options){.priority = priority});
}

static int push_again(seenset_queue *queue, int number)
{
    char url[QUEUE_URL_BYTES];
    queue_url(number, url);
    return seenset_queue_push_again(queue, url, strlen(url), NULL, 0);
}

static int forget(seenset_queue *queue, int number)
{
    char url[QUEUE_URL_BYTES];
    queue_url(number, url);
    return seenset_queue_forget(queue, url, strlen(url));
}

/* Closes and opens the queue if it has a folder. */
static void open_again(queue_place *at)
{
    if (at->kind->is_in_memory)
        return;
    queue_place_close(at);
    assert_int_equal(queue_place_verify(at, NULL), SEENSET_OK);
    queue_place_open(at);
}

static unsigned priority_of(int number)
{
    static const unsigned priorities[] = {0, 9, 3, 0, 1, 3};
    return priorities[(size_t)number % TEST_COUNT(priorities)];
}

/* ---- priorities ---- */

static void push_all(queue_place *at)
{
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(push_at(at->queue, i, priority_of(i)), 1);
}

/* Pops and acks all but those of the first `skipped` numbers. */
static void assert_in_order(queue_place *at, int skipped)
{
    seenset_queue_item item = {0};
    for (unsigned priority = SEENSET_QUEUE_PRIORITIES; priority-- > 0;) {
        for (int i = skipped; i < COUNT; i++) {
            if (priority_of(i) != priority)
                continue;
            assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
            assert_int_equal(queue_url_number(&item), i);
            assert_int_equal(item.priority, priority);
            assert_int_equal(item.number, i);
            assert_int_equal(seenset_queue_ack(at->queue, item.lease), 0);
        }
    }
    queue_assert_empty(at->queue);
    seenset_queue_item_free(&item);
}

static void the_highest_priority_comes_first(void **state)
{
    queue_place *at = *state;
    push_all(at);
    assert_in_order(at, 0);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(queue_push(at->queue, i), 0);
}

static void priorities_are_kept(void **state)
{
    queue_place *at = *state;
    push_all(at);
    open_again(at);
    for (int i = 0; i < SEENSET_QUEUE_PRIORITIES; i++) {
        uint64_t count = 0;
        for (int j = 0; j < COUNT; j++)
            count += priority_of(j) == (unsigned)i;
        assert_int_equal(queue_stats_of(at->queue).priority_items[i], count);
    }
    assert_in_order(at, 0);
    open_again(at);
    queue_assert_empty(at->queue);
    assert_int_equal(queue_stats_of(at->queue).acked_items, COUNT);
}

/* What comes later with a higher priority goes first; a lease that was given
 * back waits for those above it. */
static void later_items_go_before_lower_ones(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    queue_push_new(at->queue, 0, 3);
    uint64_t first = queue_pop(at->queue, 0);
    assert_int_equal(push_at(at->queue, 10, 5), 1);
    assert_int_equal(seenset_queue_nack(at->queue, first, NULL), 0);
    assert_int_equal(push_at(at->queue, 11, 7), 1);
    uint64_t lease = queue_pop(at->queue, 11);
    assert_int_equal(seenset_queue_nack(at->queue, lease, NULL), 0);
    (void)queue_pop(at->queue, 11);
    (void)queue_pop(at->queue, 10);
    assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
    assert_int_equal(queue_url_number(&item), 0);
    assert_int_equal(item.deliveries, 2);
    assert_int_equal(item.priority, 0);
    seenset_queue_item_free(&item);
    open_again(at); /* all are handed out again, but the one in memory */
    if (at->kind->is_in_memory)
        return;
    (void)queue_pop(at->queue, 11);
    (void)queue_pop(at->queue, 10);
    (void)queue_pop(at->queue, 0);
    (void)queue_pop(at->queue, 1);
}

/* One item waits while megabytes of others come and go before it. */
static void low_priority_waits_long(void **state)
{
    enum {
        LARGE = 10
    };
    static char data[1000000];
    queue_place *at = *state;
    seenset_queue_item item = {0};
    assert_int_equal(push_at(at->queue, 0, 1), 1);
    for (int i = 1; i <= LARGE; i++) {
        char url[QUEUE_URL_BYTES];
        queue_url(i, url);
        const seenset_queue_entry entry = {.url = url,
                                           .url_len = strlen(url),
                                           .data = data,
                                           .data_len = sizeof data};
        const seenset_queue_push_options high = {.priority = 9};
        assert_int_equal(
            seenset_queue_push_many(at->queue, &entry, 1, &high, NULL), 0);
        assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, i)),
                         0);
    }
    assert_int_equal(seenset_queue_checkpoint(at->queue), 0);
    open_again(at);
    assert_int_equal(queue_stats_of(at->queue).pending_items, 1);
    assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
    assert_int_equal(queue_url_number(&item), 0);
    assert_int_equal(item.priority, 1);
    seenset_queue_item_free(&item);
}

/* Acked in any order, also together, and each once. */
static void acks_are_of_any_priorities(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    uint64_t leases[COUNT];
    push_all(at);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        leases[i] = item.lease;
    }
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_ack_many(at->queue, leases, COUNT - 1), 0);
    assert_int_equal(seenset_queue_ack_many(at->queue, leases, 2),
                     SEENSET_ELEASE);
    assert_int_equal(queue_stats_of(at->queue).acked_items, COUNT - 1);
    open_again(at);
    assert_int_equal(queue_stats_of(at->queue).acked_items, COUNT - 1);
}

/* ---- again ---- */

static void pushes_again_are_always_appended(void **state)
{
    queue_place *at = *state;
    assert_int_equal(push_again(at->queue, 0), 1); /* and now it was seen */
    assert_int_equal(queue_push(at->queue, 0), 0);
    assert_int_equal(push_again(at->queue, 0), 1);
    assert_int_equal(push_as(at->queue, 0,
                             (seenset_queue_push_options){
                                 .flags = SEENSET_QUEUE_AGAIN, .priority = 2}),
                     1);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, 3);
    assert_int_equal(queue_stats_of(at->queue).dropped_items, 1);
    open_again(at);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, 0)),
                         0);
    queue_assert_empty(at->queue);
    assert_int_equal(queue_push(at->queue, 0), 0);
}

static void many_are_pushed_again(void **state)
{
    enum {
        MANY = 600 /* more than are handled in one step */
    };
    static char urls[MANY][QUEUE_URL_BYTES];
    static seenset_queue_entry entries[MANY];
    static uint8_t answers[MANY];
    queue_place *at = *state;
    const seenset_queue_push_options again = {.flags = SEENSET_QUEUE_AGAIN};
    for (int i = 0; i < MANY; i++) {
        queue_url(i / 2, urls[i]); /* each twice */
        entries[i] =
            (seenset_queue_entry){.url = urls[i], .url_len = strlen(urls[i])};
    }
    assert_int_equal(queue_push(at->queue, 7), 1);
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, MANY, &again, answers), 0);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(answers[i], SEENSET_ANSWER_NEW);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, MANY + 1);
    assert_int_equal(queue_push(at->queue, MANY / 2 - 1), 0);
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, MANY, NULL, answers), 0);
    assert_int_equal(answers[0], SEENSET_ANSWER_SEEN);
}

/* ---- into the set only ---- */

static void seen_only_makes_no_items(void **state)
{
    const seenset_queue_push_options seen_only = {.flags =
                                                      SEENSET_QUEUE_SEEN_ONLY};
    queue_place *at = *state;
    assert_int_equal(push_as(at->queue, 1, seen_only), 1);
    assert_int_equal(push_as(at->queue, 1, seen_only), 0);
    assert_int_equal(queue_push(at->queue, 1), 0);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, 0);
    queue_assert_empty(at->queue);
    open_again(at);
    assert_int_equal(queue_push(at->queue, 1), 0);
    assert_int_equal(queue_push(at->queue, 2), 1);
    queue_assert_left(at->queue, 2, 3);
}

/* ---- forget ---- */

static void forgotten_urls_are_new_once(void **state)
{
    queue_place *at = *state;
    assert_int_equal(forget(at->queue, 0), 0);
    queue_push_new(at->queue, 0, 3);
    assert_int_equal(forget(at->queue, 1), 1);
    assert_int_equal(forget(at->queue, 1), 0);
    assert_int_equal(queue_stats_of(at->queue).forgotten_items, 1);
    open_again(at);
    assert_int_equal(queue_stats_of(at->queue).forgotten_items, 1);
    assert_int_equal(queue_push(at->queue, 0), 0);
    assert_int_equal(queue_push(at->queue, 1), 1);
    assert_int_equal(queue_push(at->queue, 1), 0);
    assert_int_equal(queue_push(at->queue, 2), 0);
    assert_int_equal(queue_stats_of(at->queue).forgotten_items, 0);
    open_again(at);
    assert_int_equal(queue_push(at->queue, 1), 0);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, 4);
}

static void many_are_forgotten(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, COUNT);
    for (int i = 0; i < COUNT; i += 2)
        assert_int_equal(forget(at->queue, i), 1);
    open_again(at);
    assert_int_equal(queue_stats_of(at->queue).forgotten_items, COUNT / 2);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(queue_push(at->queue, i), i % 2 == 0);
    assert_int_equal(queue_stats_of(at->queue).forgotten_items, 0);
}

/* Each way to push one ends it; of many, too. */
static void any_push_ends_forgetting(void **state)
{
    char urls[2][QUEUE_URL_BYTES];
    uint8_t answers[2];
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 4);
    assert_int_equal(forget(at->queue, 0), 1);
    assert_int_equal(push_again(at->queue, 0), 1);
    assert_int_equal(queue_push(at->queue, 0), 0);
    assert_int_equal(forget(at->queue, 1), 1);
    assert_int_equal(
        push_as(at->queue, 1,
                (seenset_queue_push_options){.flags = SEENSET_QUEUE_SEEN_ONLY}),
        1);
    assert_int_equal(queue_push(at->queue, 1), 0);
    assert_int_equal(forget(at->queue, 2), 1);
    queue_url(2, urls[0]);
    queue_url(2, urls[1]);
    const seenset_queue_entry entries[] = {
        {.url = urls[0], .url_len = strlen(urls[0])},
        {.url = urls[1], .url_len = strlen(urls[1])}};
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, 2, NULL, answers), 0);
    assert_int_equal(answers[0], SEENSET_ANSWER_NEW);
    assert_int_equal(answers[1], SEENSET_ANSWER_SEEN);
}

/* ---- arguments ---- */

static void bad_options_are_refused(void **state)
{
    static const seenset_queue_push_options bad[] = {
        {.priority = 10},
        {.flags = SEENSET_QUEUE_SEEN_ONLY, .priority = 1},
        {.flags = SEENSET_QUEUE_SEEN_ONLY | SEENSET_QUEUE_AGAIN},
        {.flags = SEENSET_QUEUE_UNTRIED},
        {.reserved = {0, 0, 0, 1}}};
    queue_place *at = *state;
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(push_as(at->queue, 0, bad[i]), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_push_many(
                         NULL, NULL, 0, &(seenset_queue_push_options){0}, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_push_many(at->queue, NULL, 1, NULL, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_push_again(NULL, "u", 1, NULL, 0),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_push_again(at->queue, NULL, 1, NULL, 0),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_forget(NULL, "u", 1), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_forget(at->queue, NULL, 1), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_forget(at->queue, "not a url", 9),
                     queue_kind_normalises(at->kind) ? SEENSET_EURL : 0);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, 0);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(the_highest_priority_comes_first),
        QUEUE_TEST(priorities_are_kept),
        QUEUE_TEST(later_items_go_before_lower_ones),
        QUEUE_TEST(low_priority_waits_long),
        QUEUE_TEST(acks_are_of_any_priorities),
        QUEUE_TEST(pushes_again_are_always_appended),
        QUEUE_TEST(many_are_pushed_again),
        QUEUE_TEST(seen_only_makes_no_items),
        QUEUE_TEST(forgotten_urls_are_new_once),
        QUEUE_TEST(many_are_forgotten),
        QUEUE_TEST(any_push_ends_forgetting),
        QUEUE_TEST(bad_options_are_refused),
    };
    return queue_run_kinds(tests, TEST_COUNT(tests));
}
