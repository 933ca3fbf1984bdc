/*
 * csv.h - records and fields of a file with columns (RFC 4180).
 *
 *     name,address            fields end with the delimiter,
 *     Ada,"12, Main St        records with a newline; between quotes both are
 *     London"                 bytes like others,
 *     "the ""Countess""",     and two quotes are one
 *
 * A quote begins a quoted field only where the field begins; elsewhere it is a
 * byte like others. A record may end with CR LF. A file that breaks the rules
 * is read all the same: what comes after the end of a quoted field, up to the
 * delimiter, belongs to the field.
 */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field as it is in the file; at NULL if the record has no such field. */
typedef struct csv_field {
    const uint8_t *at;
    size_t size;
    bool is_quoted; /* it begins with a quote, which is counted in size */
} csv_field;

/* What csv_record found. */
typedef struct csv_record {
    const uint8_t *end; /* after the newline; NULL: it ends after the data */
    csv_field field;    /* the one that was asked for */
    bool is_open;       /* a quote was not closed before the data's end */
} csv_record;

/*
 * Reads the record that begins at `from`, and takes its field number `column`,
 * from 0. Without a newline before `end` there is no record, unless is_last: it
 * then ends there. May read 16 bytes after `end`. Cost: reads the record.
 */
csv_record csv_read(const uint8_t *from, const uint8_t *end, uint8_t delimiter,
                    uint32_t column, bool is_last);

/*
 * Reads one field of a record, which begins at `from`, into out->field. Returns
 * where the next one begins; NULL after the last, and out->end is then set.
 */
const uint8_t *csv_next(const uint8_t *from, const uint8_t *end,
                        uint8_t delimiter, csv_record *out);

/* Writes what the field means to `to`, which has room for field->size bytes.
 * Returns how many bytes that is. */
size_t csv_decode(const csv_field *field, uint8_t *to);

/* Does the field mean its own bytes, but for the quotes around them? Then these
 * are stored in *plain. */
bool csv_is_plain(const csv_field *field, csv_field *plain);

#endif
