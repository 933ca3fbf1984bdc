/*
 * away.c - delayed items of a polite queue, to files and back.
 *
 * Its log may move an item while that is in a file, its segments count what is
 * needed of them, and its hosts how many items they have. So an item that goes
 * to a file gets a link in the frontier, as one that waits has. The link has
 * the host, and where the record is; the file has when the item is due, and how
 * often it was handed out.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/away.h"

#include "queue/polite.h"

static int put_item(seenset_queue *queue, const ss_lane *lane,
                    const ss_leased_item *item)
{
    const ss_span record = {item->position,
                            ss_leases_bytes(&lane->leases, item)};
    return ss_frontier_put_away(queue->frontier, item->host, item->lane,
                                item->item, record);
}

int ss_away_put(seenset_queue *queue, const ss_lane *lane,
                const ss_in_order *list)
{
    int error = SEENSET_OK;
    size_t i = 0;
    if (queue->frontier == NULL)
        return SEENSET_OK;
    for (; i < list->count && error == SEENSET_OK; i++)
        error = put_item(queue, lane, list->at[i]);
    if (error == SEENSET_OK)
        return error;
    for (i--; i > 0; i--) /* the last one was not put there */
        ss_frontier_bring(queue->frontier, list->at[i - 1]->item);
    return error;
}

/* A link that is of this item, in a file. No sound file has another item. */
static int read_link(const seenset_queue *queue, uint64_t item, ss_link *link)
{
    ss_frontier *frontier = queue->frontier;
    if (!ss_pending_has(&frontier->pending, item) ||
        !ss_links_has_page(&frontier->links, item) ||
        ss_polite_leased(queue, item) != NULL)
        return SEENSET_EDAMAGED;
    int error = ss_links_read(&frontier->links, item, link);
    if (error != SEENSET_OK)
        return error;
    return ss_frontier_is_away(link) ? SEENSET_OK : SEENSET_EDAMAGED;
}

int ss_away_bring(seenset_queue *queue, unsigned lane, uint64_t item,
                  ss_leased_item **out)
{
    ss_link link;
    ss_items *items = &queue->items;
    int error = read_link(queue, item, &link);
    if (error == SEENSET_OK)
        error = ss_polite_reserve_lease(queue);
    if (error != SEENSET_OK)
        return error;
    const ss_span record = ss_frontier_span_of(&link);
    ss_leased_item *entry =
        ss_items_add(items, &queue->memory, lane, item, record.at);
    if (entry == NULL)
        return SEENSET_ENOMEM;
    entry->host = ss_frontier_host_of(&link);
    ss_leases_set_bytes(&items->lanes[lane].leases, entry, record.bytes);
    ss_frontier_bring(queue->frontier, item);
    *out = entry;
    return SEENSET_OK;
}

int ss_away_was_out(const seenset_queue *queue, unsigned lane, uint64_t item)
{
    ss_link link;
    if (ss_leases_by_item(&queue->items.lanes[lane].leases, item) != NULL)
        return 1;
    int error = read_link(queue, item, &link);
    if (error == SEENSET_EDAMAGED)
        return 0;
    return error == SEENSET_OK ? 1 : error;
}

int ss_away_host(const seenset_queue *queue, uint64_t item, uint32_t *host)
{
    ss_link link;
    int error = read_link(queue, item, &link);
    if (error == SEENSET_OK)
        *host = ss_frontier_host_of(&link);
    return error;
}
