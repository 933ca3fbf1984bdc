/* frontier.c - see frontier.h; the hosts are in hosts.c */
#include "frontier/frontier.h"

enum {
    AT_LANE = 32 /* in a link with an owner: the host is below */
};

uint64_t ss_frontier_bytes(const ss_frontier *frontier)
{
    return sizeof *frontier + ss_turns_bytes(&frontier->turns) +
           ss_links_bytes(&frontier->links) + frontier->load_bytes;
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

static uint64_t owner_of(uint32_t number, unsigned lane)
{
    return SS_LINK_OWNED | (uint64_t)lane << AT_LANE | number;
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

ss_chain *ss_frontier_chain(const ss_frontier *frontier, uint32_t number)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    ss_chain *best = NULL;
    for (ss_chain *chain = &load->chain; chain != NULL; chain = chain->next) {
        if (chain->is_used && chain->first != SS_LINK_END &&
            (best == NULL || chain->lane > best->lane))
            best = chain;
    }
    return best;
}

/* After its chains changed: does it have items, and of what priority? */
static void place(ss_frontier *frontier, uint32_t number)
{
    const ss_chain *best = ss_frontier_chain(frontier, number);
    if (best != NULL)
        ss_turns_set_rank(&frontier->turns, number, best->lane);
    ss_turns_set_items(&frontier->turns, number, best != NULL);
}

/* ---- items ---- */

int ss_frontier_reserve(ss_frontier *frontier, uint32_t number, unsigned lane,
                        uint64_t item)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    if (!ss_links_reserve(&frontier->links, &frontier->memory, item) ||
        (find_chain(load, lane) == NULL && !add_chain(frontier, load, lane)))
        return SEENSET_ENOMEM;
    frontier->reserved = number;
    return SEENSET_OK;
}

void ss_frontier_push(ss_frontier *frontier, unsigned lane, uint64_t item,
                      uint64_t at, bool is_taken)
{
    uint32_t number = frontier->reserved;
    ss_host_load *load = ss_frontier_load(frontier, number);
    ss_links_add(&frontier->links, item, (ss_link){at, owner_of(number, lane)});
    load->items++;
    load->taken +=
        is_taken && ss_frontier_budget(frontier, number) != SS_FRONTIER_ANY;
    ss_frontier_keep(frontier, number);
}

void ss_frontier_roll_back(ss_frontier *frontier, uint64_t first, uint64_t end)
{
    ss_links *links = &frontier->links;
    for (uint64_t item = ss_links_next(links, first, end); item < end;
         item = ss_links_next(links, item + 1, end)) {
        uint32_t number = ss_frontier_host_of(ss_links_find(links, item));
        ss_host_load *load = ss_frontier_load(frontier, number);
        load->taken -= load->taken > 0;
        ss_frontier_done(frontier, item);
    }
}

/* Adds an item at the end of its chain. */
static void append(ss_frontier *frontier, uint64_t item, ss_link *link)
{
    uint32_t number = ss_frontier_host_of(link);
    ss_host_load *load = ss_frontier_load(frontier, number);
    ss_chain *chain = find_chain(load, ss_frontier_lane_of(link));
    if (chain->last == SS_LINK_END)
        chain->first = item;
    else
        ss_links_find(&frontier->links, chain->last)->next = item;
    chain->last = item;
    link->next = SS_LINK_END;
    if (load->linked_items++ == 0 || chain->first == item)
        place(frontier, number);
}

void ss_frontier_link(ss_frontier *frontier, uint64_t end, uint64_t limit)
{
    ss_links *links = &frontier->links;
    uint64_t item = ss_links_next(links, frontier->next_link, end);
    for (; item < end; item = ss_links_next(links, item + 1, end)) {
        ss_link *link = ss_links_find(links, item);
        if (link->at >= limit)
            break;
        if ((link->next & (SS_LINK_OWNED | SS_LINK_OUT)) == SS_LINK_OWNED)
            append(frontier, item, link);
    }
    frontier->next_link = item;
}

void ss_frontier_set_out(ss_frontier *frontier, uint64_t item)
{
    ss_links_find(&frontier->links, item)->next |= SS_LINK_OUT;
}

/* Takes an item out of a chain, where it comes after `before`, or first. */
static void unlink_item(ss_frontier *frontier, uint32_t number, ss_chain *chain,
                        uint64_t item, uint64_t before)
{
    ss_link *link = ss_links_find(&frontier->links, item);
    if (before == SS_LINK_END)
        chain->first = link->next;
    else
        ss_links_find(&frontier->links, before)->next = link->next;
    if (chain->last == item)
        chain->last = before;
    if (chain->last_again == item)
        chain->last_again = before;
    link->next = owner_of(number, chain->lane) | SS_LINK_OUT;
    ss_frontier_load(frontier, number)->linked_items--;
}

void ss_frontier_take(ss_frontier *frontier, uint32_t number, ss_chain *chain)
{
    unlink_item(frontier, number, chain, chain->first, SS_LINK_END);
    place(frontier, number);
}

uint32_t ss_frontier_again(ss_frontier *frontier, uint64_t item)
{
    ss_link *link = ss_links_find(&frontier->links, item);
    uint32_t number = ss_frontier_host_of(link);
    ss_host_load *load = ss_frontier_load(frontier, number);
    ss_chain *chain = find_chain(load, ss_frontier_lane_of(link));
    ss_link *before = chain->last_again == SS_LINK_END
                          ? NULL
                          : ss_links_find(&frontier->links, chain->last_again);
    link->next = before == NULL ? chain->first : before->next;
    if (before == NULL)
        chain->first = item;
    else
        before->next = item;
    if (chain->last == chain->last_again)
        chain->last = item;
    chain->last_again = item;
    load->linked_items++;
    place(frontier, number);
    return number;
}

void ss_frontier_not_again(ss_frontier *frontier, uint32_t number,
                           unsigned lane, uint64_t item)
{
    ss_chain *chain = find_chain(ss_frontier_load(frontier, number), lane);
    uint64_t before = SS_LINK_END, at = chain->first;
    while (at != item) {
        before = at;
        at = ss_links_find(&frontier->links, at)->next;
    }
    unlink_item(frontier, number, chain, item, before);
    place(frontier, number);
}

void ss_frontier_done(ss_frontier *frontier, uint64_t item)
{
    const ss_link *link = ss_links_find(&frontier->links, item);
    uint32_t number = ss_frontier_host_of(link);
    ss_links_remove(&frontier->links, &frontier->memory, item);
    ss_frontier_load(frontier, number)->items--;
    ss_frontier_keep(frontier, number);
}
