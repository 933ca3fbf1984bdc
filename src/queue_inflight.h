/*
 * queue_inflight.h - the hashes of URLs that are on their way to the disk.
 *
 * Under durability `each` a URL's bits are set once its record is durable. In
 * between it is here, so that a second push of it is answered "seen" (after
 * the same wait), and so that a failed write leaves no trace in the set.
 */
#ifndef SS_QUEUE_INFLIGHT_H
#define SS_QUEUE_INFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"

typedef struct ss_inflight {
    uint64_t *hashes; /* in the order they came */
    size_t count, room;
    uint32_t *table; /* index into hashes, plus 1; open addressing */
    size_t table_room;
} ss_inflight;

void ss_inflight_free(ss_inflight *inflight, const ss_memory *memory);

/* Makes room for this many more, so that adding them cannot fail. */
bool ss_inflight_reserve(ss_inflight *inflight, const ss_memory *memory,
                         size_t more);

bool ss_inflight_has(const ss_inflight *inflight, uint64_t hash);
void ss_inflight_add(ss_inflight *inflight, uint64_t hash);
void ss_inflight_clear(ss_inflight *inflight);

#endif
