/*
 * queue_reopen.c - the contract of what a queue keeps in its folder, on each
 * kind of queue: after it was closed, and after its process was killed.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue_kinds.h"

/* Opens it once more, and goes on with the leases that it finds. */
static void reopen_with_leases(queue_place *at)
{
    seenset_queue_options options = at->options;
    options.flags = SEENSET_QUEUE_KEEP_LEASES;
    queue_place_close(at);
    queue_place_open_with(at, &options);
}

/* ---- closed ---- */

static void queue_keeps_what_was_pushed(void **state)
{
    enum {
        COUNT = 200
    };
    queue_place *at = *state;
    seenset_queue_item item = {0};
    char url[QUEUE_URL_BYTES], data[QUEUE_URL_BYTES];
    for (int i = 0; i < COUNT; i++) {
        queue_url(i, url);
        snprintf(data, sizeof data, "data %d", i);
        assert_int_equal(
            seenset_queue_push(at->queue, url, strlen(url), data, strlen(data)),
            1);
    }
    queue_place_reopen(at);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(queue_push(at->queue, i), 0);
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        snprintf(data, sizeof data, "data %d", i);
        assert_int_equal(queue_url_number(&item), i);
        assert_int_equal(item.number, i);
        assert_string_equal(item.data, data);
        assert_int_equal(seenset_queue_ack(at->queue, item.lease), 0);
        if (i % 50 == 0)
            queue_place_reopen(at);
    }
    seenset_queue_item_free(&item);
    queue_assert_empty(at->queue);
    queue_place_reopen(at);
    queue_assert_empty(at->queue);
    assert_int_equal(queue_push(at->queue, 0), 0);
    assert_int_equal(queue_push(at->queue, COUNT), 1);
}

static void queue_keeps_its_figures(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 10);
    for (int i = 0; i < 4; i++)
        assert_int_equal(queue_push(at->queue, i), 0);
    uint64_t lease = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_ack(at->queue, lease), 0);
    (void)queue_pop(at->queue, 1);
    queue_place_reopen(at);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.pushed_items, 10);
    assert_int_equal(stats.dropped_items, 4);
    assert_int_equal(stats.acked_items, 1);
    assert_int_equal(stats.leased_items, 0);
    assert_int_equal(stats.torn_bytes, 0);
    assert_int_equal(stats.unsynced_bytes, 0);
}

/* Nothing else changes between two openings. */
static void a_figure_alone_is_kept(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 5);
    for (int round = 0; round < 3; round++) {
        queue_place_reopen(at);
        for (int i = 0; i < 5; i++)
            assert_int_equal(queue_push(at->queue, i), 0);
    }
    queue_place_reopen(at);
    assert_int_equal(queue_stats_of(at->queue).dropped_items, 15);
    queue_place_reopen(at);
    assert_int_equal(queue_stats_of(at->queue).dropped_items, 15);
}

static void queue_hands_out_again_what_was_not_acked(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    queue_push_new(at->queue, 0, 4);
    (void)queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, 1)), 0);
    uint64_t lease = queue_pop(at->queue, 2);
    assert_int_equal(seenset_queue_nack(at->queue, lease,
                                        &(const seenset_queue_nack_options){
                                            .delay_seconds = 1e9}),
                     0);
    queue_place_reopen(at);
    static const int wanted[] = {0, 2, 3};
    for (size_t i = 0; i < TEST_COUNT(wanted); i++) {
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        assert_int_equal(queue_url_number(&item), wanted[i]);
        assert_int_equal(item.number, wanted[i]);
        assert_int_equal(item.deliveries, 1);
    }
    seenset_queue_item_free(&item);
    queue_assert_empty(at->queue);
}

static void queue_keeps_leases_if_asked(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 5);
    uint64_t leased = queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, 1)), 0);
    uint64_t delayed = queue_pop(at->queue, 2);
    assert_int_equal(seenset_queue_nack(at->queue, delayed,
                                        &(const seenset_queue_nack_options){
                                            .delay_seconds = 1e9}),
                     0);
    uint64_t due = queue_pop(at->queue, 3);
    assert_int_equal(seenset_queue_nack(at->queue, due, NULL), NULL);
    reopen_with_leases(at);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 1);
    (void)queue_pop(at->queue, 3);
    (void)queue_pop(at->queue, 4);
    queue_assert_empty(at->queue); /* 0 is still out, and 2 still waits */
    assert_int_equal(seenset_queue_ack(at->queue, leased), SEENSET_OK);
    assert_int_equal(seenset_queue_ack(at->queue, delayed), SEENSET_ELEASE);
    reopen_with_leases(at);
    queue_assert_empty(at->queue);
    queue_place_reopen(at);
    queue_assert_left(at->queue, 2, 5);
}

/* The number of deliveries is kept, and leases stay different. */
static void untried_items_stay_untried(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    const seenset_queue_nack_options untried = {.flags = SEENSET_QUEUE_UNTRIED};
    uint64_t last = 0;
    queue_push_new(at->queue, 0, 2);
    for (int i = 0; i < 5; i++) {
        reopen_with_leases(at);
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        assert_int_equal(queue_url_number(&item), 0);
        assert_int_equal(item.deliveries, 1);
        assert_int_not_equal(item.lease, last);
        assert_int_equal(seenset_queue_ack(at->queue, last), SEENSET_ELEASE);
        last = item.lease;
        reopen_with_leases(at);
        assert_int_equal(seenset_queue_nack(at->queue, last, &untried),
                         SEENSET_OK);
    }
    reopen_with_leases(at);
    seenset_queue_item_free(&item);
    queue_assert_left(at->queue, 0, 2);
}

/* So is that it begins again, and when. */
static void visited_items_come_when_they_are_due(void **state)
{
    queue_place *at = *state;
    seenset_queue_item item = {0};
    const seenset_queue_nack_options at_once = {.flags = SEENSET_QUEUE_VISITED},
                                     later = {.flags = SEENSET_QUEUE_VISITED,
                                              .delay_seconds = 100000};
    queue_push_new(at->queue, 0, 2);
    for (uint32_t i = 1; i <= 3; i++) {
        assert_int_equal(
            seenset_queue_nack(at->queue, queue_pop(at->queue, 0), NULL),
            SEENSET_OK);
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        assert_int_equal(item.deliveries, 2);
        reopen_with_leases(at);
        assert_int_equal(seenset_queue_nack(at->queue, item.lease,
                                            i < 3 ? &at_once : &later),
                         SEENSET_OK);
        reopen_with_leases(at);
    }
    seenset_queue_item_free(&item);
    assert_int_equal(queue_stats_of(at->queue).delayed_items, 1);
    queue_assert_left(at->queue, 1, 2);
    queue_place_reopen(at); /* without leases, and so without delays */
    queue_assert_left(at->queue, 0, 1);
}

/* However often an item is handed out, and whatever is read from the disk. */
static void no_lease_is_given_twice(void **state)
{
    enum {
        TIMES = 600
    };
    queue_place *at = *state;
    uint64_t leases[TIMES];
    queue_push_new(at->queue, 0, 2);
    for (int i = 0; i < TIMES; i++) {
        leases[i] = queue_pop(at->queue, 0);
        if (i % 64 == 0 || (i > 252 && i < 258))
            reopen_with_leases(at);
        for (int j = 0; j < i; j++)
            assert_int_equal(seenset_queue_extend(at->queue, leases[j], 1000),
                             SEENSET_ELEASE);
        assert_int_equal(seenset_queue_nack(at->queue, leases[i], NULL),
                         SEENSET_OK);
    }
    uint64_t last = queue_pop(at->queue, 0);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 1);
    reopen_with_leases(at);
    assert_int_equal(seenset_queue_ack(at->queue, last & 0xffffffff),
                     SEENSET_ELEASE);
    assert_int_equal(seenset_queue_ack(at->queue, last), SEENSET_OK);
    queue_assert_left(at->queue, 1, 2);
}

/* Nothing else happens between two openings. */
static void a_lease_alone_is_kept(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 2);
    reopen_with_leases(at);
    (void)queue_pop(at->queue, 0);
    reopen_with_leases(at);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 1);
    (void)queue_pop(at->queue, 1);
    queue_assert_empty(at->queue);
}

/* ---- killed ---- */

/* What a process that is killed now leaves behind: the files as they are. The
 * queue goes on in a copy of them, not open yet. */
static void kill_it(queue_place *at)
{
    test_folder copy;
    char path[TEST_PATH_BYTES];
    DIR *entries = opendir(at->folder.path);
    assert_non_null(entries);
    test_folder_make(&copy);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        size_t size_bytes;
        if (entry->d_name[0] == '.')
            continue;
        uint8_t *bytes = test_read_file(
            test_path(path, &at->folder, entry->d_name), &size_bytes);
        test_write_file(test_path(path, &copy, entry->d_name), bytes,
                        size_bytes);
        free(bytes);
    }
    closedir(entries);
    queue_place_close(at);
    test_folder_remove(&at->folder);
    at->folder = copy;
}

static void queue_keeps_what_was_synced(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 100);
    for (int i = 0; i < 30; i++)
        assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, i)),
                         0);
    (void)queue_pop(at->queue, 30);
    assert_int_equal(seenset_queue_sync(at->queue), SEENSET_OK);
    kill_it(at);
    queue_place_open(at);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.pushed_items, 100);
    assert_int_equal(stats.acked_items, 30);
    for (int i = 0; i < 100; i++)
        assert_int_equal(queue_push(at->queue, i), 0);
    queue_assert_left(at->queue, 30, 100);
}

/* Where an answer is a promise, it is kept; elsewhere URLs may be lost, but
 * none is forgotten that is handed out, and none is half there. */
static void queue_keeps_what_was_answered(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 10);
    assert_int_equal(queue_push(at->queue, 10), 1);
    assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, 0)), 0);
    kill_it(at);
    queue_place_open(at);
    int pushed = (int)queue_stats_of(at->queue).pushed_items;
    int acked = (int)queue_stats_of(at->queue).acked_items;
    if (queue_kind_durability(at->kind) == SEENSET_QUEUE_DURABILITY_EACH) {
        assert_int_equal(pushed, 11);
        assert_int_equal(acked, 1);
    }
    for (int i = 0; i < 11; i++)
        assert_int_equal(queue_push(at->queue, i), i >= pushed);
    queue_assert_left(at->queue, acked, 11);
}

static void saved_leases_outlive_a_kill(void **state)
{
    queue_place *at = *state;
    seenset_queue_options options = at->options;
    options.flags = SEENSET_QUEUE_KEEP_LEASES;
    queue_push_new(at->queue, 0, 3);
    (void)queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_save_leases(at->queue), SEENSET_OK);
    (void)queue_pop(at->queue, 1);
    kill_it(at);
    queue_place_open_with(at, &options);
    (void)queue_pop(at->queue, 1);
    (void)queue_pop(at->queue, 2);
    queue_assert_empty(at->queue);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 3);
}

/* A handle without keep_leases has ended them, and saves that. */
static void ended_leases_do_not_come_back(void **state)
{
    queue_place *at = *state;
    seenset_queue_options options = at->options;
    options.flags = SEENSET_QUEUE_KEEP_LEASES;
    queue_push_new(at->queue, 0, 3);
    (void)queue_pop(at->queue, 0);
    uint64_t lease = queue_pop(at->queue, 1);
    assert_int_equal(seenset_queue_nack(at->queue, lease,
                                        &(const seenset_queue_nack_options){
                                            .delay_seconds = 1e9}),
                     SEENSET_OK);
    queue_place_reopen(at);
    assert_int_equal(queue_stats_of(at->queue).pending_items, 3);
    assert_int_equal(seenset_queue_save_leases(at->queue), SEENSET_OK);
    kill_it(at);
    queue_place_open_with(at, &options);
    assert_int_equal(queue_stats_of(at->queue).leased_items, 0);
    assert_int_equal(queue_stats_of(at->queue).delayed_items, 0);
    queue_assert_left(at->queue, 0, 3);
}

/* ---- one at a time, and as it was made ---- */

static void queue_is_open_once(void **state)
{
    queue_place *at = *state;
    seenset_queue *other = NULL;
    const char *dir = at->folder.path;
    assert_int_equal(seenset_queue_open(&other, dir, &at->options),
                     SEENSET_EINUSE);
    assert_int_equal(queue_place_verify(at, NULL), SEENSET_EINUSE);
    assert_int_equal(queue_place_repair(at, NULL), SEENSET_EINUSE);
    assert_null(other);
    assert_int_equal(queue_push(at->queue, 0), 1);
    queue_place_reopen(at);
    (void)queue_pop(at->queue, 0);
}

static void queue_stays_as_it_was_made(void **state)
{
    queue_place *at = *state;
    seenset_info before, after;
    uint32_t seeds[SEENSET_MAX_HASH_COUNT];
    seenset_options given;
    seenset_queue *queue = NULL;
    seenset_queue_options options = at->options;
    assert_int_equal(
        seenset_queue_get_set_info(at->queue, &before, sizeof before), 0);
    if (before.seed_count > 0) /* they go with the set */
        memcpy(seeds, before.seeds, before.seed_count * sizeof *seeds);
    queue_place_close(at);
    options.normalise = queue_kind_normalises(at->kind)
                            ? SEENSET_QUEUE_NORMALISE_OFF
                            : SEENSET_QUEUE_NORMALISE_URL;
    assert_int_equal(seenset_queue_open(&queue, at->folder.path, &options),
                     SEENSET_EMISMATCH);
    assert_null(queue);
    options = (seenset_queue_options){.set = queue_place_given(at, &given),
                                      .flags = SEENSET_QUEUE_MUST_EXIST};
    queue_place_open_with(at, &options);
    assert_int_equal(
        seenset_queue_get_set_info(at->queue, &after, sizeof after), 0);
    assert_int_equal(before.seed_count, after.seed_count);
    if (after.seed_count > 0)
        assert_memory_equal(seeds, after.seeds,
                            after.seed_count * sizeof *seeds);
    before.seeds = after.seeds;
    assert_memory_equal(&before, &after, sizeof before);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.normalise, queue_kind_normalises(at->kind)
                                          ? SEENSET_QUEUE_NORMALISE_URL
                                          : SEENSET_QUEUE_NORMALISE_OFF);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(queue_keeps_what_was_pushed),
        QUEUE_TEST(queue_keeps_its_figures),
        QUEUE_TEST(a_figure_alone_is_kept),
        QUEUE_TEST(queue_hands_out_again_what_was_not_acked),
        QUEUE_TEST(queue_keeps_leases_if_asked),
        QUEUE_TEST(untried_items_stay_untried),
        QUEUE_TEST(visited_items_come_when_they_are_due),
        QUEUE_TEST(no_lease_is_given_twice),
        QUEUE_TEST(a_lease_alone_is_kept),
        QUEUE_TEST(queue_keeps_what_was_synced),
        QUEUE_TEST(queue_keeps_what_was_answered),
        QUEUE_TEST(saved_leases_outlive_a_kill),
        QUEUE_TEST(ended_leases_do_not_come_back),
        QUEUE_TEST(queue_is_open_once),
        QUEUE_TEST(queue_stays_as_it_was_made),
    };
    return queue_run_kept_kinds(tests, TEST_COUNT(tests));
}
