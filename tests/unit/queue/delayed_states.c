/*
 * delayed_states.c - a state, its file of delayed items, and what may come
 * between them: the file is damaged, another one is made, the queue is remade,
 * a sync fails, clocks swing.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "queue_disk.h"
#include "queue_model.h"

enum {
    FEW = 5 /* one more than stay in memory */
};

static const seenset_queue_options small = {.segment_bytes = 4096};
static const seenset_queue_options polite = {.segment_bytes = 4096,
                                             .politeness = &model_at_once};
static const seenset_queue_remake_options to_small = {.to = &small};

static void take_all(seenset_queue *queue, uint64_t leases[FEW])
{
    seenset_queue_item item = {0};
    for (int i = 0; i < FEW; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        leases[i] = item.lease;
    }
    seenset_queue_item_free(&item);
}

/* The i-th comes again after delays[i] seconds. */
static void give_back(seenset_queue *queue, const uint64_t leases[FEW],
                      const double *delays, unsigned flags)
{
    for (int i = 0; i < FEW; i++) {
        const seenset_queue_nack_options later = {.delay_seconds = delays[i],
                                                  .flags = flags};
        assert_int_equal(seenset_queue_nack(queue, leases[i], &later),
                         SEENSET_OK);
    }
}

static void delay_all(seenset_queue *queue, const double *delays,
                      unsigned flags)
{
    uint64_t leases[FEW];
    take_all(queue, leases);
    give_back(queue, leases, delays, flags);
}

/* A state whose file of delayed items is gone must not find another one under
 * its name later. */
static void a_number_is_not_used_again(void **state)
{
    static const double first[] = {1, 100, 101, 102, 103};
    static const double second[] = {200, 201, 202, 1, 203};
    seenset_queue_item item = {0};
    int counts[MODEL_URLS] = {0};
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, small);
    assert_int_equal(model_push(queue, 0, FEW), FEW);
    delay_all(queue, first, 0);
    disk_pass_ns(on, UINT64_C(2000000000));
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    const char *file = disk_last_name(on, "delayed-");
    assert_non_null(file);
    disk_flip(on, file, 5000);
    queue = model_open(on, small); /* which removes it */
    on = model_kill(on, queue);
    assert_int_equal(disk_count(on, "delayed-"), 0);
    queue = model_open(on, small);
    delay_all(queue, second, 0);
    on = model_kill(on, queue);
    queue = model_open(on, small);
    assert_int_equal(model_drain(queue, counts), FEW);
    for (int i = 0; i < FEW; i++)
        assert_int_equal(counts[i], 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    seenset_queue_item_free(&item);
    disk_free(on);
}

/* Their leases have no number of deliveries in a queue that was remade. */
static void visited_items_are_sound_in_a_remade_queue(void **state)
{
    static const double delays[] = {100, 101, 102, 103, 104};
    static const unsigned kinds[] = {0, SEENSET_QUEUE_VISITED,
                                     SEENSET_QUEUE_UNTRIED};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset_queue_stats stats;
        disk *on = disk_new(), *to = disk_new();
        seenset_queue *queue = model_open(on, small);
        assert_int_equal(model_push(queue, 0, FEW), FEW);
        delay_all(queue, delays, kinds[i]);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        assert_int_equal(ss_queue_remake(disk_io(on), DISK_FOLDER, disk_io(to),
                                         DISK_FOLDER, &to_small, NULL, 0),
                         SEENSET_OK);
        assert_true(disk_count(to, "delayed-") > 0);
        assert_int_equal(ss_queue_verify(disk_io(to), DISK_FOLDER, NULL),
                         SEENSET_OK);
        seenset_queue_options keep = small;
        keep.flags = SEENSET_QUEUE_KEEP_LEASES;
        queue = model_open(to, keep);
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         SEENSET_OK);
        assert_int_equal(stats.delayed_items, FEW);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
        disk_free(to);
    }
}

/* After a sync that failed, nack changes no file. */
static void nothing_is_written_after_a_failed_sync(void **state)
{
    static const double delays[] = {100, 101, 102, 103, 104};
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, small);
    uint64_t leases[FEW];
    assert_int_equal(model_push(queue, 0, FEW), FEW);
    take_all(queue, leases);
    disk_faults_of(on)->fail_at = disk_operations(on) + 2;
    disk_faults_of(on)->error = EIO;
    (void)seenset_queue_push(queue, "x", 1, NULL, 0);
    assert_true(disk_sync_failed(on));
    disk *before = disk_copy(on);
    give_back(queue, leases, delays, 0);
    assert_true(disk_is_same(before, on));
    assert_int_equal(disk_count(on, "delayed-"), 0);
    (void)seenset_queue_close(queue);
    disk_free(before);
    disk_free(on);
}

/* On a machine without a boot id, whose wall clock is set back and forth. */
static void times_do_not_wrap(void **state)
{
    static const double delays[] = {100, 101, 102, 103, 104};
    (void)state;
    disk *on = disk_new();
    seenset_queue_options keep = small;
    keep.flags = SEENSET_QUEUE_KEEP_LEASES;
    disk_set_boot(on, 1, 5000000000);
    disk_set_wall(on, 0);
    seenset_queue *queue = model_open(on, keep);
    assert_int_equal(model_push(queue, 0, FEW), FEW);
    delay_all(queue, delays, 0);
    for (int i = 0; i < 40; i++) {
        seenset_queue_stats stats;
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_set_boot(on, (uint8_t)(2 + i), 5000000000);
        disk_set_wall(on, i % 2 == 0 ? 4000000000 : 0);
        queue = model_open(on, keep);
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         SEENSET_OK);
        assert_int_equal(stats.delayed_items, 0);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                         SEENSET_OK);
    }
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_not_used_again),
        cmocka_unit_test(visited_items_are_sound_in_a_remade_queue),
        cmocka_unit_test(nothing_is_written_after_a_failed_sync),
        cmocka_unit_test(times_do_not_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
