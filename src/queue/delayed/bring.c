/* bring.c - items of runs that are due */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/away.h"
#include "queue/delayed/delayed.h"

static uint64_t due_of(const ss_delay *delay)
{
    return delay->due_ns < 0 ? 0 : (uint64_t)delay->due_ns;
}

/* Is an item in leases due before it? */
static bool is_another_first(const ss_lane *lane, const ss_delay *delay,
                             uint64_t now_ns)
{
    uint64_t due_ns = due_of(delay);
    const ss_leased_item *first = ss_leases_due(&lane->leases, now_ns);
    return first != NULL &&
           (first->due_ns < due_ns ||
            (first->due_ns == due_ns && first->item < delay->item));
}

/* Gives an item of a run an entry. */
static int add_entry(seenset_queue *queue, unsigned lane, const ss_delay *first,
                     ss_leased_item **entry)
{
    if (queue->frontier != NULL)
        return ss_away_bring(queue, lane, first->item, entry);
    *entry = ss_items_add(&queue->items, &queue->memory, lane, first->item,
                          first->position);
    return *entry == NULL ? SEENSET_ENOMEM : SEENSET_OK;
}

int ss_delayed_bring(seenset_queue *queue, ss_lane *lane, uint64_t now_ns)
{
    ss_delay first;
    size_t run;
    ss_leased_item *entry;
    ss_items *items = &queue->items;
    if (lane->delays.count == 0)
        return SEENSET_OK;
    int result =
        ss_delays_first(&lane->delays, &items->run_files, &first, &run);
    if (result != 1 || due_of(&first) > now_ns ||
        is_another_first(lane, &first, now_ns))
        return result < 0 ? result : SEENSET_OK;
    result = add_entry(queue, (unsigned)(lane - items->lanes), &first, &entry);
    if (result != SEENSET_OK)
        return result;
    entry->deliveries = first.deliveries;
    entry->turn = first.turn % SS_TURNS;
    ss_items_set(items, entry, SS_LEASE_WAITING, due_of(&first));
    ss_delays_take(&lane->delays, &items->run_files, run);
    return SEENSET_OK;
}
