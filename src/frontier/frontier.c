/* frontier.c - see frontier.h; the hosts are in hosts.c */
#include "frontier/frontier.h"

enum {
    AT_LANE = 32, /* in a link with an owner: the host is below */
    AT_BYTES = 36
};

uint64_t ss_frontier_bytes(const ss_frontier *frontier)
{
    return sizeof *frontier + ss_turns_bytes(&frontier->turns) +
           ss_pending_bytes(&frontier->pending) +
           ss_links_bytes(&frontier->links) +
           frontier->live.room * sizeof *frontier->live.at +
           frontier->load_bytes;
}

/* ---- chains ---- */

unsigned ss_frontier_lane_of(const ss_link *link)
{
    return (unsigned)(link->next >> AT_LANE) & 15;
}

uint32_t ss_frontier_host_of(const ss_link *link)
{
    return (uint32_t)link->next;
}

ss_span ss_frontier_span_of(const ss_link *link)
{
    uint64_t bytes = (link->next & ~(SS_LINK_OWNED | SS_LINK_OUT)) >> AT_BYTES;
    return (ss_span){link->at, (uint32_t)bytes};
}

static ss_link link_of(uint32_t number, unsigned lane, ss_span record)
{
    uint64_t owner = SS_LINK_OWNED | (uint64_t)record.bytes << AT_BYTES |
                     (uint64_t)lane << AT_LANE | number;
    return (ss_link){record.at, owner};
}

/* The chain of a lane, or NULL. */
static ss_chain *find_chain(ss_host_load *load, unsigned lane)
{
    for (ss_chain *chain = &load->chain; chain != NULL; chain = chain->next) {
        if (chain->is_used && chain->lane == lane)
            return chain;
    }
    return NULL;
}

static void init_chain(ss_chain *chain, unsigned lane)
{
    *chain = (ss_chain){.first = SS_LINK_END,
                        .last = SS_LINK_END,
                        .first_again = SS_LINK_END,
                        .last_again = SS_LINK_END,
                        .next = chain->next,
                        .lane = lane,
                        .is_used = true};
}

static bool add_chain(ss_frontier *frontier, ss_host_load *load, unsigned lane)
{
    ss_chain *chain = &load->chain;
    if (chain->is_used) {
        chain = ss_memory_alloc_record(&frontier->memory, sizeof *chain);
        if (chain == NULL)
            return false;
        chain->next = load->chain.next;
        load->chain.next = chain;
        frontier->load_bytes += sizeof *chain;
    }
    init_chain(chain, lane);
    return true;
}

ss_chain *ss_frontier_chain(const ss_frontier *frontier, uint32_t number,
                            unsigned lane)
{
    return find_chain(ss_frontier_load(frontier, number), lane);
}

static bool has_items(const ss_chain *chain)
{
    return chain->is_used &&
           (chain->first != SS_LINK_END || chain->first_again != SS_LINK_END);
}

ss_chain *ss_frontier_best(const ss_frontier *frontier, uint32_t number)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    ss_chain *best = NULL;
    for (ss_chain *chain = &load->chain; chain != NULL; chain = chain->next) {
        if (has_items(chain) && (best == NULL || chain->lane > best->lane))
            best = chain;
    }
    return best;
}

void ss_frontier_place(ss_frontier *frontier, uint32_t number)
{
    const ss_chain *best = ss_frontier_best(frontier, number);
    if (best != NULL)
        ss_turns_set_rank(&frontier->turns, number, best->lane);
    ss_turns_set_items(&frontier->turns, number, best != NULL);
}

/* ---- items ---- */

int ss_frontier_reserve(ss_frontier *frontier, uint32_t number, unsigned lane,
                        uint64_t item)
{
    const ss_memory *memory = &frontier->memory;
    ss_host_load *load = ss_frontier_load(frontier, number);
    if (!ss_pending_reserve(&frontier->pending, memory, item) ||
        (find_chain(load, lane) == NULL && !add_chain(frontier, load, lane)))
        return SEENSET_ENOMEM;
    frontier->reserved = number;
    return ss_links_reserve(&frontier->links, memory, item);
}

void ss_frontier_push(ss_frontier *frontier, unsigned lane, uint64_t item,
                      ss_span record, bool is_taken)
{
    uint32_t number = frontier->reserved;
    ss_host_load *load = ss_frontier_load(frontier, number);
    ss_links_add(&frontier->links, item, link_of(number, lane, record));
    ss_pending_add(&frontier->pending, item);
    ss_live_add(&frontier->live, record.at, record.bytes);
    load->items++;
    load->taken +=
        is_taken && ss_frontier_budget(frontier, number) != SS_FRONTIER_ANY;
    ss_frontier_keep(frontier, number);
}

/* What is in a chain has the next item where others have their owner. */
int ss_frontier_move(ss_frontier *frontier, uint64_t item, ss_span to)
{
    ss_link link;
    int error = ss_links_read(&frontier->links, item, &link);
    if (error != SEENSET_OK)
        return error;
    link.at = to.at;
    if ((link.next & SS_LINK_OWNED) != 0)
        link =
            link_of(ss_frontier_host_of(&link), ss_frontier_lane_of(&link), to);
    return ss_links_write(&frontier->links, item, link);
}

static void forget_item(ss_frontier *frontier, uint32_t number, uint64_t item,
                        ss_span record)
{
    ss_live_remove(&frontier->live, record.at, record.bytes);
    ss_pending_remove(&frontier->pending, &frontier->memory, item);
    ss_frontier_load(frontier, number)->items--;
    ss_frontier_keep(frontier, number);
}

void ss_frontier_done(ss_frontier *frontier, uint32_t number, uint64_t item,
                      ss_span record)
{
    frontier->live.done += record.bytes;
    forget_item(frontier, number, item, record);
}

static int undo(ss_frontier *frontier, uint64_t item)
{
    ss_link link;
    int error = ss_links_read(&frontier->links, item, &link);
    if (error != SEENSET_OK)
        return error;
    uint32_t number = ss_frontier_host_of(&link);
    ss_host_load *load = ss_frontier_load(frontier, number);
    load->taken -= load->taken > 0;
    ss_links_remove(&frontier->links, &frontier->memory, item);
    forget_item(frontier, number, item, ss_frontier_span_of(&link));
    return SEENSET_OK;
}

int ss_frontier_roll_back(ss_frontier *frontier, uint64_t first, uint64_t end)
{
    const ss_pending *pending = &frontier->pending;
    int error = SEENSET_OK;
    for (uint64_t item = ss_pending_next(pending, first, end);
         item < end && error == SEENSET_OK;
         item = ss_pending_next(pending, item + 1, end))
        error = undo(frontier, item);
    return error;
}

/* Adds an item at the end of its chain. Its own link stays as it is: what it
 * says of the next item is not read before there is one. */
static int append(ss_frontier *frontier, uint64_t item, const ss_link *link)
{
    uint32_t number = ss_frontier_host_of(link);
    ss_chain *chain =
        ss_frontier_chain(frontier, number, ss_frontier_lane_of(link));
    if (chain->last == SS_LINK_END) {
        chain->first = chain->last = item;
        ss_frontier_place(frontier, number);
        return SEENSET_OK;
    }
    int error = ss_links_set_next(&frontier->links, chain->last, item);
    if (error == SEENSET_OK)
        chain->last = item;
    return error;
}

int ss_frontier_link(ss_frontier *frontier, uint64_t end, uint64_t limit)
{
    ss_link link;
    uint64_t *item = &frontier->next_link;
    *item = ss_pending_next(&frontier->pending, *item, end);
    while (*item < end) {
        int error = SEENSET_OK;
        if (ss_links_has_page(&frontier->links, *item)) {
            error = ss_links_read(&frontier->links, *item, &link);
            if (error == SEENSET_OK && link.at >= limit)
                break;
            if (error == SEENSET_OK && (link.next & SS_LINK_OUT) == 0)
                error = append(frontier, *item, &link);
        }
        if (error != SEENSET_OK)
            return error;
        *item = ss_pending_next(&frontier->pending, *item + 1, end);
    }
    return SEENSET_OK;
}

int ss_frontier_set_out(ss_frontier *frontier, uint64_t item)
{
    int error =
        ss_links_set_next(&frontier->links, item, SS_LINK_OWNED | SS_LINK_OUT);
    if (error == SEENSET_OK)
        ss_links_remove(&frontier->links, &frontier->memory, item);
    return error;
}

void ss_frontier_take(ss_frontier *frontier, uint32_t number, ss_chain *chain,
                      const ss_link *link)
{
    uint64_t item = chain->first;
    if (item == chain->last)
        chain->first = chain->last = SS_LINK_END;
    else
        chain->first = link->next;
    ss_links_remove(&frontier->links, &frontier->memory, item);
    ss_frontier_place(frontier, number);
}
