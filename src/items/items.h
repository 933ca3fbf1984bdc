/*
 * items.h - the items that are not acked yet, by what became of them.
 *
 * The reader goes through the log once. `read_item` is the first item that it
 * has not handed out, and its position is at or before that item's record. So
 * each item that was pushed is in one of these places:
 *
 *     below read_item, in leases    handed out and not acked
 *     below read_item otherwise     acked
 *     read_item or above, in done   acked before the queue was opened
 *     read_item or above otherwise  never handed out in this handle
 */
#ifndef SS_ITEMS_ITEMS_H
#define SS_ITEMS_ITEMS_H

#include "items/leases.h"
#include "items/ranges.h"
#include "log/log_reader.h"

typedef struct ss_items {
    ss_leases leases;
    ss_ranges done;
    uint64_t read_item;
    ss_log_reader reader;  /* for items that were never handed out */
    ss_log_reader rereads; /* for items that are handed out again */
    uint64_t unacked_items;
    uint64_t lease_ns; /* how long a lease lasts */
} ss_items;

#endif
