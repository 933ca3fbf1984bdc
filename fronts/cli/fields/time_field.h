/*
 * time_field.h - the time of a record, from one of its fields.
 *
 *     1732876800   1732876800.25       seconds since 1970
 *     1732876800250                    milliseconds: 12 to 14 digits
 *     1732876800250000                 microseconds: 15 to 17 digits
 *     1732876800250000000              nanoseconds: 18 and more
 *     2024-11-29T10:40:00Z             RFC 3339, and ISO 8601 where it is
 *     2024-11-29 11:40:00.25+01:00     alike: the T may be a space, and
 *     20241129T104000Z   2024-11-29    seconds, marks, time and zone may be
 *     20241129                         left out. Eight digits that are a day
 *                                      are one: as seconds they would be of
 *                                      1970 to 1973
 *
 * A time without a zone is of UTC. Fractions of a second are dropped. A time
 * more than a day after the machine's clock is not believed: it would make a
 * window forget all that it has.
 */
#ifndef TIME_FIELD_H
#define TIME_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct time_field {
    bool is_used;
    char no_time[112], in_future[112]; /* the words of records without one */
} time_field;

/* name: of the field, in messages. */
void time_field_start(time_field *field, const char *name);

/* The latest time that is believed now. */
uint64_t time_field_latest(void);

/* Reads the text of a value. Returns NULL and *seconds since 1970, or why it is
 * not a time, or not one up to `latest`. */
const char *time_field_read(const time_field *field, uint64_t latest,
                            const char *text, size_t len, uint64_t *seconds);

#endif
