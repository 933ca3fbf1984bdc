/*
 * push.c - pushes: many in one call, without space, on a poisoned queue, and
 * popped before they are written.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <errno.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

/* Of the errors of many groups of pushes the one that loses URLs is told. */
static void pushes_of_many_groups_tell_what_was_refused(void **state)
{
    static seenset_queue_entry pushes[SS_CHUNK_PUSHES + 1];
    (void)state;
    if (!test_has_urls())
        skip();
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
            pushes[i] = (seenset_queue_entry){.url = "http://a/", .url_len = 9};
        size_t refused = first == 0 ? 1 : SS_CHUNK_PUSHES;
        size_t no_url = first == 0 ? SS_CHUNK_PUSHES : 1;
        pushes[refused].url = "http://b/";
        pushes[no_url].url = "no URL at";
        assert_int_equal(seenset_queue_push_many(
                             queue, pushes, SS_CHUNK_PUSHES + 1, NULL, NULL),
                         SEENSET_EFULL);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

/* A push that fails for want of space leaves no trace: it is new later. */
static void pushes_without_space_leave_no_trace(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue;
    seenset_queue_item item = {0};
    seenset_queue_stats stats;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL), 0);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    *disk_faults_of(on) =
        (disk_faults){.fail_at = disk_operations(on) + 1, .error = ENOSPC};
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0), SEENSET_EIO);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_int_equal(stats.pending_items, 1);
    assert_int_equal(stats.pushed_items, 1);
    assert_int_equal(stats.acked_items, 0);
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_string_equal(item.url, "a");
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_string_equal(item.url, "b");
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

/* Who appended before the queue was poisoned, and waits only after that, hears
 * of it: what failed told only those who were waiting. */
static void waiting_on_a_poisoned_queue_ends(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL), 0);
    *disk_faults_of(on) =
        (disk_faults){.fail_at = disk_operations(on) + 2, .error = EIO};
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), SEENSET_EIO);
    pthread_mutex_lock(&queue->mutex);
    assert_true(queue->log.tail > queue->log.durable);
    assert_int_equal(ss_append_wait(queue, queue->log.tail), SEENSET_EPOISONED);
    assert_int_equal(ss_append_wait(queue, queue->log.durable), SEENSET_OK);
    pthread_mutex_unlock(&queue->mutex);
    assert_int_equal(seenset_queue_close(queue), SEENSET_EPOISONED);
    disk_free(on);
}

/* Records that are only in memory are handed out, too. */
static void pop_finds_what_is_not_written_yet(void **state)
{
    static const seenset_queue_durability later[] = {
        SEENSET_QUEUE_DURABILITY_INTERVAL, SEENSET_QUEUE_DURABILITY_NONE};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(later); i++) {
        seenset_queue_options options = {.durability = later[i],
                                         .interval_seconds = 1000};
        seenset_queue_item item = {0};
        disk *on = disk_new();
        seenset_queue *queue = model_open(on, options);
        long before = disk_operations(on);
        assert_int_equal(model_push(queue, 0, 1), 1);
        assert_int_equal(disk_operations(on), before);
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(model_push(queue, 1, 2), 1);
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(seenset_queue_pop(queue, &item), 0);
        seenset_queue_item_free(&item);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_of_many_groups_tell_what_was_refused),
        cmocka_unit_test(pushes_without_space_leave_no_trace),
        cmocka_unit_test(waiting_on_a_poisoned_queue_ends),
        cmocka_unit_test(pop_finds_what_is_not_written_yet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
