/* frontier.c - see frontier.h; the hosts are in hosts.c */
#include "frontier/frontier.h"

#include <string.h>

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
           frontier->rest_bytes + ss_hosts_bytes(&frontier->again);
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

/* After one of its chains changed: does it have items, and of what priority? */
static void place(ss_frontier *frontier, uint32_t number)
{
    ss_front best;
    bool has_items = ss_frontier_best(frontier, number, &best);
    if (has_items)
        ss_turns_set_rank(&frontier->turns, number, best.lane);
    ss_turns_set_items(&frontier->turns, number, has_items);
}

/* ---- items that were handed out ---- */

static uint64_t key_of(uint32_t number, unsigned lane)
{
    return (uint64_t)number * 16 + lane;
}

int ss_frontier_reserve_again(ss_frontier *frontier, uint64_t items)
{
    ss_host_table *again = &frontier->again;
    while (again->room < items) {
        if (ss_hosts_grow(again) != 0)
            return SEENSET_ENOMEM;
    }
    return SEENSET_OK;
}

ss_ends ss_frontier_again(const ss_frontier *frontier, uint32_t number,
                          unsigned lane)
{
    ss_ends ends = {SS_LINK_END, SS_LINK_END};
    if (!ss_frontier_load(frontier, number)->has_again)
        return ends;
    uint32_t row = ss_hosts_find(&frontier->again, key_of(number, lane));
    if (row != SS_HOSTS_NONE)
        memcpy(&ends, ss_host_load_of(ss_hosts_row(&frontier->again, row)),
               sizeof ends);
    return ends;
}

static void write_again(ss_host_table *again, uint64_t key, ss_ends ends)
{
    uint32_t row = ss_hosts_find(again, key);
    if (ends.first != SS_LINK_END) {
        if (row == SS_HOSTS_NONE)
            row = ss_hosts_add(again, key);
        memcpy(ss_host_load_of(ss_hosts_row(again, row)), &ends, sizeof ends);
    } else if (row != SS_HOSTS_NONE)
        ss_hosts_remove(again, row);
}

/* The highest lane with items that were handed out, and one more. */
static unsigned again_lanes(const ss_frontier *frontier, uint32_t number)
{
    unsigned lanes =
        ss_frontier_load(frontier, number)->has_again ? SS_FRONTIER_LANES : 0;
    while (lanes > 0 &&
           ss_frontier_again(frontier, number, lanes - 1).first == SS_LINK_END)
        lanes--;
    return lanes;
}

void ss_frontier_set_again(ss_frontier *frontier, uint32_t number,
                           unsigned lane, ss_ends ends)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    write_again(&frontier->again, key_of(number, lane), ends);
    load->has_again = true;
    load->has_again = again_lanes(frontier, number) > 0;
    place(frontier, number);
}

bool ss_frontier_best(const ss_frontier *frontier, uint32_t number,
                      ss_front *out)
{
    unsigned lane;
    const ss_host_load *load = ss_frontier_load(frontier, number);
    bool is_new = ss_load_best(load, &lane);
    unsigned lanes = again_lanes(frontier, number);
    if (lanes > 0 && (!is_new || lane < lanes)) {
        uint64_t first = ss_frontier_again(frontier, number, lanes - 1).first;
        *out = (ss_front){first, lanes - 1, true};
    } else if (is_new)
        *out = (ss_front){ss_load_chain(load, lane).first, lane, false};
    return is_new || lanes > 0;
}

/* ---- items ---- */

/* Do the counts of a host have room for one more? */
static bool has_room(const ss_frontier *frontier, const ss_host_load *load)
{
    return load->has_rest ||
           (load->items < SS_LOAD_MOST_ITEMS &&
            ss_load_taken(load, frontier->has_taken) < SS_LOAD_MOST_TAKEN);
}

int ss_frontier_reserve(ss_frontier *frontier, uint32_t number, uint64_t item)
{
    const ss_memory *memory = &frontier->memory;
    if (!ss_pending_reserve(&frontier->pending, memory, item) ||
        (!has_room(frontier, ss_frontier_load(frontier, number)) &&
         ss_frontier_need_rest(frontier, number) != SEENSET_OK))
        return SEENSET_ENOMEM;
    frontier->reserved = number;
    return ss_links_reserve(&frontier->links, memory, item);
}

/* Counts an item of a host, or one less, and whether it was taken. */
static void count_item(ss_frontier *frontier, uint32_t number, int more,
                       bool is_taken)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    uint64_t taken = ss_load_taken(load, frontier->has_taken);
    ss_load_set_items(load, ss_load_items(load) + (uint64_t)more);
    if (is_taken)
        ss_load_set_taken(load, frontier->has_taken, taken + (uint64_t)more);
    ss_frontier_keep(frontier, number);
}

void ss_frontier_push(ss_frontier *frontier, unsigned lane, uint64_t item,
                      ss_span record, bool is_taken)
{
    uint32_t number = frontier->reserved;
    ss_links_add(&frontier->links, item, link_of(number, lane, record));
    ss_pending_add(&frontier->pending, item);
    ss_live_add(&frontier->live, record.at, record.bytes);
    count_item(frontier, number, 1,
               is_taken &&
                   ss_frontier_budget(frontier, number) != SS_FRONTIER_ANY);
}

/* What is in a chain has the next item where others have their owner. */
int ss_frontier_move(ss_frontier *frontier, uint64_t item, ss_span to)
{
    ss_link link;
    int error = ss_links_read(&frontier->links, item, &link);
    if (error != SEENSET_OK)
        return error;
    uint64_t away = ss_frontier_is_away(&link) ? SS_LINK_OUT : 0;
    link.at = to.at;
    if ((link.next & SS_LINK_OWNED) != 0)
        link =
            link_of(ss_frontier_host_of(&link), ss_frontier_lane_of(&link), to);
    link.next |= away;
    return ss_links_write(&frontier->links, item, link);
}

/* ---- items that are away ---- */

bool ss_frontier_is_away(const ss_link *link)
{
    const uint64_t both = SS_LINK_OWNED | SS_LINK_OUT;
    return (link->next & both) == both;
}

int ss_frontier_put_away(ss_frontier *frontier, uint32_t number, unsigned lane,
                         uint64_t item, ss_span record)
{
    ss_link link = link_of(number, lane, record);
    int error = ss_links_reserve(&frontier->links, &frontier->memory, item);
    if (error != SEENSET_OK)
        return error;
    link.next |= SS_LINK_OUT;
    ss_links_add(&frontier->links, item, link);
    return SEENSET_OK;
}

int ss_frontier_set_away(ss_frontier *frontier, uint64_t item, ss_link link)
{
    return ss_links_set_next(&frontier->links, item, link.next | SS_LINK_OUT);
}

void ss_frontier_bring(ss_frontier *frontier, uint64_t item)
{
    ss_links_remove(&frontier->links, &frontier->memory, item);
}

/* ---- items that go ---- */

static void forget_item(ss_frontier *frontier, uint32_t number, uint64_t item,
                        ss_span record, bool is_taken)
{
    ss_live_remove(&frontier->live, record.at, record.bytes);
    ss_pending_remove(&frontier->pending, &frontier->memory, item);
    count_item(frontier, number, -1, is_taken);
}

void ss_frontier_done(ss_frontier *frontier, uint32_t number, uint64_t item,
                      ss_span record)
{
    frontier->live.done += record.bytes;
    forget_item(frontier, number, item, record, false);
}

static int undo(ss_frontier *frontier, uint64_t item)
{
    ss_link link;
    int error = ss_links_read(&frontier->links, item, &link);
    if (error != SEENSET_OK)
        return error;
    uint32_t number = ss_frontier_host_of(&link);
    ss_links_remove(&frontier->links, &frontier->memory, item);
    forget_item(frontier, number, item, ss_frontier_span_of(&link),
                ss_frontier_taken(frontier, number) > 0);
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
    unsigned lane = ss_frontier_lane_of(link);
    ss_host_load *load = ss_frontier_load(frontier, number);
    if (!ss_load_has_room(load, lane, item) &&
        ss_frontier_need_rest(frontier, number) != SEENSET_OK)
        return SEENSET_ENOMEM;
    ss_ends ends = ss_load_chain(load, lane);
    if (ends.last == SS_LINK_END) {
        ss_load_set_chain(load, lane, (ss_ends){item, item});
        place(frontier, number);
        return SEENSET_OK;
    }
    int error = ss_links_set_next(&frontier->links, ends.last, item);
    if (error == SEENSET_OK)
        ss_load_set_chain(load, lane, (ss_ends){ends.first, item});
    return error;
}

/* Does it wait to be linked? It was not handed out, and its page was not made
 * again since. */
static bool is_unlinked(const ss_link *link)
{
    return (link->next & SS_LINK_OWNED) != 0 && !ss_frontier_is_away(link);
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
            if (error == SEENSET_OK && is_unlinked(&link))
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

void ss_frontier_take(ss_frontier *frontier, uint32_t number, unsigned lane,
                      const ss_link *link)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    ss_ends ends = ss_load_chain(load, lane);
    uint64_t item = ends.first;
    if (item == ends.last)
        ends.first = ends.last = SS_LINK_END;
    else
        ends.first = link->next;
    ss_load_set_chain(load, lane, ends);
    ss_links_remove(&frontier->links, &frontier->memory, item);
    place(frontier, number);
}
