/*
 * build.c - adding many keys faster than one random memory access a key.
 *
 *     hashes --> bins, one for each part of the table --> the parts, in turn
 *
 * A part is a run of whole lines that fits a core's cache. Each hash is put
 * into the bin of the part where its place is, through a line of LINE_KEYS
 * hashes that is written out whole when full. When a bin is full, all bins are
 * emptied into their parts: memory is then only read and written in sequence,
 * and every line of the table that is fetched serves several keys.
 *
 * A layout whose keys visit several places (layout->visit_bits) is built in
 * as many passes over the keys, one a visit.
 *
 * Threads work in rounds. In the first half of a round each puts its own share
 * of the keys into bins of its own; in the second half each empties all bins of
 * the parts that it owns, so no word is written by two.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "batch.h"
#include "hash.h"
#include "set.h"

enum {
    LINE_KEYS = 8,     /* a cache line of hashes */
    MOST_PARTS = 1024, /* lines being filled stay in a core's cache */
    MOST_THREADS = 64,
    PART_BYTES = 256 * 1024, /* of the table */
    LEAST_KEYS = 1 << 20,
    LEAST_TABLE_BYTES = 32 << 20, /* below, one thread adds as fast */
    LEAST_SPLIT_BYTES = 8 << 20,  /* below, so do several */
    LEAST_BIN_BYTES = 16 << 20,   /* of all bins of all threads */
    MOST_BIN_BYTES = 512 << 20
};

/* The bins of one thread. The last count % LINE_KEYS keys of a bin are still
 * in its line. */
typedef struct bin_set {
    uint64_t *keys;  /* part p: from p * capacity on */
    uint64_t *lines; /* the line of part p that is being filled */
    size_t *counts;  /* keys of part p */
} bin_set;

typedef struct builder {
    seenset *set;
    ss_batch batch;
    uint32_t visit;
    uint32_t steps;      /* of the hash chain, from the hash to this visit */
    uint64_t range;      /* the table's: places are 0 ... range - 1 */
    unsigned part_shift; /* place >> part_shift is its part */
    size_t part_count;
    size_t capacity; /* of one bin, in keys */
    unsigned thread_count;
    pthread_barrier_t barrier;
    pthread_mutex_t gate; /* holds the threads until all are started */
    bin_set bins[MOST_THREADS];
    bool is_done[MOST_THREADS]; /* has the thread no keys left? */
    uint64_t news[MOST_THREADS];
} builder;

typedef struct worker {
    builder *build;
    unsigned number;
    pthread_t thread;
} worker;

/* ---- filling ---- */

/* A full line goes to memory past the cache where the processor can do that:
 * it is not read again before the bin is emptied. */
static inline void put_line(uint64_t *bin, const uint64_t *line)
{
#if defined(__SSE2__)
    for (int i = 0; i < LINE_KEYS; i += 2)
        _mm_stream_si128(
            (__m128i *)(void *)(bin + i),
            _mm_load_si128((const __m128i *)(const void *)(line + i)));
#else
    memcpy(bin, line, LINE_KEYS * sizeof *line);
#endif
}

/* Orders such lines before what other threads are told next. */
static inline void settle_lines(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/*
 * Puts keys first, ..., end - 1 into bins until one is full; returns the first
 * key that was not put. is_hashed, is_first: constants where it is called.
 */
static SS_ALWAYS_INLINE size_t fill_loop(const builder *build, bin_set bins,
                                         size_t first, size_t end,
                                         bool is_hashed, bool is_first)
{
    const ss_batch batch = build->batch;
    const uint32_t steps = is_first ? 0 : build->steps;
    const uint64_t range = build->range;
    const unsigned part_shift = build->part_shift;
    const size_t capacity = build->capacity;
    for (size_t i = first; i < end; i++) {
        uint64_t x = is_hashed
                         ? batch.hashes[i]
                         : ss_hash_key(batch.keys[i].data, batch.keys[i].len);
        for (uint32_t step = 0; step < steps; step++)
            x = ss_hash_step(x);
        size_t part = (size_t)(ss_hash_range(x, range) >> part_shift);
        uint64_t *line = bins.lines + part * LINE_KEYS;
        size_t count = bins.counts[part]++;
        line[count % LINE_KEYS] = x;
        if (count % LINE_KEYS != LINE_KEYS - 1)
            continue;
        put_line(bins.keys + part * capacity + count - (LINE_KEYS - 1), line);
        if (count + 1 == capacity)
            return i + 1;
    }
    return end;
}

static size_t fill(const builder *build, const bin_set *bins, size_t first,
                   size_t end)
{
    bool is_hashed = build->batch.hashes != NULL;
    size_t next;
    if (is_hashed && build->steps == 0)
        next = fill_loop(build, *bins, first, end, true, true);
    else if (is_hashed)
        next = fill_loop(build, *bins, first, end, true, false);
    else if (build->steps == 0)
        next = fill_loop(build, *bins, first, end, false, true);
    else
        next = fill_loop(build, *bins, first, end, false, false);
    settle_lines();
    return next;
}

/* ---- emptying ---- */

static uint64_t empty(const builder *build, const bin_set *bins, size_t part)
{
    ss_table *table = &ss_set_newest(build->set)->table;
    size_t count = bins->counts[part];
    size_t in_line = count % LINE_KEYS;
    bins->counts[part] = 0;
    return table->layout->add_visits(table, build->visit,
                                     bins->keys + part * build->capacity,
                                     count - in_line) +
           table->layout->add_visits(table, build->visit,
                                     bins->lines + part * LINE_KEYS, in_line);
}

/* Empties, from the bins of all threads, the parts that this one owns: a run of
 * neighbours. */
static void empty_own_parts(builder *build, unsigned number)
{
    size_t first = build->part_count * number / build->thread_count;
    size_t end = build->part_count * (number + 1) / build->thread_count;
    for (size_t part = first; part < end; part++) {
        for (unsigned i = 0; i < build->thread_count; i++)
            build->news[number] += empty(build, &build->bins[i], part);
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
        next = fill(build, &build->bins[number], next, end);
        build->is_done[number] = next == end;
        wait_for_all(build);
        bool is_last = is_all_done(build);
        empty_own_parts(build, number);
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

/* All bins together: twice the table, so that a line fetched serves many keys,
 * but no more than the keys themselves need, and within bounds. */
static uint64_t bin_bytes(const builder *build, const ss_table *table)
{
    uint64_t bytes = table->size_bits / 8 * 2;
    uint64_t key_bytes = (uint64_t)build->batch.count * sizeof(uint64_t);
    if (bytes > key_bytes)
        bytes = key_bytes;
    if (bytes < LEAST_BIN_BYTES)
        bytes = LEAST_BIN_BYTES;
    return bytes < MOST_BIN_BYTES ? bytes : MOST_BIN_BYTES;
}

/*
 * Parts of PART_BYTES, or larger ones if that makes too many. A bin is an odd
 * number of lines: all are filled at one pace, and a power of two would send
 * every write to the same sets of the cache.
 */
static void shape_build(builder *build, const ss_table *table)
{
    uint64_t part_places =
        (uint64_t)PART_BYTES * 8 / table->layout->range_step_bits;
    build->range = table->range;
    build->part_shift = (unsigned)__builtin_ctzll(part_places);
    while ((table->range - 1) >> build->part_shift >= MOST_PARTS)
        build->part_shift++;
    build->part_count = (size_t)((table->range - 1) >> build->part_shift) + 1;
    size_t bin_count = build->part_count * build->thread_count;
    size_t bin_lines =
        (size_t)(bin_bytes(build, table) / SS_LINE_BYTES / bin_count);
    build->capacity = (bin_lines - 1 + bin_lines % 2) * LINE_KEYS;
}

static void give_bins(const builder *build, const ss_memory *memory,
                      bin_set *bins)
{
    size_t parts = build->part_count;
    ss_memory_give(memory, bins->keys, parts * build->capacity, 8);
    ss_memory_give(memory, bins->counts, parts, sizeof *bins->counts);
    ss_memory_give(memory, bins->lines, parts * LINE_KEYS, 8);
}

static bool take_bins(const builder *build, const ss_memory *memory,
                      bin_set *bins)
{
    size_t parts = build->part_count;
    bins->keys = ss_memory_take(memory, parts * build->capacity, 8);
    bins->counts = ss_memory_take(memory, parts, sizeof *bins->counts);
    bins->lines = ss_memory_take(memory, parts * LINE_KEYS, 8);
    return bins->keys != NULL && bins->counts != NULL && bins->lines != NULL;
}

/* A visit that set a bit tells of a new key only if it is the key's one. */
static uint64_t count_news(const builder *build, const ss_generation *newest,
                           uint32_t visits)
{
    uint64_t added = ss_set_added_items(newest);
    if (visits > 1)
        return ss_set_estimate_items(&newest->table, added,
                                     added + build->batch.count) -
               added;
    uint64_t news = 0;
    for (unsigned i = 0; i < build->thread_count; i++)
        news += build->news[i];
    return news;
}

/* All visits of all keys. */
static int run_build(builder *build)
{
    const ss_memory *memory = &build->set->memory;
    ss_generation *newest = ss_set_newest(build->set);
    ss_table *table = &newest->table;
    unsigned wanted = build->thread_count;
    shape_build(build, table);
    bool has_memory = true;
    for (unsigned i = 0; i < wanted; i++)
        has_memory &= take_bins(build, memory, &build->bins[i]);
    uint32_t visits = table->hash_count / table->layout->visit_bits;
    for (uint32_t visit = 0; has_memory && visit < visits; visit++) {
        build->visit = visit;
        build->steps = visit * table->layout->visit_steps;
        run_visit(build);
    }
    for (unsigned i = 0; i < wanted; i++)
        give_bins(build, memory, &build->bins[i]);
    if (!has_memory)
        return SEENSET_ENOMEM;
    ss_set_count_added(build->set, newest, count_news(build, newest, visits));
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

static bool is_worth_it(const seenset *set, size_t count, unsigned thread_count)
{
    const ss_table *table = &ss_set_newest(set)->table;
    uint64_t least_bytes =
        thread_count > 1 ? LEAST_SPLIT_BYTES : LEAST_TABLE_BYTES;
    return is_possible(set, count) && count >= LEAST_KEYS &&
           table->size_bits / 8 >= least_bytes;
}

static int build_any(seenset *set, const ss_batch *batch, unsigned thread_count)
{
    builder *build = ss_memory_take(&set->memory, 1, sizeof *build);
    if (build == NULL)
        return SEENSET_ENOMEM;
    build->set = set;
    build->batch = *batch;
    build->thread_count = thread_count == 0             ? 1
                          : thread_count > MOST_THREADS ? MOST_THREADS
                                                        : thread_count;
    pthread_mutex_init(&build->gate, NULL);
    int error = run_build(build);
    pthread_mutex_destroy(&build->gate);
    ss_memory_give(&set->memory, build, 1, sizeof *build);
    return error;
}

int seenset_build(seenset *set, const seenset_key *keys, size_t key_count,
                  unsigned thread_count)
{
    if (!is_worth_it(set, key_count, thread_count))
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
    if (!is_worth_it(set, hash_count, thread_count))
        return seenset_add_hash_many(set, hashes, hash_count, NULL);
    if (hashes == NULL)
        return SEENSET_EINVAL;
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return build_any(set, &batch, thread_count);
}
