/*
 * again.c - the items of a polite queue that were handed out and wait again.
 *
 * Each has an entry in its lane's leases. Those of a host and lane are a chain
 * through these entries, in the order in which their leases or delays ended:
 *
 *     chain      first_again 12 ............ last_again 55
 *     entries    [12 |next 40] [40 |next 55] [55 |END]
 *
 * They go before all that were never handed out.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/polite.h"

static ss_chain *chain_of(const seenset_queue *queue,
                          const ss_leased_item *entry)
{
    return ss_frontier_chain(queue->frontier, entry->host, entry->lane);
}

/* Where the number is kept of the item that comes after `before`: END is
 * before the first. */
static uint64_t *next_of(const seenset_queue *queue, const ss_leased_item *like,
                         uint64_t before)
{
    if (before == SS_LINK_END)
        return &chain_of(queue, like)->first_again;
    return &ss_leases_by_item(&queue->items.lanes[like->lane].leases, before)
                ->ack_end;
}

void ss_again_add(seenset_queue *queue, ss_leased_item *entry, bool is_held)
{
    ss_chain *chain = chain_of(queue, entry);
    *next_of(queue, entry, chain->last_again) = entry->item;
    chain->last_again = entry->item;
    ss_items_set(&queue->items, entry, is_held ? SS_LEASE_ENDED : SS_LEASE_DUE,
                 UINT64_MAX);
    entry->ack_end = SS_LINK_END;
    ss_frontier_place(queue->frontier, entry->host);
}

/* Takes an item out, which comes after `before`. */
static void take(seenset_queue *queue, const ss_leased_item *entry,
                 uint64_t before)
{
    ss_chain *chain = chain_of(queue, entry);
    *next_of(queue, entry, before) = entry->ack_end;
    if (chain->last_again == entry->item)
        chain->last_again = before;
    ss_frontier_place(queue->frontier, entry->host);
}

void ss_again_take(seenset_queue *queue, ss_leased_item *entry)
{
    take(queue, entry, SS_LINK_END);
}

void ss_again_remove(seenset_queue *queue, ss_leased_item *entry)
{
    uint64_t before = SS_LINK_END, at;
    while ((at = *next_of(queue, entry, before)) != entry->item)
        before = at;
    take(queue, entry, before);
}
