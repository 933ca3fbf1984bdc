/* snapshots.c - which files are kept, and what of the log they need */
#include "queue/folder/snapshots.h"

#include "base/order.h"

void ss_snapshots_remember(ss_snapshot_pair *pair, const ss_folder *folder,
                           const char *prefix, ss_snapshot newest)
{
    char name[SS_FOLDER_NAME_BYTES];
    if (pair->count > 0 && pair->at[0].position == newest.position) {
        pair->at[0] = newest;
        return;
    }
    if (pair->count == 2) {
        ss_folder_name(name, prefix, pair->at[1].position);
        ss_folder_remove(folder, name);
    }
    pair->at[1] = pair->at[0];
    pair->at[0] = newest;
    pair->count += pair->count < 2;
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
    uint64_t from = ss_lower(sets->at[0].floor, sets->at[1].floor);
    for (int i = 0; i < 2; i++) {
        from = ss_lower(from, states->at[i].floor);
        from = ss_lower(from, states->at[i].position);
    }
    return from;
}
