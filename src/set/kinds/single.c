/*
 * single.c - a set of one table, which degrades or refuses when it is full.
 *
 * While it has room, calls go past this row, straight to the table
 * (set/direct.h). So a key that comes here may be the one at which somebody is
 * to be told that the set is at its capacity.
 */
#include "set/kinds/single.h"

#include "set/capacity.h"
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/room.h"

int ss_single_add_at(seenset *set, uint64_t hash, uint64_t now)
{
    const ss_table *table = &ss_set_newest(set)->table;
    int error = ss_room_make(set);
    (void)now;
    if (error != SEENSET_OK && !table->layout->has(table, hash))
        return error;
    return ss_room_put(set, hash);
}

int ss_single_add_hash(seenset *set, uint64_t hash)
{
    int answer = ss_single_add_at(set, hash, 0);
    ss_capacity_tell(set);
    return answer;
}

int ss_single_add_parts(seenset *set, const ss_batch *batch, uint8_t *is_new,
                        ss_single_counter *count)
{
    ss_batch rest = *batch;
    size_t most;
    while (rest.count > 0 && (most = count(set, &rest)) > 0) {
        ss_generation *only = set->generations;
        ss_batch part = ss_batch_part(&rest, 0, most);
        size_t news = only->table.layout->add_many(&only->table, &part, is_new);
        ss_set_count_added(set, only, news);
        is_new += most;
        rest = ss_batch_part(&rest, most, rest.count - most);
    }
    return ss_chunks_add_many(set, &rest, is_new);
}

/* How much of a batch may go straight to the only table: a batch tells of the
 * capacity at its end. */
static size_t direct_count(const seenset *set, const ss_batch *batch)
{
    const ss_generation *only = set->generations;
    if (set->fast_path_items == 0)
        return 0;
    if (set->on_full == SEENSET_ON_FULL_DEGRADE)
        return batch->count;
    uint64_t room = ss_room_count(only);
    return room < batch->count ? (size_t)room : batch->count;
}

int ss_single_add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    return ss_single_add_parts(set, batch, is_new, direct_count);
}

const ss_set_kind ss_kind_single = {.name = "single",
                                    .breaks_promise = true,
                                    .add = ss_kind_add_key,
                                    .add_hash = ss_single_add_hash,
                                    .add_at = ss_single_add_at,
                                    .add_many = ss_chunks_add_told,
                                    .add_batch = ss_single_add_batch,
                                    .has = ss_kind_has_key,
                                    .has_hash = ss_room_has,
                                    .has_many = ss_chunks_has_many,
                                    .renews = ss_kind_never_renews};
