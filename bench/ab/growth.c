/*
 * growth.c - what it costs not to know n, as n grows: memory and time.
 *
 *     bench_growth OLD NEW [KEYS [FP_RATE [FIRST]]]
 *
 * OLD and NEW are files libseenset.so: OLD is the build whose sets grow as a
 * list of tables, NEW one whose sets grow in place. Both are in one process, on
 * one core, and take turns at each number of keys. Three kinds of sets:
 *
 *     sized   of NEW, made for as many keys as it has, without growth
 *     chain   of OLD, made for FIRST keys, and grown
 *     grown   of NEW, made for FIRST keys, and grown
 *
 * A line each, with tabs between: keys, kind, tables, bits a key (of all
 * memory), then nanoseconds of this thread a key: adds since the line before,
 * in batches; lookups of seen and of new keys, one a call; the same in batches.
 * Lookups are the least of several rounds. Times are at FIRST 2^i keys only, as
 * memory goes up and down in between; elsewhere they are "-".
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#include "ab_library.h"

enum {
    BATCH = 1024,
    CHUNK = 64 * BATCH,
    PROBES = 1 << 20,
    ROUNDS = 5,
    STEPS = 8 /* lines a doubling */
};

typedef struct subject {
    const char *name;
    const library *from;
    seenset *set;
    uint64_t items;
    double add_ns; /* since the last line */
} subject;

typedef struct lookups {
    double one[2], many[2]; /* seen, new */
} lookups;

static uint64_t mix(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static subject begin(const char *name, const library *from, uint64_t items,
                     double fp_rate, seenset_on_full on_full)
{
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOCKED,
                               .on_full = on_full,
                               .capacity_items = items,
                               .fp_rate = fp_rate};
    subject made = {name, from, library_make(from, &options), 0, 0.0};
    require(made.set != NULL, "no such set");
    return made;
}

/* Adds hash after hash of one stream until there are so many. */
static void add_to(subject *to, uint64_t items)
{
    static uint64_t hashes[CHUNK];
    static uint8_t is_new[BATCH];
    double seconds = 0.0;
    uint64_t added = items - to->items;
    while (to->items < items) {
        size_t chunk =
            items - to->items < CHUNK ? (size_t)(items - to->items) : CHUNK;
        for (size_t i = 0; i < chunk; i++)
            hashes[i] = mix(to->items + i);
        double start = now_cpu_seconds();
        for (size_t i = 0; i < chunk; i += BATCH)
            require(to->from->add_hash_many(
                        to->set, hashes + i,
                        chunk - i < BATCH ? chunk - i : BATCH, is_new) == 0,
                    "adding failed");
        seconds += now_cpu_seconds() - start;
        to->items += chunk;
    }
    to->add_ns = added > 0 ? seconds * 1e9 / (double)added : 0.0;
}

/* Hashes of keys that are in, of all ages, or of new ones. */
static void draw(uint64_t *hashes, uint64_t items, bool is_seen)
{
    for (size_t i = 0; i < PROBES; i++) {
        uint64_t x = mix(i ^ UINT64_C(0x5555) << 40);
        hashes[i] = mix(is_seen ? x % items : x | UINT64_C(1) << 63);
    }
}

static double time_one(const subject *of, const uint64_t *hashes)
{
    size_t seen = 0;
    double start = now_cpu_seconds();
    for (size_t i = 0; i < PROBES; i++)
        seen += (size_t)of->from->has_hash(of->set, hashes[i]);
    double seconds = now_cpu_seconds() - start;
    require(seen <= PROBES, "asking failed");
    return seconds * 1e9 / PROBES;
}

static double time_many(const subject *of, const uint64_t *hashes)
{
    static uint8_t is_seen[BATCH];
    double start = now_cpu_seconds();
    for (size_t i = 0; i < PROBES; i += BATCH)
        require(of->from->has_hash_many(of->set, hashes + i, BATCH, is_seen) ==
                    0,
                "asking failed");
    return (now_cpu_seconds() - start) * 1e9 / PROBES;
}

static void ask(const subject *of, const uint64_t *hashes, bool is_new,
                lookups *best)
{
    best->one[is_new] = fmin(best->one[is_new], time_one(of, hashes));
    best->many[is_new] = fmin(best->many[is_new], time_many(of, hashes));
}

static void print(const subject *of, const lookups *best)
{
    seenset_info info;
    require(of->from->get_info(of->set, &info, sizeof info) == 0, "no info");
    printf("%llu\t%s\t%u\t%.2f", (unsigned long long)of->items, of->name,
           info.table_count,
           8.0 * (double)info.memory_bytes / (double)of->items);
    if (best != NULL)
        printf("\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", of->add_ns, best->one[0],
               best->one[1], best->many[0], best->many[1]);
    else
        printf("\t-\t-\t-\t-\t-\n");
}

/* All kinds with so many keys, in turn, so that other work of the machine
 * slows each of them alike. */
static void compare(subject *of, size_t count, uint64_t *hashes)
{
    lookups best[3];
    for (size_t i = 0; i < count; i++)
        best[i] = (lookups){{INFINITY, INFINITY}, {INFINITY, INFINITY}};
    for (int is_new = 0; is_new < 2; is_new++) {
        draw(hashes, of[0].items, !is_new);
        for (int round = 0; round < ROUNDS; round++)
            for (size_t i = 0; i < count; i++)
                ask(&of[i], hashes, is_new, &best[i]);
    }
    for (size_t i = 0; i < count; i++)
        print(&of[i], &best[i]);
    fflush(stdout);
}

static void run(const library *old, const library *new, double keys,
                double fp_rate, uint64_t first)
{
    uint64_t *hashes = malloc(PROBES * sizeof *hashes);
    require(hashes != NULL, "no memory for hashes");
    subject of[3] = {{0},
                     begin("chain", old, first, fp_rate, SEENSET_ON_FULL_GROW),
                     begin("grown", new, first, fp_rate, SEENSET_ON_FULL_GROW)};
    for (unsigned step = 0;; step++) {
        double items = floor((double)first * exp2((double)step / STEPS));
        if (items > keys)
            break;
        add_to(&of[1], (uint64_t)items);
        add_to(&of[2], (uint64_t)items);
        if (step % STEPS != 0) {
            print(&of[1], NULL);
            print(&of[2], NULL);
            continue;
        }
        of[0] = begin("sized", new, (uint64_t)items, fp_rate,
                      SEENSET_ON_FULL_DEGRADE);
        add_to(&of[0], (uint64_t)items);
        compare(of, 3, hashes);
        new->free_set(of[0].set);
    }
    old->free_set(of[1].set);
    new->free_set(of[2].set);
    free(hashes);
}

int main(int argc, char **argv)
{
    library old, new;
    require(argc > 2, "usage: bench_growth OLD NEW [KEYS [FP_RATE [FIRST]]]");
    double keys = argc > 3 ? strtod(argv[3], NULL) : 1e7;
    double fp_rate = argc > 4 ? strtod(argv[4], NULL) : 0.01;
    uint64_t first = argc > 5 ? (uint64_t)strtod(argv[5], NULL) : 1000;
    library_load(&old, argv[1]);
    library_load(&new, argv[2]);
    require(old.add_hash_many != NULL && old.has_hash != NULL,
            "an OLD without calls for hashes");
    pin();
    printf("# bench_growth: to %.0f keys at %g, made for %llu; %s beside %s\n"
           "# keys\tkind\ttables\tbits\tadd\tseen\tnew\tseen_many\tnew_many\n",
           keys, fp_rate, (unsigned long long)first, old.version(),
           new.version());
    run(&old, &new, keys, fp_rate, first);
    return 0;
}
