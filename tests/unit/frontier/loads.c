/*
 * loads.c - what a frontier keeps of each host, against a table that has room
 * for all of it; and how many bytes that takes.
 *
 * Items begin before the number from which on they have no room in a load, and
 * go beyond it. One host has more items than there is room for, and others have
 * items in several lanes, settings, or both.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "frontier/frontier.h"

enum {
    HOSTS = 12,
    STEPS = 60000,
    MOST_WAITING = 30000,
    LANES = 3,
    RECORD_BYTES = 10,
    MANY_HOSTS = 100000
};

#define FIRST_ITEM ((UINT64_C(1) << 38) - 30000)
#define WORD_OF(host) test_mix(host)

/* Items in the order of their hand-out. */
typedef struct line {
    uint64_t items[MOST_WAITING];
    int first, end;
} line;

/* A host, as the test knows it. */
typedef struct known {
    line fresh[LANES], again[LANES];
    uint64_t items, taken;
    bool has_own;
} known;

/* An item that was handed out. */
typedef struct handed {
    uint64_t item;
    int host;
    unsigned lane;
} handed;

typedef struct scene {
    ss_frontier *frontier;
    known hosts[HOSTS];
    handed out[MOST_WAITING];
    int out_count;
    uint64_t next_item, linked;
    bool has_budget;
    test_random random;
} scene;

static int below(scene *at, uint64_t limit)
{
    return (int)test_random_below(&at->random, limit);
}

static uint32_t number_of(scene *at, int host)
{
    uint32_t number;
    assert_int_equal(
        ss_frontier_need(at->frontier, WORD_OF((uint64_t)host), &number), 0);
    return number;
}

static bool is_empty(const line *of)
{
    return of->first == of->end;
}

static ss_ends ends_of(const line *of)
{
    if (is_empty(of))
        return (ss_ends){SS_LINK_END, SS_LINK_END};
    return (ss_ends){of->items[of->first], of->items[of->end - 1]};
}

/* ---- what happens to both ---- */

/* Half of all go to one host, whose lane is 0: it gets more than 16,384. */
static void push(scene *at)
{
    int host = below(at, 2) * below(at, HOSTS);
    unsigned lane = host % 4 == 0 ? 0 : (unsigned)below(at, LANES);
    uint32_t number = number_of(at, host);
    known *of = &at->hosts[host];
    uint64_t item = at->next_item;
    bool is_undone = below(at, 10) == 0;
    assert_int_equal(ss_frontier_reserve(at->frontier, number, item), 0);
    ss_frontier_push(at->frontier, lane, item, (ss_span){item, RECORD_BYTES},
                     true);
    if (is_undone) {
        assert_int_equal(ss_frontier_roll_back(at->frontier, item, item + 1),
                         0);
        return;
    }
    at->next_item++;
    of->fresh[lane].items[of->fresh[lane].end++] = item;
    of->items++;
    of->taken += at->has_budget;
    assert_int_equal(ss_frontier_link(at->frontier, at->next_item, UINT64_MAX),
                     0);
}

/* The best line of a host, or NULL: its items are of that lane. */
static line *best_of(known *of, unsigned *lane, bool *is_again)
{
    for (unsigned i = LANES; i > 0; i--) {
        *lane = i - 1;
        *is_again = !is_empty(&of->again[i - 1]);
        if (*is_again)
            return &of->again[i - 1];
        if (!is_empty(&of->fresh[i - 1]))
            return &of->fresh[i - 1];
    }
    return NULL;
}

static void hand_out(scene *at, int host)
{
    ss_link link;
    ss_front front;
    unsigned lane = 0;
    bool is_again = false;
    uint32_t number = number_of(at, host);
    line *best = best_of(&at->hosts[host], &lane, &is_again);
    assert_int_equal(ss_frontier_best(at->frontier, number, &front),
                     best != NULL);
    if (best == NULL)
        return;
    assert_true(front.item == best->items[best->first]);
    assert_int_equal(front.lane, lane);
    assert_int_equal(front.is_again, is_again);
    best->first++;
    at->out[at->out_count++] = (handed){front.item, host, lane};
    if (is_again) {
        ss_frontier_set_again(at->frontier, number, lane, ends_of(best));
        return;
    }
    assert_int_equal(ss_frontier_reserve_again(at->frontier, MOST_WAITING), 0);
    assert_int_equal(ss_links_read(&at->frontier->links, front.item, &link), 0);
    ss_frontier_take(at->frontier, number, lane, &link);
}

/* One that was handed out comes back, or is done. */
static void end(scene *at, bool is_done)
{
    if (at->out_count == 0)
        return;
    int index = below(at, (uint64_t)at->out_count);
    const handed one = at->out[index];
    uint32_t number = number_of(at, one.host);
    line *again = &at->hosts[one.host].again[one.lane];
    at->out[index] = at->out[--at->out_count];
    if (is_done) {
        ss_frontier_done(at->frontier, number, one.item,
                         (ss_span){one.item, RECORD_BYTES});
        at->hosts[one.host].items--;
        return;
    }
    again->items[again->end++] = one.item;
    ss_frontier_set_again(at->frontier, number, one.lane, ends_of(again));
}

static void set_own(scene *at, int host, bool has_own)
{
    uint32_t number = number_of(at, host);
    ss_host_own *own = ss_frontier_make_own(at->frontier, "name", 4);
    assert_non_null(own);
    assert_int_equal(ss_frontier_need_rest(at->frontier, number), 0);
    ss_frontier_pin(at->frontier, number);
    own->delay_ms = has_own ? 5000 : SS_FRONTIER_USUAL;
    ss_frontier_set_own(at->frontier, number, own);
    ss_frontier_unpin(at->frontier, number);
    at->hosts[host].has_own = has_own;
}

static void check(scene *at)
{
    for (int i = 0; i < HOSTS; i++) {
        known *of = &at->hosts[i];
        uint32_t number = number_of(at, i);
        assert_true(ss_frontier_items(at->frontier, number) == of->items);
        assert_true(ss_frontier_taken(at->frontier, number) == of->taken);
        assert_int_equal(ss_frontier_own(at->frontier, number) != NULL,
                         of->has_own);
        assert_int_equal(ss_frontier_delay_ms(at->frontier, number),
                         of->has_own ? 5000 : 1000);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const ss_ends ends =
                ss_load_chain(ss_frontier_load(at->frontier, number), lane);
            const ss_ends wanted = ends_of(&of->fresh[lane]);
            assert_true(ends.first == wanted.first && ends.last == wanted.last);
        }
    }
}

static void step(scene *at)
{
    int what = below(at, 20), host = below(at, HOSTS);
    if (what < 16)
        push(at);
    else if (what < 18)
        hand_out(at, host);
    else
        end(at, what == 18);
    if (below(at, 200) == 0)
        set_own(at, host, below(at, 2) == 0);
}

/* Until nothing is left, and nothing is kept but what is counted. */
static void finish(scene *at)
{
    for (int host = 0; host < HOSTS; host++) {
        while (at->hosts[host].items > 0) {
            hand_out(at, host);
            end(at, true);
        }
        set_own(at, host, false);
    }
    check(at);
    assert_int_equal(at->frontier->rest_bytes, 0);
    assert_int_equal(at->frontier->again.count, 0);
    ss_frontier_forget(at->frontier, UINT64_MAX);
    assert_int_equal(at->frontier->turns.all.count, at->has_budget ? HOSTS : 0);
}

static void init(scene *at, const test_memory *memory, bool has_budget)
{
    ss_memory own;
    const ss_frontier_rules rules = {.delay_ms = 1000,
                                     .budget = has_budget ? UINT32_MAX
                                                          : SS_FRONTIER_ANY,
                                     .host_leases = 65535};
    memset(at, 0, sizeof *at);
    at->next_item = FIRST_ITEM;
    at->has_budget = has_budget;
    at->random = (test_random){7};
    assert_int_equal(ss_memory_init(&own, &memory->allocator), 0);
    at->frontier = ss_frontier_new(&own, &rules, NULL);
    assert_non_null(at->frontier);
}

static void loads_are_as_a_table(void **state)
{
    static scene at;
    (void)state;
    for (int has_budget = 0; has_budget < 2; has_budget++) {
        test_memory memory;
        uint64_t most_items = 0, most_rest = 0;
        test_memory_init(&memory);
        init(&at, &memory, has_budget == 1);
        for (int i = 0; i < STEPS; i++) {
            step(&at);
            if (i % 50 == 0)
                check(&at);
            if (at.hosts[0].items > most_items)
                most_items = at.hosts[0].items;
            if (at.frontier->rest_bytes > most_rest)
                most_rest = at.frontier->rest_bytes;
        }
        assert_true(most_items > SS_LOAD_MOST_ITEMS);
        assert_true(at.next_item > FIRST_ITEM + 30000);
        assert_true(most_rest >= HOSTS * sizeof(ss_host_rest));
        finish(&at);
        ss_frontier_free(at.frontier);
        assert_int_equal(memory.live_blocks, 0);
    }
}

/* ---- bytes ---- */

static void push_to(ss_frontier *frontier, uint64_t host, unsigned lane,
                    uint64_t item)
{
    uint32_t number;
    assert_int_equal(ss_frontier_need(frontier, WORD_OF(host), &number), 0);
    assert_int_equal(ss_frontier_reserve(frontier, number, item), 0);
    ss_frontier_push(frontier, lane, item, (ss_span){item, RECORD_BYTES}, true);
    assert_int_equal(ss_frontier_link(frontier, item + 1, UINT64_MAX), 0);
}

/* Bytes a host, of all but what follows the items. */
static double bytes_a_host(const ss_frontier *frontier, size_t live_bytes)
{
    uint64_t of_items =
        ss_links_bytes(&frontier->links) + ss_pending_bytes(&frontier->pending);
    return (double)(live_bytes - of_items) / MANY_HOSTS;
}

/* What it takes is what it counts. */
static void a_host_takes_few_bytes(void **state)
{
    static scene at;
    (void)state;
    for (int has_budget = 0; has_budget < 2; has_budget++) {
        test_memory memory;
        test_memory_init(&memory);
        init(&at, &memory, has_budget == 1);
        ss_frontier *frontier = at.frontier;
        for (uint64_t i = 0; i < 2 * MANY_HOSTS; i++)
            push_to(frontier, i % MANY_HOSTS, 0, i);
        double bytes = bytes_a_host(frontier, memory.live_bytes);
        printf("  %.1f bytes a host\n", bytes);
        assert_true(bytes > 40 && bytes < (has_budget == 1 ? 51 : 47));
        assert_int_equal(memory.live_bytes, ss_frontier_bytes(frontier));
        for (uint64_t i = 0; i < MANY_HOSTS; i++) /* the planted fault */
            push_to(frontier, i, 1, 2 * MANY_HOSTS + i);
        assert_true(bytes_a_host(frontier, memory.live_bytes) > 200);
        assert_int_equal(memory.live_bytes, ss_frontier_bytes(frontier));
        ss_frontier_free(frontier);
        assert_int_equal(memory.live_blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_as_a_table),
        cmocka_unit_test(a_host_takes_few_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
