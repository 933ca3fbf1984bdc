/*
 * log_blocks.h - records of the log read in any order, by blocks that are kept.
 *
 * A polite queue hands out the items of its hosts in turns. So it reads records
 * that are near each other, but not in their order, and not next to each other:
 *
 *     log      | 0 . . . | 1 . . . | 2 . . . | 3 . . . | 4 . . .
 *     read           ^3     ^1   ^6     ^2  ^5    ^4
 *
 * Blocks of 4 KiB are read whole, each with the first 1 KiB of the next, so
 * that nearly every record that begins in a block is whole there. A block is
 * kept in the one place that its number leads to, until another comes there.
 *
 * Bytes before the limit that the caller gives do not change any more. A block
 * may have been read when the log was shorter: what it does not have is read
 * again.
 */
#ifndef SS_LOG_LOG_BLOCKS_H
#define SS_LOG_LOG_BLOCKS_H

#include "log/log_reader.h"

typedef struct ss_kept_block ss_kept_block;

typedef struct ss_log_blocks {
    ss_kept_block **places; /* NULL: nothing was kept yet */
    uint32_t count;         /* of blocks that there are */
} ss_log_blocks;

void ss_log_blocks_free(ss_log_blocks *blocks, const ss_memory *memory);

/*
 * Reads the record at `position` as ss_log_reader_next does, with the reader's
 * files, and with the reader itself where a block does not help. It stays valid
 * until the next call on either. Returns as that; SEENSET_EDAMAGED also if no
 * record begins there.
 */
int ss_log_blocks_read(ss_log_blocks *blocks, ss_log_reader *reader,
                       uint64_t position, uint64_t limit, ss_record *out);

uint64_t ss_log_blocks_bytes(const ss_log_blocks *blocks);

#endif
