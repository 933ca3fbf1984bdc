/*
 * promises.c - the table of promises, run; the idea is in promises.h.
 *
 *     test_promises            a part of the cells, small ones: seconds
 *     test_promises whole      all of them, several times, larger
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "promises.h"

const char *const promise_names[PROMISES] = {
    "rate",  "never forgotten", "count", "window",  "memory", "saved whole",
    "lease", "delay",           "again", "deliver", "tally"};
const char *const promise_state_names[STATES] = {
    "alone", "full", "past", "reopened", "viewed", "merged"};
const char *const promise_time_names[TIMES] = {"still", "forward", "back",
                                               "ahead", "reboot"};

const char *const promise_queue_state_names[QUEUE_STATES] = {
    "alone", "grown", "reopened", "killed", "cut"};

static const uint8_t secret[SEENSET_SECRET_BYTES] = {3, 1, 4};

static const uint32_t factors[] = {31,     131,     1313,     13131,
                                   131313, 1313131, 10000019, 2147483647};
static const seenset_scheme_arguments seeded = {.seed = 7},
                                      java = {.seeds = factors,
                                              .seed_count = 8,
                                              .unit_bits = 16};

#define AGED .on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 1

const promise_kind promise_set_kinds[] = {
    {.name = "as made by NULL", .is_large = true},
    {.name = "blocked that grows", .options = {.fp_rate = 0.01}},
    {.name = "blocked of two lines", .options = {.fp_rate = 1e-5}},
    {.name = "blocked that degrades",
     .options = {.on_full = SEENSET_ON_FULL_DEGRADE}},
    {.name = "blocked that refuses",
     .options = {.on_full = SEENSET_ON_FULL_REFUSE}},
    {.name = "bloom that grows", .options = {.layout = SEENSET_LAYOUT_BLOOM}},
    {.name = "bloom that degrades",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_DEGRADE}},
    {.name = "bloom that refuses",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_REFUSE}},
    {.name = "window of keys", .options = {.on_full = SEENSET_ON_FULL_ROTATE}},
    {.name = "window of keys, bloom, two tables",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_ROTATE,
                 .window_generations = 2}},
    {.name = "window of hours", .options = {AGED}},
    {.name = "window of hours, bloom",
     .options = {AGED, .layout = SEENSET_LAYOUT_BLOOM}},
    {.name = "window of hours, two tables",
     .options = {AGED, .window_generations = 2}},
    {.name = "window of hours, keyed", .options = {AGED, .secret = secret}},
    {.name = "window of hours, sliding",
     .options = {AGED, .flags = SEENSET_FLAG_SLIDING}},
    {.name = "counting", .options = {.layout = SEENSET_LAYOUT_COUNTING}},
    {.name = "counting to 7",
     .options = {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 3}},
    {.name = "counting to 255 that refuses",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .on_full = SEENSET_ON_FULL_REFUSE,
                 .counter_bits = 8}},
    {.name = "fingerprints", .options = {.layout = SEENSET_LAYOUT_FINGERPRINT}},
    {.name = "fingerprints that refuse",
     .options = {.layout = SEENSET_LAYOUT_FINGERPRINT,
                 .on_full = SEENSET_ON_FULL_REFUSE}},
    {.name = "fingerprints, seeded",
     .options = {.layout = SEENSET_LAYOUT_FINGERPRINT,
                 .scheme_arguments = &seeded}},
    {.name = "split blocks that grow",
     .options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK}},
    {.name = "window of hours, split blocks",
     .options = {AGED, .layout = SEENSET_LAYOUT_SPLIT_BLOCK}},
    {.name = "shared split blocks that refuse",
     .options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                 .on_full = SEENSET_ON_FULL_REFUSE,
                 .flags = SEENSET_FLAG_SHARED}},
    {.name = "sealed", .is_sealed = true},
    {.name = "sealed and keyed",
     .options = {.secret = secret},
     .is_sealed = true},
    {.name = "shared", .options = {.flags = SEENSET_FLAG_SHARED}},
    {.name = "shared bloom that refuses",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_REFUSE,
                 .flags = SEENSET_FLAG_SHARED}},
    {.name = "keyed that grows", .options = {.secret = secret}},
    {.name = "seeded that grows", .options = {.scheme_arguments = &seeded}},
    {.name = "window of hours, seeded",
     .options = {AGED, .scheme_arguments = &seeded}},
    {.name = "shared bloom, seeded",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .flags = SEENSET_FLAG_SHARED,
                 .scheme_arguments = &seeded}},
    {.name = "sealed and seeded",
     .options = {.scheme_arguments = &seeded},
     .is_sealed = true},
    {.name = "of a scheme", .options = {.scheme = SEENSET_SCHEME_MURMUR3_128}},
    {.name = "of a scheme, seeded",
     .options = {.scheme = SEENSET_SCHEME_MURMUR2A_FNV1A,
                 .scheme_arguments = &seeded}},
    {.name = "counting, of a scheme, seeded",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .scheme = SEENSET_SCHEME_ENHANCED_DOUBLE,
                 .scheme_arguments = &seeded}},
    {.name = "of ClickHouse",
     .options = {.scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM}},
    {.name = "of ClickHouse's tokens, seeded",
     .options = {.scheme = SEENSET_SCHEME_CLICKHOUSE_TOKENBF,
                 .scheme_arguments = &seeded}},
    {.name = "polynomials of UTF-16",
     .options = {.scheme = SEENSET_SCHEME_POLYNOMIAL,
                 .scheme_arguments = &java}},
    {.name = "counting polynomials",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .scheme = SEENSET_SCHEME_POLYNOMIAL}},
};
const size_t promise_set_kind_count = TEST_COUNT(promise_set_kinds);

/* How much is run. */
typedef struct extent {
    unsigned step;  /* every step-th cell */
    unsigned seeds; /* how often each, with other keys */
    uint64_t capacity_items;
} extent;

static extent whole = {.step = 3, .seeds = 1, .capacity_items = 2000};

/* What was run, and what was left out. */
typedef struct tally {
    size_t cells, drawn, left_out;
    size_t judged[PROMISES];
    size_t broken;
} tally;

static void count(tally *all, const promise_verdict *verdict, promise first,
                  promise last, const char *kind, const char *state,
                  promise_time time)
{
    for (promise which = first; which <= last; which++) {
        if (verdict->skipped[which] != NULL)
            continue;
        all->judged[which]++;
        if (verdict->wrong[which] == NULL)
            continue;
        all->broken++;
        print_error("%s: %s, %s, %s: %s\n", promise_names[which], kind, state,
                    promise_time_names[time], verdict->wrong[which]);
    }
}

static void run_set_cell(tally *all, promise_cell cell)
{
    for (unsigned seed = 0; seed < whole.seeds; seed++) {
        promise_verdict verdict = {0};
        cell.seed = seed + 1;
        promise_run_set(&cell, &verdict);
        count(all, &verdict, PROMISE_RATE, PROMISE_SAVED, cell.kind->name,
              promise_state_names[cell.state], cell.time);
    }
}

/* Each kind in each state in each time, or those of them that are drawn. */
static tally run_sets(void)
{
    tally all = {0};
    for (size_t i = 0; i < promise_set_kind_count; i++) {
        for (int at = 0; at < STATES * TIMES; at++) {
            promise_cell cell = {.kind = &promise_set_kinds[i],
                                 .state = (promise_state)(at % STATES),
                                 .time = (promise_time)(at / STATES),
                                 .capacity_items = whole.capacity_items,
                                 .planted = PROMISES};
            if (promise_skip(&cell) != NULL) {
                all.left_out++;
                continue;
            }
            if (all.cells++ % whole.step == 0) {
                all.drawn++;
                run_set_cell(&all, cell);
            }
        }
    }
    return all;
}

static void sets_keep_their_promises(void **state)
{
    (void)state;
    tally all = run_sets();
    print_message("%zu of %zu cells, %zu left out\n", all.drawn, all.cells,
                  all.left_out);
    assert_int_equal(all.broken, 0);
    assert_int_equal(all.cells + all.left_out,
                     promise_set_kind_count * STATES * TIMES);
    /* 33 kinds without a clock in 6 states (sealed ones in 4), the aged with
     * one in 6 states and 4 times, and over a reboot */
    assert_int_equal(all.cells, 30 * 6 + 3 * 4 + 7 * (6 * 4 + 1));
    assert_int_equal(all.drawn, (all.cells + whole.step - 1) / whole.step);
}

/* ---- queues ---- */

static const char *const durability_names[PROMISE_DURABILITIES] = {
    "a queue, each", "a queue, interval", "a queue, none"};

static tally run_queues(void)
{
    tally all = {0};
    for (unsigned kind = 0; kind < PROMISE_DURABILITIES; kind++) {
        for (int at = 0; at < QUEUE_STATES * TIMES; at++) {
            promise_queue_state state =
                (promise_queue_state)(at % QUEUE_STATES);
            promise_time time = (promise_time)(at / QUEUE_STATES);
            promise_verdict verdict = {0};
            if (promise_skip_queue(state, time) != NULL) {
                all.left_out++;
                continue;
            }
            if (all.cells++ % whole.step != 0)
                continue;
            all.drawn++;
            promise_run_queue(kind, state, time, PROMISES, &verdict);
            count(&all, &verdict, PROMISE_LEASE, PROMISE_TALLY,
                  durability_names[kind], promise_queue_state_names[state],
                  time);
        }
    }
    return all;
}

static void queues_keep_their_promises(void **state)
{
    (void)state;
    tally all = run_queues();
    print_message("%zu of %zu cells, %zu left out\n", all.drawn, all.cells,
                  all.left_out);
    assert_int_equal(all.broken, 0);
    assert_int_equal(all.cells + all.left_out,
                     PROMISE_DURABILITIES * QUEUE_STATES * TIMES);
    /* a reboot ends what two of the states have in memory */
    assert_int_equal(all.left_out, PROMISE_DURABILITIES * 2);
    assert_int_equal(all.drawn, (all.cells + whole.step - 1) / whole.step);
}

/* ---- planted faults: one a promise, and it alone is the one that is seen ----
 */

static void broken_promises_of_sets_are_seen(void **state)
{
    (void)state;
    for (promise which = PROMISE_RATE; which <= PROMISE_SAVED; which++) {
        const promise_kind kind = {
            .name = "planted",
            .options = {.on_full = which == PROMISE_WINDOW
                                       ? SEENSET_ON_FULL_ROTATE
                                       : SEENSET_ON_FULL_DEGRADE,
                        .window_seconds = which == PROMISE_WINDOW}};
        promise_cell cell = {.kind = &kind,
                             .state = STATE_FULL,
                             .time = which == PROMISE_WINDOW ? TIME_FORWARD
                                                             : TIME_STILL,
                             .capacity_items = 2000,
                             .planted = PROMISES};
        promise_verdict sound = {0}, verdict = {0};
        promise_run_set(&cell, &sound);
        assert_null(sound.wrong[which]);
        cell.planted = which;
        promise_run_set(&cell, &verdict);
        if (verdict.wrong[which] == NULL)
            fail_msg("nobody saw a broken %s", promise_names[which]);
    }
}

static void broken_promises_of_queues_are_seen(void **state)
{
    (void)state;
    for (promise which = PROMISE_LEASE; which <= PROMISE_TALLY; which++) {
        promise_verdict verdict = {0};
        promise_run_queue(2, QUEUE_ALONE, TIME_FORWARD, which, &verdict);
        if (verdict.wrong[which] == NULL)
            fail_msg("nobody saw a broken %s", promise_names[which]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_promises_of_sets_are_seen),
        cmocka_unit_test(broken_promises_of_queues_are_seen),
        cmocka_unit_test(sets_keep_their_promises),
        cmocka_unit_test(queues_keep_their_promises),
    };
    if (argc > 1 && strcmp(argv[1], "whole") == 0)
        whole = (extent){.step = 1, .seeds = 4, .capacity_items = 20000};
    else if (argc > 1)
        whole.step = (unsigned)strtoul(argv[1], NULL, 10);
    return whole.step < 1 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
