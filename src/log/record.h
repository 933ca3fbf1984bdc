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
 *     LANED PUSH   'Q'  an item with a priority, 1 to 9: the priority (1), then
 *                   as PUSH, or of 'U' as TIMED
 *     LANED ACK    'B'  an ACK of such items: first (8), count (4), priority of
 *                   all of them (4), repeated
 *     SEEN     'S'  a URL went into the set without an item: time as in RENEWAL
 *                   (8), URL
 *     FORGET   'F'  a URL is new again: URL
 *     HOST     'N'  a setting of a host of a polite queue. The moment when it
 *                   was made: the id of the boot (16), the steady clock in ns
 *                   (8), the wall clock in seconds (8). Which of the following
 *                   are set (4): 1 the delay, 2 the block, 4 the budget. Zero
 *                   (4). Delay in ms, or 2^64 - 1 as all (8). Budget, or 0 as
 *                   all (8). Until when it is blocked, on the steady clock in
 *                   ns (8). Its name
 *     HANDED   'O'  in a polite queue: items may be handed out after this that
 *                   no state knows of
 *     MOVED    'V'  in a polite queue: an item that is not acked is written
 *                   again, and its record before is not needed any more. Its
 *                   number (8), the type of its push (1), the payload of that
 *     FILLER   'H'  written by repair over damage: the payload has no meaning
 *                   and the crc covers bytes 4..19 only; the item number is
 *                   that of the next PUSH, so the items in between are lost
 *
 * A queue has records of the types Q, U, B, S and F only if its manifest is of
 * version 3, of the types N and O only if it is polite: version 7, and of the
 * type V only if that has the number 6 for its log.
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
    SS_PUSH_LANE_BYTES = 1,
    SS_ACK_RANGE_BYTES = 12,
    SS_LANED_RANGE_BYTES = 16,
    SS_SEEN_PREFIX_BYTES = 8,
    SS_HOST_AT_SETS = 32,
    SS_HOST_AT_DELAY = 40,
    SS_HOST_PREFIX_BYTES = 64,
    SS_HOST_SETS_ALL = 7,
    SS_MOVED_PREFIX_BYTES = 9,
    SS_LANES = 10, /* one for each priority, 0 to 9 */
    SS_DURABLE_RECORD_BYTES = SS_RECORD_HEADER_BYTES + 8,
    SS_PAYLOAD_MAX = 0x110000 /* 1 MiB and some room; no record has more */
};

/* 366 days. */
#define SS_HOST_MOST_DELAY_MS UINT64_C(31622400000)

/* Items have lower numbers, so that a lease has room for one and a byte. */
#define SS_ITEM_END (UINT64_C(1) << 56)

typedef enum ss_record_type {
    SS_RECORD_PUSH = 'P',
    SS_RECORD_TIMED_PUSH = 'T',
    SS_RECORD_RENEWAL = 'R',
    SS_RECORD_ACK = 'A',
    SS_RECORD_LANED_PUSH = 'Q',
    SS_RECORD_LANED_TIMED_PUSH = 'U',
    SS_RECORD_LANED_ACK = 'B',
    SS_RECORD_SEEN = 'S',
    SS_RECORD_FORGET = 'F',
    SS_RECORD_HOST = 'N',
    SS_RECORD_HANDED = 'O',
    SS_RECORD_MOVED = 'V',
    SS_RECORD_DURABLE = 'M',
    SS_RECORD_FILLER = 'H'
} ss_record_type;

typedef struct ss_record {
    ss_record_type type;
    uint64_t item;
    const uint8_t *payload;
    uint32_t payload_bytes;
    uint32_t before_bytes; /* before this payload, in a MOVED record's */
} ss_record;

/* An item with its priority, with its time. */
static inline bool ss_record_has_lane(ss_record_type type)
{
    return type == SS_RECORD_LANED_PUSH || type == SS_RECORD_LANED_TIMED_PUSH;
}

static inline bool ss_record_has_time(ss_record_type type)
{
    return type == SS_RECORD_TIMED_PUSH || type == SS_RECORD_LANED_TIMED_PUSH;
}

/* Is it an item, with or without these? */
static inline bool ss_record_is_push(ss_record_type type)
{
    return type == SS_RECORD_PUSH || type == SS_RECORD_TIMED_PUSH ||
           ss_record_has_lane(type);
}

/* Which types of records a queue writes. */
typedef struct ss_record_kinds {
    bool is_timed, is_sliding; /* its set's window */
    bool is_extended;          /* its manifest is of version 3 */
    bool is_polite;            /* and of version 7, */
    bool has_moved;            /* with 6 for its log */
} ss_record_kinds;

static inline bool ss_record_is_extended(ss_record_type type)
{
    return ss_record_has_lane(type) || type == SS_RECORD_LANED_ACK ||
           type == SS_RECORD_SEEN || type == SS_RECORD_FORGET;
}

/* Does such a queue write records of this type? */
static inline bool ss_record_is_of(ss_record_type type, ss_record_kinds kinds)
{
    if (type == SS_RECORD_RENEWAL)
        return kinds.is_sliding;
    if (type == SS_RECORD_HOST || type == SS_RECORD_HANDED)
        return kinds.is_polite;
    if (type == SS_RECORD_MOVED)
        return kinds.has_moved;
    if (ss_record_is_extended(type) && !kinds.is_extended)
        return false;
    return !ss_record_is_push(type) ||
           ss_record_has_time(type) == kinds.is_timed;
}

static inline size_t ss_record_bytes(const ss_record *record)
{
    return SS_RECORD_HEADER_BYTES + (size_t)record->before_bytes +
           record->payload_bytes;
}

/* The push in a MOVED record, as if it was one; other records as they are. */
static inline ss_record ss_record_pushed(const ss_record *record)
{
    if (record->type != SS_RECORD_MOVED)
        return *record;
    return (ss_record){.type = (ss_record_type)record->payload[8],
                       .item = ss_bits_load(record->payload, 8),
                       .payload = record->payload + SS_MOVED_PREFIX_BYTES,
                       .payload_bytes =
                           record->payload_bytes - SS_MOVED_PREFIX_BYTES,
                       .before_bytes = SS_MOVED_PREFIX_BYTES};
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

/* The URL and the data of a push; seconds: 0 without a time. */
typedef struct ss_push {
    const uint8_t *url, *data;
    size_t url_len, data_len;
    uint64_t seconds;
    unsigned lane;
} ss_push;

static inline ss_record_type ss_record_push_type(bool is_timed, unsigned lane)
{
    if (lane > 0)
        return is_timed ? SS_RECORD_LANED_TIMED_PUSH : SS_RECORD_LANED_PUSH;
    return is_timed ? SS_RECORD_TIMED_PUSH : SS_RECORD_PUSH;
}

/* What comes before the URL in the payload of a push. */
static inline size_t ss_record_push_prefix_bytes(ss_record_type type)
{
    size_t bytes = SS_PUSH_PREFIX_BYTES;
    if (ss_record_has_lane(type))
        bytes += SS_PUSH_LANE_BYTES;
    if (ss_record_has_time(type))
        bytes += SS_PUSH_TIME_BYTES;
    return bytes;
}

void ss_record_put_push_prefix(uint8_t *payload, ss_record_type type,
                               const ss_push *push);

ss_push ss_push_of(const ss_record *record);

/* The priority of a push. */
static inline unsigned ss_record_lane(const ss_record *record)
{
    return ss_record_has_lane(record->type) ? record->payload[0] : 0;
}

/* Items that an ACK or a LANED ACK says are done. */
typedef struct ss_acked {
    uint64_t first, count;
    unsigned lane;
} ss_acked;

static inline size_t ss_record_range_bytes(ss_record_type type)
{
    return type == SS_RECORD_LANED_ACK ? SS_LANED_RANGE_BYTES
                                       : SS_ACK_RANGE_BYTES;
}

/* The range at `at` bytes in the payload. */
ss_acked ss_acked_at(const ss_record *record, size_t at);

void ss_segment_encode(uint8_t bytes[SS_SEGMENT_HEADER_BYTES], uint32_t log_id,
                       uint64_t start);
bool ss_segment_is_valid(const uint8_t bytes[SS_SEGMENT_HEADER_BYTES],
                         uint32_t log_id, uint64_t start);

#endif
