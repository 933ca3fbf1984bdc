/*
 * queue_repair_killed.c - a repair that is killed, or that the power ends.
 *
 * A damaged queue with leases and acks is repaired on a disk in memory. After
 * each operation of the repair that changes the disk, it is left as a kill
 * leaves it, and in several ways in which a power cut can. In each the queue
 * must not open as something else than what the whole repair makes of it, and
 * repairing it again must come to just that: the same items are handed out,
 * each once, and the count of those still to come is right. Once the repair has
 * told that it is done, no power cut takes any of it back.
 *
 *     test_queue_repair_killed [runs]  each with all damages there can be; else
 *                                    one with the single ones, and all at once
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    IMAGES_A_CHANGE = 12
};

/* ---- what happened to a queue ---- */

/* Damage: any of these. */
enum {
    EARLY = 1,   /* among items that are leased, and known to the state */
    LATE = 2,    /* among items that nobody has seen */
    SHORT = 4,   /* a file in the middle lost its end */
    TAIL = 8,    /* the last file did, and the state knows more */
    HEADER = 16, /* the header of a segment */
    ALL = 31
};

static void spoil(disk *on, int segment, size_t at)
{
    size_t *size_bytes;
    uint8_t *bytes = disk_file(on, disk_name(on, "log-", segment), &size_bytes);
    assert_true(at + 4 < *size_bytes);
    for (int i = 0; i < 4; i++)
        bytes[at + (size_t)i] ^= 0x55;
}

static void shorten(disk *on, int segment, size_t by)
{
    size_t *size_bytes;
    (void)disk_file(on, disk_name(on, "log-", segment), &size_bytes);
    assert_true(by < *size_bytes);
    *size_bytes -= by;
}

static disk *damaged(int what)
{
    disk *on = model_past();
    int last = disk_count(on, "log-") - 1;
    assert_true(last >= 3);
    if ((what & EARLY) != 0)
        spoil(on, 0, 700);
    if ((what & LATE) != 0)
        spoil(on, 1, 3000);
    if ((what & SHORT) != 0)
        shorten(on, 2, 400);
    if ((what & TAIL) != 0)
        shorten(on, last, 200);
    if ((what & HEADER) != 0)
        spoil(on, 1, 8);
    disk *safe = disk_copy(on); /* so it is on the platters too */
    disk_free(on);
    return safe;
}

/* ---- what comes out ---- */

typedef struct outcome {
    int counts[MODEL_URLS];
    int total; /* or the error */
    uint64_t pending;
} outcome;

/* Opens a copy of the queue and empties it; total is negative if it can't. */
static void empty(disk *from, outcome *out)
{
    disk *on = disk_copy(from);
    seenset_queue *queue;
    seenset_queue_stats stats;
    *out = (outcome){.total = 0};
    out->total = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL);
    if (out->total == SEENSET_OK) {
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         SEENSET_OK);
        out->pending = stats.pending_items;
        out->total = model_drain(queue, out->counts);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    }
    disk_free(on);
}

static bool is_same(const outcome *a, const outcome *b)
{
    return a->total == b->total && a->pending == b->pending &&
           memcmp(a->counts, b->counts, sizeof a->counts) == 0;
}

/* ---- interrupted ---- */

typedef struct interruption {
    outcome whole; /* what the repair makes of it, uninterrupted */
    uint64_t seed;
    bool forgets; /* planted: nobody knows that a repair was begun */
    long changes, images, opened, broken;
    const char *wrong;
} interruption;

static const char *judge(const interruption *of, disk *image, long *opened)
{
    outcome found;
    seenset_queue_report report;
    empty(image, &found);
    *opened += found.total != SEENSET_EDAMAGED;
    if (found.total != SEENSET_EDAMAGED && !is_same(&found, &of->whole))
        return "it opened as another queue";
    if (ss_queue_repair(disk_io(image), DISK_FOLDER, &report) != SEENSET_OK)
        return "it could not be repaired again";
    if (ss_queue_verify(disk_io(image), DISK_FOLDER, &report) != SEENSET_OK)
        return "the repair left damage";
    empty(image, &found);
    return is_same(&found, &of->whole) ? NULL : "it became another queue";
}

/* Uses the image up. */
static void try_image(interruption *of, disk *image)
{
    if (of->forgets)
        (void)disk_io(image)->unlink(image, DISK_FOLDER "/REPAIR");
    const char *wrong = judge(of, image, &of->opened);
    of->images++;
    of->broken += wrong != NULL;
    if (of->wrong == NULL)
        of->wrong = wrong;
    disk_free(image);
}

static void interrupt(void *context, disk *changed)
{
    interruption *of = context;
    of->changes++;
    try_image(of, disk_copy(changed));
    for (int i = 0; i < IMAGES_A_CHANGE; i++)
        try_image(of, disk_image(changed, of->seed++));
}

/* A repair that has told of its success is one that a power cut leaves. */
static void try_power(interruption *of, const disk *repaired)
{
    for (int i = 0; i < IMAGES_A_CHANGE; i++) {
        outcome found;
        disk *image = disk_image(repaired, of->seed++);
        empty(image, &found);
        if (!is_same(&found, &of->whole)) {
            of->broken++;
            of->wrong = "it was repaired, and not for good";
        }
        disk_free(image);
    }
}

/* Repairs a queue with that damage, and again from wherever that may end. */
static interruption repair_twice(int what, bool forgets, uint64_t seed)
{
    seenset_queue_report report;
    interruption of = {.seed = seed * 1000003, .forgets = forgets};
    disk *on = damaged(what), *whole = disk_copy(on);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_EDAMAGED);
    assert_int_equal(ss_queue_repair(disk_io(whole), DISK_FOLDER, NULL), 0);
    empty(whole, &of.whole);
    assert_true(of.whole.total > MODEL_PAST_ITEMS - MODEL_PAST_POPPED - 30);
    assert_int_equal(of.whole.pending, of.whole.total);
    disk_watch(on, interrupt, &of);
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
    disk_watch(on, NULL, NULL);
    try_power(&of, on);
    disk_free(whole);
    disk_free(on);
    return of;
}

static void a_repair_can_end_anywhere(void **state)
{
    uint64_t runs = *(const uint64_t *)*state;
    long images = 0;
    for (uint64_t seed = 1; seed <= (runs == 0 ? 1 : runs); seed++) {
        for (int what = 1; what <= ALL; what++) {
            bool is_single = (what & (what - 1)) == 0;
            if (runs == 0 && !is_single && what != ALL)
                continue;
            interruption of = repair_twice(what, false, seed);
            if (of.wrong != NULL)
                fail_msg("damage %d, seed %llu: %s", what,
                         (unsigned long long)seed, of.wrong);
            assert_true(of.changes > 10 && of.opened > 0);
            images += of.images;
        }
    }
    printf("  %ld interrupted repairs done again\n", images);
}

/* The set from before the hole and the state from behind it go together. */
static void an_older_set_serves_after_a_repair(void **state)
{
    (void)state;
    outcome whole, found;
    char path[TEST_PATH_BYTES];
    disk *on = damaged(TAIL);
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
    empty(on, &whole);
    const char *newest = disk_name(on, "set-", 0), *other;
    for (int i = 1; (other = disk_name(on, "set-", i)) != NULL; i++)
        newest = strcmp(newest, other) < 0 ? other : newest;
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, newest);
    assert_int_equal(disk_io(on)->unlink(on, path), 0);
    assert_non_null(disk_name(on, "set-", 0));
    empty(on, &found);
    assert_true(is_same(&whole, &found));
    disk_free(on);
}

/* Planted: without REPAIR, states that are older than the holes are believed.
 */
static void a_forgotten_repair_is_caught(void **state)
{
    (void)state;
    assert_true(repair_twice(EARLY, true, 1).broken > 0);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_repair_can_end_anywhere, &runs),
        cmocka_unit_test(an_older_set_serves_after_a_repair),
        cmocka_unit_test(a_forgotten_repair_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
