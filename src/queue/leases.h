/*
 * queue_lease.h - the items that were handed out and are not acked yet.
 *
 * Each is in three orders at once: by number in a hash table (to find it by
 * its lease), by number in a list (the oldest un-acked item says which part
 * of the log is still needed), and by the time it is due in a heap (a lease's
 * end, or the end of a nack's delay: then it is handed out again).
 *
 * A lease is the item's number and, in its lowest byte, how often the item
 * was handed out: it names the item even after a restart, and stops working
 * once another lease on the item is given.
 */
#ifndef SS_QUEUE_LEASE_H
#define SS_QUEUE_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef enum ss_lease_state {
    SS_LEASE_WAITING, /* nacked: due is when it may be handed out again */
    SS_LEASE_HELD,    /* handed out: due is when the lease ends */
    SS_LEASE_ACKING   /* its ack is on the way to the disk; never due */
} ss_lease_state;

typedef struct ss_leased_item {
    uint64_t item;
    uint64_t position; /* of its record in the log */
    uint64_t due_ns;
    uint64_t ack_end;  /* SS_LEASE_ACKING: where its ACK record ends */
    uint64_t lease_ns; /* SS_LEASE_ACKING: when its lease ends, if that fails */
    uint32_t deliveries;
    ss_lease_state state;
    uint32_t older, newer; /* the list by number; a free slot: newer is next */
    uint32_t heap_index;
} ss_leased_item;

typedef struct ss_leases {
    ss_leased_item *slots; /* slot 0 is no item: 0 means none */
    size_t slot_room;
    uint32_t *heap; /* slots, the earliest due first */
    size_t heap_room;
    uint32_t *table; /* slots by hash of the item; 0 is empty */
    size_t table_room;
    uint32_t slot_count; /* slots ever used, slot 0 included */
    uint32_t free_slot;
    uint32_t count;
    uint32_t oldest, newest;
} ss_leases;

void ss_leases_free(ss_leases *leases, const ss_memory *memory);

/*
 * Takes in an item newer than all that are in. NULL: no memory. Pointers stay
 * valid until the next ss_leases_add.
 */
ss_leased_item *ss_leases_add(ss_leases *leases, const ss_memory *memory,
                              uint64_t item, uint64_t position);

/* Gives an item a state and a time; the rest follows. */
void ss_leases_set(ss_leases *leases, ss_leased_item *entry,
                   ss_lease_state state, uint64_t due_ns);

void ss_leases_remove(ss_leases *leases, ss_leased_item *entry);

/* The lease that an item is out under. */
uint64_t ss_leases_id(const ss_leased_item *entry);

/* The item out under this lease, or NULL. */
ss_leased_item *ss_leases_find(const ss_leases *leases, uint64_t lease);

/* The item by its number, in whatever state, or NULL. */
ss_leased_item *ss_leases_by_item(const ss_leases *leases, uint64_t item);

/* An ack is on its way, whose record ends at ack_end. */
void ss_leases_begin_ack(ss_leases *leases, ss_leased_item *entry,
                         uint64_t ack_end);

/* Acks whose records lie behind `from` came to nothing: held again, for as
 * long as before. */
void ss_leases_cancel_acks(ss_leases *leases, uint64_t from);

/* The item whose time came first, if it is not after now_ns, or NULL. */
ss_leased_item *ss_leases_due(const ss_leases *leases, uint64_t now_ns);

/* From the oldest on; NULL at the end. */
ss_leased_item *ss_leases_oldest(const ss_leases *leases);
ss_leased_item *ss_leases_newer(const ss_leases *leases,
                                const ss_leased_item *entry);

/* How many are under a lease that has not ended. Cost: looks at each. */
uint64_t ss_leases_held(const ss_leases *leases, uint64_t now_ns);

uint64_t ss_leases_memory_bytes(const ss_leases *leases);

#endif
