/*
 * sets.c - the rows that are ours: each layout, and each twin of it that this
 * processor runs.
 *
 * A set takes the fastest twin. Another one is put in its place in the tables
 * of a set that is filled: all twins leave the same bits. What callers inline
 * has no twin, as it is what their compiler makes of it; it is measured beside
 * the fastest.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "expand/kernel/kernels.h"
#include "expand/state.h"
#include "inline_loops.h"
#include "set/set.h"
#include "table/blocked/blocked.h"
#include "table/fingerprint/fingerprint.h"
#include "table/sealed/table.h"
#include "table/split_block/split_block.h"

/* ---- loops ---- */

static void call_add(void *filter, const uint64_t *hashes, size_t count,
                     uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_add_hash(filter, hashes[i]);
}

static void call_has(void *filter, const uint64_t *hashes, size_t count,
                     uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_has_hash(filter, hashes[i]);
}

static void call_remove(void *filter, const uint64_t *hashes, size_t count,
                        uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_remove_hash(filter, hashes[i]);
}

static void call_add_many(void *filter, const uint64_t *hashes, size_t count,
                          uint8_t *answers)
{
    (void)seenset_add_hash_many(filter, hashes, count, answers);
}

static void call_has_many(void *filter, const uint64_t *hashes, size_t count,
                          uint8_t *answers)
{
    (void)seenset_has_hash_many(filter, hashes, count, answers);
}

static const seenset_view *view_of(void *filter)
{
    const seenset_view *view = NULL;
    require(seenset_get_view(filter, &view) == 0, "a set without a view");
    return view;
}

static void inline_has(void *filter, const uint64_t *hashes, size_t count,
                       uint8_t *answers)
{
    inline_loops_native()->has_hash(view_of(filter), hashes, count, answers);
}

static void look(void *filter, const uint64_t *hashes, size_t count,
                 uint8_t *answers)
{
    inline_loops_native()->look_hash(view_of(filter), hashes, count, answers);
}

static void inline_add(void *filter, const uint64_t *hashes, size_t count,
                       uint8_t *answers)
{
    inline_loops_native()->add_hash(view_of(filter), hashes, count, answers);
}

static void run_of_adds(void *filter, const uint64_t *hashes, size_t count,
                        uint8_t *answers)
{
    inline_loops_native()->run_hash(view_of(filter), hashes, count, answers);
}

/* ---- twins ---- */

/* The names that kernels of one level have, and what sets of it are called. */
typedef struct level {
    const char *twin;
    const char *names[2];
} level;

static const level levels[] = {{"avx512", {"avx512", "vbmi"}},
                               {"avx2", {"avx2", "bmi2"}},
                               {"neon", {"neon", NULL}},
                               {"portable", {"portable", NULL}}};
enum {
    LEVELS = sizeof levels / sizeof *levels,
    PORTABLE = LEVELS - 1
};

static bool is_of(const level *of, const char *name)
{
    for (size_t i = 0; i < 2; i++)
        if (of->names[i] != NULL && strcmp(of->names[i], name) == 0)
            return true;
    return false;
}

static const ss_layout *sealed_kernel(const level *of)
{
    const ss_layout *kernel;
    for (size_t i = 0; (kernel = ss_sealed_kernel(i)) != NULL; i++)
        if (is_of(of, kernel->name))
            return kernel;
    return NULL;
}

static const ss_layout *split_block_kernel(const level *of)
{
    const ss_layout *best = ss_split_block_best();
    if (is_of(of, best->name))
        return best;
    return of == &levels[PORTABLE] ? &ss_split_block_portable : NULL;
}

/* The row of a table's layout at a level, or NULL. */
static const ss_layout *kernel_of(const ss_table *table, const level *of)
{
    const ss_layout *found = NULL;
    switch (table->layout->traits->id) {
    case SEENSET_LAYOUT_BLOCKED:
        for (size_t i = 0; i < 2 && found == NULL && of->names[i] != NULL; i++)
            found = ss_blocked_kernel(of->names[i]);
        return found;
    case SEENSET_LAYOUT_FINGERPRINT:
        for (size_t i = 0; i < 2 && found == NULL && of->names[i] != NULL; i++)
            found = ss_fingerprint_kernel(of->names[i]);
        return found;
    case SEENSET_LAYOUT_SPLIT_BLOCK:
        return split_block_kernel(of);
    case SEENSET_LAYOUT_SEALED:
        return sealed_kernel(of);
    default:
        return is_of(of, table->layout->name) ? table->layout : NULL;
    }
}

static const ss_expand_kernel *expand_kernel_of(const level *of)
{
    const ss_expand_kernel *found = NULL;
    for (size_t i = 0; i < 2 && found == NULL && of->names[i] != NULL; i++)
        found = ss_expand_kernel_find(of->names[i]);
    return found;
}

/* Returns false where some table of the set has no such twin. */
static bool force_table(ss_table *table, const level *of)
{
    if (table->expand != NULL) {
        const ss_expand_kernel *kernel = expand_kernel_of(of);
        table->expand->kernel = kernel != NULL ? kernel : table->expand->kernel;
        return kernel != NULL;
    }
    const ss_layout *kernel = kernel_of(table, of);
    table->layout = kernel != NULL ? kernel : table->layout;
    return kernel != NULL;
}

static bool force(seenset *set, const level *of)
{
    bool is_forced = true;
    for (uint32_t i = 0; i < set->generation_count; i++)
        is_forced = force_table(&set->generations[i].table, of) && is_forced;
    ss_set_choose_kind(set);
    return is_forced;
}

/* With the twins of the first. */
static void *copy_set(const void *filter)
{
    const seenset *from = filter;
    seenset *made;
    require(seenset_copy(&made, from) == 0, "no memory for a set");
    for (uint32_t i = 0; i < made->generation_count; i++) {
        ss_table *to = &made->generations[i].table;
        to->layout = from->generations[i].table.layout;
        if (to->expand != NULL)
            to->expand->kernel = from->generations[i].table.expand->kernel;
    }
    ss_set_choose_kind(made);
    return made;
}

static void free_set(void *filter)
{
    seenset_free(filter);
}

static double set_bits(const void *filter)
{
    seenset_stats stats;
    seenset_get_stats(filter, &stats, sizeof stats);
    return (double)stats.memory_bytes * 8;
}

/* ---- layouts ---- */

/* How a set comes to its keys. */
typedef enum origin {
    SIZED, /* made for all of them */
    GROWN, /* made for a few, and grown */
    TOLD   /* made for a few, and told while it was empty */
} origin;

typedef struct kind {
    const char *name;
    seenset_layout layout;
    origin origin;
    bool is_inlined; /* inline.h has it */
} kind;

enum {
    FEW = 1000
};

static const kind kinds[] = {
    {"blocked", SEENSET_LAYOUT_BLOCKED, SIZED, true},
    {"split_block", SEENSET_LAYOUT_SPLIT_BLOCK, SIZED, true},
    {"bloom", SEENSET_LAYOUT_BLOOM, SIZED, false},
    {"counting", SEENSET_LAYOUT_COUNTING, SIZED, false},
    {"fingerprint", SEENSET_LAYOUT_FINGERPRINT, SIZED, false},
    {"sealed", SEENSET_LAYOUT_SEALED, SIZED, false},
    {"grown", SEENSET_LAYOUT_BLOCKED, GROWN, false},
    {"told late", SEENSET_LAYOUT_BLOCKED, TOLD, false}};

static void *build_sealed(uint64_t *hashes, size_t count, double fp_rate)
{
    seenset_options options = {.fp_rate = fp_rate};
    seenset *made;
    require(seenset_build_sealed_hashes(&made, &options, hashes, count, NULL,
                                        NULL) == 0,
            "no memory for a set");
    return made;
}

static seenset *make_empty(const kind *of, const row_keys *keys)
{
    bool is_sized = of->origin == SIZED;
    seenset_options options = {.layout = of->layout,
                               .on_full = is_sized ? SEENSET_ON_FULL_DEGRADE
                                                   : SEENSET_ON_FULL_GROW,
                               .capacity_items = is_sized ? keys->items : FEW,
                               .fp_rate = keys->fp_rate};
    seenset *made;
    require(seenset_new(&made, &options) == 0, "no memory for a set");
    require(of->origin != TOLD || seenset_expect(made, keys->items) == 0,
            "no memory for what is expected");
    return made;
}

/* Of the first `count` keys. */
static seenset *make(const kind *of, const row_keys *keys, size_t count)
{
    if (of->layout == SEENSET_LAYOUT_SEALED) {
        uint64_t *hashes = take(count, sizeof *hashes);
        memcpy(hashes, keys->hashes, count * sizeof *hashes);
        seenset *built = build_sealed(hashes, count, keys->fp_rate);
        free(hashes);
        return built;
    }
    seenset *made = make_empty(of, keys);
    require(seenset_add_hash_many(made, keys->hashes, count, NULL) == 0,
            "cannot fill the set");
    return made;
}

static bench_peer calls_of(const kind *of)
{
    bench_peer calls = {.name = of->name,
                        .copy = copy_set,
                        .discard = free_set,
                        .bits = set_bits,
                        .has = call_has,
                        .has_many = call_has_many};
    if (of->layout == SEENSET_LAYOUT_SEALED) {
        calls.build = build_sealed;
        return calls;
    }
    calls.add = call_add;
    calls.add_many = call_add_many;
    if (of->layout == SEENSET_LAYOUT_COUNTING ||
        of->layout == SEENSET_LAYOUT_FINGERPRINT)
        calls.remove = call_remove;
    return calls;
}

static void set_inlined(contestant *of)
{
    of->loops[ROW_INLINE_HAS] = inline_has;
    of->loops[ROW_LOOKER] = look;
    of->loops[ROW_INLINE_ADD] = inline_add;
    of->loops[ROW_ADDER] = run_of_adds;
}

/* Each level that all tables of the set have. */
static void add_twins(contestants *list, const kind *of, seenset *before,
                      seenset *full)
{
    bool is_first = true;
    bench_peer calls = calls_of(of);
    for (size_t i = 0; i < LEVELS; i++) {
        if (!force(full, &levels[i]) ||
            (before != NULL && !force(before, &levels[i])))
            continue;
        contestant *added = contestant_add(list, &calls, levels[i].twin);
        added->full = copy_set(full);
        added->before = before != NULL ? copy_set(before) : NULL;
        if (!is_first)
            added->peer.build = NULL; /* there is one way to build */
        if (is_first && of->is_inlined)
            set_inlined(added);
        is_first = false;
    }
}

void rows_add_sets(contestants *list, const row_keys *keys)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t all = (size_t)keys->items;
        bool is_sealed = kinds[i].layout == SEENSET_LAYOUT_SEALED;
        seenset *before =
            is_sealed ? NULL : make(&kinds[i], keys, all - keys->asked);
        seenset *full = make(&kinds[i], keys, all);
        add_twins(list, &kinds[i], before, full);
        seenset_free(before);
        seenset_free(full);
    }
}
