/*
 * expand.c - what it costs not to know n: a table that grows in place beside
 * a set sized right and a set that grew as a list of tables.
 *
 *     bench_expand ITEMS [FP_RATE [FIRST_ITEMS [TWIN]]]
 *
 * Nanoseconds of this thread a key, the least of the rounds; adds are one run
 * each. Bits a key are of all memory: at the end, and the mean and most over
 * the last doubling.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "expand/expand.h"
#include "expand/kernel/kernels.h"

enum {
    BATCH = 1024,
    ROUNDS = 5,
    PROBES = 4000000,
    LOOKS = 1000 /* at the memory, over a doubling */
};

typedef struct subject {
    seenset *set; /* or */
    ss_expand *expand;
} subject;

typedef struct figures {
    double bits, mean_bits, worst_bits;
    double rate;
    double has_many[2], has[2]; /* hits, misses */
    double add_many, add, longest_us;
} figures;

static uint64_t mix(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static int add_one(subject to, uint64_t hash)
{
    return to.set != NULL ? seenset_add_hash(to.set, hash)
                          : ss_expand_add(to.expand, hash);
}

static void add_batch(subject to, const uint64_t *hashes, size_t count)
{
    static uint8_t is_new[BATCH];
    size_t done;
    int rc = to.set != NULL
                 ? seenset_add_hash_many(to.set, hashes, count, is_new)
                 : ss_expand_add_many(to.expand, hashes, count, is_new, &done);
    require(rc == 0, "adding failed");
}

static size_t has_batch(subject of, const uint64_t *hashes, size_t count)
{
    static uint8_t is_seen[BATCH];
    size_t seen = 0;
    if (of.set == NULL)
        return ss_expand_has_many(of.expand, hashes, count, is_seen);
    require(seenset_has_hash_many(of.set, hashes, count, is_seen) == 0,
            "asking failed");
    for (size_t i = 0; i < count; i++)
        seen += is_seen[i];
    return seen;
}

static double now_bits(subject of)
{
    if (of.set == NULL)
        return 8.0 * (double)ss_expand_bytes(of.expand);
    seenset_stats stats;
    require(seenset_get_stats(of.set, &stats, sizeof stats) == 0, "no stats");
    return 8.0 * (double)stats.memory_bytes;
}

static double time_adds(subject to, const uint64_t *hashes, size_t items,
                        figures *out)
{
    double sum = 0.0;
    size_t looks = 0, step = items / 2 / LOOKS + 1;
    double start = now_cpu_seconds(), spent = 0.0;
    for (size_t i = 0; i < items; i += BATCH) {
        size_t count = items - i < BATCH ? items - i : BATCH;
        add_batch(to, hashes + i, count);
        if (to.set != NULL || i < items / 2 || i / step == (i - BATCH) / step)
            continue;
        double before = now_cpu_seconds();
        double bits = now_bits(to) / (double)(i + count);
        out->worst_bits = fmax(out->worst_bits, bits);
        sum += bits;
        looks++;
        spent += now_cpu_seconds() - before;
    }
    double seconds = now_cpu_seconds() - start - spent;
    out->bits = now_bits(to) / (double)items;
    out->mean_bits = looks > 0 ? sum / (double)looks : 0.0;
    return seconds * 1e9 / (double)items;
}

static double time_singles(subject to, const uint64_t *hashes, size_t items)
{
    double start = now_cpu_seconds();
    for (size_t i = 0; i < items; i++)
        (void)add_one(to, hashes[i]);
    return (now_cpu_seconds() - start) * 1e9 / (double)items;
}

static double find_longest(subject to, const uint64_t *hashes, size_t items)
{
    double longest = 0.0;
    for (size_t i = 0; i < items; i++) {
        double start = now_cpu_seconds();
        (void)add_one(to, hashes[i]);
        longest = fmax(longest, now_cpu_seconds() - start);
    }
    return longest * 1e6;
}

static double time_has_many(subject of, const uint64_t *hashes, size_t items,
                            size_t *seen)
{
    double best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_cpu_seconds();
        *seen = 0;
        for (size_t i = 0; i < items; i += BATCH)
            *seen += has_batch(of, hashes + i,
                               items - i < BATCH ? items - i : BATCH);
        best = fmin(best, now_cpu_seconds() - start);
    }
    return best * 1e9 / (double)items;
}

static double time_has(subject of, const uint64_t *hashes, size_t items)
{
    double best = INFINITY;
    size_t seen = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_cpu_seconds();
        for (size_t i = 0; i < items; i++)
            seen +=
                (size_t)(of.set != NULL ? seenset_has_hash(of.set, hashes[i])
                                        : ss_expand_has(of.expand, hashes[i]));
        best = fmin(best, now_cpu_seconds() - start);
    }
    require(seen < SIZE_MAX, "");
    return best * 1e9 / (double)items;
}

static void ask(subject of, const uint64_t *in, const uint64_t *out,
                size_t items, figures *to)
{
    size_t seen, probes = items < PROBES ? items : PROBES;
    size_t from = items - probes; /* keys in no order, of all ages */
    to->has_many[0] = time_has_many(of, in + from / 2, probes, &seen);
    require(seen == probes, "a key was forgotten");
    to->has_many[1] = time_has_many(of, out, probes, &seen);
    to->rate = (double)seen / (double)probes;
    to->has[0] = time_has(of, in + from / 2, probes);
    to->has[1] = time_has(of, out, probes);
}

static void print(const char *name, const figures *of)
{
    printf("%-8s bits %5.2f/%5.2f/%5.2f  rate %7.5f %%  has batch %5.1f/%5.1f"
           "  single %5.1f/%5.1f  add batch/single %5.1f/%5.1f"
           "  longest %7.1f us\n",
           name, of->bits, of->mean_bits, of->worst_bits, 100.0 * of->rate,
           of->has_many[0], of->has_many[1], of->has[0], of->has[1],
           of->add_many, of->add, of->longest_us);
}

typedef struct kind {
    const char *name;
    uint64_t first_items; /* of a set; 0: a table that grows in place */
    double fp_rate;
    uint8_t width;
    const char *twin;
} kind;

static subject make(const kind *of, uint64_t items)
{
    subject made = {NULL, NULL};
    if (of->width != 0) {
        ss_expand_options options = {.first_items = of->first_items,
                                     .widths = {of->width},
                                     .kernel = of->twin};
        require(ss_expand_new(&made.expand, &options) == 0, "no such table");
        return made;
    }
    seenset_options options = {
        .capacity_items = of->first_items != 0 ? of->first_items : items,
        .fp_rate = of->fp_rate};
    require(seenset_new(&made.set, &options) == 0, "no memory for a set");
    return made;
}

static void end(subject of)
{
    seenset_free(of.set);
    ss_expand_free(of.expand);
}

static void measure(const kind *of, const uint64_t *in, const uint64_t *out,
                    size_t items)
{
    figures to = {0};
    subject made = make(of, items);
    to.add = time_singles(made, in, items);
    end(made);
    made = make(of, items);
    to.longest_us = find_longest(made, in, items);
    end(made);
    made = make(of, items);
    to.add_many = time_adds(made, in, items, &to);
    ask(made, in, out, items, &to);
    end(made);
    print(of->name, &to);
}

int main(int argc, char **argv)
{
    size_t items = argc > 1 ? (size_t)strtod(argv[1], NULL) : 1000000;
    double fp_rate = argc > 2 ? strtod(argv[2], NULL) : 0.01;
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1000;
    const char *twin = argc > 4 ? argv[4] : NULL;
    size_t probes = items < PROBES ? items : PROBES;
    uint64_t *in = malloc(items * sizeof *in);
    uint64_t *out = malloc(probes * sizeof *out);
    require(in != NULL && out != NULL, "no memory for hashes");
    for (size_t i = 0; i < items; i++)
        in[i] = mix(i);
    for (size_t i = 0; i < probes; i++)
        out[i] = mix(~(uint64_t)i);
    uint8_t width = (uint8_t)(14.0 + ceil(log2(0.01 / fp_rate)));
    kind kinds[] = {{"sized", 0, fp_rate, 0, NULL},
                    {"chain", first, fp_rate, 0, NULL},
                    {"expand", first, fp_rate, width, twin}};
    printf("%zu keys, %g, from %llu, on core %d\n", items, fp_rate,
           (unsigned long long)first, pin());
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        measure(&kinds[i], in, out, items);
    free(in);
    free(out);
    return 0;
}
