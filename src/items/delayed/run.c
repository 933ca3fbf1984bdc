/* run.c - the bytes of a run, read by blocks */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "items/delayed/run.h"

#include <errno.h>
#include <fcntl.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "log/record.h"
#include "seenset/error.h"

enum {
    AT_NUMBER = SS_RUN_BLOCK_RECORDS * SS_RUN_RECORD_BYTES,
    AT_PLACE = AT_NUMBER + 8,
    AT_BEFORE = AT_PLACE + 8,
    AT_CRC = SS_RUN_BLOCK_BYTES - 4
};

static const uint8_t magic[8] = {'S', 'E', 'E', 'N', 'D', 'L', 'Y', 1};

void ss_run_file_name(char name[SS_FOLDER_NAME_BYTES], uint64_t number)
{
    ss_folder_name(name, SS_FOLDER_DELAYED, number);
}

/* ---- bytes ---- */

static void seal(uint8_t *block)
{
    ss_bits_store(block + AT_CRC, 4, ss_crc32c(block, AT_CRC));
}

static bool is_sealed(const uint8_t *block)
{
    return ss_bits_load(block + AT_CRC, 4) == ss_crc32c(block, AT_CRC);
}

void ss_run_put_header(const ss_run_files *files, const ss_run_name *name,
                       uint8_t *block)
{
    memset(block, 0, SS_RUN_BLOCK_BYTES);
    memcpy(block, magic, sizeof magic);
    ss_bits_store(block + 8, 4, files->log_id);
    ss_bits_store(block + 12, 4, name->lane);
    ss_bits_store(block + 16, 8, name->number);
    ss_bits_store(block + 24, 8, name->count);
    ss_bits_store(block + 32, 8, name->floor);
    seal(block);
}

void ss_run_put_record(uint8_t *bytes, const ss_delay *delay, unsigned lane)
{
    ss_bits_store(bytes, 8, delay->item);
    ss_bits_store(bytes + 8, 8, delay->position);
    ss_bits_store(bytes + 16, 8, (uint64_t)delay->due_ns);
    ss_bits_store(bytes + 24, 4, delay->deliveries);
    ss_bits_store(bytes + 28, 1, lane);
    ss_bits_store(bytes + 29, 3, delay->turn);
}

static ss_delay get_record(const ss_run *run, const uint8_t *bytes)
{
    return (ss_delay){.item = ss_bits_load(bytes, 8),
                      .position = ss_bits_load(bytes + 8, 8),
                      .due_ns = (int64_t)(ss_bits_load(bytes + 16, 8) +
                                          (uint64_t)run->shift_ns),
                      .deliveries = (uint32_t)ss_bits_load(bytes + 24, 4),
                      .turn = (uint32_t)ss_bits_load(bytes + 29, 3)};
}

void ss_run_put_end(uint8_t *block, uint64_t number, uint64_t place,
                    uint64_t before)
{
    ss_bits_store(block + AT_NUMBER, 8, number);
    ss_bits_store(block + AT_PLACE, 8, place);
    ss_bits_store(block + AT_BEFORE, 8, before);
    seal(block);
}

/* ---- the file ---- */

static int open_file(const ss_run *run, const ss_run_files *files)
{
    char name[SS_FOLDER_NAME_BYTES];
    if (run->fd >= 0)
        return run->fd;
    ss_run_file_name(name, run->name.number);
    return ss_folder_open(files->folder, name, O_RDONLY);
}

static void close_file(const ss_run *run, const ss_run_files *files, int fd)
{
    if (fd != run->fd)
        ss_io_close_quietly(files->folder->io, fd);
}

/* Reads a block that must be sealed. */
static int read_sealed(const ss_run_files *files, int fd, uint64_t place,
                       uint8_t *block)
{
    ssize_t got =
        ss_io_pread_all(files->folder->io, fd, block, SS_RUN_BLOCK_BYTES,
                        place * SS_RUN_BLOCK_BYTES);
    if (got < 0)
        return SEENSET_EIO;
    return got == SS_RUN_BLOCK_BYTES && is_sealed(block) ? SEENSET_OK
                                                         : SEENSET_EDAMAGED;
}

/* Is it as long as its records make it? */
static int check_length(const ss_run *run, const ss_run_files *files, int fd)
{
    struct stat status;
    const ss_io *io = files->folder->io;
    if (io->status(io->context, fd, &status) != 0)
        return SEENSET_EIO;
    uint64_t size_bytes = (uint64_t)status.st_size;
    return size_bytes % SS_RUN_BLOCK_BYTES == 0 &&
                   size_bytes / SS_RUN_BLOCK_BYTES ==
                       1 + 2 * ss_run_blocks(run->name.count)
               ? SEENSET_OK
               : SEENSET_EDAMAGED;
}

static int check_header(const ss_run *run, const ss_run_files *files, int fd)
{
    uint8_t found[SS_RUN_BLOCK_BYTES], wanted[SS_RUN_BLOCK_BYTES];
    int error = read_sealed(files, fd, 0, found);
    if (error != SEENSET_OK)
        return error;
    ss_run_put_header(files, &run->name, wanted);
    return memcmp(found, wanted, sizeof found) == 0
               ? check_length(run, files, fd)
               : SEENSET_EDAMAGED;
}

/* No call that reads needs memory. */
static bool make_blocks(ss_run *run, const ss_run_files *files)
{
    for (int i = 0; i < 2; i++)
        run->blocks[i] = ss_memory_alloc(files->memory, SS_RUN_BLOCK_BYTES, 1);
    return run->blocks[0] != NULL && run->blocks[1] != NULL;
}

static int open_run(ss_run *run, const ss_run_files *files)
{
    if (!make_blocks(run, files))
        return SEENSET_ENOMEM;
    int fd = open_file(run, files);
    if (fd < 0)
        return errno == ENOENT ? SEENSET_EDAMAGED : SEENSET_EIO;
    int error = check_header(run, files, fd);
    if (error == SEENSET_OK && files->stay_open)
        run->fd = fd;
    close_file(run, files, fd);
    return error;
}

int ss_run_open(ss_run *run, const ss_run_files *files, const ss_run_name *name)
{
    *run = (ss_run){.name = *name, .fd = -1};
    int error = open_run(run, files);
    if (error != SEENSET_OK)
        ss_run_close(run, files);
    return error;
}

void ss_run_close(ss_run *run, const ss_run_files *files)
{
    for (int i = 0; i < 2; i++)
        ss_memory_free(files->memory, run->blocks[i], SS_RUN_BLOCK_BYTES, 1);
    if (run->fd >= 0)
        ss_io_close_quietly(files->folder->io, run->fd);
    *run = (ss_run){.fd = -1};
}

/* ---- blocks ---- */

/* Which block of the file has a record. */
static uint64_t place_of(const ss_run *run, ss_run_order order, uint64_t index)
{
    uint64_t skipped =
        order == SS_RUN_BY_ITEM ? ss_run_blocks(run->name.count) : 0;
    return 1 + skipped + index / SS_RUN_BLOCK_RECORDS;
}

static int load(ss_run *run, const ss_run_files *files, ss_run_order order,
                uint64_t place)
{
    int fd = open_file(run, files);
    if (fd < 0)
        return SEENSET_EIO;
    uint8_t *block = run->blocks[order];
    run->read[order] = 0;
    int error = read_sealed(files, fd, place, block);
    close_file(run, files, fd);
    if (error != SEENSET_OK)
        return error;
    if (ss_bits_load(block + AT_NUMBER, 8) != run->name.number ||
        ss_bits_load(block + AT_PLACE, 8) != place)
        return SEENSET_EDAMAGED;
    run->read[order] = place;
    return SEENSET_OK;
}

/* Makes sure that the block of a record is in memory. */
static int need_block(ss_run *run, const ss_run_files *files,
                      ss_run_order order, uint64_t index)
{
    uint64_t place = place_of(run, order, index);
    return run->read[order] == place ? SEENSET_OK
                                     : load(run, files, order, place);
}

int ss_run_read(ss_run *run, const ss_run_files *files, ss_run_order order,
                uint64_t index, ss_delay *out)
{
    int error = need_block(run, files, order, index);
    if (error != SEENSET_OK)
        return error;
    const uint8_t *bytes =
        run->blocks[order] + index % SS_RUN_BLOCK_RECORDS * SS_RUN_RECORD_BYTES;
    *out = get_record(run, bytes);
    return bytes[28] == run->name.lane ? SEENSET_OK : SEENSET_EDAMAGED;
}

uint64_t ss_run_before(const ss_run *run)
{
    return ss_bits_load(run->blocks[SS_RUN_BY_ITEM] + AT_BEFORE, 8);
}

int ss_run_need_first(ss_run *run, const ss_run_files *files)
{
    int error = run->has_first ? SEENSET_OK
                               : ss_run_read(run, files, SS_RUN_BY_DUE,
                                             run->next, &run->first);
    run->has_first = error == SEENSET_OK;
    return error;
}

/* ---- by item ---- */

/* The records of the block that was read last: from *first to *end - 1. */
static void range_of(const ss_run *run, uint64_t *first, uint64_t *end)
{
    uint64_t block =
        run->read[SS_RUN_BY_ITEM] - 1 - ss_run_blocks(run->name.count);
    *first = block * SS_RUN_BLOCK_RECORDS;
    *end = *first + SS_RUN_BLOCK_RECORDS;
    if (*end > run->name.count)
        *end = run->name.count;
}

static uint64_t item_at(const ss_run *run, uint64_t index)
{
    return ss_bits_load(run->blocks[SS_RUN_BY_ITEM] +
                            index % SS_RUN_BLOCK_RECORDS * SS_RUN_RECORD_BYTES,
                        8);
}

/* Is the answer in the block that was read last? */
static bool is_in_block(const ss_run *run, uint64_t item, uint64_t *index)
{
    uint64_t low, high;
    if (run->read[SS_RUN_BY_ITEM] == 0)
        return false;
    range_of(run, &low, &high);
    bool is_last = high == run->name.count;
    if (item < ss_run_before(run) ||
        (item > item_at(run, high - 1) && !is_last))
        return false;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (item_at(run, middle) < item)
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return true;
}

/* Reads the block that comes after the one that was read last. */
static int go_on(ss_run *run, const ss_run_files *files)
{
    uint64_t first, end;
    if (run->read[SS_RUN_BY_ITEM] == 0)
        return SEENSET_OK;
    range_of(run, &first, &end);
    return end < run->name.count ? need_block(run, files, SS_RUN_BY_ITEM, end)
                                 : SEENSET_OK;
}

/* Reads the first block whose last item is not before this one, or the last
 * block. */
static int search_block(ss_run *run, const ss_run_files *files, uint64_t item)
{
    uint64_t low = 0, high = ss_run_blocks(run->name.count) - 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int error = need_block(run, files, SS_RUN_BY_ITEM,
                               middle * SS_RUN_BLOCK_RECORDS);
        if (error != SEENSET_OK)
            return error;
        if (item_at(run, SS_RUN_BLOCK_RECORDS - 1) < item)
            low = middle + 1;
        else
            high = middle;
    }
    return need_block(run, files, SS_RUN_BY_ITEM, low * SS_RUN_BLOCK_RECORDS);
}

int ss_run_find(ss_run *run, const ss_run_files *files, uint64_t item,
                uint64_t *index)
{
    if (is_in_block(run, item, index))
        return SEENSET_OK;
    int error = go_on(run, files);
    if (error != SEENSET_OK || is_in_block(run, item, index))
        return error;
    error = search_block(run, files, item);
    if (error == SEENSET_OK && !is_in_block(run, item, index))
        error = SEENSET_EDAMAGED; /* its blocks contradict each other */
    return error;
}

/* ---- by due time ---- */

int ss_run_find_due(ss_run *run, const ss_run_files *files, uint64_t now_ns,
                    uint64_t *index)
{
    uint64_t low = run->next, high = run->name.count;
    ss_delay middle;
    while (low < high) {
        uint64_t at = low + (high - low) / 2;
        int error = ss_run_read(run, files, SS_RUN_BY_DUE, at, &middle);
        if (error != SEENSET_OK)
            return error;
        if (middle.due_ns <= (int64_t)now_ns)
            low = at + 1;
        else
            high = at;
    }
    *index = low;
    return SEENSET_OK;
}
