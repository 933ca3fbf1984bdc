/*
 * header.c - encode, decode and doubt the header of a file.
 *
 * Order of doubt: magic, version, length, checksum, then every field. The
 * checksum finds accidents; the fields are checked all the same, because who
 * forges a file can forge a checksum.
 */
#include "header.h"

#include <string.h>

#include "hash.h"
#include "plan.h"
#include "table.h"

/* Offsets in the fixed part; docs/format.md has the same table. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_FILE_BYTES = 16,
    AT_HASH = 24,
    AT_SCHEME = 28,
    AT_HASH_CHECK = 32,
    AT_LAYOUT = 40,
    AT_ON_FULL = 44,
    AT_GENERATION_COUNT = 48,
    AT_RESERVED = 52,
    AT_CHECKSUM = 120
};

/* Offsets in the generation that follows it. */
enum {
    AT_SIZE_BITS = SS_HEADER_FIXED_BYTES,
    AT_HASH_COUNT = SS_HEADER_FIXED_BYTES + 8,
    AT_RESERVED_2 = SS_HEADER_FIXED_BYTES + 12,
    AT_CAPACITY_ITEMS = SS_HEADER_FIXED_BYTES + 16,
    AT_FP_RATE = SS_HEADER_FIXED_BYTES + 24,
    AT_ADDED_ITEMS = SS_HEADER_FIXED_BYTES + 32,
    AT_PAYLOAD_OFFSET = SS_HEADER_FIXED_BYTES + 40,
    AT_PAYLOAD_BYTES = SS_HEADER_FIXED_BYTES + 48,
    AT_PAYLOAD_CHECKSUM = SS_HEADER_FIXED_BYTES + 56
};

/* A byte no text has, the name, and line ends that text transfers change. */
static const uint8_t magic[8] = {0x89, 'S', 'S', 'E', 'T', '\r', '\n', 0x1A};

static uint64_t hash_check(void)
{
    return ss_hash_key("seenset", 7);
}

/* XXH3-64 of all header bytes but the checksum itself. */
static uint64_t header_checksum(const uint8_t bytes[SS_HEADER_BYTES])
{
    uint8_t covered[SS_HEADER_BYTES];
    memcpy(covered, bytes, SS_HEADER_BYTES);
    memset(covered + AT_CHECKSUM, 0, 8);
    return ss_hash_key(covered, SS_HEADER_BYTES);
}

uint64_t ss_header_payload_bytes(uint64_t size_bits)
{
    return ss_table_word_count(size_bits) * sizeof(uint64_t);
}

static void encode_fixed(const ss_header *header, uint8_t *bytes)
{
    memcpy(bytes + AT_MAGIC, magic, sizeof magic);
    ss_bits_store(bytes + AT_VERSION, 4, SS_HEADER_VERSION);
    ss_bits_store(bytes + AT_HEADER_BYTES, 4, SS_HEADER_BYTES);
    ss_bits_store(bytes + AT_FILE_BYTES, 8,
                  SS_HEADER_BYTES + header->payload_bytes);
    ss_bits_store(bytes + AT_HASH, 4, SS_HASH_XXH3_64);
    ss_bits_store(bytes + AT_SCHEME, 4, SS_SCHEME_CHAIN);
    ss_bits_store(bytes + AT_HASH_CHECK, 8, hash_check());
    ss_bits_store(bytes + AT_LAYOUT, 4, header->layout);
    ss_bits_store(bytes + AT_ON_FULL, 4, header->on_full);
    ss_bits_store(bytes + AT_GENERATION_COUNT, 4, 1);
}

static void encode_generation(const ss_header *header, uint8_t *bytes)
{
    uint64_t fp_rate_bits;
    memcpy(&fp_rate_bits, &header->fp_rate, sizeof fp_rate_bits);
    ss_bits_store(bytes + AT_SIZE_BITS, 8, header->size_bits);
    ss_bits_store(bytes + AT_HASH_COUNT, 4, header->hash_count);
    ss_bits_store(bytes + AT_CAPACITY_ITEMS, 8, header->capacity_items);
    ss_bits_store(bytes + AT_FP_RATE, 8, fp_rate_bits);
    ss_bits_store(bytes + AT_ADDED_ITEMS, 8, header->added_items);
    ss_bits_store(bytes + AT_PAYLOAD_OFFSET, 8, SS_HEADER_BYTES);
    ss_bits_store(bytes + AT_PAYLOAD_BYTES, 8, header->payload_bytes);
    ss_bits_store(bytes + AT_PAYLOAD_CHECKSUM, 8, header->payload_checksum);
}

void ss_header_encode(const ss_header *header, uint8_t bytes[SS_HEADER_BYTES])
{
    memset(bytes, 0, SS_HEADER_BYTES);
    encode_fixed(header, bytes);
    encode_generation(header, bytes);
    ss_bits_store(bytes + AT_CHECKSUM, 8, header_checksum(bytes));
}

int ss_header_refuse(seenset_report *report, int error, uint64_t offset,
                     const char *reason)
{
    report->offset = offset;
    strncpy(report->reason, reason, sizeof report->reason - 1);
    report->reason[sizeof report->reason - 1] = '\0';
    return error;
}

/* Is it ours, of our version, and is the whole header there and unhurt? */
static int check_envelope(const uint8_t *bytes, size_t size_bytes,
                          seenset_report *report)
{
    size_t compared = size_bytes < sizeof magic ? size_bytes : sizeof magic;
    if (memcmp(bytes, magic, compared) != 0)
        return ss_header_refuse(report, SEENSET_EFORMAT, AT_MAGIC,
                                "the first 8 bytes are not seenset's");
    if (size_bytes < AT_HEADER_BYTES)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size_bytes,
                                "the file ends inside the header");
    if (ss_bits_load(bytes + AT_VERSION, 4) != SS_HEADER_VERSION)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_VERSION,
                                "the format version is not 1");
    if (size_bytes < SS_HEADER_BYTES)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size_bytes,
                                "the file ends inside the header");
    if (ss_bits_load(bytes + AT_CHECKSUM, 8) != header_checksum(bytes))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_CHECKSUM,
                                "the header's checksum is wrong");
    return SEENSET_OK;
}

static bool is_zero(const uint8_t *bytes, size_t size_bytes)
{
    uint8_t any = 0;
    for (size_t i = 0; i < size_bytes; i++)
        any |= bytes[i];
    return any == 0;
}

/* The fields that say what kind of set it is. */
static int decode_kind(ss_header *header, const uint8_t *bytes,
                       seenset_report *report)
{
    if (ss_bits_load(bytes + AT_HASH, 4) != SS_HASH_XXH3_64 ||
        ss_bits_load(bytes + AT_SCHEME, 4) != SS_SCHEME_CHAIN)
        return ss_header_refuse(report, SEENSET_EHASH, AT_HASH,
                                "the hash or the index scheme is unknown");
    if (ss_bits_load(bytes + AT_HASH_CHECK, 8) != hash_check())
        return ss_header_refuse(report, SEENSET_EHASH, AT_HASH_CHECK,
                                "the writer's hash gave other values");
    header->layout = (seenset_layout)ss_bits_load(bytes + AT_LAYOUT, 4);
    if (ss_layout_find(header->layout, false) == NULL)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_LAYOUT,
                                "the layout is unknown to this version");
    header->on_full = (seenset_on_full)ss_bits_load(bytes + AT_ON_FULL, 4);
    if (header->on_full != SEENSET_DEGRADE && header->on_full != SEENSET_REFUSE)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_ON_FULL,
                                "the policy is unknown to this version");
    if (ss_bits_load(bytes + AT_GENERATION_COUNT, 4) != 1 ||
        ss_bits_load(bytes + AT_HEADER_BYTES, 4) != SS_HEADER_BYTES)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_GENERATION_COUNT,
                                "more generations than this version reads");
    if (!is_zero(bytes + AT_RESERVED, AT_CHECKSUM - AT_RESERVED) ||
        !is_zero(bytes + AT_RESERVED_2, AT_CAPACITY_ITEMS - AT_RESERVED_2))
        return ss_header_refuse(report, SEENSET_EVERSION, AT_RESERVED,
                                "reserved bytes are in use");
    return SEENSET_OK;
}

/* The fields that say how large it is and what it promises. */
static int decode_generation(ss_header *header, const uint8_t *bytes,
                             seenset_report *report)
{
    header->size_bits = ss_bits_load(bytes + AT_SIZE_BITS, 8);
    header->hash_count = (uint32_t)ss_bits_load(bytes + AT_HASH_COUNT, 4);
    if (!ss_plan_is_shape(header->layout, header->size_bits,
                          header->hash_count))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_SIZE_BITS,
                                "no table has this size and hash count");
    header->capacity_items = ss_bits_load(bytes + AT_CAPACITY_ITEMS, 8);
    if (header->capacity_items == 0 ||
        header->capacity_items > SEENSET_MAX_SIZE_BITS)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_CAPACITY_ITEMS,
                                "the capacity is outside its range");
    uint64_t fp_rate_bits = ss_bits_load(bytes + AT_FP_RATE, 8);
    memcpy(&header->fp_rate, &fp_rate_bits, sizeof header->fp_rate);
    if (!(header->fp_rate > 0.0 && header->fp_rate <= 1.0))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_FP_RATE,
                                "the false-positive rate is outside (0, 1]");
    header->added_items = ss_bits_load(bytes + AT_ADDED_ITEMS, 8);
    if (header->added_items > SEENSET_MAX_SIZE_BITS)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_ADDED_ITEMS,
                                "more keys than a table can hold");
    header->payload_checksum = ss_bits_load(bytes + AT_PAYLOAD_CHECKSUM, 8);
    return SEENSET_OK;
}

/* Every length in the file against the one that the shape asks for. */
static int check_lengths(ss_header *header, const uint8_t *bytes,
                         uint64_t file_bytes, seenset_report *report)
{
    header->payload_bytes = ss_header_payload_bytes(header->size_bits);
    uint64_t whole_bytes = SS_HEADER_BYTES + header->payload_bytes;
    if (ss_bits_load(bytes + AT_PAYLOAD_OFFSET, 8) != SS_HEADER_BYTES ||
        ss_bits_load(bytes + AT_PAYLOAD_BYTES, 8) != header->payload_bytes)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_PAYLOAD_OFFSET,
                                "the payload is not where its size puts it");
    if (ss_bits_load(bytes + AT_FILE_BYTES, 8) != whole_bytes)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_FILE_BYTES,
                                "the file size does not fit the table's");
    if (file_bytes < whole_bytes)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, file_bytes,
                                "the file ends inside the payload");
    if (file_bytes > whole_bytes)
        return ss_header_refuse(report, SEENSET_ECORRUPT, whole_bytes,
                                "bytes follow the end of the set");
    return SEENSET_OK;
}

int ss_header_decode(ss_header *header, const uint8_t *bytes, size_t size_bytes,
                     uint64_t file_bytes, seenset_report *report)
{
    *report = (seenset_report){.file_bytes = file_bytes};
    if (size_bytes == 0)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, 0,
                                "the file is empty");
    int error = check_envelope(bytes, size_bytes, report);
    if (error == SEENSET_OK)
        error = decode_kind(header, bytes, report);
    if (error == SEENSET_OK)
        error = decode_generation(header, bytes, report);
    if (error == SEENSET_OK)
        error = check_lengths(header, bytes, file_bytes, report);
    return error;
}

int ss_header_check_payload(const ss_header *header, uint64_t checksum,
                            const uint8_t *last_line, seenset_report *report)
{
    if (checksum != header->payload_checksum)
        return ss_header_refuse(report, SEENSET_ECORRUPT, SS_HEADER_BYTES,
                                "the payload's checksum is wrong");
    unsigned used_bits = (unsigned)(header->size_bits % SS_LINE_BITS);
    for (unsigned i = used_bits; used_bits != 0 && i < SS_LINE_BITS; i++) {
        if (last_line[i / 8] >> (i % 8) & 1)
            return ss_header_refuse(report, SEENSET_ECORRUPT,
                                    SS_HEADER_BYTES + header->payload_bytes -
                                        SS_LINE_BYTES + i / 8,
                                    "a bit is set past the end of the table");
    }
    return SEENSET_OK;
}
