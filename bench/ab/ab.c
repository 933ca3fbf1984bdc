/*
 * ab.c - two builds of the library, call by call: is the new one slower?
 *
 *     bench_ab OLD NEW [ROUNDS [KEYS...]]
 *
 * OLD and NEW are files libseenset.so. A machine is not as fast now as it was a
 * minute ago, so two runs of a benchmark do not show a difference of some
 * percent. Here both builds are in one process, on one core, and take turns
 * within milliseconds:
 *
 *     round 1:  add OLD, add NEW, has OLD, has NEW    on a set of each
 *     round 2:  add NEW, add OLD, has NEW, has OLD    on new ones
 *     ...
 *
 * The two times of a round make a ratio, and the median of the ratios is what
 * to look at. Its quartiles show how much the machine varied. The ratio of the
 * fastest rounds is that of a machine without other work. Time is what the
 * processor spent on this thread, so a core that others take for a while costs
 * no more than the cache. One build given twice shows what is chance.
 */
#include "bench.h"

#include <stdlib.h>

#include "ab_library.h"

enum {
    BATCH = 512,
    USUAL_ROUNDS = 21,
    LEAST_ADDED = 100000 /* keys in a round, of however small sets */
};

typedef enum side {
    OLD,
    NEW,
    SIDES
} side;

typedef struct keys {
    size_t count;
    uint64_t *hashes; /* which are also the bytes of the keys */
    seenset_key *list;
} keys;

/* Returns how many were new, or seen. */
typedef size_t loop(const library *in, seenset *set, const keys *from);

typedef struct kind {
    const char *name;
    seenset_options options; /* capacity_items: those of all keys */
    unsigned first_part;     /* sets that grow begin with 1 / this; or 0 */
} kind;

#define FIXED .fp_rate = 0.01, .on_full = SEENSET_ON_FULL_DEGRADE

static const kind kinds[] = {
    {.name = "blocked", .options = {FIXED, .layout = SEENSET_LAYOUT_BLOCKED}},
    {.name = "bloom", .options = {FIXED, .layout = SEENSET_LAYOUT_BLOOM}},
    {.name = "counting", .options = {FIXED, .layout = SEENSET_LAYOUT_COUNTING}},
    {.name = "split_block",
     .options = {FIXED, .layout = SEENSET_LAYOUT_SPLIT_BLOCK}},
    {.name = "blocked, grown",
     .options = {.fp_rate = 0.01,
                 .on_full = SEENSET_ON_FULL_GROW,
                 .layout = SEENSET_LAYOUT_BLOCKED},
     .first_part = 20},
    {.name = "blocked, shared",
     .options = {FIXED, .layout = SEENSET_LAYOUT_BLOCKED,
                 .flags = SEENSET_FLAG_SHARED}},
    {.name = "bloom, shared",
     .options = {FIXED, .layout = SEENSET_LAYOUT_BLOOM,
                 .flags = SEENSET_FLAG_SHARED}},
};

/* ---- the loops ---- */

static size_t add(const library *in, seenset *set, const keys *from)
{
    size_t ones = 0;
    for (size_t i = 0; i < from->count; i++)
        ones += in->add(set, &from->hashes[i], sizeof from->hashes[i]) == 1;
    return ones;
}

static size_t has(const library *in, seenset *set, const keys *from)
{
    size_t ones = 0;
    for (size_t i = 0; i < from->count; i++)
        ones += in->has(set, &from->hashes[i], sizeof from->hashes[i]) == 1;
    return ones;
}

static size_t batch_of(const keys *from, size_t done)
{
    return from->count - done < BATCH ? from->count - done : BATCH;
}

static size_t count_ones(const uint8_t *answers, size_t count)
{
    size_t ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += answers[i] == 1;
    return ones;
}

/* Of one batch, from key number `at` on. */
typedef int batch_call(const library *in, seenset *set, const keys *from,
                       size_t at, size_t count, uint8_t *answers);

static int add_batch(const library *in, seenset *set, const keys *from,
                     size_t at, size_t count, uint8_t *answers)
{
    return in->add_many(set, from->list + at, count, answers);
}

static int has_batch(const library *in, seenset *set, const keys *from,
                     size_t at, size_t count, uint8_t *answers)
{
    return in->has_many(set, from->list + at, count, answers);
}

static int add_hash_batch(const library *in, seenset *set, const keys *from,
                          size_t at, size_t count, uint8_t *answers)
{
    return in->add_hash_many(set, from->hashes + at, count, answers);
}

static int has_hash_batch(const library *in, seenset *set, const keys *from,
                          size_t at, size_t count, uint8_t *answers)
{
    return in->has_hash_many(set, from->hashes + at, count, answers);
}

static int add_u64_batch(const library *in, seenset *set, const keys *from,
                         size_t at, size_t count, uint8_t *answers)
{
    return in->add_u64_many(set, from->hashes + at, count, answers);
}

static int has_u64_batch(const library *in, seenset *set, const keys *from,
                         size_t at, size_t count, uint8_t *answers)
{
    return in->has_u64_many(set, from->hashes + at, count, answers);
}

static size_t in_batches(batch_call *call, const library *in, seenset *set,
                         const keys *from)
{
    uint8_t answers[BATCH];
    size_t ones = 0;
    for (size_t done = 0; done < from->count; done += BATCH) {
        size_t count = batch_of(from, done);
        (void)call(in, set, from, done, count, answers);
        ones += count_ones(answers, count);
    }
    return ones;
}

/* ---- the ways ---- */

/* A set is filled in one way, and asked in the same. */
enum {
    ADDS,
    ASKS,
    CALLS
};

typedef struct way {
    const char *names[CALLS];
    loop *loops[CALLS];         /* one key after another; */
    batch_call *batches[CALLS]; /* or so many at once */
    bool (*has_calls)(const library *in);
} way;

static bool has_single_calls(const library *in)
{
    return in->add != NULL && in->has != NULL;
}

static bool has_key_batches(const library *in)
{
    return in->add_many != NULL && in->has_many != NULL;
}

static bool has_hash_batches(const library *in)
{
    return in->add_hash_many != NULL && in->has_hash_many != NULL;
}

static bool has_integer_batches(const library *in)
{
    return in->add_u64_many != NULL && in->has_u64_many != NULL;
}

static const way ways[] = {
    {.names = {"add", "has"},
     .loops = {add, has},
     .has_calls = has_single_calls},
    {.names = {"add_many", "has_many"},
     .batches = {add_batch, has_batch},
     .has_calls = has_key_batches},
    {.names = {"add_hash_many", "has_hash_many"},
     .batches = {add_hash_batch, has_hash_batch},
     .has_calls = has_hash_batches},
    {.names = {"add_u64_many", "has_u64_many"},
     .batches = {add_u64_batch, has_u64_batch},
     .has_calls = has_integer_batches},
};

static size_t run_call(const way *how, int call, const library *in,
                       seenset *set, const keys *from)
{
    return how->loops[call] != NULL
               ? how->loops[call](in, set, from)
               : in_batches(how->batches[call], in, set, from);
}

/* ---- rounds ---- */

/* What is compared, and the times of each counted round, in seconds. */
typedef struct comparison {
    library libraries[SIDES];
    keys keys;
    size_t rounds;
    double *seconds[CALLS][SIDES];
    double *ratios; /* of one call */
} comparison;

static bool make_both(const comparison *in, const kind *of,
                      seenset *sets[SIDES])
{
    seenset_options options = of->options;
    options.capacity_items = in->keys.count;
    if (of->first_part != 0)
        options.capacity_items = in->keys.count / of->first_part + 1;
    sets[OLD] = library_make(&in->libraries[OLD], &options);
    sets[NEW] = library_make(&in->libraries[NEW], &options);
    return sets[OLD] != NULL && sets[NEW] != NULL;
}

static void free_both(const comparison *in, seenset *sets[SIDES])
{
    in->libraries[OLD].free_set(sets[OLD]);
    in->libraries[NEW].free_set(sets[NEW]);
}

/* Adds the time of both sides to *seconds. */
static void take_turns(const comparison *in, const way *of, int call,
                       seenset *sets[SIDES], side first, double seconds[SIDES])
{
    for (int turn = 0; turn < SIDES; turn++) {
        side now = turn == 0 ? first : (side)(NEW - first);
        double start = now_cpu_seconds();
        size_t ones =
            run_call(of, call, &in->libraries[now], sets[now], &in->keys);
        seconds[now] += now_cpu_seconds() - start;
        require(call == ADDS ? ones > 0 : ones == in->keys.count,
                "a key that was added is not seen");
    }
}

/* Returns false where a build does not have such sets. */
static bool run_round(const comparison *in, const kind *what, const way *how,
                      size_t round, double seconds[CALLS][SIDES])
{
    size_t repeats = LEAST_ADDED / in->keys.count + 1;
    for (size_t i = 0; i < repeats; i++) {
        seenset *sets[SIDES];
        bool are_made = make_both(in, what, sets);
        for (int call = 0; are_made && call < CALLS; call++)
            take_turns(in, how, call, sets, (round + i) % 2 == 0 ? OLD : NEW,
                       seconds[call]);
        free_both(in, sets);
        if (!are_made)
            return false;
    }
    return true;
}

/* The first round warms up, and does not count. */
static bool run_rounds(comparison *in, const kind *what, const way *how)
{
    for (size_t round = 0; round <= in->rounds; round++) {
        double seconds[CALLS][SIDES] = {{0}};
        if (!run_round(in, what, how, round, seconds))
            return false;
        for (int call = 0; round > 0 && call < CALLS; call++)
            for (int of = 0; of < SIDES; of++)
                in->seconds[call][of][round - 1] = seconds[call][of];
    }
    return true;
}

/* ---- figures ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double least_of(const double *values, size_t count)
{
    double least = values[0];
    for (size_t i = 1; i < count; i++)
        least = values[i] < least ? values[i] : least;
    return least;
}

static void print_call(const comparison *in, const kind *what, const way *how,
                       int call)
{
    double *const *seconds = in->seconds[call];
    size_t rounds = in->rounds;
    for (size_t i = 0; i < rounds; i++)
        in->ratios[i] = seconds[NEW][i] / seconds[OLD][i];
    qsort(in->ratios, rounds, sizeof *in->ratios, compare);
    double fastest[SIDES] = {least_of(seconds[OLD], rounds),
                             least_of(seconds[NEW], rounds)};
    double a_key =
        1e9 / (double)((LEAST_ADDED / in->keys.count + 1) * in->keys.count);
    printf("%-15s %-13s %7.3f %6.3f %6.3f %7.3f %7.2f %7.2f\n", what->name,
           how->names[call], in->ratios[rounds / 2], in->ratios[rounds / 4],
           in->ratios[rounds * 3 / 4], fastest[NEW] / fastest[OLD],
           fastest[OLD] * a_key, fastest[NEW] * a_key);
}

static void print_kind(comparison *in, const kind *what)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const way *how = &ways[i];
        bool is_measured = how->has_calls(&in->libraries[OLD]) &&
                           how->has_calls(&in->libraries[NEW]) &&
                           run_rounds(in, what, how);
        for (int call = 0; is_measured && call < CALLS; call++)
            print_call(in, what, how, call);
        if (!is_measured)
            printf("%-15s %-13s not in both builds\n", what->name,
                   how->names[ADDS]);
        fflush(stdout);
    }
}

/* ---- all of it ---- */

static void *take_room(size_t count, size_t size_bytes)
{
    void *room = calloc(count, size_bytes);
    require(room != NULL, "out of memory");
    return room;
}

/* The finaliser of MurmurHash3, a bijection: all keys are different. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

static void make_keys(keys *out, size_t count)
{
    *out = (keys){.count = count,
                  .hashes = take_room(count, sizeof *out->hashes),
                  .list = take_room(count, sizeof *out->list)};
    for (size_t i = 0; i < count; i++) {
        out->hashes[i] = mix(i + 1);
        out->list[i] = (seenset_key){&out->hashes[i], sizeof out->hashes[i]};
    }
}

static void run_size(comparison *in, size_t count)
{
    make_keys(&in->keys, count);
    printf("\n%zu keys, %zu rounds, NEW / OLD\n", count, in->rounds);
    printf("%-15s %-13s  median     q1     q3 fastest  OLD ns  NEW ns\n", "set",
           "call");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        print_kind(in, &kinds[i]);
    free(in->keys.hashes);
    free(in->keys.list);
}

static size_t read_number(const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    require(*end == '\0' && value >= 1 && value <= 1000000000,
            "ROUNDS and KEYS are numbers of at least 1");
    return (size_t)value;
}

static void begin(comparison *out, int argc, char **argv)
{
    library_load(&out->libraries[OLD], argv[1]);
    library_load(&out->libraries[NEW], argv[2]);
    out->rounds = argc > 3 ? read_number(argv[3]) : USUAL_ROUNDS;
    out->ratios = take_room(out->rounds, sizeof *out->ratios);
    for (int call = 0; call < CALLS; call++)
        for (int of = 0; of < SIDES; of++)
            out->seconds[call][of] = take_room(out->rounds, sizeof(double));
    for (int of = 0; of < SIDES; of++)
        printf("%s: %s, %s\n", of == OLD ? "OLD" : "NEW",
               out->libraries[of].path, out->libraries[of].version());
    printf("on core %d\n", pin());
}

int main(int argc, char **argv)
{
    static const size_t usual_counts[] = {100000, 1000000};
    comparison all = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: bench_ab OLD NEW [ROUNDS [KEYS...]]; OLD and "
                        "NEW are files libseenset.so\n");
        return 1;
    }
    begin(&all, argc, argv);
    for (int i = 4; i < argc; i++)
        run_size(&all, read_number(argv[i]));
    for (size_t i = 0; argc <= 4 && i < 2; i++)
        run_size(&all, usual_counts[i]);
    free(all.ratios);
    for (int call = 0; call < CALLS; call++)
        for (int of = 0; of < SIDES; of++)
            free(all.seconds[call][of]);
    return 0;
}
