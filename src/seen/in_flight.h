/*
 * in_flight.h - the URLs whose records are on their way to the disk.
 *
 * Under durability `each` a URL goes into the set once its record is durable.
 * Until then it is here. So a second push of it is answered "seen", after the
 * same wait, and a write that fails leaves no trace in the set.
 *
 * A set that grows may get no memory by the time the records are durable.
 * Those URLs stay here, before all others, until the set has room.
 *
 * A set that knows URLs by their hashes needs no more of them than that, and
 * two URLs of one hash are one. Where the set needs their bytes, those are kept
 * and compared, too.
 */
#ifndef SS_SEEN_IN_FLIGHT_H
#define SS_SEEN_IN_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "seen/pushed.h"

/* A URL, and where its bytes are. */
typedef struct ss_flying {
    uint64_t hash, seconds;
    size_t at, url_len; /* in bytes; 0 where they are not kept */
} ss_flying;

typedef struct ss_in_flight {
    bool keeps_urls;
    ss_flying *urls; /* in the order they came */
    size_t count, room;
    size_t durable_count; /* the first ones: durable, not in the set yet */
    uint32_t *table;      /* index into urls, plus 1; open addressing */
    size_t table_room;
    uint8_t *bytes; /* of the URLs, without gaps */
    size_t byte_count, byte_room;
} ss_in_flight;

void ss_in_flight_free(ss_in_flight *in_flight, const ss_memory *memory);

/* Makes room for so many more, of so many bytes together, so that adding them
 * cannot fail. */
bool ss_in_flight_reserve(ss_in_flight *in_flight, const ss_memory *memory,
                          size_t more, size_t more_bytes);

bool ss_in_flight_has(const ss_in_flight *in_flight, const ss_pushed *url);
/* A URL may be there already: then it goes to the set once more. */
void ss_in_flight_add(ss_in_flight *in_flight, const ss_pushed *url);

/* URL number i, in the order they came. Its bytes are valid until the table
 * changes. */
ss_pushed ss_in_flight_at(const ss_in_flight *in_flight, size_t i);

/* Removes all that are not durable. */
void ss_in_flight_clear(ss_in_flight *in_flight);

/* Removes the first `count`: they are durable, and in the set now. */
void ss_in_flight_drop_first(ss_in_flight *in_flight, size_t count);

uint64_t ss_in_flight_memory_bytes(const ss_in_flight *in_flight);

#endif
