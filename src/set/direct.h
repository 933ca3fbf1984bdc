/*
 * direct.h - calls that go past a set's kind, straight to its only table.
 *
 * They take a few nanoseconds, so one jump more would be felt. A lookup goes
 * there where `direct`, or `direct_hash` if it is of a hash, is the table's
 * layout, and an add while the table has fewer than fast_path_items keys. All
 * are chosen with the kind (kinds/kind.h). A call of a hash that finds them
 * need not ask whether the set takes hashes.
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
