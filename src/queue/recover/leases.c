/* leases.c - see leases.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/leases.h"

#include "base/order.h"
#include "queue/polite.h"

/*
 * When an entry of the state is due by this boot's clock. A lease that is over
 * ended then and not now: in a polite queue its host's delay counts from that.
 * A state of version 1 does not say which boot its times are of; then an entry
 * waits for one lease at most.
 */
static uint64_t due_now(const seenset_queue *queue, const ss_state *state,
                        const ss_moment *now, const ss_state_entry *entry)
{
    if (queue->frontier != NULL &&
        ss_moment_is_same_clock(&state->written, now))
        return entry->due_ns;
    if (state->is_dated)
        return ss_moment_carry(&state->written, now, entry->due_ns);
    return ss_lower(entry->due_ns, now->steady_ns + queue->items.lease_ns);
}

/* Was it acked since? */
static bool is_done(const seenset_queue *queue, const ss_state_entry *entry)
{
    const ss_lane *lane = &queue->items.lanes[entry->lane];
    if (queue->frontier != NULL)
        return !ss_pending_has(&queue->frontier->pending, entry->item);
    return ss_ranges_skip(&lane->done, entry->item) != entry->item;
}

int ss_recover_leases(seenset_queue *queue, const ss_state *state)
{
    ss_items *items = &queue->items;
    const ss_moment now = ss_moment_now(queue->folder.io->clock);
    for (size_t i = 0; i < state->entry_count; i++) {
        const ss_state_entry *from = &state->entries[i];
        if (is_done(queue, from))
            continue;
        if (ss_polite_reserve_lease(queue) != SEENSET_OK)
            return SEENSET_ENOMEM;
        ss_leased_item *entry = ss_items_add(items, &queue->memory, from->lane,
                                             from->item, from->position);
        if (entry == NULL)
            return SEENSET_ENOMEM;
        entry->deliveries = from->deliveries;
        entry->turn = from->turn % SS_TURNS;
        ss_items_set(items, entry,
                     from->is_held ? SS_LEASE_HELD : SS_LEASE_WAITING,
                     due_now(queue, state, &now, from));
    }
    /* the time that is left is counted from now on: it must be written again */
    if (state->entry_count > 0 &&
        !(state->is_dated && ss_moment_is_same_clock(&state->written, &now)))
        queue->snapshots.is_dirty = true;
    return SEENSET_OK;
}
