/*
 * again.c - the items of a polite queue that were handed out and wait again.
 *
 * Each has an entry in its lane's leases. Those of a host and lane are a chain
 * through these entries, in the order in which their leases or delays ended:
 *
 *     chain      first_again 12 ................. last_again 55
 *     entries    [END| 12 |40] [12| 40 |55] [40| 55 |END]
 *
 * They go before all that were never handed out. The worker of any of them may
 * still come back, so an entry has both its neighbours: it leaves the chain at
 * the same cost from any place of it.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/polite.h"

static ss_leased_item *entry_of(const seenset_queue *queue,
                                const ss_leased_item *like, uint64_t item)
{
    return ss_leases_by_item(&queue->items.lanes[like->lane].leases, item);
}

/* In the chain of `like`, `next` comes after `before`: END is before the first
 * and after the last. */
static void join(const seenset_queue *queue, const ss_leased_item *like,
                 ss_ends *ends, uint64_t before, uint64_t next)
{
    if (before == SS_LINK_END)
        ends->first = next;
    else
        entry_of(queue, like, before)->ack_end = next;
    if (next == SS_LINK_END)
        ends->last = before;
    else
        entry_of(queue, like, next)->lease_ns = before;
}

void ss_again_add(seenset_queue *queue, ss_leased_item *entry, bool is_held)
{
    ss_frontier *frontier = queue->frontier;
    ss_ends ends = ss_frontier_again(frontier, entry->host, entry->lane);
    ss_items_set(&queue->items, entry, is_held ? SS_LEASE_ENDED : SS_LEASE_DUE,
                 UINT64_MAX);
    join(queue, entry, &ends, ends.last, entry->item);
    join(queue, entry, &ends, entry->item, SS_LINK_END);
    ss_frontier_set_again(frontier, entry->host, entry->lane, ends);
}

void ss_again_remove(seenset_queue *queue, ss_leased_item *entry)
{
    ss_frontier *frontier = queue->frontier;
    ss_ends ends = ss_frontier_again(frontier, entry->host, entry->lane);
    join(queue, entry, &ends, entry->lease_ns, entry->ack_end);
    ss_frontier_set_again(frontier, entry->host, entry->lane, ends);
}
