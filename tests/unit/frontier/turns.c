/*
 * turns.c - whose turn it is, against a list of all hosts that is searched from
 * its begin to its end each time.
 *
 * A judge of its own sees each hand-out, and knows the promises: no host is
 * asked before its time, or more often at a time than it may be; none that is
 * ready waits while nothing is handed out; hosts take turns. Both hear of the
 * same random pushes, ends, delays and blocks, by a clock that the test moves.
 * Four faults are planted between turns.h and the judge, and each is seen.
 */
#include <stdlib.h>
#include <string.h>

#include "seenset/error.h"
#include "support.h"
#include "frontier/turns/turns.h"

enum {
    HOSTS = 60,
    STEPS = 60000,
    DELAY_MS = 1000
};

typedef enum fault {
    NO_FAULT,
    DELAY_IS_CUT,
    LIMIT_IS_IGNORED,
    HOST_IS_FORGOTTEN,
    ORDER_IS_WRONG
} fault;

/* A host, as the judge knows it. Turns are exact here: in ms, as numbers. */
typedef struct known {
    uint64_t items, leased, ready_ms, delay_ms;
    double turn;
} known;

typedef struct scene {
    ss_turns it;
    known hosts[HOSTS];
    uint64_t now_ms, most_leased, handed_out;
    double clock;
    bool is_from_start;
    fault planted;
    const char *wrong; /* the first promise that was broken */
    test_random random;
} scene;

/* ---- memory ---- */

static void *take(void *context, size_t size_bytes, size_t alignment_bytes)
{
    (void)alignment_bytes;
    size_t *left = context;
    if (left != NULL && (*left)-- == 0)
        return NULL;
    return malloc(size_bytes);
}

static void give(void *context, void *memory, size_t size_bytes)
{
    (void)context;
    (void)size_bytes;
    free(memory);
}

static const seenset_allocator plain = {take, give, NULL};

/* ---- the judge ---- */

static uint64_t hash_of(size_t host)
{
    return test_mix(host);
}

static size_t host_of(uint64_t hash)
{
    size_t host = 0;
    while (hash_of(host) != hash)
        host++;
    return host;
}

static bool may_be_asked(const scene *at, const known *one)
{
    return one->items > 0 && one->ready_ms <= at->now_ms &&
           one->leased < at->most_leased;
}

static double turn_of(const scene *at, const known *one)
{
    return one->turn > at->clock ? one->turn : at->clock;
}

static void broken(scene *at, const char *promise)
{
    if (at->wrong == NULL)
        at->wrong = promise;
}

/* The oldest turn of all that may be asked; false: none may. */
static bool oldest_turn(const scene *at, double *turn)
{
    bool is_any = false;
    for (size_t i = 0; i < HOSTS; i++) {
        const known *one = &at->hosts[i];
        if (!may_be_asked(at, one) || (is_any && turn_of(at, one) >= *turn))
            continue;
        *turn = turn_of(at, one);
        is_any = true;
    }
    return is_any;
}

static void judge_none(scene *at)
{
    double turn;
    if (oldest_turn(at, &turn))
        broken(at, "a host that is ready is not asked");
}

/* Turns of the room are in 1/128, rounded up, so exact ones agree if the delays
 * are multiples of that. */
static void judge(scene *at, size_t host)
{
    known *one = &at->hosts[host];
    double oldest = 0;
    if (one->ready_ms > at->now_ms)
        broken(at, "a host is asked too early");
    if (one->leased >= at->most_leased)
        broken(at, "a host is asked too often at a time");
    if (one->items == 0)
        broken(at, "a host without items is asked");
    if (oldest_turn(at, &oldest) && turn_of(at, one) > oldest)
        broken(at, "it was the turn of another host");
    at->clock = turn_of(at, one);
    one->turn = at->clock + (double)one->delay_ms;
    one->items--;
    one->leased++;
    at->handed_out++;
    if (at->is_from_start && one->ready_ms < at->now_ms + one->delay_ms)
        one->ready_ms = at->now_ms + one->delay_ms;
}

/* ---- what happens to both ---- */

static uint32_t number_of(scene *at, size_t host)
{
    uint32_t number = ss_hosts_find(&at->it.all, hash_of(host));
    if (number == SS_HOSTS_NONE)
        assert_int_equal(ss_turns_add(&at->it, hash_of(host), &number),
                         SEENSET_OK);
    return number;
}

static uint64_t delay_of(const scene *at, size_t host)
{
    uint64_t delay = at->hosts[host].delay_ms;
    return at->planted == DELAY_IS_CUT ? delay / 2 : delay;
}

static void push(scene *at, size_t host)
{
    uint64_t count = 1 + test_random_below(&at->random, 5);
    at->hosts[host].items += count;
    if (at->planted == HOST_IS_FORGOTTEN && host == 7)
        return;
    ss_turns_set_items(&at->it, number_of(at, host), true);
}

static void hand_out(scene *at)
{
    uint32_t number = ss_turns_first(&at->it, at->now_ms);
    if (number == SS_HOSTS_NONE) {
        judge_none(at);
        return;
    }
    if (at->planted == ORDER_IS_WRONG && at->it.ready.count > 1)
        number = ss_host_queue_at(&at->it.ready, at->it.ready.count - 1);
    size_t host = host_of(ss_turns_host(&at->it, number)->hash);
    uint64_t delay_ms = delay_of(at, host);
    judge(at, host);
    ss_turns_hand_out(&at->it, number, at->now_ms, delay_ms);
    if (at->hosts[host].items == 0)
        ss_turns_set_items(&at->it, number, false);
}

/* A lease ends, now or a while ago; one that was not tried counts for nothing;
 * the item may come back. */
static void end(scene *at, size_t host)
{
    known *one = &at->hosts[host];
    if (one->leased == 0)
        return;
    uint64_t end_ms = at->now_ms - test_random_below(&at->random, 300);
    bool is_tried = test_random_below(&at->random, 8) > 0;
    ss_turns_end(&at->it, number_of(at, host), end_ms, delay_of(at, host),
                 is_tried);
    one->leased--;
    if (is_tried && !at->is_from_start &&
        one->ready_ms < end_ms + one->delay_ms)
        one->ready_ms = end_ms + one->delay_ms;
    if (test_random_below(&at->random, 4) == 0) {
        one->items++;
        ss_turns_set_items(&at->it, number_of(at, host), true);
    }
}

/* A host gets a delay of its own, for as long as it is known. */
static void slow_down(scene *at, size_t host)
{
    static const uint64_t delays[] = {250, 1000, 1500, 4000};
    at->hosts[host].delay_ms = delays[test_random_below(&at->random, 4)];
}

static void block(scene *at, size_t host)
{
    uint64_t until = at->now_ms + test_random_below(&at->random, 20000);
    ss_turns_set_ready(&at->it, number_of(at, host), until);
    at->hosts[host].ready_ms = until;
}

static void forget(void *context, ss_host_row *row)
{
    scene *at = context;
    known *one = &at->hosts[host_of(row->hash)];
    if (one->leased > 0 || one->ready_ms > at->now_ms ||
        (one->items > 0 && at->planted != HOST_IS_FORGOTTEN))
        broken(at, "a host is forgotten too early");
    one->turn = 0;
}

static void step(scene *at)
{
    size_t host = (size_t)test_random_below(&at->random, HOSTS);
    switch (test_random_below(&at->random, 12)) {
    case 0:
    case 1:
        push(at, host);
        break;
    case 2:
        at->now_ms += test_random_below(&at->random, 200);
        break;
    case 3:
        if (test_random_below(&at->random, 40) == 0)
            block(at, host);
        break;
    case 4:
        if (test_random_below(&at->random, 40) == 0)
            slow_down(at, host);
        break;
    case 5:
        (void)ss_turns_forget_idle(&at->it, at->now_ms, forget, at);
        break;
    case 6: /* a clock that is set back a little */
        if (test_random_below(&at->random, 100) == 0)
            at->now_ms -= 50;
        break;
    case 7:
    case 8:
        hand_out(at);
        break;
    default:
        end(at, host);
        break;
    }
}

/* What a heap promises: each row knows where it is, and none comes after those
 * below it. */
static void check_heap(const ss_turns *it, const ss_host_queue *queue,
                       int where)
{
    for (uint32_t i = 0; i < queue->count; i++) {
        const ss_host_row *row = ss_turns_host(it, ss_host_queue_at(queue, i));
        const ss_host_row *above = ss_turns_host(
            it, ss_host_queue_at(queue, (i - (i > 0)) / SS_HEAP_FAN));
        assert_int_equal(row->heap_at, i);
        assert_int_equal(row->place, where);
        if (queue->is_by_turn)
            assert_true(above->turn - it->order.clocks[0] <=
                        row->turn - it->order.clocks[0]);
        else
            assert_true(above->ready_ms <= row->ready_ms);
    }
}

static void check(const ss_turns *it)
{
    check_heap(it, &it->waits, SS_HOST_WAITS);
    check_heap(it, &it->ready, SS_HOST_READY);
    check_heap(it, &it->idle, SS_HOST_IDLE);
    for (uint32_t i = 0; i < it->all.used; i++) {
        const ss_host_row *row = ss_turns_host(it, i);
        if (row->place != SS_HOST_UNUSED)
            assert_int_equal(ss_hosts_find(&it->all, row->hash), i);
    }
}

/* Runs a crawl, and returns the promise that was broken, or NULL. */
static const char *crawl(uint64_t seed, uint64_t most_leased, bool from_start,
                         fault planted)
{
    scene at = {.now_ms = 1000000,
                .most_leased = most_leased,
                .is_from_start = from_start,
                .planted = planted,
                .random = {seed}};
    ss_turns_init(&at.it, &plain);
    at.it.delay_ms = DELAY_MS;
    at.it.is_from_start = from_start;
    at.it.most_leased = (uint32_t)(most_leased + (planted == LIMIT_IS_IGNORED));
    at.it.order.clocks[0] = UINT32_MAX - 2000; /* it wraps */
    for (size_t i = 0; i < HOSTS; i++)
        at.hosts[i].delay_ms = DELAY_MS;
    for (int i = 0; i < STEPS && at.wrong == NULL; i++) {
        step(&at);
        if (i % 500 == 0)
            check(&at.it);
    }
    if (planted == NO_FAULT)
        assert_true(at.handed_out > STEPS / 20);
    ss_turns_free(&at.it);
    return at.wrong;
}

static void no_promise_is_broken(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (uint64_t most = 1; most <= 3; most++)
            for (int from_start = 0; from_start < 2; from_start++) {
                const char *wrong = crawl(seed, most, from_start, NO_FAULT);
                if (wrong != NULL)
                    fail_msg("seed %d, at most %d, from %s: %s", (int)seed,
                             (int)most, from_start ? "start" : "end", wrong);
            }
}

/* Each fault, and the promise that it breaks. */
static void the_judge_sees_each_fault(void **state)
{
    static const struct {
        fault planted;
        const char *promise;
    } rows[] = {{DELAY_IS_CUT, "a host is asked too early"},
                {LIMIT_IS_IGNORED, "a host is asked too often at a time"},
                {HOST_IS_FORGOTTEN, "a host that is ready is not asked"},
                {ORDER_IS_WRONG, "it was the turn of another host"}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        const char *wrong = crawl(3, 1, false, rows[i].planted);
        assert_non_null(wrong);
        assert_string_equal(wrong, rows[i].promise);
    }
}

/* ---- turns, by example ---- */

typedef struct shares {
    uint64_t asked[HOSTS];
} shares;

/* So many seconds of a crawler that asks 20 times a second, each host always
 * having items; a fetch takes no time. */
static void run_for(ss_turns *it, const uint64_t *delays, uint64_t seconds,
                    shares *out)
{
    memset(out, 0, sizeof *out);
    for (uint64_t now = 0; now < 1000 * seconds; now += 50) {
        uint32_t number = ss_turns_first(it, now);
        if (number == SS_HOSTS_NONE)
            continue;
        size_t host = host_of(ss_turns_host(it, number)->hash);
        out->asked[host]++;
        ss_turns_hand_out(it, number, now, delays[host]);
        ss_turns_end(it, number, now, delays[host], true);
    }
}

/* With hosts for 40 hand-outs a second and 20 of them, each gets half of what
 * it may, also one of 1.5 s among those of 1 s. */
static void shares_are_by_delay(void **state)
{
    uint64_t delays[40];
    ss_turns it;
    shares out;
    (void)state;
    ss_turns_init(&it, &plain);
    it.delay_ms = DELAY_MS;
    for (size_t i = 0; i < 40; i++) {
        uint32_t number;
        delays[i] = i < 10 ? 1500 : 1000;
        assert_int_equal(ss_turns_add(&it, hash_of(i), &number), SEENSET_OK);
        ss_turns_set_items(&it, number, true);
    }
    run_for(&it, delays, 600, &out);
    uint64_t slow = out.asked[0], quick = out.asked[39];
    assert_true(test_is_near((double)quick / (double)slow, 1.5, 0.02));
    for (size_t i = 0; i < 40; i++)
        assert_true(out.asked[i] + 1 >= (i < 10 ? slow : quick) &&
                    out.asked[i] <= (i < 10 ? slow : quick) + 1);
    ss_turns_free(&it);
}

/* A host that comes after 1,000 hand-outs to another is asked next. */
static void late_hosts_do_not_wait(void **state)
{
    ss_turns it;
    uint32_t early, late;
    (void)state;
    ss_turns_init(&it, &plain);
    assert_int_equal(ss_turns_add(&it, 1, &early), SEENSET_OK);
    ss_turns_set_items(&it, early, true);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(ss_turns_first(&it, 5), early);
        ss_turns_hand_out(&it, early, 5, 0);
        assert_int_equal(ss_turns_first(&it, 5), SS_HOSTS_NONE);
        ss_turns_end(&it, early, 5, 0, true);
    }
    assert_int_equal(ss_turns_add(&it, 2, &late), SEENSET_OK);
    ss_turns_set_items(&it, late, true);
    assert_int_equal(ss_turns_first(&it, 5), late);
    ss_turns_free(&it);
}

/* A turn is so far after the clock as it is set; a host that is removed is
 * gone. */
static void turns_can_be_set(void **state)
{
    ss_turns it;
    uint32_t first, second;
    (void)state;
    ss_turns_init(&it, &plain);
    it.order.clocks[0] = UINT32_MAX - 5;
    assert_int_equal(ss_turns_add(&it, 1, &first), SEENSET_OK);
    assert_int_equal(ss_turns_add(&it, 2, &second), SEENSET_OK);
    assert_int_equal(ss_turns_lead(&it, first), 0);
    ss_turns_set_lead(&it, first, 100);
    assert_int_equal(ss_turns_lead(&it, first), 100);
    ss_turns_set_items(&it, first, true);
    ss_turns_set_items(&it, second, true);
    assert_int_equal(ss_turns_first(&it, 5), second);
    ss_turns_remove(&it, second);
    assert_int_equal(ss_hosts_find(&it.all, 2), SS_HOSTS_NONE);
    assert_int_equal(ss_turns_first(&it, 5), first);
    ss_turns_free(&it);
}

/* Without memory a host is not added, and all others stay. */
static void without_memory_nothing_changes(void **state)
{
    (void)state;
    for (size_t blocks = 0; blocks < 17; blocks++) {
        size_t left = blocks;
        const seenset_allocator few = {take, give, &left};
        ss_turns it;
        uint32_t number;
        uint64_t count = 0;
        ss_turns_init(&it, &few);
        while (count < 200 &&
               ss_turns_add(&it, test_mix(count), &number) == 0) {
            ss_turns_set_items(&it, number, true);
            count++;
        }
        check(&it);
        assert_int_equal(it.all.count, count);
        assert_int_equal(count, blocks < 12 ? 0 : blocks < 15 ? 128 : 200);
        ss_turns_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_promise_is_broken),
        cmocka_unit_test(the_judge_sees_each_fault),
        cmocka_unit_test(shares_are_by_delay),
        cmocka_unit_test(late_hosts_do_not_wait),
        cmocka_unit_test(turns_can_be_set),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
