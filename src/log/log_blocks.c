/* log_blocks.c - see log_blocks.h */
#include "log/log_blocks.h"

#include <errno.h>

#include "base/order.h"
#include "seenset/error.h"

enum {
    STRIDE = 4096,
    BLOCK_BYTES = STRIDE + 1024,
    PLACES = 2048 /* of all blocks: 10 MiB */
};

struct ss_kept_block {
    uint64_t start; /* of its bytes, in a segment */
    uint32_t bytes;
    uint8_t at[BLOCK_BYTES];
};

void ss_log_blocks_free(ss_log_blocks *blocks, const ss_memory *memory)
{
    if (blocks->places == NULL)
        return;
    for (int i = 0; i < PLACES; i++)
        ss_memory_free(memory, blocks->places[i], 1, sizeof(ss_kept_block));
    ss_memory_free(memory, blocks->places, PLACES, sizeof *blocks->places);
    *blocks = (ss_log_blocks){0};
}

uint64_t ss_log_blocks_bytes(const ss_log_blocks *blocks)
{
    return blocks->places == NULL ? 0
                                  : PLACES * sizeof *blocks->places +
                                        blocks->count * sizeof(ss_kept_block);
}

/* The block that is kept in this place, or a new one that has nothing; NULL: no
 * memory. */
static ss_kept_block *need_block(ss_log_blocks *blocks, const ss_memory *memory,
                                 uint64_t position)
{
    if (blocks->places == NULL)
        blocks->places =
            ss_memory_alloc(memory, PLACES, sizeof *blocks->places);
    if (blocks->places == NULL)
        return NULL;
    ss_kept_block **place = &blocks->places[position / STRIDE % PLACES];
    if (*place == NULL) {
        *place = ss_memory_alloc(memory, 1, sizeof **place);
        blocks->count += *place != NULL;
    }
    return *place;
}

/* Decodes the record at a position, if the block has all of it. */
static bool decode(const ss_kept_block *block, const ss_log_reader *reader,
                   uint64_t position, uint64_t end, ss_record *out)
{
    uint64_t skipped = position - block->start;
    if (position < block->start || skipped >= block->bytes)
        return false;
    size_t here = (size_t)ss_lower(block->bytes - skipped, end - position);
    return ss_record_decode(block->at + skipped, here, reader->log_id, out) ==
           SS_DECODED_RECORD;
}

/* Reads a block anew, from the segment that begins at `segment`. */
static bool fill(ss_kept_block *block, ss_log_reader *reader, uint64_t position,
                 uint64_t segment, uint64_t end)
{
    const ss_io *io = reader->folder->io;
    uint64_t start = ss_higher(position / STRIDE * STRIDE, segment);
    uint64_t wanted =
        ss_lower(position / STRIDE * STRIDE + BLOCK_BYTES, end) - start;
    block->bytes = 0;
    if (position < segment) { /* it was in one that is gone */
        errno = EIO;
        return false;
    }
    if (!ss_log_reader_open(reader, segment))
        return false;
    ssize_t got = ss_io_pread_all(io, reader->fd, block->at, (size_t)wanted,
                                  start - segment);
    block->start = start;
    block->bytes = got > 0 ? (uint32_t)got : 0;
    return got >= 0;
}

static int read_by_reader(ss_log_reader *reader, uint64_t position,
                          uint64_t limit, ss_record *out)
{
    ss_log_reader_back(reader, position);
    return ss_log_reader_next(reader, limit, out, NULL);
}

int ss_log_blocks_read(ss_log_blocks *blocks, ss_log_reader *reader,
                       uint64_t position, uint64_t limit, ss_record *out)
{
    if (position >= limit)
        return 0;
    ss_kept_block *block = need_block(blocks, reader->memory, position);
    if (block == NULL)
        return SEENSET_ENOMEM;
    if (decode(block, reader, position, limit, out))
        return 1;
    uint64_t end = limit, segment = ss_log_reader_part(reader, position, &end);
    if (!fill(block, reader, position, segment, end))
        return SEENSET_EIO;
    return decode(block, reader, position, end, out)
               ? 1
               : read_by_reader(reader, position, limit, out);
}
