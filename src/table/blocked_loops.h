/*
 * blocked_loops.h - from a test of one line to a layout's row of functions.
 *
 * Included once by each twin, after its line_add and line_has, with TWIN_ROW
 * and TWIN_NAME defined, and TWIN_IS_SHARED where it is so. What is inside the
 * batch loops is inlined there, so that a key costs no call.
 *
 * A batch keeps a rolling ring of lines in flight: key i + SS_AHEAD is hashed
 * and its line prefetched, then key i is tested, its line having arrived.
 * Hashing a whole group, fetching it and testing it in turn leaves the memory
 * idle in between, and is half as slow again on a large table
 * (docs/lab/speed.md). Each loop is compiled for one, two and three lines,
 * and for keys and for ready hashes, so that none of it is decided within.
 */
#ifndef TWIN_ROW
#error "include this from a twin: see blocked.h"
#endif
#ifndef TWIN_IS_SHARED
#define TWIN_IS_SHARED false
#endif

/* What a loop needs of the table, held in registers. */
typedef struct field {
    uint64_t *words;
    uint64_t range; /* lines in a region */
} field;

static SS_ALWAYS_INLINE uint64_t *line_of(field f, uint32_t region, uint64_t x)
{
    uint64_t line = region * f.range + ss_hash_range(x, f.range);
    return f.words + line * SS_LINE_WORDS;
}

static SS_ALWAYS_INLINE uint64_t two_steps(uint64_t x)
{
    return ss_hash_step(ss_hash_step(x));
}

/* What these three do with the key's lines in regions first, first + 1, ...,
 * lines - 1; x is the key's in the first of them. */
static SS_ALWAYS_INLINE bool add_key(field f, uint32_t first, uint32_t lines,
                                     uint64_t x)
{
    bool is_new = false;
    for (uint32_t region = first; region < lines; region++) {
        is_new |= line_add(line_of(f, region, x), ss_hash_step(x));
        x = two_steps(x);
    }
    return is_new;
}

static SS_ALWAYS_INLINE bool has_key(field f, uint32_t first, uint32_t lines,
                                     uint64_t x)
{
    for (uint32_t region = first; region < lines; region++) {
        if (!line_has(line_of(f, region, x), ss_hash_step(x)))
            return false;
        x = two_steps(x);
    }
    return true;
}

static SS_ALWAYS_INLINE void fetch_key(field f, uint32_t first, uint32_t lines,
                                       uint64_t x)
{
    for (uint32_t region = first; region < lines; region++) {
        SS_PREFETCH(line_of(f, region, x));
        x = two_steps(x);
    }
}

/* Hashes a group of keys, or the rest of one, and asks for their lines. */
static SS_ALWAYS_INLINE void feed(field f, uint32_t lines,
                                  const ss_batch *batch, size_t first,
                                  size_t count, bool is_hashed,
                                  uint64_t ring[SS_RING])
{
    ss_batch_ready(batch, first, count, is_hashed, ring);
    const uint64_t *hashes = ss_batch_group(batch, first, is_hashed, ring);
    for (size_t i = 0; i < count; i++)
        fetch_key(f, 0, lines, hashes[i]);
}

/*
 * Adds a batch, or looks for it; returns how many answers were 1. lines,
 * is_hashed and is_add are constants where it is called.
 */
static SS_ALWAYS_INLINE size_t run(field f, uint32_t lines,
                                   const ss_batch *by_caller, bool is_hashed,
                                   bool is_add, uint8_t *restrict answers)
{
    uint64_t ring[SS_RING];
    const ss_batch batch = *by_caller; /* answers can't point into it */
    size_t ones = 0, fed = 0, done = 0;
    ss_batch_start(&batch, is_hashed);
    for (; fed < SS_AHEAD && fed + SS_GROUP <= batch.count; fed += SS_GROUP)
        feed(f, lines, &batch, fed, SS_GROUP, is_hashed, ring);
    for (; fed + SS_GROUP <= batch.count; fed += SS_GROUP, done += SS_GROUP) {
        ss_batch_ready(&batch, fed, SS_GROUP, is_hashed, ring);
        const uint64_t *ahead = ss_batch_group(&batch, fed, is_hashed, ring);
        const uint64_t *group = ss_batch_group(&batch, done, is_hashed, ring);
        for (unsigned i = 0; !SS_HAS_PREFETCH && i < SS_GROUP; i++)
            fetch_key(f, 0, lines, ahead[i]);
        for (unsigned i = 0; i < SS_GROUP; i++) {
            if (SS_HAS_PREFETCH)
                fetch_key(f, 0, lines, ahead[i]);
            answers[done + i] = is_add ? add_key(f, 0, lines, group[i])
                                       : has_key(f, 0, lines, group[i]);
            ones += answers[done + i];
        }
    }
    feed(f, lines, &batch, fed, batch.count - fed, is_hashed, ring);
    for (; done < batch.count; done++) {
        uint64_t x = ss_batch_take(&batch, done, is_hashed, ring);
        answers[done] =
            is_add ? add_key(f, 0, lines, x) : has_key(f, 0, lines, x);
        ones += answers[done];
    }
    return ones;
}

/*
 * More lines: the others are fetched only when the first says "seen", so that
 * a key never added costs one miss. Three stages, SS_AHEAD / 2 keys apart:
 * fetch the first line; test it, fetch the others; test those.
 */
static SS_ALWAYS_INLINE size_t has_staged_loop(field f, uint32_t lines,
                                               const ss_batch *batch,
                                               bool is_hashed,
                                               uint8_t *restrict is_seen)
{
    enum {
        STAGE = SS_AHEAD / 2
    };
    uint64_t ring[SS_RING];
    size_t count = batch->count;
    size_t seen = 0;
    for (size_t i = 0; i < count + 2 * STAGE; i++) {
        if (i < count)
            fetch_key(f, 0, 1, ss_batch_feed(batch, i, is_hashed, ring));
        if (i >= STAGE && i - STAGE < count) {
            uint64_t x = ss_batch_take(batch, i - STAGE, is_hashed, ring);
            is_seen[i - STAGE] = has_key(f, 0, 1, x);
            if (is_seen[i - STAGE])
                fetch_key(f, 1, lines, two_steps(x));
        }
        if (i >= 2 * STAGE && is_seen[i - 2 * STAGE]) {
            uint64_t x = ss_batch_take(batch, i - 2 * STAGE, is_hashed, ring);
            is_seen[i - 2 * STAGE] = has_key(f, 1, lines, two_steps(x));
            seen += is_seen[i - 2 * STAGE];
        }
    }
    return seen;
}

static size_t add_hashed(field f, uint32_t lines, const ss_batch *batch,
                         uint8_t *is_new)
{
    switch (lines) {
    case 1:
        return run(f, 1, batch, true, true, is_new);
    case 2:
        return run(f, 2, batch, true, true, is_new);
    default:
        return run(f, 3, batch, true, true, is_new);
    }
}

static size_t add_unhashed(field f, uint32_t lines, const ss_batch *batch,
                           uint8_t *is_new)
{
    switch (lines) {
    case 1:
        return run(f, 1, batch, false, true, is_new);
    case 2:
        return run(f, 2, batch, false, true, is_new);
    default:
        return run(f, 3, batch, false, true, is_new);
    }
}

static size_t has_hashed(field f, uint32_t lines, const ss_batch *batch,
                         uint8_t *is_seen)
{
    switch (lines) {
    case 1:
        return run(f, 1, batch, true, false, is_seen);
    case 2:
        return has_staged_loop(f, 2, batch, true, is_seen);
    default:
        return has_staged_loop(f, 3, batch, true, is_seen);
    }
}

static size_t has_unhashed(field f, uint32_t lines, const ss_batch *batch,
                           uint8_t *is_seen)
{
    switch (lines) {
    case 1:
        return run(f, 1, batch, false, false, is_seen);
    case 2:
        return has_staged_loop(f, 2, batch, false, is_seen);
    default:
        return has_staged_loop(f, 3, batch, false, is_seen);
    }
}

static inline field field_of(const ss_table *table)
{
    return (field){.words = table->words, .range = table->range};
}

/* Several lines: apart, so that the usual case of one needs no stack. */
static SS_NOINLINE bool add_lines(const ss_table *table, uint64_t hash)
{
    return add_key(field_of(table), 0, ss_blocked_line_count(table), hash);
}

static SS_NOINLINE int has_lines(const ss_table *table, uint64_t hash)
{
    return has_key(field_of(table), 0, ss_blocked_line_count(table), hash);
}

static SS_ALWAYS_INLINE bool add_one(const ss_table *table, uint64_t hash)
{
    if (table->hash_count == SS_LINE_WORDS)
        return add_key(field_of(table), 0, 1, hash);
    return add_lines(table, hash);
}

static SS_ALWAYS_INLINE int has_one(const ss_table *table, uint64_t hash)
{
    if (table->hash_count == SS_LINE_WORDS)
        return has_key(field_of(table), 0, 1, hash);
    return has_lines(table, hash);
}

static bool twin_add(ss_table *table, uint64_t hash)
{
    return add_one(table, hash);
}

static int twin_has(const ss_table *table, uint64_t hash)
{
    return has_one(table, hash);
}

/* Keys of eight bytes are hashed in a few instructions and without stack; what
 * others need stays out of their way. */
static SS_NOINLINE bool add_other_key(ss_table *table, const void *key,
                                      size_t key_len)
{
    return add_one(table, ss_hash_key(key, key_len));
}

static SS_NOINLINE int has_other_key(const ss_table *table, const void *key,
                                     size_t key_len)
{
    return has_one(table, ss_hash_key(key, key_len));
}

static bool twin_add_key(ss_table *table, const void *key, size_t key_len)
{
    if (key_len != 8)
        return add_other_key(table, key, key_len);
    return add_one(table, ss_hash_eight_bytes(key));
}

static int twin_has_key(const ss_table *table, const void *key, size_t key_len)
{
    if (key_len != 8)
        return has_other_key(table, key, key_len);
    return has_one(table, ss_hash_eight_bytes(key));
}

static size_t twin_add_many(ss_table *table, const ss_batch *batch,
                            uint8_t *is_new)
{
    uint32_t lines = ss_blocked_line_count(table);
    return batch->hashes != NULL
               ? add_hashed(field_of(table), lines, batch, is_new)
               : add_unhashed(field_of(table), lines, batch, is_new);
}

static size_t twin_has_many(const ss_table *table, const ss_batch *batch,
                            uint8_t *is_seen)
{
    uint32_t lines = ss_blocked_line_count(table);
    return batch->hashes != NULL
               ? has_hashed(field_of(table), lines, batch, is_seen)
               : has_unhashed(field_of(table), lines, batch, is_seen);
}

static size_t twin_add_probes(ss_table *table, uint32_t probe,
                              const uint64_t *xs, size_t count)
{
    field f = field_of(table);
    size_t news = 0;
    for (size_t i = 0; i < SS_AHEAD && i < count; i++)
        SS_PREFETCH(line_of(f, probe, xs[i]));
    for (size_t i = 0; i < count; i++) {
        if (i + SS_AHEAD < count)
            SS_PREFETCH(line_of(f, probe, xs[i + SS_AHEAD]));
        news += line_add(line_of(f, probe, xs[i]), ss_hash_step(xs[i]));
    }
    return news;
}

const ss_layout TWIN_ROW = {.traits = &ss_blocked_traits,
                            .name = TWIN_NAME,
                            .is_shared = TWIN_IS_SHARED,
                            .range = ss_blocked_range,
                            .range_step_bits = SS_LINE_BITS,
                            .list_bits = ss_blocked_list_bits,
                            .add = twin_add,
                            .has = twin_has,
                            .add_key = twin_add_key,
                            .has_key = twin_has_key,
                            .add_many = twin_add_many,
                            .has_many = twin_has_many,
                            .probe_bits = SS_LINE_WORDS,
                            .probe_steps = 2,
                            .add_probes = twin_add_probes,
                            .look = ss_blocked_look};
