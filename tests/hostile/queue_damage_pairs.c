/*
 * queue_damage_pairs.c - any two damages are repaired.
 *
 * Two things at a time happen to the files of a queue. The repair has to come
 * to its end, and what it leaves has to be sound, to open, and to hand out as
 * many items as it says; unless there is no log any more, or no manifest.
 *
 *     test_queue_damage_pairs [N]      each Nth pair; 16 by default, 1 for all
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_damage.h"
#include "queue/manifest.h"
#include "queue_model.h"

static int step = 16;

/* Is there nothing to repair: no log, or not what a queue is? */
static bool is_hopeless(disk *on)
{
    size_t *size_bytes;
    ss_manifest manifest;
    const uint8_t *bytes = disk_file(on, SS_FOLDER_MANIFEST, &size_bytes);
    return bytes == NULL || disk_name(on, SS_FOLDER_LOG, 0) == NULL ||
           ss_manifest_decode(&manifest, bytes, *size_bytes) != SEENSET_OK;
}

/* NULL, or what is wrong with a queue that was repaired. */
static const char *judge(disk *on)
{
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    seenset_queue_stats stats;
    const seenset_queue_options options = {.must_exist = 1};
    if (ss_queue_verify(disk_io(on), DISK_FOLDER, &report) != SEENSET_OK)
        return "is damaged";
    if (ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options) != SEENSET_OK)
        return "does not open";
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    int count = model_drain(queue, NULL);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return count < 0 || (uint64_t)count != stats.pending_items
               ? "has other items than it says"
               : NULL;
}

static const char *repair_and_judge(disk *on)
{
    seenset_queue_report report;
    int error = ss_queue_repair(disk_io(on), DISK_FOLDER, &report);
    if (is_hopeless(on))
        return error == SEENSET_OK ? "was repaired out of nothing" : NULL;
    return error == SEENSET_OK ? judge(on) : "was not repaired";
}

/* Does the nth of all damages, in the order of the files. */
static void damage(disk *on, int nth, char said[200])
{
    char what[DAMAGE_SAID_BYTES];
    const char *name = disk_name(on, "", nth / DAMAGE_COUNT);
    size_t used = strlen(said);
    snprintf(said + used, 200 - used, "%s ", name);
    used = strlen(said);
    if (damage_file(on, name, nth % DAMAGE_COUNT, what))
        snprintf(said + used, 200 - used, "%s; ", what);
}

/* How many pairs went wrong. */
static int try_pairs(disk *made)
{
    int wrong = 0, tried = 0, damages = DAMAGE_COUNT * disk_count(made, "");
    for (int i = 0; i < damages; i++) {
        for (int j = i % step; j < i; j += step, tried++) {
            char said[200] = "";
            disk *on = disk_copy(made);
            damage(on, i, said); /* files that come before keep their number */
            damage(on, j, said);
            const char *reason = repair_and_judge(on);
            if (reason != NULL && wrong++ < 10)
                print_message("%s%s\n", said, reason);
            disk_free(on);
        }
    }
    print_message("%d pairs\n", tried);
    assert_true(tried > 0);
    return wrong;
}

static void any_two_damages_are_repaired(void **state)
{
    (void)state;
    for (int i = 0; i < DAMAGE_QUEUES; i++) {
        disk *made = damage_queues[i].make();
        assert_int_equal(try_pairs(made), 0);
        disk_free(made);
    }
}

/* Planted: nobody repairs. */
static void damage_that_stays_is_seen(void **state)
{
    (void)state;
    char said[200] = "";
    disk *on = damage_queues[0].make();
    assert_null(judge(on));
    damage(on, DAMAGE_COUNT * disk_count(on, "") - 1, said);
    damage(on, DAMAGE_COUNT + 1, said);
    assert_non_null(judge(on));
    disk_free(on);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_two_damages_are_repaired),
        cmocka_unit_test(damage_that_stays_is_seen),
    };
    if (argc > 1)
        step = atoi(argv[1]);
    return step < 1 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
