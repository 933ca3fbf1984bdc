/*
 * add.c - keys in, and keys asked for: one or many.
 *
 * While a set is one table with room (fast_path_items), a key goes straight to
 * it, and a batch goes to it whole, which hashes it while it waits for memory.
 * Everything else, sets of several tables, windows, sets that are full, goes
 * through generations.c.
 */
#include "set/capacity.h"
#include "set/checks.h"
#include "set/generations.h"
#include "set/hashed.h"
#include "set/pair.h"
#include "set/pending.h"
#include "table/counter.h"

static bool is_plain(const seenset *set)
{
    return ss_set_added_items(set->generations) < set->fast_path_items;
}

static SS_NOINLINE int add_hash_slowly(seenset *set, uint64_t hash)
{
    if (ss_set_is_sealed(set))
        return SEENSET_EUNSUPPORTED;
    if (set->is_view)
        return set->pending != NULL ? ss_pending_add(set, hash)
                                    : SEENSET_EREADONLY;
    int answer = ss_generations_add(set, hash);
    ss_capacity_tell(set);
    return answer;
}

static SS_ALWAYS_INLINE int add_hash(seenset *set, uint64_t hash)
{
    if (!is_plain(set))
        return ss_pair_takes(set, 1) ? ss_pair_add(set, hash)
                                     : add_hash_slowly(set, hash);
    ss_generation *only = set->generations;
    bool is_new = only->table.layout->add(&only->table, hash);
    only->added_items += is_new;
    return is_new;
}

int seenset_add_hash(seenset *set, uint64_t hash)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    if (!ss_key_hash_is_unkeyed(&set->identity))
        return SEENSET_EUNSUPPORTED;
    return add_hash(set, hash);
}

int ss_hashed_add(seenset *set, uint64_t hash)
{
    return add_hash(set, hash);
}

static int add_to_only(seenset *set, const void *key, size_t key_len)
{
    ss_generation *only = set->generations;
    bool is_new = only->table.layout->add_key(&only->table, key, key_len);
    only->added_items += is_new;
    return is_new;
}

/* A scheme's set has one table, and takes any number of keys. */
static int add_indexed(seenset *set, const void *key, size_t key_len)
{
    int answer = add_to_only(set, key, key_len);
    ss_capacity_tell(set);
    return answer;
}

static SS_NOINLINE int add_key_slowly(seenset *set, const void *key,
                                      size_t key_len)
{
    if (set->is_view && set->pending == NULL && !ss_set_is_sealed(set))
        return SEENSET_EREADONLY;
    if (!ss_key_hash_is_hash(&set->identity))
        return add_indexed(set, key, key_len);
    return add_hash_slowly(set, ss_key_hash_of(&set->identity, key, key_len));
}

int seenset_add(seenset *set, const void *key, size_t key_len)
{
    if (set == NULL || (key == NULL && key_len > 0))
        return SEENSET_EINVAL;
    return is_plain(set) ? add_to_only(set, key, key_len)
                         : add_key_slowly(set, key, key_len);
}

static SS_NOINLINE int has_hash_slowly(const seenset *set, uint64_t hash)
{
    return set->checks != NULL ? ss_checks_has_hash(set, hash)
                               : ss_generations_has(set, hash);
}

static SS_ALWAYS_INLINE int has_hash(const seenset *set, uint64_t hash)
{
    if (!ss_set_is_single(set))
        return set->is_pair && set->checks == NULL ? ss_pair_has(set, hash)
                                                   : has_hash_slowly(set, hash);
    const ss_table *only = &set->generations[0].table;
    return only->layout->has(only, hash);
}

int seenset_has_hash(const seenset *set, uint64_t hash)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    if (!ss_key_hash_is_unkeyed(&set->identity))
        return SEENSET_EUNSUPPORTED;
    return has_hash(set, hash);
}

int ss_hashed_has(const seenset *set, uint64_t hash)
{
    return has_hash(set, hash);
}

bool ss_hashed_renews(const seenset *set, uint64_t hash)
{
    if (!set->is_sliding)
        return false;
    return set->pending != NULL ? ss_pending_renews(set, hash)
                                : ss_generations_renews(set, hash);
}

static SS_NOINLINE int has_key_slowly(const seenset *set, const void *key,
                                      size_t key_len)
{
    if (set->checks != NULL)
        return ss_checks_has(set, key, key_len);
    return ss_generations_has(set,
                              ss_key_hash_of(&set->identity, key, key_len));
}

int seenset_has(const seenset *set, const void *key, size_t key_len)
{
    if (set == NULL || (key == NULL && key_len > 0))
        return SEENSET_EINVAL;
    if (!ss_set_is_single(set))
        return has_key_slowly(set, key, key_len);
    const ss_table *only = &set->generations[0].table;
    return only->layout->has_key(only, key, key_len);
}

/* ---- many ---- */

/* How much of a batch may go straight to the only table. */
static size_t fast_path_count(const seenset *set, const ss_batch *batch)
{
    uint64_t added = ss_set_added_items(set->generations);
    uint64_t room =
        added < set->fast_batch_items ? set->fast_batch_items - added : 0;
    return room < batch->count ? (size_t)room : batch->count;
}

/* As much of a batch as a shared set takes at once. */
static size_t shared_count(const seenset *set, const ss_batch *batch)
{
    enum {
        SHARED_KEYS = 512
    }; /* by which a set that refuses may overshoot */
    const ss_generation *only = set->generations;
    uint64_t room = UINT64_MAX;
    if (set->on_full == SEENSET_ON_FULL_REFUSE) {
        uint64_t added = ss_set_added_items(only);
        room = added < only->capacity_items ? only->capacity_items - added : 0;
        room = room < SHARED_KEYS ? room : SHARED_KEYS;
    }
    return room < batch->count ? (size_t)room : batch->count;
}

static int add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    ss_batch rest = *batch;
    size_t count;
    while (rest.count > 0 &&
           (count = set->is_shared && !ss_key_hash_is_apart(&set->identity)
                        ? shared_count(set, &rest)
                        : fast_path_count(set, &rest)) > 0) {
        ss_generation *only = set->generations;
        ss_batch part = ss_batch_part(&rest, 0, count);
        size_t news = only->table.layout->add_many(&only->table, &part, is_new);
        ss_set_count_added(set, only, news);
        is_new += count;
        rest = ss_batch_part(&rest, count, rest.count - count);
    }
    return rest.count > 0 ? ss_generations_add_many(set, &rest, is_new)
                          : SEENSET_OK;
}

/* For a caller without a place for the answers: they go to a buffer, in
 * parts. */
static int add_batch_blindly(seenset *set, const ss_batch *batch)
{
    uint8_t unwanted[4096];
    int first_error = SEENSET_OK;
    for (size_t done = 0, count; done < batch->count; done += count) {
        count = batch->count - done;
        if (count > sizeof unwanted)
            count = sizeof unwanted;
        ss_batch part = ss_batch_part(batch, done, count);
        int error = add_batch(set, &part, unwanted);
        if (first_error == SEENSET_OK)
            first_error = error;
    }
    return first_error;
}

static int add_any(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    if (ss_set_is_sealed(set))
        return SEENSET_EUNSUPPORTED;
    if (set->is_view)
        return set->pending != NULL ? ss_pending_add_many(set, batch, is_new)
                                    : SEENSET_EREADONLY;
    if (batch->count == 0)
        return SEENSET_OK;
    int error = is_new != NULL ? add_batch(set, batch, is_new)
                               : add_batch_blindly(set, batch);
    ss_capacity_tell(set);
    return error;
}

/* Does a lookup see for itself whether the keys of a batch are there? */
static bool hashes_keys(const seenset *set)
{
    return ss_set_is_single(set) && ss_key_hash_is_unkeyed(&set->identity);
}

static int has_any(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    const ss_table *oldest = &set->generations[0].table;
    if (batch->count == 0)
        return SEENSET_OK;
    if (ss_set_is_single(set))
        oldest->layout->has_many(oldest, batch, is_seen);
    else if (set->checks != NULL)
        return ss_checks_has_many(set, batch, is_seen);
    else
        ss_generations_has_many(set, batch, is_seen);
    return SEENSET_OK;
}

bool ss_set_are_keys(const seenset_key *keys, size_t key_count)
{
    if (keys == NULL)
        return key_count == 0;
    size_t empty = 0; /* counted without a branch: millions pass here */
    for (size_t i = 0; i < key_count; i++)
        empty += keys[i].data == NULL;
    for (size_t i = 0; empty > 0 && i < key_count; i++)
        if (keys[i].data == NULL && keys[i].len > 0)
            return false;
    return true;
}

int seenset_add_many(seenset *set, const seenset_key *keys, size_t key_count,
                     uint8_t *is_new)
{
    if (set == NULL || !ss_set_are_keys(keys, key_count))
        return SEENSET_EINVAL;
    ss_batch batch = {.keys = keys, .count = key_count};
    return add_any(set, &batch, is_new);
}

int seenset_has_many(const seenset *set, const seenset_key *keys,
                     size_t key_count, uint8_t *is_seen)
{
    if (set == NULL || ((keys == NULL || is_seen == NULL) && key_count > 0))
        return SEENSET_EINVAL;
    size_t missing = 0;
    ss_batch batch = {.keys = keys, .count = key_count, .missing = &missing};
    if (!hashes_keys(set) && !ss_set_are_keys(keys, key_count))
        return SEENSET_EINVAL;
    int error = has_any(set, &batch, is_seen);
    return missing == 0 ? error : SEENSET_EINVAL;
}

int seenset_add_u64_many(seenset *set, const uint64_t *keys, size_t key_count,
                         uint8_t *is_new)
{
    if (set == NULL || (keys == NULL && key_count > 0))
        return SEENSET_EINVAL;
    ss_batch batch = {.integers = keys, .count = key_count};
    return add_any(set, &batch, is_new);
}

int seenset_has_u64_many(const seenset *set, const uint64_t *keys,
                         size_t key_count, uint8_t *is_seen)
{
    if (set == NULL || ((keys == NULL || is_seen == NULL) && key_count > 0))
        return SEENSET_EINVAL;
    ss_batch batch = {.integers = keys, .count = key_count};
    return has_any(set, &batch, is_seen);
}

int seenset_add_hash_many(seenset *set, const uint64_t *hashes,
                          size_t hash_count, uint8_t *is_new)
{
    if (set == NULL || (hashes == NULL && hash_count > 0))
        return SEENSET_EINVAL;
    if (!ss_key_hash_is_unkeyed(&set->identity))
        return SEENSET_EUNSUPPORTED;
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return add_any(set, &batch, is_new);
}

int ss_hashed_add_many(seenset *set, const uint64_t *hashes, size_t hash_count,
                       uint8_t *is_new)
{
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return add_any(set, &batch, is_new);
}

void ss_hashed_has_many(const seenset *set, const uint64_t *hashes,
                        size_t hash_count, uint8_t *is_seen)
{
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    (void)has_any(set, &batch, is_seen);
}

int seenset_has_hash_many(const seenset *set, const uint64_t *hashes,
                          size_t hash_count, uint8_t *is_seen)
{
    if (set == NULL || ((hashes == NULL || is_seen == NULL) && hash_count > 0))
        return SEENSET_EINVAL;
    if (!ss_key_hash_is_unkeyed(&set->identity))
        return SEENSET_EUNSUPPORTED;
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return has_any(set, &batch, is_seen);
}

/* ---- keys that can be taken out and counted ---- */

/* Whether keys can be taken out of the set: 0, or the error. */
static int can_remove(const seenset *set)
{
    if (set->generations[0].table.layout->remove_key == NULL)
        return SEENSET_EUNSUPPORTED;
    return set->is_view ? SEENSET_EREADONLY : SEENSET_OK;
}

/* A key's last copy makes room for another key. */
static int tell_removed(ss_generation *only, bool was_there, bool is_left)
{
    if (was_there && only->added_items > 0 && !is_left)
        only->added_items--;
    return was_there;
}

int seenset_remove(seenset *set, const void *key, size_t key_len)
{
    if (set == NULL || (key == NULL && key_len > 0))
        return SEENSET_EINVAL;
    int error = can_remove(set);
    if (error != SEENSET_OK)
        return error;
    ss_table *table = &set->generations->table;
    bool was_there =
        ss_key_hash_is_apart(&set->identity)
            ? table->layout->remove(
                  table, ss_key_hash_of(&set->identity, key, key_len))
            : table->layout->remove_key(table, key, key_len);
    bool is_left = was_there && seenset_has(set, key, key_len);
    return tell_removed(set->generations, was_there, is_left);
}

int seenset_remove_hash(seenset *set, uint64_t hash)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    if (!ss_key_hash_is_unkeyed(&set->identity))
        return SEENSET_EUNSUPPORTED;
    int error = can_remove(set);
    if (error != SEENSET_OK)
        return error;
    ss_table *table = &set->generations->table;
    bool was_there = table->layout->remove(table, hash);
    bool is_left = was_there && has_hash(set, hash);
    return tell_removed(set->generations, was_there, is_left);
}

int seenset_count(const seenset *set, const void *key, size_t key_len,
                  uint64_t *count)
{
    if (set == NULL || count == NULL || (key == NULL && key_len > 0))
        return SEENSET_EINVAL;
    const ss_table *table = &set->generations[0].table;
    if (table->layout->count_key == NULL)
        return SEENSET_EUNSUPPORTED;
    int error = ss_checks_key(set, key, key_len);
    if (error != SEENSET_OK)
        return error;
    *count = ss_key_hash_is_apart(&set->identity)
                 ? table->layout->count(
                       table, ss_key_hash_of(&set->identity, key, key_len))
                 : table->layout->count_key(table, key, key_len);
    return SEENSET_OK;
}

int seenset_count_hash(const seenset *set, uint64_t hash, uint64_t *count)
{
    if (set == NULL || count == NULL)
        return SEENSET_EINVAL;
    const ss_table *table = &set->generations[0].table;
    if (table->layout->count_key == NULL ||
        !ss_key_hash_is_unkeyed(&set->identity))
        return SEENSET_EUNSUPPORTED;
    int error = ss_checks_hash(set, hash);
    if (error != SEENSET_OK)
        return error;
    *count = table->layout->count(table, hash);
    return SEENSET_OK;
}
