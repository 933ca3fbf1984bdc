/* payload.c - see payload.h */
#include "file/payload.h"

#include <string.h>

#include "hash/checksum.h"

enum {
    CHUNK_BYTES = 8 * SS_BLOCK_BYTES
};

static int out_of_memory(const ss_table_record *record,
                         seenset_file_report *report)
{
    return ss_header_refuse(report, SEENSET_ENOMEM, record->payload_offset,
                            "out of memory");
}

static int read_image(const ss_table_record *record, ss_expand *expand,
                      ss_payload_source *source, void *context,
                      seenset_file_report *report)
{
    int error = SEENSET_OK;
    size_t room;
    for (uint64_t done = 0; error == SEENSET_OK && done < record->payload_bytes;
         done += room) {
        uint8_t *place = ss_image_place(expand, &record->image, done, &room);
        if (place == NULL)
            return out_of_memory(record, report);
        error = source(context, place, room, done);
    }
    return error;
}

int ss_payload_read(const ss_table_record *record, ss_table *table,
                    ss_payload_source *source, void *context,
                    seenset_file_report *report)
{
    return record->is_expandable
               ? read_image(record, table->expand, source, context, report)
               : source(context, (uint8_t *)table->words,
                        (size_t)record->payload_bytes, 0);
}

/* ---- checked ---- */

static int accept_words(ss_sums *sums, const ss_table_record *record,
                        uint64_t *words, seenset_file_report *report)
{
    const uint8_t *bytes = (const uint8_t *)words;
    size_t size_bytes = (size_t)record->payload_bytes;
    int error = ss_sums_check(sums, record, 0, bytes, size_bytes, report);
    if (error == SEENSET_OK)
        error = ss_header_check_payload(
            sums->header, record, seenset_hash(bytes, size_bytes),
            bytes + size_bytes - SS_LINE_BYTES, report);
    if (error == SEENSET_OK)
        ss_bits_bytes_to_words(words, bytes, size_bytes / 8);
    return error;
}

/* The next bytes of an image that was read, from one place after the other. */
static void gather(ss_expand *expand, const ss_image_shape *shape,
                   uint64_t done, uint8_t *chunk, size_t size_bytes)
{
    while (size_bytes > 0) {
        size_t room;
        const uint8_t *place = ss_image_place(expand, shape, done, &room);
        size_t count = room < size_bytes ? room : size_bytes;
        memcpy(chunk, place, count);
        chunk += count;
        done += count;
        size_bytes -= count;
    }
}

static int check_image(ss_sums *sums, const ss_table_record *record,
                       ss_expand *expand, seenset_file_report *report)
{
    XXH3_state_t state;
    uint8_t chunk[CHUNK_BYTES];
    size_t count = 0;
    int error = SEENSET_OK;
    ss_checksum_start(&state);
    for (uint64_t done = 0; error == SEENSET_OK && done < record->payload_bytes;
         done += count) {
        uint64_t left = record->payload_bytes - done;
        count = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
        gather(expand, &record->image, done, chunk, count);
        ss_checksum_add(&state, chunk, count);
        error = ss_sums_check(sums, record, done, chunk, count, report);
    }
    return error != SEENSET_OK
               ? error
               : ss_header_check_payload(sums->header, record,
                                         ss_checksum_end(&state),
                                         chunk + count - SS_LINE_BYTES, report);
}

static int refuse_image(int error, const ss_table_record *record,
                        const char *fault, seenset_file_report *report)
{
    if (error == SEENSET_ENOMEM)
        return out_of_memory(record, report);
    return error == SEENSET_ECORRUPT
               ? ss_header_refuse(report, error, record->payload_offset, fault)
               : error;
}

int ss_payload_accept(ss_sums *sums, const ss_table_record *record,
                      ss_table *table, seenset_file_report *report)
{
    const char *fault = NULL;
    if (!record->is_expandable)
        return accept_words(sums, record, table->words, report);
    int error = check_image(sums, record, table->expand, report);
    if (error != SEENSET_OK)
        return error;
    error = ss_image_finish(table->expand, &record->image, &fault);
    return refuse_image(error, record, fault, report);
}

/* ---- in a file ---- */

typedef struct verified {
    const ss_sums *sums;
    const ss_table_record *record;
    seenset_file_report *report;
} verified;

static int read_piece(void *context, uint64_t offset, void *bytes,
                      size_t size_bytes)
{
    const verified *of = context;
    uint64_t at = of->record->payload_offset + offset;
    ssize_t got =
        ss_io_pread_all(of->sums->io, of->sums->fd, bytes, size_bytes, at);
    if (got < 0)
        return ss_header_refuse_errno(of->report, at);
    if ((size_t)got < size_bytes)
        return ss_header_refuse(of->report, SEENSET_ETRUNCATED,
                                at + (uint64_t)got,
                                "the file ends inside the payload");
    return SEENSET_OK;
}

int ss_payload_verify(const ss_sums *sums, const ss_table_record *record,
                      seenset_file_report *report)
{
    verified of = {sums, record, report};
    const ss_image_source source = {read_piece, &of};
    const char *fault = NULL;
    if (!record->is_expandable)
        return SEENSET_OK;
    int error = ss_image_verify(&source, &record->image, &fault);
    return fault == NULL ? error : refuse_image(error, record, fault, report);
}
