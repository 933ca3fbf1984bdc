/* sums.c - the table of sums, read in pieces; the idea is in sums.h */
#include "file/sums.h"

#include <string.h>

#include "base/bits.h"
#include "hash/checksum.h"

/* Holds the sums from block number `first` on. */
static int hold(ss_sums *sums, uint64_t first, seenset_file_report *report)
{
    const ss_header *header = sums->header;
    uint64_t offset = header->sums_offset + first * SS_SUM_BYTES;
    uint64_t left = (header->block_count - first) * SS_SUM_BYTES;
    size_t wanted =
        left < SS_SUMS_HELD_BYTES ? (size_t)left : (size_t)SS_SUMS_HELD_BYTES;
    sums->first_held = first;
    sums->held_count = wanted / SS_SUM_BYTES;
    const uint8_t *from = sums->bytes != NULL ? sums->bytes + offset
                          : sums->table != NULL
                              ? sums->table + first * SS_SUM_BYTES
                              : NULL;
    if (from != NULL) {
        memcpy(sums->held, from, wanted);
        return SEENSET_OK;
    }
    ssize_t got =
        ss_io_pread_all(sums->io, sums->fd, sums->held, wanted, offset);
    if (got < 0)
        return ss_header_refuse_errno(report, offset);
    if ((size_t)got < wanted)
        return ss_header_refuse(report, SEENSET_ETRUNCATED,
                                offset + (uint64_t)got,
                                "the file ends inside its sums");
    return SEENSET_OK;
}

int ss_sums_start(ss_sums *sums, seenset_file_report *report)
{
    const ss_header *header = sums->header;
    XXH3_state_t state;
    sums->held_count = 0;
    if (header->version < 3)
        return SEENSET_OK;
    ss_checksum_start(&state);
    for (uint64_t block = 0; block < header->block_count;
         block += sums->held_count) {
        int error = hold(sums, block, report);
        if (error != SEENSET_OK)
            return error;
        ss_checksum_add(&state, sums->held,
                        (size_t)sums->held_count * SS_SUM_BYTES);
    }
    if (ss_checksum_end(&state) != header->sums_checksum)
        return ss_header_refuse(report, SEENSET_ECORRUPT, header->sums_offset,
                                "the checksum of the sums is wrong");
    return SEENSET_OK;
}

static int find_sum(ss_sums *sums, uint64_t block, uint64_t *sum,
                    seenset_file_report *report)
{
    int error = SEENSET_OK;
    if (block < sums->first_held ||
        block - sums->first_held >= sums->held_count)
        error = hold(sums, block, report);
    if (error == SEENSET_OK)
        *sum =
            ss_bits_load(sums->held + (block - sums->first_held) * SS_SUM_BYTES,
                         SS_SUM_BYTES);
    return error;
}

int ss_sums_check(ss_sums *sums, const ss_table_record *record, uint64_t done,
                  const uint8_t *bytes, size_t size_bytes,
                  seenset_file_report *report)
{
    if (sums->header->version < 3)
        return SEENSET_OK;
    uint64_t block = record->first_block + done / SS_BLOCK_BYTES;
    for (size_t at = 0; at < size_bytes; at += SS_BLOCK_BYTES, block++) {
        size_t left = size_bytes - at;
        uint64_t sum;
        int error = find_sum(sums, block, &sum, report);
        if (error != SEENSET_OK)
            return error;
        if (sum !=
            ss_block_sum(block, bytes + at,
                         left < SS_BLOCK_BYTES ? left : (size_t)SS_BLOCK_BYTES))
            return ss_header_refuse(report, SEENSET_ECORRUPT,
                                    record->payload_offset + done + at,
                                    "the checksum of a block is wrong");
    }
    return SEENSET_OK;
}
