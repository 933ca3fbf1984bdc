/*
 * delayed_states.c - a state, its file of delayed items, and what may come
 * between them: the file is damaged, another one is made, the queue is remade,
 * a sync fails, clocks swing.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "queue/clean/clean.h"
#include "queue/polite.h"
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

static int check_deliveries(void *context, const seenset_queue_listed *item)
{
    assert_int_equal(item->deliveries, *(const uint32_t *)context);
    assert_int_equal(item->state, SEENSET_QUEUE_ITEM_DELAYED);
    return 0;
}

/* Their leases have no number of deliveries in a queue that was remade. */
static void remake_delayed(const seenset_queue_options *of)
{
    static const double delays[] = {100, 101, 102, 103, 104};
    static const unsigned kinds[] = {0, SEENSET_QUEUE_VISITED,
                                     SEENSET_QUEUE_UNTRIED};
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset_queue_stats stats;
        disk *on = disk_new(), *to = disk_new();
        seenset_queue *queue = model_open(on, *of);
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
        uint32_t tried = kinds[i] == 0;
        assert_int_equal(seenset_queue_list(queue, check_deliveries, &tried),
                         SEENSET_OK);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
        disk_free(to);
    }
}

static void visited_items_are_sound_in_a_remade_queue(void **state)
{
    (void)state;
    remake_delayed(&small);
    remake_delayed(&polite);
}

/* After a sync that failed, nack changes no file. */
static void fail_a_sync(const seenset_queue_options *of)
{
    static const double delays[] = {100, 101, 102, 103, 104};
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, *of);
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

static void nothing_is_written_after_a_failed_sync(void **state)
{
    (void)state;
    fail_a_sync(&small);
}

/* On a machine without a boot id, whose wall clock is set back and forth. */
static void swing_clocks(const seenset_queue_options *of)
{
    static const double delays[] = {100, 101, 102, 103, 104};
    disk *on = disk_new();
    seenset_queue_options keep = *of;
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

static void times_do_not_wrap(void **state)
{
    (void)state;
    swing_clocks(&small);
    swing_clocks(&polite);
}

/* ---- of a polite queue alone ---- */

/* Opened again, whose leases go on; some time later each comes once. */
static void all_come_later(disk *on)
{
    int counts[MODEL_URLS] = {0};
    seenset_queue_options keep = polite;
    keep.flags = SEENSET_QUEUE_KEEP_LEASES;
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                     SEENSET_OK);
    seenset_queue *queue = model_open(on, keep);
    assert_int_equal(model_drain(queue, counts), 0);
    disk_pass_ns(on, UINT64_C(200000000000));
    assert_int_equal(model_drain(queue, counts), FEW);
    for (int i = 0; i < FEW; i++)
        assert_int_equal(counts[i], 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

static disk *delayed_disk(seenset_queue **queue)
{
    static const double delays[] = {100, 101, 102, 103, 104};
    disk *on = disk_new();
    *queue = model_open(on, polite);
    assert_int_equal(model_push(*queue, 0, FEW), FEW);
    delay_all(*queue, delays, 0);
    assert_int_equal(disk_count(on, SS_FOLDER_DELAYED), 1);
    return on;
}

/* The log may move an item that is in a file: before the state that names it,
 * or after it. */
static void an_item_in_a_file_is_moved(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        seenset_queue *queue;
        uint64_t before, after;
        disk *on = delayed_disk(&queue);
        assert_int_equal(ss_polite_position(queue, 2, &before), 1);
        if (i % 2 == 1)
            assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
        model_move(queue, 2);
        if (i < 2)
            assert_int_equal(ss_clean_settle(queue), SEENSET_OK);
        else
            assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
        assert_int_equal(ss_polite_position(queue, 2, &after), 1);
        assert_true(after > before);
        if (i == 0)
            assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
        on = model_kill(on, queue);
        all_come_later(on);
        disk_free(on);
    }
}

/* A state whose file is damaged is none: the delays are over, and no item is
 * lost. */
static void a_damaged_file_ends_delays(void **state)
{
    (void)state;
    for (int block = 0; block < 3; block++) {
        int counts[MODEL_URLS] = {0};
        seenset_queue *queue;
        disk *on = delayed_disk(&queue);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_flip(on, disk_last_name(on, SS_FOLDER_DELAYED),
                  (size_t)block * 4096 + 20);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                         SEENSET_EDAMAGED);
        if (block == 1) /* what is read when it is due, a repair finds */
            assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL),
                             SEENSET_OK);
        seenset_queue_options keep = polite;
        keep.flags = SEENSET_QUEUE_KEEP_LEASES;
        queue = model_open(on, keep);
        assert_int_equal(model_drain(queue, counts), FEW);
        for (int i = 0; i < FEW; i++)
            assert_int_equal(counts[i], 1);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                         SEENSET_OK);
        disk_free(on);
    }
}

/* The second order of a file says where a block of it begins, which only who
 * looks for an item reads: `verify` does. ss_run_put_end makes it sealed. */
static void a_block_that_begins_elsewhere_is_found(void **state)
{
    (void)state;
    for (uint64_t before = 0; before < 2; before++) {
        seenset_queue *queue;
        size_t *size_bytes;
        disk *on = delayed_disk(&queue);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        uint8_t *file =
            disk_file(on, disk_last_name(on, SS_FOLDER_DELAYED), &size_bytes);
        uint64_t number = ss_bits_load(file + 16, 8); /* in its header */
        ss_run_put_end(file + (size_t)2 * SS_RUN_BLOCK_BYTES, number, 2,
                       before);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                         before == 0 ? SEENSET_OK : SEENSET_EDAMAGED);
        disk_free(on);
    }
}

static int count_host(void *context, const seenset_queue_host *host)
{
    int *count = context;
    assert_int_equal(host->pending_items, FEW);
    assert_int_equal(host->name_len, strlen("a.example"));
    ++*count;
    return 0;
}

/* A host whose items are all in files is shown. */
static void a_host_in_files_is_listed(void **state)
{
    int count = 0;
    seenset_queue *queue;
    (void)state;
    disk *on = delayed_disk(&queue);
    assert_int_equal(seenset_queue_list_hosts(queue, 0, count_host, &count),
                     SEENSET_OK);
    assert_int_equal(count, 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* A state that says that a file has an item more, or less, than are pending in
 * the log is not believed. */
static void a_state_with_another_count_is_found(void **state)
{
    (void)state;
    for (int more = -1; more <= 0; more++) {
        seenset_queue *queue;
        disk *on = delayed_disk(&queue);
        queue->items.lanes[0].delays.items += (uint64_t)more;
        assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
        queue->items.lanes[0].delays.items -= (uint64_t)more;
        on = model_kill(on, queue);
        seenset_queue_options keep = polite;
        keep.flags = SEENSET_QUEUE_KEEP_LEASES;
        int wanted = more == 0 ? SEENSET_OK : SEENSET_EDAMAGED;
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                         wanted);
        assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &keep),
                         wanted);
        if (more == 0)
            assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_not_used_again),
        cmocka_unit_test(visited_items_are_sound_in_a_remade_queue),
        cmocka_unit_test(nothing_is_written_after_a_failed_sync),
        cmocka_unit_test(times_do_not_wrap),
        cmocka_unit_test(an_item_in_a_file_is_moved),
        cmocka_unit_test(a_damaged_file_ends_delays),
        cmocka_unit_test(a_block_that_begins_elsewhere_is_found),
        cmocka_unit_test(a_host_in_files_is_listed),
        cmocka_unit_test(a_state_with_another_count_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
