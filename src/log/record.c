/* record.c - records and segment headers to bytes and back */
#include "log/record.h"

#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"

enum {
    AT_CRC = 0,
    AT_LENGTH = 4,
    AT_TYPE = 7,
    AT_LOG_ID = 8,
    AT_ITEM = 12
};

static const uint8_t segment_magic[8] = {'S', 'E', 'E', 'N', 'L', 'O', 'G', 1};

/* What the crc of a record covers, counted from AT_LENGTH. */
static size_t covered_bytes(ss_record_type type, size_t payload_bytes)
{
    size_t header = SS_RECORD_HEADER_BYTES - AT_LENGTH;
    return type == SS_RECORD_FILLER ? header : header + payload_bytes;
}

void ss_record_seal(uint8_t *bytes, uint32_t log_id, ss_record_type type,
                    uint64_t item, size_t payload_bytes)
{
    ss_bits_store(bytes + AT_LENGTH, 3, payload_bytes);
    bytes[AT_TYPE] = (uint8_t)type;
    ss_bits_store(bytes + AT_LOG_ID, 4, log_id);
    ss_bits_store(bytes + AT_ITEM, 8, item);
    uint32_t crc =
        ss_crc32c(bytes + AT_LENGTH, covered_bytes(type, payload_bytes));
    ss_bits_store(bytes + AT_CRC, 4, crc);
}

ss_acked ss_acked_at(const ss_record *record, size_t at)
{
    const uint8_t *range = record->payload + at;
    bool has_lane = record->type == SS_RECORD_LANED_ACK;
    return (ss_acked){.first = ss_bits_load(range, 8),
                      .count = ss_bits_load(range + 8, 4),
                      .lane =
                          has_lane ? (unsigned)ss_bits_load(range + 12, 4) : 0};
}

/* Only items that were pushed before can be acked. */
static bool are_ranges_sound(const ss_record *record)
{
    size_t bytes = record->payload_bytes;
    size_t range_bytes = ss_record_range_bytes(record->type);
    if (bytes == 0 || bytes % range_bytes != 0)
        return false;
    for (size_t i = 0; i < bytes; i += range_bytes) {
        ss_acked acked = ss_acked_at(record, i);
        if (acked.first > record->item ||
            acked.count > record->item - acked.first || acked.lane >= SS_LANES)
            return false;
    }
    return true;
}

/* Does the URL end in the payload, and is there such a priority? 0 is not
 * written. */
static bool is_push_shaped(const ss_record *record)
{
    size_t prefix = ss_record_push_prefix_bytes(record->type);
    const uint8_t *length = record->payload + prefix - SS_PUSH_PREFIX_BYTES;
    if (record->payload_bytes < prefix ||
        ss_bits_load(length, SS_PUSH_PREFIX_BYTES) >
            record->payload_bytes - prefix)
        return false;
    unsigned lane = ss_record_lane(record);
    return lane < SS_LANES && (lane > 0) == ss_record_has_lane(record->type);
}

/* Does it have an item that was pushed before? */
static bool is_moved_shaped(const ss_record *record)
{
    if (record->payload_bytes < SS_MOVED_PREFIX_BYTES)
        return false;
    const ss_record pushed = ss_record_pushed(record);
    return pushed.item < record->item && ss_record_is_push(pushed.type) &&
           is_push_shaped(&pushed);
}

/* Does it set what can be set, and to what a delay can be? */
static bool is_host_shaped(const ss_record *record)
{
    const uint8_t *payload = record->payload;
    if (record->payload_bytes < SS_HOST_PREFIX_BYTES)
        return false;
    uint64_t sets = ss_bits_load(payload + SS_HOST_AT_SETS, 8);
    uint64_t delay_ms = ss_bits_load(payload + SS_HOST_AT_DELAY, 8);
    return sets >= 1 && sets <= SS_HOST_SETS_ALL &&
           (delay_ms <= SS_HOST_MOST_DELAY_MS || delay_ms == UINT64_MAX);
}

/* Checks the payload by its type, so that readers need not. */
static bool is_shaped(const ss_record *record)
{
    uint32_t bytes = record->payload_bytes;
    switch (record->type) {
    case SS_RECORD_PUSH:
    case SS_RECORD_TIMED_PUSH:
    case SS_RECORD_LANED_PUSH:
    case SS_RECORD_LANED_TIMED_PUSH:
        return is_push_shaped(record);
    case SS_RECORD_RENEWAL:
        return bytes == SS_RENEWAL_BYTES;
    case SS_RECORD_ACK:
    case SS_RECORD_LANED_ACK:
        return are_ranges_sound(record);
    case SS_RECORD_SEEN:
        return bytes >= SS_SEEN_PREFIX_BYTES;
    case SS_RECORD_HOST:
        return is_host_shaped(record);
    case SS_RECORD_HANDED:
        return bytes == 0;
    case SS_RECORD_MOVED:
        return is_moved_shaped(record);
    case SS_RECORD_DURABLE:
        return bytes == 8;
    case SS_RECORD_FORGET:
    case SS_RECORD_FILLER:
        return true;
    default:
        return false;
    }
}

ss_decoded ss_record_decode(const uint8_t *bytes, size_t size_bytes,
                            uint32_t log_id, ss_record *out)
{
    if (size_bytes < SS_RECORD_HEADER_BYTES)
        return SS_DECODED_SHORT;
    if (ss_bits_load(bytes + AT_LOG_ID, 4) != log_id)
        return SS_DECODED_BAD;
    ss_record record = {.type = (ss_record_type)bytes[AT_TYPE],
                        .item = ss_bits_load(bytes + AT_ITEM, 8),
                        .payload = bytes + SS_RECORD_HEADER_BYTES,
                        .payload_bytes =
                            (uint32_t)ss_bits_load(bytes + AT_LENGTH, 3)};
    if (record.payload_bytes > SS_PAYLOAD_MAX || record.item >= SS_ITEM_END)
        return SS_DECODED_BAD;
    if (size_bytes < ss_record_bytes(&record))
        return SS_DECODED_SHORT;
    uint32_t crc = ss_crc32c(bytes + AT_LENGTH,
                             covered_bytes(record.type, record.payload_bytes));
    if (ss_bits_load(bytes + AT_CRC, 4) != crc || !is_shaped(&record))
        return SS_DECODED_BAD;
    *out = record;
    return SS_DECODED_RECORD;
}

void ss_record_put_push_prefix(uint8_t *payload, ss_record_type type,
                               const ss_push *push)
{
    if (ss_record_has_lane(type))
        *payload++ = (uint8_t)push->lane;
    if (ss_record_has_time(type)) {
        ss_bits_store(payload, SS_PUSH_TIME_BYTES, push->seconds);
        payload += SS_PUSH_TIME_BYTES;
    }
    ss_bits_store(payload, SS_PUSH_PREFIX_BYTES, push->url_len);
}

ss_push ss_push_of(const ss_record *record)
{
    size_t prefix = ss_record_push_prefix_bytes(record->type);
    const uint8_t *url = record->payload + prefix;
    size_t url_len =
        (size_t)ss_bits_load(url - SS_PUSH_PREFIX_BYTES, SS_PUSH_PREFIX_BYTES);
    bool is_timed = ss_record_has_time(record->type);
    return (ss_push){.url = url,
                     .url_len = url_len,
                     .data = url + url_len,
                     .data_len = record->payload_bytes - prefix - url_len,
                     .seconds = is_timed
                                    ? ss_bits_load(url - SS_PUSH_PREFIX_BYTES -
                                                       SS_PUSH_TIME_BYTES,
                                                   SS_PUSH_TIME_BYTES)
                                    : 0,
                     .lane = ss_record_lane(record)};
}

void ss_segment_encode(uint8_t bytes[SS_SEGMENT_HEADER_BYTES], uint32_t log_id,
                       uint64_t start)
{
    memset(bytes, 0, SS_SEGMENT_HEADER_BYTES);
    memcpy(bytes, segment_magic, sizeof segment_magic);
    ss_bits_store(bytes + 8, 4, log_id);
    ss_bits_store(bytes + 16, 8, start);
    ss_bits_store(bytes + 28, 4, ss_crc32c(bytes, 28));
}

bool ss_segment_is_valid(const uint8_t bytes[SS_SEGMENT_HEADER_BYTES],
                         uint32_t log_id, uint64_t start)
{
    uint8_t expected[SS_SEGMENT_HEADER_BYTES];
    ss_segment_encode(expected, log_id, start);
    return memcmp(bytes, expected, sizeof expected) == 0;
}
