/*
 * queue_repair_killed.c - a repair that is killed, or that the power ends.
 *
 * A damaged queue with leases and acks is repaired on a disk in memory. After
 * each operation of the repair that changes the disk, it is left as a kill
 * leaves it, and in several ways in which a power cut can. In each the queue
 * must not open as something else than what the whole repair makes of it, and
 * repairing it again must come to just that: the same items are handed out,
 * each once, and the count of those still to come is right. Once the repair has
 * reported its success, no power cut takes any of it back.
 *
 *     test_queue_repair_killed [runs [images]]
 *
 * Each run has all damages there can be; 0, or none given: one run with the
 * single ones, and all at once. After each change there are so many images
 * (12).
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_model.h"
#include "queue_outage.h"

static int images_a_change = 12;

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
    for (size_t i = 0; i < 4; i++)
        disk_flip(on, disk_name(on, "log-", segment), at + i);
}

typedef disk *past(void);

static disk *damaged(int what, past *make)
{
    disk *on = make();
    int last = disk_count(on, "log-") - 1;
    assert_true(last >= 3);
    if ((what & EARLY) != 0)
        spoil(on, 0, 700);
    if ((what & LATE) != 0)
        spoil(on, 1, 3000);
    if ((what & SHORT) != 0)
        disk_cut(on, disk_name(on, "log-", 2), 400);
    if ((what & TAIL) != 0)
        disk_cut(on, disk_name(on, "log-", last), 200);
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

typedef struct mending {
    outcome whole; /* what the repair makes of it, uninterrupted */
    bool forgets;  /* planted: nobody knows that a repair was begun */
    long opened;
} mending;

/* A repair that was interrupted is done again. */
static const char *judge_half(void *context, disk *image)
{
    mending *of = context;
    outcome found;
    if (of->forgets)
        (void)disk_io(image)->unlink(image, DISK_FOLDER "/REPAIR");
    empty(image, &found);
    of->opened += found.total != SEENSET_EDAMAGED;
    if (found.total != SEENSET_EDAMAGED && !is_same(&found, &of->whole))
        return "it opened as another queue";
    if (ss_queue_repair(disk_io(image), DISK_FOLDER, NULL) != SEENSET_OK)
        return "it could not be repaired again";
    if (ss_queue_verify(disk_io(image), DISK_FOLDER, NULL) != SEENSET_OK)
        return "the repair left damage";
    empty(image, &found);
    return is_same(&found, &of->whole) ? NULL : "it became another queue";
}

/* A repair that has reported its success is one that a power cut leaves. */
static const char *judge_whole(void *context, disk *image)
{
    const mending *of = context;
    outcome found;
    empty(image, &found);
    return is_same(&found, &of->whole) ? NULL
                                       : "it was repaired, and not for good";
}

/* Repairs a queue with that damage, and again from wherever that may end. */
static outage repair_twice(int what, past *make, bool forgets, uint64_t seed)
{
    mending repaired = {.forgets = forgets};
    outage of = {.judge = judge_half,
                 .context = &repaired,
                 .images_a_change = images_a_change,
                 .is_killed = true,
                 .seed = seed * 1000003};
    disk *on = damaged(what, make), *whole = disk_copy(on);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                     SEENSET_EDAMAGED);
    assert_int_equal(ss_queue_repair(disk_io(whole), DISK_FOLDER, NULL), 0);
    empty(whole, &repaired.whole);
    assert_true(repaired.whole.total >
                MODEL_PAST_ITEMS - MODEL_PAST_POPPED - 30);
    assert_int_equal(repaired.whole.pending, repaired.whole.total);
    outage_begin(&of, on);
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
    outage_end(on);
    assert_true(forgets || (of.changes > 10 && repaired.opened > 0));
    outage last = of;
    last.judge = judge_whole;
    outage_cut(&last, on);
    of.broken = last.broken;
    of.wrong = last.wrong;
    disk_free(whole);
    disk_free(on);
    return of;
}

static void repair_all(uint64_t runs, past *make)
{
    long images = 0;
    for (uint64_t seed = 1; seed <= (runs == 0 ? 1 : runs); seed++) {
        for (int what = 1; what <= ALL; what++) {
            bool is_single = (what & (what - 1)) == 0;
            if (runs == 0 && !is_single && what != ALL)
                continue;
            outage of = repair_twice(what, make, false, seed);
            if (of.wrong != NULL)
                fail_msg("damage %d, seed %llu: %s", what,
                         (unsigned long long)seed, of.wrong);
            images += of.images;
        }
    }
    printf("  %ld interrupted repairs done again\n", images);
}

static void a_repair_can_end_anywhere(void **state)
{
    repair_all(*(const uint64_t *)*state, model_past);
}

static void a_repair_of_a_polite_queue_can(void **state)
{
    repair_all(*(const uint64_t *)*state, model_polite_past);
}

/* The set from before the hole and the state from behind it go together. */
static void try_older_set(past *make)
{
    outcome whole, found;
    char path[TEST_PATH_BYTES];
    disk *on = damaged(TAIL, make);
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
    empty(on, &whole);
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER,
             disk_last_name(on, "set-"));
    assert_int_equal(disk_io(on)->unlink(on, path), 0);
    assert_non_null(disk_name(on, "set-", 0));
    empty(on, &found);
    assert_true(is_same(&whole, &found));
    disk_free(on);
}

static void an_older_set_serves_after_a_repair(void **state)
{
    (void)state;
    try_older_set(model_past);
    try_older_set(model_polite_past);
}

/* Planted: without REPAIR, states that are older than the holes are believed.
 * What is pending in a polite queue follows from the log alone. */
static void a_forgotten_repair_is_caught(void **state)
{
    (void)state;
    assert_true(repair_twice(EARLY, model_past, true, 1).broken > 0);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    if (argc > 2)
        images_a_change = atoi(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_repair_can_end_anywhere, &runs),
        cmocka_unit_test_prestate(a_repair_of_a_polite_queue_can, &runs),
        cmocka_unit_test(an_older_set_serves_after_a_repair),
        cmocka_unit_test(a_forgotten_repair_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
