/*
 * queue_inflight.h - the hashes of URLs that are on their way to the disk.
 *
 * Under durability `each` a URL's bits are set once its record is durable. In
 * between it is here, so that a second push of it is answered "seen" (after
 * the same wait), and so that a failed write leaves no trace in the set.
 *
 * A set that grows may find no memory when the disk has the records. Those
 * hashes stay here, in front, until the set has room: they are safe.
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
    size_t safe;     /* the first ones are durable and only not in the set */
    uint32_t *table; /* index into hashes, plus 1; open addressing */
    size_t table_room;
} ss_inflight;

void ss_inflight_free(ss_inflight *inflight, const ss_memory *memory);

/* Makes room for this many more, so that adding them cannot fail. */
bool ss_inflight_reserve(ss_inflight *inflight, const ss_memory *memory,
                         size_t more);

bool ss_inflight_has(const ss_inflight *inflight, uint64_t hash);
void ss_inflight_add(ss_inflight *inflight, uint64_t hash);

/* Forgets all that are not safe. */
void ss_inflight_clear(ss_inflight *inflight);

/* Forgets the first, of those that are safe. */
void ss_inflight_drop_first(ss_inflight *inflight, size_t count);

#endif
