/* queue_repair.c - a repair takes away what is bad, and nothing else */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

/* Repair takes away what is bad, and the rest goes on. */
static void repairing_a_set_keeps_the_state(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_options options = {0};
    seenset_queue_stats stats;
    seenset_queue *queue = model_open(on, options);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), i == 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_non_null(disk_name(on, "set-", 0));
    for (int i = 0; disk_name(on, "set-", i) != NULL; i++) {
        size_t *size_bytes;
        disk_file(on, disk_name(on, "set-", i), &size_bytes)[0] ^= 1;
    }
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL),
                     SEENSET_OK);
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_true(stats.dropped_items == 2);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

static void verifying_nothing_is_an_error(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_report report;
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_EIO);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repairing_a_set_keeps_the_state),
        cmocka_unit_test(verifying_nothing_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
