/*
 * queue_delays.c - delayed items, of which most are in files, beside a table
 * that always has them in memory.
 *
 * The table has each item's state and due time. Random calls are made on both,
 * on a disk whose clocks move and restart: what is handed out, listed, looked
 * at and counted is compared. Segments are small, so four delayed items of a
 * priority are enough for a file (queue/delayed.h).
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "queue_disk.h"
#include "queue_model.h"

enum {
    ITEMS = 600,
    LANES = 3,
    STEPS = 1500,
    SEEDS = 12
};

#define SECOND UINT64_C(1000000000)

typedef enum kind {
    NOT_PUSHED,
    NEW,
    OUT,
    DELAYED,
    DONE
} kind;

typedef struct row {
    kind is;
    unsigned lane;
    uint64_t due_ns, lease;
    uint32_t deliveries;
} row;

typedef struct world {
    test_random random;
    disk *on;
    seenset_queue *queue;
    seenset_queue_options options;
    bool has_lanes, may_boot, may_end;
    row rows[ITEMS];
    int count;
    uint64_t now_ns, wall;
    uint8_t boot;
    uint64_t opened_ns;          /* what was overdue then has no order */
    int runs, most_runs, merged; /* that were seen */
} world;

static int below(world *of, uint64_t limit)
{
    return (int)test_random_below(&of->random, limit);
}

/* ---- the table ---- */

static bool is_due(const world *of, const row *item)
{
    return (item->is == DELAYED || item->is == OUT) &&
           item->due_ns <= of->now_ns;
}

static bool was_overdue(const world *of, const row *item)
{
    return is_due(of, item) && item->due_ns <= of->opened_ns;
}

/* Does the first come before the other? */
static bool is_before(const world *of, const row *a, const row *b)
{
    if (a->lane != b->lane)
        return a->lane > b->lane;
    if (is_due(of, a) != is_due(of, b))
        return is_due(of, a);
    if (is_due(of, a) && a->due_ns != b->due_ns)
        return a->due_ns < b->due_ns;
    return a < b;
}

/* May it come where the other is wanted? In a polite queue those that are due
 * at the same time are in the order in which they were given back. */
static bool may_be_for(const world *of, const row *got, const row *wanted)
{
    return got == wanted ||
           (of->options.politeness != NULL && is_due(of, got) &&
            is_due(of, wanted) && got->due_ns == wanted->due_ns);
}

static row *first_row(world *of)
{
    row *first = NULL;
    for (int i = 0; i < of->count; i++) {
        row *at = &of->rows[i];
        if ((at->is == NEW || is_due(of, at)) &&
            (first == NULL || is_before(of, at, first)))
            first = at;
    }
    return first;
}

static int count_of(const world *of, kind is, bool not_due)
{
    int count = 0;
    for (int i = 0; i < of->count; i++)
        count += of->rows[i].is == is && !(not_due && is_due(of, &of->rows[i]));
    return count;
}

static row *any_out(world *of)
{
    int out = count_of(of, OUT, true);
    if (out == 0)
        return NULL;
    int chosen = below(of, (uint64_t)out);
    for (int i = 0;; i++)
        if (of->rows[i].is == OUT && !is_due(of, &of->rows[i]) && chosen-- == 0)
            return &of->rows[i];
}

/* ---- the calls ---- */

static void push_some(world *of)
{
    for (int i = 0; i < 3 && of->count < ITEMS; i++) {
        char url[32];
        uint8_t answer;
        unsigned lane = of->has_lanes ? (unsigned)below(of, LANES) : 0;
        const seenset_queue_push_options options = {.priority = lane};
        model_url(of->count, url);
        const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
        assert_int_equal(
            seenset_queue_push_many(of->queue, &entry, 1, &options, &answer),
            SEENSET_OK);
        of->rows[of->count++] = (row){.is = NEW, .lane = lane};
    }
}

static void pop_one(world *of)
{
    seenset_queue_item item = {0};
    row *wanted = first_row(of);
    int result = seenset_queue_pop(of->queue, &item);
    assert_int_equal(result, wanted != NULL);
    if (wanted == NULL)
        return;
    row *got = &of->rows[item.number];
    assert_int_equal(got->lane, wanted->lane);
    if (was_overdue(of, wanted))
        assert_true(was_overdue(of, got));
    else
        assert_true(may_be_for(of, got, wanted));
    assert_int_equal(item.deliveries, got->deliveries + 1);
    *got = (row){.is = OUT,
                 .lane = got->lane,
                 .due_ns = of->now_ns + 60 * SECOND,
                 .lease = item.lease,
                 .deliveries = got->deliveries + 1};
    seenset_queue_item_free(&item);
}

static void ack_one(world *of)
{
    row *at = any_out(of);
    if (at == NULL)
        return;
    assert_int_equal(seenset_queue_ack(of->queue, at->lease), SEENSET_OK);
    at->is = DONE;
}

static void nack_one(world *of)
{
    static const uint32_t ways[] = {0, SEENSET_QUEUE_UNTRIED,
                                    SEENSET_QUEUE_VISITED};
    row *at = any_out(of);
    if (at == NULL)
        return;
    uint32_t way = ways[below(of, 3)];
    int delay = below(of, 8) == 0 ? 0 : below(of, 300);
    const seenset_queue_nack_options how = {.delay_seconds = delay,
                                            .flags = way};
    assert_int_equal(seenset_queue_nack(of->queue, at->lease, &how),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_ack(of->queue, at->lease), SEENSET_ELEASE);
    at->is = DELAYED;
    at->due_ns = of->now_ns + (uint64_t)delay * SECOND;
    at->deliveries -= way == SEENSET_QUEUE_UNTRIED;
    if (way == SEENSET_QUEUE_VISITED)
        at->deliveries = 0;
}

static void pass(world *of)
{
    uint64_t seconds = (uint64_t)below(of, 20);
    disk_pass_ns(of->on, seconds * SECOND);
    of->now_ns += seconds * SECOND;
    of->wall += seconds;
}

static void verify_copy(world *of)
{
    seenset_queue_report report = {0};
    const seenset_queue_options options = {.report = &report};
    disk *copy = disk_copy(of->on);
    if (ss_queue_verify(disk_io(copy), DISK_FOLDER, &options) != SEENSET_OK)
        fail_msg("%s: %s", report.file, report.reason);
    disk_free(copy);
}

static void open_queue(world *of, bool keeps)
{
    seenset_queue_options options = of->options;
    options.flags |= keeps ? SEENSET_QUEUE_KEEP_LEASES : 0;
    int files = disk_count(of->on, SS_FOLDER_DELAYED);
    of->queue = model_open(of->on, options);
    /* one that was closed has left none that no state names */
    assert_int_equal(disk_count(of->on, SS_FOLDER_DELAYED), files);
    of->opened_ns = of->now_ns;
    for (int i = 0; i < of->count && !keeps; i++)
        if (of->rows[i].is != DONE)
            of->rows[i] = (row){.is = NEW, .lane = of->rows[i].lane};
    verify_copy(of);
    if (!keeps) /* an opening alone writes nothing */
        assert_int_equal(seenset_queue_save_leases(of->queue), SEENSET_OK);
}

static void close_queue(world *of)
{
    assert_int_equal(seenset_queue_close(of->queue), SEENSET_OK);
    of->queue = NULL;
}

/* The clocks begin again; what is left of each time goes on. */
static void boot(world *of)
{
    uint64_t passed = (uint64_t)below(of, 60), then_ns = of->now_ns;
    of->wall += passed;
    of->boot = (uint8_t)(of->boot % 100 + 1);
    of->now_ns = SECOND * (uint64_t)(1 + below(of, 50));
    disk_set_boot(of->on, of->boot, of->now_ns);
    disk_set_wall(of->on, of->wall);
    for (int i = 0; i < of->count; i++) {
        row *at = &of->rows[i];
        uint64_t left = at->due_ns > then_ns ? at->due_ns - then_ns : 0;
        left = left > passed * SECOND ? left - passed * SECOND : 0;
        at->due_ns = of->now_ns + left;
    }
}

static void open_again(world *of)
{
    int chance = below(of, 10);
    close_queue(of);
    if (chance < 3 && of->may_boot)
        boot(of);
    open_queue(of, chance < 7 || !of->may_end);
}

/* ---- what it shows ---- */

static void compare_stats(world *of)
{
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(of->queue, &stats, sizeof stats),
                     SEENSET_OK);
    int out = count_of(of, OUT, true);
    assert_int_equal(stats.delayed_items, count_of(of, DELAYED, true));
    assert_int_equal(stats.leased_items, out);
    assert_int_equal(stats.acked_items, count_of(of, DONE, false));
    assert_int_equal(stats.pending_items,
                     of->count - out - count_of(of, DONE, false));
    uint64_t next_ns = UINT64_MAX;
    for (int i = 0; i < of->count; i++) {
        const row *at = &of->rows[i];
        if ((at->is == OUT || at->is == DELAYED) && !is_due(of, at) &&
            at->due_ns < next_ns)
            next_ns = at->due_ns;
    }
    if (next_ns == UINT64_MAX)
        assert_true(isinf(stats.seconds_to_due));
    else
        assert_true(fabs(stats.seconds_to_due -
                         (double)(next_ns - of->now_ns) / 1e9) < 1e-6);
}

typedef struct listing {
    world *of;
    int count, last;
} listing;

static int compare_listed(void *context, const seenset_queue_listed *shown)
{
    listing *at = context;
    const world *of = at->of;
    const row *item = &of->rows[shown->number];
    bool is_other = is_due(of, item) || item->is == NEW;
    assert_int_equal(model_number(shown->url, shown->url_len), shown->number);
    assert_true(item->is != DONE && item->is != NOT_PUSHED);
    assert_int_equal(shown->priority, item->lane);
    assert_int_equal(shown->deliveries, item->deliveries);
    assert_int_equal(shown->state, is_other ? SEENSET_QUEUE_ITEM_WAITING
                                   : item->is == OUT
                                       ? SEENSET_QUEUE_ITEM_LEASED
                                       : SEENSET_QUEUE_ITEM_DELAYED);
    if (!is_other)
        assert_true(fabs(shown->seconds -
                         (double)(item->due_ns - of->now_ns) / 1e9) < 1e-6);
    at->count++;
    return 0;
}

static void compare_list(world *of)
{
    listing at = {.of = of};
    assert_int_equal(seenset_queue_list(of->queue, compare_listed, &at),
                     SEENSET_OK);
    assert_int_equal(at.count, of->count - count_of(of, DONE, false));
}

static void peek_one(world *of)
{
    seenset_queue_item item = {0};
    const row *wanted = first_row(of);
    assert_int_equal(seenset_queue_peek(of->queue, &item), wanted != NULL);
    if (wanted != NULL && !was_overdue(of, wanted))
        assert_true(may_be_for(of, &of->rows[item.number], wanted));
    if (wanted != NULL)
        assert_int_equal(item.deliveries, of->rows[item.number].deliveries);
    seenset_queue_item_free(&item);
}

/* What others see, as of the newest state, and whether all is sound. */
static void check_files(world *of)
{
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_save_leases(of->queue), SEENSET_OK);
    assert_int_equal(ss_queue_look(disk_io(of->on), DISK_FOLDER, NULL, &stats,
                                   sizeof stats, NULL, 0),
                     SEENSET_OK);
    assert_int_equal(stats.delayed_items, count_of(of, DELAYED, true));
    assert_int_equal(stats.leased_items, count_of(of, OUT, true));
    verify_copy(of);
}

static void note_runs(world *of)
{
    int runs = disk_count(of->on, SS_FOLDER_DELAYED);
    of->merged += runs < of->runs;
    of->runs = runs;
    of->most_runs = runs > of->most_runs ? runs : of->most_runs;
}

static void step(world *of)
{
    int chance = below(of, 100);
    if (chance < 8)
        push_some(of);
    else if (chance < 45)
        pop_one(of);
    else if (chance < 52)
        ack_one(of);
    else if (chance < 85)
        nack_one(of);
    else if (chance < 91)
        pass(of);
    else if (chance < 94)
        peek_one(of);
    else if (chance < 96)
        compare_stats(of);
    else if (chance < 97)
        compare_list(of);
    else if (chance < 98)
        check_files(of);
    else
        open_again(of);
    note_runs(of);
}

/* ---- the tests ---- */

static void begin_world(world *of, uint64_t seed, bool is_polite)
{
    *of = (world){.random = {seed},
                  .on = disk_new(),
                  .has_lanes = seed % 2 == 1,
                  .may_boot = seed % 3 == 1,
                  .may_end = seed % 4 < 2,
                  .wall = 1000000,
                  .boot = 1,
                  .now_ns = 5 * SECOND,
                  .options = {.set = &model_kinds[0].set,
                              .politeness = is_polite ? &model_at_once : NULL,
                              .segment_bytes = 4096,
                              .snapshot_bytes = 6000}};
    disk_set_boot(of->on, of->boot, of->now_ns);
    disk_set_wall(of->on, of->wall);
    open_queue(of, true);
}

/* After a kill what is not acked comes, once, and nothing else. */
static void kill_and_drain(world *of)
{
    int counts[MODEL_URLS] = {0};
    of->on = model_kill(of->on, of->queue);
    of->queue = model_open(of->on, of->options);
    of->on = model_kill(of->on, of->queue); /* it has removed some */
    open_queue(of, below(of, 2) == 0);
    disk_pass_ns(of->on, 1000 * SECOND);
    seenset_queue_options longer = of->options;
    longer.lease_seconds = 5000;
    close_queue(of);
    longer.flags |= SEENSET_QUEUE_KEEP_LEASES;
    of->queue = model_open(of->on, longer);
    assert_int_equal(model_drain(of->queue, counts),
                     of->count - count_of(of, DONE, false));
    for (int i = 0; i < of->count; i++)
        assert_int_equal(counts[i], of->rows[i].is != DONE);
    close_queue(of);
}

static void delay_as_the_table_does(bool is_polite)
{
    int merged = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        world of;
        begin_world(&of, seed, is_polite);
        for (int i = 0; i < STEPS; i++)
            step(&of);
        assert_true(of.most_runs > 3);
        merged += of.merged;
        kill_and_drain(&of);
        disk_free(of.on);
    }
    assert_true(merged > SEEDS);
}

static void queue_delays_as_the_table_does(void **state)
{
    (void)state;
    delay_as_the_table_does(false);
}

/* All items are of one host, for which nothing waits: so they come as in other
 * queues, and the log moves those that are in files. */
static void polite_queue_delays_as_the_table_does(void **state)
{
    (void)state;
    delay_as_the_table_does(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_delays_as_the_table_does),
        cmocka_unit_test(polite_queue_delays_as_the_table_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
