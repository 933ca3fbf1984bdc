/*
 * add.c - the calls that add keys and ask for them, one or many: each looks its
 * set's row up (kinds/kind.h).
 *
 * While a set is one table with room, a call goes straight to that (direct.h).
 */
#include "set/capacity.h"
#include "set/view/checks.h"
#include "set/direct.h"
#include "set/hashed.h"
#include "set/kinds/kind.h"
#include "table/classic/counter.h"

int seenset_add_hash(seenset *set, uint64_t hash)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    if (ss_direct_takes(set))
        return ss_direct_add_hash(set, hash);
    return ss_key_hash_is_unkeyed(&set->identity)
               ? set->kind->add_hash(set, hash)
               : SEENSET_EUNSUPPORTED;
}

int ss_hashed_add(seenset *set, uint64_t hash)
{
    return ss_direct_takes(set) ? ss_direct_add_hash(set, hash)
                                : set->kind->add_hash(set, hash);
}

int seenset_add(seenset *set, const void *key, size_t key_len)
{
    if (set == NULL || (key == NULL && key_len > 0))
        return SEENSET_EINVAL;
    return ss_direct_takes(set) ? ss_direct_add_key(set, key, key_len)
                                : set->kind->add(set, key, key_len);
}

/* What a set that is not asked directly answers. */
static SS_NOINLINE int has_other_hash(const seenset *set, uint64_t hash)
{
    return ss_key_hash_is_unkeyed(&set->identity)
               ? set->kind->has_hash(set, hash)
               : SEENSET_EUNSUPPORTED;
}

int seenset_has_hash(const seenset *set, uint64_t hash)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    const ss_layout *direct = ss_direct_hash_layout(set);
    if (__builtin_expect(direct == NULL, 0))
        return has_other_hash(set, hash);
    return direct->has(&set->generations->table, hash);
}

int ss_hashed_has(const seenset *set, uint64_t hash)
{
    const ss_layout *direct = ss_direct_hash_layout(set);
    return direct != NULL ? direct->has(&set->generations->table, hash)
                          : set->kind->has_hash(set, hash);
}

bool ss_hashed_renews(const seenset *set, uint64_t hash)
{
    return set->kind->renews(set, hash);
}

int seenset_has(const seenset *set, const void *key, size_t key_len)
{
    if (set == NULL || (key == NULL && key_len > 0))
        return SEENSET_EINVAL;
    const ss_layout *direct = ss_direct_layout(set);
    if (__builtin_expect(direct == NULL, 0))
        return set->kind->has(set, key, key_len);
    return direct->has_key(&set->generations->table, key, key_len);
}

/* ---- many ---- */

/* Does a lookup see for itself whether the keys of a batch are there? */
static bool hashes_keys(const seenset *set)
{
    return ss_direct_layout(set) != NULL &&
           ss_key_hash_is_unkeyed(&set->identity);
}

static int has_any(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    const ss_layout *direct = ss_direct_layout(set);
    if (batch->count == 0)
        return SEENSET_OK;
    if (direct == NULL)
        return set->kind->has_many(set, batch, is_seen);
    (void)direct->has_many(&set->generations->table, batch, is_seen);
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
    return set->kind->add_many(set, &batch, is_new);
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
    return set->kind->add_many(set, &batch, is_new);
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
    return set->kind->add_many(set, &batch, is_new);
}

int ss_hashed_add_many(seenset *set, const uint64_t *hashes, size_t hash_count,
                       uint8_t *is_new)
{
    ss_batch batch = {.hashes = hashes, .count = hash_count};
    return set->kind->add_many(set, &batch, is_new);
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
    return set->kind->rewrite_error;
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
    bool is_left = was_there && ss_hashed_has(set, hash);
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
    if (set->identity.is_locked)
        return SEENSET_ESECRET;
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
