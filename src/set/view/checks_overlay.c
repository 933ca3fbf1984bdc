/* checks_overlay.c - views with hashes beside a table that grows in place; see
 * overlay.h */
#include "set/view/checks.h"

#include "expand/expand.h"
#include "set/view/checks_parts.h"

static const ss_overlay *beside_of(const seenset *set)
{
    return ss_checks_of(set)->beside;
}

int ss_checks_put_beside(seenset *set, const uint8_t *hashes, uint64_t count,
                         uint64_t later)
{
    ss_checks *checks = set->checks;
    uint64_t news;
    if (checks->beside == NULL)
        checks->beside = ss_overlay_new(&set->memory);
    if (checks->beside == NULL ||
        !ss_overlay_put(checks->beside, hashes, count, later, &news))
        return SEENSET_ENOMEM;
    ss_set_newest(set)->added_items += news;
    return SEENSET_OK;
}

/* Is the time of the newest table not over? */
static bool is_live(const seenset *set)
{
    return !ss_set_is_expired(set, set->generation_count - 1, ss_set_now(set));
}

bool ss_checks_is_beside(const seenset *set, uint64_t hash)
{
    const ss_overlay *beside = beside_of(set);
    return beside != NULL && ss_overlay_has(beside, hash) && is_live(set);
}

void ss_checks_mark_beside(const seenset *set, const uint64_t *hashes,
                           size_t count, uint8_t *is_seen)
{
    const ss_overlay *beside = beside_of(set);
    if (beside == NULL || !is_live(set))
        return;
    for (size_t i = 0; i < count; i++)
        if (ss_overlay_has(beside, hashes[i]))
            is_seen[i] = 1;
}

uint64_t ss_checks_beside_count(const seenset *set)
{
    const ss_overlay *beside = beside_of(set);
    return beside != NULL ? beside->distinct : 0;
}

int ss_checks_give_beside(const seenset *set, ss_generation *copy)
{
    const ss_overlay *beside = beside_of(set);
    uint64_t news = 0;
    if (beside == NULL)
        return SEENSET_OK;
    for (size_t i = 0; i < beside->count; i++) {
        int answer = ss_expand_add(copy->table.expand, beside->hashes[i]);
        if (answer < 0)
            return SEENSET_ENOMEM;
        news += (uint64_t)answer;
    }
    copy->added_items = copy->added_items - beside->distinct + news;
    return SEENSET_OK;
}
