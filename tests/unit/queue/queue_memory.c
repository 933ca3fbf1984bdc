/*
 * queue_memory.c - a queue without a folder: the files of its log, the memory
 * that it takes and gives back, and that it answers as one in a folder does.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "log/memory_files.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    ITEMS = 100000,
    SEGMENT = 65536,
    STEPS = 20000
};

#define SECOND_NS UINT64_C(1000000000)

/* ---- the files ---- */

static const ss_memory library = {0};

static void memory_files_are_files(void **state)
{
    ss_memory_files files;
    char bytes[16] = "";
    (void)state;
    ss_memory_files_init(&files, &library, &ss_clock_system, 64);
    const ss_io *io = &files.io;
    assert_int_equal(io->open(io->context, "./log-1", O_RDWR, 0), -1);
    assert_int_equal(errno, ENOENT);
    int fd = io->open(io->context, "./log-1", O_RDWR | O_CREAT, 0);
    int again = io->open(io->context, "./log-1", O_RDONLY, 0);
    assert_true(fd >= 0 && again >= 0);
    assert_true(ss_io_pwrite_all(io, fd, "hello", 5, 0));
    assert_true(ss_io_pwrite_all(io, fd, "p!", 2, 3));
    assert_int_equal(ss_io_pread_all(io, again, bytes, sizeof bytes, 1), 4);
    assert_string_equal(bytes, "elp!");
    assert_int_equal(io->pread(io->context, again, bytes, 4, 5), 0);
    assert_int_equal(io->pwrite(io->context, fd, "x", 1, 6), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(io->truncate(io->context, fd, 6), -1);
    assert_int_equal(io->truncate(io->context, fd, 2), 0);
    assert_int_equal(ss_io_pread_all(io, again, bytes, sizeof bytes, 0), 2);
    assert_int_equal(files.size_bytes, 2);
    /* it stays for those who have it open, under no name */
    assert_int_equal(io->unlink(io->context, "./log-1"), 0);
    assert_int_equal(io->unlink(io->context, "./log-1"), -1);
    assert_int_equal(io->close(io->context, fd), 0);
    assert_int_equal(ss_io_pread_all(io, again, bytes, sizeof bytes, 0), 2);
    int other = io->open(io->context, "./log-1", O_RDWR | O_CREAT, 0);
    assert_int_equal(ss_io_pread_all(io, other, bytes, sizeof bytes, 0), 0);
    assert_int_equal(io->close(io->context, again), 0);
    assert_int_equal(io->close(io->context, other), 0);
    assert_int_equal(files.size_bytes + files.room_bytes, 0);
    assert_true(ss_io_sync_folder(io, "."));
    assert_int_equal(io->rename(io->context, "a", "b"), -1);
    assert_int_equal(errno, ENOSYS);
    ss_memory_files_free(&files);
}

/* ---- the memory that it takes ---- */

static int push_number(seenset_queue *queue, int number)
{
    char url[64];
    int length =
        snprintf(url, sizeof url, "http://www.example.org/page/%d", number);
    return seenset_queue_push(queue, url, (size_t)length, NULL, 0);
}

static seenset_queue *open_in_memory(seenset_options *set,
                                     const test_memory *memory)
{
    seenset_queue *queue = NULL;
    *set = (seenset_options){.capacity_items = ITEMS,
                             .fp_rate = 0.01,
                             .allocator = &memory->allocator};
    const seenset_queue_options options = {.set = set,
                                           .segment_bytes = SEGMENT};
    assert_int_equal(seenset_queue_open(&queue, NULL, &options), 0);
    return queue;
}

/* A crawl of ITEMS pages with a few of them pending; what it takes at most. */
static size_t crawl(seenset_queue *queue, const test_memory *memory,
                    int pending)
{
    seenset_queue_item item = {0};
    size_t most = 0;
    int pushed = 0, popped = 0;
    for (; popped < ITEMS; popped++) {
        for (; pushed < ITEMS && pushed < popped + pending; pushed++)
            assert_in_range(push_number(queue, pushed), 0, 1);
        if (seenset_queue_pop(queue, &item) != 1)
            break;
        assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
        if (memory->live_bytes > most)
            most = memory->live_bytes;
    }
    seenset_queue_item_free(&item);
    return most;
}

static void memory_follows_what_is_pending(void **state)
{
    test_memory memory;
    seenset_options set;
    (void)state;
    for (int is_stuck = 0; is_stuck < 2; is_stuck++) {
        test_memory_init(&memory);
        seenset_queue_item stuck = {0}, item = {0};
        seenset_queue *queue = open_in_memory(&set, &memory);
        if (is_stuck) { /* an item that comes back in a day pins no others */
            assert_int_equal(seenset_queue_push(queue, "stuck", 5, "x", 1), 1);
            assert_int_equal(seenset_queue_pop(queue, &stuck), 1);
            assert_int_equal(
                seenset_queue_nack(queue, stuck.lease,
                                   &(const seenset_queue_nack_options){
                                       .delay_seconds = 86400}),
                0);
        }
        size_t before = memory.live_bytes;
        size_t most = crawl(queue, &memory, 100);
        /* 8 MB of records went through it */
        assert_true(most < before + 10 * SEGMENT);
        seenset_queue_stats stats;
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         0);
        assert_true(stats.log_bytes < 5 * SEGMENT + (256 << 10));
        assert_true(stats.memory_bytes <= memory.live_bytes);
        assert_true(stats.memory_bytes * 10 > memory.live_bytes * 9);
        assert_int_equal(stats.pending_items, is_stuck);
        seenset_queue_item_free(&stuck);
        seenset_queue_item_free(&item);
        assert_int_equal(seenset_queue_close(queue), 0);
        assert_int_equal(memory.live_blocks, 0);
    }
}

/* The planted fault of the test above: what is not acked is not given back. */
static void pending_items_do_take_memory(void **state)
{
    test_memory memory;
    seenset_options set;
    (void)state;
    test_memory_init(&memory);
    seenset_queue *queue = open_in_memory(&set, &memory);
    size_t before = memory.live_bytes;
    for (int i = 0; i < ITEMS / 4; i++)
        assert_in_range(push_number(queue, i), 0, 1);
    assert_true(memory.live_bytes > before + 10 * SEGMENT);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(memory.live_blocks, 0);
}

/* An item from the middle of what is left comes as it was pushed. */
static void segments_between_others_go(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_item item = {0};
    const seenset_queue_options options = {.segment_bytes = 4096,
                                           .lease_seconds = 10,
                                           .flags = SEENSET_QUEUE_EXACT};
    seenset_queue_stats stats;
    int late = 0;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, NULL, &options), 0);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(push_number(queue, i), 1);
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(item.number, i);
        disk_pass_ns(on, 1);
        if (i % 500 == 250)
            late++;
        else
            assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
    }
    assert_int_equal(seenset_queue_checkpoint(queue), 0);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_true(stats.segment_count <= (uint64_t)late + 2);
    assert_true(stats.log_bytes < 7 * 4096);
    disk_pass_ns(on, 11 * SECOND_NS);
    for (int i = 0; i < late; i++) {
        char url[64];
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        snprintf(url, sizeof url, "http://www.example.org/page/%d",
                 i * 500 + 250);
        assert_string_equal(item.url, url);
        assert_int_equal(item.deliveries, 2);
    }
    assert_int_equal(seenset_queue_pop(queue, &item), 0);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

/* ---- without memory ---- */

static void opening_survives_each_allocation(void **state)
{
    test_memory memory;
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        const seenset_options set = {.allocator = &memory.allocator};
        const seenset_queue_options options = {
            .set = &set, .flags = exact ? SEENSET_QUEUE_EXACT : 0};
        int error = SEENSET_ENOMEM;
        for (size_t i = 1; error != SEENSET_OK; i++) {
            seenset_queue *queue = NULL;
            test_memory_init(&memory);
            memory.fail_at = i;
            error = seenset_queue_open(&queue, NULL, &options);
            assert_true(error == SEENSET_OK || error == SEENSET_ENOMEM);
            assert_int_equal(seenset_queue_close(queue), 0);
            assert_int_equal(memory.live_blocks, 0);
        }
    }
}

/* ---- as in a folder ---- */

/* The same calls on both; both must answer alike. */
static void step(seenset_queue *both[2], test_random *random, disk *on,
                 uint64_t leases[64], int *lease_count)
{
    int answers[2], number = (int)test_random_below(random, 3000);
    uint64_t chance = test_random_below(random, 100);
    seenset_queue_item items[2] = {{0}, {0}};
    size_t place = *lease_count == 0
                       ? 0
                       : test_random_below(random, (uint64_t)*lease_count);
    for (int i = 0; i < 2; i++) {
        if (chance < 40)
            answers[i] = push_number(both[i], number);
        else if (chance < 70 || *lease_count == 0)
            answers[i] = seenset_queue_pop(both[i], &items[i]);
        else if (chance < 90)
            answers[i] = seenset_queue_ack(both[i], leases[place]);
        else if (chance < 94)
            answers[i] = seenset_queue_nack(
                both[i], leases[place],
                &(const seenset_queue_nack_options){.delay_seconds = 3});
        else if (chance < 96)
            answers[i] = seenset_queue_extend(both[i], leases[place], 30);
        else if (chance < 97)
            answers[i] = seenset_queue_checkpoint(both[i]);
        else if (chance < 98)
            answers[i] = seenset_queue_save_leases(both[i]);
        else
            answers[i] = seenset_queue_sync(both[i]);
    }
    assert_int_equal(answers[0], answers[1]);
    assert_int_equal(items[0].lease, items[1].lease);
    assert_int_equal(items[0].number, items[1].number);
    if (items[0].url != NULL) {
        assert_string_equal(items[0].url, items[1].url);
        leases[*lease_count < 64 ? (*lease_count)++ : (int)place] =
            items[0].lease;
    }
    if (chance == 99)
        disk_pass_ns(on, test_random_below(random, 5 * SECOND_NS));
    seenset_queue_item_free(&items[0]);
    seenset_queue_item_free(&items[1]);
}

static void queue_in_memory_answers_as_one_in_a_folder(void **state)
{
    static const seenset_options set = {.capacity_items = 100,
                                        .on_full = SEENSET_ON_FULL_GROW,
                                        .fp_rate = 0.01};
    const seenset_queue_options options = {
        .set = &set, .lease_seconds = 4, .segment_bytes = SEGMENT};
    test_random random = {7};
    uint64_t leases[64];
    int lease_count = 0;
    (void)state;
    disk *on = disk_new();
    seenset_queue *both[2];
    seenset_queue_stats stats[2];
    assert_int_equal(
        ss_queue_open(disk_io(on), &both[0], DISK_FOLDER, &options), 0);
    assert_int_equal(ss_queue_open(disk_io(on), &both[1], NULL, &options), 0);
    for (int i = 0; i < STEPS; i++)
        step(both, &random, on, leases, &lease_count);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            seenset_queue_get_stats(both[i], &stats[i], sizeof stats[i]), 0);
    assert_int_equal(stats[0].pushed_items, stats[1].pushed_items);
    assert_int_equal(stats[0].acked_items, stats[1].acked_items);
    assert_int_equal(stats[0].leased_items, stats[1].leased_items);
    assert_int_equal(stats[0].dropped_items, stats[1].dropped_items);
    assert_true(stats[0].wrong_items == stats[1].wrong_items);
    assert_int_equal(stats[1].durability, SEENSET_QUEUE_DURABILITY_NONE);
    assert_int_equal(stats[1].unsynced_bytes, 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(seenset_queue_close(both[i]), 0);
    disk_free(on);
}

static void calls_on_no_folder_are_refused(void **state)
{
    seenset_queue *queue = NULL;
    seenset_queue_stats stats;
    const seenset_queue_options exists = {.flags = SEENSET_QUEUE_MUST_EXIST};
    (void)state;
    assert_int_equal(seenset_queue_open(&queue, NULL, &exists), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_open(NULL, NULL, NULL), SEENSET_EINVAL);
    assert_int_equal(
        seenset_queue_look(NULL, NULL, &stats, sizeof stats, NULL, 0),
        SEENSET_EINVAL);
    assert_int_equal(seenset_queue_verify(NULL, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_repair(NULL, NULL), SEENSET_EINVAL);
    /* two of them are two */
    seenset_queue *other = NULL;
    assert_int_equal(seenset_queue_open(&queue, NULL, NULL), 0);
    assert_int_equal(seenset_queue_open(&other, NULL, NULL), 0);
    assert_int_equal(push_number(queue, 1), 1);
    assert_int_equal(push_number(other, 1), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(push_number(other, 1), 0);
    assert_int_equal(seenset_queue_close(other), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_files_are_files),
        cmocka_unit_test(memory_follows_what_is_pending),
        cmocka_unit_test(pending_items_do_take_memory),
        cmocka_unit_test(segments_between_others_go),
        cmocka_unit_test(opening_survives_each_allocation),
        cmocka_unit_test(queue_in_memory_answers_as_one_in_a_folder),
        cmocka_unit_test(calls_on_no_folder_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
