/*
 * told_time.c - a window by age that is told the time, so that old records can
 * be replayed.
 *
 * The window turns by the time it was told, wherever it would have asked the
 * clock (ss_set_wall_seconds). A set that was just made began at the clock's
 * time, which is in the future for the records of a replay, so a set without
 * keys begins when it is told.
 */
#include "set/age.h"
#include "set/kinds/kind.h"
#include "set/view/remembered.h"

static bool is_without_keys(const seenset *set)
{
    return set->generation_count == 1 && set->generations[0].added_items == 0;
}

/* A mapped set that takes keys is read first, since its file has the time, too.
 * One that is read-only stays as it is. */
static int begin_at(seenset *set, uint64_t seconds)
{
    bool is_read = set->remembered != NULL;
    bool stays = set->kind->is_read_only && !is_read;
    int error = is_read ? ss_remembered_make_whole(set) : SEENSET_OK;
    if (error != SEENSET_OK || stays)
        return error;
    set->generations[0].started_seconds = seconds;
    set->generations[0].noticed_seconds = 0;
    return SEENSET_OK;
}

int seenset_set_time(seenset *set, uint64_t seconds)
{
    if (set == NULL)
        return SEENSET_EINVAL;
    if (!ss_window_is_by_age(set))
        return SEENSET_EUNSUPPORTED;
    uint64_t now = seconds != 0 ? seconds : ss_clock_wall_seconds(set->clock);
    int error = is_without_keys(set) ? begin_at(set, now) : SEENSET_OK;
    if (error == SEENSET_OK)
        set->told_seconds = seconds;
    return error;
}
