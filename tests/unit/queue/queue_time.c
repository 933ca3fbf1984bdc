/*
 * queue_time.c - leases and delays as time passes: between processes,
 * across reboots, with a wall clock that is right, wrong or set back.
 *
 * One promise is behind all rows: an item that was leased or delayed for a
 * time is handed out again when that time is over, not before, whatever lease
 * the processes in between have. After a reboot the wall clock has a say, and
 * a wrong one can shorten the wait to nothing or make it last as long again as
 * was left; never longer.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "queue_model.h"

#define NS(seconds) ((uint64_t)(seconds)*UINT64_C(1000000000))

static seenset_queue *open_with(disk *on, double lease_seconds)
{
    return model_open(
        on, (seenset_queue_options){.lease_seconds = lease_seconds,
                                    .flags = SEENSET_QUEUE_KEEP_LEASES});
}

/* Pops; 1 and the lease, or 0. */
static int pop(seenset_queue *queue, uint64_t *lease)
{
    seenset_queue_item item = {0};
    int result = seenset_queue_pop(queue, &item);
    if (result == 1)
        *lease = item.lease;
    seenset_queue_item_free(&item);
    return result;
}

/* Is an item handed out by a process of now, which has a lease of its own? */
static int is_out(disk *on, double lease_seconds)
{
    uint64_t lease = 0;
    seenset_queue *queue = open_with(on, lease_seconds);
    int result = pop(queue, &lease);
    assert_int_equal(seenset_queue_close(queue), 0);
    return result;
}

typedef enum giving {
    LEASED,
    DELAYED,
    EXTENDED,
    GIVINGS
} giving;

/* One item that is out or delayed for so long; its lease, as far as it has
 * one. */
static uint64_t give(disk *on, giving how, double seconds)
{
    uint64_t lease = 0;
    seenset_queue *queue = open_with(on, how == LEASED ? seconds : 60);
    assert_int_equal(model_push(queue, 0, 1), 1);
    assert_int_equal(pop(queue, &lease), 1);
    if (how == DELAYED)
        assert_int_equal(seenset_queue_nack(queue, lease,
                                            &(const seenset_queue_nack_options){
                                                .delay_seconds = seconds}),
                         0);
    if (how == EXTENDED)
        assert_int_equal(seenset_queue_extend(queue, lease, seconds), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    return lease;
}

/* Others open the queue, change it and close it. */
static void visit(disk *on, int first_url, double lease_seconds)
{
    seenset_queue *queue = open_with(on, lease_seconds);
    uint64_t lease = 0;
    assert_int_equal(model_push(queue, first_url, first_url + 1), 1);
    assert_int_equal(pop(queue, &lease), 1);
    assert_int_equal(seenset_queue_ack(queue, lease), 0);
    assert_int_equal(pop(queue, &lease), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
}

/* ---- in one process ---- */

/* To the nanosecond. */
static void lease_ends_when_its_time_is_over(void **state)
{
    (void)state;
    disk *on = disk_new();
    uint64_t first = 0, second = 0, third = 0;
    seenset_queue *queue = open_with(on, 10);
    assert_int_equal(model_push(queue, 0, 1), 1);
    assert_int_equal(pop(queue, &first), 1);
    disk_pass_ns(on, NS(10) - 1);
    assert_int_equal(pop(queue, &second), 0);
    disk_pass_ns(on, 1);
    assert_int_equal(pop(queue, &second), 1);
    assert_int_equal(seenset_queue_ack(queue, first), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_extend(queue, second, 60), 0);
    disk_pass_ns(on, NS(60) - 1);
    assert_int_equal(pop(queue, &third), 0);
    assert_int_equal(seenset_queue_nack(queue, second,
                                        &(const seenset_queue_nack_options){
                                            .delay_seconds = 5}),
                     0);
    assert_int_equal(seenset_queue_ack(queue, second), SEENSET_ELEASE);
    disk_pass_ns(on, NS(5) - 1);
    assert_int_equal(pop(queue, &third), 0);
    disk_pass_ns(on, 1);
    assert_int_equal(pop(queue, &third), 1);
    disk_pass_ns(on, NS(11)); /* late, but nobody else has it */
    assert_int_equal(seenset_queue_ack(queue, third), 0);
    assert_int_equal(seenset_queue_ack(queue, third), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

/* Nothing is forecast of a rate that was not measured yet. */
static void forecast_needs_time_to_pass(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_stats stats;
    seenset_queue *queue = open_with(on, 60);
    assert_int_equal(model_push(queue, 0, 1), 1);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_true(isinf(stats.seconds_to_full));
    disk_pass_ns(on, NS(1));
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_true(stats.seconds_to_full > 0 && isfinite(stats.seconds_to_full));
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

/* ---- from one process to the next ---- */

/* An hour is an hour, whatever the leases of the processes in between. */
static void lease_lasts_as_long_as_it_was_given(void **state)
{
    static const double others[] = {0.001, 60, 1e6};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(others); i++) {
        for (giving how = LEASED; how < GIVINGS; how++) {
            disk *on = disk_new();
            (void)give(on, how, 3600);
            for (int visits = 0; visits < 36; visits++) {
                visit(on, 1 + visits, others[i]);
                disk_pass_ns(on, NS(100) - 1);
                assert_int_equal(is_out(on, others[i]), 0);
            }
            disk_pass_ns(on, 36);
            assert_int_equal(is_out(on, others[i]), 1);
            disk_free(on);
        }
    }
}

/* The first worker acks under its lease, when others would have ended it. */
static void lease_of_another_process_can_be_acked(void **state)
{
    (void)state;
    disk *on = disk_new();
    uint64_t lease = give(on, LEASED, 3600);
    visit(on, 1, 1);
    disk_pass_ns(on, NS(62));
    visit(on, 2, 1);
    seenset_queue *queue = open_with(on, 1);
    assert_int_equal(seenset_queue_ack(queue, lease), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_pass_ns(on, NS(7200));
    assert_int_equal(is_out(on, 1), 0);
    disk_free(on);
}

/* An ack that the disk had no room for leaves the lease as it was. */
static void lease_outlasts_a_failed_ack(void **state)
{
    (void)state;
    disk *on = disk_new();
    uint64_t lease = give(on, LEASED, 3600);
    seenset_queue *queue = open_with(on, 1);
    *disk_faults_of(on) =
        (disk_faults){.fail_at = disk_operations(on) + 1, .error = ENOSPC};
    assert_int_equal(seenset_queue_ack(queue, lease), SEENSET_EIO);
    *disk_faults_of(on) = (disk_faults){0};
    disk_pass_ns(on, NS(3599));
    uint64_t again = 0;
    assert_int_equal(pop(queue, &again), 0);
    disk_pass_ns(on, NS(1));
    assert_int_equal(pop(queue, &again), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

/* What was saved goes on although the process that saved it is killed. */
static void save_leases_outlives_a_kill(void **state)
{
    (void)state;
    disk *on = disk_new();
    uint64_t lease = 0;
    seenset_queue *queue = open_with(on, 3600);
    assert_int_equal(model_push(queue, 0, 3), 3);
    assert_int_equal(pop(queue, &lease), 1);
    assert_int_equal(seenset_queue_save_leases(queue), 0);
    long operations = disk_operations(on);
    assert_int_equal(seenset_queue_save_leases(queue), 0);
    assert_int_equal(disk_operations(on), operations); /* nothing changed */
    assert_int_equal(pop(queue, &lease), 1);
    disk *killed = disk_platters(on);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
    queue = open_with(killed, 60);
    seenset_queue_item item = {0};
    for (uint64_t number = 1; number < 3; number++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(item.number, number);
    }
    assert_int_equal(seenset_queue_pop(queue, &item), 0);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(killed);
}

/* A disk without room says so before anybody relies on the lease. */
static void save_leases_tells_of_a_full_disk(void **state)
{
    (void)state;
    disk *on = disk_new();
    uint64_t lease = 0;
    seenset_queue *queue = open_with(on, 3600);
    assert_int_equal(model_push(queue, 0, 1), 1);
    assert_int_equal(pop(queue, &lease), 1);
    *disk_faults_of(on) = (disk_faults){.fail_at = disk_operations(on) + 1,
                                        .error = ENOSPC,
                                        .is_lasting = true};
    assert_int_equal(seenset_queue_save_leases(queue), SEENSET_EIO);
    assert_int_equal(errno, ENOSPC);
    *disk_faults_of(on) = (disk_faults){0};
    assert_int_equal(seenset_queue_save_leases(queue), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(is_out(on, 60), 0);
    assert_int_equal(seenset_queue_save_leases(NULL), SEENSET_EINVAL);
    disk_free(on);
}

/* ---- across a reboot ---- */

enum {
    UP = 100000,     /* seconds that the machine was up for when it went down */
    GIVEN = 600,     /* of the lease or delay */
    BEFORE = 100,    /* of it, before the machine went down */
    WALL = 800000000 /* when that was */
};

typedef struct reboot {
    const char *what;
    int boot;          /* the boot after; 1 was before, 0: not known */
    int boot_before;   /* likewise */
    uint64_t up;       /* what the steady clock says after */
    int64_t wall_step; /* what the wall clock says more than before */
    uint64_t left;     /* seconds until the item comes */
} reboot;

/* The state is written when BEFORE seconds are gone, and 500 are left. */
static const reboot reboots[] = {
    {"at once", 2, 1, 5, 0, 500},
    {"down for three minutes", 2, 1, 5, 180, 320},
    {"down for longer than it had left", 2, 1, 5, 5000, 0},
    {"a clock a year ahead", 2, 1, 5, 31536000, 0},
    {"a clock set back by a year", 2, 1, 5, -31536000, 500},
    {"a clock without a battery", 2, 1, 5, -(int64_t)WALL, 500},
    {"up for longer than before", 2, 1, 10 * UP, 180, 320},
    {"a boot that is not known", 0, 0, 5, 180, 320},
    {"a boot that is known since", 2, 0, 5, 180, 320},
    {"no reboot", 1, 1, UP + 180, 180, 320},
    {"no reboot, and the clock was set back", 1, 1, UP + 180, -5000, 320},
    {"no reboot, and the clock was set ahead", 1, 1, UP + 180, 31536000, 320},
    {"a steady clock that went back all the same", 1, 1, 5, 180, 320},
};

static void check_reboot(const reboot *row, giving how)
{
    disk *on = disk_new();
    disk_set_wall(on, WALL - BEFORE);
    disk_set_boot(on, (uint8_t)row->boot_before, NS(UP - BEFORE));
    (void)give(on, how, GIVEN);
    disk_pass_ns(on, NS(BEFORE));
    visit(on, 1, 60);
    disk_set_wall(on, (uint64_t)(WALL + row->wall_step));
    disk_set_boot(on, (uint8_t)row->boot, NS(row->up));
    if (row->left > 0) {
        /* a visit writes down what is left, which is not counted twice */
        assert_int_equal(is_out(on, 60), 0);
        disk_pass_ns(on, NS(row->left) - 1);
        assert_int_equal(is_out(on, 60), 0);
        disk_pass_ns(on, 1);
    }
    assert_int_equal(is_out(on, 60), 1);
    disk_free(on);
}

static void lease_goes_on_after_a_reboot(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(reboots); i++) {
        print_message("%s\n", reboots[i].what);
        for (giving how = LEASED; how < GIVINGS; how++)
            check_reboot(&reboots[i], how);
    }
}

/* Reboots without end, with a clock that stays: what is left is never more
 * than it was, and what passes while the machine is up counts. */
static void lease_ends_through_many_reboots(void **state)
{
    (void)state;
    disk *on = disk_new();
    (void)give(on, LEASED, GIVEN);
    for (int boot = 2; boot < 7; boot++) {
        disk_set_wall(on, WALL);
        disk_set_boot(on, (uint8_t)boot, NS(5));
        assert_int_equal(is_out(on, 60), 0);
        disk_pass_ns(on, NS(100));
        visit(on, boot, 60);
    }
    disk_pass_ns(on, NS(100));
    assert_int_equal(is_out(on, 60), 1);
    disk_free(on);
}

/* ---- states that say what cannot be, or do not say when ---- */

enum {
    AT_DUE = 120 + 16, /* of the first entry */
    OLD_HEADER = 88,
    MOMENT = 32
};

static uint8_t *newest_state(disk *on, size_t **size_bytes)
{
    return disk_file(on, disk_last_name(on, "state-"), size_bytes);
}

static void seal(uint8_t *bytes, size_t size_bytes)
{
    ss_bits_store(bytes + size_bytes - 4, 4, ss_crc32c(bytes, size_bytes - 4));
}

/* A time that no call can have given is damage; the longest one is not. */
static void state_with_an_absurd_time_is_damage(void **state)
{
    (void)state;
    for (uint64_t over = 0; over < 2; over++) {
        disk *on = disk_new();
        size_t *size_bytes;
        (void)give(on, LEASED, GIVEN);
        uint8_t *bytes = newest_state(on, &size_bytes);
        uint64_t written = ss_bits_load(bytes + 104, 8);
        ss_bits_store(bytes + AT_DUE, 8, written + NS(1000000000) + over);
        seal(bytes, *size_bytes);
        seenset_queue_report report;
        assert_int_equal(
            ss_queue_verify(disk_io(on), DISK_FOLDER,
                            &(const seenset_queue_options){.report = &report}),
            over == 0 ? 0 : SEENSET_EDAMAGED);
        assert_int_equal(is_out(on, 60), (int)over);
        disk_free(on);
    }
}

/* A moment that lies anywhere keeps nobody longer than was left. */
static void state_of_any_moment_is_survived(void **state)
{
    (void)state;
    static const uint64_t moments[] = {0, 1, UINT64_MAX / 2, UINT64_MAX};
    for (size_t i = 0; i < TEST_COUNT(moments) * TEST_COUNT(moments); i++) {
        disk *on = disk_new();
        size_t *size_bytes;
        (void)give(on, LEASED, GIVEN);
        uint8_t *bytes = newest_state(on, &size_bytes);
        uint64_t steady_ns = moments[i % 4];
        ss_bits_store(bytes + 104, 8, steady_ns);
        ss_bits_store(bytes + 112, 8, moments[i / 4]);
        ss_bits_store(bytes + AT_DUE, 8, steady_ns);
        seal(bytes, *size_bytes);
        assert_int_equal(is_out(on, 60), 1);
        disk_free(on);
    }
}

/* As older libraries wrote it: no item waits for more than a lease. */
static void state_of_version_1_is_cut_to_a_lease(void **state)
{
    (void)state;
    disk *on = disk_new();
    size_t *size_bytes;
    disk_set_boot(on, 1, NS(UP));
    (void)give(on, LEASED, 3600);
    uint8_t *bytes = newest_state(on, &size_bytes);
    memmove(bytes + OLD_HEADER, bytes + OLD_HEADER + MOMENT,
            *size_bytes - OLD_HEADER - MOMENT);
    *size_bytes -= MOMENT;
    bytes[7] = 1;
    seal(bytes, *size_bytes);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL), 0);
    disk_set_boot(on, 2, NS(5));
    assert_int_equal(is_out(on, 60), 0);
    disk_pass_ns(on, NS(60) - 1);
    seenset_queue *queue = open_with(on, 1e-9);
    disk_pass_ns(on, 1);
    uint64_t lease = 0;
    assert_int_equal(pop(queue, &lease), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(newest_state(on, &size_bytes)[7], 2);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lease_ends_when_its_time_is_over),
        cmocka_unit_test(forecast_needs_time_to_pass),
        cmocka_unit_test(lease_lasts_as_long_as_it_was_given),
        cmocka_unit_test(lease_of_another_process_can_be_acked),
        cmocka_unit_test(lease_outlasts_a_failed_ack),
        cmocka_unit_test(save_leases_outlives_a_kill),
        cmocka_unit_test(save_leases_tells_of_a_full_disk),
        cmocka_unit_test(lease_goes_on_after_a_reboot),
        cmocka_unit_test(lease_ends_through_many_reboots),
        cmocka_unit_test(state_with_an_absurd_time_is_damage),
        cmocka_unit_test(state_of_any_moment_is_survived),
        cmocka_unit_test(state_of_version_1_is_cut_to_a_lease),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
