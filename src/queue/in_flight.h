/*
 * in_flight.h - the hashes of URLs whose records are on their way to the disk.
 *
 * Under durability `each` a URL's bits are set once its record is durable.
 * Until then its hash is here. So a second push of it is answered "seen", after
 * the same wait, and a write that fails leaves no trace in the set.
 *
 * A set that grows may get no memory by the time the records are durable.
 * Those hashes stay here, before all others, until the set has room.
 */
#ifndef SS_QUEUE_IN_FLIGHT_H
#define SS_QUEUE_IN_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct ss_in_flight {
    uint64_t *hashes; /* in the order they came */
    size_t count, room;
    size_t durable_count; /* the first ones: durable, not in the set yet */
    uint32_t *table;      /* index into hashes, plus 1; open addressing */
    size_t table_room;
} ss_in_flight;

void ss_in_flight_free(ss_in_flight *in_flight, const ss_memory *memory);

/* Makes room for this many more, so that adding them cannot fail. */
bool ss_in_flight_reserve(ss_in_flight *in_flight, const ss_memory *memory,
                          size_t more);

bool ss_in_flight_has(const ss_in_flight *in_flight, uint64_t hash);
void ss_in_flight_add(ss_in_flight *in_flight, uint64_t hash);

/* Removes all that are not durable. */
void ss_in_flight_clear(ss_in_flight *in_flight);

/* Removes the first `count`: they are durable, and in the set now. */
void ss_in_flight_drop_first(ss_in_flight *in_flight, size_t count);

#endif
