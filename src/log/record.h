/*
 * record.h - the bytes of the to-visit queue's log: records and segments.
 *
 * The log is one sequence of bytes without an end, cut into segment files. A
 * *position* counts its bytes from 0. A segment is named after the position of
 * its first byte; a position minus that is the offset in the file. A segment
 * is a header, then records without gaps; no record crosses into the next one.
 *
 *     segment header, 32 bytes
 *      0  magic "SEENLOG\1"         16  start, position of byte 0 (8)
 *      8  log id (4)                24  zero (4)
 *     12  zero (4)                  28  crc32c of bytes 0..27 (4)
 *
 *     record, 20 bytes and a payload
 *      0  crc32c of all that follows, payload included (4)
 *      4  payload length (3)         8  log id (4)
 *      7  type (1)                  12  item number (8)
 *
 * Numbers are little-endian. A PUSH has its own item number, counted from 0;
 * any other record has that of the next PUSH. So reading can start at any
 * record and knows which item comes next. The log id is random, so that neither
 * another queue's bytes nor a payload is taken for a record.
 *
 *     PUSH     'P'  URL length (4), URL, data to the end
 *     TIMED    'T'  the same in a window by age: before all, the time of the
 *                   push in seconds since 1970 (8)
 *     RENEWAL  'R'  in a sliding window: a URL was seen again, and is
 *                   remembered anew: time as above, 0 in a window by number
 *                   (8), the URL's hash (8)
 *     ACK      'A'  ranges of items that are done: first (8), count (4),
 *                   repeated
 *     DURABLE  'M'  position up to which the log was durable when this was
 *                   written (8)
 *     FILLER   'H'  written by repair over damage: the payload has no meaning
 *                   and the crc covers bytes 4..19 only; the item number is
 *                   that of the next PUSH, so the items in between are lost
 */
#ifndef SS_LOG_RECORD_H
#define SS_LOG_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

enum {
    SS_SEGMENT_HEADER_BYTES = 32,
    SS_RECORD_HEADER_BYTES = 20,
    SS_PUSH_PREFIX_BYTES = 4,
    SS_PUSH_TIME_BYTES = 8,
    SS_RENEWAL_BYTES = 16,
    SS_ACK_RANGE_BYTES = 12,
    SS_DURABLE_RECORD_BYTES = SS_RECORD_HEADER_BYTES + 8,
    SS_PAYLOAD_MAX = 0x110000 /* 1 MiB and some room; no record has more */
};

/* Items have lower numbers, so that a lease has room for one and a byte. */
#define SS_ITEM_END (UINT64_C(1) << 56)

typedef enum ss_record_type {
    SS_RECORD_PUSH = 'P',
    SS_RECORD_TIMED_PUSH = 'T',
    SS_RECORD_RENEWAL = 'R',
    SS_RECORD_ACK = 'A',
    SS_RECORD_DURABLE = 'M',
    SS_RECORD_FILLER = 'H'
} ss_record_type;

typedef struct ss_record {
    ss_record_type type;
    uint64_t item;
    const uint8_t *payload;
    uint32_t payload_bytes;
} ss_record;

/* Is it an item, with or without its time? */
static inline bool ss_record_is_push(ss_record_type type)
{
    return type == SS_RECORD_PUSH || type == SS_RECORD_TIMED_PUSH;
}

/* Does a queue with such a set write records of this type? */
static inline bool ss_record_is_of(ss_record_type type, bool is_timed,
                                   bool is_sliding)
{
    if (type == SS_RECORD_RENEWAL)
        return is_sliding;
    return !ss_record_is_push(type) ||
           (type == SS_RECORD_TIMED_PUSH) == is_timed;
}

static inline size_t ss_record_bytes(const ss_record *record)
{
    return SS_RECORD_HEADER_BYTES + (size_t)record->payload_bytes;
}

/* Can a log that ends at log_end have this record at `at`? A DURABLE record is
 * about what comes before it, and there are no more items than bytes. */
static inline bool ss_record_is_possible(const ss_record *record, uint64_t at,
                                         uint64_t log_end)
{
    return record->item <= log_end && (record->type != SS_RECORD_DURABLE ||
                                       ss_bits_load(record->payload, 8) <= at);
}

/* Can it come next? Only a FILLER record leaves item numbers out. */
static inline bool ss_record_follows(const ss_record *record,
                                     uint64_t next_item)
{
    return record->item == next_item ||
           (record->type == SS_RECORD_FILLER && record->item > next_item);
}

/*
 * Writes the header of a record. Its payload is already there, at
 * bytes + SS_RECORD_HEADER_BYTES.
 */
void ss_record_seal(uint8_t *bytes, uint32_t log_id, ss_record_type type,
                    uint64_t item, size_t payload_bytes);

typedef enum ss_decoded {
    SS_DECODED_RECORD, /* *out is filled in and points into bytes */
    SS_DECODED_SHORT,  /* the record goes on after size_bytes */
    SS_DECODED_BAD     /* not a record of this log */
} ss_decoded;

/* Never reads past size_bytes; checks the crc and the payload's own shape. */
ss_decoded ss_record_decode(const uint8_t *bytes, size_t size_bytes,
                            uint32_t log_id, ss_record *out);

/* The URL and the data of a PUSH or TIMED PUSH; seconds: 0 without a time. */
typedef struct ss_push {
    const uint8_t *url, *data;
    size_t url_len, data_len;
    uint64_t seconds;
} ss_push;

/* What comes before the URL in the payload of either. */
static inline ss_record_type ss_record_push_type(bool is_timed)
{
    return is_timed ? SS_RECORD_TIMED_PUSH : SS_RECORD_PUSH;
}

static inline size_t ss_record_push_prefix_bytes(ss_record_type type)
{
    return SS_PUSH_PREFIX_BYTES +
           (type == SS_RECORD_TIMED_PUSH ? SS_PUSH_TIME_BYTES : 0);
}

void ss_record_put_push_prefix(uint8_t *payload, ss_record_type type,
                               size_t url_len, uint64_t seconds);

ss_push ss_push_of(const ss_record *record);

void ss_segment_encode(uint8_t bytes[SS_SEGMENT_HEADER_BYTES], uint32_t log_id,
                       uint64_t start);
bool ss_segment_is_valid(const uint8_t bytes[SS_SEGMENT_HEADER_BYTES],
                         uint32_t log_id, uint64_t start);

#endif
