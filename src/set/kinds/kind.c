/* kind.c - which kind a set is, and what several kinds have; see kind.h */
#include "set/kinds/kind.h"

static const ss_set_kind *kind_of_window(const seenset *set)
{
    if (set->window_seconds > 0)
        return set->is_sliding ? &ss_kind_sliding_by_age
                               : &ss_kind_window_by_age;
    return set->is_sliding ? &ss_kind_sliding_by_number
                           : &ss_kind_window_by_number;
}

static const ss_set_kind *kind_of_growth(const seenset *set)
{
    const ss_generation *tables = set->generations;
    if (set->generation_count != 2)
        return &ss_kind_list;
    const ss_layout *layout = tables[0].table.layout;
    return layout == tables[1].table.layout && layout->both != NULL
               ? &ss_kind_both
               : &ss_kind_pair;
}

/* How its tables are asked and filled. */
static const ss_set_kind *kind_of_tables(const seenset *set)
{
    if (!ss_key_hash_is_hash(&set->identity))
        return &ss_kind_scheme;
    if (ss_set_is_sealed(set))
        return &ss_kind_sealed;
    if (set->on_full == SEENSET_ON_FULL_ROTATE)
        return kind_of_window(set);
    if (set->on_full == SEENSET_ON_FULL_GROW)
        return kind_of_growth(set);
    return set->is_shared ? &ss_kind_shared : &ss_kind_single;
}

/* What its lookups call, past the kind; or NULL. */
static const ss_layout *direct_of(const seenset *set)
{
    if (set->window_seconds > 0 || ss_key_hash_is_apart(&set->identity))
        return NULL;
    const ss_layout *layout = set->generations[0].table.layout;
    if (set->generation_count == 1)
        return layout;
    return set->kind == &ss_kind_both ? layout->both : NULL;
}

static const ss_set_kind *kind_of_view(const seenset *set)
{
    if (set->identity.is_locked)
        return &ss_kind_locked;
    if (ss_set_is_sealed(set))
        return &ss_kind_mapped_sealed;
    return set->remembered != NULL ? &ss_kind_mapped_journal : &ss_kind_mapped;
}

/* How many keys may be added straight to the first table. */
static void update_adds(seenset *set)
{
    set->fast_path_items = 0;
    if (set->kind != set->tables || set->kind->add_error != SEENSET_OK ||
        set->kind == &ss_kind_shared || set->generation_count != 1 ||
        !ss_key_hash_is_unkeyed(&set->identity) ||
        set->on_full == SEENSET_ON_FULL_ROTATE)
        return;
    uint64_t capacity_items = set->generations[0].capacity_items;
    if (set->at_capacity != NULL)
        set->fast_path_items = capacity_items - 1;
    else
        set->fast_path_items = set->on_full == SEENSET_ON_FULL_DEGRADE
                                   ? UINT64_MAX
                                   : capacity_items;
}

void ss_set_publish_direct(seenset *set)
{
    const ss_layout *direct = direct_of(set);
    const ss_layout *direct_hash =
        ss_key_hash_is_unkeyed(&set->identity) ? direct : NULL;
    __atomic_store_n(&set->direct, direct, __ATOMIC_RELAXED);
    __atomic_store_n(&set->direct_hash, direct_hash, __ATOMIC_RELAXED);
}

void ss_set_choose_kind(seenset *set)
{
    set->tables = kind_of_tables(set);
    bool is_asked_only = set->is_view || set->is_copied_view;
    set->kind = is_asked_only ? kind_of_view(set) : set->tables;
    if (set->tables == &ss_kind_both)
        set->generations[0].table.other = &set->generations[1].table;
    set->direct = set->direct_hash = NULL;
    if (set->checks == NULL)
        ss_set_publish_direct(set);
    update_adds(set);
    ss_set_update_view(set);
}

/* ---- what several rows have ---- */

int ss_kind_add_key(seenset *set, const void *key, size_t key_len)
{
    uint64_t hash = ss_key_hash_of(&set->identity, key, key_len);
    return set->kind->add_hash(set, hash);
}

int ss_kind_has_key(const seenset *set, const void *key, size_t key_len)
{
    uint64_t hash = ss_key_hash_of(&set->identity, key, key_len);
    return set->kind->has_hash(set, hash);
}

int ss_kind_refuse_key(seenset *set, const void *key, size_t key_len)
{
    (void)key, (void)key_len;
    return set->kind->add_error;
}

int ss_kind_refuse_hash(seenset *set, uint64_t hash)
{
    (void)hash;
    return set->kind->add_error;
}

int ss_kind_refuse_at(seenset *set, uint64_t hash, uint64_t now)
{
    (void)hash, (void)now;
    return set->kind->add_error;
}

int ss_kind_refuse_many(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    (void)batch, (void)is_new;
    return set->kind->add_error;
}

bool ss_kind_never_renews(const seenset *set, uint64_t hash)
{
    (void)set, (void)hash;
    return false;
}
