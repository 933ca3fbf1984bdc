/*
 * queue_mutants.c - faults that `make mutants` planted in the queue and no
 * test noticed; as mutants.c.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "queue/leases.h"
#include "queue/manifest.h"
#include "support.h"

/* ---- a queue's manifest ---- */

enum {
    MANIFEST_CRC_AT = 84
};

typedef struct manifest_case {
    unsigned at, size_bytes;
    uint64_t value;
    int error; /* once the checksum is right again */
} manifest_case;

static int decode(const uint8_t *bytes, size_t size_bytes)
{
    static const ss_manifest rubbish = {.log_id = 77};
    ss_manifest out = rubbish;
    int error = ss_manifest_decode(&out, bytes, size_bytes);
    if (error != SEENSET_OK)
        assert_memory_equal(&out, &rubbish, sizeof out);
    return error;
}

static void make_manifest(uint8_t bytes[SS_MANIFEST_BYTES])
{
    ss_manifest manifest;
    seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = 1000}};
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    ss_manifest_encode(&manifest, bytes);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_OK);
}

static void manifests_say_what_is_wrong(void **state)
{
    static const manifest_case cases[] = {
        {0, 1, 'x', SEENSET_EFORMAT},
        {6, 1, 'x', SEENSET_EFORMAT},
        {7, 1, 2, SEENSET_EVERSION},
        {12, 4, 2, SEENSET_EHASH},
        {16, 4, 0, SEENSET_EDAMAGED},
        {16, 4, SEENSET_QUEUE_NORMALISE_OFF, SEENSET_OK},
        {16, 4, SEENSET_QUEUE_NORMALISE_URL, SEENSET_OK},
        {16, 4, SEENSET_QUEUE_NORMALISE_URL + 1, SEENSET_EDAMAGED},
        {28, 1, 1, SEENSET_EVERSION},
        {31, 1, 1, SEENSET_EVERSION},
        {60, 1, 1, SEENSET_EVERSION},
        {63, 1, 1, SEENSET_EVERSION},
        {72, 1, 1, SEENSET_EVERSION},
        {79, 1, 1, SEENSET_EVERSION},
        {80, 1, 1, SEENSET_EVERSION},
        {83, 1, 1, SEENSET_EVERSION},
        {64, 8, 4095, SEENSET_EDAMAGED},
        {64, 8, 4096, SEENSET_OK},
        {64, 8, UINT64_C(1) << 40, SEENSET_OK},
        {64, 8, (UINT64_C(1) << 40) + 1, SEENSET_EDAMAGED},
    };
    uint8_t bytes[SS_MANIFEST_BYTES + 1] = {0};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        const manifest_case *c = &cases[i];
        make_manifest(bytes);
        ss_bits_store(bytes + c->at, c->size_bytes, c->value);
        uint64_t crc = ss_crc32c(bytes, MANIFEST_CRC_AT);
        ss_bits_store(bytes + MANIFEST_CRC_AT, 4, crc);
        assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), c->error);
    }
}

/* A checksum that is wrong tells of damage, but not of another version's. */
static void manifests_of_other_lengths_are_damaged(void **state)
{
    uint8_t bytes[SS_MANIFEST_BYTES + 1] = {0};
    (void)state;
    make_manifest(bytes);
    assert_int_equal(decode(bytes, 0), SEENSET_EFORMAT);
    assert_int_equal(decode(bytes, 7), SEENSET_EFORMAT);
    assert_int_equal(decode(bytes, 8), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES - 1), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES + 1), SEENSET_EDAMAGED);
    bytes[MANIFEST_CRC_AT] ^= 1;
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    bytes[7]++;
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EVERSION);
    assert_int_equal(decode(bytes, 8), SEENSET_EVERSION);
}

static void manifests_that_are_bad_are_named(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_report report = {.offset = 99};
    seenset_queue_options options = {.report = &report};
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    size_t *size_bytes;
    disk_file(on, "MANIFEST", &size_bytes)[7]++;
    report.offset = 99;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_EVERSION);
    assert_string_equal(report.file, "MANIFEST");
    assert_true(report.offset == 0);
    assert_string_equal(report.reason, seenset_strerror(SEENSET_EVERSION));
    disk_free(on);
}

/* ---- the rest of a queue ---- */

/* An ack that ends where the failed part begins is part of what lies before. */
static void acks_before_a_failed_write_stand(void **state)
{
    ss_memory memory;
    ss_leases leases = {0};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    for (uint64_t item = 1; item <= 3; item++) {
        ss_leased_item *entry = ss_leases_add(&leases, &memory, item, item);
        assert_non_null(entry);
        entry->ack_end = 99 + item;
        ss_leases_set(&leases, entry, SS_LEASE_ACKING, 0);
    }
    ss_leases_cancel_acks(&leases, 101);
    for (uint64_t item = 1; item <= 3; item++)
        assert_int_equal(ss_leases_by_item(&leases, item)->state,
                         item < 3 ? SS_LEASE_ACKING : SS_LEASE_HELD);
    ss_leases_free(&leases, &memory);
}

/* In how many images of the disk is the queue, or its only URL, gone? */
static int count_losses(disk *on)
{
    int losses = 0;
    for (uint64_t i = 0; i < 200; i++) {
        seenset_queue *queue;
        seenset_queue_options options = {0};
        disk *image = disk_image(on, i);
        int error =
            ss_queue_open(disk_io(image), &queue, DISK_FOLDER, &options);
        if (error == SEENSET_OK) {
            losses += seenset_queue_push(queue, "a", 1, NULL, 0) != 0;
            assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        } else {
            losses++;
        }
        disk_free(image);
    }
    return losses;
}

/* What a killed process wrote is read by the next one, though no sync covered
 * it: before anything rests on it, it is synced. The lie plants the loss. */
static void opening_makes_durable_what_it_found(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_options options = {0};
    seenset_queue *queue = model_open(on, options);
    disk_faults_of(on)->log_lies = true;
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_faults_of(on)->log_lies = false;
    assert_true(count_losses(on) > 0);
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(count_losses(on), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* A segment that a crash left without a header is removed for good before the
 * one it would have followed grows past its name. */
static void unborn_segments_are_gone_for_good(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_options options = {0};
    seenset_queue *queue = model_open(on, options);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);

    size_t *size_bytes;
    char name[SS_FOLDER_NAME_BYTES], path[TEST_PATH_BYTES];
    assert_non_null(disk_file(on, disk_name(on, "log-", 0), &size_bytes));
    ss_directory_name(name, SS_FOLDER_LOG, *size_bytes);
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, name);
    int fd = ss_io_open(disk_io(on), path, O_RDWR | O_CREAT, 0666);
    assert_true(fd >= 0);
    ss_io_close_quietly(disk_io(on), fd);
    assert_true(ss_io_sync_folder(disk_io(on), DISK_FOLDER));

    queue = model_open(on, options);
    assert_null(disk_name(on, name, 0));
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0), 1);
    assert_int_equal(count_losses(on), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* Repair takes away what is bad, and the rest goes on. */
static void repairing_a_set_keeps_the_state(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_options options = {0};
    seenset_queue_stats stats;
    seenset_queue *queue = model_open(on, options);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), i == 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_non_null(disk_name(on, "set-", 0));
    for (int i = 0; disk_name(on, "set-", i) != NULL; i++) {
        size_t *size_bytes;
        disk_file(on, disk_name(on, "set-", i), &size_bytes)[0] ^= 1;
    }
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL),
                     SEENSET_OK);
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_true(stats.dropped_items == 2);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

static int fail_to_sync(void *context, int fd)
{
    (void)context, (void)fd;
    errno = EIO;
    return -1;
}

/* A file that was not synced is no checkpoint, and it is told. */
static void checkpoints_that_fail_are_told(void **state)
{
    (void)state;
    disk *on = disk_new();
    ss_io io = *disk_io(on);
    seenset_queue *queue = NULL;
    seenset_queue_item item = {0};
    seenset_queue_options options = {0};
    assert_int_equal(ss_queue_open(&io, &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    io.sync = fail_to_sync;
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_EIO);
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0),
                     SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_close(queue), SEENSET_EPOISONED);
    seenset_queue_item_free(&item);
    io = *disk_io(on);
    io.datasync = fail_to_sync;
    assert_int_equal(ss_queue_open(&io, &queue, DISK_FOLDER, &options),
                     SEENSET_EIO);
    disk_free(on);
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

static void verifying_nothing_is_an_error(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_report report;
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_EIO);
    disk_free(on);
}

/* ---- the thread that syncs ---- */

/* Under `interval` nobody has to ask. Half a minute is for slow machines; a
 * queue that syncs is done in a moment. */
static void intervals_end_without_a_call(void **state)
{
    test_folder folder;
    seenset_queue *queue = NULL;
    seenset_queue_stats stats;
    seenset_queue_options options = {.durability =
                                         SEENSET_QUEUE_DURABILITY_INTERVAL,
                                     .interval_seconds = 0.001};
    const struct timespec moment = {.tv_nsec = 1000000};
    (void)state;
    test_folder_make(&folder);
    assert_int_equal(seenset_queue_open(&queue, folder.path, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    for (int i = 0; i < 30000; i++) {
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         SEENSET_OK);
        if (stats.unsynced_bytes == 0)
            break;
        nanosleep(&moment, NULL);
    }
    assert_true(stats.unsynced_bytes == 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&folder);
}

/* ---- names, counts and errors ---- */

/* A lease's lowest byte counts deliveries, however many there were. */
static void leases_name_the_item_after_256_deliveries(void **state)
{
    ss_memory memory;
    ss_leases leases = {0};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    ss_leased_item *entry = ss_leases_add(&leases, &memory, 5, 0);
    assert_non_null(entry);
    ss_leases_set(&leases, entry, SS_LEASE_HELD, 0);
    for (entry->deliveries = 250; entry->deliveries < 600;
         entry->deliveries++) {
        assert_int_equal(ss_leases_id(entry), 5 << 8 | entry->deliveries % 256);
        assert_ptr_equal(ss_leases_find(&leases, ss_leases_id(entry)), entry);
    }
    ss_leases_free(&leases, &memory);
}

/* An item that is handed out again is read again, and may not be readable. */
static void reading_again_may_fail_once(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_options options = {0};
    seenset_queue_item item = {0};
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_nack(queue, item.lease, 0), SEENSET_OK);
    disk_faults_of(on)->fail_at = disk_operations(on) + 1;
    disk_faults_of(on)->error = EIO;
    assert_int_equal(seenset_queue_pop(queue, &item), SEENSET_EIO);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_string_equal(item.url, "a");
    assert_int_equal(item.deliveries, 2);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* Of the errors of many groups of pushes the one that loses URLs is told. */
static void pushes_of_many_groups_tell_what_was_refused(void **state)
{
    static seenset_queue_entry pushes[SS_CHUNK_PUSHES + 1];
    (void)state;
    for (size_t first = 0; first < 2; first++) {
        disk *on = disk_new();
        seenset_queue *queue = NULL;
        seenset_queue_options options = {
            .normalise = SEENSET_QUEUE_NORMALISE_URL,
            .set = &(const seenset_options){.on_full = SEENSET_ON_FULL_REFUSE,
                                            .capacity_items = 1}};
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options), 0);
        for (size_t i = 0; i <= SS_CHUNK_PUSHES; i++)
            pushes[i] = (seenset_queue_entry){"http://a/", 9, NULL, 0};
        size_t refused = first == 0 ? 1 : SS_CHUNK_PUSHES;
        size_t no_url = first == 0 ? SS_CHUNK_PUSHES : 1;
        pushes[refused].url = "http://b/";
        pushes[no_url].url = "no URL at";
        assert_int_equal(
            seenset_queue_push_many(queue, pushes, SS_CHUNK_PUSHES + 1, NULL),
            SEENSET_EFULL);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifests_say_what_is_wrong),
        cmocka_unit_test(manifests_of_other_lengths_are_damaged),
        cmocka_unit_test(manifests_that_are_bad_are_named),
        cmocka_unit_test(acks_before_a_failed_write_stand),
        cmocka_unit_test(opening_makes_durable_what_it_found),
        cmocka_unit_test(unborn_segments_are_gone_for_good),
        cmocka_unit_test(repairing_a_set_keeps_the_state),
        cmocka_unit_test(checkpoints_that_fail_are_told),
        cmocka_unit_test(repairs_that_fail_are_told),
        cmocka_unit_test(verifying_nothing_is_an_error),
        cmocka_unit_test(leases_name_the_item_after_256_deliveries),
        cmocka_unit_test(intervals_end_without_a_call),
        cmocka_unit_test(reading_again_may_fail_once),
        cmocka_unit_test(pushes_of_many_groups_tell_what_was_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
