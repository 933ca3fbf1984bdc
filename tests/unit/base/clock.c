/* clock.c - the system's clocks, and that everything goes by the one it
 * is given */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "queue/handle.h"
#include "queue_model.h"
#include "set/set.h"
#include "support.h"

static void clock_steady_never_goes_back(void **state)
{
    (void)state;
    uint64_t last = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t now = ss_clock_steady_ns(&ss_clock_system);
        assert_true(now >= last && now > 0);
        last = now;
    }
    /* within a day of what the clock says that stops in suspend, or later */
    struct timespec monotonic = ss_clock_deadline(0);
    assert_true(last / 1000000000 + 1 >= (uint64_t)monotonic.tv_sec);
}

/* 2020 to 2120: a machine that builds this has some idea of the year. */
static void clock_wall_is_of_this_century(void **state)
{
    (void)state;
    uint64_t now = ss_clock_wall_seconds(&ss_clock_system);
    assert_true(now > 1577836800 && now < 4733510400);
}

static void clock_boot_id_is_the_same_all_along(void **state)
{
    (void)state;
    uint8_t first[SS_CLOCK_BOOT_BYTES] = {0};
    uint8_t again[SS_CLOCK_BOOT_BYTES] = {0};
    uint8_t none[SS_CLOCK_BOOT_BYTES] = {0};
    errno = 77;
    bool is_known = ss_clock_boot_id(&ss_clock_system, first);
    assert_int_equal(errno, 77);
    assert_int_equal(ss_clock_boot_id(&ss_clock_system, again), is_known);
    assert_memory_equal(first, again, sizeof first);
    assert_int_equal(memcmp(first, none, sizeof none) != 0, is_known);
}

static void clock_deadline_carries_nanoseconds(void **state)
{
    (void)state;
    struct timespec before = ss_clock_deadline(0);
    struct timespec then = ss_clock_deadline(UINT64_C(3999999999));
    assert_in_range(then.tv_nsec, 0, 999999999);
    double waits = (double)(then.tv_sec - before.tv_sec) +
                   (double)(then.tv_nsec - before.tv_nsec) * 1e-9;
    assert_true(waits >= 3.999999998);
}

/* A queue's set goes by the clock of the queue's files, new or loaded. */
static void clock_of_a_queue_is_its_set_s(void **state)
{
    (void)state;
    disk *on = disk_new();
    for (int round = 0; round < 2; round++) {
        seenset_queue *queue = model_open(on, (seenset_queue_options){0});
        assert_ptr_equal(queue->seen.set.filter->clock, disk_io(on)->clock);
        assert_int_equal(queue->snapshots.sets.count > 0, round);
        assert_int_equal(seenset_queue_checkpoint(queue), 0);
        assert_int_equal(seenset_queue_close(queue), 0);
    }
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_steady_never_goes_back),
        cmocka_unit_test(clock_wall_is_of_this_century),
        cmocka_unit_test(clock_boot_id_is_the_same_all_along),
        cmocka_unit_test(clock_deadline_carries_nanoseconds),
        cmocka_unit_test(clock_of_a_queue_is_its_set_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
