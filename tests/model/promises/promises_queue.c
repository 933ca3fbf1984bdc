/*
 * promises_queue.c - the engine for queues; the idea is in promises.h.
 *
 * Some items are popped and given a fate: a long lease, a short one, a delay,
 * an ack. Then the queue is brought into its state, something happens to the
 * clocks, and for more than two hours whatever there is is popped and acked.
 * The table knows when each item may be handed out again, and when it must.
 * The disk is one in memory (queue_disk.h), which has the clocks as well.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdio.h>
#include <string.h>

#include "promises.h"
#include "queue/handle.h"
#include "queue_disk.h"

enum {
    MOST_ITEMS = 800,
    FEW_ITEMS = 20,
    STEP_SECONDS = 100,
    WATCH_SECONDS = 8000,
    REBOOT_SECONDS = 300
};

static const uint64_t second_ns = 1000000000;
static const uint64_t year_seconds = UINT64_C(365) * 24 * 3600;
static const uint64_t began_seconds = 1700000000;

/* What a URL is owed. */
typedef struct owed {
    bool is_done;         /* acked: never again */
    bool is_fated;        /* not before `from`, and at `until` at the latest */
    promise which;        /* the promise that an early return breaks */
    uint64_t from, until; /* true seconds since the start */
} owed;

typedef struct world {
    unsigned kind;
    promise_queue_state state;
    promise_time time;
    promise planted;
    promise_verdict *verdict;
    disk *on;
    seenset_queue *queue;
    seenset_queue_item item;
    uint64_t true_seconds; /* since the start */
    uint32_t count;
    owed items[MOST_ITEMS];
} world;

static void blame(world *of, promise which, const char *wrong)
{
    if (of->verdict->wrong[which] == NULL)
        of->verdict->wrong[which] = wrong;
}

/* ---- the queue ---- */

static void open_queue(world *of, double lease_seconds)
{
    bool is_grown = of->state == QUEUE_GROWN;
    seenset_queue_options options = {
        .set = &(const seenset_options){.fp_rate = 1e-9},
        .durability = (seenset_queue_durability)(of->kind +
                                                 SEENSET_QUEUE_DURABILITY_EACH),
        .lease_seconds = lease_seconds,
        .segment_bytes = is_grown ? 4096 : 0,
        .snapshot_bytes = is_grown ? 16384 : 0,
        .flags = SEENSET_QUEUE_KEEP_LEASES};
    assert_int_equal(
        ss_queue_open(disk_io(of->on), &of->queue, DISK_FOLDER, &options),
        SEENSET_OK);
}

static void pass(world *of, uint64_t seconds)
{
    of->true_seconds += seconds;
    if (of->planted != PROMISE_AGAIN) /* a clock that stands still */
        disk_pass_ns(of->on, seconds * second_ns);
}

static void push_all(world *of)
{
    char text[32];
    for (uint32_t i = 0; i < of->count; i++) {
        int length = snprintf(text, sizeof text, "http://a/%u", (unsigned)i);
        assert_int_equal(
            seenset_queue_push(of->queue, text, (size_t)length, NULL, 0), 1);
    }
}

/* The number of the next item, or UINT32_MAX. */
static uint32_t pop(world *of)
{
    char text[32] = "";
    unsigned number;
    int answer = seenset_queue_pop(of->queue, &of->item);
    assert_in_range(answer + 1, 1, 2);
    if (answer == 0)
        return UINT32_MAX;
    assert_true(of->item.url_len < sizeof text);
    memcpy(text, of->item.url, of->item.url_len);
    assert_int_equal(sscanf(text, "http://a/%u", &number), 1);
    assert_true(number < of->count);
    return number;
}

/* ---- fates ---- */

static void hold_for(world *of, promise which, uint64_t seconds)
{
    uint32_t n = pop(of);
    assert_true(n < of->count && !of->items[n].is_fated);
    of->items[n] = (owed){.is_fated = true,
                          .which = which,
                          .from = of->true_seconds + seconds,
                          .until = of->true_seconds + seconds};
    int error =
        which == PROMISE_DELAY
            ? seenset_queue_nack(of->queue, of->item.lease,
                                 &(const seenset_queue_nack_options){
                                     .delay_seconds = (double)seconds})
            : seenset_queue_extend(of->queue, of->item.lease, (double)seconds);
    assert_int_equal(error, SEENSET_OK);
}

static void ack_one(world *of)
{
    uint32_t n = pop(of);
    assert_true(n < of->count);
    assert_int_equal(seenset_queue_ack(of->queue, of->item.lease), SEENSET_OK);
    of->items[n].is_done = true;
}

static void give_fates(world *of)
{
    hold_for(of, PROMISE_LEASE, 3600);
    hold_for(of, PROMISE_DELAY, 600);
    hold_for(of, PROMISE_LEASE, 120);
    hold_for(of, PROMISE_DELAY, 7200);
    for (uint32_t i = 0; i < of->count / 4; i++)
        ack_one(of);
    assert_int_equal(seenset_queue_sync(of->queue), SEENSET_OK);
}

/* ---- states and times ---- */

/* Only what was acked is not handed out again, perhaps at once. */
static void void_leases(world *of)
{
    for (uint32_t i = 0; i < of->count; i++)
        of->items[i].from = 0;
}

static void set_clocks(world *of)
{
    uint64_t wall = began_seconds + of->true_seconds;
    switch (of->time) {
    case TIME_FORWARD:
        pass(of, 100);
        break;
    case TIME_BACK:
        disk_set_wall(of->on, wall - year_seconds);
        pass(of, 100);
        break;
    case TIME_AHEAD:
        disk_set_wall(of->on, wall + year_seconds);
        pass(of, 100);
        break;
    case TIME_REBOOT: /* how long it was down only the wall clock tells */
        of->true_seconds += REBOOT_SECONDS;
        disk_set_wall(of->on, wall + REBOOT_SECONDS);
        disk_set_boot(of->on, 2, 5 * second_ns);
        for (uint32_t i = 0; i < of->count; i++)
            of->items[i].until += REBOOT_SECONDS;
        break;
    default:
        break;
    }
}

static void close_queue(world *of)
{
    assert_int_equal(seenset_queue_close(of->queue), SEENSET_OK);
}

/* The handle ends without a word: the disk goes on as it was then. */
static void end_badly(world *of)
{
    disk *left =
        of->state == QUEUE_KILLED ? disk_copy(of->on) : disk_platters(of->on);
    close_queue(of);
    disk_free(of->on);
    of->on = left;
    void_leases(of);
}

static void change_state(world *of)
{
    bool is_lasting = of->state == QUEUE_ALONE || of->state == QUEUE_GROWN;
    if (of->state == QUEUE_REOPENED)
        close_queue(of);
    else if (!is_lasting)
        end_badly(of);
    set_clocks(of);
    if (!is_lasting)
        open_queue(of, 60);
}

/* ---- watching ---- */

static void judge_item(world *of, uint32_t n)
{
    owed *known = &of->items[n];
    if (known->is_done)
        blame(of, PROMISE_DELIVER, "an item is handed out that was acked");
    if (known->is_fated && of->true_seconds < known->from)
        blame(of, known->which,
              known->which == PROMISE_LEASE
                  ? "an item is handed out while somebody has its lease"
                  : "an item is handed out before its delay has passed");
    if (known->is_fated && of->true_seconds > known->until + STEP_SECONDS)
        blame(of, PROMISE_AGAIN, "an item comes back too late");
    known->is_done = true;
}

/* Every item that there is now; each by a command of its own, as it were, if
 * the queue is one that is reopened. */
static void pop_all(world *of)
{
    uint32_t n;
    if (of->state == QUEUE_REOPENED) {
        close_queue(of);
        open_queue(of, 60);
    }
    while ((n = pop(of)) != UINT32_MAX) {
        judge_item(of, n);
        assert_int_equal(seenset_queue_ack(of->queue, of->item.lease),
                         SEENSET_OK);
    }
}

static void plant(world *of)
{
    if (of->planted == PROMISE_LEASE || of->planted == PROMISE_DELAY)
        disk_pass_ns(of->on, 9000 * second_ns);
    if (of->planted == PROMISE_DELIVER) {
        (void)pop(of);
        (void)seenset_queue_ack(of->queue, of->item.lease);
    }
    if (of->planted == PROMISE_TALLY)
        (void)seenset_queue_push(of->queue, "http://a/1?", 11, NULL, 0);
}

static void judge_end(world *of)
{
    seenset_queue_stats stats;
    for (uint32_t i = 0; i < of->count; i++) {
        if (!of->items[i].is_done)
            blame(of,
                  of->items[i].is_fated &&
                          of->items[i].until < of->true_seconds - STEP_SECONDS
                      ? PROMISE_AGAIN
                      : PROMISE_DELIVER,
                  "an item was not handed out");
    }
    assert_int_equal(seenset_queue_get_stats(of->queue, &stats, sizeof stats),
                     SEENSET_OK);
    uint64_t left = stats.pending_items + stats.leased_items;
    if (stats.pushed_items != of->count ||
        stats.acked_items + left != stats.pushed_items)
        blame(of, PROMISE_TALLY, "the figures do not add up");
}

/* ---- a cell ---- */

const char *promise_skip_queue(promise_queue_state state, promise_time time)
{
    bool is_lasting = state == QUEUE_ALONE || state == QUEUE_GROWN;
    return time == TIME_REBOOT && is_lasting
               ? "what is in memory ends with the machine"
               : NULL;
}

void promise_run_queue(unsigned kind, promise_queue_state state,
                       promise_time time, promise planted,
                       promise_verdict *verdict)
{
    static world now; /* too large for a stack */
    world *of = &now;
    *of = (world){.kind = kind,
                  .state = state,
                  .time = time,
                  .planted = planted,
                  .verdict = verdict,
                  .on = disk_new(),
                  .count = state == QUEUE_GROWN ? MOST_ITEMS : FEW_ITEMS};
    if (state == QUEUE_KILLED || state == QUEUE_CUT)
        verdict->skipped[PROMISE_LEASE] = verdict->skipped[PROMISE_DELAY] =
            "leases end with a process that did not close its queue";
    disk_set_wall(of->on, began_seconds);
    disk_set_boot(of->on, 1, 1000000 * second_ns);
    open_queue(of, 60);
    push_all(of);
    give_fates(of);
    change_state(of);
    plant(of);
    while (of->true_seconds < WATCH_SECONDS) {
        pop_all(of);
        pass(of, STEP_SECONDS);
    }
    judge_end(of);
    close_queue(of);
    seenset_queue_item_free(&of->item);
    disk_free(of->on);
}
