/*
 * generations.c - many tables as one set: growth and windows.
 *
 * *Growth* (Almeida et al. 2007). Table g holds n 2^g keys at rate p / 2^(g+1),
 * so that however many there are, the sum of their rates stays under p:
 *
 *     | n, p/2 |   2n, p/4   |         4n, p/8         | ...
 *
 * Keys go to the newest; when it is full the next one is made. A key is new if
 * no table has it, so tables never hold a key twice, and no key is moved.
 *
 * *Windows*. K tables of equal size and rate p / K, the newest being filled:
 *
 *     dropped <- | full | full | full | filling |
 *
 * By number: each holds n / (K - 1) keys, so the last n keys are always there.
 * By age: each spans W / (K - 1) seconds, so a key is there for W seconds at
 * least, and is forgotten after W K / (K - 1) at most. The table that is
 * dropped is cleared and used again. Seeing a key again does not renew it.
 *
 * A batch goes through the tables in chunks: what an older table has is seen;
 * the rest is added to the newest, as much at a time as fits. A chunk ends
 * where a table could be forgotten, as later keys must not be sought in it.
 */
#include "generations.h"

#include <math.h>
#include <string.h>

#include "hash.h"

enum {
    CHUNK_KEYS = 512
};

int ss_generations_plan(seenset_plan *plan, const ss_kind *kind,
                        uint32_t number)
{
    uint64_t capacity_items = plan->capacity_items;
    double fp_rate = plan->fp_rate;
    if (kind->on_full == SEENSET_GROW) {
        fp_rate = ldexp(fp_rate, -(int)number - 1);
        if (!(fp_rate > 0.0))
            return SEENSET_ERATE; /* 0 would mean that none is asked for */
    } else if (kind->on_full == SEENSET_ROTATE) {
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

static ss_kind policy_of(const seenset *set)
{
    return (ss_kind){.on_full = set->on_full,
                     .window_generations = set->window_generations};
}

static int grow(seenset *set)
{
    if (set->generation_count >= SS_MOST_GENERATIONS)
        return SEENSET_ETOOBIG;
    /* A merge adds tables: the rate goes by their number, the size does not. */
    uint64_t capacity_items = ss_set_newest(set)->capacity_items;
    seenset_plan plan = {.layout = set->generations[0].table.layout->id,
                         .capacity_items = capacity_items * 2,
                         .fp_rate = set->fp_rate};
    ss_kind kind = policy_of(set);
    int error = ss_generations_plan(&plan, &kind, set->generation_count);
    return error != SEENSET_OK ? error : ss_set_append(set, &plan, 1);
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

static int rotate(seenset *set, uint64_t started_seconds)
{
    int error = SEENSET_OK;
    if (set->generation_count >= set->window_generations) {
        recycle_oldest(set);
    } else {
        const ss_generation *first = set->generations;
        seenset_plan plan = {.layout = first->table.layout->id,
                             .size_bits = first->table.size_bits,
                             .hash_count = first->table.hash_count,
                             .capacity_items = first->capacity_items,
                             .fp_rate = first->fp_rate};
        error = ss_set_append(set, &plan, 1);
    }
    if (error == SEENSET_OK)
        ss_set_newest(set)->started_seconds = started_seconds;
    return error;
}

int ss_generations_make_room(seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    if (set->on_full == SEENSET_DEGRADE ||
        ss_set_added_items(newest) < newest->capacity_items)
        return SEENSET_OK;
    if (set->on_full == SEENSET_REFUSE)
        return SEENSET_EFULL;
    if (set->on_full == SEENSET_GROW)
        return grow(set);
    /* a window by time keeps its time, and tells its true rate */
    return set->window_seconds > 0 ? SEENSET_OK : rotate(set, 0);
}

/* ---- time ---- */

/* How long a table of a window by time is the newest. */
static uint64_t span_seconds(const seenset *set)
{
    uint64_t full_ones = set->window_generations - 1;
    return (set->window_seconds - 1) / full_ones + 1;
}

bool ss_generations_is_over(const seenset *set, uint32_t i, uint64_t now)
{
    const ss_generation *generation = &set->generations[i];
    uint64_t span = span_seconds(set);
    uint64_t kept = set->window_seconds < UINT64_MAX - span
                        ? set->window_seconds + span
                        : UINT64_MAX;
    return now > generation->started_seconds &&
           now - generation->started_seconds >= kept;
}

void ss_generations_turn(seenset *set)
{
    if (set->window_seconds == 0)
        return;
    uint64_t now = set->now();
    uint64_t span = span_seconds(set);
    uint32_t turns = 0;
    while (turns++ < set->window_generations) {
        uint64_t started = ss_set_newest(set)->started_seconds;
        if (now < started || now - started < span)
            return;
        if (rotate(set, started + span) != SEENSET_OK) {
            /* it goes on taking keys, and is kept for as much longer */
            ss_set_newest(set)->started_seconds = now;
            return;
        }
    }
    /* nothing was added for longer than the window: it begins anew */
    ss_set_newest(set)->started_seconds = now;
}

/* Does generation i still count? */
static bool is_live(const seenset *set, uint32_t i, uint64_t now)
{
    return set->window_seconds == 0 || !ss_generations_is_over(set, i, now);
}

static uint64_t time_of(const seenset *set)
{
    return set->window_seconds == 0 ? 0 : set->now();
}

/* ---- one key ---- */

bool ss_generations_has(const seenset *set, uint64_t hash)
{
    uint64_t now = time_of(set);
    for (uint32_t i = set->generation_count; i > 0; i--) {
        const ss_table *table = &set->generations[i - 1].table;
        if (is_live(set, i - 1, now) && table->layout->has(table, hash))
            return true;
    }
    return false;
}

/* Is a new table made when the newest is full? Then a key must be looked for
 * before room is made for it, or it would be new in the new table. */
static bool is_list(const seenset *set)
{
    return set->on_full == SEENSET_GROW || set->on_full == SEENSET_ROTATE;
}

int ss_generations_add(seenset *set, uint64_t hash)
{
    ss_generations_turn(set);
    if (is_list(set) && ss_generations_has(set, hash))
        return 0;
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
    size_t count;
} chunk;

static void load(chunk *loaded, const seenset *set, const ss_batch *batch,
                 size_t first)
{
    size_t left = batch->count - first;
    loaded->count = left < CHUNK_KEYS ? left : CHUNK_KEYS;
    for (size_t i = 0; i < loaded->count; i++) {
        loaded->places[i] = first + i;
        loaded->hashes[i] =
            batch->hashes != NULL
                ? batch->hashes[first + i]
                : ss_identity_hash(&set->identity, batch->keys[first + i].data,
                                   batch->keys[first + i].len);
    }
}

/* Answers `answer` for the hashes that the table has, and lets them go. */
static void sift(chunk *loaded, const ss_table *table, uint8_t answer,
                 uint8_t *answers)
{
    uint8_t is_seen[CHUNK_KEYS];
    size_t kept = 0;
    ss_batch batch = {.hashes = loaded->hashes, .count = loaded->count};
    table->layout->has_many(table, &batch, is_seen);
    for (size_t i = 0; i < loaded->count; i++) {
        if (is_seen[i]) {
            answers[loaded->places[i]] = answer;
            continue;
        }
        loaded->hashes[kept] = loaded->hashes[i];
        loaded->places[kept] = loaded->places[i];
        kept++;
    }
    loaded->count = kept;
}

/* All tables but the newest `spared` ones. */
static void sift_all(chunk *loaded, const seenset *set, uint32_t spared,
                     uint8_t answer, uint8_t *answers)
{
    uint64_t now = time_of(set);
    for (uint32_t i = 0; i + spared < set->generation_count; i++) {
        if (loaded->count > 0 && is_live(set, i, now))
            sift(loaded, &set->generations[i].table, answer, answers);
    }
}

void ss_generations_has_many(const seenset *set, const ss_batch *batch,
                             uint8_t *is_seen)
{
    chunk loaded;
    for (size_t done = 0; done < batch->count; done += CHUNK_KEYS) {
        load(&loaded, set, batch, done);
        sift_all(&loaded, set, 0, 1, is_seen);
        for (size_t i = 0; i < loaded.count; i++)
            is_seen[loaded.places[i]] = 0;
    }
}

/* How many hashes the newest table takes at once. */
static size_t fitting_count(const seenset *set, size_t count)
{
    const ss_generation *newest = ss_set_newest(set);
    if (set->on_full == SEENSET_DEGRADE || set->window_seconds > 0)
        return count;
    uint64_t added = ss_set_added_items(newest);
    uint64_t room =
        added < newest->capacity_items ? newest->capacity_items - added : 0;
    return room < count ? (size_t)room : count;
}

/* Gives the first `count` hashes to the newest table. */
static void add_first(seenset *set, chunk *loaded, size_t count,
                      uint8_t *is_new)
{
    ss_generation *newest = ss_set_newest(set);
    uint8_t answers[CHUNK_KEYS];
    ss_batch batch = {.hashes = loaded->hashes, .count = count};
    size_t news =
        newest->table.layout->add_many(&newest->table, &batch, answers);
    ss_set_count_added(set, newest, news);
    for (size_t i = 0; i < count; i++)
        is_new[loaded->places[i]] = answers[i];
    loaded->count -= count;
    memmove(loaded->hashes, loaded->hashes + count,
            loaded->count * sizeof *loaded->hashes);
    memmove(loaded->places, loaded->places + count,
            loaded->count * sizeof *loaded->places);
}

/* A full counting set still counts the keys that it has. */
static void count_seen(const seenset *set, const chunk *loaded)
{
    ss_table *only = &set->generations[0].table;
    if (only->layout->count == NULL)
        return;
    for (size_t i = 0; i < loaded->count; i++) {
        if (only->layout->has(only, loaded->hashes[i]))
            (void)only->layout->add(only, loaded->hashes[i]);
    }
}

/* Adds what no older table has. Every time the newest is full and another one
 * begins, it becomes one of the older. */
static int add_chunk(seenset *set, chunk *loaded, uint8_t *is_new)
{
    sift_all(loaded, set, 1, 0, is_new);
    while (loaded->count > 0) {
        size_t fitting = fitting_count(set, loaded->count);
        if (fitting > 0) {
            add_first(set, loaded, fitting, is_new);
            continue;
        }
        count_seen(set, loaded);
        sift(loaded, &ss_set_newest(set)->table, 0, is_new);
        int error =
            loaded->count > 0 ? ss_generations_make_room(set) : SEENSET_OK;
        if (error != SEENSET_OK) {
            for (size_t i = 0; i < loaded->count; i++)
                is_new[loaded->places[i]] = SEENSET_REFUSED;
            return error;
        }
    }
    return SEENSET_OK;
}

/* How many keys of `left` go through the tables together. */
static size_t chunk_count(const seenset *set, size_t left)
{
    size_t most = left < CHUNK_KEYS ? left : CHUNK_KEYS;
    if (set->on_full != SEENSET_ROTATE)
        return most;
    size_t fitting = fitting_count(set, most);
    return fitting > 0 ? fitting : 1;
}

int ss_generations_add_many(seenset *set, const ss_batch *batch,
                            uint8_t *is_new)
{
    uint8_t unwanted[CHUNK_KEYS];
    int first_error = SEENSET_OK;
    ss_generations_turn(set);
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
