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

/* Only items that were pushed before can be acked. */
static bool are_ranges_sound(const ss_record *record)
{
    uint32_t bytes = record->payload_bytes;
    for (uint32_t i = 0; i < bytes; i += SS_ACK_RANGE_BYTES) {
        uint64_t first = ss_bits_load(record->payload + i, 8);
        uint64_t count = ss_bits_load(record->payload + i + 8, 4);
        if (first > record->item || count > record->item - first)
            return false;
    }
    return bytes > 0;
}

/* Does the URL end in the payload? */
static bool is_push_shaped(const ss_record *record)
{
    size_t prefix = ss_record_push_prefix_bytes(record->type);
    const uint8_t *length = record->payload + prefix - SS_PUSH_PREFIX_BYTES;
    return record->payload_bytes >= prefix &&
           ss_bits_load(length, SS_PUSH_PREFIX_BYTES) <=
               record->payload_bytes - prefix;
}

/* Checks the payload by its type, so that readers need not. */
static bool is_shaped(const ss_record *record)
{
    uint32_t bytes = record->payload_bytes;
    switch (record->type) {
    case SS_RECORD_PUSH:
    case SS_RECORD_TIMED_PUSH:
        return is_push_shaped(record);
    case SS_RECORD_RENEWAL:
        return bytes == SS_RENEWAL_BYTES;
    case SS_RECORD_ACK:
        return bytes % SS_ACK_RANGE_BYTES == 0 && are_ranges_sound(record);
    case SS_RECORD_DURABLE:
        return bytes == 8;
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
                               size_t url_len, uint64_t seconds)
{
    if (type == SS_RECORD_TIMED_PUSH) {
        ss_bits_store(payload, SS_PUSH_TIME_BYTES, seconds);
        payload += SS_PUSH_TIME_BYTES;
    }
    ss_bits_store(payload, SS_PUSH_PREFIX_BYTES, url_len);
}

ss_push ss_push_of(const ss_record *record)
{
    size_t prefix = ss_record_push_prefix_bytes(record->type);
    const uint8_t *url = record->payload + prefix;
    size_t url_len =
        (size_t)ss_bits_load(url - SS_PUSH_PREFIX_BYTES, SS_PUSH_PREFIX_BYTES);
    bool is_timed = record->type == SS_RECORD_TIMED_PUSH;
    return (ss_push){
        .url = url,
        .url_len = url_len,
        .data = url + url_len,
        .data_len = record->payload_bytes - prefix - url_len,
        .seconds =
            is_timed ? ss_bits_load(record->payload, SS_PUSH_TIME_BYTES) : 0};
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
