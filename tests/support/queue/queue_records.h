/*
 * queue_records.h - walks the records of one file of a queue's log.
 *
 *     records of = records_begin(bytes, size_bytes);
 *     while (records_next(&of))
 *         ... of.record, which begins at of.at ...
 *
 * The walk ends at the file's end, or where no record can be read. A pointer to
 * the bytes is kept: they must stay, and may be changed in places that were
 * walked over.
 */
#ifndef QUEUE_RECORDS_H
#define QUEUE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/record.h"

typedef struct records {
    const uint8_t *bytes;
    size_t size_bytes;
    uint32_t log_id;  /* as the file's header has it */
    size_t at, end;   /* of the record */
    ss_record record; /* what was read last */
} records;

/* Before the first record of a file, which has a header at least. */
records records_begin(const uint8_t *bytes, size_t size_bytes);

/* Goes on to the next one; false: there is none. */
bool records_next(records *of);

/* The n-th record of this type, from 0; false: there are fewer. */
bool records_find(records *of, ss_record_type type, int n);

/* Does a file of a log have an item that was moved? */
bool records_have_moved(const uint8_t *bytes, size_t size_bytes);

#endif
