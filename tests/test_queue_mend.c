/*
 * test_queue_mend.c - a damaged queue whose disk fails while it is looked at
 * or repaired, at every operation once and for good. A verify never changes
 * anything; a repair that failed can be done again, and loses no item more
 * than one that did not.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "queue.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    ITEMS = 400,
    SEGMENT_BYTES = 4096
};

/* Several segments and a snapshot; two places damaged, one file cut. */
static disk *damaged_queue(void)
{
    disk *on = disk_new();
    seenset_queue *queue;
    seenset_queue_options options = {.durability = SEENSET_DURABILITY_EACH,
                                     .segment_bytes = SEGMENT_BYTES};
    size_t *size_bytes;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     0);
    for (int i = 0; i < ITEMS; i++) {
        char url[32];
        model_url(i, url);
        assert_int_equal(seenset_queue_push(queue, url, strlen(url), NULL, 0),
                         1);
        if (i == ITEMS / 2)
            assert_int_equal(seenset_queue_checkpoint(queue), 0);
    }
    disk *killed = disk_copy(on);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
    for (int i = 1; i <= 2; i++)
        disk_file(killed, disk_name(killed, "log-", i), &size_bytes)[1000] ^= 1;
    disk_file(killed, disk_name(killed, "log-", 3), &size_bytes);
    *size_bytes -= 100;
    return killed;
}

/* How many items come out; or the error of opening. */
static int count_items(disk *on)
{
    seenset_queue *queue;
    seenset_item item = {0};
    int count = 0;
    int error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL);
    if (error != SEENSET_OK)
        return error;
    while (seenset_queue_pop(queue, &item) == 1)
        count++;
    seenset_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), 0);
    return count;
}

static bool is_same(disk *a, disk *b)
{
    const char *name;
    for (int i = 0; (name = disk_name(a, "", i)) != NULL; i++) {
        size_t *a_bytes, *b_bytes = NULL;
        const uint8_t *ours = disk_file(a, name, &a_bytes);
        const uint8_t *others = disk_file(b, name, &b_bytes);
        if (b_bytes == NULL || *a_bytes != *b_bytes ||
            (*a_bytes > 0 && memcmp(ours, others, *a_bytes) != 0))
            return false;
    }
    return true;
}

/* A copy on which operation `at` fails, and perhaps all that follow. */
static disk *failing_copy(disk *damaged, long at, bool is_lasting)
{
    disk *on = disk_copy(damaged);
    *disk_faults_of(on) = (disk_faults){.fail_at = disk_operations(on) + at,
                                        .error = EIO,
                                        .is_lasting = is_lasting};
    return on;
}

static void mend(disk *on)
{
    seenset_queue_report report;
    *disk_faults_of(on) = (disk_faults){.fail_at = 0};
    (void)ss_queue_repair(disk_io(on), DISK_FOLDER, &report);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report), 0);
}

static void verify_changes_nothing_when_it_fails(void **state)
{
    (void)state;
    disk *damaged = damaged_queue();
    int failed = 0;
    for (int is_lasting = 0; is_lasting <= 1; is_lasting++) {
        int error = SEENSET_EIO;
        for (long at = 1; error != SEENSET_EDAMAGED && at < 10000; at++) {
            disk *on = failing_copy(damaged, at, is_lasting);
            seenset_queue_report report;
            error = ss_queue_verify(disk_io(on), DISK_FOLDER, &report);
            failed += error == SEENSET_EIO;
            assert_true(is_same(damaged, on));
            disk_free(on);
        }
        assert_int_equal(error, SEENSET_EDAMAGED);
    }
    assert_true(failed > 20);
    disk_free(damaged);
}

static void repair_can_be_done_again(void **state)
{
    (void)state;
    disk *damaged = damaged_queue();
    disk *repaired = disk_copy(damaged);
    assert_int_equal(count_items(repaired), SEENSET_EDAMAGED);
    mend(repaired);
    int items = count_items(repaired);
    assert_true(items > ITEMS - 20 && items < ITEMS);
    int failed = 0;
    for (int is_lasting = 0; is_lasting <= 1; is_lasting++) {
        int error = SEENSET_EIO;
        for (long at = 1; error != SEENSET_OK && at < 10000; at++) {
            disk *on = failing_copy(damaged, at, is_lasting);
            seenset_queue_report report;
            error = ss_queue_repair(disk_io(on), DISK_FOLDER, &report);
            failed += error != SEENSET_OK;
            mend(on);
            assert_int_equal(count_items(on), items);
            disk_free(on);
        }
        assert_int_equal(error, SEENSET_OK);
    }
    assert_true(failed > 40);
    disk_free(repaired);
    disk_free(damaged);
}

/* Planted: a file that was changed is seen to be. */
static void a_changed_file_is_caught(void **state)
{
    (void)state;
    disk *damaged = damaged_queue();
    disk *other = disk_copy(damaged);
    size_t *size_bytes;
    assert_true(is_same(damaged, other));
    disk_file(other, "MANIFEST", &size_bytes)[3] ^= 1;
    assert_false(is_same(damaged, other));
    disk_free(other);
    disk_free(damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_changes_nothing_when_it_fails),
        cmocka_unit_test(repair_can_be_done_again),
        cmocka_unit_test(a_changed_file_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
