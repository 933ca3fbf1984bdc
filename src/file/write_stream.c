/*
 * write_stream.c - the bytes of a set, all or a part of them, through a
 * function of the caller's.
 *
 *     | header | payload | payload | ... | sums |
 *
 * Each of the three is put out by itself, and only what is asked for is made.
 * The bytes of a table are copied from where they are; a sum is that of a block
 * of 4096 bytes, which is read for it; but the header has the checksums of all
 * that follows, so the set is read whole for any byte of it. Nobody else may
 * change the set meanwhile.
 */
#include <errno.h>

#include "file/header/header.h"
#include "file/pieces.h"
#include "file/summed.h"
#include "set/view/whole.h"

enum {
    CHUNK_BYTES = 8 * SS_BLOCK_BYTES,
    SUMS_BYTES = 4096 /* that are put out together */
};

/* The bytes that are asked for, and who takes them. */
typedef struct range {
    seenset_write_function *write;
    void *context;
    uint64_t from, to; /* to: after the last */
} range;

static bool is_asked_for(const range *asked, uint64_t first, uint64_t end)
{
    return first < asked->to && end > asked->from;
}

/* Puts out those of these bytes that are asked for. */
static bool put(const range *asked, const uint8_t *bytes, size_t size_bytes,
                uint64_t offset)
{
    uint64_t end = offset + size_bytes;
    if (!is_asked_for(asked, offset, end))
        return true;
    uint64_t skip = offset < asked->from ? asked->from - offset : 0;
    uint64_t left = end > asked->to ? end - asked->to : 0;
    return asked->write(asked->context, bytes + skip,
                        size_bytes - (size_t)(skip + left)) == 0;
}

static bool put_header(const range *asked, const seenset *set,
                       ss_header *header)
{
    uint8_t bytes[SS_HEADER_MAX_BYTES];
    size_t size_bytes = ss_header_bytes(header);
    if (!is_asked_for(asked, 0, size_bytes))
        return true;
    ss_file_summed_header(header, set);
    ss_header_encode(header, bytes);
    return put(asked, bytes, size_bytes, 0);
}

static bool put_payload(const range *asked, const ss_table_record *record,
                        const ss_table *table)
{
    uint64_t first = record->payload_offset;
    if (!is_asked_for(asked, first, first + record->payload_bytes))
        return true;
    uint64_t done = asked->from > first ? asked->from - first : 0;
    done -= done % CHUNK_BYTES;
    ss_pieces pieces = ss_pieces_of(table, done);
    bool is_put = true;
    for (; is_put && done < record->payload_bytes && first + done < asked->to;
         done += CHUNK_BYTES) {
        uint8_t chunk[CHUNK_BYTES];
        uint64_t left = record->payload_bytes - done;
        size_t count = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
        ss_pieces_next(&pieces, chunk, count);
        is_put = put(asked, chunk, count, first + done);
    }
    return is_put;
}

/* The sums of at most SUMS_BYTES / SS_SUM_BYTES blocks of a table, from its
 * block `block` on, which comes next; how many. */
static size_t make_sums(const ss_table_record *record, ss_pieces *pieces,
                        uint64_t block, uint8_t sums[SUMS_BYTES])
{
    uint64_t done = block * SS_BLOCK_BYTES;
    size_t made = 0;
    for (; made < SUMS_BYTES / SS_SUM_BYTES && done < record->payload_bytes;
         done += SS_BLOCK_BYTES, made++) {
        uint8_t bytes[SS_BLOCK_BYTES];
        uint64_t left = record->payload_bytes - done;
        size_t count = left < SS_BLOCK_BYTES ? (size_t)left : SS_BLOCK_BYTES;
        ss_pieces_next(pieces, bytes, count);
        ss_bits_store(
            sums + made * SS_SUM_BYTES, SS_SUM_BYTES,
            ss_block_sum(record->first_block + block + made, bytes, count));
    }
    return made;
}

/* The sums of a table, those that are asked for. */
static bool put_sums(const range *asked, const ss_header *header, uint32_t i,
                     const ss_table *table)
{
    const ss_table_record *record = &header->records[i];
    uint64_t blocks =
        (record->payload_bytes + SS_BLOCK_BYTES - 1) / SS_BLOCK_BYTES;
    uint64_t first = header->sums_offset + record->first_block * SS_SUM_BYTES;
    uint64_t block =
        asked->from > first ? (asked->from - first) / SS_SUM_BYTES : 0;
    if (block >= blocks || first >= asked->to)
        return true;
    ss_pieces pieces = ss_pieces_of(table, block * SS_BLOCK_BYTES);
    bool is_put = true;
    while (is_put && block < blocks &&
           first + block * SS_SUM_BYTES < asked->to) {
        uint8_t sums[SUMS_BYTES];
        size_t made = make_sums(record, &pieces, block, sums);
        is_put =
            put(asked, sums, made * SS_SUM_BYTES, first + block * SS_SUM_BYTES);
        block += made;
    }
    return is_put;
}

static int put_set(const range *asked, const seenset *set, ss_header *header)
{
    bool is_put = put_header(asked, set, header);
    for (uint32_t i = 0; is_put && i < set->generation_count; i++)
        is_put =
            put_payload(asked, &header->records[i], &set->generations[i].table);
    for (uint32_t i = 0; is_put && i < set->generation_count; i++)
        is_put = put_sums(asked, header, i, &set->generations[i].table);
    return is_put ? SEENSET_OK : SEENSET_EIO;
}

/* Is all of it in the file? The end of all that there is is the file's. */
static int put_range(range *asked, const seenset *set)
{
    ss_header header;
    ss_header_describe(&header, set);
    uint64_t file_bytes = ss_header_file_bytes(&header);
    if (asked->to == UINT64_MAX)
        asked->to = file_bytes;
    if (asked->from > asked->to || asked->to > file_bytes)
        return SEENSET_EINVAL;
    return asked->from == asked->to ? SEENSET_OK : put_set(asked, set, &header);
}

/* Of a set that threads may be adding to, a copy is written. */
static int put_copy(range *asked, const seenset *set)
{
    seenset *copy;
    int error = seenset_copy(&copy, set);
    if (error != SEENSET_OK)
        return error;
    error = put_range(asked, copy);
    int kept = errno;
    seenset_free(copy);
    errno = kept;
    return error;
}

static int put_whole(range *asked, const seenset *set)
{
    ss_whole whole;
    int error = ss_whole_begin(&whole, set);
    if (error != SEENSET_OK)
        return error;
    error = set->is_shared ? put_copy(asked, set) : put_range(asked, whole.set);
    ss_whole_end(&whole);
    return error;
}

int seenset_write(const seenset *set, seenset_write_function *write,
                  void *context)
{
    range asked = {.write = write, .context = context, .to = UINT64_MAX};
    return set == NULL || write == NULL ? SEENSET_EINVAL
                                        : put_whole(&asked, set);
}

int seenset_write_part(const seenset *set, uint64_t offset, size_t size_bytes,
                       seenset_write_function *write, void *context)
{
    if (set == NULL || write == NULL || size_bytes >= UINT64_MAX - offset)
        return SEENSET_EINVAL;
    range asked = {.write = write,
                   .context = context,
                   .from = offset,
                   .to = offset + size_bytes};
    return put_whole(&asked, set);
}
