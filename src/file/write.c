/*
 * write.c - the bytes of a set, to a file or to memory. write_stream.c has
 * streams.
 *
 *     | header | payload | payload | ... | sums |
 *       last      first                  then
 *
 * Threads may be adding to a shared set while it is written. So each word is
 * read once, into a chunk, and the sums and checksums are those of the chunk:
 * what they say and what the file holds cannot differ. The header comes last,
 * as it needs all of them; until then a file begins with zeros and is refused.
 */
#include <math.h>
#include <string.h>

#include "file/file.h"
#include "file/header/header.h"
#include "file/pieces.h"
#include "file/summed.h"
#include "hash/checksum.h"
#include "seenset/extra/formulas.h"
#include "set/set.h"
#include "set/view/checks.h"
#include "set/view/whole.h"

enum {
    CHUNK_BYTES = 8 * SS_BLOCK_BYTES,
    SUMS_BYTES = 4096 /* that are put out together */
};

typedef struct writing {
    /* Puts bytes in their place. False: they cannot be. */
    bool (*put)(struct writing *to, const uint8_t *bytes, size_t size_bytes,
                uint64_t offset);
    const ss_io *io; /* put_in_file */
    int fd;
    uint8_t *memory;   /* put_in_memory */
    ss_header *header; /* of the set; gets the sums */
    XXH3_state_t sums_state;
    uint64_t sums_offset; /* of the first sum that was not put out */
    size_t sums_held;     /* bytes of those */
    uint8_t sums[SUMS_BYTES];
} writing;

static bool put_in_file(writing *to, const uint8_t *bytes, size_t size_bytes,
                        uint64_t offset)
{
    return ss_io_pwrite_all(to->io, to->fd, bytes, size_bytes, offset);
}

static bool put_in_memory(writing *to, const uint8_t *bytes, size_t size_bytes,
                          uint64_t offset)
{
    memcpy(to->memory + offset, bytes, size_bytes);
    return true;
}

/* The sums of a set are what is wanted, not its bytes. */
static bool put_nowhere(writing *to, const uint8_t *bytes, size_t size_bytes,
                        uint64_t offset)
{
    (void)to, (void)bytes, (void)size_bytes, (void)offset;
    return true;
}

static bool put_sums(writing *to)
{
    ss_checksum_add(&to->sums_state, to->sums, to->sums_held);
    if (!to->put(to, to->sums, to->sums_held, to->sums_offset))
        return false;
    to->sums_offset += to->sums_held;
    to->sums_held = 0;
    return true;
}

static bool add_sum(writing *to, uint64_t sum)
{
    ss_bits_store(to->sums + to->sums_held, SS_SUM_BYTES, sum);
    to->sums_held += SS_SUM_BYTES;
    return to->sums_held < SUMS_BYTES || put_sums(to);
}

/* The sums of a chunk that begins with block number `block`. */
static bool add_sums(writing *to, uint64_t block, const uint8_t *chunk,
                     size_t size_bytes)
{
    bool is_put = true;
    for (size_t at = 0; is_put && at < size_bytes; at += SS_BLOCK_BYTES) {
        size_t left = size_bytes - at;
        size_t block_bytes = left < SS_BLOCK_BYTES ? left : SS_BLOCK_BYTES;
        is_put = add_sum(to, ss_block_sum(block++, chunk + at, block_bytes));
    }
    return is_put;
}

/* Writes table number i, and sums its bytes up in its record. */
static bool put_payload(writing *to, uint32_t i, const ss_table *table,
                        uint64_t *set_bits)
{
    ss_table_record *record = &to->header->records[i];
    ss_pieces from = ss_pieces_of(table, 0);
    uint64_t block = record->first_block;
    uint8_t chunk[CHUNK_BYTES];
    XXH3_state_t state;
    bool is_put = true;
    ss_checksum_start(&state);
    for (uint64_t done = 0; is_put && done < record->payload_bytes;
         done += CHUNK_BYTES, block += CHUNK_BYTES / SS_BLOCK_BYTES) {
        uint64_t left = record->payload_bytes - done;
        size_t count = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
        ss_pieces_next(&from, chunk, count);
        ss_checksum_add(&state, chunk, count);
        is_put = to->put(to, chunk, count, record->payload_offset + done) &&
                 add_sums(to, block, chunk, count);
    }
    record->payload_checksum = ss_checksum_end(&state);
    *set_bits = from.set_bits;
    return is_put;
}

/*
 * The keys that a table held as it was read, if some were added meanwhile: at
 * least those counted before, at most those counted after, and between them as
 * many as the bits that were read say. Were it those before, a set that
 * refuses could be filled past its capacity when it is opened again.
 */
static uint64_t added_meanwhile(const ss_table *table, uint64_t set_bits,
                                uint64_t before, uint64_t after)
{
    double estimate = seenset_plan_item_estimate(set_bits, table->size_bits,
                                                 table->hash_count);
    if (!(estimate < (double)after))
        return after;
    return estimate > (double)before ? (uint64_t)estimate : before;
}

static bool put_payloads(writing *to, const seenset *set)
{
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        ss_table_record *record = &to->header->records[i];
        uint64_t set_bits;
        if (!put_payload(to, i, &generation->table, &set_bits))
            return false;
        uint64_t after = ss_set_added_items(generation);
        if (after > record->added_items && after <= SEENSET_MAX_SIZE_BITS)
            record->added_items = added_meanwhile(&generation->table, set_bits,
                                                  record->added_items, after);
    }
    return true;
}

static bool put_header(writing *to)
{
    uint8_t bytes[SS_HEADER_MAX_BYTES];
    ss_header_encode(to->header, bytes);
    return to->put(to, bytes, ss_header_bytes(to->header), 0);
}

static bool put_set(writing *to, const seenset *set)
{
    to->sums_offset = to->header->sums_offset;
    to->sums_held = 0;
    ss_checksum_start(&to->sums_state);
    if (!put_payloads(to, set) || !put_sums(to))
        return false;
    to->header->sums_checksum = ss_checksum_end(&to->sums_state);
    return put_header(to);
}

int ss_file_write(const ss_io *io, int fd, const seenset *set)
{
    ss_header header;
    writing to = {.put = put_in_file, .io = io, .fd = fd, .header = &header};
    ss_header_describe(&header, set);
    return put_set(&to, set) ? SEENSET_OK : SEENSET_EIO;
}

void ss_file_summed_header(ss_header *header, const seenset *set)
{
    writing to = {.put = put_nowhere, .header = header};
    ss_header_describe(header, set);
    (void)put_set(&to, set);
}

static int write_bytes(const seenset *set, void *bytes, size_t *size_bytes)
{
    ss_header header;
    writing to = {.put = put_in_memory, .memory = bytes, .header = &header};
    ss_header_describe(&header, set);
    size_t needed_bytes = (size_t)ss_header_file_bytes(&header);
    bool is_room = bytes != NULL && *size_bytes >= needed_bytes;
    int error = is_room ? ss_checks_all(set) : SEENSET_ESPACE;
    if (error == SEENSET_OK)
        (void)put_set(&to, set);
    if (error != SEENSET_ECORRUPT)
        *size_bytes = needed_bytes;
    return error;
}

/* How long a set is with the hashes beside its tables, only a copy shows. */
static int write_whole(const seenset *set, void *bytes, size_t *size_bytes)
{
    ss_whole whole;
    int error = ss_whole_begin(&whole, set);
    if (error != SEENSET_OK)
        return error;
    error = write_bytes(whole.set, bytes, size_bytes);
    ss_whole_end(&whole);
    return error;
}

int seenset_write_bytes(const seenset *set, void *bytes, size_t *size_bytes)
{
    if (set == NULL || size_bytes == NULL)
        return SEENSET_EINVAL;
    return ss_checks_beside_count(set) > 0
               ? write_whole(set, bytes, size_bytes)
               : write_bytes(set, bytes, size_bytes);
}
