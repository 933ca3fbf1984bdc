/*
 * queue_faults.c - every operation of the disk fails, once or for good.
 *
 * The same crawl runs again and again; each time another operation gives EIO
 * or ENOSPC, or writes and reads half of what it should. Calls may fail then,
 * with an error code. What they had promised must hold afterwards, both when
 * the process just goes on with another handle and when the power goes.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    STEPS = 120,
    SEEDS = 2
};

static void assert_is_error(int error)
{
    assert_string_not_equal(seenset_error_name(error), "unknown");
}

/* Until the queue does not open or a handle is poisoned; closes it. */
static void crawl(model *of, disk *on)
{
    seenset_queue *queue = NULL;
    int error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &of->options);
    assert_is_error(error);
    if (error != 0)
        return;
    for (int i = 0; i < STEPS && queue != NULL; i++) {
        model_step(of, disk_io(on), DISK_FOLDER, &queue);
        assert_is_error(of->error);
    }
    assert_is_error(seenset_queue_close(queue));
}

static long operations_of(uint64_t seed)
{
    model of;
    disk *on = disk_new();
    model_init(&of, seed, SEENSET_QUEUE_DURABILITY_EACH);
    crawl(&of, on);
    long count = disk_operations(on);
    disk_free(on);
    return count;
}

/* NULL, or what a crawl with these faults breaks. */
static const char *broken_by(uint64_t seed, disk_faults faults, int *image_of)
{
    model of;
    const char *wrong = NULL;
    disk *on = disk_new();
    model_init(&of, seed, SEENSET_QUEUE_DURABILITY_EACH);
    *disk_faults_of(on) = faults;
    crawl(&of, on);
    for (uint64_t i = 0; i < 4 && wrong == NULL; i++) {
        disk *image = i == 0 ? disk_copy(on) : disk_image(on, seed + i);
        *image_of = (int)i;
        wrong = model_check(&of, disk_io(image), DISK_FOLDER);
        disk_free(image);
    }
    disk_free(on);
    return wrong;
}

static void fail_and_check(uint64_t seed, disk_faults faults)
{
    int image = 0;
    const char *wrong = broken_by(seed, faults, &image);
    if (wrong != NULL)
        fail_msg("seed %d, operation %ld, errno %d%s%s, image %d: %s",
                 (int)seed, faults.fail_at, faults.error,
                 faults.is_short ? ", short" : "",
                 faults.is_lasting ? ", lasting" : "", image, wrong);
}

static void fail_everywhere(disk_faults faults)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        long count = operations_of(seed);
        assert_true(count > STEPS);
        for (faults.fail_at = 1; faults.fail_at <= count; faults.fail_at++)
            fail_and_check(seed, faults);
    }
}

static void queue_survives_eio(void **state)
{
    (void)state;
    fail_everywhere((disk_faults){.error = EIO});
    fail_everywhere((disk_faults){.error = EIO, .is_lasting = true});
}

static void queue_survives_enospc(void **state)
{
    (void)state;
    fail_everywhere((disk_faults){.error = ENOSPC});
    fail_everywhere((disk_faults){.error = ENOSPC, .is_lasting = true});
}

/* Once: a call that is interrupted for ever is made for ever. */
static void queue_survives_eintr(void **state)
{
    (void)state;
    fail_everywhere((disk_faults){.error = EINTR});
}

static void queue_survives_short_calls(void **state)
{
    (void)state;
    fail_everywhere((disk_faults){.is_short = true});
    fail_everywhere((disk_faults){.is_short = true, .is_lasting = true});
}

/* The planted fault: a write that never happened, and nobody said so. */
static void a_lost_write_is_caught(void **state)
{
    (void)state;
    long broken = 0, count = operations_of(1);
    int image;
    disk_faults faults = {.is_lost = true};
    for (faults.fail_at = 1; faults.fail_at <= count; faults.fail_at += 7)
        broken += broken_by(1, faults, &image) != NULL;
    assert_true(broken > 0);
}

/* A push that fails for want of space leaves no trace: it is new later. */
static void queue_push_without_space_is_new_again(void **state)
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

/* The operation after the write of a push is its sync. */
static void queue_is_poisoned_by_a_failed_sync(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue;
    seenset_queue_item item = {0};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL), 0);
    *disk_faults_of(on) =
        (disk_faults){.fail_at = disk_operations(on) + 2, .error = EIO};
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), SEENSET_EIO);
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0),
                     SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_pop(queue, &item), SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_ack(queue, 1), SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_sync(queue), SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_close(queue), SEENSET_EPOISONED);
    disk_free(on);
}

static int fail_to_sync(void *context, int fd)
{
    (void)context, (void)fd;
    errno = EIO;
    return -1;
}

/* A file that was not synced is no checkpoint, and it is told. */
static void checkpoints_that_fail_are_told(void **state)
{
    (void)state;
    disk *on = disk_new();
    ss_io io = *disk_io(on);
    seenset_queue *queue = NULL;
    seenset_queue_item item = {0};
    seenset_queue_options options = {0};
    assert_int_equal(ss_queue_open(&io, &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    io.sync = fail_to_sync;
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_EIO);
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0),
                     SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_EPOISONED);
    assert_int_equal(seenset_queue_close(queue), SEENSET_EPOISONED);
    seenset_queue_item_free(&item);
    io = *disk_io(on);
    io.datasync = fail_to_sync;
    assert_int_equal(ss_queue_open(&io, &queue, DISK_FOLDER, &options),
                     SEENSET_EIO);
    disk_free(on);
}

/* An item that is handed out again is read again, and may not be readable. */
static void reading_again_may_fail_once(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_options options = {0};
    seenset_queue_item item = {0};
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_nack(queue, item.lease, 0), SEENSET_OK);
    disk_faults_of(on)->fail_at = disk_operations(on) + 1;
    disk_faults_of(on)->error = EIO;
    assert_int_equal(seenset_queue_pop(queue, &item), SEENSET_EIO);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_string_equal(item.url, "a");
    assert_int_equal(item.deliveries, 2);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_survives_eio),
        cmocka_unit_test(queue_survives_enospc),
        cmocka_unit_test(queue_survives_eintr),
        cmocka_unit_test(queue_survives_short_calls),
        cmocka_unit_test(a_lost_write_is_caught),
        cmocka_unit_test(queue_push_without_space_is_new_again),
        cmocka_unit_test(queue_is_poisoned_by_a_failed_sync),
        cmocka_unit_test(checkpoints_that_fail_are_told),
        cmocka_unit_test(reading_again_may_fail_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
