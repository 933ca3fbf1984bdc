/* reserve.c - memory for adds to come, taken ahead; why is in expand.h */
#include "expand/expand.h"
#include "expand/rebuild.h"

/*
 * A growth is a page, of 64 lines and thus 1,800 slots at W = 14; a parting is
 * two. But segments fill together: their counts differ by 0.7 % (chance, 20,000
 * keys in each), so where most of them are full one add in 400 finds its
 * segment full.
 */
enum {
    ADDS_A_GROWTH = 700,
    ADDS_A_GROWTH_LEAST = 200,
    GROWTHS_BY_CHANCE = 16
};

static bool has_room(const ss_segment_record *record, uint64_t adds)
{
    return record->limit >= record->stored &&
           record->limit - record->stored >= adds;
}

/* A table with fewer units than a segment has at most is one segment, and its
 * pages are of no use to a larger one: it grows ahead. */
static bool grow_first(ss_expand *expand, uint64_t adds)
{
    while (expand->unit_bits < SS_UNIT_BITS &&
           !has_room(&expand->records[0], adds)) {
        uint32_t unit_bits = expand->unit_bits;
        ss_entry before = *ss_directory_find(&expand->directory, 0);
        if (!ss_rebuild_widen(expand, 0))
            return false;
        const ss_entry *now = ss_directory_find(&expand->directory, 0);
        if (expand->unit_bits == unit_bits &&
            ss_entry_pages(now) == ss_entry_pages(&before) &&
            ss_entry_width(now) == ss_entry_width(&before))
            return true; /* nothing was done, and nothing would be */
    }
    return true;
}

static bool take_ahead(ss_expand *expand, uint64_t adds)
{
    uint64_t growths = adds / ADDS_A_GROWTH + expand->record_count;
    uint64_t by_chance = adds / ADDS_A_GROWTH_LEAST + GROWTHS_BY_CHANCE;
    growths = growths < by_chance ? growths : by_chance;
    growths = growths < adds ? growths : adds;
    return growths < UINT32_MAX / 2 - expand->record_count &&
           ss_rebuild_widen_records(expand, (uint32_t)growths) &&
           ss_pool_ensure(&expand->pool, 2 * growths + SS_SPARE_PAGES);
}

int ss_expand_reserve(ss_expand *expand, uint64_t adds)
{
    if (!grow_first(expand, adds) ||
        (expand->unit_bits == SS_UNIT_BITS && !take_ahead(expand, adds)))
        return SEENSET_ENOMEM;
    uint64_t promised = expand->stored + adds;
    if (promised < adds)
        promised = UINT64_MAX;
    if (promised > expand->promised)
        expand->promised = promised;
    return SEENSET_OK;
}
