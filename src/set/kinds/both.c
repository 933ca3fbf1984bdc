/*
 * both.c - a set that was told late how many keys to expect: the table that
 * was planned, and one of the same layout for the keys that are expected. What
 * is asked goes to both at a time (table/kernel/both.h).
 *
 * Lookups go past this row (set/direct.h), except those of keyed sets and of
 * views.
 */
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/list.h"
#include "set/kinds/pair.h"
#include "set/kinds/room.h"

enum {
    LEAST_ROOM = 64 /* less is not worth a batch */
};

static ss_table *first_of(const seenset *set)
{
    return &set->generations[0].table;
}

static const ss_layout *row_of(const seenset *set)
{
    return first_of(set)->layout->both;
}

static int has_hash(const seenset *set, uint64_t hash)
{
    return row_of(set)->has(first_of(set), hash);
}

static int add_hash(seenset *set, uint64_t hash)
{
    if (!ss_pair_takes(set, 1))
        return ss_list_add_hash(set, hash);
    bool is_new = row_of(set)->add(first_of(set), hash);
    set->generations[1].added_items += is_new;
    return is_new;
}

static int add(seenset *set, const void *key, size_t key_len)
{
    return add_hash(set, ss_key_hash_of(&set->identity, key, key_len));
}

static int has(const seenset *set, const void *key, size_t key_len)
{
    return has_hash(set, ss_key_hash_of(&set->identity, key, key_len));
}

static int add_at(seenset *set, uint64_t hash, uint64_t now)
{
    (void)now;
    return add_hash(set, hash);
}

/* Does the row hash keys itself? */
static bool is_whole(const seenset *set, const ss_batch *batch)
{
    return batch->hashes != NULL || ss_key_hash_is_unkeyed(&set->identity);
}

/* The next keys of a batch, at most so many: those whose hashes are made here
 * are few. */
static ss_batch next_part(const seenset *set, const ss_batch *batch,
                          size_t done, uint64_t most,
                          uint64_t made[SS_PAIR_KEYS])
{
    size_t count = batch->count - done;
    if (count > most)
        count = (size_t)most;
    if (is_whole(set, batch))
        return ss_batch_part(batch, done, count);
    if (count > SS_PAIR_KEYS)
        count = SS_PAIR_KEYS;
    ss_batch_hashes_make(&set->identity, batch, done, count, made);
    return (ss_batch){.hashes = made, .count = count};
}

static int has_many(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    uint64_t made[SS_PAIR_KEYS];
    for (size_t done = 0; done < batch->count;) {
        ss_batch part = next_part(set, batch, done, UINT64_MAX, made);
        (void)row_of(set)->has_many(first_of(set), &part, is_seen + done);
        done += part.count;
    }
    return SEENSET_OK;
}

/* As long as there is room; the rest may need a table more. */
static int add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    uint64_t made[SS_PAIR_KEYS], room;
    ss_generation *second = &set->generations[1];
    size_t done = 0;
    while (done < batch->count && (room = ss_room_count(second)) > LEAST_ROOM) {
        ss_batch part = next_part(set, batch, done, room, made);
        second->added_items +=
            row_of(set)->add_many(first_of(set), &part, is_new + done);
        done += part.count;
    }
    ss_batch rest = ss_batch_part(batch, done, batch->count - done);
    return ss_chunks_add_many(set, &rest, is_new + done);
}

const ss_set_kind ss_kind_both = {.name = "both",
                                  .add = add,
                                  .add_hash = add_hash,
                                  .add_at = add_at,
                                  .add_many = ss_chunks_add_blindly,
                                  .add_batch = add_batch,
                                  .has = has,
                                  .has_hash = has_hash,
                                  .has_many = has_many,
                                  .renews = ss_kind_never_renews};
