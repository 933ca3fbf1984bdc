/*
 * polite_heap.c - a polite queue beside a heap of all hosts.
 *
 * The same crawl is done twice, by clocks that the test moves: by a queue, and
 * by a heap of all hosts in memory, which is the best that can be done. Twenty
 * kinds of crawls: hosts by Zipf's law, one host with most of the pages, hosts
 * that come late, delays of 1 to 600 seconds, hosts that are blocked, few
 * workers and many. In each
 *
 *     never idle      the queue's crawl takes 1 % longer at most
 *     never starved   a late host's first page comes within two rounds: before
 *                     it, hosts with pages are asked twice each at most
 *     never early     two pages of a host are its delay apart
 *
 * Three faults are planted: delays that are 3 % too long, or too short, and
 * late hosts that wait until the others have little left.
 *
 *     test_polite_heap [pages]      of a crawl; 6,000 by default
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "polite_source.h"

#define SECOND_NS UINT64_C(1000000000)
#define FETCH_NS (SECOND_NS / 5)

enum {
    MOST_HOSTS = 2000,
    MOST_WORKERS = 500,
    USUAL_MS = 1000,
    BLOCKS = 40
};

typedef struct workload {
    const char *name;
    double zipf, giant; /* exponent; part of the pages that host 0 has */
    uint32_t hosts, late;
    uint32_t workers;
    bool is_mixed, has_blocks; /* delays of 1 to 600 s */
} workload;

static const workload workloads[] = {
    {"Zipf 0.5", 0.5, 0, 1000, 0, 50, false, false},
    {"Zipf 0.75", 0.75, 0, 1000, 0, 50, false, false},
    {"Zipf 1", 1, 0, 1000, 0, 50, false, false},
    {"Zipf 1.25", 1.25, 0, 1000, 0, 50, false, false},
    {"Zipf 1.5", 1.5, 0, 1000, 0, 50, false, false},
    {"one host with 10 %", 1, 0.1, 1000, 0, 50, false, false},
    {"one host with 50 %", 1, 0.5, 1000, 0, 50, false, false},
    {"one host with 90 %", 1, 0.9, 1000, 0, 50, false, false},
    {"100 late hosts", 1, 0, 1000, 100, 50, false, false},
    {"500 late hosts, one with 50 %", 1, 0.5, 1000, 500, 50, false, false},
    {"delays of 1 to 600 s", 0.5, 0, 1000, 0, 50, true, false},
    {"the same, Zipf 1", 1, 0, 1000, 0, 50, true, false},
    {"the same, Zipf 1.5", 1.5, 0, 1000, 0, 50, true, false},
    {"the same, one host with 50 %", 1, 0.5, 1000, 0, 50, true, false},
    {"blocks", 1, 0, 1000, 0, 50, false, true},
    {"blocks, delays of 1 to 600 s", 1, 0, 1000, 0, 50, true, true},
    {"late hosts, delays of 1 to 600 s", 1, 0, 1000, 200, 50, true, false},
    {"5 workers", 0.5, 0, 1000, 100, 5, false, false},
    {"500 workers, 2,000 hosts", 1, 0, 2000, 100, 500, false, false},
    {"all of these", 1, 0.1, 2000, 200, 20, true, true}};

/* ---- one crawl ---- */

typedef struct block {
    uint64_t at_ns, until_ns;
    uint32_t host;
} block;

/* What happens, whoever crawls. */
typedef struct script {
    const workload *of;
    uint64_t delays_ms[MOST_HOSTS];
    uint32_t *page_hosts;
    size_t page_count;
    uint64_t late_ns[MOST_HOSTS]; /* when a host comes; 0: at once */
    uint32_t late_order[MOST_HOSTS];
    block blocks[BLOCKS];
    size_t block_count;
} script;

typedef struct worker {
    polite_page page;
    uint64_t end_ns;
    bool is_busy;
} worker;

typedef struct crawl {
    const script *by;
    polite_source *from;
    uint64_t now_ns;
    worker workers[MOST_WORKERS];
    size_t done, late_come, blocks_begun;
    uint64_t left[MOST_HOSTS];    /* pages that wait */
    uint64_t may_ns[MOST_HOSTS];  /* before which it is too early */
    uint64_t passed[MOST_HOSTS];  /* hand-outs since it came late */
    uint64_t allowed[MOST_HOSTS]; /* of these; 0: it is not judged */
    uint64_t hand_outs;
    double most_rounds; /* that a late host waited */
    bool holds_late;    /* the planted fault */
    const char *wrong;
} crawl;

static void push_host(crawl *it, uint32_t host)
{
    const script *by = it->by;
    for (size_t i = 0; i < by->page_count; i++) {
        if (by->page_hosts[i] != host)
            continue;
        it->from->push(it->from, host);
        it->left[host]++;
    }
}

static uint64_t hosts_with_pages(const crawl *it)
{
    uint64_t count = 0;
    for (uint32_t host = 0; host < it->by->of->hosts; host++)
        count += it->left[host] > 0;
    return count;
}

/* Two rounds are two hand-outs of each host that has pages. */
static void begin(crawl *it)
{
    const script *by = it->by;
    for (; it->late_come < by->of->late; it->late_come++) {
        uint32_t host = by->late_order[it->late_come];
        if (by->late_ns[host] > it->now_ns)
            break;
        push_host(it, host);
        if (it->left[host] > 0 && it->may_ns[host] <= it->now_ns)
            it->allowed[host] = 2 * hosts_with_pages(it);
        it->passed[host] = it->hand_outs;
        if (it->holds_late)
            it->from->block(it->from, it->now_ns, host,
                            it->now_ns + 600 * SECOND_NS);
    }
    for (; it->blocks_begun < by->block_count; it->blocks_begun++) {
        const block *next = &by->blocks[it->blocks_begun];
        if (next->at_ns > it->now_ns)
            break;
        it->from->block(it->from, it->now_ns, next->host, next->until_ns);
        it->allowed[next->host] = 0;
        if (it->may_ns[next->host] < next->until_ns)
            it->may_ns[next->host] = next->until_ns;
    }
}

static void judge(crawl *it, uint32_t host)
{
    it->left[host]--;
    it->hand_outs++;
    if (it->may_ns[host] > it->now_ns)
        it->wrong = "a host is asked too early";
    if (it->allowed[host] == 0)
        return;
    double rounds = (double)(it->hand_outs - it->passed[host]) * 2 /
                    (double)it->allowed[host];
    it->most_rounds = fmax(it->most_rounds, rounds);
    it->allowed[host] = 0;
}

static void work(crawl *it)
{
    for (uint32_t i = 0; i < it->by->of->workers; i++) {
        worker *one = &it->workers[i];
        if (one->is_busy && one->end_ns <= it->now_ns) {
            uint32_t host = one->page.host;
            it->from->done(it->from, it->now_ns, &one->page);
            one->is_busy = false;
            it->done++;
            it->may_ns[host] =
                it->now_ns + it->by->delays_ms[host] * UINT64_C(1000000);
        }
    }
    for (uint32_t i = 0; i < it->by->of->workers; i++) {
        worker *one = &it->workers[i];
        if (one->is_busy)
            continue;
        if (!it->from->pop(it->from, it->now_ns, &one->page))
            return;
        one->is_busy = true;
        one->end_ns = it->now_ns + FETCH_NS;
        judge(it, one->page.host);
    }
}

static uint64_t lower(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_ns(crawl *it)
{
    uint64_t next = POLITE_NEVER;
    bool is_any_free = false;
    for (uint32_t i = 0; i < it->by->of->workers; i++) {
        if (it->workers[i].is_busy)
            next = lower(next, it->workers[i].end_ns);
        is_any_free |= !it->workers[i].is_busy;
    }
    if (is_any_free)
        next = lower(next, it->from->next_ns(it->from, it->now_ns));
    if (it->late_come < it->by->of->late)
        next = lower(next, it->by->late_ns[it->by->late_order[it->late_come]]);
    if (it->blocks_begun < it->by->block_count)
        next = lower(next, it->by->blocks[it->blocks_begun].at_ns);
    return next;
}

/* Returns how long it took. */
static double crawl_all(crawl *it, const script *by, polite_source *from,
                        bool holds_late)
{
    memset(it, 0, sizeof *it);
    it->holds_late = holds_late;
    it->by = by;
    it->from = from;
    for (size_t i = 0; i < by->page_count; i++) {
        uint32_t host = by->page_hosts[i];
        if (by->late_ns[host] > 0)
            continue;
        from->push(from, host);
        it->left[host]++;
    }
    for (;;) {
        begin(it);
        work(it);
        if (it->done == by->page_count)
            break;
        uint64_t next = next_ns(it);
        assert_true(next != POLITE_NEVER && next > it->now_ns);
        it->now_ns = next;
    }
    from->close(from);
    return (double)it->now_ns / 1e9;
}

/* ---- what happens ---- */

/* Host h has a share of 1 / (h + 1)^zipf. */
static void draw_pages(script *to, test_random *random)
{
    const workload *of = to->of;
    static double ends[MOST_HOSTS];
    double sum = 0;
    for (uint32_t host = 0; host < of->hosts; host++)
        ends[host] = sum += pow(host + 1, -of->zipf);
    for (size_t i = 0; i < to->page_count; i++) {
        double at = test_random_unit(random) * sum;
        uint32_t low = 0, high = of->hosts - 1;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (ends[middle] > at)
                high = middle;
            else
                low = middle + 1;
        }
        to->page_hosts[i] = test_random_unit(random) < of->giant ? 0 : low;
    }
}

/* The rare hosts come late, one after the other, while the others have work. */
static void draw_times(script *to, test_random *random)
{
    const workload *of = to->of;
    uint64_t about_ns = (uint64_t)to->page_count * FETCH_NS / of->workers / 2;
    for (uint32_t i = 0; i < of->late; i++) {
        uint32_t host = of->hosts / 20 + i;
        to->late_order[i] = host;
        to->late_ns[host] = 1 + about_ns * i / of->late;
    }
    for (uint32_t host = 0; host < of->hosts; host++)
        to->delays_ms[host] = of->is_mixed && test_random_below(random, 2) == 0
                                  ? 1000 * (1 + test_random_below(random, 600))
                                  : USUAL_MS;
    if (of->giant > 0)
        to->delays_ms[0] = USUAL_MS;
    for (size_t i = 0; of->has_blocks && i < BLOCKS; i++) {
        uint64_t at_ns = 1 + about_ns * i / BLOCKS;
        to->blocks[i] = (block){
            at_ns, at_ns + SECOND_NS * (1 + test_random_below(random, 120)),
            (uint32_t)test_random_below(random, of->hosts / 10)};
    }
    to->block_count = of->has_blocks ? BLOCKS : 0;
}

static void draw(script *to, const workload *of, size_t page_count)
{
    test_random random = {(uint64_t)(of - workloads) + 1};
    memset(to, 0, sizeof *to);
    to->of = of;
    to->page_count = page_count;
    to->page_hosts = calloc(page_count, sizeof *to->page_hosts);
    assert_non_null(to->page_hosts);
    draw_pages(to, &random);
    draw_times(to, &random);
}

/* ---- both ---- */

typedef struct compared {
    double heap_seconds, queue_seconds, most_rounds;
    const char *wrong;
} compared;

static compared compare(const workload *of, size_t page_count, double waits,
                        bool holds_late)
{
    static script by;
    static crawl it;
    compared found = {0};
    draw(&by, of, page_count);
    found.heap_seconds =
        crawl_all(&it, &by, polite_source_heap(by.delays_ms, of->hosts), false);
    assert_null(it.wrong);
    found.queue_seconds = crawl_all(
        &it, &by, polite_source_queue(by.delays_ms, of->hosts, USUAL_MS, waits),
        holds_late);
    found.wrong = it.wrong;
    found.most_rounds = it.most_rounds;
    free(by.page_hosts);
    return found;
}

static bool is_too_long(const compared *found)
{
    return !(found->queue_seconds <= 1.01 * found->heap_seconds);
}

static bool is_starved(const compared *found)
{
    return !(found->most_rounds > 0 && found->most_rounds <= 2);
}

static void queue_is_as_fast_as_a_heap(void **state)
{
    size_t pages = *(const size_t *)*state;
    for (size_t i = 0; i < TEST_COUNT(workloads); i++) {
        const workload *of = &workloads[i];
        compared found = compare(of, pages, 1, false);
        printf("  %-34s heap %9.1f s, queue %9.1f s (%+.2f %%)", of->name,
               found.heap_seconds, found.queue_seconds,
               (found.queue_seconds / found.heap_seconds - 1) * 100);
        if (of->late > 0)
            printf(", late hosts %.2f rounds", found.most_rounds);
        printf("\n");
        if (found.wrong != NULL)
            fail_msg("%s: %s", of->name, found.wrong);
        if (is_too_long(&found))
            fail_msg("%s: it takes over 1 %% longer", of->name);
        if (of->late > 0 && is_starved(&found))
            fail_msg("%s: a late host waits", of->name);
    }
}

static void longer_delays_are_seen(void **state)
{
    (void)state;
    compared found = compare(&workloads[7], 500, 1.03, false);
    assert_true(is_too_long(&found));
}

static void shorter_delays_are_seen(void **state)
{
    (void)state;
    compared found = compare(&workloads[7], 500, 0.97, false);
    assert_non_null(found.wrong);
}

static void late_hosts_that_wait_are_seen(void **state)
{
    (void)state;
    compared found = compare(&workloads[9], 2000, 1, true);
    assert_true(is_starved(&found));
}

int main(int argc, char **argv)
{
    size_t pages = argc > 1 ? strtoull(argv[1], NULL, 10) : 6000;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(queue_is_as_fast_as_a_heap, &pages),
        cmocka_unit_test(longer_delays_are_seen),
        cmocka_unit_test(shorter_delays_are_seen),
        cmocka_unit_test(late_hosts_that_wait_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
