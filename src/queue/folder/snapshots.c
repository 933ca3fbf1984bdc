/* snapshots.c - which files are kept, and what of the log they need */
#include "queue/folder/snapshots.h"

#include <errno.h>

#include "base/order.h"

/* Is it gone? */
static bool remove_file(const ss_folder *folder, const char *prefix,
                        uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    int saved_errno = errno;
    ss_folder_name(name, prefix, position);
    bool is_gone = ss_folder_unlink(folder, name) || errno == ENOENT;
    errno = saved_errno;
    return is_gone;
}

void ss_snapshots_remember(ss_snapshot_pair *pair, const ss_folder *folder,
                           const char *prefix, ss_snapshot newest)
{
    if (pair->count > 0 && pair->at[0].position == newest.position) {
        pair->at[0] = newest;
        return;
    }
    if (pair->count == 2 && !remove_file(folder, prefix, pair->at[1].position))
        pair->has_leftover = true;
    pair->at[1] = pair->at[0];
    pair->at[0] = newest;
    pair->count += pair->count < 2;
}

/* What is older than the two goes. */
static void remove_older(ss_snapshot_pair *pair, const ss_folder *folder,
                         const char *prefix, const ss_positions *listed)
{
    pair->has_leftover = false;
    for (size_t i = 0; pair->count == 2 && i < listed->count; i++) {
        if (listed->at[i] < pair->at[1].position &&
            !remove_file(folder, prefix, listed->at[i]))
            pair->has_leftover = true;
    }
}

void ss_snapshots_tidy(ss_snapshots *snapshots, const ss_folder *folder,
                       const ss_memory *memory)
{
    ss_listing listing = {.memory = memory};
    int saved_errno = errno;
    if (!ss_snapshots_has_leftover(snapshots))
        return;
    if (ss_folder_list(folder, &listing) == SEENSET_OK) {
        remove_older(&snapshots->states, folder, SS_FOLDER_STATE,
                     &listing.states);
        remove_older(&snapshots->sets, folder, SS_FOLDER_SET, &listing.sets);
    }
    ss_listing_free(&listing);
    errno = saved_errno;
}

bool ss_snapshots_has_leftover(const ss_snapshots *snapshots)
{
    return snapshots->states.has_leftover || snapshots->sets.has_leftover;
}

uint64_t ss_snapshots_set_position(const ss_snapshots *snapshots)
{
    return snapshots->sets.count > 0 ? snapshots->sets.at[0].position : 0;
}

uint64_t ss_snapshots_needed_from(const ss_snapshots *snapshots)
{
    const ss_snapshot_pair *states = &snapshots->states;
    const ss_snapshot_pair *sets = &snapshots->sets;
    if (states->count < 2 || sets->count < 2)
        return 0;
    if (ss_snapshots_has_leftover(snapshots))
        return 0;
    uint64_t from = ss_lower(sets->at[0].floor, sets->at[1].floor);
    for (int i = 0; i < 2; i++) {
        from = ss_lower(from, states->at[i].floor);
        from = ss_lower(from, states->at[i].position);
    }
    return from;
}
