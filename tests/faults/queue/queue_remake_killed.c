/*
 * queue_remake_killed.c - a queue is made of another, and the process is
 * killed, the power ends, or an operation fails.
 *
 * The old queue is on one disk in memory, and the new one on another. After
 * each operation that changes the new disk, it is left as a kill leaves it, and
 * in several ways in which a power cut can. Each must be refused as a queue, or
 * be the whole one: with all items, and with all that was seen. Once the call
 * has returned, no power cut takes any of it back. If an operation fails, the
 * same holds, and the call works when it is made again. The old disk stays as
 * it was, byte for byte.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_model.h"
#include "queue_outage.h"

enum {
    IMAGES_A_CHANGE = 24,
    PENDING = MODEL_PAST_ITEMS - MODEL_PAST_POPPED + MODEL_PAST_POPPED / 3
};

/* Which queue is made of which. */
typedef struct remaking {
    disk *(*make)(void);
    const seenset_queue_politeness *to; /* NULL: as the old one */
} remaking;

static const seenset_queue_politeness not_polite = {
    .flags = SEENSET_QUEUE_NOT_POLITE};

static const remaking remakings[] = {{model_past, NULL},
                                     {model_past, &model_at_once},
                                     {model_polite_past, NULL},
                                     {model_polite_past, &not_polite}};

static int remake(const remaking *way, disk *from, disk *to)
{
    const seenset_queue_options wanted = {
        .set = &(const seenset_options){.capacity_items = 9000},
        .politeness = way->to};
    const seenset_queue_remake_options options = {.to = &wanted};
    seenset_queue_remade done;
    int error = ss_queue_remake(disk_io(from), DISK_FOLDER, disk_io(to),
                                DISK_FOLDER, &options, &done, sizeof done);
    if (error == SEENSET_OK) {
        assert_int_equal(done.moved_items, PENDING);
        assert_int_equal(done.is_seen_kept, 1);
    }
    return error;
}

/* NULL, or what the queue lacks. It is used up. */
static const char *check_whole(disk *on)
{
    static const seenset_queue_options exists = {.flags =
                                                     SEENSET_QUEUE_MUST_EXIST};
    int counts[MODEL_URLS] = {0};
    seenset_queue *queue;
    if (ss_queue_verify(disk_io(on), DISK_FOLDER, NULL) != SEENSET_OK)
        return "it is damaged";
    if (ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &exists) != SEENSET_OK)
        return "it does not open";
    int new_urls = model_push(queue, 0, MODEL_PAST_ITEMS);
    int total = model_drain(queue, counts);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    if (new_urls != 0)
        return "URLs that were seen are new";
    for (int i = 0; i < MODEL_PAST_ITEMS; i++) {
        bool is_acked = i < MODEL_PAST_POPPED && i % 3 != 0;
        if (counts[i] != (is_acked ? 0 : 1))
            return "an item is not there just once";
    }
    return total == PENDING ? NULL : "it has other items";
}

/* It is refused, by those who would make a queue, too, unless nothing was
 * begun. */
static const char *judge(void *context, disk *image)
{
    long *refused = context;
    seenset_queue *queue;
    seenset_queue_stats stats;
    if (disk_count(image, "MANIFEST") > 0 &&
        disk_count(image, "MANIFEST.tmp") < disk_count(image, "MANIFEST"))
        return check_whole(image);
    ++*refused;
    if (ss_queue_open(disk_io(image), &queue, DISK_FOLDER, NULL) != SEENSET_OK)
        return NULL;
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return stats.pushed_items == 0 ? NULL : "a part opens as a queue";
}

static const char *judge_done(void *context, disk *image)
{
    (void)context;
    return check_whole(image);
}

/* lies: planted, no sync of the new log does anything. */
static outage interrupt(const remaking *way, bool lies)
{
    long refused = 0;
    outage of = {.judge = judge,
                 .context = &refused,
                 .images_a_change = IMAGES_A_CHANGE,
                 .is_killed = true,
                 .seed = 1000003};
    disk *from = way->make(), *to = disk_new(), *before = disk_copy(from);
    disk_faults_of(to)->log_lies = lies;
    outage_begin(&of, to);
    assert_int_equal(remake(way, from, to), SEENSET_OK);
    outage_end(to);
    assert_true(of.changes > 10 && refused > 0 && refused < of.images);
    assert_true(disk_is_same(from, before));
    outage last = of;
    last.judge = judge_done;
    outage_cut(&last, to);
    disk_free(from);
    disk_free(before);
    disk_free(to);
    return last;
}

static void it_is_whole_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(remakings); i++) {
        outage of = interrupt(&remakings[i], false);
        if (of.wrong != NULL)
            fail_msg("row %zu: %s", i, of.wrong);
        printf("  %ld interrupted, of %ld changes\n", of.images, of.changes);
    }
}

static void a_log_that_is_not_synced_is_caught(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(remakings); i++)
        assert_true(interrupt(&remakings[i], true).broken > 0);
}

/* From the k-th operation on the new disk, one or all fail. */
static bool fails_at(const remaking *way, long k, bool is_lasting)
{
    disk *from = way->make(), *to = disk_new(), *before = disk_copy(from);
    *disk_faults_of(to) =
        (disk_faults){.fail_at = k, .error = ENOSPC, .is_lasting = is_lasting};
    int error = remake(way, from, to);
    bool is_reached = disk_operations(to) >= k;
    *disk_faults_of(to) = (disk_faults){0};
    assert_int_equal(disk_open_files(to), 0);
    assert_true(error == SEENSET_OK || error == SEENSET_EIO);
    if (error == SEENSET_EIO && disk_name(to, "MANIFEST", 0) == NULL) {
        error = remake(way, from, to);
        /* what could not be removed is in the way */
        assert_true(error == SEENSET_OK ||
                    (error == SEENSET_EDAMAGED && is_lasting));
    }
    if (error == SEENSET_OK)
        assert_null(check_whole(to));
    assert_true(disk_is_same(from, before));
    disk_free(from);
    disk_free(before);
    disk_free(to);
    return is_reached;
}

static void it_fails_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(remakings); i++) {
        long k = 1;
        while (fails_at(&remakings[i], k, false) &&
               fails_at(&remakings[i], k, true))
            k++;
        assert_true(k > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_whole_or_refused),
        cmocka_unit_test(a_log_that_is_not_synced_is_caught),
        cmocka_unit_test(it_fails_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
