/* lease.h - an item that was handed out, or waits to be again. */
#ifndef SEENSET_REDIS_VISIT_PARTITION_LEASE_H
#define SEENSET_REDIS_VISIT_PARTITION_LEASE_H

#include "visit/partition/item.h"

/* Where a lease is. Only crawls with rules for hosts have the last two. */
typedef enum sr_lease_place {
    SR_LEASE_TIMED, /* in the heap of all */
    SR_LEASE_DUE,   /* in its host's line: its time has come */
    SR_LEASE_DEAD   /* it failed too often, and is not handed out again */
} sr_lease_place;

typedef struct sr_lease {
    uint64_t number, due_ms; /* by the server's clock, since 1970 */
    union {
        uint64_t heap_at;
        struct sr_lease *next; /* SR_LEASE_DUE: in the ring */
        uint64_t room;         /* the same size on every machine */
    };
    uint32_t times; /* it was handed out, but for those given back untried */
    bool is_out;    /* not: it was given back, and waits */
    bool has_data;
    bool has_host;
    uint8_t place; /* an sr_lease_place */
    uint32_t url_len, data_len;
    uint8_t bytes[]; /* the URL, the data, and has_host: 8 bytes of its hash */
} sr_lease;

/* A lease of an item, without a number yet; NULL: no memory. host: the hash of
 * its host, or NULL. */
sr_lease *sr_lease_new(const sr_item *item, const uint64_t *host);

/* The hash of its host, which it has. */
uint64_t sr_lease_host(const sr_lease *lease);

/* That it was handed out last counts for nothing. */
void sr_lease_untry(sr_lease *lease);

/* The item that it has. */
sr_item sr_lease_item(const sr_lease *lease);

/* The memory that it takes. */
uint64_t sr_lease_bytes(const sr_lease *lease);

#endif
