/*
 * polite.c - a polite queue beside one that is not, in a folder.
 *
 *     bench_polite [URLs [hosts [rounds]]]     1,000,000 of 10,000 hosts, 3
 *     bench_polite URLs hosts 0                the polite queue with all URLs
 *                                              pending, and calls of each kind
 *
 * The workload: new URLs of about 50 bytes, each of a host chosen at random,
 * are pushed 1,000 at a time; the queue is closed and opened; all are popped
 * and acked, 1,000 at a time. The polite queue has no delay and no limit of
 * leases, so that none of its hosts has to be waited for, and hands out in its
 * order, in turns: what is measured is what politeness costs. Both queues take
 * turns, too: push, open, pop and ack of one, then of the other. The best of
 * all rounds is shown.
 */
#define _GNU_SOURCE /* mkdtemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "seenset/queue.h"

enum {
    AT_ONCE = 1000,
    CALLS = 50000, /* of each kind, where all are pending */
    ROOM_BYTES = AT_ONCE * 128 + SEENSET_QUEUE_POP_BYTES
};

typedef struct workload {
    size_t urls, hosts;
    bool is_polite, has_pops;
} workload;

/* Seconds by the wall, and of the processor. */
typedef struct took {
    double wall, processor;
} took;

typedef struct figures {
    took push, open, pop;
    double resident_mb, set_mb, disk_mb; /* when all are pending */
} figures;

static void check(int64_t answer)
{
    if (answer >= 0)
        return;
    fprintf(stderr, "bench_polite: %s\n", seenset_strerror((int)answer));
    exit(1);
}

static double wall_now(void)
{
    struct timespec wall;
    clock_gettime(CLOCK_MONOTONIC, &wall);
    return (double)wall.tv_sec + (double)wall.tv_nsec / 1e9;
}

static took now(void)
{
    struct timespec processor;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
    return (took){wall_now(),
                  (double)processor.tv_sec + (double)processor.tv_nsec / 1e9};
}

static took since(took start)
{
    took end = now();
    return (took){end.wall - start.wall, end.processor - start.processor};
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- one queue ---- */

static seenset_queue *open_queue(const char *folder, const workload *work)
{
    seenset_queue *queue;
    const seenset_queue_politeness politeness = {.host_leases = 65535};
    seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = work->urls},
        .durability = SEENSET_QUEUE_DURABILITY_INTERVAL,
        .politeness = work->is_polite ? &politeness : NULL};
    check(seenset_queue_open(&queue, folder, &options));
    return queue;
}

/* URL number i, of a host chosen at random. Returns its length. */
static size_t make_url(char text[96], size_t i, const workload *work,
                       uint64_t *random)
{
    size_t host = (size_t)(next_random(random) % work->hosts);
    return (size_t)snprintf(
        text, 96, "https://host-%zu.example/some/place/%012zu", host, i);
}

static void push_all(seenset_queue *queue, const workload *work)
{
    static char text[AT_ONCE][96];
    seenset_queue_entry pushes[AT_ONCE];
    uint64_t random = 1;
    for (size_t i = 0; i < work->urls;) {
        size_t count = 0;
        for (; count < AT_ONCE && i < work->urls; count++, i++) {
            size_t url_len = make_url(text[count], i, work, &random);
            pushes[count] =
                (seenset_queue_entry){.url = text[count], .url_len = url_len};
        }
        check(seenset_queue_push_many(queue, pushes, count, NULL, NULL));
    }
    check(seenset_queue_sync(queue));
}

static size_t pop_all(seenset_queue *queue)
{
    static char room[ROOM_BYTES];
    static seenset_queue_item items[AT_ONCE];
    static uint64_t leases[AT_ONCE];
    int64_t count;
    size_t total = 0;
    while ((count = seenset_queue_pop_many(queue, items, AT_ONCE, room,
                                           sizeof room, NULL)) > 0) {
        for (int64_t i = 0; i < count; i++)
            leases[i] = items[i].lease;
        check(seenset_queue_ack_many(queue, leases, (size_t)count));
        total += (size_t)count;
    }
    check(count);
    check(seenset_queue_sync(queue));
    return total;
}

/* ---- one call at a time, with all pending ---- */

typedef struct calls {
    seenset_queue *queue;
    const workload *work;
    uint64_t random, leases[CALLS];
    char host[64]; /* of the last item */
} calls;

static void call_push(calls *of, size_t i)
{
    char url[96];
    size_t url_len = make_url(url, of->work->urls + i, of->work, &of->random);
    check(seenset_queue_push(of->queue, url, url_len, NULL, 0));
}

static void call_pop(calls *of, size_t i)
{
    static seenset_queue_item item;
    if (seenset_queue_pop(of->queue, &item) != 1)
        abort();
    of->leases[i] = item.lease;
    snprintf(of->host, sizeof of->host, "%.*s", (int)item.host_len,
             (const char *)item.host);
}

static void call_extend(calls *of, size_t i)
{
    check(seenset_queue_extend(of->queue, of->leases[i], 1000));
}

static void call_ack(calls *of, size_t i)
{
    check(seenset_queue_ack(of->queue, of->leases[i]));
}

static void call_nack(calls *of, size_t i)
{
    const seenset_queue_nack_options later = {.delay_seconds = 3600};
    check(seenset_queue_nack(of->queue, of->leases[i], &later));
}

static void call_get_host(calls *of, size_t i)
{
    seenset_queue_host found;
    (void)i;
    check(seenset_queue_get_host(of->queue, of->host, strlen(of->host), &found,
                                 sizeof found));
}

static void call_stats(calls *of, size_t i)
{
    seenset_queue_stats stats;
    (void)i;
    check(seenset_queue_get_stats(of->queue, &stats, sizeof stats));
}

/* Prints what one of `count` calls in a row takes, and the longest. */
static void print_calls(const char *name, void (*call)(calls *of, size_t i),
                        calls *of, size_t count)
{
    took start = now(), all;
    double longest = 0, before = start.wall;
    for (size_t i = 0; i < count; i++) {
        call(of, i);
        double after = wall_now();
        longest = after - before > longest ? after - before : longest;
        before = after;
    }
    all = since(start);
    printf("%-12s %8.2f us of the processor a call, longest %.3f ms\n", name,
           all.processor * 1e6 / (double)count, longest * 1e3);
}

static void print_operations(seenset_queue *queue, const workload *work)
{
    static calls of;
    of.queue = queue;
    of.work = work;
    print_calls("push", call_push, &of, CALLS);
    print_calls("pop", call_pop, &of, CALLS);
    print_calls("extend", call_extend, &of, CALLS);
    print_calls("ack", call_ack, &of, CALLS);
    print_calls("pop again", call_pop, &of, CALLS);
    print_calls("nack", call_nack, &of, CALLS);
    print_calls("get_host", call_get_host, &of, CALLS / 100);
    print_calls("get_stats", call_stats, &of, CALLS / 100);
}

static double resident_mb(void)
{
    unsigned long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu %lu", &size, &resident) != 2)
        resident = 0;
    if (file != NULL)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void pop_timed(seenset_queue *queue, const workload *work, figures *out)
{
    took start = now();
    size_t total = pop_all(queue);
    out->pop = since(start);
    if (total < work->urls - work->urls / 1000)
        abort();
}

static void measure(const workload *work, figures *out)
{
    char folder[] = "bench-polite-XXXXXX", command[64];
    seenset_queue_stats stats;
    seenset_stats set;
    if (mkdtemp(folder) == NULL)
        abort();
    seenset_queue *queue = open_queue(folder, work);
    took start = now();
    push_all(queue, work);
    out->push = since(start);
    check(seenset_queue_close(queue));
    start = now();
    queue = open_queue(folder, work);
    out->open = since(start);
    out->resident_mb = resident_mb();
    check(seenset_queue_get_stats(queue, &stats, sizeof stats));
    check(seenset_queue_get_set_stats(queue, &set, sizeof set));
    out->disk_mb = (double)stats.log_bytes / 1e6;
    out->set_mb = (double)set.memory_bytes / 1e6;
    if (work->has_pops)
        pop_timed(queue, work, out);
    else
        print_operations(queue, work);
    check(seenset_queue_close(queue));
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        abort();
}

/* ---- the table ---- */

static took best_of(took a, took b)
{
    return (took){a.wall < b.wall ? a.wall : b.wall,
                  a.processor < b.processor ? a.processor : b.processor};
}

static void keep_best(figures *best, const figures *next)
{
    best->push = best_of(best->push, next->push);
    best->open = best_of(best->open, next->open);
    best->pop = best_of(best->pop, next->pop);
}

static void print_row(const char *what, took plain, took polite, size_t urls)
{
    double million = (double)urls / 1e6;
    printf("%-12s %10.2f %10.2f %8.2f %12.2f %10.2f %8.2f\n", what,
           plain.wall / million, polite.wall / million,
           plain.wall / polite.wall, plain.processor / million,
           polite.processor / million, plain.processor / polite.processor);
}

static void print_memory(const char *what, const figures *of)
{
    printf("%-12s MB resident %.0f, of these the set %.0f; log %.0f\n", what,
           of->resident_mb, of->set_mb, of->disk_mb);
}

/* What all that are pending take, and then a call of each kind. */
static void measure_memory(const workload *work)
{
    figures found = {0};
    measure(work, &found);
    printf("%zu URLs of %zu hosts: processor us a URL: push %.2f, open %.2f\n",
           work->urls, work->hosts,
           found.push.processor * 1e6 / (double)work->urls,
           found.open.processor * 1e6 / (double)work->urls);
    print_memory("polite", &found);
}

static void print_all(const figures best[2], const workload *work)
{
    printf("%-12s %10s %10s %8s %12s %10s %8s\n", "us a URL", "plain", "polite",
           "ratio", "processor", "polite", "ratio");
    print_row("push", best[0].push, best[1].push, work->urls);
    print_row("open", best[0].open, best[1].open, work->urls);
    print_row("pop and ack", best[0].pop, best[1].pop, work->urls);
    print_memory("plain", &best[0]);
    print_memory("polite", &best[1]);
}

int main(int argc, char **argv)
{
    struct utsname machine;
    size_t given[3] = {1000000, 10000, 3};
    figures best[2];
    for (int i = 1; i < argc && i <= 3; i++)
        given[i - 1] = (size_t)strtoull(argv[i], NULL, 10);
    workload work = {.urls = given[0],
                     .hosts = given[1],
                     .is_polite = given[2] == 0,
                     .has_pops = given[2] > 0};
    if (given[2] == 0) {
        measure_memory(&work);
        return 0;
    }
    for (size_t round = 0; round < given[2]; round++) {
        for (int i = 0; i < 2; i++) {
            figures next;
            work.is_polite = i == 1;
            measure(&work, &next);
            if (round == 0)
                best[i] = next;
            else
                keep_best(&best[i], &next);
        }
    }
    if (uname(&machine) == 0)
        printf("%s %s, %s: %zu URLs of %zu hosts, best of %zu\n",
               machine.sysname, machine.release, machine.machine, work.urls,
               work.hosts, given[2]);
    print_all(best, &work);
    return 0;
}
