/*
 * host.h - an active host as it is kept: 28 bytes, and right after them its
 * load, which is the caller's: its pending items, and all else that a crawl
 * keeps of it.
 *
 * A host is a hash of its name.
 */
#ifndef SS_FRONTIER_TURNS_HOST_H
#define SS_FRONTIER_TURNS_HOST_H

#include <stdbool.h>
#include <stdint.h>

#define SS_HOST_MOST_MS ((UINT64_C(1) << 43) - 1) /* the year 2248 */

enum {
    SS_HOST_MOST_LEASED = UINT16_MAX
};

/* Where a host is; it is in one heap at most. */
typedef enum ss_host_place {
    SS_HOST_NOWHERE, /* its leases, or settings, keep it */
    SS_HOST_WAITS,   /* for its time, or until somebody looks at that */
    SS_HOST_READY,   /* for its turn */
    SS_HOST_IDLE,    /* it is forgotten at its time */
    SS_HOST_UNUSED   /* it is none */
} ss_host_place;

#pragma pack(push, 4) /* a compiler that does not know this takes 4 more */
typedef struct ss_host {
    uint64_t hash;
    uint64_t ready_ms : 43; /* from then on it may be asked */
    uint64_t leased : 16;
    uint64_t place : 3; /* a ss_host_place */
    uint64_t has_items : 1;
    uint64_t is_kept : 1; /* also when nothing is pending */
    uint32_t turn;        /* of its next item, on the clock of all turns */
    uint32_t next;        /* in its bucket, or of those that are unused */
    uint32_t heap_at : 28;
    uint32_t rank : 4;
} ss_host_row;
#pragma pack(pop)

_Static_assert(sizeof(ss_host_row) == 28 || sizeof(ss_host_row) == 32,
               "docs/redis.md");

/* Its load, on a boundary of 4 bytes. */
static inline void *ss_host_load_of(ss_host_row *row)
{
    return row + 1;
}

#endif
