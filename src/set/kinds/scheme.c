/*
 * scheme.c - a set whose places another system's index scheme says. It has one
 * table, which takes keys and not hashes, and any number of them.
 */
#include "set/capacity.h"
#include "set/direct.h"
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"

static int add(seenset *set, const void *key, size_t key_len)
{
    int answer = ss_direct_add_key(set, key, key_len);
    ss_capacity_tell(set);
    return answer;
}

/* It takes any number of keys. */
static int add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    ss_generation *only = set->generations;
    only->added_items +=
        only->table.layout->add_many(&only->table, batch, is_new);
    return SEENSET_OK;
}

static int has(const seenset *set, const void *key, size_t key_len)
{
    const ss_table *only = &set->generations[0].table;
    return only->layout->has_key(only, key, key_len);
}

static int has_many(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    const ss_table *only = &set->generations[0].table;
    (void)only->layout->has_many(only, batch, is_seen);
    return SEENSET_OK;
}

static int add_no_hash(seenset *set, uint64_t hash)
{
    (void)set, (void)hash;
    return SEENSET_EUNSUPPORTED;
}

static int has_no_hash(const seenset *set, uint64_t hash)
{
    (void)set, (void)hash;
    return SEENSET_EUNSUPPORTED;
}

static int add_no_hash_at(seenset *set, uint64_t hash, uint64_t now)
{
    (void)now;
    return add_no_hash(set, hash);
}

const ss_set_kind ss_kind_scheme = {.name = "scheme",
                                    .breaks_promise = true,
                                    .add = add,
                                    .add_hash = add_no_hash,
                                    .add_at = add_no_hash_at,
                                    .add_many = ss_chunks_add_told,
                                    .add_batch = add_batch,
                                    .has = has,
                                    .has_hash = has_no_hash,
                                    .has_many = has_many,
                                    .renews = ss_kind_never_renews};
