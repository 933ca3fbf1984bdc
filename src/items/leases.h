/*
 * leases.h - the items that were handed out and are not acked yet.
 *
 * Each is in two structures at once. One is an array in the order of numbers,
 * since the oldest item that is not acked decides which part of the log is
 * needed; an item is found there by its number. It is cut into blocks, so that
 * it grows without a copy. The other is a heap by the time
 * when it is due, which is the end of its lease or of its delay. Then it is
 * handed out again.
 *
 * A lease is the item's number and its turn, which counts how often the item
 * was handed out. So it identifies the item even after a restart, and is no
 * longer valid once the item is handed out again. An item that was given back
 * untried was handed out, but that is no delivery, and one that was visited has
 * none any more: so turns may be more than deliveries.
 *
 *     bits 0 to 7     of the turn: the lowest eight
 *     bits 8 to 47    the number
 *     bits 48 to 63   of the turn: the others
 *
 * A polite queue hands out items in any order (frontier/frontier.h), and items
 * come back from runs in that of their due times (delayed/run.h). Then the
 * array is not in the order of numbers, and a hash table finds an item
 * (places.h). In a polite queue there are two more states: an item that may be
 * handed out again waits in the chain of its host, and is not due by time any
 * more.
 *
 * So an item has SS_TURNS different leases. Once items have numbers that take
 * more than 40 bits, those are in bits 8 to 63, and a turn has eight bits.
 */
#ifndef SS_ITEMS_LEASES_H
#define SS_ITEMS_LEASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "items/places.h"

typedef enum ss_lease_state {
    SS_LEASE_WAITING, /* nacked: due when it may be handed out again */
    SS_LEASE_HELD,    /* handed out: due when the lease ends */
    SS_LEASE_ACKING,  /* its ack is on its way to the disk; never due */
    SS_LEASE_REMOVED, /* it is there no more: what is left in the array */
    SS_LEASE_ENDED,   /* it was held, and is in its host's chain; its lease is
                         valid until it is handed out again */
    SS_LEASE_DUE      /* it was waiting, and is in its host's chain */
} ss_lease_state;

typedef struct ss_leased_item {
    uint64_t item;
    uint64_t position; /* of its record in the log */
    uint64_t due_ns;
    uint64_t ack_end;  /* SS_LEASE_ACKING: where its ACK record ends; _ENDED
                          and _DUE: the item after it in the chain */
    uint64_t lease_ns; /* SS_LEASE_ACKING: when its lease ends, if that fails;
                          _ENDED and _DUE: the item before it in the chain */
    uint32_t deliveries;
    uint32_t heap_index;
    uint32_t host;       /* in a polite queue: its number in the frontier; */
    uint32_t is_out : 1; /* and that counts it as handed out */
    uint32_t state : 3;  /* an ss_lease_state */
    uint32_t lane : 4;   /* items.h */
    uint32_t turn : 24;  /* of its lease */
} ss_leased_item;

_Static_assert(sizeof(ss_leased_item) == 56, "docs/queue.md");

enum {
    SS_SHORT_TURNS = 1 << 8, /* that any state has room for */
    SS_TURNS = 1 << 24       /* state.h, version 4 */
};

/* Numbers below this leave room for SS_TURNS. */
#define SS_LONG_NUMBER (UINT64_C(1) << 40)

typedef struct ss_leases {
    ss_leased_item **blocks; /* of slots, in the order of numbers, some of them
                                removed */
    size_t block_room;
    uint32_t *heap; /* slots, the earliest due first */
    size_t heap_room;
    uint32_t block_count;
    uint32_t first, end; /* the slots from first to end - 1; neither the first
                            of them nor the last is removed */
    uint32_t count;      /* of those that are not */
    uint32_t held_count, waiting_count; /* of these, by state */
    bool is_unordered;                  /* items come in any order, and: */
    ss_places places;
} ss_leases;

void ss_leases_free(ss_leases *leases, const ss_memory *memory);

/* From now on items may come in any order. False: no memory. */
bool ss_leases_be_unordered(ss_leases *leases, const ss_memory *memory);

/*
 * Adds an item, which must be newer than all others unless they are unordered.
 * Returns NULL if there is
 * no memory. Pointers stay valid until the next ss_leases_add. Cost: constant
 * on average, without a cache miss if items are added in the order of the times
 * when they are due.
 */
ss_leased_item *ss_leases_add(ss_leases *leases, const ss_memory *memory,
                              uint64_t item, uint64_t position);

/* Gives an item a state and a time when it is due. */
void ss_leases_set(ss_leases *leases, ss_leased_item *entry,
                   ss_lease_state state, uint64_t due_ns);

void ss_leases_remove(ss_leases *leases, ss_leased_item *entry);

/* The lease under which an item was handed out last. */
uint64_t ss_leases_id(const ss_leased_item *entry);

/* The item with this number and lease, or NULL if the lease has ended. Cost: a
 * step or two if the numbers are evenly spread, log(count) in any case. */
ss_leased_item *ss_leases_find(const ss_leases *leases, uint64_t item,
                               uint64_t lease);

/* The item by its number, in whatever state, or NULL. */
ss_leased_item *ss_leases_by_item(const ss_leases *leases, uint64_t item);

/* Of those that come in any order: the bytes of an item's record, 0 until they
 * are set. */
static inline void ss_leases_set_bytes(ss_leases *leases,
                                       const ss_leased_item *entry,
                                       uint32_t bytes)
{
    ss_places_set_bytes(&leases->places, entry->item, bytes);
}

static inline uint32_t ss_leases_bytes(const ss_leases *leases,
                                       const ss_leased_item *entry)
{
    return ss_places_bytes(&leases->places, entry->item);
}

/* The item is acked by a record that ends at ack_end. */
void ss_leases_begin_ack(ss_leases *leases, ss_leased_item *entry,
                         uint64_t ack_end);

/* Acks whose records end after `from` are cancelled: the leases go on, for as
 * long as before. */
void ss_leases_cancel_acks(ss_leases *leases, uint64_t from);

/* The item that is due first, if that is not after now_ns; or NULL. */
ss_leased_item *ss_leases_due(const ss_leases *leases, uint64_t now_ns);

/* All items, the oldest first, or in any order; NULL at the end. */
ss_leased_item *ss_leases_oldest(const ss_leases *leases);
ss_leased_item *ss_leases_newer(const ss_leases *leases,
                                const ss_leased_item *entry);

/* Of the leases and delays that have not ended: how many, and when the next one
 * does. */
typedef struct ss_leases_figures {
    uint64_t held, delayed;
    uint64_t next_ns; /* UINT64_MAX: there is none */
} ss_leases_figures;

/* Cost: a step for each that has ended. */
ss_leases_figures ss_leases_count(const ss_leases *leases, uint64_t now_ns);

uint64_t ss_leases_memory_bytes(const ss_leases *leases);

#endif
