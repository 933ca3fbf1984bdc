/* set.c - the handle: made empty, given tables, relieved of them */
#include "set/set.h"

#include <string.h>

#include "table/expandable.h"
#include "table/layouts.h"

/* The seeds of an identity are the caller's: a set has a copy. */
static int adopt_identity(seenset *set, const ss_key_hash *identity)
{
    set->identity = *identity;
    uint32_t count = identity->arguments.seed_count;
    if (count == 0)
        return SEENSET_OK;
    uint32_t *seeds = ss_memory_alloc(&set->memory, count, sizeof *seeds);
    if (seeds == NULL)
        return SEENSET_ENOMEM;
    memcpy(seeds, identity->arguments.seeds, count * sizeof *seeds);
    set->identity.arguments.seeds = seeds;
    return SEENSET_OK;
}

int ss_set_make(seenset **out, const ss_memory *memory,
                const ss_set_params *kind, uint32_t room_count)
{
    size_t own_bytes = ss_set_own_bytes(room_count);
    seenset *set = ss_memory_alloc_record(memory, own_bytes);
    if (set == NULL)
        return SEENSET_ENOMEM;
    set->generations = set->own;
    set->own_count = room_count;
    set->memory = *memory;
    set->room_count = room_count;
    if (adopt_identity(set, &kind->identity) != SEENSET_OK) {
        ss_memory_free(memory, set, 1, own_bytes);
        return SEENSET_ENOMEM;
    }
    set->on_full = kind->on_full;
    set->capacity_items = kind->capacity_items;
    set->fp_rate = kind->fp_rate;
    set->window_generations = kind->window_generations;
    set->window_seconds = kind->window_seconds;
    set->is_sliding = kind->is_sliding;
    set->is_shared = kind->is_shared;
    set->clock = &ss_clock_system;
    *out = set;
    return SEENSET_OK;
}

void ss_set_free_room(seenset *set)
{
    if (set->generations != set->own)
        ss_memory_free(&set->memory, set->generations, set->room_count,
                       sizeof *set->generations);
}

/* Moves the generations to a room of their own, for so many. */
static int move_room(seenset *set, uint32_t room_count)
{
    ss_generation *moved =
        ss_memory_alloc(&set->memory, room_count, sizeof *moved);
    if (moved == NULL)
        return SEENSET_ENOMEM;
    memcpy(moved, set->generations, set->generation_count * sizeof *moved);
    ss_set_free_room(set);
    set->generations = moved;
    set->room_count = room_count;
    ss_set_choose_kind(set); /* of two tables, one knows where the other is */
    return SEENSET_OK;
}

/* Room for one generation more. */
static int make_room(seenset *set)
{
    if (set->generation_count < set->room_count)
        return SEENSET_OK;
    return move_room(set, set->room_count * 2);
}

static int leave_own(seenset *set)
{
    bool is_own = set->generations == set->own;
    return is_own ? move_room(set, set->room_count) : SEENSET_OK;
}

int ss_set_swap(seenset *a, seenset *b)
{
    if (leave_own(a) != SEENSET_OK || leave_own(b) != SEENSET_OK)
        return SEENSET_ENOMEM;
    uint32_t a_count = a->own_count, b_count = b->own_count;
    uint64_t a_items = a->expected_items, b_items = b->expected_items;
    seenset other = *a;
    *a = *b;
    *b = other;
    a->own_count = a_count; /* the blocks stay what they are */
    b->own_count = b_count;
    a->expected_items = a_items; /* and callers were told of theirs */
    b->expected_items = b_items;
    ss_set_update_view(a);
    ss_set_update_view(b);
    return SEENSET_OK;
}

ss_table ss_set_table(const seenset *set, seenset_layout layout,
                      uint64_t size_bits, uint32_t hash_count,
                      uint32_t cell_bits, uint64_t *words)
{
    bool is_hashed = ss_key_hash_is_hash(&set->identity);
    ss_table table =
        ss_table_make(is_hashed ? ss_layout_find(layout, set->is_shared)
                                : ss_layout_find_foreign(layout),
                      size_bits, hash_count, cell_bits, words);
    if (!is_hashed) {
        table.scheme = ss_scheme_find(set->identity.scheme);
        table.scheme_arguments = &set->identity.arguments;
    }
    return table;
}

int ss_set_append_table(seenset *set, const ss_generation *generation)
{
    if (make_room(set) != SEENSET_OK)
        return SEENSET_ENOMEM;
    set->generations[set->generation_count++] = *generation;
    ss_set_choose_kind(set);
    return SEENSET_OK;
}

int ss_set_append(seenset *set, const seenset_plan *plan, uint32_t counter_bits)
{
    uint64_t word_count = ss_table_words_for(plan->size_bits, counter_bits);
    uint64_t *words = ss_memory_alloc(&set->memory, word_count, sizeof *words);
    if (words == NULL)
        return SEENSET_ENOMEM;
    ss_generation added = {
        .table = ss_set_table(set, plan->layout, plan->size_bits,
                              plan->hash_count, counter_bits, words),
        .capacity_items = plan->capacity_items,
        .fp_rate = plan->fp_rate};
    int error = ss_set_append_table(set, &added);
    if (error != SEENSET_OK)
        ss_memory_free(&set->memory, words, word_count, sizeof *words);
    return error;
}

uint64_t ss_set_word_count(const ss_generation *generation)
{
    return ss_table_word_count(&generation->table);
}

/* Are the words those of the mapped file? */
static bool is_mapped(const seenset *set, const uint64_t *words)
{
    uintptr_t start = (uintptr_t)set->mapping, at = (uintptr_t)words;
    return set->mapping != NULL && at >= start &&
           at - start < set->mapping_bytes;
}

void ss_set_free_words(seenset *set, uint32_t i)
{
    ss_generation *generation = &set->generations[i];
    if (generation->table.expand != NULL) {
        ss_expand_free(generation->table.expand);
        return;
    }
    if (is_mapped(set, generation->table.words))
        return;
    ss_memory_free(&set->memory, generation->table.words,
                   ss_set_word_count(generation),
                   sizeof *generation->table.words);
}

void ss_set_drop_newest(seenset *set)
{
    ss_set_free_words(set, set->generation_count - 1);
    set->generation_count--;
    ss_set_choose_kind(set);
}

const seenset_allocator *ss_set_allocator(const seenset *set)
{
    const seenset_allocator *given = &set->memory.allocator;
    return given->allocate != NULL ? given : NULL;
}

int ss_set_copy_expand(const seenset *set, ss_expand **copy,
                       const ss_expand *from)
{
    return ss_expand_copy(copy, from, ss_set_allocator(set));
}

static int append_expanded_copy(seenset *set, const ss_generation *generation)
{
    ss_generation copy = *generation;
    int error =
        ss_set_copy_expand(set, &copy.table.expand, generation->table.expand);
    if (error != SEENSET_OK)
        return error;
    error = ss_set_append_table(set, &copy);
    if (error != SEENSET_OK)
        ss_expand_free(copy.table.expand);
    return error;
}

int ss_set_append_copy(seenset *set, const ss_generation *generation)
{
    const ss_table *table = &generation->table;
    if (table->expand != NULL)
        return append_expanded_copy(set, generation);
    seenset_plan plan = {.layout = table->layout->traits->id,
                         .size_bits = table->size_bits,
                         .hash_count = table->hash_count,
                         .capacity_items = generation->capacity_items,
                         .fp_rate = generation->fp_rate};
    int error = ss_set_append(set, &plan, table->cell_bits);
    if (error != SEENSET_OK)
        return error;
    ss_generation *copy = ss_set_newest(set);
    ss_bits_copy(copy->table.words, table->words, ss_table_word_count(table),
                 table->layout->is_shared);
    copy->table.fuse = table->fuse;
    copy->added_items = ss_set_added_items(generation);
    copy->started_seconds = generation->started_seconds;
    copy->noticed_seconds = generation->noticed_seconds;
    return SEENSET_OK;
}
