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

static ss_chain *chain_of(const seenset_queue *queue,
                          const ss_leased_item *entry)
{
    return ss_frontier_chain(queue->frontier, entry->host, entry->lane);
}

static ss_leased_item *entry_of(const seenset_queue *queue,
                                const ss_leased_item *like, uint64_t item)
{
    return ss_leases_by_item(&queue->items.lanes[like->lane].leases, item);
}

/* Where the number is kept of the item that comes after `before`: END is
 * before the first. */
static uint64_t *next_of(const seenset_queue *queue, const ss_leased_item *like,
                         uint64_t before)
{
    if (before == SS_LINK_END)
        return &chain_of(queue, like)->first_again;
    return &entry_of(queue, like, before)->ack_end;
}

/* The same of the item that comes before `after`: END is after the last. */
static uint64_t *before_of(const seenset_queue *queue,
                           const ss_leased_item *like, uint64_t after)
{
    if (after == SS_LINK_END)
        return &chain_of(queue, like)->last_again;
    return &entry_of(queue, like, after)->lease_ns;
}

void ss_again_add(seenset_queue *queue, ss_leased_item *entry, bool is_held)
{
    ss_items_set(&queue->items, entry, is_held ? SS_LEASE_ENDED : SS_LEASE_DUE,
                 UINT64_MAX);
    entry->ack_end = SS_LINK_END;
    entry->lease_ns = chain_of(queue, entry)->last_again;
    *next_of(queue, entry, entry->lease_ns) = entry->item;
    *before_of(queue, entry, SS_LINK_END) = entry->item;
    ss_frontier_place(queue->frontier, entry->host);
}

void ss_again_remove(seenset_queue *queue, ss_leased_item *entry)
{
    *next_of(queue, entry, entry->lease_ns) = entry->ack_end;
    *before_of(queue, entry, entry->ack_end) = entry->lease_ns;
    ss_frontier_place(queue->frontier, entry->host);
}
