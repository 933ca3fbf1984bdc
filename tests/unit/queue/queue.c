/*
 * queue.c - what the queue's calls do, one by one and all together.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "queue_disk.h"
#include "queue_model.h"

static int push(seenset_queue *queue, const char *url)
{
    return seenset_queue_push(queue, url, strlen(url), NULL, 0);
}

/* Pops an item that must be this one; its lease. */
static uint64_t pop(seenset_queue *queue, const char *url)
{
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_string_equal(item.url, url);
    assert_int_equal(item.url_len, strlen(url));
    uint64_t lease = item.lease;
    seenset_queue_item_free(&item);
    return lease;
}

static void assert_empty(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_pop(queue, &item), 0);
    assert_null(item.memory);
}

static void close_both(seenset_queue *queue, disk *on)
{
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

static void queue_drops_what_was_seen(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(push(queue, "a"), 1);
    assert_int_equal(push(queue, "b"), 1);
    assert_int_equal(push(queue, "a"), 0);
    (void)pop(queue, "a");
    assert_int_equal(push(queue, "a"), 0);
    (void)pop(queue, "b");
    assert_empty(queue);
    close_both(queue, on);
}

static void queue_keeps_data_with_the_url(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_push(queue, "a\0b", 3, "x\0y", 3), 1);
    assert_int_equal(seenset_queue_push(queue, "", 0, NULL, 0), 1);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(item.number, 0);
    assert_int_equal(item.deliveries, 1);
    assert_memory_equal(item.url, "a\0b", 4);
    assert_memory_equal(item.data, "x\0y", 4);
    assert_int_equal(item.data_len, 3);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(item.url_len + item.data_len, 0);
    seenset_queue_item_free(&item);
    close_both(queue, on);
}

static void queue_takes_items_of_a_mebibyte(void **state)
{
    (void)state;
    enum {
        MOST = SEENSET_QUEUE_MAX_ITEM_BYTES
    };
    disk *on = disk_new();
    char *bytes = malloc(MOST);
    assert_non_null(bytes);
    memset(bytes, 'u', MOST);
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    seenset_queue_item item = {0};
    for (size_t length = MOST - 2; length <= MOST; length++)
        assert_int_equal(
            seenset_queue_push(queue, bytes, length, bytes, MOST - length), 1);
    assert_int_equal(seenset_queue_push(queue, bytes, MOST, bytes, 1),
                     SEENSET_EINVAL);
    for (size_t length = MOST - 2; length <= MOST; length++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(item.url_len, length);
        assert_int_equal(item.data_len, MOST - length);
        assert_memory_equal(item.url, bytes, length);
    }
    seenset_queue_item_free(&item);
    free(bytes);
    close_both(queue, on);
}

static void queue_leases_end(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.lease_seconds = 10});
    assert_int_equal(push(queue, "a"), 1);
    uint64_t first = pop(queue, "a");
    assert_empty(queue);
    disk_pass_ns(on, UINT64_C(9999999999));
    assert_empty(queue);
    disk_pass_ns(on, 1);
    uint64_t second = pop(queue, "a");
    assert_int_equal(seenset_queue_ack(queue, first), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_extend(queue, second, 60), 0);
    disk_pass_ns(on, UINT64_C(59999999999));
    assert_empty(queue);
    assert_int_equal(seenset_queue_nack(queue, second, 5), 0);
    assert_int_equal(seenset_queue_ack(queue, second), SEENSET_ELEASE);
    disk_pass_ns(on, UINT64_C(4999999999));
    assert_empty(queue);
    disk_pass_ns(on, 1);
    uint64_t third = pop(queue, "a");
    disk_pass_ns(on, UINT64_C(11000000000)); /* late, but nobody else has it */
    assert_int_equal(seenset_queue_ack(queue, third), 0);
    assert_int_equal(seenset_queue_ack(queue, third), SEENSET_ELEASE);
    assert_empty(queue);
    close_both(queue, on);
}

static void queue_acks_many(void **state)
{
    (void)state;
    enum {
        COUNT = 1000
    };
    disk *on = disk_new();
    uint64_t leases[COUNT + 1];
    seenset_queue_stats stats;
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    for (int i = 0; i < COUNT; i++) {
        char url[32];
        snprintf(url, sizeof url, "u%d", i);
        assert_int_equal(push(queue, url), 1);
        leases[i] = pop(queue, url);
    }
    leases[COUNT] = leases[3];
    assert_int_equal(seenset_queue_ack_many(queue, leases, 0), 0);
    assert_int_equal(seenset_queue_ack_many(queue, leases + 1, COUNT),
                     SEENSET_ELEASE);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_int_equal(stats.acked_items, COUNT - 1);
    assert_int_equal(stats.leased_items, 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    queue = model_open(on, (seenset_queue_options){0});
    (void)pop(queue, "u0");
    assert_empty(queue);
    close_both(queue, on);
}

static void queue_hands_out_again_after_a_restart(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    const char *urls[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(push(queue, urls[i]), 1);
    (void)pop(queue, "a");
    assert_int_equal(seenset_queue_ack(queue, pop(queue, "b")), 0);
    uint64_t kept = pop(queue, "c");
    assert_int_equal(seenset_queue_close(queue), 0);
    queue = model_open(on, (seenset_queue_options){.keep_leases = 1});
    (void)pop(queue, "d"); /* a and c are still out */
    assert_empty(queue);
    assert_int_equal(seenset_queue_ack(queue, kept), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    queue = model_open(on, (seenset_queue_options){0});
    (void)pop(queue, "a");
    (void)pop(queue, "d");
    assert_empty(queue);
    close_both(queue, on);
}

static void queue_refuses_when_full(void **state)
{
    (void)state;
    const seenset_queue_durability all[] = {SEENSET_QUEUE_DURABILITY_EACH,
                                            SEENSET_QUEUE_DURABILITY_NONE};
    for (int i = 0; i < 2; i++) {
        disk *on = disk_new();
        uint8_t answers[3];
        const seenset_queue_entry pushes[] = {
            {"a", 1, NULL, 0}, {"c", 1, NULL, 0}, {"d", 1, NULL, 0}};
        seenset_queue_stats stats;
        seenset_queue *queue = model_open(
            on,
            (seenset_queue_options){
                .durability = all[i],
                .set = &(const seenset_options){
                    .capacity_items = 3, .on_full = SEENSET_ON_FULL_REFUSE}});
        assert_int_equal(push(queue, "a"), 1);
        assert_int_equal(push(queue, "b"), 1);
        assert_int_equal(seenset_queue_push_many(queue, pushes, 3, answers),
                         SEENSET_EFULL);
        assert_int_equal(answers[0], 0);
        assert_int_equal(answers[1], 1);
        assert_int_equal(answers[2], SEENSET_ANSWER_REFUSED);
        assert_int_equal(push(queue, "d"), SEENSET_EFULL);
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         0);
        assert_int_equal(stats.pushed_items, 3);
        assert_int_equal(stats.refused_items, 2);
        assert_true(stats.seconds_to_full == 0.0);
        close_both(queue, on);
    }
}

static void queue_normalises_urls(void **state)
{
    (void)state;
    disk *on = disk_new();
    uint8_t answers[3];
    const seenset_queue_entry pushes[] = {{"http://b.example/./x", 20, "d", 1},
                                          {"no url", 6, NULL, 0},
                                          {"HTTP://A.example", 16, NULL, 0}};
    seenset_queue_stats stats;
    seenset_queue *queue = model_open(
        on, (seenset_queue_options){.normalise = SEENSET_QUEUE_NORMALISE_URL});
    assert_int_equal(push(queue, "HTTP://a.EXAMPLE:80/#top"), 1);
    assert_int_equal(push(queue, "http://a.example/"), 0);
    assert_int_equal(push(queue, "mailto:a@a.example"), SEENSET_EURL);
    assert_int_equal(seenset_queue_push_many(queue, pushes, 3, answers),
                     SEENSET_EURL);
    assert_int_equal(answers[0], 1);
    assert_int_equal(answers[1], SEENSET_ANSWER_NOT_A_URL);
    assert_int_equal(answers[2], 0);
    (void)pop(queue, "http://a.example/");
    (void)pop(queue, "http://b.example/x");
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_int_equal(stats.not_url_items, 2);
    assert_int_equal(stats.dropped_items, 2);
    assert_int_equal(seenset_queue_close(queue), 0);
    seenset_queue_options off = {.normalise = SEENSET_QUEUE_NORMALISE_OFF};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &off),
                     SEENSET_EMISMATCH);
    disk_free(on);
}

static void queue_refuses_bad_arguments(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    const seenset_queue_options bad[] = {
        {.durability = 9},     {.interval_seconds = (double)NAN},
        {.lease_seconds = -1}, {.segment_bytes = 5},
        {.normalise = 7},      {.set = &(const seenset_options){.fp_rate = 2}}};
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &bad[i]),
            SEENSET_EINVAL);
    assert_null(queue);
    seenset_queue_options absent = {.must_exist = 1};
    disk *none = disk_new();
    assert_true(ss_queue_open(disk_io(none), &queue, DISK_FOLDER, &absent) < 0);
    /* nor is one made where somebody's lock lies and nothing else */
    assert_int_equal(ss_queue_open(disk_io(none), &queue, DISK_FOLDER, &bad[3]),
                     SEENSET_EINVAL);
    assert_non_null(disk_name(none, "LOCK", 0));
    assert_int_equal(ss_queue_open(disk_io(none), &queue, DISK_FOLDER, &absent),
                     SEENSET_EFORMAT);
    assert_null(disk_name(none, "MANIFEST", 0));
    disk_free(none);
    disk_free(on);
    on = disk_new();
    queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(seenset_queue_push(queue, NULL, 1, NULL, 0),
                     SEENSET_EINVAL);
    const seenset_queue_entry one_bad[] = {{"a", 1, NULL, 0},
                                           {NULL, 1, NULL, 0}};
    assert_int_equal(seenset_queue_push_many(queue, one_bad, 2, NULL),
                     SEENSET_EINVAL);
    assert_empty(queue);
    assert_int_equal(seenset_queue_nack(queue, 1, -1), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_nack(queue, 1, 1), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_ack(NULL, 1), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_pop(queue, NULL), SEENSET_EINVAL);
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(NULL, &stats, sizeof stats),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_get_stats(queue, NULL, 1), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_close(NULL), 0);
    close_both(queue, on);
}

/* The folder on a real disk, and a second handle on it. */
static void queue_is_open_once(void **state)
{
    (void)state;
    char folder[] = "/tmp/seenset-queue-XXXXXX", command[64];
    seenset_queue *queue, *other;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(seenset_queue_open(&queue, folder, NULL), 0);
    assert_int_equal(seenset_queue_open(&other, folder, NULL), SEENSET_EINUSE);
    assert_int_equal(seenset_queue_verify(folder, NULL), SEENSET_EINUSE);
    assert_int_equal(push(queue, "a"), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(seenset_queue_verify(folder, NULL), 0);
    assert_int_equal(seenset_queue_open(&queue, folder, NULL), 0);
    (void)pop(queue, "a");
    assert_int_equal(seenset_queue_close(queue), 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* A log that is worked off does not grow. */
static void queue_gives_back_segments(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_stats stats;
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.segment_bytes = 4096,
                                               .snapshot_bytes = 8192});
    for (int i = 0; i < 3000; i++) {
        char url[32];
        snprintf(url, sizeof url, "http://a.example/%d", i);
        assert_int_equal(push(queue, url), 1);
        assert_int_equal(seenset_queue_ack(queue, pop(queue, url)), 0);
    }
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_true(stats.segment_count < 16);
    assert_true(stats.log_bytes < 16 * 4200);
    assert_int_equal(stats.failed_checkpoints, 0);
    assert_int_equal(stats.acked_items, 3000);
    close_both(queue, on);
}

/* Long crawls against the model, with restarts, and all durabilities. */
static void queue_agrees_with_the_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        model of;
        disk *on = disk_new();
        model_init(&of, seed,
                   seed % 2 == 0 ? SEENSET_QUEUE_DURABILITY_EACH
                                 : SEENSET_QUEUE_DURABILITY_NONE);
        seenset_queue *queue = model_open(on, of.options);
        for (int i = 0; i < 1000; i++) {
            model_step(&of, disk_io(on), DISK_FOLDER, &queue);
            assert_int_equal(of.error, 0);
        }
        assert_int_equal(seenset_queue_close(queue), 0);
        of.is_each = true;
        memcpy(of.is_push_safe, of.is_pushed, sizeof of.is_pushed);
        memcpy(of.is_ack_safe, of.is_acked, sizeof of.is_acked);
        const char *wrong = model_check(&of, disk_io(on), DISK_FOLDER);
        if (wrong != NULL)
            fail_msg("seed %d: %s", (int)seed, wrong);
        disk_free(on);
    }
}

/* ---- threads ---- */

enum {
    THREADS = 4,
    THREAD_URLS = 2000
};

typedef struct crowd {
    seenset_queue *queue;
    int new_counts[THREADS], popped[THREADS];
} crowd;

typedef struct member {
    crowd *of;
    int number;
} member;

static void *push_and_pop(void *argument)
{
    member *me = argument;
    seenset_queue_item item = {0};
    for (int i = 0; i < THREAD_URLS; i++) {
        char url[32];
        snprintf(url, sizeof url, "http://a.example/%d", i);
        me->of->new_counts[me->number] += push(me->of->queue, url) == 1;
        if (seenset_queue_pop(me->of->queue, &item) == 1 &&
            seenset_queue_ack(me->of->queue, item.lease) == 0)
            me->of->popped[me->number]++;
    }
    while (seenset_queue_pop(me->of->queue, &item) == 1)
        me->of->popped[me->number] +=
            seenset_queue_ack(me->of->queue, item.lease) == 0;
    seenset_queue_item_free(&item);
    return NULL;
}

/* Everybody pushes the same URLs: each is new once, and acked once. */
static void queue_serves_many_threads(void **state)
{
    (void)state;
    const seenset_queue_durability all[] = {SEENSET_QUEUE_DURABILITY_EACH,
                                            SEENSET_QUEUE_DURABILITY_INTERVAL};
    for (int k = 0; k < 2; k++) {
        char folder[] = "/tmp/seenset-queue-XXXXXX", command[64];
        crowd of = {0};
        member members[THREADS];
        int new_count = 0, popped = 0;
        seenset_queue_options options = {
            .durability = all[k],
            .interval_seconds = 0.001,
            .set = &(const seenset_options){.fp_rate = 1e-9},
            .segment_bytes = 65536,
            .snapshot_bytes = 65536};
        assert_non_null(mkdtemp(folder));
        assert_int_equal(seenset_queue_open(&of.queue, folder, &options), 0);
        for (int i = 0; i < THREADS; i++)
            members[i] = (member){&of, i};
        test_run_threads(THREADS, push_and_pop, members, sizeof members[0]);
        for (int i = 0; i < THREADS; i++) {
            new_count += of.new_counts[i];
            popped += of.popped[i];
        }
        assert_int_equal(new_count, THREAD_URLS);
        assert_int_equal(popped, THREAD_URLS);
        assert_int_equal(seenset_queue_close(of.queue), 0);
        assert_int_equal(seenset_queue_verify(folder, NULL), 0);
        snprintf(command, sizeof command, "rm -r %s", folder);
        assert_int_equal(system(command), 0);
    }
}

/* Of a rate that nobody could measure yet nothing is foretold. */
static void forecasts_need_time_to_pass(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_options options = {0};
    seenset_queue_stats stats;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_true(isinf(stats.seconds_to_full));
    disk_pass_ns(on, 1000000000);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_true(stats.seconds_to_full > 0 && isfinite(stats.seconds_to_full));
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forecasts_need_time_to_pass),
        cmocka_unit_test(queue_drops_what_was_seen),
        cmocka_unit_test(queue_keeps_data_with_the_url),
        cmocka_unit_test(queue_takes_items_of_a_mebibyte),
        cmocka_unit_test(queue_leases_end),
        cmocka_unit_test(queue_acks_many),
        cmocka_unit_test(queue_hands_out_again_after_a_restart),
        cmocka_unit_test(queue_refuses_when_full),
        cmocka_unit_test(queue_normalises_urls),
        cmocka_unit_test(queue_refuses_bad_arguments),
        cmocka_unit_test(queue_is_open_once),
        cmocka_unit_test(queue_gives_back_segments),
        cmocka_unit_test(queue_agrees_with_the_model),
        cmocka_unit_test(queue_serves_many_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
