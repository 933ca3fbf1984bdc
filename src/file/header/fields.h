/*
 * fields.h - where each field of a file's header is: the table of
 * docs/format.md for the encoder (header/write.c) and the decoder
 * (header/read.c, header/identity.c).
 */
#ifndef SS_FILE_HEADER_FIELDS_H
#define SS_FILE_HEADER_FIELDS_H

#include <string.h>

#include "file/header/header.h"
#include "hash/checksum.h"

/* Offsets in the fixed part; docs/format.md has the same table. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_JOURNAL_MARK = 11, /* the version's last byte */
    AT_HEADER_BYTES = 12,
    AT_FILE_BYTES = 16,
    AT_HASH = 24,
    AT_SCHEME = 28,
    AT_HASH_CHECK = 32,
    AT_LAYOUT = 40,
    AT_ON_FULL = 44,
    AT_GENERATION_COUNT = 48,
    AT_PLACE_BITS = 52, /* from here to 80: version 2 */
    AT_WINDOW_GENERATIONS = 56,
    AT_FLAGS = 60, /* version 3 */
    AT_WINDOW_SECONDS = 64,
    AT_WHOLE_CAPACITY = 72,
    AT_WHOLE_RATE = 80,
    AT_RESERVED = 88, /* up to 120, before version 3 */
    AT_BLOCK_BYTES = 88,
    AT_SUMS_OFFSET = 96,
    AT_SUMS_BYTES = 104,
    AT_SUMS_CHECKSUM = 112,
    AT_CHECKSUM = 120
};

/* Offsets in a record of a generation. */
enum {
    IN_SIZE_BITS = 0,
    IN_HASH_COUNT = 8,
    IN_LAYOUT = 12,      /* from version 6 on */
    IN_RESERVED_12 = 12, /* before it */
    IN_CAPACITY_ITEMS = 16,
    IN_FP_RATE = 24,
    IN_ADDED_ITEMS = 32,
    IN_PAYLOAD_OFFSET = 40,
    IN_PAYLOAD_BYTES = 48,
    IN_PAYLOAD_CHECKSUM = 56,
    RECORD_1_BYTES = 64,
    IN_STARTED_SECONDS = 64,  /* from here on: version 2 */
    IN_FINGERPRINT_BITS = 72, /* from here to 104: sealed */
    IN_UNIT_BITS = 72,        /* and expandable */
    IN_RESERVED_76 = 76,
    IN_SEGMENT_LENGTH = 80,
    IN_SEGMENT_COUNT = 88, /* of both */
    IN_SEED = 96,
    IN_NOTICED_SECONDS = 104, /* version 3 */
    IN_RESERVED_104 = 104,    /* before it */
    IN_RESERVED_112 = 112,
    RECORD_2_BYTES = 128
};

/* Offsets in the arguments, which follow the records in versions 4, 6 and 7. */
enum {
    OF_SEED = 0,
    OF_UNIT_BITS = 8,
    OF_SEED_COUNT = 12,
    OF_SEEDS = 16
};

/* In the byte at AT_JOURNAL_MARK, which is 0 in a file without a journal. */
enum {
    JOURNAL_MARK = 0x80
};

/* Of the flags. */
enum {
    FLAG_SLIDING = 1 /* a window in which a key that is seen stays */
};

/* A byte no text has, the name, and line ends that text transfers change. */
static const uint8_t ss_header_magic[8] = {0x89, 'S',  'S',  'E',
                                           'T',  '\r', '\n', 0x1A};

/* Does it say that keys are in a journal beside it? Only versions that are
 * written can. */
static inline bool ss_header_is_marked(const uint8_t *bytes)
{
    return bytes[AT_JOURNAL_MARK] == JOURNAL_MARK && bytes[AT_VERSION] >= 3 &&
           bytes[AT_VERSION] <= SS_HEADER_VERSION &&
           bytes[AT_VERSION + 1] == 0 && bytes[AT_VERSION + 2] == 0;
}

/* The version, without the mark. */
static inline uint32_t ss_header_version(const uint8_t *bytes)
{
    return ss_header_is_marked(bytes)
               ? bytes[AT_VERSION]
               : (uint32_t)ss_bits_load(bytes + AT_VERSION, 4);
}

static inline size_t ss_header_record_bytes(uint32_t version)
{
    return version == 1 ? RECORD_1_BYTES : RECORD_2_BYTES;
}

/* Where the records end. */
static inline size_t ss_header_arguments_offset(uint32_t version,
                                                uint32_t count)
{
    return SS_HEADER_FIXED_BYTES + count * ss_header_record_bytes(version);
}

/* Do arguments of a scheme follow the records? */
static inline bool ss_header_has_arguments(uint32_t version)
{
    return version == 4 || version >= 6;
}

/* The length of the arguments, in whole lines. */
static inline size_t ss_header_arguments_bytes(uint32_t version,
                                               uint32_t seed_count)
{
    size_t bytes = OF_SEEDS + (size_t)seed_count * sizeof(uint32_t);
    return ss_header_has_arguments(version)
               ? (bytes + SS_LINE_BYTES - 1) / SS_LINE_BYTES * SS_LINE_BYTES
               : 0;
}

/* A window by age whose tables are made as keys come. */
static inline bool ss_header_is_by_age(const ss_header *header)
{
    return header->version > 2 &&
           header->kind.on_full == SEENSET_ON_FULL_ROTATE &&
           header->kind.window_seconds > 0;
}

static inline uint64_t ss_header_payload_bytes(const ss_header *header,
                                               const ss_table_record *record)
{
    if (record->is_expandable)
        return ss_image_bytes(&record->image);
    return ss_table_words_for(record->size_bits, header->cell_bits) *
           sizeof(uint64_t);
}

static inline uint64_t ss_header_blocks(uint64_t payload_bytes)
{
    return payload_bytes / SS_BLOCK_BYTES +
           (payload_bytes % SS_BLOCK_BYTES != 0);
}

static inline bool ss_header_is_zero(const uint8_t *bytes, size_t from,
                                     size_t to)
{
    uint8_t any = 0;
    for (size_t i = from; i < to; i++)
        any |= bytes[i];
    return any == 0;
}

/* XXH3-64 of all header bytes, those of the checksum itself and the mark of a
 * journal taken as zero. */
static inline uint64_t ss_header_checksum(const uint8_t *bytes,
                                          size_t header_bytes)
{
    static const uint8_t zeros[8] = {0};
    XXH3_state_t state;
    ss_checksum_start(&state);
    ss_checksum_add(&state, bytes, AT_JOURNAL_MARK);
    ss_checksum_add(
        &state, ss_header_is_marked(bytes) ? zeros : bytes + AT_JOURNAL_MARK,
        1);
    ss_checksum_add(&state, bytes + AT_JOURNAL_MARK + 1,
                    AT_CHECKSUM - AT_JOURNAL_MARK - 1);
    ss_checksum_add(&state, zeros, sizeof zeros);
    ss_checksum_add(&state, bytes + SS_HEADER_FIXED_BYTES,
                    header_bytes - SS_HEADER_FIXED_BYTES);
    return ss_checksum_end(&state);
}

/* How keys are hashed, by a header whose length and checksum were checked
 * (header/identity.c). */
int ss_header_decode_identity(ss_header *header, const uint8_t *bytes,
                              seenset_file_report *report);

#endif
