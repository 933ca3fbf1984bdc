/* items.c - what concerns the items of all lanes */
#include "items/items.h"

#include "base/order.h"

void ss_items_make_polite(ss_items *items)
{
    items->is_polite = true;
    for (unsigned i = 0; i < SS_LANES; i++)
        items->lanes[i].leases.is_unordered = true;
}

void ss_items_free(ss_items *items, const ss_memory *memory)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        ss_lane *lane = &items->lanes[i];
        ss_log_reader_free(&lane->reader);
        ss_leases_free(&lane->leases, memory);
        ss_delays_clear(&lane->delays, &items->run_files);
        ss_ranges_free(&lane->done, memory);
    }
    ss_log_reader_free(&items->rereads);
    ss_log_blocks_free(&items->blocks, memory);
}

uint64_t ss_items_unacked(const ss_items *items)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < SS_LANES; i++)
        count += items->lanes[i].unacked_items;
    return count;
}

ss_leased_item *ss_items_add(ss_items *items, const ss_memory *memory,
                             unsigned lane, uint64_t number, uint64_t position)
{
    ss_leased_item *item =
        ss_leases_add(&items->lanes[lane].leases, memory, number, position);
    if (item == NULL)
        return NULL;
    item->lane = lane & UINT32_C(15);
    items->has_long_numbers |= number >= SS_LONG_NUMBER;
    return item;
}

/* The number in a lease. */
static uint64_t number_in(const ss_items *items, uint64_t lease)
{
    uint64_t number = lease >> 8;
    return items->has_long_numbers ? number : number % SS_LONG_NUMBER;
}

ss_leased_item *ss_items_find(const ss_items *items, uint64_t lease)
{
    ss_leased_item *found = NULL;
    uint64_t number = number_in(items, lease);
    for (unsigned i = 0; i < SS_LANES && found == NULL; i++)
        found = ss_leases_find(&items->lanes[i].leases, number, lease);
    return found;
}

ss_leased_item *ss_items_of(const ss_items *items, uint64_t lease)
{
    ss_leased_item *found = NULL;
    uint64_t number = number_in(items, lease);
    for (unsigned i = 0; i < SS_LANES && found == NULL; i++)
        found = ss_leases_by_item(&items->lanes[i].leases, number);
    return found;
}

/* 0 is skipped: the lease of item 0 would be none. */
uint32_t ss_items_next_turn(const ss_items *items, const ss_leased_item *item)
{
    uint32_t turns = items->has_long_numbers ? SS_SHORT_TURNS : SS_TURNS;
    uint32_t next = (item->turn + 1) % turns;
    return next == 0 ? 1 : next;
}

void ss_items_set(ss_items *items, ss_leased_item *item, ss_lease_state state,
                  uint64_t due_ns)
{
    ss_leases_set(&ss_items_lane_of(items, item)->leases, item, state, due_ns);
}

static void move_reader(ss_lane *lane, uint64_t item, uint64_t position)
{
    lane->read_item = item;
    ss_log_reader_back(&lane->reader, position);
}

void ss_items_pushed(ss_items *items, unsigned lane, uint64_t item,
                     uint64_t position)
{
    ss_lane *to = &items->lanes[lane];
    if (items->has_lanes && !items->is_polite && ss_lane_waiting(to) == 0)
        move_reader(to, item, position);
    to->unacked_items++;
    to->group_items++;
}

void ss_items_start_group(ss_items *items)
{
    for (unsigned i = 0; i < SS_LANES; i++)
        items->lanes[i].group_items = 0;
}

void ss_items_roll_back(ss_items *items, uint64_t from)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        ss_lane *lane = &items->lanes[i];
        lane->unacked_items -= lane->group_items;
        lane->group_items = 0;
        ss_leases_cancel_acks(&lane->leases, from);
    }
}

void ss_items_pass_empty(ss_items *items, uint64_t next_item, uint64_t end)
{
    for (unsigned i = 0; i < SS_LANES && !items->is_polite; i++) {
        ss_lane *lane = &items->lanes[i];
        bool is_empty = i > 0 || items->has_lanes
                            ? ss_lane_waiting(lane) == 0
                            : lane->read_item == next_item;
        if (is_empty)
            move_reader(lane, next_item, end);
    }
}
