/*
 * in_order.h - the items that were handed out, in order, whatever the order in
 * which they were added: the oldest first, or those that are due first.
 */
#ifndef SS_ITEMS_IN_ORDER_H
#define SS_ITEMS_IN_ORDER_H

#include "items/items.h"

typedef struct ss_in_order {
    const ss_leased_item **at;
    size_t count, room;
} ss_in_order;

/* Those of all lanes, until the next is added or removed. Returns 0 or
 * SEENSET_ENOMEM. */
int ss_in_order_make(ss_in_order *list, const ss_memory *memory,
                     const ss_items *items);
/* Those of one lane that are delayed. */
int ss_in_order_make_delayed(ss_in_order *list, const ss_memory *memory,
                             const ss_leases *leases);

/* The same list, those first that are due first; or the oldest first. */
void ss_in_order_by_due(ss_in_order *list);
void ss_in_order_by_item(ss_in_order *list);

void ss_in_order_free(ss_in_order *list, const ss_memory *memory);

#endif
