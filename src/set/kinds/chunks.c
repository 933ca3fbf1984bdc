/*
 * chunks.c - a batch that goes through the tables of a set in chunks.
 *
 * What an older table has is seen; the rest is added to the newest, as much at
 * a time as fits. A chunk ends where a table could be forgotten, as later keys
 * must not be sought in it; time is looked at between chunks only.
 */
#include "set/kinds/chunks.h"

#include <string.h>

#include "set/batch_hashes.h"
#include "set/capacity.h"
#include "set/kinds/kind.h"
#include "set/kinds/room.h"
#include "set/window.h"
#include "table/expandable.h"

enum {
    CHUNK_KEYS = 512
};

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
        if (loaded->count > 0 && !ss_set_is_expired(set, i - 1, now))
            sift(loaded, &set->generations[i - 1].table, answer, answers);
    }
}

/* Marks what generations 0, ..., end - 1 have, to be added nevertheless. */
static void mark_all(chunk *loaded, const seenset *set, uint32_t end,
                     uint64_t now)
{
    uint8_t is_seen[CHUNK_KEYS];
    for (uint32_t i = 0; i < end; i++) {
        if (loaded->count == 0 || ss_set_is_expired(set, i, now))
            continue;
        (void)ask(loaded, &set->generations[i].table, is_seen);
        for (size_t j = 0; j < loaded->count; j++)
            loaded->are_seen[j] |= is_seen[j];
    }
}

int ss_chunks_has_many(const seenset *set, const ss_batch *batch,
                       uint8_t *is_seen)
{
    chunk loaded;
    for (size_t done = 0; done < batch->count; done += CHUNK_KEYS) {
        load(&loaded, set, batch, done);
        sift_all(&loaded, set, 0, set->generation_count, 1, is_seen,
                 ss_set_now(set));
        for (size_t i = 0; i < loaded.count; i++)
            is_seen[loaded.places[i]] = 0;
    }
    return SEENSET_OK;
}

/* How many hashes the newest table takes at once. */
static size_t fitting_count(const seenset *set, size_t count)
{
    const ss_generation *newest = ss_set_newest(set);
    if (set->on_full == SEENSET_ON_FULL_DEGRADE)
        return count;
    uint64_t room = ss_room_count(newest);
    return room < count ? (size_t)room : count;
}

int ss_chunks_give_to_newest(seenset *set, const uint64_t *hashes,
                             size_t *count, uint8_t *answers)
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
    int error = ss_chunks_give_to_newest(set, loaded->hashes, &count, answers);
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

/* Lets go what the newest has, where it may not take all: else each turn adds
 * as many keys as it has room for, and if they are seen the room stays so. A
 * table that counts is to count them. */
static void sift_nearly_full(const seenset *set, chunk *loaded,
                             uint8_t *answers)
{
    const ss_table *newest = &ss_set_newest(set)->table;
    size_t fitting = fitting_count(set, loaded->count);
    if (fitting > 0 && fitting < loaded->count && newest->layout->count == NULL)
        sift(loaded, newest, 0, answers);
}

/* Adds what no older table has. Every time the newest is full and another one
 * begins, it becomes one of the older. */
static int add_unseen(seenset *set, chunk *loaded, uint8_t *is_new)
{
    while (loaded->count > 0) {
        sift_nearly_full(set, loaded, is_new);
        size_t fitting = fitting_count(set, loaded->count);
        int error = SEENSET_OK;
        if (loaded->count == 0)
            break;
        if (fitting > 0) {
            error = add_first(set, loaded, fitting, is_new);
        } else {
            sift_full(set, loaded, is_new);
            if (loaded->count > 0)
                error = ss_room_make(set);
        }
        if (error != SEENSET_OK)
            return refuse(loaded, is_new, error);
    }
    return SEENSET_OK;
}

static int turn(seenset *set, uint64_t now)
{
    return ss_window_is_by_age(set) ? ss_window_expire(set, now) : SEENSET_OK;
}

typedef int chunk_adder(seenset *set, chunk *loaded, uint8_t *is_new);

static int add_chunk(seenset *set, chunk *loaded, uint8_t *is_new)
{
    uint64_t now = ss_set_now(set);
    int error = turn(set, now);
    uint32_t last = set->generation_count - 1;
    if (error != SEENSET_OK) {
        sift_all(loaded, set, 0, last + 1, 0, is_new, now);
        return refuse(loaded, is_new, loaded->count > 0 ? error : SEENSET_OK);
    }
    sift_all(loaded, set, 0, last, 0, is_new, now);
    return add_unseen(set, loaded, is_new);
}

/* In how many tables, the last ones, a key is as good as new: a sliding window
 * adds what it finds in others to the newest. */
static uint32_t newest_count(const seenset *set)
{
    return ss_window_is_by_age(set) ? ss_window_newest_count(set) : 1;
}

/* A span that is due, and cannot be had, is not there to renew a key in. */
static int slide_chunk(seenset *set, chunk *loaded, uint8_t *is_new)
{
    uint64_t now = ss_set_now(set);
    int error = turn(set, now);
    uint32_t last = set->generation_count - 1;
    if (error != SEENSET_OK)
        return refuse(loaded, is_new, loaded->count > 0 ? error : SEENSET_OK);
    uint32_t older = last + 1 - newest_count(set);
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

static int add_chunks(seenset *set, const ss_batch *batch, uint8_t *is_new,
                      chunk_adder *add)
{
    int first_error = SEENSET_OK;
    for (size_t done = 0, count; done < batch->count; done += count) {
        chunk loaded;
        count = chunk_count(set, batch->count - done);
        ss_batch part = ss_batch_part(batch, done, count);
        load(&loaded, set, &part, 0);
        int error = add(set, &loaded, is_new + done);
        if (first_error == SEENSET_OK)
            first_error = error;
    }
    return first_error;
}

int ss_chunks_add_many(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    return add_chunks(set, batch, is_new, add_chunk);
}

int ss_chunks_slide_many(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    return add_chunks(set, batch, is_new, slide_chunk);
}

int ss_chunks_add_blindly(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    int (*add)(seenset *, const ss_batch *, uint8_t *) = set->kind->add_batch;
    uint8_t unwanted[4096];
    int first_error = SEENSET_OK;
    if (is_new != NULL)
        return add(set, batch, is_new);
    for (size_t done = 0, count; done < batch->count; done += count) {
        count = batch->count - done;
        if (count > sizeof unwanted)
            count = sizeof unwanted;
        ss_batch part = ss_batch_part(batch, done, count);
        int error = add(set, &part, unwanted);
        if (first_error == SEENSET_OK)
            first_error = error;
    }
    return first_error;
}

int ss_chunks_add_told(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    if (batch->count == 0)
        return SEENSET_OK;
    int error = ss_chunks_add_blindly(set, batch, is_new);
    ss_capacity_tell(set);
    return error;
}
