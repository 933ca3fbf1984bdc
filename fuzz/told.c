/* told.c - items, and what a log says of them; the idea is in told.h */
#define _POSIX_C_SOURCE 200809L
#include "told.h"

#include "base/bits.h"
#include "base/crc32c.h"
#include "harness.h"
#include "queue/handle.h"

bool told_has(const told_items *in, uint64_t number)
{
    for (size_t i = 0; i < in->count; i++)
        if (in->numbers[i] == number)
            return true;
    return false;
}

void told_add(told_items *to, uint64_t number, uint64_t priority)
{
    if (to->count == MOST_ITEMS) {
        to->is_whole = false;
        return;
    }
    to->numbers[to->count] = number;
    to->priorities[to->count++] = (uint8_t)priority;
}

/* It is acked as an item of this priority, which says nothing of others. */
static void told_drop(told_items *from, uint64_t number, uint8_t priority)
{
    for (size_t i = 0; i < from->count; i++)
        if (from->numbers[i] == number && from->priorities[i] == priority) {
            from->numbers[i] = from->numbers[--from->count];
            from->priorities[i--] = from->priorities[from->count];
        }
}

void told_compare(const told_items *a, const told_items *b, const char *lost,
                  const char *added)
{
    if (!a->is_whole || !b->is_whole)
        return;
    for (size_t i = 0; i < a->count; i++)
        fuzz_must(told_has(b, a->numbers[i]), lost);
    for (size_t i = 0; i < b->count; i++)
        fuzz_must(told_has(a, b->numbers[i]), added);
}

/* ---- the log, read by somebody else ---- */

static bool is_push(uint8_t type)
{
    return type == 'P' || type == 'T' || type == 'Q' || type == 'U';
}

/* Perhaps the priority, perhaps the time, the URL's length and the URL. */
static bool is_push_written(uint8_t type, const uint8_t *in, size_t payload)
{
    bool has_priority = type == 'Q' || type == 'U';
    size_t prefix = type == 'T' || type == 'U' ? 12 : 4;
    prefix += has_priority ? 1 : 0;
    return payload >= prefix && (!has_priority || (in[0] >= 1 && in[0] <= 9)) &&
           ss_bits_load(in + prefix - 4, 4) <= payload - prefix;
}

/* Of an ack, with or without a priority; else 0. */
static size_t range_bytes(uint8_t type)
{
    return type == 'A' ? 12 : type == 'B' ? 16 : 0;
}

/* Is this what a queue writes? docs/queue.md: anything else is no record. */
static bool is_written_by_queues(const uint8_t *bytes, size_t payload)
{
    uint64_t item = ss_bits_load(bytes + 12, 8);
    const uint8_t *in = bytes + 20;
    if (item >> 56 != 0 || payload > SS_PAYLOAD_MAX)
        return false;
    if (is_push(bytes[7]))
        return is_push_written(bytes[7], in, payload);
    size_t range = range_bytes(bytes[7]);
    for (size_t at = 0; range > 0 && at + range <= payload; at += range)
        if (ss_bits_load(in + at, 8) > item ||
            ss_bits_load(in + at + 8, 4) > item - ss_bits_load(in + at, 8) ||
            (range == 16 && ss_bits_load(in + at + 12, 4) > 9))
            return false;
    return bytes[7] == 'H' || bytes[7] == 'F' ||
           (bytes[7] == 'M' && payload == 8) ||
           (bytes[7] == 'R' && payload == 16) ||
           (bytes[7] == 'S' && payload >= 8) ||
           (range > 0 && payload > 0 && payload % range == 0);
}

/* A range of an ack, as an item of some priority each. */
static void add_range(told_items *acked, const uint8_t *range,
                      size_t range_size)
{
    uint64_t first = ss_bits_load(range, 8);
    uint64_t count = ss_bits_load(range + 8, 4);
    for (uint64_t i = 0; i < count && i < MOST_ITEMS; i++)
        told_add(acked, first + i, range_size == 16 ? range[12] : 0);
}

/* One record; false where there is none. */
static bool read_record(told_items *told, told_items *acked,
                        const uint8_t *bytes, size_t left, uint32_t log_id,
                        size_t *record_bytes)
{
    size_t payload = left < 20 ? left : (size_t)ss_bits_load(bytes + 4, 3);
    if (left < 20 || payload > left - 20 ||
        ss_bits_load(bytes + 8, 4) != log_id)
        return false;
    size_t covered = bytes[7] == 'H' ? 16 : 16 + payload;
    if (ss_bits_load(bytes, 4) != ss_crc32c(bytes + 4, covered) ||
        !is_written_by_queues(bytes, payload))
        return false;
    size_t range = range_bytes(bytes[7]);
    if (is_push(bytes[7]))
        told_add(told, ss_bits_load(bytes + 12, 8),
                 bytes[7] == 'Q' || bytes[7] == 'U' ? bytes[20] : 0);
    for (size_t at = 20; range > 0 && at + range <= 20 + payload; at += range)
        add_range(acked, bytes + at, range);
    *record_bytes = 20 + payload;
    return true;
}

/* Segments end to end from 0, and what can be read in them. Where one is longer
 * than the next one's name says the rest is not known. */
void told_read(told_items *told, disk *folder)
{
    told_items acked = {.is_whole = true};
    uint64_t position = 0;
    size_t *size_bytes, record_bytes;
    int segment_count = 0;
    const uint8_t *bytes = disk_file(folder, SS_FOLDER_MANIFEST, &size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(bytes + 8, 4);
    *told = (told_items){.is_whole = true};
    for (;;) {
        char name[SS_FOLDER_NAME_BYTES];
        ss_folder_name(name, SS_FOLDER_LOG, position);
        bytes = disk_file(folder, name, &size_bytes);
        if (bytes == NULL)
            break;
        segment_count++;
        for (size_t at = SS_SEGMENT_HEADER_BYTES;
             at < *size_bytes &&
             read_record(told, &acked, bytes + at, *size_bytes - at, log_id,
                         &record_bytes);
             at += record_bytes)
            ;
        if (*size_bytes == 0)
            break;
        position += *size_bytes;
    }
    for (size_t i = 0; i < acked.count; i++)
        told_drop(told, acked.numbers[i], acked.priorities[i]);
    told->is_whole &= acked.is_whole &&
                      disk_name(folder, SS_FOLDER_LOG, segment_count) == NULL;
    for (size_t i = 0; i < told->count && FUZZ_IS_PLANTED; i++)
        if (told->priorities[i] > 0)
            told->numbers[i] += 1000000;
}
