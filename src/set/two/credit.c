/* credit.c - see credit.h */
#include "set/two/credit.h"

#include <math.h>

#include "set/two/groups.h"
#include "set/kinds/kind.h"
#include "set/two/overlap.h"
#include "set/window.h"

/* ---- before ---- */

/* What is found out of the tables of two sets. */
typedef struct shapes {
    const ss_table *first;  /* of those of bits */
    bool is_one;            /* all of them have its shape */
    double load;            /* -ln of the bits that are 0, at most */
    uint32_t growing_count; /* tables that grow in place, of one set */
} shapes;

static void look_at(shapes *found, const seenset *set)
{
    uint32_t growing_count = 0;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_table *table = &set->generations[i].table;
        if (table->expand != NULL) {
            growing_count++;
            continue;
        }
        if (found->first == NULL)
            found->first = table;
        found->is_one &= ss_table_is_alike(found->first, table);
        found->load += ss_groups_load(table);
    }
    if (growing_count > found->growing_count)
        found->growing_count = growing_count;
}

static bool can_count_directly(const seenset *into, const seenset *from)
{
    shapes found = {.is_one = true};
    if (into->on_full != SEENSET_ON_FULL_GROW ||
        from->on_full != SEENSET_ON_FULL_GROW)
        return false;
    look_at(&found, into);
    look_at(&found, from);
    return found.is_one && found.growing_count <= 1 &&
           found.load < SS_GROUPS_MOST_LOAD;
}

/* Does an overlap stand out from its own error? One that does not is none: what
 * chance shows is never below 0, so that it would add up from merge to merge.
 */
static bool is_shown(ss_overlap_estimate common)
{
    return isfinite(common.items) && common.items > 3.0 * sqrt(common.variance);
}

/* Where tables of one kind show keys of both, the others have theirs as well,
 * however little these show. */
static bool is_any_shown(const ss_overlap_found *common)
{
    return isfinite(common->all.items) &&
           (is_shown(common->alike) || is_shown(common->all));
}

int ss_credit_begin(ss_credit *credit, const seenset *into, const seenset *from)
{
    *credit = (ss_credit){.now = ss_set_now(into)};
    credit->into_items = ss_groups_keys(into, credit->now).items;
    credit->from_items = ss_groups_keys(from, credit->now).items;
    credit->is_needed =
        credit->into_items > 0 && isfinite(credit->into_items) &&
        credit->from_items > 0 && isfinite(credit->from_items) &&
        !into->tables->repeats_keys && !from->tables->repeats_keys;
    if (!credit->is_needed)
        return SEENSET_OK;
    ss_overlap_found common = {0};
    bool is_any_merged = false;
    int error =
        ss_overlap_common(into, from, credit->now, &common, &is_any_merged);
    credit->common_items = is_any_shown(&common) ? common.all.items : 0.0;
    /* where keys are in several tables, those of two sets cannot be compared
     * one by one */
    credit->is_direct = is_any_merged && can_count_directly(into, from);
    return error;
}

/* ---- after ---- */

/* Do the bits show more than was known before they were looked at? */
static bool is_sharp(ss_overlap_estimate both, double most)
{
    return both.variance < most * most / 60.0; /* before: most^2 / 12 */
}

/* Keys of a list in which at most one table grows in place. NaN: there is no
 * memory, or the bits show too little. */
static double count_directly(const seenset *set, uint64_t now)
{
    ss_groups groups;
    double keys = 0.0, fewest = INFINITY;
    ss_overlap_estimate both = {0};
    if (ss_groups_make(&groups, set, now) != SEENSET_OK)
        return NAN;
    for (uint32_t i = 0; i < groups.count; i++) {
        double shown = ss_groups_keys_shown(&groups, i).items;
        fewest = fmin(fewest, shown);
        keys += shown;
    }
    if (groups.count == 2)
        both = ss_overlap_of_tables(&groups.tables[0], &groups.tables[1],
                                    SS_OVERLAP_NO_GUESS);
    bool is_known = groups.count < 2 || is_sharp(both, fewest);
    ss_groups_end(&groups);
    return is_known ? keys - both.items : NAN;
}

/* The keys of a union are no fewer than those of either set, and no more than
 * those of both. */
static double count_union(const ss_credit *credit, const seenset *into)
{
    double most = credit->into_items + credit->from_items;
    double keys = NAN;
    if (credit->is_direct)
        keys = count_directly(into, credit->now);
    if (!isfinite(keys))
        keys = most - credit->common_items;
    return fmin(fmax(keys, fmax(credit->into_items, credit->from_items)), most);
}

static bool is_creditable(const seenset *set, uint32_t i, uint64_t now)
{
    return ss_groups_is_credited(set, i) && !ss_set_is_expired(set, i, now) &&
           set->generations[i].added_items > 0;
}

void ss_credit_end(const ss_credit *credit, seenset *into)
{
    if (!credit->is_needed)
        return;
    double wanted = count_union(credit, into), all = 0.0, creditable = 0.0;
    for (uint32_t i = 0; i < into->generation_count; i++) {
        double keys = ss_groups_keys_of(into, i).items;
        if (!ss_set_is_expired(into, i, credit->now))
            all += keys;
        if (is_creditable(into, i, credit->now))
            creditable += keys;
    }
    if (!(all > wanted && creditable > 0.0))
        return;
    double part = fmax(1.0 - (all - wanted) / creditable, 0.0);
    for (uint32_t i = 0; i < into->generation_count; i++) {
        ss_generation *own = &into->generations[i];
        if (!is_creditable(into, i, credit->now))
            continue;
        double items = (double)own->added_items * part;
        own->added_items = items < 1.0 ? 1 : (uint64_t)llround(items);
    }
}
