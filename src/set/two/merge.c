/*
 * merge.c - the union of two sets, table by table.
 *
 * Tables that put every key at the same places combine place by place: the OR
 * of two is exactly the table of the union of their keys. Tables that grow in
 * place combine slot by slot (unions.h). Sets that grow, and windows of a time,
 * may have tables of any sizes. There a table goes into one of its shape where
 * that costs less than a place in the list (uniting.h), and joins the list
 * where it does not; a list that would be too long folds.
 *
 * What can fail comes first, and is undone if it does. What is left changes
 * tables, and last the distinct keys of the union are counted (credit.h).
 */
#include <string.h>

#include "set/two/algebra.h"
#include "set/capacity.h"
#include "set/two/credit.h"
#include "set/kinds/kind.h"
#include "set/two/uniting.h"
#include "set/two/unions.h"
#include "set/view/whole.h"
#include "set/window.h"

/* The keys of a union; only the bits can tell which were in both. */
static uint64_t union_items(const ss_table *table, uint64_t a, uint64_t b)
{
    uint64_t sum = a + b; /* each at most 2^53 */
    if (sum > SEENSET_MAX_SIZE_BITS)
        sum = SEENSET_MAX_SIZE_BITS;
    return a == 0 || b == 0 ? sum
                            : ss_set_estimate_items(table, a > b ? a : b, sum);
}

static void unite(ss_generation *into, const ss_generation *from)
{
    uint64_t before = ss_table_count_cells(&into->table);
    ss_table_merge(&into->table, &from->table);
    if (into->added_items > 0 && ss_table_count_cells(&into->table) == before)
        return; /* all of its keys were there */
    into->added_items =
        union_items(&into->table, into->added_items, ss_set_added_items(from));
}

/* The newest generation goes after those that were appended after it, unless
 * one that grows in place came with them: that is the last. */
static void keep_newest(seenset *set, uint32_t place)
{
    if (ss_set_is_expanded(set))
        return;
    ss_generation newest = set->generations[place];
    uint32_t last = set->generation_count - 1;
    memmove(set->generations + place, set->generations + place + 1,
            (last - place) * sizeof newest);
    set->generations[last] = newest;
    ss_set_choose_kind(set);
}

/* What becomes of the tables of `from`. */
typedef struct joining {
    uint32_t own; /* tables that `into` has */
    ss_uniting_plan plan;
    ss_uniting_place places[SS_MAX_TABLES]; /* of those that are taken */
    ss_unions unions;
    ss_credit credit;
} joining;

static bool is_taken(const ss_generation *source)
{
    return source->added_items > 0;
}

static void undo(joining *to, seenset *into)
{
    ss_unions_drop(&to->unions);
    while (into->generation_count > to->own)
        ss_set_drop_newest(into);
}

/* How many tables a merge leaves: one that grows in place can still come, and
 * one for keys that are expected. */
static uint32_t most_tables(const seenset *set)
{
    return ss_set_is_expanded(set) ? SS_MAX_GENERATIONS
                                   : SS_MAX_GENERATIONS - 2;
}

/* Can the list be folded so far? Where a scheme says the places, only tables
 * of one shape can. */
static bool can_be_kept(const seenset *set)
{
    uint32_t most = most_tables(set);
    return set->generation_count <= most ||
           set->generation_count - most <= ss_uniting_foldable(set);
}

/* Finds the targets, and does what needs memory. */
static int ready(joining *to, seenset *into, const seenset *from)
{
    int error = ss_credit_begin(&to->credit, into, from);
    for (uint32_t i = 0; i < from->generation_count; i++)
        if (is_taken(&from->generations[i]))
            to->places[i] = ss_uniting_find(&to->plan, into, to->own, NULL,
                                            &from->generations[i]);
    for (uint32_t i = 0; i < from->generation_count; i++)
        if (error == SEENSET_OK && is_taken(&from->generations[i]))
            error = ss_unions_ready(&to->unions, into, &from->generations[i],
                                    to->places[i].target);
    return error == SEENSET_OK && !can_be_kept(into) ? SEENSET_ETOOBIG : error;
}

/* Puts all into their places. Returns whether that changed any. */
static bool join(joining *to, seenset *into, const seenset *from)
{
    bool is_changed = into->generation_count > to->own;
    for (uint32_t i = 0; i < from->generation_count; i++) {
        const ss_generation *source = &from->generations[i];
        if (is_taken(source) && source->table.expand == NULL &&
            to->places[i].target != SS_UNITING_NOWHERE)
            is_changed |=
                ss_uniting_add(&to->plan, &to->places[i], into, source);
    }
    is_changed |= ss_unions_take(&to->unions, into);
    if (into->generation_count > to->own)
        keep_newest(into, to->own - 1);
    return is_changed;
}

static int merge_grown(seenset *into, const seenset *from)
{
    joining to = {.own = into->generation_count};
    if (!ss_table_is_same_layout(&into->generations[0].table,
                                 &from->generations[0].table))
        return SEENSET_EMISMATCH;
    int error = ready(&to, into, from);
    if (error != SEENSET_OK) {
        undo(&to, into);
        return error;
    }
    if (!join(&to, into, from))
        return SEENSET_OK;
    (void)ss_uniting_fold(into, most_tables(into));
    ss_credit_end(&to.credit, into);
    return SEENSET_OK;
}

/* A set that threads add to must not change while it is taken in: so it is
 * copied first. */
static int merge_grown_shared(seenset *into, const seenset *from)
{
    seenset *still = NULL;
    int error = seenset_copy(&still, from);
    if (error != SEENSET_OK)
        return error;
    error = merge_grown(into, still);
    seenset_free(still);
    return error;
}

/* The generations from `own` on were appended youngest first, and are older
 * than the others. */
static void oldest_first(seenset *set, uint32_t own)
{
    ss_generation sorted[SS_MAX_TABLES];
    uint32_t count = set->generation_count;
    for (uint32_t i = own; i < count; i++)
        sorted[count - 1 - i] = set->generations[i];
    for (uint32_t i = 0; i < own; i++)
        sorted[count - own + i] = set->generations[i];
    memcpy(set->generations, sorted, count * sizeof *sorted);
}

/* Windows by number: newest into newest, the one before into the one before.
 */
static int merge_numbered(seenset *into, const seenset *from)
{
    if (!ss_table_is_alike(&into->generations[0].table,
                           &from->generations[0].table))
        return SEENSET_EMISMATCH;
    uint32_t own = into->generation_count;
    uint32_t count = from->generation_count;
    for (uint32_t i = own; i < count; i++) {
        if (ss_set_append_copy(into, &from->generations[count - 1 - i]) !=
            SEENSET_OK) {
            while (into->generation_count > own)
                ss_set_drop_newest(into);
            return SEENSET_ENOMEM;
        }
    }
    for (uint32_t i = 0; i < own && i < count; i++) {
        ss_generation *target = &into->generations[own - 1 - i];
        unite(target, &from->generations[count - 1 - i]);
    }
    oldest_first(into, own);
    return SEENSET_OK;
}

/* By age, tables are of different sizes: it is the layout that must agree. */
static int merge_windows(seenset *into, const seenset *from)
{
    if (from->on_full != SEENSET_ON_FULL_ROTATE ||
        into->window_generations != from->window_generations ||
        into->window_seconds != from->window_seconds)
        return SEENSET_EMISMATCH;
    if (!ss_window_is_by_age(into))
        return merge_numbered(into, from);
    return ss_table_is_same_layout(&into->generations[0].table,
                                   &from->generations[0].table)
               ? ss_window_merge(into, from)
               : SEENSET_EMISMATCH;
}

/* From a set whose tables are sound and have all of its keys. */
static int merge_sound(seenset *into, const seenset *from)
{
    if (into->on_full == SEENSET_ON_FULL_GROW)
        return from->is_shared ? merge_grown_shared(into, from)
                               : merge_grown(into, from);
    if (into->on_full == SEENSET_ON_FULL_ROTATE)
        return merge_windows(into, from);
    if (from->generation_count > 1 ||
        !ss_table_can_take(&into->generations[0].table,
                           &from->generations[0].table))
        return SEENSET_EMISMATCH;
    unite(into->generations, from->generations);
    ss_capacity_tell(into);
    return SEENSET_OK;
}

int seenset_merge(seenset *into, const seenset *from)
{
    if (into == NULL || from == NULL)
        return SEENSET_EINVAL;
    if (into->kind->rewrite_error != SEENSET_OK)
        return into->kind->rewrite_error;
    if (!into->generations[0].table.layout->traits->can_merge ||
        !from->generations[0].table.layout->traits->can_merge)
        return SEENSET_EUNSUPPORTED;
    if (into == from)
        return SEENSET_OK;
    if (!ss_key_hash_is_same(&into->identity, &from->identity))
        return SEENSET_EMISMATCH;
    ss_whole whole;
    int error = ss_whole_begin(&whole, from);
    if (error != SEENSET_OK)
        return error;
    error = merge_sound(into, whole.set);
    ss_whole_end(&whole);
    return error;
}
