/*
 * pair.c - a set that has grown: the table that was planned, and one beside it
 * that grows in place, or that was made for the keys that the set was told to
 * expect. What is asked of both goes from the one to the other without what
 * lists of tables need (list.c).
 */
#include <string.h>

#include "expand/expand.h"
#include "expand/kernel/kernels.h"
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/list.h"
#include "set/kinds/pair.h"
#include "set/kinds/room.h"

/* ---- one key ---- */

/* Of the second table. */
static SS_ALWAYS_INLINE int second_has(const ss_table *second, uint64_t hash)
{
    return second->expand != NULL
               ? second->expand->kernel->has(second->expand, hash)
               : second->layout->has(second, hash);
}

/* Does the second have more keys? Then it is asked first. */
static bool is_grown(const seenset *set)
{
    return set->generations[1].added_items >= set->generations[0].added_items;
}

static int has_hash(const seenset *set, uint64_t hash)
{
    const ss_table *first = &set->generations[0].table;
    const ss_table *second = &set->generations[1].table;
    if (!is_grown(set))
        return first->layout->has(first, hash) || second_has(second, hash);
    return second_has(second, hash) || first->layout->has(first, hash);
}

/* 1, 0, or SEENSET_ENOMEM */
static SS_ALWAYS_INLINE int add_second(seenset *set, uint64_t hash)
{
    const ss_table *first = &set->generations[0].table;
    return first->layout->has(first, hash) ? 0 : ss_room_put(set, hash);
}

static int add_hash(seenset *set, uint64_t hash)
{
    return ss_pair_takes(set, 1) ? add_second(set, hash)
                                 : ss_list_add_hash(set, hash);
}

static int add(seenset *set, const void *key, size_t key_len)
{
    return add_hash(set, ss_key_hash_of(&set->identity, key, key_len));
}

static int add_at(seenset *set, uint64_t hash, uint64_t now)
{
    (void)now;
    return add_hash(set, hash);
}

static int has(const seenset *set, const void *key, size_t key_len)
{
    return has_hash(set, ss_key_hash_of(&set->identity, key, key_len));
}

/* ---- many ---- */

/* Hashes that one table does not have, on their way to the other. */
typedef struct unseen {
    uint64_t hashes[SS_PAIR_KEYS];
    uint16_t places[SS_PAIR_KEYS];
    uint8_t answers[SS_PAIR_KEYS];
    size_t count;
} unseen;

/* Whether a key is seen nobody can predict: so none of that is a branch. */
static void pick(unseen *to, const uint64_t *hashes, size_t count,
                 const uint8_t *is_seen)
{
    size_t picked = 0;
    for (size_t i = 0; i < count; i++) {
        to->hashes[picked] = hashes[i];
        to->places[picked] = (uint16_t)i;
        picked += !is_seen[i];
    }
    to->count = picked;
}

static size_t ask(const ss_table *table, const uint64_t *hashes, size_t count,
                  uint8_t *is_seen)
{
    ss_batch batch = {.hashes = hashes, .count = count};
    return table->layout->has_many(table, &batch, is_seen);
}

/* Asks a table for a chunk's keys that were not seen. */
static void ask_unseen(const ss_table *table, const uint64_t *hashes,
                       size_t count, uint8_t *is_seen)
{
    unseen left;
    pick(&left, hashes, count, is_seen);
    (void)ask(table, left.hashes, left.count, left.answers);
    for (size_t i = 0; i < left.count; i++)
        is_seen[left.places[i]] = left.answers[i];
}

/* Asks a table for all keys of a chunk, of which few were seen. */
static void ask_all(const ss_table *table, const uint64_t *hashes, size_t count,
                    uint8_t *is_seen)
{
    uint8_t answers[SS_PAIR_KEYS];
    (void)ask(table, hashes, count, answers);
    for (size_t i = 0; i < count; i++)
        is_seen[i] |= answers[i];
}

/* One table is asked for all keys at once, as it may be far: its lines come
 * while others are looked at. */
static void ask_both(const ss_table *one, const ss_table *other,
                     const uint64_t *hashes, size_t count, uint8_t *is_seen)
{
    size_t seen = ask(one, hashes, count, is_seen);
    bool are_few = count - seen > count / 8 * 7;
    for (size_t done = 0, part; seen < count && done < count; done += part) {
        part = count - done < SS_PAIR_KEYS ? count - done : SS_PAIR_KEYS;
        if (are_few)
            ask_all(other, hashes + done, part, is_seen + done);
        else
            ask_unseen(other, hashes + done, part, is_seen + done);
    }
}

static int has_many(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    uint64_t made[SS_PAIR_KEYS];
    const ss_table *first = &set->generations[0].table;
    const ss_table *second = &set->generations[1].table;
    bool is_second = is_grown(set);
    for (size_t done = 0, count; done < batch->count; done += count) {
        count = ss_pair_asked(batch, done);
        ask_both(is_second ? second : first, is_second ? first : second,
                 ss_pair_hashes(set, batch, done, count, made), count,
                 is_seen + done);
    }
    return SEENSET_OK;
}

static int add_picked(seenset *set, unseen *picked, uint8_t *is_new)
{
    size_t done = picked->count;
    int error =
        ss_chunks_give_to_newest(set, picked->hashes, &done, picked->answers);
    for (size_t i = 0; i < done; i++)
        is_new[picked->places[i]] = picked->answers[i];
    for (size_t i = done; i < picked->count; i++)
        is_new[picked->places[i]] = SEENSET_ANSWER_REFUSED;
    return error;
}

static int add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    uint64_t made[SS_PAIR_KEYS];
    uint8_t is_seen[SS_PAIR_KEYS];
    int first_error = SEENSET_OK;
    if (!ss_pair_takes(set, batch->count))
        return ss_chunks_add_many(set, batch, is_new);
    for (size_t done = 0, count; done < batch->count; done += count) {
        unseen left;
        count = ss_pair_chunk(batch, done);
        uint8_t *answers = is_new + done;
        const uint64_t *hashes = ss_pair_hashes(set, batch, done, count, made);
        (void)ask(&set->generations[0].table, hashes, count, is_seen);
        pick(&left, hashes, count, is_seen);
        memset(answers, 0, count);
        int error = add_picked(set, &left, answers);
        if (first_error == SEENSET_OK)
            first_error = error;
    }
    return first_error;
}

const ss_set_kind ss_kind_pair = {.name = "pair",
                                  .add = add,
                                  .add_hash = add_hash,
                                  .add_at = add_at,
                                  .add_many = ss_chunks_add_blindly,
                                  .add_batch = add_batch,
                                  .has = has,
                                  .has_hash = has_hash,
                                  .has_many = has_many,
                                  .renews = ss_kind_never_renews};
