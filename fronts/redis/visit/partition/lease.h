/* lease.h - an item that was handed out, or waits to be again. */
#ifndef SEENSET_REDIS_VISIT_PARTITION_LEASE_H
#define SEENSET_REDIS_VISIT_PARTITION_LEASE_H

#include "visit/partition/item.h"

typedef struct sr_lease {
    uint64_t number, due_ms; /* by the server's clock, since 1970 */
    uint64_t heap_at;
    uint32_t times; /* it was handed out, but for those given back untried */
    bool is_out;    /* not: it was given back, and waits */
    bool has_data;
    uint32_t url_len, data_len;
    uint8_t bytes[]; /* the URL, and the data */
} sr_lease;

/* A lease of an item, without a number yet; NULL: no memory. */
sr_lease *sr_lease_new(const sr_item *item);

/* That it was handed out last counts for nothing. */
void sr_lease_untry(sr_lease *lease);

/* The item that it has. */
sr_item sr_lease_item(const sr_lease *lease);

/* The memory that it takes. */
uint64_t sr_lease_bytes(const sr_lease *lease);

#endif
