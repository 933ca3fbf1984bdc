/*
 * add_parallel.c - many keys added at once by several threads, without atomics.
 *
 *     keys:     share of thread 0           | share of thread 1           |
 *                     |                             |
 *     lists:    0's for part 0, 1, 2, ...     1's for part 0, 1, 2, ...
 *                     |                             |
 *     table:    parts that thread 0 owns    | parts that thread 1 owns    |
 *
 * The table is cut into parts of neighbouring lines, small enough for the
 * cache of a core, and each thread owns some, so that no word is written by
 * two. Threads work in rounds. In the first half of a round each hashes keys of
 * its share and puts each hash on its list for the part where it belongs, until
 * a list is full; in the second half each adds what all have listed for the
 * parts that it owns, one after the other. So a line comes from memory once a
 * round, not once a key: cores that fetch lines at random wait for each other's
 * (docs/lab/speed.md). One thread has nobody to wait for, and adds as usual.
 *
 * A layout whose keys probe several places (layout->probe_bits) is built in as
 * many passes over the keys, one a probe.
 */
#include "base/team.h"
#include "set/capacity.h"
#include "set/kinds/kind.h"
#include "table/batch_feed.h"

enum {
    MOST_THREADS = SS_TEAM_MOST_THREADS,
    LEAST_KEYS = 1 << 18, /* below, a thread costs more than it brings */
    PART_LINES = (1 << 18) / SS_LINE_BYTES, /* well within a core's cache */
    MOST_PARTS = 1024,
    USUAL_PARTS = 512, /* lists that are written to side by side */
    THREAD_PARTS = 16, /* at least, so that shares of the table are alike */
    LIST_GROUP = 64,   /* listed before it is asked whether a list is full */
};

/* What is listed before it is added, in keys: on all lists together. */
static const uint64_t most_listed = UINT64_C(1) << 25;
static const uint64_t least_listed = UINT64_C(1) << 18;

/* The lists of one thread, one for each part. */
typedef struct list_set {
    uint64_t *xs; /* list i: from i * capacity on */
    size_t counts[MOST_PARTS];
} list_set;

typedef struct builder {
    ss_table *table;
    ss_batch batch;
    uint32_t probe;
    uint32_t steps; /* of the hash chain, from the hash to this probe */
    unsigned thread_count;
    unsigned part_shift; /* place >> part_shift is its part */
    size_t part_count;
    size_t capacity; /* of a list, in keys, with a group's slack */
    list_set lists[MOST_THREADS];
    bool is_done[MOST_THREADS]; /* has the thread no keys left? */
    uint64_t news[MOST_THREADS];
} builder;

/* ---- listing ---- */

/*
 * Lists a group of hashes; returns whether a list is full. The constants are
 * copied, since the compiler must think that a list may hold them.
 */
static SS_ALWAYS_INLINE bool list_group(const builder *build, list_set *lists,
                                        uint32_t steps, const uint64_t *hashes,
                                        size_t count)
{
    const uint64_t range = build->table->range;
    const uint64_t counts = ~build->table->layout->range_ignores;
    const unsigned shift = build->part_shift;
    const size_t capacity = build->capacity;
    uint64_t *const xs = lists->xs;
    bool is_full = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = hashes[i];
        for (uint32_t step = 0; step < steps; step++)
            x = ss_hash_step(x);
        uint64_t part = ss_hash_range(x & counts, range) >> shift;
        size_t at = lists->counts[part]++;
        xs[part * capacity + at] = x;
        is_full |= at + 1 + LIST_GROUP > capacity;
    }
    return is_full;
}

/* Hashes keys, a group at a time. */
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

/* Adds what all threads listed for a part. */
static uint64_t add_part(builder *build, size_t part)
{
    ss_table *table = build->table;
    uint64_t news = 0;
    for (unsigned i = 0; i < build->thread_count; i++) {
        list_set *from = &build->lists[i];
        news += table->layout->add_probes(table, build->probe,
                                          from->xs + part * build->capacity,
                                          from->counts[part]);
        from->counts[part] = 0;
    }
    return news;
}

/* The first part that is a thread's own. */
static size_t first_part(const builder *build, unsigned number)
{
    return build->part_count * number / build->thread_count;
}

static void add_listed(builder *build, unsigned number)
{
    size_t end = first_part(build, number + 1);
    for (size_t i = first_part(build, number); i < end; i++)
        build->news[number] += add_part(build, i);
}

/* ---- rounds ---- */

static bool is_all_done(const builder *build)
{
    bool is_done = true;
    for (unsigned i = 0; i < build->thread_count; i++)
        is_done &= build->is_done[i];
    return is_done;
}

/* Rounds until no thread has a key left. */
static void run_rounds(void *context, ss_team *team, unsigned number)
{
    builder *build = context;
    size_t share = build->batch.count / build->thread_count;
    size_t next = share * number;
    size_t end =
        number + 1 == build->thread_count ? build->batch.count : next + share;
    for (;;) {
        next = list_keys(build, &build->lists[number], next, end);
        build->is_done[number] = next == end;
        ss_team_wait(team);
        bool is_last = is_all_done(build);
        add_listed(build, number);
        ss_team_wait(team);
        if (is_last)
            return;
    }
}

/* ---- shape and memory ---- */

/* Parts of PART_LINES lines, or more lines where they would be too many,
 * or fewer where they would be too few. */
static void shape_parts(builder *build)
{
    const ss_table *table = build->table;
    uint64_t few = (uint64_t)THREAD_PARTS * build->thread_count;
    uint64_t many = few > USUAL_PARTS ? few : USUAL_PARTS;
    unsigned shift = (unsigned)__builtin_ctzll(SS_LINE_BITS /
                                               table->layout->range_step_bits);
    uint64_t parts = ((table->range - 1) >> shift) + 1; /* of one line each */
    for (uint64_t part_lines = 1;
         parts > many || (part_lines < PART_LINES && parts > 2 * few);
         part_lines *= 2) {
        parts = parts / 2 + parts % 2;
        shift++;
    }
    build->part_shift = shift;
    build->part_count = (size_t)parts;
}

/* Lists of an eighth of the table's size together: the less is on them, the
 * more of the table is read and written for each key. */
static void shape_lists(builder *build)
{
    uint64_t listed = build->table->size_bits / SS_WORD_BITS / 8;
    if (listed > most_listed)
        listed = most_listed;
    if (listed < least_listed)
        listed = least_listed;
    build->capacity =
        (size_t)(listed / build->thread_count / build->part_count) + LIST_GROUP;
}

static bool take_lists(builder *build, const ss_memory *memory)
{
    bool has_memory = true;
    for (unsigned i = 0; i < build->thread_count; i++) {
        build->lists[i].xs = ss_memory_alloc(
            memory, build->part_count * build->capacity, sizeof(uint64_t));
        has_memory &= build->lists[i].xs != NULL;
    }
    return has_memory;
}

static void give_lists(const builder *build, const ss_memory *memory,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ss_memory_free(memory, build->lists[i].xs,
                       build->part_count * build->capacity, sizeof(uint64_t));
}

/* A probe that set a bit means a new key only if keys have one probe each. */
static uint64_t count_news(const builder *build, const ss_generation *newest,
                           uint32_t probes)
{
    uint64_t added = ss_set_added_items(newest);
    if (probes > 1)
        return ss_set_estimate_items(build->table, added,
                                     added + build->batch.count) -
               added;
    uint64_t news = 0;
    for (unsigned i = 0; i < build->thread_count; i++)
        news += build->news[i];
    return news;
}

/* All probes of all keys. */
static int run_build(builder *build, seenset *set)
{
    ss_generation *newest = ss_set_newest(set);
    unsigned wanted = build->thread_count;
    build->table = &newest->table;
    shape_parts(build);
    shape_lists(build);
    bool has_memory = take_lists(build, &set->memory);
    uint32_t probes =
        build->table->hash_count / build->table->layout->probe_bits;
    for (uint32_t probe = 0; has_memory && probe < probes; probe++) {
        build->probe = probe;
        build->steps = probe * build->table->layout->probe_steps;
        ss_team_run(&build->thread_count, run_rounds, build);
    }
    give_lists(build, &set->memory, wanted);
    if (!has_memory)
        return SEENSET_ENOMEM;
    ss_set_count_added(set, newest, count_news(build, newest, probes));
    ss_capacity_tell(set);
    return SEENSET_OK;
}

/* Is there one table, that all keys go to whatever comes? */
static bool is_possible(const seenset *set, size_t count)
{
    const ss_generation *only = set->generations;
    if (set->kind->rewrite_error != SEENSET_OK || set->generation_count > 1 ||
        set->on_full == SEENSET_ON_FULL_ROTATE ||
        only->table.layout->add_probes == NULL ||
        !ss_key_hash_is_unkeyed(&set->identity))
        return false;
    uint64_t added = ss_set_added_items(only);
    return set->on_full == SEENSET_ON_FULL_DEGRADE ||
           (added <= only->capacity_items &&
            only->capacity_items - added >= count);
}

static bool is_shared_out(const seenset *set, size_t count,
                          unsigned thread_count)
{
    return set != NULL && thread_count > 1 && count >= LEAST_KEYS &&
           is_possible(set, count);
}

static int build_any(seenset *set, const ss_batch *batch, unsigned thread_count)
{
    builder *build = ss_memory_alloc(&set->memory, 1, sizeof *build);
    if (build == NULL)
        return SEENSET_ENOMEM;
    build->batch = *batch;
    build->thread_count =
        thread_count < MOST_THREADS ? thread_count : MOST_THREADS;
    int error = run_build(build, set);
    ss_memory_free(&set->memory, build, 1, sizeof *build);
    return error;
}

int seenset_add_parallel(seenset *set, const seenset_key *keys,
                         size_t key_count, unsigned thread_count)
{
    if (!is_shared_out(set, key_count, thread_count))
        return seenset_add_many(set, keys, key_count, NULL);
    if (!ss_set_are_keys(keys, key_count))
        return SEENSET_EINVAL;
    ss_batch batch = {.keys = keys, .count = key_count};
    return build_any(set, &batch, thread_count);
}

int seenset_add_hash_parallel(seenset *set, const uint64_t *hashes,
                              size_t hash_count, unsigned thread_count)
{
    if (!is_shared_out(set, hash_count, thread_count))
        return seenset_add_hash_many(set, hashes, hash_count, NULL);
    if (hashes == NULL)
        return SEENSET_EINVAL;
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return build_any(set, &batch, thread_count);
}
