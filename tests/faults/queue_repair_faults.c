/*
 * queue_repair_faults.c - a damaged queue whose disk fails while it is looked
 * at or repaired, at every operation once and for good. A verify never changes
 * anything; a repair that failed can be done again, and loses no item more
 * than one that did not. Besides, damage that is longer than a record can be,
 * and looking without memory.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "libc_faults.h"
#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    ITEMS = 400,
    SEGMENT_BYTES = 4096,
    FEW = 3,
    HOLE_MOST = SS_RECORD_HEADER_BYTES + SS_PAYLOAD_MAX
};

static const char first_log[] = "log-0000000000000000";

/* Several segments and a snapshot; two places damaged, one file cut. */
static disk *damaged_queue(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(
        on, (seenset_queue_options){.durability = SEENSET_QUEUE_DURABILITY_EACH,
                                    .segment_bytes = SEGMENT_BYTES});
    size_t *size_bytes;
    for (int i = 0; i < ITEMS; i++) {
        char url[32];
        model_url(i, url);
        assert_int_equal(seenset_queue_push(queue, url, strlen(url), NULL, 0),
                         1);
        if (i == ITEMS / 2)
            assert_int_equal(seenset_queue_checkpoint(queue), 0);
    }
    disk *killed = disk_copy(on);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
    for (int i = 1; i <= 2; i++)
        disk_file(killed, disk_name(killed, "log-", i), &size_bytes)[1000] ^= 1;
    disk_file(killed, disk_name(killed, "log-", 3), &size_bytes);
    *size_bytes -= 100;
    return killed;
}

static void push_few(seenset_queue *queue)
{
    for (int i = 0; i < FEW; i++)
        assert_int_equal(seenset_queue_push(queue, &"abc"[i], 1, NULL, 0), 1);
}

/* A few items in one segment, and a clean end. */
static disk *closed_queue(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    push_few(queue);
    assert_int_equal(seenset_queue_close(queue), 0);
    return on;
}

/* How many items come out; or the error of opening. */
static int count_items(disk *on)
{
    seenset_queue *queue;
    seenset_queue_item item = {0};
    int count = 0;
    int error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL);
    if (error != SEENSET_OK)
        return error;
    while (seenset_queue_pop(queue, &item) == 1)
        count++;
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), 0);
    return count;
}

static bool is_same(disk *a, disk *b)
{
    const char *name;
    for (int i = 0; (name = disk_name(a, "", i)) != NULL; i++) {
        size_t *a_bytes, *b_bytes = NULL;
        const uint8_t *ours = disk_file(a, name, &a_bytes);
        const uint8_t *others = disk_file(b, name, &b_bytes);
        if (b_bytes == NULL || *a_bytes != *b_bytes ||
            (*a_bytes > 0 && memcmp(ours, others, *a_bytes) != 0))
            return false;
    }
    return true;
}

/* A copy on which operation `at` fails, and perhaps all that follow. */
static disk *failing_copy(disk *damaged, long at, bool is_lasting)
{
    disk *on = disk_copy(damaged);
    *disk_faults_of(on) = (disk_faults){.fail_at = disk_operations(on) + at,
                                        .error = EIO,
                                        .is_lasting = is_lasting};
    return on;
}

static void mend(disk *on)
{
    seenset_queue_report report;
    *disk_faults_of(on) = (disk_faults){.fail_at = 0};
    (void)ss_queue_repair(disk_io(on), DISK_FOLDER, &report);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report), 0);
}

static void verify_changes_nothing_when_it_fails(void **state)
{
    (void)state;
    disk *damaged = damaged_queue();
    for (int is_lasting = 0; is_lasting <= 1; is_lasting++) {
        int failed = 0;
        bool is_hit = true;
        for (long at = 1; is_hit; at++) {
            disk *on = failing_copy(damaged, at, is_lasting);
            seenset_queue_report report;
            int error = ss_queue_verify(disk_io(on), DISK_FOLDER, &report);
            assert_int_equal(error, disk_has_failed(on) ? SEENSET_EIO
                                                        : SEENSET_EDAMAGED);
            failed += disk_has_failed(on);
            is_hit = disk_operations(on) >= disk_faults_of(on)->fail_at;
            assert_true(is_same(damaged, on));
            disk_free(on);
        }
        assert_true(failed > 20);
    }
    disk_free(damaged);
}

/* Mends copies whose disk fails. How often it could not be done at once. */
static int mend_again(disk *damaged, int items)
{
    int failed = 0;
    for (int is_lasting = 0; is_lasting <= 1; is_lasting++) {
        int error = SEENSET_EIO;
        for (long at = 1; error != SEENSET_OK && at < 10000; at++) {
            disk *on = failing_copy(damaged, at, is_lasting);
            seenset_queue_report report;
            error = ss_queue_repair(disk_io(on), DISK_FOLDER, &report);
            failed += error != SEENSET_OK;
            mend(on);
            assert_int_equal(count_items(on), items);
            disk_free(on);
        }
        assert_int_equal(error, SEENSET_OK);
    }
    return failed;
}

static void repair_can_be_done_again(void **state)
{
    (void)state;
    disk *damaged = damaged_queue();
    disk *repaired = disk_copy(damaged);
    assert_int_equal(count_items(repaired), SEENSET_EDAMAGED);
    mend(repaired);
    int items = count_items(repaired);
    assert_true(items > ITEMS - 20 && items < ITEMS);
    assert_true(mend_again(damaged, items) > 40);
    disk_free(repaired);
    disk_free(damaged);
}

static void repair_of_a_header_can_be_done_again(void **state)
{
    (void)state;
    size_t *size_bytes;
    disk *damaged = closed_queue();
    disk_file(damaged, first_log, &size_bytes)[0] ^= 1;
    assert_true(mend_again(damaged, FEW) > 20);
    disk_free(damaged);
}

static void repair_of_a_set_can_be_done_again(void **state)
{
    (void)state;
    size_t *size_bytes;
    seenset_queue *queue;
    disk *damaged = closed_queue();
    assert_int_equal(ss_queue_open(disk_io(damaged), &queue, DISK_FOLDER, NULL),
                     0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_file(damaged, disk_name(damaged, "set-", 0), &size_bytes)[200] ^= 1;
    assert_true(mend_again(damaged, FEW) > 20);
    disk_free(damaged);
}

/* Planted: a file that was changed is seen to be. */
static void a_changed_file_is_caught(void **state)
{
    (void)state;
    disk *damaged = damaged_queue();
    disk *other = disk_copy(damaged);
    size_t *size_bytes;
    assert_true(is_same(damaged, other));
    disk_file(other, "MANIFEST", &size_bytes)[3] ^= 1;
    assert_false(is_same(damaged, other));
    disk_free(other);
    disk_free(damaged);
}

/* ---- long damage ---- */

/* Behind three items so many zeros, in which two more were lost; then one, and
 * a MARK that says that all of it was safe. */
static disk *holed_queue(size_t hole_bytes)
{
    size_t *size_bytes;
    uint8_t push[SS_RECORD_HEADER_BYTES + SS_PUSH_PREFIX_BYTES + 1] = {0};
    uint8_t mark[SS_DURABLE_RECORD_BYTES];
    disk *on = closed_queue();
    const uint8_t *log = disk_file(on, first_log, &size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(log + 8, 4);
    size_t at = *size_bytes + hole_bytes;
    push[SS_RECORD_HEADER_BYTES] = 1; /* the URL's length */
    push[sizeof push - 1] = 'f';
    ss_record_seal(push, log_id, SS_RECORD_PUSH, 5,
                   sizeof push - SS_RECORD_HEADER_BYTES);
    ss_bits_store(mark + SS_RECORD_HEADER_BYTES, 8, at);
    ss_record_seal(mark, log_id, SS_RECORD_DURABLE, 6,
                   sizeof mark - SS_RECORD_HEADER_BYTES);
    disk_put(on, first_log, at, push, sizeof push);
    disk_put(on, first_log, at + sizeof push, mark, sizeof mark);
    return on;
}

static int count_holes(disk *on)
{
    size_t *size_bytes, at = SS_SEGMENT_HEADER_BYTES;
    const uint8_t *log = disk_file(on, first_log, &size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(log + 8, 4);
    ss_record record;
    int count = 0;
    while (ss_record_decode(log + at, *size_bytes - at, log_id, &record) ==
           SS_DECODED_RECORD) {
        count += record.type == SS_RECORD_FILLER;
        at += ss_record_bytes(&record);
    }
    return count;
}

/* A HOLE can be no longer than a record, and leaves no less than one. There
 * are no more of them than that takes. */
static void damage_may_be_longer_than_a_record(void **state)
{
    static const size_t lengths[] = {
        SS_RECORD_HEADER_BYTES,
        HOLE_MOST - 1,
        HOLE_MOST,
        HOLE_MOST + 1,
        HOLE_MOST + SS_RECORD_HEADER_BYTES - 1,
        HOLE_MOST + SS_RECORD_HEADER_BYTES,
        2 * HOLE_MOST + 1,
    };
    static const int holes[] = {1, 1, 1, 2, 2, 2, 3};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(lengths); i++) {
        seenset_queue_report report;
        disk *on = holed_queue(lengths[i]);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_EDAMAGED);
        assert_int_equal(report.damaged_bytes, lengths[i]);
        assert_int_equal(report.lost_items, 2);
        assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_OK);
        assert_int_equal(report.item_count, 4);
        assert_int_equal(count_holes(on), holes[i]);
        assert_int_equal(count_items(on), 4);
        disk_free(on);
    }
}

/* ---- verifying without memory ---- */

enum {
    BAD_STATE = 1,
    BAD_SET = 2,
    SHORT_LOG = 4, /* cut where a record ends */
    EMPTY_LOG = 8
};

/* Where the last record of a segment's file starts. */
static size_t last_record_of(const uint8_t *bytes, size_t size_bytes)
{
    size_t at = SS_SEGMENT_HEADER_BYTES, last = at;
    uint32_t log_id = (uint32_t)ss_bits_load(bytes + 8, 4);
    ss_record record;
    while (ss_record_decode(bytes + at, size_bytes - at, log_id, &record) ==
           SS_DECODED_RECORD) {
        last = at;
        at += ss_record_bytes(&record);
    }
    return last;
}

static int spoil(void *context, const char *name)
{
    const int *what = ((void **)context)[0];
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    bool is_log = strncmp(name, SS_FOLDER_LOG, 4) == 0;
    if (!((*what & BAD_STATE) != 0 && strncmp(name, "state-", 6) == 0) &&
        !((*what & BAD_SET) != 0 && strncmp(name, "set-", 4) == 0) &&
        !((*what & (SHORT_LOG | EMPTY_LOG)) != 0 && is_log))
        return 0;
    test_path(path, ((void **)context)[1], name);
    uint8_t *bytes = test_read_file(path, &size_bytes);
    if (is_log)
        size_bytes =
            (*what & EMPTY_LOG) != 0 ? 0 : last_record_of(bytes, size_bytes);
    else
        bytes[size_bytes - 1] ^= 1;
    test_write_file(path, bytes, size_bytes);
    free(bytes);
    return 0;
}

static void make_spoiled(const test_folder *folder, int what)
{
    seenset_queue *queue = NULL;
    void *context[] = {&what, (void *)(uintptr_t)folder};
    const seenset_queue_options options = {
        .set = &(const seenset_options){.fp_rate = 0.01}};
    assert_int_equal(seenset_queue_open(&queue, folder->path, &options), 0);
    push_few(queue);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(ss_io_system.list(NULL, folder->path, spoil, context), 0);
}

/* The library's own memory: verify is given no allocator. */
static void verify_may_lack_memory(void **state)
{
    static const int spoils[] = {0, BAD_STATE, BAD_SET, SHORT_LOG, EMPTY_LOG};
    (void)state;
    for (size_t i = 0; libc_faults_can() && i < 2 * TEST_COUNT(spoils); i++) {
        test_folder folder;
        int what = spoils[i / 2], failures = 0;
        test_folder_make(&folder);
        make_spoiled(&folder, what);
        for (size_t at = 1;; at++) {
            libc_faults_arm(at, i % 2 == 1);
            int error = seenset_queue_verify(folder.path, NULL);
            if (libc_faults_disarm() == 0) {
                assert_int_equal(error, what == 0 ? 0 : SEENSET_EDAMAGED);
                break;
            }
            assert_int_equal(error, SEENSET_ENOMEM);
            failures++;
        }
        assert_true(failures > 3);
        test_folder_remove(&folder);
    }
}

static int fail_to_sync_a_file(void *context, int fd)
{
    struct stat status;
    const ss_io *real = context;
    if (real->status(real->context, fd, &status) == 0 &&
        S_ISDIR(status.st_mode))
        return 0;
    errno = EIO;
    return -1;
}

/* What could not be made durable is not mended. Of all files only the state is
 * taken away, which would not fit the mended log. */
static void repairs_that_fail_are_told(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    seenset_queue *queue = NULL;
    size_t size_bytes;
    ss_io io = ss_io_system;
    (void)state;
    test_folder_make(&folder);
    assert_int_equal(seenset_queue_open(&queue, folder.path, NULL), SEENSET_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seenset_queue_push(queue, &"abc"[i], 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_path(path, &folder, "log-0000000000000000");
    uint8_t *bytes = test_read_file(path, &size_bytes);
    bytes[SS_SEGMENT_HEADER_BYTES] ^= 1;
    test_write_file(path, bytes, size_bytes);
    int files = test_folder_count(&folder);

    io.sync = fail_to_sync_a_file;
    io.context = (void *)(uintptr_t)&ss_io_system;
    assert_int_equal(ss_queue_repair(&io, folder.path, NULL), SEENSET_EIO);
    assert_int_equal(test_folder_count(&folder), files + 1); /* REPAIR */
    assert_int_equal(seenset_queue_repair(folder.path, NULL), SEENSET_OK);
    assert_int_equal(test_folder_count(&folder), files + 1); /* a set */
    assert_int_equal(seenset_queue_verify(folder.path, NULL), SEENSET_OK);
    free(bytes);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_changes_nothing_when_it_fails),
        cmocka_unit_test(repair_can_be_done_again),
        cmocka_unit_test(repair_of_a_header_can_be_done_again),
        cmocka_unit_test(repair_of_a_set_can_be_done_again),
        cmocka_unit_test(a_changed_file_is_caught),
        cmocka_unit_test(damage_may_be_longer_than_a_record),
        cmocka_unit_test(verify_may_lack_memory),
        cmocka_unit_test(repairs_that_fail_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
