/*
 * polite.c - polite crawls at random, by a clock that the test moves.
 *
 * Pushes, pops, acks, nacks, leases that are extended or that end, delays,
 * blocks and budgets of hosts, closings, kills and reboots, on a disk in
 * memory. In every third crawl somebody sets the wall clock again and again
 * instead of a reboot, which must change nothing. Half of the crawls have two
 * pages of links in memory. The judge of polite_judge.h hears of each call.
 * What the queue says of when the next item may come is held, too: a nanosecond
 * before it there is none. Faults are planted in the queue, and each is seen.
 *
 *     test_polite [crawls [first]]      40 by default, of 3,000 calls each,
 *                                       which are some 650 hand-outs, from the
 *                                       seed `first` on
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "polite_judge.h"
#include "queue_model.h"

enum {
    STEPS = 3000,
    LEASES = 64
};

#define SECOND_NS UINT64_C(1000000000)

typedef enum fault {
    NO_FAULT,
    DELAYS_ARE_CUT,
    ONE_LEASE_MORE,
    A_HOST_IS_HELD,
    A_HOST_HAS_ALL_TURNS,
    OPENING_FORGETS,
    FAULTS
} fault;

typedef struct crawl {
    polite_judge judge;
    seenset_queue_options options;
    disk *on;
    seenset_queue *queue;
    int leased[LEASES]; /* items whose leases the crawler still has */
    uint64_t leases[LEASES];
    int lease_count;
    uint8_t boot;
    fault planted;
    bool jumps;         /* the wall clock does */
    bool has_two_pages; /* of links in memory; the others are in scratch */
    bool read_scratch;
    bool is_delayed; /* many items are, for long: they go to files */
    bool made_files;
    test_random random;
} crawl;

static int below(crawl *at, uint64_t limit)
{
    return (int)test_random_below(&at->random, limit);
}

/* ---- the faults ---- */

static void plant(crawl *at, bool is_opened)
{
    ss_scratch *scratch = &at->queue->frontier->links.scratch;
    ss_turns *turns = &at->queue->frontier->turns;
    const ss_host_table *all = &turns->all;
    if (at->has_two_pages)
        scratch->most_frames = SS_SCRATCH_LEAST;
    at->read_scratch |= scratch->reads > 0;
    at->made_files |= at->queue->manifest.has_runs;
    if (at->planted == DELAYS_ARE_CUT)
        at->queue->frontier->rules.delay_ms = 500;
    if (at->planted == ONE_LEASE_MORE)
        turns->most_leased = at->judge.rules.host_leases + 1;
    for (uint32_t i = 0; i < all->used; i++) {
        if (ss_hosts_row(all, i)->place == SS_HOST_UNUSED)
            continue;
        if (at->planted == A_HOST_IS_HELD && i == 2)
            ss_turns_set_ready(turns, i, SS_HOST_MOST_MS);
        if (at->planted == OPENING_FORGETS && is_opened)
            ss_turns_set_ready(turns, i, 0);
        if (at->planted == A_HOST_HAS_ALL_TURNS && i == 0) {
            ss_turns_set_ready(turns, i, ss_hosts_row(all, i)->ready_ms);
            ss_turns_set_lead(turns, i, 0);
        }
    }
}

/* ---- calls ---- */

static void push(crawl *at)
{
    char url[POLITE_URL_BYTES];
    uint8_t answer = 0;
    polite_judge *judge = &at->judge;
    int host =
        below(at, POLITE_HOSTS) * below(at, POLITE_HOSTS) / (POLITE_HOSTS - 1);
    unsigned priority = 0;
    if (!judge->counts_turns && below(at, 3) == 0)
        priority = (unsigned)below(at, 10);
    if (judge->item_count == POLITE_ITEMS)
        return;
    judge->items[judge->item_count].host = host;
    polite_url(judge, judge->item_count, url);
    const seenset_queue_entry entry = {
        .url = url, .url_len = strlen(url), .priority = priority};
    int error = seenset_queue_push_many(at->queue, &entry, 1, NULL, &answer);
    if (error == SEENSET_EBUDGET)
        assert_int_equal(answer, SEENSET_ANSWER_OVER_BUDGET);
    polite_pushed(judge, host, priority, error == 0 ? answer : error);
}

static void move_time(crawl *at, uint64_t ns)
{
    disk_pass_ns(at->on, ns);
    polite_pass(&at->judge, ns);
}

static bool pop_one(crawl *at)
{
    seenset_queue_item item = {0};
    plant(at, false);
    int result = seenset_queue_pop(at->queue, &item);
    assert_in_range(result, 0, 1);
    if (result == 0)
        polite_popped_none(&at->judge);
    else
        polite_popped(&at->judge, &item,
                      (uint64_t)(at->options.lease_seconds * 1e9));
    if (result == 1 && at->lease_count < LEASES) {
        at->leases[at->lease_count] = item.lease;
        at->leased[at->lease_count++] =
            polite_item_of(&at->judge, item.url, item.url_len);
    }
    seenset_queue_item_free(&item);
    return result == 1;
}

/* If nothing comes, there is none until the time that the queue says. */
static void pop(crawl *at)
{
    seenset_queue_stats stats;
    if (pop_one(at) || below(at, 2) == 0)
        return;
    assert_int_equal(seenset_queue_get_stats(at->queue, &stats, sizeof stats),
                     SEENSET_OK);
    if (!(stats.seconds_to_next > 1e-6 && stats.seconds_to_next < 100))
        return;
    move_time(at, (uint64_t)(stats.seconds_to_next * 1e9) - 1000);
    if (pop_one(at) && at->judge.wrong == NULL && at->planted == NO_FAULT)
        at->judge.wrong = "an item came before the time that was told";
    move_time(at, 1001);
}

static void drop_lease(crawl *at, int index)
{
    at->lease_count--;
    at->leases[index] = at->leases[at->lease_count];
    at->leased[index] = at->leased[at->lease_count];
}

/* Is it the item's last lease, of one that is not done? */
static bool is_valid(const crawl *at, int index)
{
    const polite_item *item = &at->judge.items[at->leased[index]];
    return item->state == POLITE_LEASED && item->lease == at->leases[index];
}

/* An answer that is right for a lease that may be valid. */
static bool is_taken(crawl *at, int index, int error)
{
    bool is_wanted = is_valid(at, index);
    const polite_item *item = &at->judge.items[at->leased[index]];
    if (item->is_unsure && item->state != POLITE_DONE)
        is_wanted = error == SEENSET_OK;
    if (error != (is_wanted ? SEENSET_OK : SEENSET_ELEASE) &&
        at->judge.wrong == NULL)
        at->judge.wrong = "a lease is not taken, or one that has ended is";
    return error == SEENSET_OK;
}

static void ack(crawl *at)
{
    if (at->lease_count == 0)
        return;
    int index = below(at, (uint64_t)at->lease_count);
    int error = seenset_queue_ack(at->queue, at->leases[index]);
    if (is_taken(at, index, error))
        polite_acked(&at->judge, at->leased[index]);
    drop_lease(at, index);
}

static void nack(crawl *at)
{
    if (at->lease_count == 0)
        return;
    int index = below(at, (uint64_t)at->lease_count);
    static const uint32_t ways[] = {0, SEENSET_QUEUE_VISITED,
                                    SEENSET_QUEUE_UNTRIED};
    uint32_t way = ways[below(at, TEST_COUNT(ways))];
    bool is_tried = way != SEENSET_QUEUE_UNTRIED;
    int delay = below(at, 2) * below(at, at->is_delayed ? 200 : 20);
    const seenset_queue_nack_options options = {.delay_seconds = delay,
                                                .flags = way};
    int error = seenset_queue_nack(at->queue, at->leases[index], &options);
    if (is_taken(at, index, error))
        polite_nacked(&at->judge, at->leased[index],
                      (uint64_t)delay * SECOND_NS, is_tried);
    drop_lease(at, index);
}

/* One that has ended may go on, or not. */
static void extend(crawl *at)
{
    if (at->lease_count == 0)
        return;
    int index = below(at, (uint64_t)at->lease_count), seconds = below(at, 30);
    bool has_ended =
        at->judge.items[at->leased[index]].due_ns <= at->judge.now_ns;
    int error = seenset_queue_extend(at->queue, at->leases[index], seconds);
    if (error == SEENSET_ELEASE && has_ended)
        return;
    if (is_taken(at, index, error))
        polite_extended(&at->judge, at->leased[index],
                        (uint64_t)seconds * SECOND_NS);
}

static void set_host(crawl *at)
{
    static const double delays[] = {0, 0.25, 1, 1.5, 10};
    char name[32];
    int host = below(at, POLITE_HOSTS);
    seenset_queue_host_settings settings = {
        .flags = SEENSET_QUEUE_HOST_DELAY << below(at, 3),
        .delay_seconds = delays[below(at, TEST_COUNT(delays))],
        .block_seconds = below(at, 2) * below(at, 40),
        .budget = below(at, 2) == 0 ? SEENSET_QUEUE_ANY_BUDGET
                                    : 1 + (uint64_t)below(at, 100)};
    int length = snprintf(name, sizeof name, "H%d.Example", host);
    assert_int_equal(
        seenset_queue_set_host(at->queue, name, (size_t)length, &settings),
        SEENSET_OK);
    polite_set(&at->judge, host, &settings);
}

/* The figures of a host are those that the judge has. */
static void ask_for_host(crawl *at)
{
    char name[32];
    int host = below(at, POLITE_HOSTS);
    uint64_t left = 0;
    seenset_queue_host shown;
    int length = snprintf(name, sizeof name, "h%d.EXAMPLE", host);
    int result = seenset_queue_get_host(at->queue, name, (size_t)length, &shown,
                                        sizeof shown);
    for (int i = 0; i < at->judge.item_count; i++)
        left += at->judge.items[i].host == host &&
                at->judge.items[i].state != POLITE_DONE;
    assert_in_range(result, left > 0, 1);
    const polite_host *of = &at->judge.hosts[host];
    bool is_right = shown.pending_items + shown.leased_items == left &&
                    shown.budget == of->budget &&
                    shown.taken_items == of->taken &&
                    (uint64_t)(shown.delay_seconds * 1e9 + 0.5) == of->delay_ns;
    if (!is_right && at->judge.wrong == NULL && at->planted == NO_FAULT)
        at->judge.wrong = "a host has other figures";
}

/* ---- another process ---- */

static void open_queue(crawl *at, bool keeps_leases)
{
    at->options.flags = keeps_leases ? SEENSET_QUEUE_KEEP_LEASES : 0;
    assert_int_equal(
        ss_queue_open(disk_io(at->on), &at->queue, DISK_FOLDER, &at->options),
        SEENSET_OK);
}

static void sleep_for(crawl *at, uint64_t ns)
{
    disk_pass_ns(at->on, ns);
    polite_sleep(&at->judge, ns);
}

static void reboot(crawl *at)
{
    sleep_for(at, (uint64_t)below(at, 5) * SECOND_NS);
    disk_set_boot(at->on, ++at->boot, 1 + SECOND_NS * (uint64_t)below(at, 9));
}

static void open_again(crawl *at)
{
    bool keeps_leases = below(at, 3) > 0, is_other_boot = below(at, 4) == 0;
    is_other_boot &= !at->jumps;
    bool is_killed = at->options.durability == SEENSET_QUEUE_DURABILITY_EACH &&
                     below(at, 2) == 0;
    if (is_killed)
        at->on = model_kill(at->on, at->queue);
    else
        assert_int_equal(seenset_queue_close(at->queue), SEENSET_OK);
    sleep_for(at, (uint64_t)below(at, 2000) * 1000000);
    if (is_other_boot)
        reboot(at);
    open_queue(at, keeps_leases);
    polite_reopened(&at->judge, at->queue, keeps_leases, is_killed,
                    is_other_boot);
    plant(at, true);
}

/* ---- crawls ---- */

static void step(crawl *at)
{
    int chance = below(at, 1000);
    if (chance < 250)
        push(at);
    else if (chance < 550)
        pop(at);
    else if (chance < (at->is_delayed ? 650 : 750))
        ack(at);
    else if (chance < 800)
        nack(at);
    else if (chance < 820)
        extend(at);
    else if (chance < 840)
        set_host(at);
    else if (chance < 860)
        ask_for_host(at);
    else if (chance < 870)
        assert_int_equal(seenset_queue_checkpoint(at->queue), SEENSET_OK);
    else if (chance < 875)
        open_again(at);
    else if (chance < 880 && at->jumps)
        disk_set_wall(at->on, test_random_below(&at->random, 4000000000));
    else if (chance < 985)
        move_time(at, test_random_below(&at->random, SECOND_NS / 2));
    else
        move_time(at, test_random_below(&at->random, 20 * SECOND_NS));
}

static seenset_queue_politeness rules_of(uint64_t seed)
{
    static const double delays[] = {1, 0, 0.25, 7.3};
    return (seenset_queue_politeness){
        .host_leases = 1 + (uint32_t)(seed / 2 % 3),
        .delay_seconds = delays[seed / 6 % TEST_COUNT(delays)],
        .budget = seed % 5 == 4 ? 150 : 0,
        .flags = seed % 2 == 1 ? SEENSET_QUEUE_DELAY_FROM_START : 0};
}

/* Returns the promise that was broken, or NULL. */
static const char *run(uint64_t seed, fault planted, long *handed_out,
                       int *read_scratch, int *made_files)
{
    static crawl at;
    static const seenset_options small = {.capacity_items = POLITE_ITEMS,
                                          .fp_rate = 1e-9};
    const seenset_queue_politeness rules = rules_of(seed);
    at =
        (crawl){.on = disk_new(),
                .boot = 1,
                .planted = planted,
                .has_two_pages = seed % 4 < 2,
                .is_delayed = seed / 4 % 3 == 1,
                .random = {seed},
                .options = {.set = &small,
                            .politeness = &rules,
                            .lease_seconds = 15,
                            .segment_bytes = 16384,
                            .snapshot_bytes = 60000,
                            .durability = seed % 3 == 0
                                              ? SEENSET_QUEUE_DURABILITY_NONE
                                              : SEENSET_QUEUE_DURABILITY_EACH}};
    polite_judge_init(&at.judge, &rules);
    at.judge.counts_turns = seed % 4 == 0;
    at.jumps = seed % 3 == 1;
    open_queue(&at, false);
    for (int i = 0; i < STEPS && at.judge.wrong == NULL; i++)
        step(&at);
    assert_int_equal(seenset_queue_close(at.queue), SEENSET_OK);
    disk_free(at.on);
    if (planted == NO_FAULT && at.judge.wrong == NULL)
        assert_true(at.judge.handed_out > 100 && at.judge.idle > 20);
    *handed_out += at.judge.handed_out;
    *read_scratch += at.read_scratch;
    *made_files += at.made_files;
    return at.judge.wrong;
}

typedef struct seeds {
    uint64_t first, count;
} seeds;

static void promises_hold(void **state)
{
    long handed_out = 0;
    int read_scratch = 0, made_files = 0;
    const seeds *of = *state;
    for (uint64_t seed = of->first; seed < of->first + of->count; seed++) {
        const char *wrong =
            run(seed, NO_FAULT, &handed_out, &read_scratch, &made_files);
        if (wrong != NULL)
            fail_msg("crawl %llu: %s", (unsigned long long)seed, wrong);
    }
    printf("  %ld hand-outs; %d crawls read links from scratch, and %d had "
           "files of delayed items\n",
           handed_out, read_scratch, made_files);
    assert_true(of->count < 12 || (uint64_t)made_files > of->count / 4);
    assert_true(of->count < 8 || (uint64_t)read_scratch > of->count / 4);
}

static void planted_faults_are_seen(void **state)
{
    static const char *const seen[FAULTS] = {
        [DELAYS_ARE_CUT] = "a host is asked too early",
        [ONE_LEASE_MORE] = "a host is asked too often at a time",
        [A_HOST_IS_HELD] = "a host that may be asked is not",
        [A_HOST_HAS_ALL_TURNS] = "a host that may be asked is starved",
        [OPENING_FORGETS] = "a host is asked too early"};
    (void)state;
    for (int planted = NO_FAULT + 1; planted < FAULTS; planted++) {
        long handed_out = 0;
        int read_scratch = 0, made_files = 0;
        bool is_seen = false;
        for (uint64_t seed = 0; seed < 24 && !is_seen; seed++) {
            const char *wrong = run(seed, (fault)planted, &handed_out,
                                    &read_scratch, &made_files);
            is_seen = wrong != NULL && strcmp(wrong, seen[planted]) == 0;
        }
        if (!is_seen)
            fail_msg("fault %d is not seen", planted);
    }
}

int main(int argc, char **argv)
{
    seeds of = {argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
                argc > 1 ? strtoull(argv[1], NULL, 10) : 40};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(promises_hold, &of),
        cmocka_unit_test(planted_faults_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
