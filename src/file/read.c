/*
 * read.c - a set from a stream, through the caller's function.
 *
 *     | header | payload | payload | ... | sums | what is not ours
 *
 * A stream cannot be asked for its length or read twice. So the header's word
 * is taken for how much follows, and no more is asked for. The payloads go
 * straight to the words of the set's tables; once the sums have come, each is
 * checked as a file's is.
 */
#include "base/memory.h"
#include "file/journal/journal.h"
#include "file/open_parts.h"
#include "file/payload.h"

enum {
    MOST_BYTES = 1 << 20 /* that are asked for at once */
};

typedef struct stream {
    seenset_read_function *read;
    void *context;
    uint64_t done; /* bytes that were read */
    seenset_file_report *report;
} stream;

/* Reads all of size_bytes bytes, or up to the stream's end: *got of them. */
static int read_some(stream *from, void *bytes, uint64_t size_bytes,
                     uint64_t *got)
{
    *got = 0;
    while (*got < size_bytes) {
        uint64_t left = size_bytes - *got;
        size_t wanted = left < MOST_BYTES ? (size_t)left : (size_t)MOST_BYTES;
        int64_t more =
            from->read(from->context, (uint8_t *)bytes + *got, wanted);
        if (more == 0)
            break;
        if (more < 0 || (uint64_t)more > wanted)
            return ss_header_refuse(from->report, SEENSET_EIO, from->done,
                                    "the caller's function failed");
        *got += (uint64_t)more;
        from->done += (uint64_t)more;
    }
    return SEENSET_OK;
}

static int read_all(stream *from, void *bytes, uint64_t size_bytes,
                    const char *missing)
{
    uint64_t got;
    int error = read_some(from, bytes, size_bytes, &got);
    if (error == SEENSET_OK && got < size_bytes)
        return ss_header_refuse(from->report, SEENSET_ETRUNCATED, from->done,
                                missing);
    return error;
}

/* Reads the fixed part, which has the length of the rest, and the rest. */
static int read_header(stream *from, ss_header *header)
{
    uint8_t bytes[SS_HEADER_MAX_BYTES];
    uint64_t got, more = 0;
    uint64_t file_bytes = 0;
    int error = read_some(from, bytes, SS_HEADER_FIXED_BYTES, &got);
    if (error == SEENSET_OK && got == SS_HEADER_FIXED_BYTES) {
        file_bytes = ss_header_claimed_file_bytes(bytes);
        error = read_some(from, bytes + got,
                          ss_header_claimed_bytes(bytes) - got, &more);
    }
    if (error != SEENSET_OK)
        return error;
    return ss_header_decode(header, bytes, (size_t)(got + more), file_bytes,
                            from->report);
}

static int read_payload(void *context, uint8_t *bytes, size_t size_bytes,
                        uint64_t done)
{
    (void)done;
    return read_all(context, bytes, size_bytes,
                    "the stream ends inside the payload");
}

/* The payloads, as bytes, to the tables. */
static int read_payloads(stream *from, const ss_header *header, seenset *set)
{
    int error = SEENSET_OK;
    for (uint32_t i = 0; error == SEENSET_OK && i < header->generation_count;
         i++)
        error = ss_payload_read(&header->records[i], &set->generations[i].table,
                                read_payload, from, from->report);
    return error;
}

/* Checks what was read by the sums, and makes tables of the bytes. */
static int accept_payloads(stream *from, const ss_header *header,
                           const uint8_t *table, seenset *set)
{
    ss_sums sums = {.header = header, .table = table};
    int error = ss_sums_start(&sums, from->report);
    for (uint32_t i = 0; error == SEENSET_OK && i < header->generation_count;
         i++)
        error = ss_payload_accept(&sums, &header->records[i],
                                  &set->generations[i].table, from->report);
    return error;
}

static int read_tables(stream *from, const ss_header *header,
                       const ss_memory *memory, seenset *set)
{
    uint64_t count = header->block_count; /* 0 before version 3 */
    uint8_t *table = NULL;
    int error = read_payloads(from, header, set);
    if (error != SEENSET_OK)
        return error;
    if (count > 0) {
        table = ss_memory_alloc(memory, count, SS_SUM_BYTES);
        if (table == NULL)
            return ss_header_refuse(from->report, SEENSET_ENOMEM, from->done,
                                    "out of memory");
        error = read_all(from, table, count * SS_SUM_BYTES,
                         "the stream ends inside its sums");
    }
    if (error == SEENSET_OK)
        error = accept_payloads(from, header, table, set);
    ss_memory_free(memory, table, count, SS_SUM_BYTES);
    return error == SEENSET_OK ? ss_file_check_tables(header, set, from->report)
                               : error;
}

static int read_set(stream *from, seenset **out,
                    const seenset_open_options *options)
{
    ss_header header;
    ss_memory memory;
    seenset *set = NULL;
    bool is_shared = (options->flags & SEENSET_FLAG_SHARED) != 0;
    int error = ss_file_init_memory(&memory, options, from->report);
    if (error == SEENSET_OK)
        error = read_header(from, &header);
    if (error == SEENSET_OK)
        error = ss_journal_miss(&header, ss_file_needs_journal(options), NULL,
                                from->report);
    if (error == SEENSET_OK)
        error = ss_file_adopt_identity(&header, options, from->report);
    if (error == SEENSET_OK)
        error =
            ss_file_make_empty(&header, &memory, is_shared, &set, from->report);
    if (error == SEENSET_OK)
        error = read_tables(from, &header, &memory, set);
    if (error == SEENSET_OK)
        error = ss_journal_miss(&header, false, set, from->report);
    return ss_file_finish(error, set, options, out);
}

static int check_arguments(const void *out, seenset_read_function *read,
                           const seenset_open_options *options,
                           seenset_file_report *report)
{
    if (out == NULL || read == NULL)
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "an argument is missing");
    if ((options->flags & (SEENSET_OPEN_UNCHECKED | SEENSET_OPEN_APPEND)) != 0)
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "a stream is read as a copy");
    return ss_file_check_options(options, report);
}

int seenset_read(seenset **out, seenset_read_function *read, void *context,
                 const seenset_open_options *options)
{
    static const seenset_open_options defaults = {.flags = SEENSET_OPEN_COPY};
    seenset_file_report own;
    if (options == NULL)
        options = &defaults;
    stream from = {.read = read, .context = context};
    from.report = options->report != NULL ? options->report : &own;
    *from.report = (seenset_file_report){0};
    int error = check_arguments(out, read, options, from.report);
    return error == SEENSET_OK ? read_set(&from, out, options) : error;
}
