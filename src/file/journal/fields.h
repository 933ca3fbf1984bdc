/*
 * fields.h - where each field of a journal is: the table of
 * docs/format.md for its reader (journal/read.c) and writer (journal/write.c).
 */
#ifndef SS_FILE_JOURNAL_FIELDS_H
#define SS_FILE_JOURNAL_FIELDS_H

#include "base/bits.h"
#include "file/journal/journal.h"
#include "hash/checksum.h"

enum {
    JOURNAL_VERSION = 1,
    AT_JOURNAL_MAGIC = 0,
    AT_JOURNAL_VERSION = 8,
    AT_JOURNAL_RESERVED = 12,
    AT_JOURNAL_SET = 16,
    AT_JOURNAL_CHECKSUM = 24,
    AT_JOURNAL_SLOTS = 32
};

/* In a slot. */
enum {
    IN_SLOT_END = 0,
    IN_SLOT_CHECKSUM = 8,
    SLOT_BYTES = 16,
    SLOT_COUNT = 2
};

/* In a record. */
enum {
    OF_RECORD_CHECKSUM = 0,
    OF_RECORD_COUNT = 8,
    OF_RECORD_RESERVED = 12,
    OF_RECORD_HASHES = SS_JOURNAL_RECORD_BYTES
};

/* The first bytes, without the 0 at the end. */
#define SS_JOURNAL_MAGIC "\x89SSJL\r\n\x1A"
enum {
    JOURNAL_MAGIC_BYTES = sizeof SS_JOURNAL_MAGIC - 1
};

static inline size_t ss_journal_record_bytes(uint64_t count)
{
    return SS_JOURNAL_RECORD_BYTES + (size_t)count * sizeof(uint64_t);
}

/* Of the fields before it. */
static inline uint64_t ss_journal_header_checksum(const uint8_t *bytes)
{
    return ss_checksum_of(bytes, AT_JOURNAL_CHECKSUM, 0);
}

/* The check at a slot's end, with a seed that differs per set and slot. */
static inline uint64_t ss_journal_slot_checksum(const uint8_t *slot,
                                                uint64_t set_checksum,
                                                unsigned number)
{
    return ss_checksum_of(slot, IN_SLOT_CHECKSUM, set_checksum + number);
}

/* Of all that follows it in a record: another one in each set and place. */
static inline uint64_t ss_journal_record_checksum(const uint8_t *record,
                                                  uint64_t count,
                                                  uint64_t set_checksum,
                                                  uint64_t offset)
{
    return ss_checksum_of(record + OF_RECORD_COUNT,
                          ss_journal_record_bytes(count) - OF_RECORD_COUNT,
                          set_checksum + offset);
}

#endif
