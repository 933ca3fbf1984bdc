/*
 * generations.c - many tables as one set: growth and windows.
 *
 * *Growth*: the first table holds n keys and takes half of p; when it is full,
 * one that grows in place (expanded.h) takes all further keys:
 *
 *     | n, p/2 |  all others, what is left of p                       ... |
 *
 * What is left is p less the rate that the first table keeps, not that which is
 * expected of it: promise.c has the difference. Keys that the caller expects
 * get a table of their own between the two (expected.h). In older versions
 * table g was one of n 2^g keys, and took half of what was left (a scalable
 * Bloom filter, Almeida et al. 2007); files with such lists go on with one that
 * grows.
 *
 * Keys go to the newest. A key is new if no table has it, so tables never hold
 * a key twice, and no key is moved.
 *
 * *Windows by number*. K tables of equal size and rate p / K, the newest being
 * filled:
 *
 *     dropped <- | full | full | full | filling |
 *
 * Each holds n / (K - 1) keys, so the last n keys are always there. The table
 * that is dropped is cleared and used again. *Windows by age* are in window.c.
 *
 * Seeing a key again does not renew it, unless the window is sliding: then a
 * key that is seen in an older table is added to the newest as well.
 *
 * A batch goes through the tables in chunks: what an older table has is seen;
 * the rest is added to the newest, as much at a time as fits. A chunk ends
 * where a table could be forgotten, as later keys must not be sought in it;
 * time is looked at between chunks only.
 */
#include "set/generations.h"

#include <string.h>

#include "hash/xxh3.h"
#include "set/batch_hashes.h"
#include "set/expanded.h"
#include "set/expected.h"
#include "set/pair.h"
#include "set/promise.h"
#include "set/window.h"
#include "table/expandable.h"

enum {
    CHUNK_KEYS = 512
};

int ss_generations_plan(seenset_plan *plan, const ss_set_params *kind)
{
    uint64_t capacity_items = plan->capacity_items;
    double fp_rate = plan->fp_rate;
    if (kind->on_full == SEENSET_ON_FULL_GROW)
        return ss_promise_plan_first(plan, fp_rate);
    if (kind->window_seconds > 0)
        return ss_window_plan_first(plan, kind);
    if (kind->on_full == SEENSET_ON_FULL_ROTATE) {
        uint32_t full_ones = kind->window_generations - 1;
        capacity_items = (capacity_items + full_ones - 1) / full_ones;
        fp_rate /= kind->window_generations;
    } else {
        return SEENSET_OK;
    }
    *plan = (seenset_plan){.layout = plan->layout,
                           .capacity_items = capacity_items,
                           .fp_rate = fp_rate};
    return seenset_plan_solve(plan);
}

/* ---- making room ---- */

static int grow(seenset *set)
{
    if (set->generation_count >= SS_MAX_GENERATIONS)
        return SEENSET_ETOOBIG;
    if (ss_expected_append(set))
        return SEENSET_OK;
    return ss_expanded_append(set, set->fp_rate, set->generation_count);
}

/* The oldest table, emptied, becomes the newest. */
static void recycle_oldest(seenset *set)
{
    ss_generation oldest = set->generations[0];
    size_t others = set->generation_count - 1;
    memset(oldest.table.words, 0,
           (size_t)ss_set_word_count(&oldest) * sizeof *oldest.table.words);
    memmove(set->generations, set->generations + 1,
            others * sizeof *set->generations);
    oldest.added_items = 0;
    set->generations[others] = oldest;
}

static int rotate(seenset *set)
{
    if (set->generation_count >= set->window_generations) {
        recycle_oldest(set);
        return SEENSET_OK;
    }
    const ss_generation *first = set->generations;
    seenset_plan plan = {.layout = first->table.layout->traits->id,
                         .size_bits = first->table.size_bits,
                         .hash_count = first->table.hash_count,
                         .capacity_items = first->capacity_items,
                         .fp_rate = first->fp_rate};
    return ss_set_append(set, &plan, 1);
}

static bool has_room(const ss_generation *generation)
{
    return ss_set_added_items(generation) < generation->capacity_items;
}

int ss_generations_make_room(seenset *set)
{
    if (set->on_full == SEENSET_ON_FULL_DEGRADE || has_room(ss_set_newest(set)))
        return SEENSET_OK;
    if (set->on_full == SEENSET_ON_FULL_REFUSE)
        return SEENSET_EFULL;
    if (set->on_full == SEENSET_ON_FULL_GROW)
        return grow(set);
    return ss_window_is_by_age(set) ? ss_window_grow(set) : rotate(set);
}

/* ---- time ---- */

static uint64_t time_of(const seenset *set)
{
    return ss_window_is_by_age(set) ? ss_clock_wall_seconds(set->clock) : 0;
}

static int turn(seenset *set, uint64_t now)
{
    return ss_window_is_by_age(set) ? ss_window_expire(set, now) : SEENSET_OK;
}

/* Does generation i still count? */
static bool is_live(const seenset *set, uint32_t i, uint64_t now)
{
    return !ss_window_is_by_age(set) || !ss_window_is_over(set, i, now);
}

/* In how many tables, the last ones, a key is as good as new: a sliding window
 * adds what it finds in others to the newest. */
static uint32_t newest_count(const seenset *set)
{
    return ss_window_is_by_age(set) ? ss_window_newest_count(set) : 1;
}

/* ---- one key ---- */

/* Do generations first, ..., end - 1 have it? The newest is asked first. */
static bool is_among(const seenset *set, uint32_t first, uint32_t end,
                     uint64_t hash, uint64_t now)
{
    for (uint32_t i = end; i > first; i--) {
        const ss_table *table = &set->generations[i - 1].table;
        if (is_live(set, i - 1, now) && table->layout->has(table, hash))
            return true;
    }
    return false;
}

bool ss_generations_has(const seenset *set, uint64_t hash)
{
    if (set->is_pair)
        return ss_pair_has(set, hash);
    return is_among(set, 0, set->generation_count, hash, time_of(set));
}

bool ss_generations_renews(const seenset *set, uint64_t hash)
{
    uint64_t now = time_of(set);
    uint32_t count = set->generation_count, older = count - newest_count(set);
    if (ss_window_is_by_age(set) && ss_window_is_span_due(set, now))
        older = count;
    return !is_among(set, older, count, hash, now) &&
           is_among(set, 0, older, hash, now);
}

/* Is a new table made when the newest is full? Then a key must be looked for
 * before room is made for it, or it would be new in the new table. */
static bool is_list(const seenset *set)
{
    return set->on_full == SEENSET_ON_FULL_GROW ||
           set->on_full == SEENSET_ON_FULL_ROTATE;
}

/* 1, 0, or SEENSET_ENOMEM: a table that grows in place could not. */
static int add_to_newest(seenset *set, uint64_t hash)
{
    ss_generation *newest = ss_set_newest(set);
    ss_table *table = &newest->table;
    int is_added = table->expand != NULL ? ss_expand_add(table->expand, hash)
                                         : table->layout->add(table, hash);
    if (is_added > 0)
        ss_set_count_added(set, newest, 1);
    return is_added;
}

/* Adds what no table has, or none of the newest ones (is_renewed). */
static int add_to_list(seenset *set, uint64_t hash, bool is_renewed)
{
    int error = ss_generations_make_room(set);
    if (error != SEENSET_OK)
        return error;
    int is_added = add_to_newest(set, hash);
    return is_added > 0 ? !is_renewed : is_added;
}

static int add_to_window(seenset *set, uint64_t hash, uint64_t now)
{
    int error = turn(set, now);
    uint32_t count = set->generation_count;
    /* a span that is due, and cannot be had, is not there to renew a key in */
    uint32_t older = error == SEENSET_OK ? count - newest_count(set) : count;
    if (is_among(set, older, count, hash, now))
        return 0;
    bool is_seen = is_among(set, 0, older, hash, now);
    if (is_seen && !set->is_sliding)
        return 0;
    return error != SEENSET_OK ? error : add_to_list(set, hash, is_seen);
}

int ss_generations_add(seenset *set, uint64_t hash)
{
    return ss_generations_add_at(set, hash, time_of(set));
}

int ss_generations_add_at(seenset *set, uint64_t hash, uint64_t now)
{
    if (ss_pair_takes(set, 1))
        return ss_pair_add(set, hash);
    if (set->on_full == SEENSET_ON_FULL_ROTATE)
        return add_to_window(set, hash, now);
    if (ss_set_is_expanded(set) && has_room(ss_set_newest(set)))
        /* it finds out itself what it has */
        return is_among(set, 0, set->generation_count - 1, hash, now)
                   ? 0
                   : add_to_newest(set, hash);
    if (is_list(set))
        return ss_generations_has(set, hash) ? 0
                                             : add_to_list(set, hash, false);
    int error = ss_generations_make_room(set);
    ss_generation *newest = ss_set_newest(set);
    if (error != SEENSET_OK && !newest->table.layout->has(&newest->table, hash))
        return error;
    bool is_new = newest->table.layout->add(&newest->table, hash);
    if (is_new)
        ss_set_count_added(set, newest, 1);
    return is_new;
}

/* ---- many keys ---- */

/* Hashes on their way through the tables, and where their answers belong. */
typedef struct chunk {
    uint64_t hashes[CHUNK_KEYS];
    size_t places[CHUNK_KEYS];
    uint8_t are_seen[CHUNK_KEYS]; /* in an older table; added all the same */
    size_t count;
} chunk;

static void load(chunk *loaded, const seenset *set, const ss_batch *batch,
                 size_t first)
{
    size_t left = batch->count - first;
    loaded->count = left < CHUNK_KEYS ? left : CHUNK_KEYS;
    memset(loaded->are_seen, 0, loaded->count);
    ss_batch_hashes_make(&set->identity, batch, first, loaded->count,
                         loaded->hashes);
    for (size_t i = 0; i < loaded->count; i++)
        loaded->places[i] = first + i;
}

/* Which hashes of a chunk does the table have? Returns how many. */
static size_t ask(const chunk *loaded, const ss_table *table, uint8_t *is_seen)
{
    ss_batch batch = {.hashes = loaded->hashes, .count = loaded->count};
    return table->layout->has_many(table, &batch, is_seen);
}

/* Answers `answer` for the hashes that the table has, and lets them go. */
static void sift(chunk *loaded, const ss_table *table, uint8_t answer,
                 uint8_t *answers)
{
    uint8_t is_seen[CHUNK_KEYS];
    size_t kept = 0;
    if (ask(loaded, table, is_seen) == 0)
        return;
    for (size_t i = 0; i < loaded->count; i++) {
        if (is_seen[i]) {
            answers[loaded->places[i]] = answer;
            continue;
        }
        loaded->hashes[kept] = loaded->hashes[i];
        loaded->places[kept] = loaded->places[i];
        loaded->are_seen[kept] = loaded->are_seen[i];
        kept++;
    }
    loaded->count = kept;
}

/* The same by generations first, ..., end - 1, as far as they count: the newest
 * first, which has most keys where a set has grown. */
static void sift_all(chunk *loaded, const seenset *set, uint32_t first,
                     uint32_t end, uint8_t answer, uint8_t *answers,
                     uint64_t now)
{
    for (uint32_t i = end; i > first; i--) {
        if (loaded->count > 0 && is_live(set, i - 1, now))
            sift(loaded, &set->generations[i - 1].table, answer, answers);
    }
}

/* Marks what generations 0, ..., end - 1 have, to be added nevertheless. */
static void mark_all(chunk *loaded, const seenset *set, uint32_t end,
                     uint64_t now)
{
    uint8_t is_seen[CHUNK_KEYS];
    for (uint32_t i = 0; i < end; i++) {
        if (loaded->count == 0 || !is_live(set, i, now))
            continue;
        (void)ask(loaded, &set->generations[i].table, is_seen);
        for (size_t j = 0; j < loaded->count; j++)
            loaded->are_seen[j] |= is_seen[j];
    }
}

void ss_generations_has_many(const seenset *set, const ss_batch *batch,
                             uint8_t *is_seen)
{
    chunk loaded;
    if (set->is_pair) {
        ss_pair_has_many(set, batch, is_seen);
        return;
    }
    for (size_t done = 0; done < batch->count; done += CHUNK_KEYS) {
        load(&loaded, set, batch, done);
        sift_all(&loaded, set, 0, set->generation_count, 1, is_seen,
                 time_of(set));
        for (size_t i = 0; i < loaded.count; i++)
            is_seen[loaded.places[i]] = 0;
    }
}

/* How many hashes the newest table takes at once. */
static size_t fitting_count(const seenset *set, size_t count)
{
    const ss_generation *newest = ss_set_newest(set);
    if (set->on_full == SEENSET_ON_FULL_DEGRADE)
        return count;
    uint64_t added = ss_set_added_items(newest);
    uint64_t room =
        added < newest->capacity_items ? newest->capacity_items - added : 0;
    return room < count ? (size_t)room : count;
}

/* Gives the first hashes to the newest table: *count, or, if it returns
 * SEENSET_ENOMEM, fewer. */
static int give_to_newest(seenset *set, const uint64_t *hashes, size_t *count,
                          uint8_t *answers)
{
    ss_generation *newest = ss_set_newest(set);
    ss_table *table = &newest->table;
    ss_batch batch = {.hashes = hashes, .count = *count};
    uint64_t news = 0;
    int error = SEENSET_OK;
    if (table->expand == NULL) {
        news = table->layout->add_many(table, &batch, answers);
    } else {
        error =
            ss_expand_add_many(table->expand, hashes, *count, answers, count);
        for (size_t i = 0; i < *count; i++)
            news += answers[i];
    }
    ss_set_count_added(set, newest, news);
    return error;
}

/* The same of a chunk, which lets them go. Which of them are new nobody can
 * predict, so that is no branch. */
static int add_first(seenset *set, chunk *loaded, size_t count, uint8_t *is_new)
{
    uint8_t answers[CHUNK_KEYS];
    int error = give_to_newest(set, loaded->hashes, &count, answers);
    for (size_t i = 0; i < count; i++)
        is_new[loaded->places[i]] = answers[i] & !loaded->are_seen[i];
    loaded->count -= count;
    memmove(loaded->hashes, loaded->hashes + count,
            loaded->count * sizeof *loaded->hashes);
    memmove(loaded->places, loaded->places + count,
            loaded->count * sizeof *loaded->places);
    memmove(loaded->are_seen, loaded->are_seen + count, loaded->count);
    return error;
}

/* A full set that counts still counts the keys that it has. Each is asked for
 * after those before it were added: a copy of a fingerprint may leave so little
 * room that other keys are seen from then on. */
static void count_seen(const seenset *set, chunk *loaded, uint8_t *answers)
{
    ss_table *only = &set->generations[0].table;
    size_t kept = 0;
    for (size_t i = 0; i < loaded->count; i++) {
        if (only->layout->has(only, loaded->hashes[i])) {
            (void)only->layout->add(only, loaded->hashes[i]);
            answers[loaded->places[i]] = 0;
            continue;
        }
        loaded->hashes[kept] = loaded->hashes[i];
        loaded->places[kept++] = loaded->places[i];
    }
    loaded->count = kept;
}

/* Answers what a full newest table has, and lets it go. */
static void sift_full(const seenset *set, chunk *loaded, uint8_t *answers)
{
    const ss_table *newest = &ss_set_newest(set)->table;
    if (newest->layout->count != NULL)
        count_seen(set, loaded, answers);
    else
        sift(loaded, newest, 0, answers);
}

static int refuse(chunk *loaded, uint8_t *is_new, int error)
{
    for (size_t i = 0; i < loaded->count; i++)
        is_new[loaded->places[i]] = SEENSET_ANSWER_REFUSED;
    return error;
}

/* Adds what no older table has. Every time the newest is full and another one
 * begins, it becomes one of the older. */
static int add_unseen(seenset *set, chunk *loaded, uint8_t *is_new)
{
    while (loaded->count > 0) {
        size_t fitting = fitting_count(set, loaded->count);
        int error = SEENSET_OK;
        if (fitting > 0) {
            error = add_first(set, loaded, fitting, is_new);
        } else {
            sift_full(set, loaded, is_new);
            if (loaded->count > 0)
                error = ss_generations_make_room(set);
        }
        if (error != SEENSET_OK)
            return refuse(loaded, is_new, error);
    }
    return SEENSET_OK;
}

static int add_chunk(seenset *set, chunk *loaded, uint8_t *is_new)
{
    uint64_t now = time_of(set);
    int error = turn(set, now);
    uint32_t last = set->generation_count - 1;
    uint32_t older = set->is_sliding ? last + 1 - newest_count(set) : 0;
    if (error != SEENSET_OK) { /* as add_to_window */
        if (!set->is_sliding)
            sift_all(loaded, set, 0, last + 1, 0, is_new, now);
        return refuse(loaded, is_new, loaded->count > 0 ? error : SEENSET_OK);
    }
    sift_all(loaded, set, older, last, 0, is_new, now);
    mark_all(loaded, set, older, now);
    return add_unseen(set, loaded, is_new);
}

/* How many keys of `left` go through the tables together. */
static size_t chunk_count(const seenset *set, size_t left)
{
    size_t most = left < CHUNK_KEYS ? left : CHUNK_KEYS;
    if (set->on_full != SEENSET_ON_FULL_ROTATE || ss_window_is_by_age(set))
        return most;
    size_t fitting = fitting_count(set, most);
    return fitting > 0 ? fitting : 1;
}

int ss_generations_add_many(seenset *set, const ss_batch *batch,
                            uint8_t *is_new)
{
    if (ss_pair_takes(set, batch->count))
        return ss_pair_add_many(set, batch, is_new);
    uint8_t unwanted[CHUNK_KEYS];
    int first_error = SEENSET_OK;
    for (size_t done = 0, count; done < batch->count; done += count) {
        chunk loaded;
        count = chunk_count(set, batch->count - done);
        ss_batch part = ss_batch_part(batch, done, count);
        load(&loaded, set, &part, 0);
        int error =
            add_chunk(set, &loaded, is_new != NULL ? is_new + done : unwanted);
        if (first_error == SEENSET_OK)
            first_error = error;
    }
    return first_error;
}
