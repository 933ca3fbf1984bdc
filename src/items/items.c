/* items.c - what concerns the items of all lanes */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "items/items.h"

#include "base/order.h"

void ss_items_free(ss_items *items, const ss_memory *memory)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        ss_lane *lane = &items->lanes[i];
        ss_log_reader_free(&lane->reader);
        ss_leases_free(&lane->leases, memory);
        ss_ranges_free(&lane->done, memory);
    }
    ss_log_reader_free(&items->rereads);
}

uint64_t ss_items_unacked(const ss_items *items)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < SS_LANES; i++)
        count += items->lanes[i].unacked_items;
    return count;
}

ss_leased_item *ss_items_find(const ss_items *items, uint64_t lease)
{
    ss_leased_item *found = NULL;
    for (unsigned i = 0; i < SS_LANES && found == NULL; i++)
        found = ss_leases_find(&items->lanes[i].leases, lease);
    return found;
}

ss_leased_item *ss_items_by_number(const ss_items *items, uint64_t number)
{
    ss_leased_item *found = NULL;
    for (unsigned i = 0; i < SS_LANES && found == NULL; i++)
        found = ss_leases_by_item(&items->lanes[i].leases, number);
    return found;
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
    if (items->has_lanes && ss_lane_waiting(to) == 0)
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
    for (unsigned i = 0; i < SS_LANES; i++) {
        bool may_move = i > 0 || items->has_lanes;
        if (may_move && ss_lane_waiting(&items->lanes[i]) == 0)
            move_reader(&items->lanes[i], next_item, end);
    }
}
