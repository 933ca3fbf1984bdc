/*
 * queue_look.c - the contract of looks, on each kind of queue: the figures of a
 * queue that others have open, without a trace and without a wait.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "queue_kinds.h"

/* With the set's figures, unless set is NULL. */
static int look_at(const char *dir, seenset_queue_stats *out,
                   seenset_stats *set, seenset_queue_report *report)
{
    return seenset_queue_look(
        dir, &(const seenset_queue_options){.report = report}, out, sizeof *out,
        set, set == NULL ? 0 : sizeof *set);
}

static seenset_queue_stats look(const queue_place *at)
{
    seenset_queue_stats stats;
    assert_int_equal(queue_place_look(at, &stats, NULL, NULL), SEENSET_OK);
    assert_int_equal(stats.pending_items + stats.leased_items +
                         stats.acked_items,
                     stats.pushed_items);
    return stats;
}

/* ---- the figures ---- */

/* One change of a queue, and more the higher the step. */
static void take_step(queue_place *at, int step)
{
    if (step % 7 < 5)
        assert_int_equal(queue_push(at->queue, step), 1);
    if (step % 3 == 0) {
        seenset_queue_item item = {0};
        assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
        if (step % 2 == 0)
            assert_int_equal(seenset_queue_ack(at->queue, item.lease), 0);
        seenset_queue_item_free(&item);
    }
    if (step % 10 == 9)
        assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
    assert_int_equal(seenset_queue_sync(at->queue), SEENSET_OK);
}

/* The figures that follow from the bits. */
static void check_bits(const seenset_stats *is, const seenset_stats *due)
{
    assert_int_equal(is->set_bits, due->set_bits);
    assert_int_equal(is->capacity_items, due->capacity_items);
    assert_int_equal(is->memory_bytes, due->memory_bytes);
    assert_true(is->current_fp_rate == due->current_fp_rate);
}

/* The same where the newest table grows in place: URLs after its file are
 * beside it, where they are exact and take no room of it. */
static void check_bits_with_beside(const seenset_stats *is,
                                   const seenset_stats *due)
{
    assert_in_range(is->set_bits, 1, due->set_bits);
    assert_in_range(is->capacity_items, is->added_items, due->capacity_items);
    assert_in_range(is->memory_bytes, 1, due->memory_bytes + 4096);
    assert_true(is->current_fp_rate <= due->current_fp_rate);
}

/* A look at once: the set's figures are those of all its bits, since it is
 * small. */
static void check_at_once(const queue_place *at, const seenset_queue_stats *due,
                          const seenset_stats *due_set)
{
    seenset_queue_stats is;
    seenset_stats set;
    assert_int_equal(queue_place_look_at_once(at, &is, &set), SEENSET_OK);
    assert_int_equal(is.pushed_items, due->pushed_items);
    assert_int_equal(is.pending_items, due->pending_items);
    assert_int_equal(is.memory_bytes - set.memory_bytes,
                     due->memory_bytes - due_set->memory_bytes);
    assert_true(is.wrong_items == due->wrong_items);
    assert_int_equal(set.on_full, due_set->on_full);
    assert_int_equal(set.table_count, due_set->table_count);
    assert_int_equal(set.added_items, due_set->added_items);
    assert_true(set.fp_rate == due_set->fp_rate);
    if (due_set->table_count > 1)
        check_bits_with_beside(&set, due_set);
    else
        check_bits(&set, due_set);
}

/* All that depends on who asks is as the header has it. */
static void look_equals_the_figures_of_the_handle(void **state)
{
    enum {
        STEPS = 25
    };
    queue_place *at = *state;
    for (int step = 0; step < STEPS; step++) {
        seenset_queue_stats is;
        seenset_stats set, due_set;
        take_step(at, step);
        assert_int_equal(queue_place_look(at, &is, &set, NULL), 0);
        seenset_queue_stats due = queue_stats_of(at->queue);
        assert_int_equal(
            seenset_queue_get_set_stats(at->queue, &due_set, sizeof due_set),
            0);
        assert_int_equal(is.normalise, due.normalise);
        assert_int_equal(is.pushed_items, due.pushed_items);
        assert_int_equal(is.acked_items, due.acked_items);
        assert_int_equal(is.pending_items + is.leased_items,
                         due.pending_items + due.leased_items);
        assert_int_equal(is.log_bytes, due.log_bytes);
        assert_int_equal(is.segment_count, due.segment_count);
        assert_true(is.wrong_items == due.wrong_items);
        assert_int_equal(is.durability, SEENSET_QUEUE_DURABILITY_DEFAULT);
        assert_int_equal(is.unsynced_bytes + is.failed_checkpoints, 0);
        assert_int_equal(set.added_items, due_set.added_items);
        assert_int_equal(set.set_bits, due_set.set_bits);
        assert_int_equal(set.capacity_items, due_set.capacity_items);
        check_at_once(at, &is, &set);
    }
}

/* Leases and what was dropped are as they were written to disk. */
static void look_counts_leases_that_were_written(void **state)
{
    queue_place *at = *state;
    queue_push_new(at->queue, 0, 10);
    for (int i = 0; i < 5; i++)
        assert_int_equal(queue_push(at->queue, i), 0);
    (void)queue_pop(at->queue, 0);
    (void)queue_pop(at->queue, 1);
    uint64_t lease = queue_pop(at->queue, 2);
    assert_int_equal(seenset_queue_ack(at->queue, lease), 0);
    assert_int_equal(seenset_queue_sync(at->queue), SEENSET_OK);
    assert_int_equal(look(at).leased_items, 0); /* only the handle knows */
    queue_place_close(at);
    seenset_queue_stats stats = look(at);
    assert_int_equal(stats.leased_items, 2);
    assert_int_equal(stats.pending_items, 7);
    assert_int_equal(stats.acked_items, 1);
    assert_int_equal(stats.dropped_items, 5);
    assert_true(isinf(stats.seconds_to_full) || stats.seconds_to_full == 0.0);
}

/* ---- no trace ---- */

/* The names and bytes of a folder, added up; a change shows. */
static uint64_t sum_of(const test_folder *folder)
{
    DIR *entries = opendir(folder->path);
    uint64_t sum = 0;
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[TEST_PATH_BYTES];
        size_t size_bytes;
        uint64_t file = 0;
        if (entry->d_name[0] == '.')
            continue;
        uint8_t *bytes =
            test_read_file(test_path(path, folder, entry->d_name), &size_bytes);
        for (const char *at = entry->d_name; *at != '\0'; at++)
            file = test_mix(file + (unsigned char)*at);
        for (size_t i = 0; i < size_bytes; i++)
            file = test_mix(file + bytes[i]);
        sum += test_mix(file + size_bytes); /* in any order */
        free(bytes);
    }
    closedir(entries);
    return sum;
}

static void look_changes_nothing(void **state)
{
    queue_place *at = *state;
    seenset_queue_stats stats;
    char path[TEST_PATH_BYTES];
    queue_push_new(at->queue, 0, 10);
    (void)queue_pop(at->queue, 0);
    assert_int_equal(seenset_queue_save_leases(at->queue), SEENSET_OK);
    uint64_t before = sum_of(&at->folder);
    assert_int_equal(look(at).leased_items, 1);
    assert_true(sum_of(&at->folder) == before);
    queue_place_close(at);
    /* an unfinished end, which an open would cut off */
    test_write_file(test_path(path, &at->folder, "set-0000000000000000.tmp"),
                    "half", 4);
    before = sum_of(&at->folder);
    assert_int_equal(queue_place_look(at, &stats, NULL, NULL), SEENSET_OK);
    assert_true(sum_of(&at->folder) == before);
    queue_place_open(at); /* planted: an open does remove it */
    assert_true(sum_of(&at->folder) != before);
}

static void look_fails_on_damage(void **state)
{
    queue_place *at = *state;
    seenset_queue_stats stats, before;
    seenset_queue_report report;
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    memset(&before, 0xA5, sizeof before);
    stats = before;
    queue_place_close(at);
    test_path(path, &at->folder, "MANIFEST");
    uint8_t *bytes = test_read_file(path, &size_bytes);
    bytes[size_bytes / 2] ^= 1;
    test_write_file(path, bytes, size_bytes);
    assert_int_equal(queue_place_look(at, &stats, NULL, &report),
                     SEENSET_EDAMAGED);
    assert_string_equal(report.file, "MANIFEST");
    assert_true(report.reason[0] != '\0');
    assert_memory_equal(&stats, &before, sizeof stats);
    bytes[size_bytes / 2] ^= 1;
    test_write_file(path, bytes, size_bytes);
    free(bytes);
    assert_int_equal(look(at).pushed_items, 0);
}

/* ---- arguments, and folders without a queue ---- */

static void look_needs_a_queue(void **state)
{
    (void)state;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    seenset_queue_stats stats;
    seenset_stats set;
    seenset_queue_report report;
    test_folder_make(&folder);
    assert_int_equal(look_at(NULL, &stats, NULL, &report), SEENSET_EINVAL);
    assert_int_equal(look_at("", &stats, NULL, &report), SEENSET_EINVAL);
    assert_int_equal(look_at(folder.path, NULL, NULL, &report), SEENSET_EINVAL);
    assert_int_equal(
        seenset_queue_look(folder.path,
                           &(const seenset_queue_options){.report = &report},
                           &stats, 0, NULL, 0),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_queue_look(folder.path,
                           &(const seenset_queue_options){.report = &report},
                           &stats, sizeof stats, &set, 0),
        SEENSET_EINVAL);
    assert_int_equal(look_at(folder.path, &stats, NULL, &report),
                     SEENSET_EFORMAT);
    assert_string_equal(report.file, "MANIFEST");
    errno = 0;
    test_path(path, &folder, "absent");
    assert_int_equal(look_at(path, &stats, NULL, &report), SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(test_folder_count(&folder), 0);
    test_folder_remove(&folder);
}

/* ---- while others go on ---- */

enum {
    WORKER_CALLS = 3000
};

/* Pushes, pops, acks, checkpoints and opens anew; any failure is its end. */
static void work(const char *folder)
{
    seenset_queue *queue = NULL;
    seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = 100000},
        .segment_bytes = 4096,
        .snapshot_bytes = 8192,
        .flags = SEENSET_QUEUE_KEEP_LEASES};
    seenset_queue_item item = {0};
    char url[64];
    bool works = seenset_queue_open(&queue, folder, &options) == 0;
    for (int i = 0; i < WORKER_CALLS && works; i++) {
        int length = snprintf(url, sizeof url, "http://a.example/page/%d", i);
        works = seenset_queue_push(queue, url, (size_t)length, NULL, 0) == 1;
        if (works && i % 3 != 0)
            works = seenset_queue_pop(queue, &item) == 1 &&
                    seenset_queue_ack(queue, item.lease) == 0;
        if (works && i % 50 == 0)
            works = seenset_queue_checkpoint(queue) == 0;
        if (works && i % 200 == 0)
            works = seenset_queue_close(queue) == 0 &&
                    seenset_queue_open(&queue, folder, &options) == 0;
    }
    _exit(works && seenset_queue_close(queue) == 0 ? 0 : 1);
}

/* A process that does all there is to do never fails for being looked at, and
 * is never seen to go back. */
static void look_follows_another_process(void **state)
{
    (void)state;
    test_folder folder;
    seenset_queue *queue;
    seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = 100000},
        .segment_bytes = 4096};
    test_folder_make(&folder);
    assert_int_equal(seenset_queue_open(&queue, folder.path, &options), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        work(folder.path);
    seenset_queue_stats last = {0}, stats;
    int status = 0, changes = 0;
    bool has_ended = false;
    while (!has_ended) {
        has_ended = waitpid(child, &status, WNOHANG) == child;
        seenset_queue_report report;
        int error = look_at(folder.path, &stats, NULL, &report);
        if (error != SEENSET_OK)
            fail_msg("%s: %s at %llu of %s", seenset_strerror(error),
                     report.reason, (unsigned long long)report.offset,
                     report.file);
        assert_int_equal(stats.pending_items + stats.leased_items +
                             stats.acked_items,
                         stats.pushed_items);
        assert_true(stats.pushed_items >= last.pushed_items);
        assert_true(stats.acked_items >= last.acked_items);
        changes += stats.pushed_items != last.pushed_items;
        last = stats;
    }
    assert_int_equal(status, 0);
    assert_true(changes > 1);
    assert_int_equal(stats.pushed_items, WORKER_CALLS);
    assert_int_equal(stats.acked_items, WORKER_CALLS - WORKER_CALLS / 3);
    test_folder_remove(&folder);
}

/* ---- at once ---- */

enum {
    MOST_BYTES = 4 << 20
};

static void *allocate_little(void *context, size_t size_bytes,
                             size_t alignment_bytes)
{
    size_t room = (size_bytes / alignment_bytes + 1) * alignment_bytes;
    (void)context;
    return size_bytes > MOST_BYTES ? NULL
                                   : aligned_alloc(alignment_bytes, room);
}

static void free_any(void *context, void *memory, size_t size_bytes)
{
    (void)context;
    (void)size_bytes;
    free(memory);
}

/* With set_at_once a look does not load the set, so it works with less memory
 * than the set needs. It counts the URLs that are in the set's file, and those
 * that were pushed after the file was written. Where a view is a copy, the set
 * has to be loaded for either. */
static void look_at_once_loads_no_set(void **state)
{
    static const seenset_allocator little = {.allocate = allocate_little,
                                             .release = free_any};
    const seenset_options large = {.capacity_items = 3000000};
    const seenset_options given = {.allocator = &little};
    const seenset_queue_options made = {.set = &large};
    seenset_queue_options asked = {.set = &given,
                                   .flags = SEENSET_QUEUE_SET_AT_ONCE};
    test_folder folder;
    seenset_queue *queue;
    seenset_queue_stats stats;
    seenset_stats set;
    const bool is_loaded = test_views_are_copies();
    (void)state;
    test_folder_make(&folder);
    assert_int_equal(seenset_queue_open(&queue, folder.path, &made), 0);
    queue_push_new(queue, 0, 20);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    queue_push_new(queue, 20, 30);
    assert_int_equal(seenset_queue_look(folder.path, &asked, &stats,
                                        sizeof stats, &set, sizeof set),
                     is_loaded ? SEENSET_ENOMEM : SEENSET_OK);
    if (is_loaded) {
        asked.set = NULL;
        assert_int_equal(seenset_queue_look(folder.path, &asked, &stats,
                                            sizeof stats, &set, sizeof set),
                         SEENSET_OK);
        asked.set = &given;
    }
    assert_int_equal(set.added_items, 30);
    assert_true(set.memory_bytes > 2 * MOST_BYTES);
    assert_true(test_is_near((double)set.set_bits, 30.0 * set.hash_count, 0.1));
    asked.flags = 0;
    assert_int_equal(seenset_queue_look(folder.path, &asked, &stats,
                                        sizeof stats, &set, sizeof set),
                     SEENSET_ENOMEM);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest alone[] = {
        cmocka_unit_test(look_at_once_loads_no_set),
        cmocka_unit_test(look_needs_a_queue),
        cmocka_unit_test(look_follows_another_process),
    };
    struct CMUnitTest tests[] = {
        QUEUE_TEST(look_equals_the_figures_of_the_handle),
        QUEUE_TEST(look_counts_leases_that_were_written),
        QUEUE_TEST(look_changes_nothing),
        QUEUE_TEST(look_fails_on_damage),
    };
    int failed = cmocka_run_group_tests(alone, NULL, NULL);
    return queue_run_kept_kinds(tests, TEST_COUNT(tests)) != 0 || failed != 0;
}
