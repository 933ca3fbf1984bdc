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

#include "base/memory.h"

typedef struct ss_in_flight {
    uint64_t *hashes; /* in the order they came */
    size_t count, room;
    size_t safe;     /* the first ones are durable and only not in the set */
    uint32_t *table; /* index into hashes, plus 1; open addressing */
    size_t table_room;
} ss_in_flight;

void ss_in_flight_free(ss_in_flight *inflight, const ss_memory *memory);

/* Makes room for this many more, so that adding them cannot fail. */
bool ss_in_flight_reserve(ss_in_flight *inflight, const ss_memory *memory,
                          size_t more);

bool ss_in_flight_has(const ss_in_flight *inflight, uint64_t hash);
void ss_in_flight_add(ss_in_flight *inflight, uint64_t hash);

/* Forgets all that are not safe. */
void ss_in_flight_clear(ss_in_flight *inflight);

/* Forgets the first, of those that are safe. */
void ss_in_flight_drop_first(ss_in_flight *inflight, size_t count);

#endif
