/*
 * direct.h - calls that go past a set's kind, straight to its only table.
 *
 * They take a few nanoseconds, so one jump more would be felt. The kind's
 * choice (kinds/kind.h) sets three fields for them:
 *
 *     direct           the layout of the only table, for lookups of keys
 *     direct_hash      the same for lookups of hashes; NULL if the set takes
 *                      none, so these need no other check
 *     fast_path_items  adds go there while the table has fewer keys
 */
#ifndef SS_SET_DIRECT_H
#define SS_SET_DIRECT_H

#include "set/set.h"

/* The layout of the only table, where it answers all lookups; or NULL. It can
 * appear while a view is asked, after the last block was checked. */
static inline const ss_layout *ss_direct_layout(const seenset *set)
{
    return __atomic_load_n(&set->direct, __ATOMIC_RELAXED);
}

/* The same for hashes: NULL too where places come from keys only. */
static inline const ss_layout *ss_direct_hash_layout(const seenset *set)
{
    return __atomic_load_n(&set->direct_hash, __ATOMIC_RELAXED);
}

/* May one key or hash more be added there? */
static inline bool ss_direct_takes(const seenset *set)
{
    return ss_set_added_items(set->generations) < set->fast_path_items;
}

static inline int ss_direct_add_key(seenset *set, const void *key,
                                    size_t key_len)
{
    ss_generation *only = set->generations;
    bool is_new = only->table.layout->add_key(&only->table, key, key_len);
    only->added_items += is_new;
    return is_new;
}

static inline int ss_direct_add_hash(seenset *set, uint64_t hash)
{
    ss_generation *only = set->generations;
    bool is_new = only->table.layout->add(&only->table, hash);
    only->added_items += is_new;
    return is_new;
}

#endif
