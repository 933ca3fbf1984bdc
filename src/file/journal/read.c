/* read.c - a journal read and doubted; the idea is in journal.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file/header/fields.h"
#include "file/journal/fields.h"
#include "file/target.h"
#include "set/view/remembered.h"

enum {
    HELD_BYTES = 2 * (SS_JOURNAL_RECORD_BYTES + 8 * SS_JOURNAL_MOST_HASHES)
};

/* A piece of the journal. */
typedef struct piece {
    const ss_io *io;
    int fd;
    uint64_t set_checksum;
    uint64_t file_bytes;
    uint64_t first; /* the offset of the first byte that is held */
    uint64_t held;
    uint8_t bytes[HELD_BYTES];
} piece;

/* The bytes at an offset. NULL: the file ends before their end, or, *is_bad,
 * it cannot be read. */
static const uint8_t *hold(piece *from, uint64_t offset, uint64_t size_bytes,
                           bool *is_bad)
{
    if (offset > from->file_bytes || size_bytes > from->file_bytes - offset)
        return NULL;
    if (offset < from->first || offset - from->first > from->held ||
        size_bytes > from->held - (offset - from->first)) {
        ssize_t got = ss_io_pread_all(from->io, from->fd, from->bytes,
                                      HELD_BYTES, offset);
        *is_bad = got < 0;
        from->first = offset;
        from->held = got < 0 ? 0 : (uint64_t)got;
        if (size_bytes > from->held)
            return NULL;
    }
    return from->bytes + (offset - from->first);
}

/* ---- the header ---- */

static int refuse(seenset_file_report *report, uint64_t offset,
                  const char *reason)
{
    return ss_header_refuse(report, SEENSET_ECORRUPT, offset, reason);
}

/* The newer slot that is sound. */
static int read_slots(const piece *from, const uint8_t *header, ss_journal *out,
                      seenset_file_report *report)
{
    out->committed = 0;
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        const uint8_t *slot = header + AT_JOURNAL_SLOTS + i * SLOT_BYTES;
        uint64_t end = ss_bits_load(slot + IN_SLOT_END, 8);
        if (ss_bits_load(slot + IN_SLOT_CHECKSUM, 8) !=
                ss_journal_slot_checksum(slot, from->set_checksum, i) ||
            end <= out->committed)
            continue;
        out->committed = end;
        out->slot = i;
    }
    return out->committed >= SS_JOURNAL_HEADER_BYTES
               ? SEENSET_OK
               : refuse(report, AT_JOURNAL_SLOTS,
                        "in its journal: the length is damaged");
}

static int read_header(piece *from, ss_journal *out,
                       seenset_file_report *report)
{
    bool is_bad = false;
    const uint8_t *bytes = hold(from, 0, SS_JOURNAL_HEADER_BYTES, &is_bad);
    if (is_bad)
        return ss_header_refuse_errno(report, 0);
    if (bytes == NULL)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, from->file_bytes,
                                "in its journal: it ends inside the header");
    if (memcmp(bytes, SS_JOURNAL_MAGIC, JOURNAL_MAGIC_BYTES) != 0)
        return refuse(report, AT_JOURNAL_MAGIC,
                      "in its journal: the first 8 bytes are not a journal's");
    if (ss_bits_load(bytes + AT_JOURNAL_CHECKSUM, 8) !=
        ss_journal_header_checksum(bytes))
        return refuse(report, AT_JOURNAL_CHECKSUM,
                      "in its journal: the header's checksum is wrong");
    if (ss_bits_load(bytes + AT_JOURNAL_VERSION, 8) != JOURNAL_VERSION)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_JOURNAL_VERSION,
                                "in its journal: the version is not 1");
    if (ss_bits_load(bytes + AT_JOURNAL_SET, 8) != from->set_checksum)
        return ss_header_refuse(report, SEENSET_EJOURNAL, AT_JOURNAL_SET,
                                "its journal is of another set");
    return read_slots(from, bytes, out, report);
}

/* ---- the records ---- */

/* The record at an offset, if a whole and sound one is there; else NULL. */
static const uint8_t *find_record(piece *from, uint64_t offset, uint64_t *count,
                                  bool *is_bad)
{
    const uint8_t *bytes = hold(from, offset, SS_JOURNAL_RECORD_BYTES, is_bad);
    if (bytes == NULL)
        return NULL;
    *count = ss_bits_load(bytes + OF_RECORD_COUNT, 4);
    if (*count < 1 || *count > SS_JOURNAL_MOST_HASHES ||
        ss_bits_load(bytes + OF_RECORD_RESERVED, 4) != 0)
        return NULL;
    bytes = hold(from, offset, ss_journal_record_bytes(*count), is_bad);
    if (bytes == NULL || ss_bits_load(bytes + OF_RECORD_CHECKSUM, 8) !=
                             ss_journal_record_checksum(
                                 bytes, *count, from->set_checksum, offset))
        return NULL;
    return bytes;
}

/* From an offset on, where a record begins if all before it were read once. */
static int read_records(piece *from, uint64_t first_new, seenset *set,
                        ss_journal *out, seenset_file_report *report)
{
    const uint8_t *record;
    uint64_t count;
    bool is_bad = false;
    int error = SEENSET_OK;
    out->end = first_new;
    while ((record = find_record(from, out->end, &count, &is_bad)) != NULL) {
        if (count > out->most_items - out->items)
            return refuse(report, out->end,
                          "in its journal: more keys than a journal takes");
        if (set != NULL)
            error = ss_remembered_replay(set, record + OF_RECORD_HASHES, count);
        if (error != SEENSET_OK)
            return ss_header_refuse(report, error, out->end, "out of memory");
        out->end += ss_journal_record_bytes(count);
        out->items += count;
    }
    if (is_bad)
        return ss_header_refuse_errno(report, out->end);
    if (from->file_bytes < out->committed || from->file_bytes < first_new)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, from->file_bytes,
                                "in its journal: it ends before its records");
    if (out->end < out->committed)
        return refuse(report, out->end, "in its journal: a record is damaged");
    return SEENSET_OK;
}

/* How long it is now; what was read before that is read again. */
static int measure(piece *all, seenset_file_report *report)
{
    bool is_file;
    all->held = 0;
    return ss_io_measure(all->io, all->fd, &is_file, &all->file_bytes)
               ? SEENSET_OK
               : ss_header_refuse_errno(report, 0);
}

/* Somebody may be appending: the records are measured and read after the slot
 * that says how long they are at least. */
int ss_journal_read(const ss_io *io, int fd, uint64_t set_checksum,
                    uint64_t from, seenset *set, ss_journal *out,
                    seenset_file_report *report)
{
    piece all = {.io = io, .fd = fd, .set_checksum = set_checksum};
    int error = measure(&all, report);
    if (error == SEENSET_OK)
        error = read_header(&all, out, report);
    if (error == SEENSET_OK)
        error = measure(&all, report);
    out->file_bytes = all.file_bytes;
    if (error == SEENSET_OK)
        error = read_records(&all, from, set, out, report);
    if (error != SEENSET_OK)
        report->file_bytes = all.file_bytes;
    return error;
}

/* ---- with its set ---- */

void ss_journal_path(char out[SS_PATH_MAX], const char *target)
{
    enum {
        LONGEST_NAME = 255
    };
    static const char suffix[] = ".log";
    if (strlen(ss_target_base(target)) + strlen(suffix) > LONGEST_NAME ||
        strlen(target) + strlen(suffix) >= SS_PATH_MAX) {
        ss_target_beside(out, target, suffix);
        return;
    }
    strcpy(out, target);
    strcat(out, suffix);
}

/* The name of the file to bring along, and how many keys are in it at most. */
static int refuse_missing(const char *path, const ss_header *header,
                          seenset_file_report *report)
{
    char reason[sizeof report->reason];
    (void)snprintf(reason, sizeof reason,
                   "its journal of at most %llu keys, %.50s, is missing",
                   (unsigned long long)ss_journal_most_items(header),
                   ss_target_base(path));
    return ss_header_refuse(report, SEENSET_EJOURNAL, AT_JOURNAL_MARK, reason);
}

static int read_beside(const ss_io *io, const char *target,
                       const ss_header *header, seenset *set, ss_journal *out,
                       seenset_file_report *report)
{
    char path[SS_PATH_MAX];
    ss_journal_path(path, target);
    int fd = ss_io_open_to_read(io, path);
    if (fd < 0 && errno == ENOENT)
        return refuse_missing(path, header, report);
    if (fd < 0)
        return ss_header_refuse_errno(report, AT_JOURNAL_MARK);
    int error = ss_journal_read(io, fd, header->checksum,
                                SS_JOURNAL_HEADER_BYTES, set, out, report);
    ss_io_close_quietly(io, fd);
    return error;
}

static void tell_set(seenset *set, const ss_journal *journal)
{
    set->journal_items = journal->items;
    set->journal_bytes = journal->end;
    if (set->remembered != NULL)
        set->remembered->journal_end = journal->end;
}

/* The set has what could be read, and is told what it may lack. */
static void tell_of_missing(seenset *set, const ss_journal *journal)
{
    set->journal_items = journal->items;
    set->journal_missing_items = journal->most_items - journal->items;
    if (set->remembered != NULL)
        set->remembered->is_incomplete = true;
}

static bool is_about_journal(int error)
{
    return error == SEENSET_EJOURNAL || error == SEENSET_ECORRUPT ||
           error == SEENSET_ETRUNCATED || error == SEENSET_EVERSION;
}

int ss_journal_load(const ss_io *io, const char *path, int fd,
                    const ss_header *header, bool is_needed, seenset *set,
                    seenset_file_report *report)
{
    char target[SS_PATH_MAX];
    if (!header->has_journal)
        return SEENSET_OK;
    if (!ss_target_find(target, path))
        return ss_header_refuse_errno(report, AT_JOURNAL_MARK);
    ss_journal journal = {.most_items = ss_journal_most_items(header)};
    int error = read_beside(io, target, header, set, &journal, report);
    if (error == SEENSET_OK && set != NULL)
        tell_set(set, &journal);
    if (error == SEENSET_OK)
        return error;
    if (ss_io_is_name_of(io, target, fd) == 0)
        return SS_JOURNAL_AGAIN;
    if (is_needed || !is_about_journal(error))
        return error;
    if (set != NULL)
        tell_of_missing(set, &journal);
    return SEENSET_OK;
}
