/* layouts.c - the list of layouts */
#include "table/layouts.h"

#include "table/blocked/blocked.h"
#include "table/classic/bloom.h"
#include "table/classic/counting.h"
#include "table/expandable.h"
#include "table/fingerprint/fingerprint.h"
#include "table/classic/foreign_index.h"
#include "table/sealed/table.h"
#include "table/split_block/split_block.h"

/* Where there is one thread only, nobody shares a table. */
#ifdef SS_ONE_THREAD
#define SHARED_BY_THREADS(layout) NULL
#else
#define SHARED_BY_THREADS(layout) (layout)
#endif

typedef struct layout_rows {
    const ss_layout_traits *traits;
    const ss_layout *(*fastest)(void); /* where there is a choice, else NULL */
    const ss_layout *single;
    const ss_layout *shared;  /* NULL: threads cannot share a table */
    const ss_layout *foreign; /* NULL: an index scheme cannot say the cells */
} layout_rows;

/* The default first. */
static const layout_rows rows[] = {
    {.traits = &ss_blocked_traits,
     .fastest = ss_blocked_best,
     .shared = SHARED_BY_THREADS(&ss_blocked_shared)},
    {.traits = &ss_bloom_traits,
     .single = &ss_bloom_single,
     .shared = SHARED_BY_THREADS(&ss_bloom_shared),
     .foreign = &ss_foreign_bloom},
    {.traits = &ss_counting_traits,
     .single = &ss_counting,
     .foreign = &ss_foreign_counting},
    {.traits = &ss_sealed_traits, .fastest = ss_sealed_best},
    {.traits = &ss_split_block_traits,
     .fastest = ss_split_block_best,
     .shared = SHARED_BY_THREADS(&ss_split_block_shared)},
    {.traits = &ss_expandable_traits, .single = &ss_expandable},
    {.traits = &ss_fingerprint_traits, .fastest = ss_fingerprint_best},
};

static const layout_rows *find_rows(seenset_layout id)
{
    if (id == SEENSET_LAYOUT_DEFAULT)
        return &rows[0];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].traits->id == id)
            return &rows[i];
    return NULL;
}

const ss_layout_traits *ss_layout_find_traits(seenset_layout id)
{
    const layout_rows *found = find_rows(id);
    return found == NULL ? NULL : found->traits;
}

const ss_layout *ss_layout_find(seenset_layout id, bool is_shared)
{
    const layout_rows *found = find_rows(id);
    if (found == NULL)
        return NULL;
    if (is_shared)
        return found->shared;
    return found->fastest != NULL ? found->fastest() : found->single;
}

const ss_layout *ss_layout_find_foreign(seenset_layout id)
{
    const layout_rows *found = find_rows(id);
    return found == NULL ? NULL : found->foreign;
}

const char *seenset_layout_name(seenset_layout layout)
{
    const layout_rows *found =
        layout == SEENSET_LAYOUT_DEFAULT ? NULL : find_rows(layout);
    return found == NULL ? "unknown" : found->traits->name;
}
