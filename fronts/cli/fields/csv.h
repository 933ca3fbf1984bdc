/*
 * csv.h - CSV byte by byte, by RFC 4180 and, where that is silent, as Python's
 * csv module reads it.
 *
 *     state     "         delimiter   separator       another byte
 *     START     QUOTED    START       record ends     PLAIN
 *     PLAIN     PLAIN     START       record ends     PLAIN
 *     QUOTED    CLOSED    QUOTED      QUOTED          QUOTED
 *     CLOSED    QUOTED    START       record ends     PLAIN
 *
 * So a quote in a field that does not begin with one is a byte like others, and
 * so is what follows a closing quote up to the end of the field.
 */
#ifndef FIELDS_CSV_H
#define FIELDS_CSV_H

#include <stdbool.h>
#include <stddef.h>

typedef enum csv_state {
    CSV_START, /* of a field */
    CSV_PLAIN,
    CSV_QUOTED,
    CSV_CLOSED /* after a quote in a quoted field */
} csv_state;

/* The state after a byte that does not end the record. */
static inline csv_state csv_next(csv_state state, char byte, char delimiter)
{
    if (state == CSV_QUOTED)
        return byte == '"' ? CSV_CLOSED : CSV_QUOTED;
    if (byte == delimiter)
        return CSV_START;
    if (byte == '"' && state != CSV_PLAIN)
        return CSV_QUOTED;
    return CSV_PLAIN;
}

/* The end of the field that starts at offset `start` of a record of `size`
 * bytes: the offset of the delimiter, or size. */
size_t csv_field_end(const char *record, size_t size, size_t start,
                     char delimiter);

/*
 * Stores the value of the field text[0..size): without its quotes, and with
 * one quote for two. `out` has room for size bytes. Returns how many it took.
 */
size_t csv_value(const char *text, size_t size, char *out);

#endif
