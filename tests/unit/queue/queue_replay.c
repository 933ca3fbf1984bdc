/*
 * queue_replay.c - a log whose records are older than one snapshot and newer
 * than the other, and a state that has an item in another lane than the log.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "items/state.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "queue_records.h"
#include "support.h"

static int push_as(seenset_queue *queue, int number,
                   seenset_queue_push_options options)
{
    char url[32];
    uint8_t answer = 0;
    model_url(number, url);
    const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
    assert_int_equal(
        seenset_queue_push_many(queue, &entry, 1, &options, &answer),
        SEENSET_OK);
    return answer;
}

static void see(seenset_queue *queue, int number)
{
    assert_int_equal(
        push_as(queue, number,
                (seenset_queue_push_options){.flags = SEENSET_QUEUE_SEEN_ONLY}),
        SEENSET_ANSWER_NEW);
}

static void forget(seenset_queue *queue, int number)
{
    char url[32];
    model_url(number, url);
    assert_true(seenset_queue_forget(queue, url, strlen(url)) >= 0);
}

static seenset_stats set_stats_of(seenset_queue *queue)
{
    seenset_stats stats;
    assert_int_equal(seenset_queue_get_set_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    return stats;
}

static void remove_newest_state(disk *on)
{
    char path[64];
    (void)snprintf(path, sizeof path, DISK_FOLDER "/%s",
                   disk_last_name(on, "state-"));
    assert_int_equal(disk_io(on)->unlink(on, path), 0);
}

/* ---- URLs that were only seen ---- */

/* The state's forgotten URL was seen again, and the set knows that already. */
static void seen_url_is_newer_than_the_state(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    see(queue, 0);
    forget(queue, 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    see(queue, 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    see(queue, 1);
    on = model_kill(on, queue);
    remove_newest_state(on);
    queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, 2), 0);
    assert_int_equal(set_stats_of(queue).added_items, 2);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* The set does not know the URL yet, and the state has forgotten it since. */
static void seen_url_is_newer_than_the_set(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    see(queue, 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    see(queue, 1);
    forget(queue, 1);
    assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
    on = model_kill(on, queue);
    queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(set_stats_of(queue).added_items, 2);
    assert_int_equal(model_push(queue, 0, 1), 0);
    assert_int_equal(model_push(queue, 1, 2), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* The set is newer: what its window has forgotten is not added to it again. */
static void window_learns_of_a_seen_url_once(void **state)
{
    enum {
        COUNT = 150 /* more than the window holds */
    };
    static const seenset_options window = {.on_full = SEENSET_ON_FULL_ROTATE,
                                           .capacity_items = 64,
                                           .window_generations = 4,
                                           .fp_rate = 1e-6};
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.set = &window});
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    for (int i = 0; i < COUNT; i++)
        see(queue, i);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    seenset_stats due = set_stats_of(queue);
    on = model_kill(on, queue);
    remove_newest_state(on);
    queue = model_open(on, (seenset_queue_options){0});
    seenset_stats is = set_stats_of(queue);
    assert_int_equal(is.added_items, due.added_items);
    assert_int_equal(is.set_bits, due.set_bits);
    assert_int_equal(model_push(queue, COUNT - 40, COUNT), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* ---- items of another lane ---- */

static void swap_lanes(disk *on)
{
    size_t *size_bytes;
    ss_memory memory;
    ss_state of;
    uint8_t *bytes = disk_file(on, disk_last_name(on, "state-"), &size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(bytes + 8, 4);
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_int_equal(ss_state_decode(&of, &memory, log_id, bytes, *size_bytes),
                     SEENSET_OK);
    assert_int_equal(of.entry_count, 2);
    unsigned lane = of.entries[0].lane;
    of.entries[0].lane = of.entries[1].lane;
    of.entries[1].lane = lane;
    ss_state_encode(&of, log_id, bytes);
    ss_state_free(&of, &memory);
}

static void item_of_another_lane_is_noticed(void **state)
{
    (void)state;
    seenset_queue_report report = {0};
    seenset_queue_item item = {0};
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    for (int i = 0; i < 2; i++)
        (void)push_as(
            queue, i,
            (seenset_queue_push_options){.priority = 3 + (uint32_t)i});
    for (int i = 0; i < 2; i++)
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(
        ss_queue_verify(disk_io(on), DISK_FOLDER,
                        &(const seenset_queue_options){.report = &report}),
        SEENSET_OK);
    swap_lanes(on);
    assert_int_equal(
        ss_queue_verify(disk_io(on), DISK_FOLDER,
                        &(const seenset_queue_options){.report = &report}),
        SEENSET_EDAMAGED);
    assert_string_equal(report.reason,
                        "the log has other items at its position");
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
    assert_int_equal(model_count(on), 2);
    disk_free(on);
}

/* ---- forged records ---- */

static uint32_t log_id_of(disk *on)
{
    size_t *size_bytes;
    return (uint32_t)ss_bits_load(
        disk_file(on, disk_last_name(on, "state-"), &size_bytes) + 8, 4);
}

static void append(disk *on, ss_record_type type, uint64_t item,
                   const void *payload, size_t payload_bytes)
{
    uint8_t bytes[SS_RECORD_HEADER_BYTES + 16];
    size_t *size_bytes;
    const char *log = disk_last_name(on, "log-");
    memcpy(bytes + SS_RECORD_HEADER_BYTES, payload, payload_bytes);
    ss_record_seal(bytes, log_id_of(on), type, item, payload_bytes);
    (void)disk_file(on, log, &size_bytes);
    disk_put(on, log, *size_bytes, bytes,
             SS_RECORD_HEADER_BYTES + payload_bytes);
}

/* Item 0 waits, and item 1 is leased; the pushes are too far back to be read
 * again, so that the state alone has their priorities. */
static disk *far_behind(void)
{
    enum {
        LARGE = 10
    };
    static char data[1000000];
    const seenset_queue_push_options high = {.priority = 9};
    seenset_queue_item item = {0};
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    (void)push_as(queue, 0, (seenset_queue_push_options){.priority = 1});
    for (int i = 1; i <= LARGE; i++) {
        char url[32];
        model_url(i, url);
        const seenset_queue_entry entry = {.url = url,
                                           .url_len = strlen(url),
                                           .data = data,
                                           .data_len = sizeof data};
        assert_int_equal(seenset_queue_push_many(queue, &entry, 1, &high, NULL),
                         SEENSET_OK);
    }
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    append(on, SS_RECORD_DURABLE, 1 + LARGE, "\40\0\0\0\0\0\0\0", 8);
    return on;
}

static void check_ack(const char payload[16], int wanted)
{
    seenset_queue *queue = NULL;
    seenset_queue_report report = {.reason = ""};
    disk *on = far_behind();
    append(on, SS_RECORD_LANED_ACK, 11, payload, 16);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER,
                                   &(seenset_queue_options){.report = &report}),
                     wanted);
    if (wanted == SEENSET_OK)
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    else
        assert_string_equal(report.reason,
                            "an ack of an item of another priority");
    disk_free(on);
}

static void ack_is_held_against_the_state(void **state)
{
    (void)state;
    check_ack("\1\0\0\0\0\0\0\0\1\0\0\0\11\0\0\0", SEENSET_OK);
    check_ack("\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0", SEENSET_EDAMAGED);
}

/* An item's number that no log of that length has, before what is replayed:
 * that is left to verify, and to the pop that comes to it. */
static void impossible_item_before_the_state(void **state)
{
    (void)state;
    seenset_queue_report report = {0};
    size_t *size_bytes;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    for (int i = 0; i < 2; i++)
        (void)push_as(queue, i, (seenset_queue_push_options){.priority = 5});
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    uint8_t *bytes = disk_file(on, disk_name(on, "log-", 0), &size_bytes);
    records of = records_begin(bytes, *size_bytes);
    while (records_next(&of) &&
           (of.record.item != 1 || !ss_record_is_push(of.record.type)))
        ;
    assert_true(ss_record_is_push(of.record.type));
    ss_record_seal(bytes + of.at, of.log_id, of.record.type, UINT32_MAX,
                   of.record.payload_bytes);
    assert_int_equal(
        ss_queue_verify(disk_io(on), DISK_FOLDER,
                        &(const seenset_queue_options){.report = &report}),
        SEENSET_EDAMAGED);
    queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seen_url_is_newer_than_the_state),
        cmocka_unit_test(seen_url_is_newer_than_the_set),
        cmocka_unit_test(window_learns_of_a_seen_url_once),
        cmocka_unit_test(item_of_another_lane_is_noticed),
        cmocka_unit_test(ack_is_held_against_the_state),
        cmocka_unit_test(impossible_item_before_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
