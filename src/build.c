/*
 * build.c - many keys added at once by several threads, without atomics.
 *
 *     keys:     share of thread 0    | share of thread 1    | ...
 *                 |          \          /          |
 *     lists:    0 to 0     0 to 1   1 to 0      1 to 1
 *                 |          \__     __/          |
 *     table:    lines of thread 0    | lines of thread 1    | ...
 *
 * Each thread owns a run of neighbouring lines, so that no word is written by
 * two. Threads work in rounds. In the first half of a round each hashes keys of
 * its share and puts each hash on the list of the thread that owns its place,
 * until a list is full; in the second half each adds what all have listed for
 * it. One thread has nothing to share out and adds a batch as usual.
 *
 * A layout whose keys visit several places (layout->visit_bits) is built in as
 * many passes over the keys, one a visit.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "batch.h"
#include "set.h"

enum {
    MOST_THREADS = 64,
    LEAST_KEYS = 1 << 18,  /* below, a thread costs more than it brings */
    LISTED_KEYS = 1 << 17, /* on all lists of a thread: they stay in a cache */
    LIST_GROUP = 256, /* listed before it is asked whether a list is full */
    LIST_SLACK = LIST_GROUP
};

/* The lists of one thread, one for each thread. */
typedef struct list_set {
    uint64_t *xs; /* list i: from i * capacity on */
    size_t counts[MOST_THREADS];
} list_set;

typedef struct builder {
    ss_table *table;
    ss_batch batch;
    uint32_t visit;
    uint32_t steps; /* of the hash chain, from the hash to this visit */
    unsigned thread_count;
    unsigned line_shift; /* place >> line_shift is its line */
    uint64_t line_scale; /* line * line_scale is its part of 2^64 */
    size_t capacity;     /* of a list, in keys, with its slack */
    pthread_barrier_t barrier;
    pthread_mutex_t gate; /* holds the threads until all are started */
    list_set lists[MOST_THREADS];
    bool is_done[MOST_THREADS]; /* has the thread no keys left? */
    uint64_t news[MOST_THREADS];
} builder;

typedef struct worker {
    builder *build;
    unsigned number;
    pthread_t thread;
} worker;

/* ---- listing ---- */

/*
 * Lists a group of hashes; returns whether a list is full. The constants are
 * copied, since the compiler must think that a list may hold them.
 */
static SS_ALWAYS_INLINE bool list_group(const builder *build, list_set *lists,
                                        uint32_t steps, const uint64_t *hashes,
                                        size_t count)
{
    const uint64_t range = build->table->range, scale = build->line_scale;
    const unsigned shift = build->line_shift, threads = build->thread_count;
    const size_t capacity = build->capacity;
    uint64_t *const xs = lists->xs;
    bool is_full = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = hashes[i];
        for (uint32_t step = 0; step < steps; step++)
            x = ss_hash_step(x);
        uint64_t line = ss_hash_range(x, range) >> shift;
        uint64_t owner = ss_hash_range(line * scale, threads);
        size_t at = lists->counts[owner]++;
        xs[owner * capacity + at] = x;
        is_full |= at + 1 + LIST_SLACK > capacity;
    }
    return is_full;
}

/* Hashes a group of keys, in parts. */
static void hash_group(const seenset_key *keys, size_t count, uint64_t *hashes)
{
    for (size_t i = 0; i < count; i += SS_GROUP)
        (void)ss_hash_group(
            keys + i, count - i < SS_GROUP ? count - i : SS_GROUP, hashes + i);
}

/* Lists keys first, ..., end - 1 until a list is full; returns the first key
 * that was not listed. */
static size_t list_keys(const builder *build, list_set *lists, size_t first,
                        size_t end)
{
    uint64_t made[LIST_GROUP];
    bool is_full = false;
    while (first < end && !is_full) {
        size_t count = end - first < LIST_GROUP ? end - first : LIST_GROUP;
        const uint64_t *hashes = made;
        if (build->batch.hashes != NULL)
            hashes = build->batch.hashes + first;
        else
            hash_group(build->batch.keys + first, count, made);
        is_full = build->steps == 0
                      ? list_group(build, lists, 0, hashes, count)
                      : list_group(build, lists, build->steps, hashes, count);
        first += count;
    }
    return first;
}

/* ---- adding ---- */

/* Adds what all threads listed for this one. */
static void add_listed(builder *build, unsigned number)
{
    ss_table *table = build->table;
    for (unsigned i = 0; i < build->thread_count; i++) {
        list_set *from = &build->lists[i];
        build->news[number] += table->layout->add_visits(
            table, build->visit, from->xs + number * build->capacity,
            from->counts[number]);
        from->counts[number] = 0;
    }
}

/* ---- rounds ---- */

static bool is_all_done(const builder *build)
{
    bool is_done = true;
    for (unsigned i = 0; i < build->thread_count; i++)
        is_done &= build->is_done[i];
    return is_done;
}

static void wait_for_all(builder *build)
{
    if (build->thread_count > 1)
        pthread_barrier_wait(&build->barrier);
}

static void run_rounds(builder *build, unsigned number)
{
    size_t share = build->batch.count / build->thread_count;
    size_t next = share * number;
    size_t end =
        number + 1 == build->thread_count ? build->batch.count : next + share;
    for (;;) {
        next = list_keys(build, &build->lists[number], next, end);
        build->is_done[number] = next == end;
        wait_for_all(build);
        bool is_last = is_all_done(build);
        add_listed(build, number);
        wait_for_all(build);
        if (is_last)
            return;
    }
}

static void *work(void *argument)
{
    worker *self = argument;
    pthread_mutex_lock(&self->build->gate);
    pthread_mutex_unlock(&self->build->gate);
    if (self->number < self->build->thread_count)
        run_rounds(self->build, self->number);
    return NULL;
}

/* Starts threads 1, 2, ... and works as thread 0. Those that cannot be started
 * leave their share to the others. */
static void run_visit(builder *build)
{
    worker workers[MOST_THREADS];
    unsigned started = 1;
    pthread_mutex_lock(&build->gate);
    while (started < build->thread_count) {
        workers[started] = (worker){.build = build, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work,
                           &workers[started]) != 0)
            break;
        started++;
    }
    build->thread_count = started;
    bool has_barrier = started == 1 || pthread_barrier_init(&build->barrier,
                                                            NULL, started) == 0;
    if (!has_barrier)
        build->thread_count = 1;
    pthread_mutex_unlock(&build->gate);
    run_rounds(build, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    if (started > 1 && has_barrier)
        pthread_barrier_destroy(&build->barrier);
}

/* ---- shape and memory ---- */

static void shape_build(builder *build)
{
    const ss_table *table = build->table;
    build->line_shift = (unsigned)__builtin_ctzll(
        SS_LINE_BITS / table->layout->range_step_bits);
    uint64_t lines = ((table->range - 1) >> build->line_shift) + 1;
    build->line_scale = UINT64_MAX / lines;
    build->capacity = LISTED_KEYS / build->thread_count + LIST_SLACK;
}

static bool take_lists(builder *build, const ss_memory *memory)
{
    bool has_memory = true;
    for (unsigned i = 0; i < build->thread_count; i++) {
        build->lists[i].xs = ss_memory_take(
            memory, build->thread_count * build->capacity, sizeof(uint64_t));
        has_memory &= build->lists[i].xs != NULL;
    }
    return has_memory;
}

static void give_lists(const builder *build, const ss_memory *memory,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ss_memory_give(memory, build->lists[i].xs, count * build->capacity,
                       sizeof(uint64_t));
}

/* A visit that set a bit tells of a new key only if it is the key's one. */
static uint64_t count_news(const builder *build, const ss_generation *newest,
                           uint32_t visits)
{
    uint64_t added = ss_set_added_items(newest);
    if (visits > 1)
        return ss_set_estimate_items(build->table, added,
                                     added + build->batch.count) -
               added;
    uint64_t news = 0;
    for (unsigned i = 0; i < build->thread_count; i++)
        news += build->news[i];
    return news;
}

/* All visits of all keys. */
static int run_build(builder *build, seenset *set)
{
    ss_generation *newest = ss_set_newest(set);
    unsigned wanted = build->thread_count;
    build->table = &newest->table;
    shape_build(build);
    bool has_memory = take_lists(build, &set->memory);
    uint32_t visits =
        build->table->hash_count / build->table->layout->visit_bits;
    for (uint32_t visit = 0; has_memory && visit < visits; visit++) {
        build->visit = visit;
        build->steps = visit * build->table->layout->visit_steps;
        run_visit(build);
    }
    give_lists(build, &set->memory, wanted);
    if (!has_memory)
        return SEENSET_ENOMEM;
    ss_set_count_added(set, newest, count_news(build, newest, visits));
    return SEENSET_OK;
}

/* Is there one table, that all keys go to whatever comes? */
static bool is_possible(const seenset *set, size_t count)
{
    const ss_generation *only = set->generations;
    if (set->is_view || set->generation_count > 1 ||
        set->on_full == SEENSET_ROTATE || only->table.place_bits > 1 ||
        ss_set_is_sealed(set) || !ss_identity_is_plain(&set->identity))
        return false;
    uint64_t added = ss_set_added_items(only);
    return set->on_full == SEENSET_DEGRADE ||
           (added <= only->capacity_items &&
            only->capacity_items - added >= count);
}

static bool is_shared_out(const seenset *set, size_t count,
                          unsigned thread_count)
{
    return thread_count > 1 && count >= LEAST_KEYS && is_possible(set, count);
}

static int build_any(seenset *set, const ss_batch *batch, unsigned thread_count)
{
    builder *build = ss_memory_take(&set->memory, 1, sizeof *build);
    if (build == NULL)
        return SEENSET_ENOMEM;
    build->batch = *batch;
    build->thread_count =
        thread_count < MOST_THREADS ? thread_count : MOST_THREADS;
    pthread_mutex_init(&build->gate, NULL);
    int error = run_build(build, set);
    pthread_mutex_destroy(&build->gate);
    ss_memory_give(&set->memory, build, 1, sizeof *build);
    return error;
}

int seenset_build(seenset *set, const seenset_key *keys, size_t key_count,
                  unsigned thread_count)
{
    if (!is_shared_out(set, key_count, thread_count))
        return seenset_add_many(set, keys, key_count, NULL);
    if (!ss_set_are_keys(keys, key_count))
        return SEENSET_EINVAL;
    ss_batch batch = {.keys = keys, .count = key_count};
    return build_any(set, &batch, thread_count);
}

int seenset_build_hashes(seenset *set, const uint64_t *hashes,
                         size_t hash_count, unsigned thread_count)
{
    if (!ss_identity_is_plain(&set->identity))
        return SEENSET_EUNSUPPORTED;
    if (!is_shared_out(set, hash_count, thread_count))
        return seenset_add_hash_many(set, hashes, hash_count, NULL);
    if (hashes == NULL)
        return SEENSET_EINVAL;
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return build_any(set, &batch, thread_count);
}
