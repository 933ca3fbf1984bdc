/*
 * queue.c - pushes a second into a to-visit queue, beside what people use.
 *
 *     bench_queue [pushes]      2,000,000 by default; peers get fewer
 *
 * The workload: URLs of 50 bytes, every second one a repeat of an earlier one
 * chosen at random, pushed by one thread into an empty queue. Peers that are
 * not installed are left out. What each of them promises after a crash
 * differs, and is printed beside it.
 */
#define _GNU_SOURCE /* mkdtemp, popen */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "queue_peers.h"
#include "seenset/queue.h"

enum {
    AT_ONCE = 1000
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- the workload ---- */

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static bench_urls make_urls(size_t count)
{
    uint64_t random = 1;
    char text[BENCH_URL_BYTES + 8];
    bench_urls urls = {malloc(count * BENCH_URL_BYTES), count};
    if (urls.bytes == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        size_t page = i / 2;
        if (i % 2 == 1)
            page = (size_t)(next_random(&random) % (i / 2 + 1));
        snprintf(text, sizeof text, "https://www.example.org/some/place/%015zu",
                 page);
        memcpy(urls.bytes + i * BENCH_URL_BYTES, text, BENCH_URL_BYTES);
    }
    return urls;
}

/* ---- ours ---- */

static void check(int error)
{
    if (error >= 0)
        return;
    fprintf(stderr, "bench_queue: %s\n", seenset_strerror(error));
    exit(1);
}

static size_t push_single(seenset_queue *queue, const bench_urls *urls)
{
    size_t new_count = 0;
    for (size_t i = 0; i < urls->count; i++) {
        int answer = seenset_queue_push(queue, bench_url(urls, i),
                                        BENCH_URL_BYTES, NULL, 0);
        check(answer);
        new_count += answer == 1;
    }
    return new_count;
}

static size_t push_batches(seenset_queue *queue, const bench_urls *urls)
{
    seenset_queue_entry pushes[AT_ONCE];
    uint8_t answers[AT_ONCE];
    size_t new_count = 0;
    for (size_t i = 0; i + AT_ONCE <= urls->count; i += AT_ONCE) {
        for (size_t k = 0; k < AT_ONCE; k++)
            pushes[k] = (seenset_queue_entry){.url = bench_url(urls, i + k),
                                              .url_len = BENCH_URL_BYTES};
        check(seenset_queue_push_many(queue, pushes, AT_ONCE, NULL, answers));
        for (size_t k = 0; k < AT_ONCE; k++)
            new_count += answers[k] == 1;
    }
    return new_count;
}

typedef size_t push_all(seenset_queue *queue, const bench_urls *urls);

static double measure(const bench_urls *urls,
                      seenset_queue_durability durability, push_all *push)
{
    char folder[] = "bench-queue-XXXXXX", command[64];
    seenset_queue *queue;
    seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = urls->count},
        .durability = durability};
    if (mkdtemp(folder) == NULL)
        abort();
    check(seenset_queue_open(&queue, folder, &options));
    double start = now();
    (void)push(queue, urls);
    check(seenset_queue_sync(queue));
    double seconds = now() - start;
    check(seenset_queue_close(queue));
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        abort();
    return (double)urls->count / seconds;
}

/* ---- the table ---- */

static void print_row(const char *what, double rate, double peer,
                      const char *promise)
{
    if (peer > 0)
        printf("%-34s %12.0f %8.1fx   %s\n", what, rate, rate / peer, promise);
    else
        printf("%-34s %12.0f %9s   %s\n", what, rate, "", promise);
}

static double print_peer(const char *what, double rate, double best,
                         const char *promise)
{
    if (rate > 0)
        print_row(what, rate, 0, promise);
    else
        printf("%-34s %12s %9s   %s\n", what, "not here", "", promise);
    return rate > best ? rate : best;
}

static void print_all(const bench_urls *urls)
{
    bench_urls some = *urls, few = *urls;
    if (some.count > 500000)
        some.count = 500000;
    if (few.count > 20000)
        few.count = 20000;
    double best = 0;
    printf("%-34s %12s %9s   %s\n", "", "pushes/s", "to best", "after a crash");
    best = print_peer("SQLite UNIQUE, WAL, 1,000 at once", bench_sqlite(&some),
                      best, "all, or all but the last commits");
    best = print_peer("Redis SADD+LPUSH, 1,000 at once", bench_redis(&some),
                      best, "nothing is left (no file asked for)");
    best = print_peer("Scrapy dupefilter + disk queue", bench_scrapy(&few),
                      best, "0 URLs queued, most called seen");
    print_row("seenset push, interval",
              measure(urls, SEENSET_QUEUE_DURABILITY_INTERVAL, push_single),
              best, "all but the last 0.1 s");
    print_row("seenset push_many 1,000, each",
              measure(urls, SEENSET_QUEUE_DURABILITY_EACH, push_batches), best,
              "everything answered");
    print_row("seenset push_many 1,000, interval",
              measure(urls, SEENSET_QUEUE_DURABILITY_INTERVAL, push_batches),
              best, "all but the last 0.1 s");
    few.count = few.count > 5000 ? 5000 : few.count;
    print_row("seenset push, each",
              measure(&few, SEENSET_QUEUE_DURABILITY_EACH, push_single), best,
              "everything answered");
}

int main(int argc, char **argv)
{
    struct utsname machine;
    size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 2000000;
    bench_urls urls = make_urls(count);
    if (uname(&machine) == 0)
        printf("%s %s, %s: %zu URLs of %d bytes, half of them repeats\n",
               machine.sysname, machine.release, machine.machine, count,
               BENCH_URL_BYTES);
    print_all(&urls);
    free(urls.bytes);
    return 0;
}
