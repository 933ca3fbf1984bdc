/*
 * both.h - the functions of a kernel for two tables that are one set.
 *
 * A set that was told late how many keys to expect has a small table beside the
 * one that its keys go to (set/kinds/both.c). Asked one after the other, each
 * takes a turn of a loop. But a key's bits in a line are the same in both, only
 * the line is another, and while that of the large table comes, there is time
 * for the small one. So one turn asks both.
 *
 * The functions are called with the first table, and `other` in it is the one
 * to which keys are added. Included by loops.h, after ring.h.
 */

enum {
    HASHED_KEYS = 64 * SS_GROUP, /* of a batch of keys, at once */
    NEAR_LINES = 128 /* a table of so many stays in the nearest cache */
};

/* The numbers of lines are constants, where the loops shall be fast. */
static SS_ALWAYS_INLINE fields fields_of(const ss_table *first, uint32_t lines,
                                         uint32_t first_lines)
{
    return (fields){.f = field_of(first->other),
                    .first = field_of(first),
                    .lines = lines,
                    .first_lines = first_lines,
                    .is_first_far = first->range > NEAR_LINES};
}

static SS_ALWAYS_INLINE bool have_one_line(const ss_table *first)
{
    return has_one_line(first) && has_one_line(first->other);
}

/* ---- one key ---- */

/* Of several lines, where one table or both have the first. */
static SS_NOINLINE int both_have_rest(const ss_table *first, uint64_t hash,
                                      bool is_other, bool is_first)
{
    fields of =
        fields_of(first, line_count_of(first->other), line_count_of(first));
    uint64_t x = next_of(hash);
    return (is_other && has_each(of.f, 1, of.lines, x)) ||
           (is_first && has_each(of.first, 1, of.first_lines, x));
}

static SS_ALWAYS_INLINE int both_have(const ss_table *first, uint64_t hash)
{
    bool is_other = has_key(field_of(first->other), 0, 1, hash);
    bool is_first = has_key(field_of(first), 0, 1, hash);
    if (__builtin_expect(have_one_line(first), 1))
        return is_other | is_first;
    return (is_other | is_first) &&
           both_have_rest(first, hash, is_other, is_first);
}

static int both_have_hash(const ss_table *first, uint64_t hash)
{
    return both_have(first, hash);
}

static SS_NOINLINE int both_have_other_key(const ss_table *first,
                                           const void *key, size_t key_len)
{
    return both_have(first, ss_hash_key(key, key_len));
}

static int both_have_key(const ss_table *first, const void *key, size_t key_len)
{
    if (key_len != 8)
        return both_have_other_key(first, key, key_len);
    return both_have(first, ss_hash_eight_bytes(key));
}

static SS_NOINLINE bool both_add_lines(const ss_table *first, uint64_t hash)
{
    return !has_one(first, hash) && add_one(first->other, hash);
}

static bool both_add(ss_table *first, uint64_t hash)
{
    if (__builtin_expect(!have_one_line(first), 0))
        return both_add_lines(first, hash);
    return !has_key(field_of(first), 0, 1, hash) &&
           add_key(field_of(first->other), 0, 1, hash);
}

/* ---- many ---- */

/* The next keys of a batch as ready hashes. */
static ss_batch next_hashes(const ss_batch *batch, size_t done,
                            uint64_t made[HASHED_KEYS])
{
    size_t count = batch->count - done;
    if (batch->hashes != NULL)
        return ss_batch_part(batch, done, count);
    if (count > HASHED_KEYS)
        count = HASHED_KEYS;
    for (size_t i = 0; i < count; i += SS_GROUP) {
        size_t left = count - i;
        ss_batch_fetch(batch, done + i + ss_batch_ahead(batch, false), false);
        ss_batch_hash_group(batch, done + i, left < SS_GROUP ? left : SS_GROUP,
                            made + i);
    }
    return (ss_batch){.hashes = made, .count = count};
}

/*
 * Where the first table is far, and a key has several lines. In stages of half
 * of SS_AHEAD: fetch its first line there; test that, and fetch all its lines
 * in the table that is thus likely to be asked; test and add.
 */
static SS_NOINLINE size_t add_staged(fields of, const ss_batch *batch,
                                     uint8_t *restrict is_new)
{
    enum {
        STAGE = SS_AHEAD / 2
    };
    const uint64_t *hashes = batch->hashes;
    uint64_t full[SS_LINE_WORDS];
    size_t count = batch->count, news = 0;
    memset(full, 0xff, sizeof full);
    for (size_t i = 0; i < count + 2 * STAGE; i++) {
        if (i % SS_GROUP == 0)
            ss_batch_fetch(batch, i + SS_NUMBERS_AHEAD, true);
        if (i < count)
            fetch_key(of.first, 0, 1, hashes[i]);
        if (i >= STAGE && i - STAGE < count) {
            uint64_t x = hashes[i - STAGE];
            bool is_first = has_key(of.first, 0, 1, x);
            is_new[i - STAGE] = is_first;
            fetch_key(is_first ? of.first : of.f, 0,
                      is_first ? of.first_lines : of.lines, x);
        }
        if (i >= 2 * STAGE) {
            uint8_t *answer = &is_new[i - 2 * STAGE];
            uint64_t x = hashes[i - 2 * STAGE];
            bool is_seen =
                *answer && has_each(of.first, 1, of.first_lines, next_of(x));
            *answer = add_unless(is_seen, of, x, full);
            news += *answer;
        }
    }
    return news;
}

static size_t add_hashes(const ss_table *first, const ss_batch *batch,
                         uint8_t *is_new)
{
    uint32_t others = line_count_of(first);
    if (have_one_line(first))
        return run(fields_of(first, 1, 1), batch, true, true, is_new);
    if (first->range > NEAR_LINES)
        return add_staged(fields_of(first, line_count_of(first->other), others),
                          batch, is_new);
    switch (line_count_of(first->other)) {
    case 1:
        return run(fields_of(first, 1, others), batch, true, true, is_new);
    case 2:
        return run(fields_of(first, 2, others), batch, true, true, is_new);
    default:
        return run(fields_of(first, 3, others), batch, true, true, is_new);
    }
}

/* In stages, as has_staged_loop: the other lines of a table are fetched only
 * where its first has the key. Till then an answer has a bit for each table. */
static SS_NOINLINE size_t have_staged(fields of, const ss_batch *batch,
                                      uint8_t *restrict is_seen)
{
    enum {
        STAGE = SS_AHEAD / 2
    };
    const uint64_t *hashes = batch->hashes;
    size_t count = batch->count, seen = 0;
    fields ahead = of;
    ahead.lines = ahead.first_lines = 1;
    for (size_t i = 0; i < count + 2 * STAGE; i++) {
        if (i % SS_GROUP == 0)
            ss_batch_fetch(batch, i + SS_NUMBERS_AHEAD, true);
        if (i < count)
            fetch_in(ahead, hashes[i]);
        if (i >= STAGE && i - STAGE < count) {
            uint64_t x = hashes[i - STAGE];
            bool is_other = has_key(of.f, 0, 1, x);
            bool is_first = has_key(of.first, 0, 1, x);
            is_seen[i - STAGE] = (uint8_t)(is_other | is_first << 1);
            if (is_other)
                fetch_key(of.f, 1, of.lines, next_of(x));
            if (is_first)
                fetch_key(of.first, 1, of.first_lines, next_of(x));
        }
        if (i >= 2 * STAGE && is_seen[i - 2 * STAGE]) {
            uint8_t *answer = &is_seen[i - 2 * STAGE];
            uint64_t x = next_of(hashes[i - 2 * STAGE]);
            *answer =
                ((*answer & 1) && has_each(of.f, 1, of.lines, x)) ||
                ((*answer & 2) && has_each(of.first, 1, of.first_lines, x));
            seen += *answer;
        }
    }
    return seen;
}

static size_t have_hashes(const ss_table *first, const ss_batch *batch,
                          uint8_t *is_seen)
{
    if (have_one_line(first))
        return run(fields_of(first, 1, 1), batch, true, false, is_seen);
    return have_staged(
        fields_of(first, line_count_of(first->other), line_count_of(first)),
        batch, is_seen);
}

static size_t both_add_many(ss_table *first, const ss_batch *batch,
                            uint8_t *is_new)
{
    uint64_t made[HASHED_KEYS];
    size_t news = 0;
    for (size_t done = 0; done < batch->count;) {
        ss_batch part = next_hashes(batch, done, made);
        news += add_hashes(first, &part, is_new + done);
        done += part.count;
    }
    return news;
}

static size_t both_have_many(const ss_table *first, const ss_batch *batch,
                             uint8_t *is_seen)
{
    uint64_t made[HASHED_KEYS];
    size_t seen = 0;
    for (size_t done = 0; done < batch->count;) {
        ss_batch part = next_hashes(batch, done, made);
        seen += have_hashes(first, &part, is_seen + done);
        done += part.count;
    }
    return seen;
}

/* Nothing else is asked of this row. */
static const ss_layout kernel_both = {.name = TWIN_NAME,
                                      .add = both_add,
                                      .has = both_have_hash,
                                      .has_key = both_have_key,
                                      .add_many = both_add_many,
                                      .has_many = both_have_many};
