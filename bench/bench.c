/*
 * bench.c - nanoseconds a key, for each layout, in and out of the cache.
 *
 * A set is half filled, then each of five rounds adds new keys, asks for keys
 * it holds and asks for keys it doesn't; the table shows the medians. Keys
 * are 16 bytes, drawn from one sequence (SplitMix64), a new place in it for
 * every round. Answers are counted and the counts checked: none is skipped.
 */
#define _GNU_SOURCE

#include <seenset/seenset.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROUNDS = 5,
    BATCH = 1 << 20
};

typedef struct timing {
    double add_ns, has_ns, has_not_ns;
} timing;

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Adds keys from..from+count-1; how many were new. */
static uint64_t add_range(seenset *set, uint64_t from, uint64_t count)
{
    uint64_t new_count = 0;
    for (uint64_t i = from; i < from + count; i++) {
        uint64_t key[2] = {mix(i), i};
        new_count += seenset_add(set, key, sizeof key) == 1;
    }
    return new_count;
}

/* Asks for as many keys in an order of its own; how many were seen. */
static uint64_t has_range(const seenset *set, uint64_t from, uint64_t count)
{
    uint64_t seen_count = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = from + mix(i) % count;
        uint64_t key[2] = {mix(number), number};
        seen_count += seenset_has(set, key, sizeof key) == 1;
    }
    return seen_count;
}

static void check(int is_right, const char *what)
{
    if (!is_right) {
        fprintf(stderr, "bench: %s\n", what);
        exit(1);
    }
}

static timing run_round(seenset *set, uint64_t from, uint64_t count)
{
    double start = now_ns();
    uint64_t new_count = add_range(set, from, count);
    double added = now_ns();
    uint64_t seen_count = has_range(set, from, count);
    double asked = now_ns();
    uint64_t wrong_count = has_range(set, from + (UINT64_C(1) << 40), count);
    double end = now_ns();
    check(new_count > count / 10 * 9, "too few keys were new");
    check(seen_count == count, "a key was forgotten");
    check(wrong_count < count / 10, "too many false positives");
    double keys = (double)count;
    return (timing){(added - start) / keys, (asked - added) / keys,
                    (end - asked) / keys};
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

static void measure(seenset_layout layout, uint64_t capacity)
{
    seenset_options options = {.layout = layout, .capacity_items = capacity};
    seenset *set = NULL;
    check(seenset_new(&set, &options) == 0, "no memory for the set");
    uint64_t count = capacity / 10 < BATCH ? capacity / 10 : (uint64_t)BATCH;
    add_range(set, 0, capacity / 2);

    double add[ROUNDS], has[ROUNDS], has_not[ROUNDS];
    for (uint64_t i = 0; i < ROUNDS; i++) {
        timing round = run_round(set, capacity / 2 + i * count, count);
        add[i] = round.add_ns;
        has[i] = round.has_ns;
        has_not[i] = round.has_not_ns;
    }
    seenset_stats stats;
    check(seenset_get_stats(set, &stats) == 0, "no statistics");
    printf("| %s | %" PRIu64 " | %.1f | %.1f | %.1f | %.1f |\n",
           seenset_layout_name(layout), capacity,
           (double)stats.memory_bytes / 0x1p20, median(add), median(has),
           median(has_not));
    seenset_free(set);
}

static void print_machine(void)
{
    char line[256] = "";
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info))
        if (strncmp(line, "model name", 10) == 0)
            break;
    if (info)
        fclose(info);
    const char *name = strchr(line, ':');
    printf("seenset %s on %s\n", seenset_version(),
           name ? name + 2 : "a processor without a name\n");
}

int main(void)
{
    print_machine();
    printf("| layout | capacity | MiB | add ns | has ns (seen) | "
           "has ns (never) |\n|---|--:|--:|--:|--:|--:|\n");
    for (uint64_t capacity = 100000; capacity <= 100000000; capacity *= 1000)
        for (int layout = SEENSET_BLOCKED; layout <= SEENSET_BLOOM; layout++)
            measure((seenset_layout)layout, capacity);
    return 0;
}
