/* verify.c - a file read whole in constant memory, every checksum checked */
#include "file/journal/journal.h"
#include "file/open_parts.h"
#include "file/payload.h"
#include "file/sums.h"
#include "hash/checksum.h"
#include "table/layouts.h"

enum {
    CHUNK_BYTES = 8 * SS_BLOCK_BYTES
};

/* A table without words, whose lines are looked at as they come. */
typedef struct inspection {
    ss_table table;
    uint32_t carry;
    bool is_sound; /* so far */
} inspection;

static inspection begin_inspection(const ss_header *header,
                                   const ss_table_record *record)
{
    const ss_layout *layout = ss_layout_find(header->layout, false);
    inspection begun = {.is_sound = true};
    if (layout->are_sound != NULL)
        begun.table =
            ss_table_make(layout, record->size_bits, record->hash_count,
                          header->cell_bits, NULL);
    return begun;
}

/* bytes: whole lines, the first of them at `done`. */
static void inspect(inspection *of, uint64_t done, const uint8_t *bytes,
                    size_t size_bytes)
{
    uint64_t words[SS_LINE_WORDS];
    const uint8_t *end = bytes + size_bytes;
    uint64_t line = done / SS_LINE_BYTES;
    if (of->table.layout == NULL)
        return;
    for (; of->is_sound && bytes < end; bytes += SS_LINE_BYTES) {
        ss_bits_bytes_to_words(words, bytes, SS_LINE_WORDS);
        of->is_sound = of->table.layout->are_sound(&of->table, words, line++, 1,
                                                   &of->carry);
    }
}

/* Reads a payload in chunks; its blocks, checksum and last line decide, and
 * then whether it is a table. */
static int verify_payload(ss_sums *sums, const ss_table_record *record,
                          seenset_file_report *report)
{
    XXH3_state_t state;
    uint8_t chunk[CHUNK_BYTES];
    size_t wanted = 0;
    inspection table = begin_inspection(sums->header, record);
    ss_checksum_start(&state);
    for (uint64_t done = 0; done < record->payload_bytes; done += wanted) {
        uint64_t left = record->payload_bytes - done;
        uint64_t offset = record->payload_offset + done;
        wanted = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
        ssize_t got = ss_io_read_all(sums->io, sums->fd, chunk, wanted);
        if (got < 0)
            return ss_header_refuse_errno(report, offset);
        if ((size_t)got < wanted)
            return ss_header_refuse(report, SEENSET_ETRUNCATED,
                                    offset + (uint64_t)got,
                                    "the file ends inside the payload");
        int error = ss_sums_check(sums, record, done, chunk, wanted, report);
        if (error != SEENSET_OK)
            return error;
        ss_checksum_add(&state, chunk, wanted);
        inspect(&table, done, chunk, wanted);
    }
    int error =
        ss_header_check_payload(sums->header, record, ss_checksum_end(&state),
                                chunk + wanted - SS_LINE_BYTES, report);
    return error == SEENSET_OK && !table.is_sound
               ? ss_file_refuse_slots(record, report)
               : error;
}

static int verify_payloads(ss_sums *sums, seenset_file_report *report)
{
    int error = ss_sums_start(sums, report);
    for (uint32_t i = 0;
         error == SEENSET_OK && i < sums->header->generation_count; i++)
        error = verify_payload(sums, &sums->header->records[i], report);
    for (uint32_t i = 0;
         error == SEENSET_OK && i < sums->header->generation_count; i++)
        error = ss_payload_verify(sums, &sums->header->records[i], report);
    return error;
}

static int verify_once(const ss_io *io, const seenset_options *made,
                       const char *path, seenset_file_report *report)
{
    ss_header header;
    int fd;
    int error = ss_file_open(io, path, &fd, &header, report);
    if (error != SEENSET_OK)
        return error;
    ss_sums sums = {.header = &header, .io = io, .fd = fd};
    if (made == NULL)
        error = ss_journal_find(io, path, &header, report);
    if (error == SEENSET_OK)
        error = ss_file_check_kind(&header, made, report);
    if (error == SEENSET_OK)
        error = verify_payloads(&sums, report);
    if (error == SEENSET_OK)
        error = ss_journal_load(io, path, fd, &header, true, NULL, report);
    ss_io_close_quietly(io, fd);
    return error;
}

int ss_file_verify_as(const ss_io *io, const seenset_options *made,
                      const char *path, seenset_file_report *report)
{
    int error;
    do {
        error = verify_once(io, made, path, report);
    } while (error == SS_JOURNAL_AGAIN);
    return error;
}

int ss_file_verify(const ss_io *io, const char *path,
                   seenset_file_report *report)
{
    seenset_file_report own;
    if (report == NULL)
        report = &own;
    *report = (seenset_file_report){0};
    if (path == NULL)
        return ss_header_refuse(report, SEENSET_EINVAL, 0, "no path is given");
    return ss_file_verify_as(io, NULL, path, report);
}

int seenset_verify(const char *path, seenset_file_report *report)
{
    return ss_file_verify(&ss_io_system, path, report);
}
