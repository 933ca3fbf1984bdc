/*
 * queue_clean.c - items of a polite queue that are on their way to the log's
 * end: they are where they were until their new records are durable, also if
 * these are rolled back, or the items are acked before.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>

#include "queue/clean/clean.h"
#include "queue/polite.h"
#include "queue_model.h"

enum {
    ITEMS = 100,
    LEFT = 13 /* each eighth */
};

typedef struct place {
    model of;
    disk *on;
    seenset_queue *queue;
    int next; /* a URL that is new */
} place;

static void begin(place *at)
{
    int kind = 0;
    *at = (place){.on = disk_new(), .next = ITEMS};
    model_init(&at->of, 1, SEENSET_QUEUE_DURABILITY_EACH);
    model_set_kind(&at->of, model_kind_after(&kind, "polite"));
    at->of.url_count = MODEL_URLS - MODEL_AGAIN;
    at->queue = model_open(at->on, at->of.options);
    model_scatter(&at->of, at->queue, ITEMS);
}

static int push(place *at)
{
    char url[32];
    model_url(at->next, url);
    return seenset_queue_push(at->queue, url, strlen(url), NULL, 0);
}

/* Pushes until items are on their way. */
static void push_until_moved(place *at)
{
    while (at->queue->cleaner.count == 0) {
        assert_in_range(at->next, ITEMS, ITEMS + 100);
        assert_int_equal(push(at), 1);
        at->next++;
    }
    assert_true(at->queue->cleaner.moves[0].to.at >= at->queue->log.durable);
}

/* All that is left comes once, and nothing is wrong with the files. */
static void end(place *at, int expected)
{
    int counts[MODEL_URLS] = {0};
    assert_int_equal(model_drain(at->queue, counts), expected);
    for (int i = 0; i < MODEL_URLS; i++)
        assert_in_range(counts[i], 0, 1);
    assert_int_equal(seenset_queue_close(at->queue), 0);
    assert_int_equal(ss_queue_verify(disk_io(at->on), DISK_FOLDER, NULL), 0);
    assert_int_equal(model_count(at->on), expected);
    disk_free(at->on);
}

static void items_on_their_way_are_handed_out(void **state)
{
    place at;
    (void)state;
    begin(&at);
    push_until_moved(&at);
    size_t count = at.queue->cleaner.count;
    assert_int_equal(ss_clean_settle(at.queue), 0);
    assert_int_equal(at.queue->cleaner.count, count);
    end(&at, LEFT + at.next - ITEMS);
}

static void items_that_are_rolled_back_stay(void **state)
{
    place at;
    (void)state;
    begin(&at);
    push_until_moved(&at);
    disk_faults *faults = disk_faults_of(at.on);
    faults->fail_at = disk_operations(at.on) + 1;
    faults->error = ENOSPC;
    assert_int_equal(push(&at), SEENSET_EIO);
    faults->fail_at = 0;
    assert_int_equal(at.queue->cleaner.count, 0);
    for (int i = 0; i < 20; i++, at.next++)
        assert_int_equal(push(&at), 1);
    assert_int_equal(ss_queue_verify(disk_io(at.on), DISK_FOLDER, NULL), 0);
    end(&at, LEFT + at.next - ITEMS);
}

/* An item on its way to be acked is left where it is. */
static void items_that_are_acked_are_not_moved(void **state)
{
    place at;
    seenset_queue_item item = {0};
    uint64_t position;
    (void)state;
    begin(&at);
    assert_int_equal(seenset_queue_pop(at.queue, &item), 1);
    ss_leased_item *entry = ss_polite_leased(at.queue, item.number);
    ss_leases_begin_ack(&ss_items_lane_of(&at.queue->items, entry)->leases,
                        entry, UINT64_MAX);
    assert_int_equal(ss_polite_position(at.queue, item.number, &position), 1);
    for (int i = 0; i < 60; i++, at.next++)
        assert_int_equal(push(&at), 1);
    assert_true(model_has_moved(at.on));
    assert_int_equal(entry->position, position);
    ss_leases_cancel_acks(&ss_items_lane_of(&at.queue->items, entry)->leases,
                          0);
    for (int i = 0; i < 60; i++, at.next++)
        assert_int_equal(push(&at), 1);
    assert_true(entry->position > position);
    assert_int_equal(seenset_queue_nack(at.queue, item.lease, NULL), 0);
    seenset_queue_item_free(&item);
    end(&at, LEFT + at.next - ITEMS);
}

/* A queue is scattered; one step looks at so much of it that it may meet items
 * that it has moved itself, in a segment that ended meanwhile. They are needed
 * from there on. */
static void look_at_once(uint64_t changed_bytes)
{
    enum {
        MANY = 200 /* what is left of them fills more than a segment */
    };
    place at;
    begin(&at);
    assert_int_equal(seenset_queue_close(at.queue), 0);
    disk_free(at.on);
    at.on = disk_new();
    at.queue = model_open(at.on, at.of.options);
    model_scatter(&at.of, at.queue, MANY);
    at.next = MANY;
    at.queue->cleaner.left = changed_bytes;
    for (int i = 0; i < 4; i++, at.next++)
        assert_int_equal(push(&at), 1);
    assert_int_equal(seenset_queue_checkpoint(at.queue), 0);
    at.on = model_kill(at.on, at.queue);
    at.queue = model_open(at.on, at.of.options);
    end(&at, MANY / 8 + at.next - MANY);
}

static void items_that_a_step_has_moved_are_met(void **state)
{
    (void)state;
    for (uint64_t bytes = 1000; bytes < 10000; bytes += 25)
        look_at_once(bytes);
}

/* A queue in memory, and one that is repaired, move nothing. */
static void others_move_nothing(void **state)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {.politeness = &model_at_once};
    (void)state;
    assert_int_equal(seenset_queue_open(&queue, NULL, &options), 0);
    assert_false(queue->cleaner.is_on);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk *on = model_polite_past();
    assert_int_equal(
        ss_queue_open_as(disk_io(on), &queue, DISK_FOLDER, NULL, SS_FOR_REPAIR),
        0);
    assert_false(queue->cleaner.is_on);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_on_their_way_are_handed_out),
        cmocka_unit_test(items_that_are_rolled_back_stay),
        cmocka_unit_test(items_that_are_acked_are_not_moved),
        cmocka_unit_test(items_that_a_step_has_moved_are_met),
        cmocka_unit_test(others_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
