/*
 * queue_pop_many.c - the contract of many items at once, on each kind of queue:
 * pop_many hands out as as many calls of pop would, into the caller's memory;
 * and a push of many can give each URL a priority of its own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "queue_kinds.h"

enum {
    COUNT = 300, /* more than are handed out with the mutex held once */
    LONG_BYTES = 400 << 10
};

/* What pop_many is given. */
typedef struct batch {
    seenset_queue_item items[COUNT + 1];
    char memory[SEENSET_QUEUE_POP_BYTES];
} batch;

static int64_t pop_many(queue_place *at, batch *to, size_t count)
{
    return seenset_queue_pop_many(at->queue, to->items, count, to->memory,
                                  sizeof to->memory, NULL);
}

static batch *new_batch(void)
{
    batch *made = calloc(1, sizeof *made);
    assert_non_null(made);
    return made;
}

/* Is the item's URL or data in the memory, with a 0 after it? */
static void assert_inside(const batch *to, const void *bytes, size_t size)
{
    const char *begin = bytes;
    assert_true(begin >= to->memory &&
                begin + size < to->memory + sizeof to->memory);
    assert_int_equal(begin[size], 0);
}

static void assert_item(const batch *to, const seenset_queue_item *item,
                        int number)
{
    assert_int_equal(queue_url_number(item), number);
    assert_int_equal(item->number, number);
    assert_int_equal(item->deliveries, 1);
    assert_null(item->memory);
    assert_inside(to, item->url, item->url_len);
    assert_inside(to, item->data, item->data_len);
}

/* ---- pop_many ---- */

static void pop_many_is_many_pops(void **state)
{
    queue_place *at = *state;
    batch *to = new_batch();
    queue_push_new(at->queue, 0, COUNT);
    assert_int_equal(pop_many(at, to, 0), 0);
    assert_int_equal(queue_pop(at->queue, 0) >> 8, 0);
    assert_int_equal(pop_many(at, to, 3), 3);
    for (int i = 0; i < 3; i++)
        assert_item(to, &to->items[i], 1 + i);
    assert_null(to->items[3].url);
    assert_int_equal(pop_many(at, to, COUNT + 1), COUNT - 4);
    for (int i = 0; i < COUNT - 4; i++)
        assert_item(to, &to->items[i], 4 + i);
    assert_int_equal(pop_many(at, to, COUNT), 0);
    assert_int_equal(queue_stats_of(at->queue).leased_items, COUNT);
    free(to);
}

static void items_given_back_come_again(void **state)
{
    queue_place *at = *state;
    batch *to = new_batch();
    queue_push_new(at->queue, 0, 5);
    assert_int_equal(pop_many(at, to, 3), 3);
    uint64_t acked = to->items[1].lease;
    assert_int_equal(seenset_queue_nack(at->queue, to->items[0].lease, 0),
                     NULL);
    assert_int_equal(seenset_queue_ack(at->queue, acked), 0);
    assert_int_equal(pop_many(at, to, 5), 3);
    assert_int_equal(queue_url_number(&to->items[0]), 0);
    assert_int_equal(to->items[0].deliveries, 2);
    assert_item(to, &to->items[1], 3);
    assert_item(to, &to->items[2], 4);
    assert_int_equal(seenset_queue_ack(at->queue, acked), SEENSET_ELEASE);
    free(to);
}

static void leases_are_as_long_as_asked(void **state)
{
    queue_place *at = *state;
    const seenset_queue_pop_options hour = {.lease_seconds = 3600};
    batch *to = new_batch();
    queue_push_new(at->queue, 0, 2);
    assert_int_equal(seenset_queue_pop_many(at->queue, to->items, 1, to->memory,
                                            sizeof to->memory, &hour),
                     1);
    double seconds = queue_stats_of(at->queue).seconds_to_due;
    assert_true(seconds > 0 && seconds <= 3600);
    assert_int_equal(pop_many(at, to, 1), 1);
    assert_int_equal(seenset_queue_ack(at->queue, to->items[0].lease), 0);
    free(to);
}

/* What does not fit after the others comes with the next call. */
static void memory_bounds_what_comes(void **state)
{
    queue_place *at = *state;
    batch *to = new_batch();
    char *data = calloc(1, LONG_BYTES);
    assert_non_null(data);
    for (int i = 0; i < 5; i++) {
        char url[QUEUE_URL_BYTES];
        queue_url(i, url);
        assert_int_equal(
            seenset_queue_push(at->queue, url, strlen(url), data, LONG_BYTES),
            1);
    }
    for (int i = 0; i < 4; i += 2) {
        assert_int_equal(pop_many(at, to, COUNT), 2);
        assert_item(to, &to->items[0], i);
        assert_item(to, &to->items[1], i + 1);
        assert_int_equal(to->items[1].data_len, LONG_BYTES);
    }
    assert_int_equal(queue_stats_of(at->queue).leased_items, 4);
    assert_int_equal(pop_many(at, to, COUNT), 1);
    assert_item(to, &to->items[0], 4);
    free(data);
    free(to);
}

static void the_longest_item_fits(void **state)
{
    queue_place *at = *state;
    batch *to = new_batch();
    size_t size = SEENSET_QUEUE_MAX_ITEM_BYTES;
    char url[QUEUE_URL_BYTES];
    char *data = calloc(1, size);
    assert_non_null(data);
    queue_url(0, url);
    assert_int_equal(seenset_queue_push(at->queue, url, strlen(url), data,
                                        size - strlen(url)),
                     1);
    assert_int_equal(pop_many(at, to, COUNT), 1);
    assert_item(to, &to->items[0], 0);
    free(data);
    free(to);
}

/* Its own memory stays an item's own. */
static void items_of_pop_keep_their_memory(void **state)
{
    queue_place *at = *state;
    batch *to = new_batch();
    queue_push_new(at->queue, 0, 2);
    assert_int_equal(seenset_queue_pop(at->queue, &to->items[0]), 1);
    const void *own = to->items[0].memory;
    assert_int_equal(pop_many(at, to, 1), 1);
    assert_inside(to, to->items[0].url, to->items[0].url_len);
    assert_ptr_equal(to->items[0].memory, own);
    seenset_queue_item_free(&to->items[0]);
    free(to);
}

static void bad_arguments_are_refused(void **state)
{
    queue_place *at = *state;
    static const seenset_queue_pop_options bad[] = {{.lease_seconds = -1},
                                                    {.lease_seconds = 2e9},
                                                    {.lease_seconds = NAN},
                                                    {.reserved = {0, 0, 0, 1}}};
    seenset_queue *queue = at->queue;
    batch *to = new_batch();
    void *memory = to->memory;
    size_t size = sizeof to->memory;
    queue_push_new(queue, 0, 1);
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(
            seenset_queue_pop_many(queue, to->items, 1, memory, size, &bad[i]),
            SEENSET_EINVAL);
    const int64_t answers[] = {
        seenset_queue_pop_many(NULL, to->items, 1, memory, size, NULL),
        seenset_queue_pop_many(queue, NULL, 1, memory, size, NULL),
        seenset_queue_pop_many(queue, to->items, 1, NULL, size, NULL),
        seenset_queue_pop_many(queue, to->items, 1, memory, size - 1, NULL)};
    for (size_t i = 0; i < TEST_COUNT(answers); i++)
        assert_int_equal(answers[i], SEENSET_EINVAL);
    assert_int_equal(seenset_queue_pop_many(queue, NULL, 0, memory, size, NULL),
                     0);
    assert_int_equal(queue_stats_of(queue).leased_items, 0);
    free(to);
}

/* ---- priorities of the entries ---- */

static void entries_have_their_own_priority(void **state)
{
    static const uint32_t own[] = {0, 9, 3, 0, 9};
    static const int order[] = {1, 4, 0, 3, 2}; /* 0: that of the options, 5 */
    enum {
        URLS = TEST_COUNT(own)
    };
    queue_place *at = *state;
    const seenset_queue_push_options options = {.priority = 5};
    char urls[URLS][QUEUE_URL_BYTES];
    seenset_queue_entry entries[URLS];
    for (int i = 0; i < URLS; i++) {
        queue_url(i, urls[i]);
        entries[i] = (seenset_queue_entry){
            .url = urls[i], .url_len = strlen(urls[i]), .priority = own[i]};
    }
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, URLS, &options, NULL), 0);
    batch *to = new_batch();
    assert_int_equal(pop_many(at, to, COUNT), URLS);
    for (int i = 0; i < URLS; i++) {
        uint32_t wanted = own[order[i]] == 0 ? 5 : own[order[i]];
        assert_item(to, &to->items[i], order[i]);
        assert_int_equal(to->items[i].priority, wanted);
    }
    free(to);
}

static void bad_entries_are_refused(void **state)
{
    queue_place *at = *state;
    const seenset_queue_push_options seen_only = {.flags =
                                                      SEENSET_QUEUE_SEEN_ONLY};
    char url[QUEUE_URL_BYTES];
    queue_url(0, url);
    const seenset_queue_entry bad[] = {
        {.url = url, .url_len = strlen(url), .priority = 10},
        {.url = url, .url_len = strlen(url), .reserved32 = 1},
        {.url = url, .url_len = strlen(url), .reserved = {0, 1}}};
    const seenset_queue_entry high = {
        .url = url, .url_len = strlen(url), .priority = 1};
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(
            seenset_queue_push_many(at->queue, &bad[i], 1, NULL, NULL),
            SEENSET_EINVAL);
    assert_int_equal(
        seenset_queue_push_many(at->queue, &high, 1, &seen_only, NULL),
        SEENSET_EINVAL);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, 0);
    assert_int_equal(queue_push(at->queue, 0), 1);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(pop_many_is_many_pops),
        QUEUE_TEST(items_given_back_come_again),
        QUEUE_TEST(leases_are_as_long_as_asked),
        QUEUE_TEST(memory_bounds_what_comes),
        QUEUE_TEST(the_longest_item_fits),
        QUEUE_TEST(items_of_pop_keep_their_memory),
        QUEUE_TEST(bad_arguments_are_refused),
        QUEUE_TEST(entries_have_their_own_priority),
        QUEUE_TEST(bad_entries_are_refused),
    };
    return queue_run_kinds(tests, TEST_COUNT(tests));
}
