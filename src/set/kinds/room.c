/*
 * room.c - room for keys in the newest of a set's tables.
 *
 * *Growth*: the first table holds n keys and takes half of p; when it is full,
 * one that grows in place (expanded.h) takes all further keys:
 *
 *     | n, p/2 |  all others, what is left of p                       ... |
 *
 * What is left is p less the rate that the first table keeps, not that which is
 * expected of it: promise.c has the difference. Keys that the caller expects
 * get a table of their own between the two (expected_items.h). In older
 * versions table g was one of n 2^g keys, and took half of what was left (a
 * scalable Bloom filter, Almeida et al. 2007); files with such lists go on with
 * one that grows.
 *
 * *Windows*: window_by_number.c, and set/window.c for those by age.
 */
#include "set/kinds/room.h"

#include <string.h>

#include "set/expanded.h"
#include "set/expected_items.h"
#include "set/window.h"
#include "table/expandable.h"

bool ss_room_is_among(const seenset *set, uint32_t first, uint32_t end,
                      uint64_t hash)
{
    for (uint32_t i = end; i > first; i--) {
        const ss_table *table = &set->generations[i - 1].table;
        if (table->layout->has(table, hash))
            return true;
    }
    return false;
}

int ss_room_has(const seenset *set, uint64_t hash)
{
    return ss_room_is_among(set, 0, set->generation_count, hash);
}

int ss_room_put(seenset *set, uint64_t hash)
{
    ss_generation *newest = ss_set_newest(set);
    ss_table *table = &newest->table;
    int is_added = table->expand != NULL ? ss_expand_add(table->expand, hash)
                                         : table->layout->add(table, hash);
    if (is_added > 0)
        ss_set_count_added(set, newest, 1);
    return is_added;
}

static int grow(seenset *set)
{
    if (set->generation_count >= SS_MAX_GENERATIONS)
        return SEENSET_ETOOBIG;
    if (ss_expected_append(set))
        return SEENSET_OK;
    return ss_expanded_append(set, set->fp_rate, set->generation_count);
}

/* The oldest table, emptied, becomes the newest. */
static void recycle_oldest(seenset *set)
{
    ss_generation oldest = set->generations[0];
    size_t others = set->generation_count - 1;
    memset(oldest.table.words, 0,
           (size_t)ss_set_word_count(&oldest) * sizeof *oldest.table.words);
    memmove(set->generations, set->generations + 1,
            others * sizeof *set->generations);
    oldest.added_items = 0;
    set->generations[others] = oldest;
}

static int rotate(seenset *set)
{
    if (set->generation_count >= set->window_generations) {
        recycle_oldest(set);
        return SEENSET_OK;
    }
    const ss_generation *first = set->generations;
    seenset_plan plan = {.layout = first->table.layout->traits->id,
                         .size_bits = first->table.size_bits,
                         .hash_count = first->table.hash_count,
                         .capacity_items = first->capacity_items,
                         .fp_rate = first->fp_rate};
    return ss_set_append(set, &plan, 1);
}

int ss_room_make(seenset *set)
{
    if (set->on_full == SEENSET_ON_FULL_DEGRADE ||
        ss_room_is_left(ss_set_newest(set)))
        return SEENSET_OK;
    if (set->on_full == SEENSET_ON_FULL_REFUSE)
        return SEENSET_EFULL;
    if (set->on_full == SEENSET_ON_FULL_GROW)
        return grow(set);
    return ss_window_is_by_age(set) ? ss_window_grow(set) : rotate(set);
}
