/*
 * queue_log.c - a log cut at every length, and with each byte damaged.
 *
 * A cut end is a crash: the queue opens with what is left. A byte damaged in
 * what had been safe is refused with the place of the record, and repair
 * loses that record's item and no other.
 */
#define _POSIX_C_SOURCE 200809L
#include "queue_disk.h"
#include "queue_model.h"
#include "queue_records.h"

enum {
    ITEMS = 12,
    RECORDS_AT = SS_SEGMENT_HEADER_BYTES
};

static const char first_log[] = "log-0000000000000000";

/* A queue of ITEMS items in durability each, killed; nothing is acked. */
static disk *killed_queue(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, ITEMS), ITEMS);
    return model_kill(on, queue);
}

/* Opens, counts what is handed out, and checks that it is in order. */
static int count_items(disk *on, int *torn_bytes)
{
    seenset_queue *queue;
    seenset_queue_stats stats;
    seenset_queue_item item = {0};
    int count = 0, last = -1, result;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL), 0);
    while ((result = seenset_queue_pop(queue, &item)) == 1) {
        int number = model_number(item.url, item.url_len);
        assert_true(number > last);
        last = number;
        count++;
    }
    assert_int_equal(result, 0);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_int_equal(stats.leased_items, count);
    assert_int_equal(stats.pending_items, 0);
    *torn_bytes = (int)stats.torn_bytes;
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), 0);
    return count;
}

/* Where the records start, and how many there are. */
static int list_records(disk *on, size_t starts[64], size_t *end)
{
    size_t *size_bytes;
    const uint8_t *bytes = disk_file(on, first_log, &size_bytes);
    records of = records_begin(bytes, *size_bytes);
    int count = 0;
    while (records_next(&of))
        starts[count++] = of.at;
    *end = of.end;
    assert_int_equal(*end, *size_bytes);
    return count;
}

static void queue_log_may_end_anywhere(void **state)
{
    (void)state;
    disk *killed = killed_queue();
    size_t starts[64], end;
    int torn, most = 0;
    list_records(killed, starts, &end);
    for (size_t length = RECORDS_AT; length <= end; length++) {
        size_t *size_bytes;
        disk *cut = disk_copy(killed);
        (void)disk_file(cut, first_log, &size_bytes);
        *size_bytes = length;
        int count = count_items(cut, &torn);
        assert_true(count == most || count == most + 1);
        most = count;
        assert_true(torn < 64);
        disk_free(cut);
    }
    assert_int_equal(most, ITEMS);
    disk_free(killed);
}

/* The record that holds a byte. */
static int record_of(const size_t *starts, int count, size_t offset)
{
    int i = count - 1;
    while (i > 0 && starts[i] > offset)
        i--;
    return i;
}

static void assert_damage_is_named(disk *bad, size_t offset)
{
    seenset_queue *queue;
    seenset_queue_report report;
    seenset_queue_options options = {.report = &report};
    assert_int_equal(ss_queue_open(disk_io(bad), &queue, DISK_FOLDER, &options),
                     SEENSET_EDAMAGED);
    assert_string_equal(report.file, first_log);
    assert_int_equal(report.offset, offset);
    assert_true(report.reason[0] != '\0');
    assert_int_equal(ss_queue_verify(disk_io(bad), DISK_FOLDER, &report),
                     SEENSET_EDAMAGED);
    assert_string_equal(report.file, first_log);
    assert_int_equal(report.offset, offset);
}

static void assert_repaired(disk *bad, int items_left)
{
    int torn;
    seenset_queue_report report;
    assert_int_equal(ss_queue_repair(disk_io(bad), DISK_FOLDER, &report), 0);
    assert_int_equal(report.lost_items, ITEMS - items_left);
    assert_int_equal(ss_queue_verify(disk_io(bad), DISK_FOLDER, &report), 0);
    assert_int_equal(count_items(bad, &torn), items_left);
}

static void damage_and_check(disk *killed, const size_t *starts, int count,
                             size_t offset)
{
    size_t *size_bytes;
    int torn, damaged = record_of(starts, count, offset);
    disk *bad = disk_copy(killed);
    uint8_t *bytes = disk_file(bad, first_log, &size_bytes);
    bool is_push = bytes[starts[damaged] + 7] == SS_RECORD_PUSH;
    bytes[offset] ^= 0x55;
    if (damaged >= count - 2) {
        /* no later record says that these were safe */
        assert_int_equal(count_items(bad, &torn), ITEMS - 1);
        assert_true(torn > 0);
    } else {
        assert_damage_is_named(bad, starts[damaged]);
        assert_repaired(bad, is_push ? ITEMS - 1 : ITEMS);
    }
    disk_free(bad);
}

static void queue_names_each_damaged_byte(void **state)
{
    (void)state;
    disk *killed = killed_queue();
    size_t starts[64], end;
    int count = list_records(killed, starts, &end);
    for (size_t offset = RECORDS_AT; offset < end; offset++)
        damage_and_check(killed, starts, count, offset);
    disk_free(killed);
}

static void queue_names_a_damaged_segment_header(void **state)
{
    (void)state;
    for (size_t offset = 0; offset < RECORDS_AT; offset++) {
        size_t *size_bytes;
        disk *bad = killed_queue();
        disk_file(bad, first_log, &size_bytes)[offset] ^= 0x55;
        assert_damage_is_named(bad, 0);
        assert_repaired(bad, ITEMS);
        disk_free(bad);
    }
}

/* After a clean close the state says how far the log went. */
static void queue_misses_what_was_closed(void **state)
{
    (void)state;
    int torn;
    size_t *size_bytes;
    seenset_queue *queue;
    disk *on = killed_queue();
    assert_int_equal(count_items(on, &torn), ITEMS);
    (void)disk_file(on, first_log, &size_bytes);
    *size_bytes -= 1;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL),
                     SEENSET_EDAMAGED);
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
    assert_int_equal(count_items(on, &torn), ITEMS - 1);
    disk_free(on);
}

/* An unreadable newest state or set: the one before it serves. */
static void queue_falls_back_on_older_snapshots(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        model of;
        disk *on = disk_new();
        seenset_queue *queue;
        const char *prefix = which == 0 ? "state-" : "set-";
        model_init(&of, 7, SEENSET_QUEUE_DURABILITY_EACH);
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &of.options), 0);
        for (int i = 0; i < 400; i++) {
            model_step(&of, disk_io(on), DISK_FOLDER, &queue);
            assert_int_equal(of.error, 0);
        }
        assert_int_equal(seenset_queue_close(queue), 0);
        size_t *size_bytes;
        const char *newest = disk_last_name(on, prefix);
        assert_non_null(newest);
        (void)disk_file(on, newest, &size_bytes);
        disk_flip(on, newest, *size_bytes / 2);
        const char *wrong = model_check(&of, disk_io(on), DISK_FOLDER);
        if (wrong != NULL)
            fail_msg("%s: %s", prefix, wrong);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_log_may_end_anywhere),
        cmocka_unit_test(queue_names_each_damaged_byte),
        cmocka_unit_test(queue_names_a_damaged_segment_header),
        cmocka_unit_test(queue_misses_what_was_closed),
        cmocka_unit_test(queue_falls_back_on_older_snapshots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
