/*
 * queue_wrong_drops.c - the queue tells truly how many URLs it dropped wrongly.
 *
 * Ten million different URLs into a queue planned for them at 1 %: every one
 * that is dropped is dropped wrongly, so the exact count is known. Each drop
 * is a chance of its own, so the count lies within 6.1 standard deviations of
 * its expectation with all but a chance of 1e-9.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seenset/queue.h"
#include "support.h"

enum {
    ITEMS = 10000000,
    AT_ONCE = 1000
};

static bool is_likely(double expected, double counted)
{
    return fabs(expected - counted) <= 6.1 * sqrt(expected);
}

/* Pushes ITEMS different URLs; how many were dropped. */
static uint64_t push_all(seenset_queue *queue)
{
    uint64_t numbers[AT_ONCE], dropped = 0;
    seenset_queue_entry pushes[AT_ONCE];
    uint8_t is_new[AT_ONCE];
    for (uint64_t i = 0; i < ITEMS; i += AT_ONCE) {
        for (size_t k = 0; k < AT_ONCE; k++) {
            numbers[k] = i + k;
            pushes[k] = (seenset_queue_entry){.url = &numbers[k],
                                              .url_len = sizeof numbers[k]};
        }
        assert_int_equal(
            seenset_queue_push_many(queue, pushes, AT_ONCE, NULL, is_new), 0);
        for (size_t k = 0; k < AT_ONCE; k++)
            dropped += is_new[k] == 0;
    }
    return dropped;
}

static void queue_counts_wrong_drops(void **state)
{
    (void)state;
    char folder[] = "/tmp/seenset-wrong-XXXXXX", command[64];
    seenset_queue *queue;
    seenset_queue_stats stats;
    seenset_stats set;
    const seenset_queue_options options = {
        .set = &(const seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE,
                                        .capacity_items = ITEMS,
                                        .fp_rate = 0.01},
        .durability = SEENSET_QUEUE_DURABILITY_NONE};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(seenset_queue_open(&queue, folder, &options), 0);
    uint64_t dropped = push_all(queue);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    printf("%llu wrongly dropped, %.1f expected\n", (unsigned long long)dropped,
           stats.wrong_items);
    assert_int_equal(stats.dropped_items, dropped);
    assert_int_equal(stats.pushed_items, ITEMS - dropped);
    assert_true(is_likely(stats.wrong_items, (double)dropped));
    assert_int_equal(seenset_queue_get_set_stats(queue, &set, sizeof set), 0);
    assert_true(set.current_fp_rate <= 0.0101);
    /* ten million items wait, and take no memory */
    assert_int_equal(stats.pending_items, ITEMS - dropped);
    assert_true(stats.memory_bytes - set.memory_bytes < 4u << 20);
    /* the planted fault: a count that is five in a hundred off */
    assert_false(is_likely(stats.wrong_items, (double)dropped * 1.05));
    assert_int_equal(seenset_queue_close(queue), 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_counts_wrong_drops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
