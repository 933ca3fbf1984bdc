/*
 * queue_repair.c - the contract of verify and repair, on each kind of queue:
 * what is sound is left as it is, what is damaged is named, and a repair saves
 * all that is not.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue_kinds.h"

enum {
    ITEMS = 100,
    ACKED = 10
};

/* Leaves a queue of items 0 to ITEMS - 1 closed, the first ACKED of them done.
 */
static void leave_a_past(queue_place *at)
{
    queue_push_new(at->queue, 0, ITEMS);
    for (int i = 0; i < ACKED; i++) {
        assert_int_equal(queue_push(at->queue, i), 0);
        assert_int_equal(seenset_queue_ack(at->queue, queue_pop(at->queue, i)),
                         0);
    }
    assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
    queue_place_close(at);
}

/* Flips the byte in the middle of each file whose name begins so; how many
 * there are, and the name of the first one. */
static int damage(const queue_place *at, const char *prefix, char first[256])
{
    DIR *entries = opendir(at->folder.path);
    int count = 0;
    assert_non_null(entries);
    first[0] = '\0';
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[TEST_PATH_BYTES];
        size_t size_bytes;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        test_path(path, &at->folder, entry->d_name);
        uint8_t *bytes = test_read_file(path, &size_bytes);
        bytes[size_bytes / 2] ^= 1;
        test_write_file(path, bytes, size_bytes);
        free(bytes);
        if (first[0] == '\0' || strcmp(entry->d_name, first) < 0)
            snprintf(first, 256, "%s", entry->d_name);
        count++;
    }
    closedir(entries);
    return count;
}

/* Pops and acks all there is, in the order in which it was pushed; how many
 * came. */
static int drain(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    int count = 0, last = -1;
    for (; seenset_queue_pop(queue, &item) == 1; count++) {
        assert_true(queue_url_number(&item) > last);
        last = queue_url_number(&item);
        assert_int_equal(item.number, last);
        assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
    }
    seenset_queue_item_free(&item);
    return count;
}

/* ---- sound ---- */

static void sound_queues_are_counted(void **state)
{
    queue_place *at = *state;
    seenset_queue_report report;
    queue_push_new(at->queue, 0, ITEMS);
    assert_int_equal(seenset_queue_sync(at->queue), SEENSET_OK);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    queue_place_close(at);
    for (int repairs = 0; repairs <= 1; repairs++) {
        memset(&report, 0xA5, sizeof report);
        assert_int_equal(repairs ? queue_place_repair(at, &report)
                                 : queue_place_verify(at, &report),
                         SEENSET_OK);
        assert_string_equal(report.file, "");
        assert_string_equal(report.reason, "");
        assert_int_equal(report.item_count, ITEMS);
        assert_true(report.record_count >= ITEMS);
        assert_int_equal(report.segment_count, stats.segment_count);
        assert_in_range(report.log_bytes, stats.log_bytes,
                        stats.log_bytes + 100);
        assert_int_equal(report.damage_count, 0);
        assert_int_equal(report.damaged_bytes, 0);
        assert_int_equal(report.lost_items, 0);
        assert_int_equal(report.torn_bytes, 0);
    }
    assert_int_equal(queue_place_verify(at, NULL), SEENSET_OK);
    assert_int_equal(queue_place_repair(at, NULL), SEENSET_OK);
    queue_place_open(at);
    queue_assert_left(at->queue, 0, ITEMS);
}

static void queues_that_are_not_there_are_an_error(void **state)
{
    queue_place *at = *state;
    seenset_queue_report report;
    char path[TEST_PATH_BYTES];
    test_path(path, &at->folder, "nowhere");
    assert_int_equal(
        seenset_queue_verify(path,
                             &(const seenset_queue_options){.report = &report}),
        SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(
        seenset_queue_repair(path,
                             &(const seenset_queue_options){.report = &report}),
        SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(
        seenset_queue_verify(NULL,
                             &(const seenset_queue_options){.report = &report}),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_queue_repair(NULL,
                             &(const seenset_queue_options){.report = &report}),
        SEENSET_EINVAL);
}

/* ---- damaged ---- */

/* A log that is damaged is not opened; its repair loses what it says. */
static void repairs_lose_what_they_report(void **state)
{
    queue_place *at = *state;
    const char *dir = at->folder.path;
    char name[256];
    seenset_queue_report report, found;
    seenset_queue *queue = NULL;
    seenset_queue_options options = at->options;
    leave_a_past(at);
    assert_true(damage(at, "log-", name) > 0);
    assert_int_equal(queue_place_verify(at, &report), SEENSET_EDAMAGED);
    assert_string_equal(report.file, name);
    assert_true(report.offset > 0 && report.reason[0] != '\0');
    assert_true(report.damage_count > 0 && report.lost_items > 0);
    assert_int_equal(queue_place_repair(at, &found), SEENSET_OK);
    assert_int_equal(found.lost_items, report.lost_items);
    assert_string_equal(found.file, report.file);
    assert_int_equal(found.offset, report.offset);
    assert_int_equal(queue_place_verify(at, NULL), SEENSET_OK);
    assert_int_equal(seenset_queue_open(&queue, dir, &options), SEENSET_OK);
    at->queue = queue;
    int came = drain(queue);
    assert_in_range(came, ITEMS - ACKED - (int)found.lost_items,
                    ITEMS - (int)found.lost_items);
    assert_int_equal(queue_push(queue, ITEMS), 1);
}

/* The set and the state are made again from the log, the figures too. */
static void repairs_make_the_set_again(void **state)
{
    static const char *const prefixes[] = {"set-", "state-"};
    queue_place *at = *state;
    char name[256];
    leave_a_past(at);
    for (size_t i = 0; i < TEST_COUNT(prefixes); i++) {
        seenset_queue_report report;
        assert_true(damage(at, prefixes[i], name) > 0);
        assert_int_equal(queue_place_verify(at, &report), SEENSET_EDAMAGED);
        assert_memory_equal(report.file, prefixes[i], strlen(prefixes[i]));
        assert_int_equal(report.lost_items, 0);
        assert_int_equal(queue_place_repair(at, NULL), SEENSET_OK);
        assert_int_equal(queue_place_verify(at, NULL), SEENSET_OK);
        queue_place_open(at);
        seenset_queue_stats stats = queue_stats_of(at->queue);
        assert_int_equal(stats.pushed_items, ITEMS);
        assert_int_equal(stats.acked_items, ACKED);
        if (i == 0) /* the state has it, which was sound */
            assert_int_equal(stats.dropped_items, ACKED);
        queue_place_close(at);
    }
    queue_place_open(at);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(queue_push(at->queue, i), 0);
    queue_assert_left(at->queue, ACKED, ITEMS);
}

/* What a queue was made with is nowhere else. */
static void manifests_cannot_be_repaired(void **state)
{
    queue_place *at = *state;
    const char *dir = at->folder.path;
    char name[256];
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    seenset_queue_options options = at->options;
    options.report = &report;
    leave_a_past(at);
    assert_int_equal(damage(at, "MANIFEST", name), 1);
    assert_int_equal(seenset_queue_open(&queue, dir, &options),
                     SEENSET_EDAMAGED);
    assert_null(queue);
    assert_string_equal(report.file, "MANIFEST");
    assert_int_equal(queue_place_verify(at, &report), SEENSET_EDAMAGED);
    assert_int_equal(queue_place_repair(at, &report), SEENSET_EDAMAGED);
    assert_string_equal(report.file, "MANIFEST");
    assert_int_equal(damage(at, "MANIFEST", name), 1); /* as it was */
    queue_place_open(at);
    queue_assert_left(at->queue, ACKED, ITEMS);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(sound_queues_are_counted),
        QUEUE_TEST(queues_that_are_not_there_are_an_error),
        QUEUE_TEST(repairs_lose_what_they_report),
        QUEUE_TEST(repairs_make_the_set_again),
        QUEUE_TEST(manifests_cannot_be_repaired),
    };
    return queue_run_kept_kinds(tests, TEST_COUNT(tests));
}
