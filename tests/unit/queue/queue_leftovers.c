/*
 * queue_leftovers.c - states and sets that are older than the last two: they
 * could not be removed, or the process was killed before it did. A queue goes
 * on beside them without damage, and removes them and their log when it can.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "queue_model.h"

enum {
    A_ROUND = 40 /* URLs: some segments of 4 KiB */
};

/* A disk whose old files of one kind stay. */
typedef struct place {
    ss_io io;
    disk *on;
    const char *staying; /* how their names begin; NULL: all go */
    disk *killed;        /* a copy from just before one would have gone */
} place;

static place *here;

static int place_unlink(void *context, const char *path)
{
    if (here->staying != NULL && strstr(path, here->staying) != NULL) {
        if (here->killed == NULL)
            here->killed = disk_copy(here->on);
        errno = EACCES;
        return -1;
    }
    return disk_io(here->on)->unlink(context, path);
}

static seenset_queue *open_on(place *at, disk *on)
{
    const seenset_queue_options options = {.segment_bytes = 4096};
    seenset_queue *queue = model_open(on, options);
    at->on = on;
    at->io = *disk_io(on);
    at->io.unlink = place_unlink;
    queue->folder.io = &at->io;
    here = at;
    return queue;
}

/* How many items were handed out and acked. */
static int finish(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    int count = 0;
    for (; seenset_queue_pop(queue, &item) == 1; count++)
        assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_OK);
    seenset_queue_item_free(&item);
    return count;
}

/* URLs come and go, a checkpoint follows; nothing is wrong with the files. */
static void live_on(place *at, seenset_queue *queue, int rounds, int first)
{
    for (int i = 0; i < rounds; i++, first += A_ROUND) {
        assert_int_equal(model_push(queue, first, first + A_ROUND), A_ROUND);
        assert_int_equal(finish(queue), A_ROUND);
        assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
        disk *now = disk_copy(at->on);
        assert_int_equal(ss_queue_verify(disk_io(now), DISK_FOLDER, NULL),
                         SEENSET_OK);
        disk_free(now);
    }
}

static void assert_tidy(const disk *on)
{
    assert_int_equal(disk_count(on, "state-"), 2);
    assert_int_equal(disk_count(on, "set-"), 2);
    assert_in_range(disk_count(on, "log-"), 1, 2);
}

static void files_that_stay_do_no_harm(void **state)
{
    static const char *const kinds[] = {"state-", "set-"};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        place at = {.staying = NULL};
        disk *on = disk_new();
        seenset_queue *queue = open_on(&at, on);
        live_on(&at, queue, 3, 0);
        assert_tidy(on);
        at.staying = kinds[i];
        live_on(&at, queue, 5, 3 * A_ROUND);
        assert_true(disk_count(on, kinds[i]) > 5);
        at.staying = NULL;
        live_on(&at, queue, 2, 8 * A_ROUND);
        assert_tidy(on);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(at.killed);
        disk_free(on);
    }
}

/* Of each round some items are delayed, more than there is memory for: states
 * have files of these beside them. */
static void live_on_delayed(place *at, seenset_queue *queue, int rounds,
                            int first)
{
    const seenset_queue_nack_options later = {.delay_seconds = 1000};
    seenset_queue_item item = {0};
    for (int i = 0; i < rounds; i++, first += A_ROUND) {
        assert_int_equal(model_push(queue, first, first + A_ROUND), A_ROUND);
        for (int j = 0; j < A_ROUND / 4; j++) {
            assert_int_equal(seenset_queue_pop(queue, &item), 1);
            assert_int_equal(seenset_queue_nack(queue, item.lease, &later),
                             SEENSET_OK);
        }
        assert_int_equal(finish(queue), A_ROUND - A_ROUND / 4);
        assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
        disk *now = disk_copy(at->on);
        assert_int_equal(ss_queue_verify(disk_io(now), DISK_FOLDER, NULL),
                         SEENSET_OK);
        disk_free(now);
    }
    seenset_queue_item_free(&item);
}

static void files_of_delayed_items_stay_with_their_states(void **state)
{
    (void)state;
    place at = {.staying = NULL};
    disk *on = disk_new();
    seenset_queue *queue = open_on(&at, on);
    live_on_delayed(&at, queue, 3, 0);
    int before = disk_count(on, "delayed-");
    assert_true(before > 0);
    at.staying = "state-";
    live_on_delayed(&at, queue, 12, 3 * A_ROUND);
    int while_they_stay = disk_count(on, "delayed-");
    at.staying = NULL;
    live_on_delayed(&at, queue, 2, 15 * A_ROUND);
    assert_int_equal(disk_count(on, "state-"), 2);
    assert_true(disk_count(on, "delayed-") < while_they_stay);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(at.killed);
    disk_free(on);
}

static void files_of_a_killed_process_are_removed(void **state)
{
    static const char *const kinds[] = {"state-", "set-"};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        place at = {.staying = NULL}, then = {.staying = NULL};
        disk *on = disk_new();
        seenset_queue *queue = open_on(&at, on);
        live_on(&at, queue, 3, 0);
        at.staying = kinds[i];
        live_on(&at, queue, 1, 3 * A_ROUND);
        assert_non_null(at.killed);
        assert_int_equal(disk_count(at.killed, kinds[i]), 3);
        seenset_queue *again = open_on(&then, at.killed);
        (void)finish(again);
        live_on(&then, again, 3, 4 * A_ROUND);
        assert_tidy(at.killed);
        assert_int_equal(seenset_queue_close(again), SEENSET_OK);
        here = &at;
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(at.killed);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_stay_do_no_harm),
        cmocka_unit_test(files_of_delayed_items_stay_with_their_states),
        cmocka_unit_test(files_of_a_killed_process_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
