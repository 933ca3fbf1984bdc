/*
 * queue.c - the contract of an open queue, on each kind of queue: what push
 * answers, what pop hands out and in which order, what the figures are. Full
 * sets, leases, threads, what is kept in the folder, looks and repairs have
 * files of their own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue_kinds.h"

/* ---- push and pop ---- */

static void queue_drops_what_was_seen(void **state)
{
    queue_place *at = *state;
    assert_int_equal(queue_push(at->queue, 0), 1);
    assert_int_equal(queue_push(at->queue, 1), 1);
    assert_int_equal(queue_push(at->queue, 0), 0);
    (void)queue_pop(at->queue, 0);
    assert_int_equal(queue_push(at->queue, 0), 0);
    uint64_t lease = queue_pop(at->queue, 1);
    assert_int_equal(seenset_queue_ack(at->queue, lease), 0);
    assert_int_equal(queue_push(at->queue, 1), 0);
    queue_assert_empty(at->queue);
}

static void queue_hands_out_the_oldest_first(void **state)
{
    enum {
        COUNT = 60
    };
    queue_place *at = *state;
    seenset_queue_item item = {0};
    queue_push_new(at->queue, 0, COUNT);
    for (int i = 0; i < COUNT; i++) {
        if (i % 3 == 0) /* while others are pushed */
            assert_int_equal(queue_push(at->queue, COUNT + i / 3), 1);
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        assert_int_equal(queue_url_number(&item), i);
        assert_int_equal(item.number, i);
        assert_int_equal(item.deliveries, 1);
        assert_int_equal(item.data_len, 0);
        assert_int_equal(seenset_queue_ack(at->queue, item.lease), 0);
    }
    seenset_queue_item_free(&item);
    queue_assert_left(at->queue, COUNT, COUNT + COUNT / 3);
}

static void queue_keeps_data_with_the_url(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    char url[QUEUE_URL_BYTES];
    queue_url(7, url);
    assert_int_equal(seenset_queue_push(at->queue, url, strlen(url), "x\0y", 3),
                     1);
    /* of a URL that was seen the data is not kept */
    assert_int_equal(seenset_queue_push(at->queue, url, strlen(url), "z", 1),
                     0);
    assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
    assert_int_equal(queue_url_number(&item), 7);
    assert_int_equal(item.data_len, 3);
    assert_memory_equal(item.data, "x\0y", 4);
    seenset_queue_item_free(&item);
    queue_assert_empty(at->queue);
}

/* Pops three items that are no URLs: the oldest first, or, where each is a host
 * of its own, in any order. */
static void pop_any_bytes(const queue_place *at)
{
    static const seenset_queue_item wanted[] = {
        {.number = 0, .url = "a\0b", .url_len = 3, .data = ""},
        {.number = 1, .url = "a\0c", .url_len = 3, .data = ""},
        {.number = 2, .url = "", .data = "d", .data_len = 1}};
    bool has_come[TEST_COUNT(wanted)] = {false};
    seenset_queue_item item = {0};
    for (size_t i = 0; i < TEST_COUNT(wanted); i++) {
        size_t which = i;
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        while (queue_kind_is_polite(at->kind) &&
               wanted[which].number != item.number)
            which = (which + 1) % TEST_COUNT(wanted);
        assert_int_equal(item.url_len, wanted[which].url_len);
        assert_memory_equal(item.url, wanted[which].url, item.url_len + 1);
        assert_int_equal(item.data_len, wanted[which].data_len);
        assert_memory_equal(item.data, wanted[which].data, item.data_len + 1);
        assert_false(has_come[which]);
        has_come[which] = true;
    }
    seenset_queue_item_free(&item);
}

/* Unless it normalises, a URL is any bytes, and may be none. */
static void queue_takes_any_bytes(void **state)
{
    queue_place *at = *state;
    int wanted = queue_kind_normalises(at->kind) ? SEENSET_EURL : 1;
    assert_int_equal(seenset_queue_push(at->queue, "a\0b", 3, NULL, 0), wanted);
    assert_int_equal(seenset_queue_push(at->queue, "a\0c", 3, NULL, 0), wanted);
    assert_int_equal(seenset_queue_push(at->queue, NULL, 0, "d", 1), wanted);
    if (wanted == 1) {
        assert_int_equal(seenset_queue_push(at->queue, "", 0, NULL, 0), 0);
        pop_any_bytes(at);
    }
    queue_assert_empty(at->queue);
}

static void queue_takes_items_of_a_mebibyte(void **state)
{
    enum {
        MOST = SEENSET_QUEUE_MAX_ITEM_BYTES
    };
    static const char begin[] = "http://a.example/";
    queue_place *at = *state;
    seenset_queue_item item = {0};
    char *bytes = malloc(MOST);
    assert_non_null(bytes);
    memset(bytes, 'u', MOST);
    memcpy(bytes, begin, sizeof begin - 1);
    /* a normal form has a limit of its own */
    size_t first = queue_kind_normalises(at->kind) ? 1000 : MOST - 2;
    for (size_t length = first; length < first + 3; length++)
        assert_int_equal(
            seenset_queue_push(at->queue, bytes, length, bytes, MOST - length),
            1);
    assert_int_equal(
        seenset_queue_push(at->queue, bytes, first, bytes, MOST - first + 1),
        SEENSET_EINVAL);
    for (size_t length = first; length < first + 3; length++) {
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        assert_int_equal(item.url_len, length);
        assert_int_equal(item.data_len, MOST - length);
        assert_memory_equal(item.url, bytes, length);
        assert_memory_equal(item.data, bytes, MOST - length);
    }
    seenset_queue_item_free(&item);
    free(bytes);
}

/* ---- many at once ---- */

static void push_many_answers_in_order(void **state)
{
    static const int numbers[] = {0, 1, 0, 2, 1, 2, 3};
    static const uint8_t wanted[] = {1, 1, 0, 1, 0, 0, 0};
    enum {
        COUNT = TEST_COUNT(numbers)
    };
    queue_place *at = *state;
    char urls[COUNT][QUEUE_URL_BYTES];
    seenset_queue_entry entries[COUNT];
    uint8_t answers[COUNT];
    assert_int_equal(queue_push(at->queue, 3), 1);
    for (size_t i = 0; i < COUNT; i++) {
        queue_url(numbers[i], urls[i]);
        entries[i] = (seenset_queue_entry){.url = urls[i],
                                           .url_len = strlen(urls[i]),
                                           .data = "d",
                                           .data_len = 1};
    }
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, COUNT, NULL, answers), 0);
    assert_memory_equal(answers, wanted, COUNT);
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, COUNT, NULL, NULL), 0);
    assert_int_equal(seenset_queue_push_many(at->queue, NULL, 0, NULL, NULL),
                     0);
    (void)queue_pop(at->queue, 3);
    queue_assert_left(at->queue, 0, 3);
}

/* What is after the array is nobody's URL, and no answer is written there. */
static void push_many_ends_with_its_array(void **state)
{
    enum {
        MOST = 5
    };
    queue_place *at = *state;
    int next = 0;
    for (size_t count = 0; count <= MOST; count++) {
        char urls[MOST][QUEUE_URL_BYTES];
        seenset_queue_entry entries[MOST];
        uint8_t answers[MOST + 1];
        memset(answers, 9, sizeof answers);
        for (size_t i = 0; i < MOST; i++) {
            queue_url(next + (int)i, urls[i]);
            entries[i] = (seenset_queue_entry){.url = urls[i],
                                               .url_len = strlen(urls[i])};
        }
        assert_int_equal(
            seenset_queue_push_many(at->queue, entries, count, NULL, answers),
            0);
        next += (int)count;
        assert_int_equal(queue_stats_of(at->queue).pushed_items, next);
        for (size_t i = 0; i <= MOST; i++)
            assert_int_equal(answers[i], i < count ? 1 : 9);
    }
    queue_assert_left(at->queue, 0, next);
}

static void ack_many_skips_what_has_ended(void **state)
{
    enum {
        COUNT = 500
    };
    queue_place *at = *state;
    uint64_t leases[COUNT + 1];
    queue_push_new(at->queue, 0, COUNT);
    for (int i = 0; i < COUNT; i++)
        leases[i] = queue_pop(at->queue, i);
    leases[COUNT] = leases[3];
    assert_int_equal(seenset_queue_ack_many(at->queue, leases, 0), 0);
    assert_int_equal(seenset_queue_ack_many(at->queue, leases + 1, COUNT),
                     SEENSET_ELEASE);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.acked_items, COUNT - 1);
    assert_int_equal(stats.leased_items, 1);
    assert_int_equal(seenset_queue_ack_many(at->queue, leases, 1), 0);
    assert_int_equal(seenset_queue_ack_many(at->queue, leases, COUNT),
                     SEENSET_ELEASE);
    assert_int_equal(queue_stats_of(at->queue).acked_items, COUNT);
    queue_assert_empty(at->queue);
}

/* ---- normal forms ---- */

static void push_normalises_if_the_queue_does(void **state)
{
    static const struct {
        const char *url;
        uint8_t normalised, raw;
    } rows[] = {
        {"HTTP://b.EXAMPLE:80/#top", SEENSET_ANSWER_NEW, SEENSET_ANSWER_NEW},
        {"http://b.example/", SEENSET_ANSWER_SEEN, SEENSET_ANSWER_NEW},
        {"mailto:a@a.example", SEENSET_ANSWER_NOT_A_URL, SEENSET_ANSWER_NEW},
        {"no url", SEENSET_ANSWER_NOT_A_URL, SEENSET_ANSWER_NEW},
        {"http://c.example/./x", SEENSET_ANSWER_NEW, SEENSET_ANSWER_NEW},
    };
    enum {
        COUNT = TEST_COUNT(rows)
    };
    queue_place *at = *state;
    bool normalises = queue_kind_normalises(at->kind);
    seenset_queue_entry entries[COUNT];
    uint8_t answers[COUNT];
    seenset_queue_item item = {0};
    for (size_t i = 0; i < COUNT; i++)
        entries[i] = (seenset_queue_entry){.url = rows[i].url,
                                           .url_len = strlen(rows[i].url),
                                           .data = "data",
                                           .data_len = 4};
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, COUNT, NULL, answers),
        normalises ? SEENSET_EURL : SEENSET_OK);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(answers[i],
                         normalises ? rows[i].normalised : rows[i].raw);
    assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
    if (!queue_kind_is_polite(at->kind)) /* there hosts take turns */
        assert_string_equal(item.url, normalises ? rows[1].url : rows[0].url);
    assert_string_equal(item.data, "data");
    seenset_queue_item_free(&item);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.not_url_items, normalises ? 2 : 0);
    assert_int_equal(stats.dropped_items, normalises ? 1 : 0);
    assert_int_equal(stats.normalise, normalises ? SEENSET_QUEUE_NORMALISE_URL
                                                 : SEENSET_QUEUE_NORMALISE_OFF);
}

/* ---- figures ---- */

static void stats_count_each_call(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 20);
    for (int i = 0; i < 5; i++)
        assert_int_equal(queue_push(at->queue, i), 0);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_ack(at->queue, lease), 0);
    (void)queue_pop(at->queue, 1);
    (void)queue_pop(at->queue, 2);
    lease = queue_pop(at->queue, 3);
    assert_int_equal(seenset_queue_nack(at->queue, lease,
                                        &(const seenset_queue_nack_options){
                                            .delay_seconds = 1e9}),
                     0);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.durability, queue_kind_durability(at->kind));
    assert_int_equal(stats.pushed_items, 20);
    assert_int_equal(stats.dropped_items, 5);
    assert_int_equal(stats.acked_items, 1);
    assert_int_equal(stats.leased_items, 2);
    assert_int_equal(stats.pending_items, 17);
    assert_int_equal(stats.refused_items + stats.not_url_items, 0);
    assert_int_equal(stats.failed_checkpoints, 0);
    assert_true(stats.wrong_items >= 0 && stats.wrong_items < 1);
    assert_true(stats.seconds_to_full > 0);
}

/* An exact set has neither a layout nor a rate. */
static seenset_layout layout_of(const seenset_queue_options *options)
{
    const seenset_options *set = options->set;
    if ((options->flags & SEENSET_QUEUE_EXACT) != 0)
        return SEENSET_LAYOUT_DEFAULT;
    if (set != NULL && set->layout != SEENSET_LAYOUT_DEFAULT)
        return set->layout;
    return set != NULL && set->scheme > SEENSET_SCHEME_CHAIN
               ? SEENSET_LAYOUT_BLOOM
               : SEENSET_LAYOUT_BLOCKED;
}

static double rate_of(const seenset_queue_options *options)
{
    const seenset_options *set = options->set;
    if ((options->flags & SEENSET_QUEUE_EXACT) != 0)
        return 0.0;
    return set != NULL && set->fp_rate > 0 ? set->fp_rate : 1e-6;
}

static void set_of_a_queue_is_as_asked(void **state)
{
    queue_place *at = *state;
    const seenset_options *asked = at->options.set;
    seenset_info info;
    seenset_stats stats;
    queue_push_new(at->queue, 0, 5);
    assert_int_equal(seenset_queue_get_set_info(at->queue, &info, sizeof info),
                     0);
    assert_int_equal(
        seenset_queue_get_set_stats(at->queue, &stats, sizeof stats), 0);
    assert_int_equal(info.on_full, queue_kind_on_full(at->kind));
    assert_int_equal(info.layout, layout_of(&at->options));
    assert_true(info.fp_rate == rate_of(&at->options));
    if (asked != NULL) {
        assert_int_equal(info.is_keyed, asked->secret != NULL);
        assert_int_equal(info.window_seconds, asked->window_seconds);
        assert_int_equal(info.flags, asked->flags);
    }
    assert_int_equal(info.added_items, 5);
    assert_int_equal(stats.added_items, 5);
    assert_int_equal(stats.layout, info.layout);
    assert_int_equal(stats.memory_bytes, info.memory_bytes);
}

/* What a queue says it holds is what its allocator gave it, to the byte. */
static void queue_counts_all_its_memory(void **state)
{
    queue_place *at = *state;
    test_memory memory;
    seenset_queue_item item = {0};
    seenset_queue_options options = at->options;
    seenset_options set = {0};
    if (options.set != NULL)
        set = *options.set;
    test_memory_init(&memory);
    set.allocator = &memory.allocator;
    options.set = &set;
    queue_place_close(at);
    queue_place_open_with(at, &options);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(queue_push(at->queue, i), 1);
        if (i % 3 > 0)
            assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        if (i % 3 == 1)
            assert_int_equal(seenset_queue_ack(at->queue, item.lease), 0);
        if (i == 70)
            assert_int_equal(seenset_queue_checkpoint(at->queue), 0);
        assert_int_equal(queue_stats_of(at->queue).memory_bytes +
                             item.memory_bytes,
                         memory.live_bytes);
    }
    seenset_queue_item_free(&item);
    queue_place_close(at);
    assert_int_equal(memory.live_bytes, 0);
    assert_int_equal(memory.live_blocks, 0);
}

/* ---- calls that write ---- */

static void sync_leaves_nothing_to_write(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 100);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_ack(at->queue, lease), 0);
    assert_int_equal(seenset_queue_sync(at->queue), SEENSET_OK);
    assert_int_equal(queue_stats_of(at->queue).unsynced_bytes, 0);
    assert_int_equal(seenset_queue_sync(at->queue), SEENSET_OK);
    queue_assert_left(at->queue, 1, 100);
}

static void checkpoints_change_no_answer(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 100);
    for (int i = 0; i < 10; i++) {
        uint64_t lease = queue_pop(at->queue, 2 * i);
        assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
        assert_int_equal(seenset_queue_ack(at->queue, lease), SEENSET_OK);
        lease = queue_pop(at->queue, 2 * i + 1);
        assert_int_equal(seenset_queue_save_leases(at->queue), SEENSET_OK);
        assert_int_equal(seenset_queue_ack(at->queue, lease), SEENSET_OK);
        assert_int_equal(queue_push(at->queue, i), 0);
    }
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.acked_items, 20);
    assert_int_equal(stats.dropped_items, 10);
    assert_int_equal(stats.failed_checkpoints, 0);
    queue_assert_left(at->queue, 20, 100);
}

/* ---- arguments ---- */

static void queue_refuses_bad_arguments(void **state)
{
    queue_place *at = *state;
    seenset_queue *queue = at->queue;
    seenset_queue_item item = {0};
    uint64_t lease = 0;
    uint8_t answers[2] = {7, 7};
    const seenset_queue_entry bad[] = {
        {.url = "http://a.example/0", .url_len = 18}, {.url_len = 1}};
    const seenset_queue_entry reserved[] = {
        {.url = "http://a.example/0", .url_len = 18, .reserved = {0, 1}}};
    const seenset_queue_entry long_data[] = {
        {.url = "http://a.example/0", .url_len = 18},
        {.url = "http://a.example/1",
         .url_len = 18,
         .data = "d",
         .data_len = SEENSET_QUEUE_MAX_ITEM_BYTES}};
    const int errors[] = {
        seenset_queue_push(queue, NULL, 1, NULL, 0),
        seenset_queue_push(queue, bad[0].url, bad[0].url_len, NULL, 1),
        seenset_queue_push(NULL, bad[0].url, bad[0].url_len, NULL, 0),
        seenset_queue_push_many(queue, bad, 2, NULL, answers),
        seenset_queue_push_many(queue, reserved, 1, NULL, answers),
        seenset_queue_push_many(queue, long_data, 2, NULL, answers),
        seenset_queue_push_many(queue, NULL, 1, NULL, answers),
        seenset_queue_push_many(NULL, bad, 1, NULL, answers),
        seenset_queue_pop(queue, NULL),
        seenset_queue_pop(NULL, &item),
        seenset_queue_ack(NULL, 1),
        seenset_queue_ack_many(queue, NULL, 1),
        seenset_queue_ack_many(NULL, &lease, 1),
        seenset_queue_nack(
            NULL, 1, &(const seenset_queue_nack_options){.delay_seconds = 1}),
        seenset_queue_extend(NULL, 1, 1),
        seenset_queue_save_leases(NULL),
        seenset_queue_sync(NULL),
        seenset_queue_checkpoint(NULL),
    };
    for (size_t i = 0; i < TEST_COUNT(errors); i++)
        assert_int_equal(errors[i], SEENSET_EINVAL);
    assert_memory_equal(answers, "\7\7", 2);
    assert_int_equal(seenset_queue_close(NULL), SEENSET_OK);
    assert_int_equal(queue_stats_of(queue).pushed_items, 0);
    queue_assert_empty(queue);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(queue_drops_what_was_seen),
        QUEUE_TEST(queue_hands_out_the_oldest_first),
        QUEUE_TEST(queue_keeps_data_with_the_url),
        QUEUE_TEST(queue_takes_any_bytes),
        QUEUE_TEST(queue_takes_items_of_a_mebibyte),
        QUEUE_TEST(push_many_answers_in_order),
        QUEUE_TEST(push_many_ends_with_its_array),
        QUEUE_TEST(ack_many_skips_what_has_ended),
        QUEUE_TEST(push_normalises_if_the_queue_does),
        QUEUE_TEST(stats_count_each_call),
        QUEUE_TEST(set_of_a_queue_is_as_asked),
        QUEUE_TEST(queue_counts_all_its_memory),
        QUEUE_TEST(sync_leaves_nothing_to_write),
        QUEUE_TEST(checkpoints_change_no_answer),
        QUEUE_TEST(queue_refuses_bad_arguments),
    };
    return queue_run_kinds(tests, TEST_COUNT(tests));
}
