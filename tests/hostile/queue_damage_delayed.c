/*
 * queue_damage_delayed.c - queues of which most items are in files of delayed
 * ones.
 */
#define _POSIX_C_SOURCE 200809L
#include "queue_damage_rows.h"
#include "queue_model.h"

static const seenset_options small = {
    .layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 500, .fp_rate = 0.01};

/* Most of its items are delayed: those in two files as of the newest state, in
 * one as of the state before. One more was taken from it, and acked. */
static disk *with_delayed(const seenset_queue_politeness *politeness)
{
    enum {
        POPPED = 11
    };
    disk *on = disk_new();
    seenset_queue_item item = {0};
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.set = &small,
                                               .segment_bytes = 4096,
                                               .politeness = politeness});
    assert_int_equal(model_push(queue, 0, 2 * POPPED), 2 * POPPED);
    for (int i = 0; i < POPPED; i++) {
        const seenset_queue_nack_options how = {.delay_seconds =
                                                    i < 5 ? 10 + i : 1000};
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(seenset_queue_nack(queue, item.lease, &how), 0);
    }
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    disk_pass_ns(on, UINT64_C(11000000000));
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(item.number, 0);
    assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_OK);
    assert_int_equal(disk_count(on, "delayed-"), 2);
    seenset_queue_item_free(&item);
    return model_kill(on, queue);
}

disk *damage_delayed(void)
{
    return with_delayed(NULL);
}

disk *damage_polite_delayed(void)
{
    return with_delayed(&model_at_once);
}
