/*
 * set.h - the inside of the handle, for this room and those above it.
 *
 *     set.c           makes a set empty, and gives it tables
 *     options.c       what options ask for, and a new set
 *     recent.c        plans that were solved, so that equal sets cost no search
 *     lifetime.c      copied, cleared, freed
 *     build_sealed.c  all keys at once, for a set that never changes
 *     add.c           keys added and asked for, one or many
 *     direct.h        the same of one table, past all else
 *     add_parallel.c  many keys at once, on several threads
 *     promise.c       the rate that the next table of a list may take
 *     expanded.c      going on in a table that grows in place
 *     expected_items.c
 *                     and before that in one for what is still expected
 *     capacity.c      told once that a set has the keys it was planned for
 *     window.c        windows by age; age.c: how old their tables are
 *     told_time.c     windows by age that are told the time
 *     inline_view.c   what callers may do to the table without a call
 *     kinds/          a row for each kind of set (kind.h)
 *     view/           sets in a mapped file: blocks checked when first touched
 *                     (checks.h), keys added to them (remembered.h)
 *     two/            two sets together: merged, intersected, compared
 *     figures/        what a set is, how full, how evenly; its bits
 *
 * A set is a list of generations, each a table with a promise of its own,
 * oldest first. Keys go to the newest. Most sets have one.
 */
#ifndef SS_SET_SET_H
#define SS_SET_SET_H

#include "base/clock.h"
#include "base/memory.h"
#include "hash/key_hash.h"
#include "seenset/extra/raw.h"
#include "seenset/seenset.h"
#include "table/table.h"

/* More would be 2^64 times the first capacity, or a window of crumbs. */
#define SS_MAX_GENERATIONS 64u

/* A window by age has spans of several tables: up to so many in all. */
#define SS_MAX_TABLES 256u

typedef struct ss_generation {
    ss_table table;
    uint64_t capacity_items;
    double fp_rate;           /* promised at capacity_items */
    double rate_bound;        /* what it keeps (promise.h); 0: not known yet */
    uint64_t added_items;     /* adds that were answered "new" */
    uint64_t started_seconds; /* windows by age: since 1970 */
    uint64_t noticed_seconds; /* since when that is known to be in the future,
                                 as far as any add knows; 0: it is not */
    uint64_t first_block;     /* checked views: of the file's */
} ss_generation;

/* Told that a set is at its capacity: seenset_options.at_capacity. */
typedef void ss_capacity_function(void *context, const seenset *set);

struct seenset {
    ss_memory memory;
    /*
     * While the first table holds fewer keys than this, an add goes straight
     * to it (direct.h). 0 for sets of several tables, views, shared and keyed
     * sets, and windows. One less than its capacity while somebody is to be
     * told of it (capacity.h).
     */
    uint64_t fast_path_items;
    /* That of the only table, if it hashes keys itself, its keys do not age,
     * and no block of it is still to be checked: then it is asked without a
     * look at anything else (direct.h). NULL: the row is asked. Atomic. */
    const struct ss_layout *direct;
    const struct ss_layout *direct_hash; /* the same, if it takes hashes */
    const struct ss_set_kind *kind; /* the row of the calls (kinds/kind.h) */
    ss_generation *generations;     /* room for room_count, in use: the first */
    uint32_t generation_count;
    uint32_t room_count;
    const struct ss_set_kind *tables; /* their row: `kind`, unless it is a
                                         view */
    seenset_on_full on_full;
    uint32_t format_version; /* of the file it was opened from; 0: none */
    uint64_t capacity_items; /* of the first generation, or of the window */
    uint64_t
        expected_items; /* in all (expected_items.h), not saved; 0: not said */
    double fp_rate;     /* promised for all of them together */
    uint32_t window_generations;
    bool is_sliding;     /* a key that is seen again is renewed */
    bool is_view;        /* words are borrowed and must not be written; in other
                            sets even those of a mapping may be written */
    bool is_copied_view; /* a copy that stands for a view (file/view.c) */
    bool is_shared;      /* threads may add at once */
    uint64_t window_seconds;
    ss_key_hash identity;  /* how keys become places */
    const ss_clock *clock; /* its wall clock is what windows by age go by, */
    uint64_t told_seconds; /* unless they were told a time (told_time.c) */
    void *mapping;         /* the mapped file, or NULL */
    size_t mapping_bytes;
    struct ss_checks *checks; /* of a checked view (checks.h), or NULL */
    struct ss_remembered *remembered; /* what was added to a mapped set
                                   (remembered.h), or NULL */
    uint64_t journal_items; /* keys that came from a journal, and its length */
    uint64_t journal_bytes;
    uint64_t journal_missing_items; /* at most: it was opened without them */
    seenset_view view; /* for seenset/extra/inline.h (inline_view.c) */
    ss_capacity_function *at_capacity; /* NULL: nobody is to be told, or was.
                                          Atomic */
    void *at_capacity_context;
    uint32_t own_count;  /* the generations that it was made with room for: */
    ss_generation own[]; /* in the block of the set itself, since a small set
                            would take as long to make for a second block.
                            Unused once there are more */
};

/* The bytes of that block. */
static inline size_t ss_set_own_bytes(uint32_t own_count)
{
    return sizeof(seenset) + own_count * sizeof(ss_generation);
}

/* Those of the generations' room apart from it. */
static inline size_t ss_set_room_bytes(const seenset *set)
{
    bool is_own = set->generations == set->own;
    return is_own ? 0 : set->room_count * sizeof(ss_generation);
}

/* Where keys go: the newest generation. */
static inline ss_generation *ss_set_newest(const seenset *set)
{
    return &set->generations[set->generation_count - 1];
}

/* Is it built, so that nothing can be added? */
static inline bool ss_set_is_sealed(const seenset *set)
{
    return set->generations[0].table.layout->traits->is_built_once;
}

/* Is the newest table one that grows in place? */
static inline bool ss_set_is_expanded(const seenset *set)
{
    return ss_set_newest(set)->table.expand != NULL;
}

/* What a set is to be, apart from its tables. */
typedef struct ss_set_params {
    seenset_on_full on_full;
    uint64_t capacity_items;
    double fp_rate;
    uint32_t window_generations;
    uint64_t window_seconds;
    bool is_sliding;
    bool is_shared;
    ss_key_hash identity;
} ss_set_params;

/* As seenset_copy, also of a locked set, for checked arguments. */
int ss_set_copy(seenset **out, const seenset *set);

/* A set without a table, with room for room_count. 0 or SEENSET_ENOMEM. */
int ss_set_make(seenset **out, const ss_memory *memory,
                const ss_set_params *kind, uint32_t room_count);

/*
 * Gives the set one generation more, with zeroed words of its own, for a plan
 * that was solved. The set is unchanged on error. 0 or SEENSET_ENOMEM.
 */
int ss_set_append(seenset *set, const seenset_plan *plan,
                  uint32_t counter_bits);

/* Appends a generation whose table is made. The set is unchanged on error. 0 or
 * SEENSET_ENOMEM. */
int ss_set_append_table(seenset *set, const ss_generation *generation);

/* The set's allocator, or NULL: the library's own. */
const seenset_allocator *ss_set_allocator(const seenset *set);

/* A copy of a table that grows in place, in the set's memory. 0 or
 * SEENSET_ENOMEM. */
int ss_set_copy_expand(const seenset *set, struct ss_expand **copy,
                       const struct ss_expand *from);

/* Each becomes what the other was. Both are unchanged on error. 0 or
 * SEENSET_ENOMEM. */
int ss_set_swap(seenset *a, seenset *b);

/* Gives back the room of the generations, if it is apart from the set. */
void ss_set_free_room(seenset *set);

/* Gives back the memory of generation i, which the caller takes off the list.
 */
void ss_set_free_words(seenset *set, uint32_t i);

/* Takes the newest generation away again, with its words. */
void ss_set_drop_newest(seenset *set);

/* A table of the set's identity over given words. */
ss_table ss_set_table(const seenset *set, seenset_layout layout,
                      uint64_t size_bits, uint32_t hash_count,
                      uint32_t cell_bits, uint64_t *words);

/* The time that windows by age go by, and the same or, for other sets, 0. */
uint64_t ss_set_wall_seconds(const seenset *set);
uint64_t ss_set_now(const seenset *set);

/* What seenset_get_info returns at that time. */
seenset_info ss_set_info(const seenset *set, uint64_t now);

/* What seenset_get_uniformity returns at that time. */
seenset_uniformity ss_set_uniformity(const seenset *set, uint64_t now);

/* How many of `count` cells of a table, from cell `first` on, are not 0. */
uint64_t ss_set_count_cells(const ss_table *table, uint64_t first,
                            uint64_t count, uint32_t cell_bits);

/* Is generation i past its time? Its keys are forgotten then. */
bool ss_set_is_expired(const seenset *set, uint32_t i, uint64_t now);

/* Lets the only table be asked directly, if it hashes keys itself and its keys
 * do not age: others may be asking at once. */
void ss_set_publish_direct(seenset *set);

/* Chooses the set's kind, and what goes past it: direct and fast_path_items. To
 * be called after any change of tables or policy. */
void ss_set_choose_kind(seenset *set);

/* What callers may do to the table without a call: the view of
 * seenset/extra/inline.h, made anew. To be called when tables have moved. */
void ss_set_update_view(seenset *set);

/* Lets the table be asked without a call, if it is asked directly: others may
 * be asking at once. */
void ss_set_publish_view(seenset *set);

/* Appends a copy of a generation of another set. As ss_set_append. */
int ss_set_append_copy(seenset *set, const ss_generation *generation);

uint64_t ss_set_word_count(const ss_generation *generation);

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
