/*
 * queue_far_files.c - files of a queue that are named for a position far beyond
 * the end of its log, by accident or on purpose.
 *
 * Repair keeps positions where they are, and fills with holes what is missing
 * before a file. It must not do so for whatever a name says: a snapshot that is
 * too far ahead goes, and a log file that is stops the repair. Neither may cost
 * more time or bytes than the queue itself is worth.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "queue/handle.h"
#include "queue/state.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    ITEMS = 40,
    MOST_OPERATIONS = 500,
    MOST_BYTES = 64 << 10,
    NO_MORE = 50 /* items that can be pushed after it */
};

#define GAP_BYTES (UINT64_C(1) << 30) /* repair fills no more, see queue.md */

static const seenset_queue_options few = {
    .set = &(const seenset_options){.capacity_items = 500}};

static disk *make_disk(void)
{
    disk *on = disk_new();
    seenset_queue *queue;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &few), 0);
    assert_int_equal(model_push(queue, 0, ITEMS), ITEMS);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return on;
}

static uint64_t end_of(disk *on)
{
    size_t *size_bytes;
    (void)disk_file(on, "log-0000000000000000", &size_bytes);
    return *size_bytes;
}

static uint64_t bytes_of(disk *on)
{
    const char *name;
    uint64_t total = 0;
    for (int i = 0; (name = disk_name(on, "", i)) != NULL; i++) {
        size_t *size_bytes;
        (void)disk_file(on, name, &size_bytes);
        total += *size_bytes;
    }
    return total;
}

/* ---- what lies too far away ---- */

/* The queue's own set under another name. */
static void put_set(disk *on, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    size_t *size_bytes;
    const uint8_t *bytes = disk_file(on, disk_name(on, "set-", 0), &size_bytes);
    ss_directory_name(name, SS_FOLDER_SET, position);
    disk_put(on, name, 0, bytes, *size_bytes);
}

static uint32_t log_id_of(disk *on)
{
    size_t *size_bytes;
    return (uint32_t)ss_bits_load(
        disk_file(on, "log-0000000000000000", &size_bytes) + 8, 4);
}

/* A state that says so itself, and of many more items. */
static void put_state(disk *on, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint8_t bytes[200];
    ss_state state = {.position = position,
                      .next_item = position / 32,
                      .read_position = SS_SEGMENT_HEADER_BYTES};
    ss_directory_name(name, SS_FOLDER_STATE, position);
    ss_state_encode(&state, log_id_of(on), bytes);
    disk_put(on, name, 0, bytes, ss_state_bytes(0, 0));
}

static void put_both(disk *on, uint64_t position)
{
    put_set(on, position);
    put_state(on, position);
}

/* A segment with a sound header, and something behind it. */
static void put_log(disk *on, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint8_t bytes[SS_SEGMENT_HEADER_BYTES + 100] = {0};
    ss_directory_name(name, SS_FOLDER_LOG, position);
    ss_segment_encode(bytes, log_id_of(on), position);
    disk_put(on, name, 0, bytes, sizeof bytes);
}

static void put_rubbish(disk *on, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    static const char text[] = "something that somebody calls a log of theirs";
    ss_directory_name(name, SS_FOLDER_LOG, position);
    disk_put(on, name, 0, text, sizeof text);
}

/* ---- what becomes of it ---- */

static const uint64_t positions[] = {UINT64_C(1) << 31, UINT64_C(1) << 40,
                                     UINT64_C(1) << 62, INT64_MAX};

/* All its items are there, and it takes new ones. */
static void check_sound(disk *on)
{
    seenset_queue *queue;
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL), 0);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &few), 0);
    assert_int_equal(model_drain(queue, NULL), ITEMS);
    assert_int_equal(model_push(queue, 0, ITEMS + NO_MORE), NO_MORE);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL), 0);
}

static void refuse_to_open(disk *on)
{
    seenset_queue *queue = NULL;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &few),
                     SEENSET_EDAMAGED);
    assert_null(queue);
}

static void snapshots_that_are_far_ahead_go(void **state)
{
    static void (*const puts[])(disk *, uint64_t) = {put_set, put_state,
                                                     put_both};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(puts) * TEST_COUNT(positions); i++) {
        seenset_queue_report report;
        disk *on = make_disk();
        puts[i % TEST_COUNT(puts)](on, positions[i / TEST_COUNT(puts)]);
        refuse_to_open(on);
        long before = disk_operations(on);
        assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, &report), 0);
        assert_true(disk_operations(on) - before < MOST_OPERATIONS);
        assert_true(bytes_of(on) < MOST_BYTES);
        assert_int_equal(report.damaged_bytes, 0);
        assert_int_equal(report.lost_items, 0);
        assert_string_equal(report.reason,
                            "the log ends long before its position");
        check_sound(on);
        disk_free(on);
    }
}

static void log_files_that_are_far_ahead_stop_a_repair(void **state)
{
    static void (*const puts[])(disk *, uint64_t) = {put_log, put_rubbish};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(puts) * TEST_COUNT(positions); i++) {
        seenset_queue_report report;
        disk *on = make_disk();
        puts[i % TEST_COUNT(puts)](on, positions[i / TEST_COUNT(puts)]);
        refuse_to_open(on);
        uint64_t bytes = bytes_of(on);
        long before = disk_operations(on);
        assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_EDAMAGED);
        assert_true(disk_operations(on) - before < MOST_OPERATIONS);
        assert_int_equal(bytes_of(on), bytes);
        assert_string_equal(report.file, disk_name(on, "log-", 1));
        char path[SS_FOLDER_NAME_BYTES + sizeof DISK_FOLDER + 1] =
            DISK_FOLDER "/";
        strcat(path, report.file);
        assert_int_equal(disk_io(on)->unlink(on, path), 0);
        check_sound(on);
        disk_free(on);
    }
}

/* One byte more than can be missing; verify tells, and writes nothing. */
static void the_limit_is_exact(void **state)
{
    (void)state;
    for (uint64_t more = 0; more <= 1; more++) {
        seenset_queue_report report;
        disk *on = make_disk();
        uint64_t end = end_of(on);
        put_set(on, end + end + GAP_BYTES + more);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_EDAMAGED);
        assert_int_equal(report.damage_count, 1 - more);
        assert_int_equal(report.damaged_bytes, more == 1 ? 0 : end + GAP_BYTES);
        disk_free(on);

        on = make_disk();
        put_log(on, end + end + sizeof(uint8_t[SS_SEGMENT_HEADER_BYTES + 100]) +
                        GAP_BYTES + more);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_EDAMAGED);
        assert_int_equal(report.damage_count, 1 - more);
        disk_free(on);
    }
}

/* What a log that lost its end may have had is filled, as ever; the planted
 * fault: a repair that writes is seen to. */
static void snapshots_that_are_near_stay(void **state)
{
    (void)state;
    seenset_queue_report report;
    disk *on = make_disk();
    uint64_t bytes = bytes_of(on);
    put_set(on, end_of(on) + MOST_BYTES);
    refuse_to_open(on);
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, &report), 0);
    assert_int_equal(report.damaged_bytes, MOST_BYTES);
    assert_true(bytes_of(on) > bytes + MOST_BYTES);
    check_sound(on);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_that_are_far_ahead_go),
        cmocka_unit_test(log_files_that_are_far_ahead_stop_a_repair),
        cmocka_unit_test(the_limit_is_exact),
        cmocka_unit_test(snapshots_that_are_near_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
