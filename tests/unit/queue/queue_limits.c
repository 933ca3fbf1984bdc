/*
 * queue_limits.c - where the queue's numbers end: blocks, empty files,
 * defaults, and logs that say something else than they did.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "queue_outage.h"
#include "queue_records.h"
#include "support.h"

static const char first_log[] = "log-0000000000000000";

static seenset_queue *open_on(disk *on)
{
    return model_open(on, (seenset_queue_options){
                              .set = &(const seenset_options){
                                  .capacity_items = 1000, .fp_rate = 0.01}});
}

static void close_and_free(seenset_queue *queue, disk *on)
{
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

static void push(seenset_queue *queue, const char *url)
{
    assert_int_equal(seenset_queue_push(queue, url, strlen(url), NULL, 0), 1);
}

/* ---- blocks ---- */

/* Where nobody waits, what was pushed is written once the block is full. */
static void blocks_are_written_when_they_are_full(void **state)
{
    static const uint8_t data[SS_BLOCK_BYTES];
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = 1000},
        .durability = SEENSET_QUEUE_DURABILITY_NONE};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, data, sizeof data - 100),
                     1);
    push(queue, "b");
    assert_true(queue->log.tail - queue->log.written > sizeof data - 100);
    push(queue, "c");
    push(queue, "d");
    push(queue, "e");
    assert_true(queue->log.tail - queue->log.written < 100);
    close_and_free(queue, on);
}

/* ---- snapshots ---- */

static void snapshots_come_after_256_mib_or_two_sets(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    assert_int_equal(queue->snapshots.set_interval_bytes, UINT64_C(256) << 20);
    close_and_free(queue, on);
}

/* Pushes until the log is so many bytes longer than at the last snapshot. */
static void push_until(seenset_queue *queue, uint64_t length_bytes)
{
    enum {
        MOST_BYTES = 1000000
    };
    static const uint8_t data[MOST_BYTES];
    uint64_t begin = queue->snapshots.sets.at[0].position, spare = 0,
             left_bytes;
    while ((left_bytes = begin + length_bytes - queue->log.tail) > 0) {
        uint64_t tail = queue->log.tail, bytes = 0;
        if (spare > 0) /* what each takes but for its data is known */
            bytes =
                left_bytes < MOST_BYTES ? left_bytes - spare : MOST_BYTES / 2;
        char url[16];
        snprintf(url, sizeof url, "%07d", (int)queue->log.next_item);
        assert_int_equal(seenset_queue_push(queue, url, 7, data, bytes), 1);
        spare = queue->log.tail - tail - bytes;
    }
    assert_int_equal(queue->log.tail - begin, length_bytes);
}

/* Closing writes the set if over 8 MiB came since its last snapshot. */
static void closing_writes_the_set_if_it_is_stale(void **state)
{
    const uint64_t limit_bytes = 8 << 20;
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(disk_count(on, SS_FOLDER_SET), 1);
    push_until(queue, limit_bytes);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(disk_count(on, SS_FOLDER_SET), 1);
    queue = open_on(on);
    push_until(queue, limit_bytes + 1000);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(disk_count(on, SS_FOLDER_SET), 2);
    disk_free(on);
}

/* Two snapshots stay of each kind, and the log that they need, though some
 * were written again at the same place. */
static void checkpoints_keep_two_of_each(void **state)
{
    char url[16];
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    for (int i = 0; i < 10; i++) {
        snprintf(url, sizeof url, "%07d", i);
        push(queue, url);
        for (int again = 0; again < 1 + i % 3; again++)
            assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
        int kept = i == 0 ? 1 : 2;
        assert_int_equal(disk_count(on, SS_FOLDER_SET), kept);
        assert_int_equal(disk_count(on, SS_FOLDER_STATE), kept);
        assert_true(queue->snapshots.sets.at[0].position == queue->log.tail &&
                    queue->snapshots.states.at[0].position == queue->log.tail);
    }
    close_and_free(queue, on);
}

/* Appends the push of one letter to the first log, with nothing before it. */
static void forge_push(disk *on, uint64_t item, char letter)
{
    size_t *size_bytes;
    uint8_t record[SS_RECORD_HEADER_BYTES + SS_PUSH_PREFIX_BYTES + 1] = {0};
    const uint8_t *log = disk_file(on, first_log, &size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(log + 8, 4);
    record[SS_RECORD_HEADER_BYTES] = 1; /* the URL's length */
    record[sizeof record - 1] = (uint8_t)letter;
    ss_record_seal(record, log_id, SS_RECORD_PUSH, item,
                   sizeof record - SS_RECORD_HEADER_BYTES);
    disk_put(on, first_log, *size_bytes, record, sizeof record);
}

/* The set knows all pushes before its position, and not the one that begins
 * there. */
static void what_begins_at_a_snapshot_is_read(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    push(queue, "a");
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    uint64_t position = queue->snapshots.sets.at[0].position;
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    size_t *size_bytes;
    (void)disk_file(on, first_log, &size_bytes);
    assert_int_equal(*size_bytes, position);
    forge_push(on, 1, 'b');
    queue = open_on(on);
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0), 0);
    assert_int_equal(model_drain(queue, NULL), 2);
    close_and_free(queue, on);
}

/* Puts the oldest snapshot back, which a crash may have kept from going. */
static void put_back(disk *on, disk *before, const char *prefix)
{
    size_t *size_bytes;
    const char *name = disk_name(before, prefix, 0),
               *other = disk_name(before, prefix, 1);
    name = strcmp(name, other) < 0 ? name : other;
    const uint8_t *bytes = disk_file(before, name, &size_bytes);
    disk_put(on, name, 0, bytes, *size_bytes);
    assert_int_equal(disk_count(on, prefix), 3);
}

static void of_three_snapshots_two_are_kept(void **state)
{
    (void)state;
    disk *on = model_past(), *before = disk_copy(on);
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    push(queue, "a");
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    put_back(on, before, SS_FOLDER_SET);
    put_back(on, before, SS_FOLDER_STATE);
    queue = model_open(on, (seenset_queue_options){0});
    assert_true(queue->snapshots.sets.count == 2 &&
                queue->snapshots.states.count == 2);
    assert_true(queue->snapshots.sets.at[0].position >
                    queue->snapshots.sets.at[1].position &&
                queue->snapshots.states.at[0].position >
                    queue->snapshots.states.at[1].position);
    close_and_free(queue, on);
    disk_free(before);
}

static void only_intervals_take_a_thread(void **state)
{
    (void)state;
    for (int way = SEENSET_QUEUE_DURABILITY_DEFAULT;
         way <= SEENSET_QUEUE_DURABILITY_NONE; way++) {
        seenset_queue *queue = NULL;
        const seenset_queue_options options = {
            .durability = (seenset_queue_durability)way};
        disk *on = disk_new();
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
            SEENSET_OK);
        assert_true(queue->flusher.is_started ==
                    (way == SEENSET_QUEUE_DURABILITY_INTERVAL));
        close_and_free(queue, on);
    }
}

static void empty_files_are_damage_and_no_lack_of_memory(void **state)
{
    size_t *size_bytes;
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    push(queue, "a");
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_non_null(
        disk_file(on, disk_name(on, SS_FOLDER_STATE, 0), &size_bytes));
    *size_bytes = 0;
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                     SEENSET_EDAMAGED);
    queue = open_on(on);
    close_and_free(queue, on);
}

/* ---- logs that change ---- */

/* Where the n-th record of this type is, from 0. */
static size_t find_record(disk *on, ss_record_type type, int n,
                          ss_record *record)
{
    size_t *size_bytes;
    const uint8_t *log = disk_file(on, first_log, &size_bytes);
    records of = records_begin(log, *size_bytes);
    assert_true(records_find(&of, type, n));
    *record = of.record;
    return of.at;
}

/* An item that is handed out again is still the one it was. */
static void items_that_are_others_now_are_damage(void **state)
{
    (void)state;
    size_t *size_bytes;
    seenset_queue_item item = {0};
    ss_record record;
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    push(queue, "a");
    push(queue, "b");
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_nack(queue, item.lease, NULL), SEENSET_OK);
    uint8_t *log = disk_file(on, first_log, &size_bytes);
    size_t a = find_record(on, SS_RECORD_PUSH, 0, &record);
    size_t b = find_record(on, SS_RECORD_PUSH, 1, &record);
    memcpy(log + a, log + b, ss_record_bytes(&record));
    assert_int_equal(seenset_queue_pop(queue, &item), SEENSET_EDAMAGED);
    ss_record_seal(log + a, (uint32_t)ss_bits_load(log + 8, 4),
                   SS_RECORD_FILLER, 0, record.payload_bytes);
    assert_int_equal(seenset_queue_pop(queue, &item), SEENSET_EDAMAGED);
    seenset_queue_item_free(&item);
    close_and_free(queue, on);
}

/* Gives a record another item's number. */
static void renumber(disk *on, ss_record_type type, uint64_t item)
{
    size_t *size_bytes;
    ss_record record;
    size_t at = find_record(on, type, 0, &record);
    uint8_t *log = disk_file(on, first_log, &size_bytes);
    ss_record_seal(log + at, (uint32_t)ss_bits_load(log + 8, 4), type, item,
                   record.payload_bytes);
}

/* A log without a snapshot begins with item 0, whatever it says. */
static void logs_begin_with_item_0(void **state)
{
    (void)state;
    for (uint64_t first = 0; first <= 1; first++) {
        disk *on = disk_new();
        seenset_queue *queue = open_on(on), *again = NULL;
        push(queue, "a");
        disk *killed = disk_copy(on);
        renumber(killed, SS_RECORD_DURABLE, first);
        renumber(killed, SS_RECORD_PUSH, first);
        assert_int_equal(
            ss_queue_open(disk_io(killed), &again, DISK_FOLDER, NULL),
            first == 0 ? SEENSET_OK : SEENSET_EDAMAGED);
        assert_int_equal(seenset_queue_close(again), SEENSET_OK);
        disk_free(killed);
        close_and_free(queue, on);
    }
}

/* ---- a segment that is gone ---- */

static const char *judge_image(void *context, disk *image)
{
    seenset_queue *queue = NULL;
    (void)context;
    int error = ss_queue_open(disk_io(image), &queue, DISK_FOLDER, NULL);
    bool is_lost =
        error != SEENSET_OK || seenset_queue_push(queue, "b", 1, NULL, 0) != 0;
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return is_lost ? "the URL was lost" : NULL;
}

/* It is gone for good before a snapshot speaks of what lies past its name.
 * The lie plants that it is not. */
static void unborn_segments_are_gone_before_a_snapshot(void **state)
{
    (void)state;
    size_t *size_bytes;
    char name[SS_FOLDER_NAME_BYTES];
    outage of = {.judge = judge_image, .images_a_change = 40};
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    push(queue, "a");
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_non_null(disk_file(on, first_log, &size_bytes));
    ss_folder_name(name, SS_FOLDER_LOG, *size_bytes);
    disk_put(on, name, 0, "SEENLOG", 7);
    assert_true(ss_io_sync_folder(disk_io(on), DISK_FOLDER));
    queue = open_on(on);
    push(queue, "b");
    outage_begin(&of, on);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    outage_end(on);
    assert_true(of.images > 200);
    assert_int_equal(of.broken, 0);
    disk_put(on, name, 0, "SEENLOG", 7);
    outage_cut(&of, on);
    assert_true(of.broken > 0);
    close_and_free(queue, on);
}

/* ---- after a sync that failed ---- */

/* Whoever calls, and whatever: nothing is answered but that. */
static void a_poisoned_queue_says_nothing_else(void **state)
{
    (void)state;
    const seenset_queue_entry pushed = {.url = "c", .url_len = 1};
    disk *on = disk_new();
    seenset_queue *queue = open_on(on);
    seenset_queue_item item = {0};
    push(queue, "a");
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    /* the operation after the write of a push is its sync */
    *disk_faults_of(on) =
        (disk_faults){.fail_at = disk_operations(on) + 2, .error = EIO};
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0), SEENSET_EIO);
    assert_true(disk_sync_failed(on));
    for (int i = 0; i < 2; i++) {
        const int answers[] = {
            seenset_queue_push(queue, "a", 1, NULL, 0),
            seenset_queue_push(queue, "c", 1, NULL, 0),
            seenset_queue_push_many(queue, &pushed, 1, NULL, NULL),
            seenset_queue_pop(queue, &item),
            seenset_queue_ack(queue, item.lease),
            seenset_queue_sync(queue),
            seenset_queue_checkpoint(queue)};
        for (size_t k = 0; k < TEST_COUNT(answers); k++)
            assert_int_equal(answers[k], SEENSET_EPOISONED);
    }
    assert_int_equal(seenset_queue_close(queue), SEENSET_EPOISONED);
    assert_int_equal(disk_open_files(on), 0);
    seenset_queue_item_free(&item);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_written_when_they_are_full),
        cmocka_unit_test(snapshots_come_after_256_mib_or_two_sets),
        cmocka_unit_test(closing_writes_the_set_if_it_is_stale),
        cmocka_unit_test(checkpoints_keep_two_of_each),
        cmocka_unit_test(what_begins_at_a_snapshot_is_read),
        cmocka_unit_test(of_three_snapshots_two_are_kept),
        cmocka_unit_test(only_intervals_take_a_thread),
        cmocka_unit_test(empty_files_are_damage_and_no_lack_of_memory),
        cmocka_unit_test(items_that_are_others_now_are_damage),
        cmocka_unit_test(logs_begin_with_item_0),
        cmocka_unit_test(unborn_segments_are_gone_before_a_snapshot),
        cmocka_unit_test(a_poisoned_queue_says_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
