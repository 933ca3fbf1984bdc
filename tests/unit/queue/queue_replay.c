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
#include "support.h"

static int push_as(seenset_queue *queue, int number,
                   seenset_queue_push_options options)
{
    char url[32];
    uint8_t answer = 0;
    model_url(number, url);
    const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
    assert_int_equal(
        seenset_queue_push_with(queue, &entry, 1, &options, &answer),
        SEENSET_OK);
    return answer;
}

static void see(seenset_queue *queue, int number)
{
    assert_int_equal(
        push_as(queue, number, (seenset_queue_push_options){.seen_only = 1}),
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
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_OK);
    swap_lanes(on);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_EDAMAGED);
    assert_string_equal(report.reason,
                        "the log has other items at its position");
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
    assert_int_equal(model_count(on), 2);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seen_url_is_newer_than_the_state),
        cmocka_unit_test(seen_url_is_newer_than_the_set),
        cmocka_unit_test(window_learns_of_a_seen_url_once),
        cmocka_unit_test(item_of_another_lane_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
