/*
 * set.h - the inside of the handle, for the layers that stand beside it:
 * set.c (operations), stats.c (what it tells of itself), file.c (on disk).
 *
 * A set is a list of generations, each a table with a promise of its own. A
 * set made today has one; lists are what growth and windows are made of.
 */
#ifndef SS_SET_H
#define SS_SET_H

#include "memory.h"
#include "seenset/seenset.h"
#include "table.h"

typedef struct ss_generation {
    ss_table table;
    uint64_t capacity_items;
    double fp_rate;       /* promised at capacity_items */
    uint64_t added_items; /* adds that were answered "new" */
} ss_generation;

struct seenset {
    ss_memory memory;
    seenset_on_full on_full;
    bool is_view;   /* words are borrowed and must not be written */
    bool is_shared; /* threads may add at once */
    bool is_plain;  /* none of these, one table, and it does not refuse */
    void *mapping;  /* the mapped file, or NULL */
    size_t mapping_bytes;
    uint32_t generation_count;
    ss_generation *generations; /* oldest first, never empty */
};

/* Where keys go: the newest generation. */
static inline ss_generation *ss_set_newest(const seenset *set)
{
    return &set->generations[set->generation_count - 1];
}

/*
 * A set of one generation without a table: the table's words are the caller's
 * to provide (own, from memory, or borrowed, with is_view). 0 or
 * SEENSET_ENOMEM.
 */
int ss_set_make(seenset **out, const ss_memory *memory, seenset_on_full on_full,
                bool is_shared);

/* Gives a generation zeroed words of its own. 0 or SEENSET_ENOMEM. */
int ss_set_take_words(seenset *set, ss_generation *generation,
                      const seenset_plan *plan);

/* Keys added; what other threads may be adding to in a shared set. */
static inline uint64_t ss_set_added_items(const ss_generation *generation)
{
    return __atomic_load_n(&generation->added_items, __ATOMIC_RELAXED);
}

static inline void ss_set_count_added(const seenset *set,
                                      ss_generation *generation, uint64_t news)
{
    if (set->is_shared)
        __atomic_fetch_add(&generation->added_items, news, __ATOMIC_RELAXED);
    else
        generation->added_items += news;
}

/* Is every key there, and the array? */
bool ss_set_are_keys(const seenset_key *keys, size_t key_count);

/* The distinct keys of a table as its bits tell, held between two bounds. */
uint64_t ss_set_estimate_items(const ss_table *table, uint64_t least,
                               uint64_t most);

#endif
