/* move.c - see move.h */
#include "set/move.h"

#include "expand/move.h"
#include "set/set.h"

/* Its memory is all its own: it is not a view, nor in a file. */
static bool may_move(const seenset *set)
{
    return set->kind == set->tables && set->mapping == NULL;
}

/* Tables of a scheme know where the arguments are, which are in the handle. */
static void mend_tables(seenset *set)
{
    for (uint32_t i = 0; i < set->generation_count; i++) {
        ss_table *table = &set->generations[i].table;
        if (table->scheme_arguments != NULL)
            table->scheme_arguments = &set->identity.arguments;
    }
}

static seenset *move_handle(seenset *set, ss_memory_move *move, void *context)
{
    bool is_own = set->generations == set->own;
    if (ss_key_hash_is_keyed(&set->identity))
        return set;
    set = move(context, set, ss_set_own_bytes(set->own_count));
    if (is_own)
        set->generations = set->own;
    mend_tables(set);
    return set;
}

static void move_room(seenset *set, ss_memory_move *move, void *context)
{
    ss_scheme_arguments *arguments = &set->identity.arguments;
    if (set->generations != set->own)
        set->generations =
            move(context, set->generations, ss_set_room_bytes(set));
    if (arguments->seed_count > 0)
        arguments->seeds =
            move(context, (void *)(uintptr_t)arguments->seeds,
                 arguments->seed_count * sizeof *arguments->seeds);
}

static void move_table(ss_table *table, ss_memory_move *move, void *context)
{
    if (table->expand != NULL) {
        table->expand = ss_expand_move(table->expand, move, context);
        return;
    }
    size_t size_bytes =
        (size_t)ss_table_word_count(table) * sizeof *table->words;
    table->words = move(context, table->words, size_bytes);
}

void ss_set_move(seenset **handle, ss_memory_move *move, void *context)
{
    if (!may_move(*handle))
        return;
    seenset *set = *handle = move_handle(*handle, move, context);
    move_room(set, move, context);
    for (uint32_t i = 0; i < set->generation_count; i++)
        move_table(&set->generations[i].table, move, context);
    ss_set_choose_kind(set); /* it knows where tables and handle are */
}
