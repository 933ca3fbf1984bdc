/* lifetime.c - sets copied, cleared and freed */
#include <string.h>

#include "base/map.h"
#include "expand/expand.h"
#include "set/view/checks.h"
#include "set/kinds/kind.h"
#include "set/view/remembered.h"
#include "set/set.h"

static ss_set_params kind_of(const seenset *set)
{
    return (ss_set_params){.on_full = set->on_full,
                           .capacity_items = set->capacity_items,
                           .fp_rate = set->fp_rate,
                           .window_generations = set->window_generations,
                           .window_seconds = set->window_seconds,
                           .is_sliding = set->is_sliding,
                           .is_shared = set->is_shared,
                           .identity = set->identity};
}

int seenset_copy(seenset **out, const seenset *set)
{
    if (out == NULL || set == NULL)
        return SEENSET_EINVAL;
    return set->identity.is_locked ? SEENSET_ESECRET : ss_set_copy(out, set);
}

int ss_set_copy(seenset **out, const seenset *set)
{
    ss_set_params kind = kind_of(set);
    seenset *copy = NULL;
    int error = ss_checks_tables(set);
    if (error != SEENSET_OK)
        return error;
    error = ss_set_make(&copy, &set->memory, &kind, set->generation_count);
    for (uint32_t i = 0; error == SEENSET_OK && i < set->generation_count; i++)
        error = ss_set_append_copy(copy, &set->generations[i]);
    if (error == SEENSET_OK)
        error = ss_checks_give_beside(set, ss_set_newest(copy));
    if (error != SEENSET_OK) {
        seenset_free(copy);
        return error;
    }
    copy->expected_items = set->expected_items;
    copy->clock = set->clock;
    copy->told_seconds = set->told_seconds;
    *out = copy;
    return SEENSET_OK;
}

/* SEENSET_ENOMEM, of one that grows in place: nothing changed. */
static int clear_table(ss_table *table)
{
    if (table->expand != NULL)
        return ss_expand_clear(table->expand);
    memset(table->words, 0,
           (size_t)ss_table_word_count(table) * sizeof *table->words);
    return SEENSET_OK;
}

int seenset_clear(seenset *set)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    if (ss_set_is_sealed(set))
        return SEENSET_EUNSUPPORTED;
    if (set->kind->rewrite_error != SEENSET_OK)
        return set->kind->rewrite_error;
    ss_generation *only = set->generations;
    int error = clear_table(&only->table);
    if (error != SEENSET_OK)
        return error;
    while (set->generation_count > 1)
        ss_set_drop_newest(set);
    only->added_items = 0;
    only->started_seconds =
        set->window_seconds > 0 ? ss_set_wall_seconds(set) : 0;
    only->noticed_seconds = 0;
    ss_set_choose_kind(set);
    return SEENSET_OK;
}

void seenset_free(seenset *set)
{
    if (set == NULL)
        return;
    while (!set->is_view && set->generation_count > 0)
        ss_set_drop_newest(set);
    for (uint32_t i = 0; i < set->generation_count; i++)
        ss_expand_free(set->generations[i].table.expand);
    ss_checks_end(set);
    ss_remembered_end(set);
    ss_map_end(set->mapping, set->mapping_bytes);
    ss_key_hash_wipe(&set->identity);
    ss_memory memory = set->memory;
    ss_memory_free(&memory, (void *)(uintptr_t)set->identity.arguments.seeds,
                   set->identity.arguments.seed_count, sizeof(uint32_t));
    ss_set_free_room(set);
    ss_memory_free(&memory, set, 1, ss_set_own_bytes(set->own_count));
}
