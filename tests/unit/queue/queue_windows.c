/*
 * queue_windows.c - URLs that are new again once they were forgotten: by age,
 * with the clock moved, through closing, killing and failing disks.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>

#include "queue_damage.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    WINDOW = 4000,  /* seconds; the default 5 tables: a span is 1000 */
    LONGEST = 5000, /* W + a span */
    MODES = 2
};

#define SECOND_NS UINT64_C(1000000000)

static const seenset_queue_durability modes[MODES] = {
    SEENSET_QUEUE_DURABILITY_EACH, SEENSET_QUEUE_DURABILITY_NONE};

static seenset_queue_options options_of(seenset_options *set, int mode,
                                        bool is_sliding)
{
    *set = (seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                             .capacity_items = 100,
                             .fp_rate = 1e-9,
                             .window_seconds = WINDOW,
                             .flags = is_sliding ? SEENSET_FLAG_SLIDING : 0};
    return (seenset_queue_options){.set = set, .durability = modes[mode]};
}

static int push(seenset_queue *queue, const char *url)
{
    return seenset_queue_push(queue, url, strlen(url), NULL, 0);
}

static void pass(disk *on, uint64_t seconds)
{
    disk_pass_ns(on, seconds * SECOND_NS);
}

/* The process is killed, and the next one opens what it left. */
static seenset_queue *kill_and_open(disk **on, seenset_queue *queue,
                                    const seenset_queue_options *options)
{
    assert_int_equal(seenset_queue_sync(queue), 0);
    disk *killed = disk_copy(*on);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(*on);
    *on = killed;
    assert_int_equal(
        ss_queue_open(disk_io(killed), &queue, DISK_FOLDER, options), 0);
    return queue;
}

static void urls_are_new_again_when_forgotten(void **state)
{
    (void)state;
    for (int mode = 0; mode < MODES; mode++) {
        for (int is_killed = 0; is_killed < 2; is_killed++) {
            seenset_options set;
            seenset_queue_options options = options_of(&set, mode, false);
            seenset_queue_item item = {0};
            disk *on = disk_new();
            seenset_queue *queue = model_open(on, options);
            assert_int_equal(push(queue, "a"), 1);
            for (int i = 0; i < WINDOW / 500; i++) {
                assert_int_equal(push(queue, "a"), 0); /* renews nothing */
                pass(on, 500);
                if (is_killed)
                    queue = kill_and_open(&on, queue, &options);
            }
            assert_int_equal(push(queue, "b"), 1);
            pass(on, LONGEST - WINDOW + 1);
            if (is_killed)
                queue = kill_and_open(&on, queue, &options);
            assert_int_equal(push(queue, "a"), 1);
            assert_int_equal(push(queue, "a"), 0);
            assert_int_equal(push(queue, "b"), 0);
            /* it is another item; the first one is not acked yet */
            static const char *const wanted[] = {"a", "b", "a"};
            for (size_t i = 0; i < TEST_COUNT(wanted); i++) {
                assert_int_equal(seenset_queue_pop(queue, &item), 1);
                assert_string_equal(item.url, wanted[i]);
                assert_int_equal(item.number, i);
            }
            seenset_queue_item_free(&item);
            assert_int_equal(seenset_queue_close(queue), 0);
            disk_free(on);
        }
    }
}

/* In a sliding window each push counts, also for those who come after a kill:
 * what was seen and renewed is in the log. */
static void pushes_renew_in_a_sliding_window(void **state)
{
    (void)state;
    for (int mode = 0; mode < MODES; mode++) {
        for (int is_sliding = 0; is_sliding < 2; is_sliding++) {
            seenset_options set;
            seenset_queue_options options = options_of(&set, mode, is_sliding);
            disk *on = disk_new();
            seenset_queue *queue = model_open(on, options);
            assert_int_equal(push(queue, "a"), 1);
            pass(on, 3500);
            assert_int_equal(push(queue, "a"), 0);
            queue = kill_and_open(&on, queue, &options);
            pass(on, 3500);
            /* planted: in a window that does not slide it is forgotten */
            assert_int_equal(push(queue, "a"), !is_sliding);
            queue = kill_and_open(&on, queue, &options);
            pass(on, LONGEST + 1);
            assert_int_equal(push(queue, "a"), 1);
            assert_int_equal(seenset_queue_close(queue), 0);
            disk_free(on);
        }
    }
}

/* A set that is newer than the state, and one that is older: what is in the log
 * before the set is in the set. */
static void renewals_are_taken_from_the_set_or_the_log(void **state)
{
    static const char *const lost[] = {"state-", "set-"};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(lost); i++) {
        seenset_options set;
        seenset_queue_options options = options_of(&set, 0, true);
        disk *on = disk_new();
        seenset_queue *queue = model_open(on, options);
        assert_int_equal(push(queue, "a"), 1);
        pass(on, 3500);
        assert_int_equal(push(queue, "a"), 0);
        assert_int_equal(seenset_queue_checkpoint(queue), 0);
        assert_int_equal(seenset_queue_close(queue), 0);
        assert_true(disk_count(on, lost[i]) > 0);
        while (disk_count(on, lost[i]) > 0)
            damage_remove(on, disk_name(on, lost[i], 0));
        queue = model_open(on, options);
        pass(on, 3500);
        assert_int_equal(push(queue, "a"), 0);
        pass(on, LONGEST + 1);
        assert_int_equal(push(queue, "a"), 1);
        assert_int_equal(seenset_queue_close(queue), 0);
        disk_free(on);
    }
}

/* One record for each span is enough. */
static void renewals_are_few(void **state)
{
    (void)state;
    for (int mode = 0; mode < MODES; mode++) {
        seenset_options set;
        seenset_queue_stats before, after;
        disk *on = disk_new();
        seenset_queue *queue = model_open(on, options_of(&set, mode, true));
        assert_int_equal(push(queue, "a"), 1);
        assert_int_equal(seenset_queue_get_stats(queue, &before, sizeof before),
                         0);
        for (int i = 0; i < 3000; i++) {
            assert_int_equal(push(queue, "a"), 0);
            pass(on, 1);
        }
        assert_int_equal(seenset_queue_get_stats(queue, &after, sizeof after),
                         0);
        /* of 36 bytes, and a DURABLE record each under `each` */
        assert_in_range(after.log_bytes - before.log_bytes, 2 * 36, 4 * 64);
        assert_int_equal(after.dropped_items, 3000);
        assert_int_equal(after.pushed_items, 1);
        assert_int_equal(seenset_queue_close(queue), 0);
        disk_free(on);
    }
}

/* A renewal that the disk does not take is not answered, and changes nothing:
 * the next one is written. */
static void renewals_that_fail_are_done_again(void **state)
{
    (void)state;
    seenset_options set;
    seenset_queue_options options = options_of(&set, 0, true);
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, options);
    assert_int_equal(push(queue, "a"), 1);
    pass(on, 3500);
    *disk_faults_of(on) =
        (disk_faults){.fail_at = disk_operations(on) + 1, .error = ENOSPC};
    assert_int_equal(push(queue, "a"), SEENSET_EIO);
    *disk_faults_of(on) = (disk_faults){0};
    assert_int_equal(push(queue, "a"), 0);
    queue = kill_and_open(&on, queue, &options);
    pass(on, 3500);
    assert_int_equal(push(queue, "a"), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

/* In a batch as one by one. */
static void batches_renew_and_forget(void **state)
{
    (void)state;
    static const seenset_queue_entry both[] = {{.url = "a", .url_len = 1},
                                               {.url = "b", .url_len = 1},
                                               {.url = "a", .url_len = 1}};
    static const uint8_t as_new[] = {1, 1, 0}, as_seen[] = {0, 0, 0};
    for (int mode = 0; mode < MODES; mode++) {
        seenset_options set;
        seenset_queue_options options = options_of(&set, mode, true);
        uint8_t answers[TEST_COUNT(both)];
        disk *on = disk_new();
        seenset_queue *queue = model_open(on, options);
        for (int i = 0; i < 4; i++) {
            bool is_forgotten = i == 0 || i == 3;
            assert_int_equal(seenset_queue_push_many(
                                 queue, both, TEST_COUNT(both), NULL, answers),
                             0);
            assert_memory_equal(answers, is_forgotten ? as_new : as_seen,
                                sizeof answers);
            queue = kill_and_open(&on, queue, &options);
            pass(on, i == 2 ? LONGEST + 1 : 3500);
        }
        assert_int_equal(seenset_queue_close(queue), 0);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_new_again_when_forgotten),
        cmocka_unit_test(pushes_renew_in_a_sliding_window),
        cmocka_unit_test(renewals_are_taken_from_the_set_or_the_log),
        cmocka_unit_test(renewals_are_few),
        cmocka_unit_test(renewals_that_fail_are_done_again),
        cmocka_unit_test(batches_renew_and_forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
