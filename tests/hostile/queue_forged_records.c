/*
 * queue_forged_records.c - records whose checksum is right and whose content is
 * not, behind a sound log: out of order, of the wrong shape, about bytes that
 * are still to come. A hostile file, or a fault of ours, can hold such ones.
 * Opening, verifying and repairing must agree on each, and lose no item that
 * lies before it.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "queue/directory.h"
#include "queue/record.h"
#include "queue/state.h"
#include "seenset/queue.h"
#include "support.h"

enum {
    ITEMS = 3,
    MOST_BYTES = 128 /* of two records */
};

typedef enum verdict {
    TAKEN, /* a record like any */
    CUT,   /* no record: what is left of a write that never ended */
    DAMAGE /* a record that cannot be there */
} verdict;

typedef struct forged {
    const char *name;
    verdict verdict;
    ss_record_type type;
    uint64_t item;
    const char *payload;
    size_t payload_bytes;
} forged;

/* Little-endian numbers in payloads: a URL's length; an item and a count. */
static const forged rows[] = {
    {"push", TAKEN, SS_RECORD_PUSH, 3, "\1\0\0\0d", 5},
    {"push with data", TAKEN, SS_RECORD_PUSH, 3, "\1\0\0\0data", 8},
    {"push skips one", DAMAGE, SS_RECORD_PUSH, 4, "\1\0\0\0d", 5},
    {"push again", DAMAGE, SS_RECORD_PUSH, 2, "\1\0\0\0d", 5},
    {"push without a length", CUT, SS_RECORD_PUSH, 3, "\1\0\0", 3},
    {"push longer than it is", CUT, SS_RECORD_PUSH, 3, "\2\0\0\0d", 5},
    {"push over all items", CUT, SS_RECORD_PUSH, SS_ITEM_END, "\1\0\0\0d", 5},
    {"ack", TAKEN, SS_RECORD_ACK, 3, "\1\0\0\0\0\0\0\0\1\0\0\0", 12},
    {"ack of none", CUT, SS_RECORD_ACK, 3, "", 0},
    {"ack and a half", CUT, SS_RECORD_ACK, 3, "\1\0\0\0\0\0\0\0\1\0\0\0\2", 13},
    {"ack ahead", CUT, SS_RECORD_ACK, 3, "\4\0\0\0\0\0\0\0\1\0\0\0", 12},
    {"ack too long", CUT, SS_RECORD_ACK, 3, "\2\0\0\0\0\0\0\0\2\0\0\0", 12},
    {"ack out of order", DAMAGE, SS_RECORD_ACK, 4, "\1\0\0\0\0\0\0\0\1\0\0\0",
     12},
    {"mark", TAKEN, SS_RECORD_DURABLE, 3, "\40\0\0\0\0\0\0\0", 8},
    {"mark of what is to come", DAMAGE, SS_RECORD_DURABLE, 3,
     "\0\0\1\0\0\0\0\0", 8},
    {"mark too short", CUT, SS_RECORD_DURABLE, 3, "\40\0\0\0\0\0\0", 7},
    {"hole", TAKEN, SS_RECORD_FILLER, 3, "nothing", 7},
    {"hole of two items", TAKEN, SS_RECORD_FILLER, 5, "nothing", 7},
    {"hole of more than there can be", DAMAGE, SS_RECORD_FILLER,
     SS_ITEM_END - 1, "nothing", 7},
    {"hole backwards", DAMAGE, SS_RECORD_FILLER, 2, "nothing", 7},
    {"no such type", CUT, (ss_record_type)'X', 3, "", 0},
    {"type zero", CUT, (ss_record_type)0, 3, "", 0},
};

static void make_queue(const char *dir)
{
    seenset_queue *queue;
    assert_int_equal(seenset_queue_open(&queue, dir, NULL), SEENSET_OK);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(seenset_queue_push(queue, &"abc"[i], 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

/* Writes the record at `to`. Returns its length. */
static size_t put_record(uint8_t *to, uint32_t log_id, const forged *row)
{
    memcpy(to + SS_RECORD_HEADER_BYTES, row->payload, row->payload_bytes);
    ss_record_seal(to, log_id, row->type, row->item, row->payload_bytes);
    return SS_RECORD_HEADER_BYTES + row->payload_bytes;
}

/* Appends a sound record and a forged one to the only segment of the log. */
static void forge(const test_folder *folder, const forged *row)
{
    static const forged sound = {
        "mark", TAKEN, SS_RECORD_DURABLE, ITEMS, "\40\0\0\0\0\0\0\0", 8};
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    test_path(path, folder, "log-0000000000000000");
    uint8_t *log = test_read_file(path, &size_bytes);
    uint8_t *longer = malloc(size_bytes + MOST_BYTES);
    assert_non_null(longer);
    memcpy(longer, log, size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(log + 8, 4);
    size_bytes += put_record(longer + size_bytes, log_id, &sound);
    size_bytes += put_record(longer + size_bytes, log_id, row);
    test_write_file(path, longer, size_bytes);
    free(longer);
    free(log);
}

/* How many of the items that were pushed come out. */
static int count_items(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    int found = 0;
    while (seenset_queue_pop(queue, &item) == 1)
        found += item.url_len == 1 && memchr("abc", *(const char *)item.url, 3);
    seenset_queue_item_free(&item);
    return found;
}

static void check_row(const test_folder *folder, const forged *row)
{
    const char *dir = folder->path;
    bool is_damage = row->verdict == DAMAGE;
    seenset_queue_report report;
    seenset_queue_options options = {.report = &report};
    seenset_queue *queue = NULL;
    int expected = is_damage ? SEENSET_EDAMAGED : SEENSET_OK;
    assert_int_equal(seenset_queue_verify(dir, &report), expected);
    assert_int_equal(report.torn_bytes > 0, row->verdict == CUT);
    assert_int_equal(seenset_queue_open(&queue, dir, &options), expected);
    if (is_damage) {
        assert_null(queue);
        assert_string_equal(report.file, "log-0000000000000000");
        assert_int_equal(seenset_queue_repair(dir, &report), SEENSET_OK);
        assert_int_equal(seenset_queue_verify(dir, &report), SEENSET_OK);
        assert_int_equal(seenset_queue_open(&queue, dir, NULL), SEENSET_OK);
    }
    bool is_acked = row->type == SS_RECORD_ACK && row->verdict == TAKEN;
    assert_int_equal(count_items(queue), ITEMS - is_acked);
    assert_int_equal(seenset_queue_push(queue, "new", 3, NULL, 0), 1);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_verify(dir, &report), SEENSET_OK);
}

static void forged_records_are_doubted(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        test_folder folder;
        print_message("%s\n", rows[i].name);
        test_folder_make(&folder);
        make_queue(folder.path);
        forge(&folder, &rows[i]);
        check_row(&folder, &rows[i]);
        test_folder_remove(&folder);
    }
}

/* ---- a state that knows of fewer items than the log before it ---- */

static char *state_path(char path[TEST_PATH_BYTES], const test_folder *folder,
                        uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_directory_name(name, SS_FOLDER_STATE, position);
    return test_path(path, folder, name);
}

static uint64_t log_bytes(const test_folder *folder, uint32_t *log_id)
{
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    test_path(path, folder, "log-0000000000000000");
    uint8_t *log = test_read_file(path, &size_bytes);
    *log_id = (uint32_t)ss_bits_load(log + 8, 4);
    free(log);
    return size_bytes;
}

/* As of the log's end, with everything still to be handed out; and a set of
 * the same position. */
static void put_snapshots(const test_folder *folder, uint64_t next_item)
{
    char path[TEST_PATH_BYTES];
    uint32_t log_id;
    seenset_queue *queue;
    assert_int_equal(seenset_queue_open(&queue, folder->path, NULL), 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    ss_state state = {.position = log_bytes(folder, &log_id),
                      .next_item = next_item,
                      .read_position = SS_SEGMENT_HEADER_BYTES};
    size_t size_bytes = ss_state_bytes(0, 0);
    uint8_t *bytes = malloc(size_bytes);
    assert_non_null(bytes);
    ss_state_encode(&state, log_id, bytes);
    test_write_file(state_path(path, folder, state.position), bytes,
                    size_bytes);
    free(bytes);
}

/* Items come out until the first that the state does not count. */
static void check_count(const test_folder *folder, int known, int most)
{
    seenset_queue *queue;
    seenset_queue_stats stats;
    seenset_queue_report report;
    seenset_queue_item item = {0};
    int popped = 0, result;
    assert_int_equal(seenset_queue_open(&queue, folder->path, NULL), 0);
    while ((result = seenset_queue_pop(queue, &item)) == 1)
        popped++;
    seenset_queue_item_free(&item);
    assert_int_equal(popped, known);
    assert_int_equal(result, known < most ? SEENSET_EDAMAGED : 0);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_int_equal(stats.pending_items + stats.leased_items, known);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_verify(folder->path, &report),
                     known < most ? SEENSET_EDAMAGED : SEENSET_OK);
}

static void items_that_nobody_counted_are_not_handed_out(void **state)
{
    static const forged hole = {"hole", TAKEN,     SS_RECORD_FILLER,
                                20,     "nothing", 7};
    (void)state;
    for (int known = 0; known <= ITEMS; known++) {
        for (int has_hole = 0; has_hole <= 1; has_hole++) {
            test_folder folder;
            int most = has_hole ? ITEMS + 1 : ITEMS;
            test_folder_make(&folder);
            make_queue(folder.path);
            if (has_hole)
                forge(&folder, &hole);
            put_snapshots(&folder, (uint64_t)known);
            check_count(&folder, known, most);
            assert_int_equal(seenset_queue_repair(folder.path, NULL), 0);
            assert_int_equal(seenset_queue_verify(folder.path, NULL), 0);
            test_folder_remove(&folder);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forged_records_are_doubted),
        cmocka_unit_test(items_that_nobody_counted_are_not_handed_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
