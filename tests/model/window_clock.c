/*
 * window_clock.c - windows by age under clocks that are wrong at times,
 * against an oracle that knows the true time.
 *
 * The clock is true time and an error: it goes back, ahead, a year ahead, and
 * is right again, while keys are added and asked for. What must hold:
 *
 *     never early  a key that was added by a clock that was right is there for
 *                  W of true time, though the clock be put back any number of
 *                  times and right again
 *     never late   it is gone W + S after it was added, and no more than three
 *                  times that after the clock was last put anywhere
 *     the rate     of all that counts, promised, is never over p
 *
 * An error is seen by the set only when a key is added. From where the clock is
 * ahead, or moves forward and is still behind, the set cannot tell that from
 * time: then keys are owed nothing any more. After it was ahead, keys are owed
 * something again when it has been right for 3 (W + S): a start that is in the
 * future may count for so long, and the set takes a clock that then goes back
 * for the same clock, wrong again.
 */
#include <stdlib.h>

#include "set/set.h"
#include "window_support.h"

#define YEAR INT64_C(31536000)

enum {
    KEYS = 6000,
    ASKED = 80 /* of the last keys, and as many of any age, at each step */
};

typedef struct fact {
    uint64_t added_at; /* true time */
    bool is_owed;      /* W of true time */
} fact;

typedef struct oracle {
    test_random random;
    seenset *set;
    uint64_t window, span;
    uint64_t time;         /* the true one */
    int64_t error;         /* of the clock */
    int64_t seen_error;    /* at the last add */
    uint64_t changed_at;   /* the first add after the clock was changed */
    uint64_t added_at;     /* the last add */
    uint64_t right_from;   /* the first add since which the clock is right */
    bool was_ahead;        /* and not right for long since */
    uint64_t early, later; /* planted: seconds asked beyond the promises */
    uint64_t count;
    uint64_t asked_early, asked_late;
    bool is_so;
    fact facts[KEYS];
} oracle;

static uint64_t at_random(oracle *world, uint64_t limit)
{
    return test_random_below(&world->random, limit);
}

static void move_clock(oracle *world)
{
    int64_t window = (int64_t)world->window;
    switch (at_random(world, 8)) {
    case 0:
        world->error = -YEAR - (int64_t)at_random(world, 1000);
        break;
    case 1:
        world->error = YEAR + (int64_t)at_random(world, 1000);
        break;
    case 2:
        world->error = (int64_t)at_random(world, (uint64_t)window * 3 + 2);
        break;
    case 3:
        world->error = -(int64_t)at_random(world, (uint64_t)window * 3 + 2);
        break;
    default:
        world->error = 0;
    }
}

static void owe_nothing(oracle *world)
{
    for (uint64_t i = 0; i < world->count; i++)
        world->facts[i].is_owed = false;
}

/*
 * After the clock was ahead, time may come to where it was before the next add
 * drops what was added then: it cannot be told from a clock put right.
 */
static bool may_revive(const oracle *world)
{
    return world->was_ahead &&
           world->time - world->added_at >= world->window + world->span;
}

/* What an add tells the set of the clock. */
static void learn(oracle *world)
{
    bool is_forward = world->error > world->seen_error && world->error != 0;
    if (world->error > 0 || is_forward)
        owe_nothing(world);
    if (world->error > 0)
        world->was_ahead = true;
    if (world->error != world->seen_error || may_revive(world))
        world->changed_at = world->time;
    if (world->error != 0 || world->seen_error != 0)
        world->right_from = world->time;
    uint64_t settled = 3 * (world->window + world->span);
    if (world->error == 0 && world->time >= world->right_from + settled)
        world->was_ahead = false;
    world->seen_error = world->error;
    world->added_at = world->time;
}

/* Is a key that is owed due now, as far as the set can tell the time? */
static bool is_time_told(const oracle *world)
{
    return world->error == 0 || world->error <= world->seen_error;
}

static void ask(oracle *world, uint64_t i)
{
    const fact *key = &world->facts[i];
    uint64_t age = world->time - key->added_at;
    uint64_t kept = world->window + world->span;
    uint64_t since =
        key->added_at < world->changed_at ? world->changed_at : key->added_at;
    bool is_undisturbed =
        since >= world->changed_at + 3 * kept || world->changed_at == 0;
    int is_there = seenset_has_hash(world->set, test_mix(i));
    if (key->is_owed && age <= world->window + world->early &&
        world->error <= 0 && is_time_told(world)) {
        world->asked_early++;
        world->is_so &= is_there == 1;
    }
    if (world->error != 0 || world->seen_error != 0 || may_revive(world))
        return;
    uint64_t most = is_undisturbed ? kept : 3 * kept;
    if (world->time - since + world->later >= most) {
        world->asked_late++;
        world->is_so &= is_there == 0;
    }
}

static void ask_some(oracle *world)
{
    for (uint64_t i = 0; i < ASKED && i < world->count; i++) {
        ask(world, world->count - 1 - i);
        ask(world, at_random(world, world->count));
    }
}

static double promised(const oracle *world)
{
    double sum = 0;
    uint64_t kept = world->window + world->span;
    for (uint32_t i = 0; i < world->set->generation_count; i++) {
        const ss_generation *table = &world->set->generations[i];
        bool is_over = clock_seconds >= table->started_seconds &&
                       clock_seconds - table->started_seconds >= kept;
        sum += is_over ? 0 : table->fp_rate;
        assert_true(table->added_items <= table->capacity_items);
    }
    return sum;
}

/* Keys come in bursts that are over the plan at times. */
static void add_some(oracle *world)
{
    uint64_t count = at_random(world, 20) == 0 ? 60 : at_random(world, 3);
    for (uint64_t i = 0; i < count && world->count < KEYS; i++) {
        learn(world);
        uint64_t number = world->count++;
        world->facts[number] =
            (fact){world->time, world->error == 0 && !world->was_ahead};
        world->is_so &= seenset_add_hash(world->set, test_mix(number)) == 1;
        world->is_so &= promised(world) <= world->set->fp_rate * (1 + 1e-9);
    }
}

/* Does a window keep its promises in a world of `moves` moves of the clock in
 * a thousand steps? */
static bool keeps(uint64_t window, uint32_t tables, uint64_t seed,
                  uint64_t moves, uint64_t early, uint64_t later)
{
    static oracle world; /* 100 kB */
    world = (oracle){.random = {seed + window * 100 + tables},
                     .window = window,
                     .span = (window + tables - 2) / (tables - 1),
                     .time = 1700000000,
                     .early = early,
                     .later = later,
                     .is_so = true};
    clock_seconds = world.time;
    world.set = window_make((seenset_options){.capacity_items = 60,
                                              .fp_rate = 1e-9,
                                              .window_generations = tables,
                                              .window_seconds = window});
    while (world.count < KEYS && world.is_so) {
        uint64_t most = at_random(&world, 100) == 0 ? window * 4 : window / 8;
        world.time += at_random(&world, most + 2);
        if (at_random(&world, 1000) < moves)
            move_clock(&world);
        clock_seconds = (uint64_t)((int64_t)world.time + world.error);
        if (at_random(&world, 8) > 0)
            add_some(&world);
        ask_some(&world);
    }
    assert_true(!world.is_so ||
                (world.asked_early > 1000 && world.asked_late > 1000));
    seenset_free(world.set);
    return world.is_so;
}

static void windows_keep_time_whatever_the_clock_does(void **state)
{
    static const uint64_t windows[] = {1, 100, 3600, 86400};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(windows); i++) {
        for (uint32_t tables = 2; tables <= 20; tables = tables * 3 - 1) {
            assert_true(keeps(windows[i], tables, 1, 0, 0, 0));
            assert_true(keeps(windows[i], tables, 2, 5, 0, 0));
            assert_true(keeps(windows[i], tables, 3, 50, 0, 0));
        }
    }
    /* planted: keys are asked for longer, or gone sooner, than is promised */
    assert_false(keeps(3600, 5, 1, 0, 600, 0));
    assert_false(keeps(3600, 5, 1, 0, 0, 600));
    assert_false(keeps(3600, 5, 2, 20, 600, 0));
}

/* ---- what was seen in the field ---- */

static uint64_t add_new(seenset *set, uint64_t first, uint64_t count)
{
    uint64_t news = 0;
    for (uint64_t i = first; i < first + count; i++)
        news += seenset_add_hash(set, test_mix(i)) == 1;
    return news;
}

/* The clock was ahead by `ahead` in one run, then right for ever. */
static void check_after_ahead(uint64_t ahead)
{
    enum {
        RUNS = 25,
        KEYS_A_RUN = 20000
    };
    clock_seconds = 1700000000 + ahead;
    seenset *set = window_make((seenset_options){
        .capacity_items = 50000, .fp_rate = 1e-6, .window_seconds = 3600});
    uint64_t news = add_new(set, 0, KEYS_A_RUN);
    clock_seconds -= ahead;
    for (uint64_t run = 1; run < RUNS; run++) {
        clock_seconds += 7200;
        news += add_new(set, run * KEYS_A_RUN, KEYS_A_RUN);
        if (run > 4) {
            assert_true(set->generation_count <= 3);
            assert_int_equal(seenset_has_hash(set, test_mix(1)), 0);
        }
    }
    /* half a key is expected to be missing; 30 have a chance under 1e-9 */
    assert_true(news > RUNS * KEYS_A_RUN - 30);
    seenset_free(set);
}

static void windows_go_on_after_a_clock_ahead(void **state)
{
    (void)state;
    check_after_ahead((uint64_t)YEAR);
    check_after_ahead(3600);
    check_after_ahead(0);
}

/* A start that cannot be: the year 584 billion, and what is kept of it. */
static void windows_take_any_stamp(void **state)
{
    static const uint64_t starts[] = {UINT64_MAX, UINT64_MAX - 1,
                                      UINT64_C(1) << 63};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(starts); i++) {
        clock_seconds = 1700000000;
        seenset *set = window_make((seenset_options){.window_seconds = 1000});
        set->generations[0].started_seconds = starts[i];
        assert_int_equal(seenset_add(set, "a", 1), 1);
        clock_seconds += 1249;
        assert_int_equal(seenset_has(set, "a", 1), 1);
        clock_seconds += 1;
        assert_int_equal(seenset_has(set, "a", 1), 0);
        assert_int_equal(seenset_add(set, "a", 1), 1);
        assert_int_equal(set->generation_count, 1);
        assert_int_equal(set->generations[0].started_seconds, clock_seconds);
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_keep_time_whatever_the_clock_does),
        cmocka_unit_test(windows_go_on_after_a_clock_ahead),
        cmocka_unit_test(windows_take_any_stamp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
