/*
 * write.c - a journal begun and appended to.
 *
 *     begin:   header, sync, sync of the folder | mark of the set, sync
 *     append:  record, sync | slot
 *
 * A crash between two of these leaves a set without its mark, whose journal
 * nobody reads, or a journal whose last record was never answered. The slot is
 * not waited for: it is on the disk with the next record's sync, or when the
 * system writes it.
 */
#include <errno.h>
#include <string.h>

#include "file/header/fields.h"
#include "file/journal/fields.h"
#include "file/target.h"

static bool sync_data(const ss_io *io, int fd)
{
    int result;
    do {
        result = io->datasync(io->context, fd);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

/* ---- opened ---- */

bool ss_journal_is_one(const ss_io *io, int fd)
{
    uint8_t bytes[SS_JOURNAL_HEADER_BYTES + 1];
    ssize_t got = ss_io_pread_all(io, fd, bytes, sizeof bytes, 0);
    if (got < 0)
        return false;
    size_t length = (size_t)got;
    if (length >= JOURNAL_MAGIC_BYTES &&
        memcmp(bytes, SS_JOURNAL_MAGIC, JOURNAL_MAGIC_BYTES) == 0)
        return true;
    if (length <= SS_JOURNAL_HEADER_BYTES &&
        ss_header_is_zero(bytes, 0, length))
        return true;
    errno = EEXIST;
    return false;
}

/* Opens it, or makes it with the set's mode. -1 and errno; one that was made
 * stays then, for others may have it locked already. */
static int open_or_make(const ss_io *io, const char *path,
                        const ss_path_found *set)
{
    int fd = ss_io_open_here(io, path);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    fd = ss_io_open_new(io, path, 0600);
    if (fd >= 0 && set->kind == SS_PATH_FILE &&
        !ss_path_set_mode(fd, set->mode)) {
        ss_io_close_quietly(io, fd);
        return -1;
    }
    return fd;
}

int ss_journal_lock(const ss_io *io, const char *path, int fd)
{
    if (ss_io_lock(io, fd) != 0)
        return errno == EWOULDBLOCK ? SEENSET_EINUSE : SEENSET_EIO;
    int is_mine = ss_io_is_name_of(io, path, fd);
    if (is_mine < 0)
        return SEENSET_EIO;
    return is_mine ? SEENSET_OK : SS_JOURNAL_AGAIN;
}

static int open_locked(const ss_io *io, const char *path,
                       const ss_path_found *set, int *out)
{
    int fd = open_or_make(io, path, set);
    if (fd < 0)
        return errno == EEXIST ? SS_JOURNAL_AGAIN : SEENSET_EIO;
    int error = ss_journal_lock(io, path, fd);
    if (error == SEENSET_OK && !ss_journal_is_one(io, fd))
        error = SEENSET_EIO;
    if (error != SEENSET_OK)
        ss_io_close_quietly(io, fd);
    else
        *out = fd;
    return error;
}

int ss_journal_open(const ss_io *io, const char *target,
                    const ss_path_found *set, int *fd)
{
    enum {
        MOST_TRIES = 1000 /* each was lost to another process */
    };
    char path[SS_PATH_MAX];
    int error = SS_JOURNAL_AGAIN;
    ss_journal_path(path, target);
    for (int i = 0; error == SS_JOURNAL_AGAIN && i < MOST_TRIES; i++)
        error = open_locked(io, path, set, fd);
    return error == SS_JOURNAL_AGAIN ? SEENSET_EINUSE : error;
}

/* ---- written ---- */

static void encode_slot(uint8_t *slot, uint64_t set_checksum, unsigned number,
                        uint64_t end)
{
    ss_bits_store(slot + IN_SLOT_END, 8, end);
    ss_bits_store(slot + IN_SLOT_CHECKSUM, 8,
                  ss_journal_slot_checksum(slot, set_checksum, number));
}

bool ss_journal_begin(const ss_io *io, int fd, const char *target,
                      uint64_t set_checksum, ss_journal *out)
{
    uint8_t bytes[SS_JOURNAL_HEADER_BYTES] = {0};
    memcpy(bytes + AT_JOURNAL_MAGIC, SS_JOURNAL_MAGIC, JOURNAL_MAGIC_BYTES);
    ss_bits_store(bytes + AT_JOURNAL_VERSION, 8, JOURNAL_VERSION);
    ss_bits_store(bytes + AT_JOURNAL_SET, 8, set_checksum);
    ss_bits_store(bytes + AT_JOURNAL_CHECKSUM, 8,
                  ss_journal_header_checksum(bytes));
    for (unsigned i = 0; i < SLOT_COUNT; i++)
        encode_slot(bytes + AT_JOURNAL_SLOTS + i * SLOT_BYTES, set_checksum, i,
                    SS_JOURNAL_HEADER_BYTES);
    *out = (ss_journal){.file_bytes = sizeof bytes,
                        .committed = sizeof bytes,
                        .end = sizeof bytes};
    return io->truncate(io->context, fd, 0) == 0 &&
           ss_io_pwrite_all(io, fd, bytes, sizeof bytes, 0) &&
           sync_data(io, fd) && ss_io_sync_folder_of(io, target);
}

static size_t encode_record(uint8_t *bytes, uint64_t set_checksum,
                            uint64_t offset, const uint64_t *hashes,
                            uint64_t count)
{
    ss_bits_store(bytes + OF_RECORD_COUNT, 4, count);
    ss_bits_store(bytes + OF_RECORD_RESERVED, 4, 0);
    for (uint64_t i = 0; i < count; i++)
        ss_bits_store(bytes + OF_RECORD_HASHES + 8 * i, 8, hashes[i]);
    ss_bits_store(
        bytes + OF_RECORD_CHECKSUM, 8,
        ss_journal_record_checksum(bytes, count, set_checksum, offset));
    return ss_journal_record_bytes(count);
}

/* A record that could not be written or synced is taken off again, so that no
 * other one follows it. */
static void take_off(const ss_io *io, int fd, uint64_t end)
{
    int kept = errno;
    (void)io->truncate(io->context, fd, end);
    errno = kept;
}

/* What is lost if this fails is noticing some later damage of the record. */
static void write_slot(const ss_io *io, int fd, ss_journal *journal,
                       uint64_t set_checksum)
{
    uint8_t slot[SLOT_BYTES];
    unsigned number = 1 - journal->slot;
    encode_slot(slot, set_checksum, number, journal->end);
    (void)ss_io_pwrite_all(io, fd, slot, sizeof slot,
                           AT_JOURNAL_SLOTS + number * SLOT_BYTES);
    journal->slot = number;
    journal->committed = journal->end;
}

bool ss_journal_append(const ss_io *io, int fd, ss_journal *journal,
                       uint64_t set_checksum, const uint64_t *hashes,
                       uint64_t count)
{
    uint8_t bytes[SS_JOURNAL_RECORD_BYTES + 8 * SS_JOURNAL_MOST_HASHES];
    uint64_t end = journal->end;
    size_t size_bytes = encode_record(bytes, set_checksum, end, hashes, count);
    if (journal->file_bytes > end && io->truncate(io->context, fd, end) != 0)
        return false;
    if (!ss_io_pwrite_all(io, fd, bytes, size_bytes, end) ||
        !sync_data(io, fd)) {
        take_off(io, fd, end);
        return false;
    }
    journal->end = journal->file_bytes = end + size_bytes;
    journal->items += count;
    write_slot(io, fd, journal, set_checksum);
    return true;
}

/* ---- the set that it is of ---- */

bool ss_journal_look_at_set(const ss_io *io, int fd, uint64_t set_checksum,
                            bool *is_marked)
{
    uint8_t bytes[SS_HEADER_FIXED_BYTES];
    ssize_t got = ss_io_pread_all(io, fd, bytes, sizeof bytes, 0);
    if (got < 0)
        return false;
    if ((size_t)got < sizeof bytes ||
        memcmp(bytes, ss_header_magic, sizeof ss_header_magic) != 0 ||
        ss_bits_load(bytes + AT_CHECKSUM, 8) != set_checksum) {
        errno = ESTALE;
        return false;
    }
    *is_marked = ss_header_is_marked(bytes);
    return true;
}

bool ss_journal_mark_set(const ss_io *io, int fd)
{
    const uint8_t mark = JOURNAL_MARK;
    return ss_io_pwrite_all(io, fd, &mark, 1, AT_JOURNAL_MARK) &&
           sync_data(io, fd);
}
