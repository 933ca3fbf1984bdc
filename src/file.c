/*
 * file.c - a set from disk, read with suspicion.
 *
 * A copy is read and checked in full; a view maps the file and checks the
 * header, every size and the last line of each table, which costs the same for
 * any size of set. Verifying reads everything in constant memory.
 */
#define _POSIX_C_SOURCE 200809L
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "hash.h"
#include "header.h"
#include "set.h"

enum {
    CHUNK_BYTES = 65536
};

/* A system call failed at this offset: errno becomes the reason. */
static int refuse_errno(seenset_report *report, uint64_t offset)
{
    int saved_errno = errno;
    char reason[sizeof report->reason] = "";
    (void)strerror_r(saved_errno, reason, sizeof reason);
    errno = saved_errno;
    return ss_header_refuse(report, SEENSET_EIO, offset, reason);
}

/* Reads the header, the fixed part first, which says how long the rest is;
 * what follows it at fd are the payloads. */
static ssize_t read_header(const ss_io *io, int fd,
                           uint8_t bytes[SS_HEADER_MOST_BYTES])
{
    ssize_t got = ss_io_read_all(io, fd, bytes, SS_HEADER_FIXED_BYTES);
    if (got < SS_HEADER_FIXED_BYTES)
        return got;
    ssize_t more = ss_io_read_all(io, fd, bytes + got,
                                  ss_header_claimed_bytes(bytes) - (size_t)got);
    return more < 0 ? more : got + more;
}

static int decode_opened(const ss_io *io, int fd, ss_header *header,
                         seenset_report *report)
{
    uint8_t bytes[SS_HEADER_MOST_BYTES];
    struct stat status;
    if (io->status(io->context, fd, &status) != 0)
        return refuse_errno(report, 0);
    if (!S_ISREG(status.st_mode))
        return ss_header_refuse(report, SEENSET_EFORMAT, 0,
                                "not a regular file");
    ssize_t got = read_header(io, fd, bytes);
    if (got < 0)
        return refuse_errno(report, 0);
    return ss_header_decode(header, bytes, (size_t)got,
                            (uint64_t)status.st_size, report);
}

/* Opens a regular file and decodes its header; *fd is open only on success. */
static int open_and_decode(const ss_io *io, const char *path, int *fd,
                           ss_header *header, seenset_report *report)
{
    *report = (seenset_report){0};
    *fd = ss_io_open(io, path, O_RDONLY | O_NONBLOCK, 0);
    if (*fd < 0)
        return refuse_errno(report, 0);
    int error = decode_opened(io, *fd, header, report);
    if (error != SEENSET_OK)
        ss_io_close_quietly(io, *fd);
    return error;
}

/* ---- the way keys are hashed ---- */

/* Completes the identity that the header names with what only the caller has,
 * and checks it by the value that the writer left. */
static int adopt_identity(ss_header *header,
                          const seenset_open_options *options)
{
    ss_identity *identity = &header->kind.identity;
    bool is_keyed = ss_identity_is_keyed(identity);
    bool is_caller = identity->scheme == SS_SCHEME_CALLER;
    if (is_keyed != (options->secret != NULL))
        return SEENSET_ESECRET;
    if (is_caller != (options->index_function != NULL))
        return SEENSET_EHASH;
    ss_identity made;
    int error =
        ss_identity_make(&made, identity->scheme, options->secret,
                         options->index_function, options->index_context);
    if (error != SEENSET_OK)
        return error;
    if (ss_identity_check(&made) != header->hash_check) {
        ss_identity_forget(&made);
        return is_keyed ? SEENSET_ESECRET : SEENSET_EHASH;
    }
    *identity = made;
    return SEENSET_OK;
}

static bool is_shared(const seenset_open_options *options)
{
    return (options->flags & SEENSET_SHARED) != 0;
}

/* ---- a copy ---- */

/* A set like the header says, with zeroed words of its own. */
static int make_empty(const ss_header *header, const ss_memory *memory,
                      bool is_shared, seenset **out)
{
    ss_kind kind = header->kind;
    bool can_share =
        kind.on_full == SEENSET_DEGRADE || kind.on_full == SEENSET_REFUSE;
    kind.is_shared = is_shared;
    if (is_shared && (!can_share || header->layout > SEENSET_BLOOM))
        return SEENSET_EUNSUPPORTED;
    seenset *set;
    int error = ss_set_make(&set, memory, &kind, header->generation_count);
    if (error != SEENSET_OK)
        return error;
    for (uint32_t i = 0; i < header->generation_count; i++) {
        const ss_record *record = &header->records[i];
        seenset_plan plan = {.layout = header->layout,
                             .hash_count = record->hash_count,
                             .capacity_items = record->capacity_items,
                             .fp_rate = record->fp_rate,
                             .size_bits = record->size_bits};
        if (ss_set_append(set, &plan, header->place_bits) != SEENSET_OK) {
            seenset_free(set);
            return SEENSET_ENOMEM;
        }
        ss_set_newest(set)->table.fuse = record->fuse;
        ss_set_newest(set)->added_items = record->added_items;
        ss_set_newest(set)->started_seconds = record->started_seconds;
    }
    *out = set;
    return SEENSET_OK;
}

/* A payload was read into a table's words as bytes: checks, converts it. */
static int settle_payload(const ss_header *header, const ss_record *record,
                          uint64_t *words, seenset_report *report)
{
    const uint8_t *bytes = (const uint8_t *)words;
    size_t size_bytes = (size_t)record->payload_bytes;
    int error =
        ss_header_check_payload(header, record, ss_hash_key(bytes, size_bytes),
                                bytes + size_bytes - SS_LINE_BYTES, report);
    if (error == SEENSET_OK)
        ss_bits_bytes_to_words(words, bytes, size_bytes / 8);
    return error;
}

/* Reads the payloads that begin after the header. */
static int read_payloads(const ss_io *io, int fd, const ss_header *header,
                         seenset *set, seenset_report *report)
{
    for (uint32_t i = 0; i < header->generation_count; i++) {
        const ss_record *record = &header->records[i];
        size_t size_bytes = (size_t)record->payload_bytes;
        uint64_t *words = set->generations[i].table.words;
        ssize_t got = ss_io_read_all(io, fd, words, size_bytes);
        if (got < 0)
            return refuse_errno(report, record->payload_offset);
        if ((size_t)got < size_bytes)
            return ss_header_refuse(report, SEENSET_ETRUNCATED,
                                    record->payload_offset + (uint64_t)got,
                                    "the file ends inside the payload");
        int error = settle_payload(header, record, words, report);
        if (error != SEENSET_OK)
            return error;
    }
    return SEENSET_OK;
}

/* Does the file hold what it has to? made may be NULL: then anything will do.
 */
static int check_kind(const ss_header *header, const seenset_options *made,
                      seenset_report *report)
{
    if (made == NULL || ss_header_fits(header, made))
        return SEENSET_OK;
    return ss_header_refuse(report, SEENSET_EMISMATCH, 0,
                            "the set is of another kind");
}

static int load(const ss_io *io, const seenset_open_options *options,
                const seenset_options *made, seenset **out, const char *path)
{
    ss_header header;
    seenset_report report;
    ss_memory memory;
    int fd;
    int error = ss_memory_init(&memory, options->allocator);
    if (error == SEENSET_OK)
        error = open_and_decode(io, path, &fd, &header, &report);
    if (error != SEENSET_OK)
        return error;
    seenset *set = NULL;
    error = adopt_identity(&header, options);
    if (error == SEENSET_OK)
        error = check_kind(&header, made, &report);
    if (error == SEENSET_OK)
        error = make_empty(&header, &memory, is_shared(options), &set);
    if (error == SEENSET_OK)
        error = read_payloads(io, fd, &header, set, &report);
    ss_io_close_quietly(io, fd);
    if (error == SEENSET_OK)
        *out = set;
    else
        seenset_free(set);
    return error;
}

int ss_file_load_with(const ss_io *io, const seenset_open_options *options,
                      seenset **out, const char *path)
{
    return load(io, options, NULL, out, path);
}

int ss_file_load_as(const ss_io *io, const seenset_options *made, seenset **out,
                    const char *path)
{
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .allocator = made->allocator};
    return load(io, &options, made, out, path);
}

/* The header of bytes that hold a whole file, and what the options add. */
static int decode_header(ss_header *header, ss_memory *memory,
                         const uint8_t *bytes, size_t size_bytes,
                         const seenset_open_options *options,
                         seenset_report *report)
{
    int error = ss_memory_init(memory, options->allocator);
    if (error == SEENSET_OK)
        error = ss_header_decode(header, bytes, size_bytes, size_bytes, report);
    if (error == SEENSET_OK)
        error = adopt_identity(header, options);
    return error;
}

static int copy_bytes(seenset **out, const uint8_t *bytes, size_t size_bytes,
                      const seenset_open_options *options)
{
    ss_header header;
    seenset_report report;
    ss_memory memory;
    int error =
        decode_header(&header, &memory, bytes, size_bytes, options, &report);
    seenset *set = NULL;
    if (error == SEENSET_OK)
        error = make_empty(&header, &memory, is_shared(options), &set);
    for (uint32_t i = 0; error == SEENSET_OK && i < header.generation_count;
         i++) {
        const ss_record *record = &header.records[i];
        uint64_t *words = set->generations[i].table.words;
        memcpy(words, bytes + record->payload_offset,
               (size_t)record->payload_bytes);
        error = settle_payload(&header, record, words, &report);
    }
    if (error == SEENSET_OK)
        *out = set;
    else
        seenset_free(set);
    return error;
}

/* ---- a view ---- */

/* Is the padding of each table zero? The rest of a payload is trusted. */
static int check_last_lines(const ss_header *header, const uint8_t *bytes,
                            seenset_report *report)
{
    int error = SEENSET_OK;
    for (uint32_t i = 0; error == SEENSET_OK && i < header->generation_count;
         i++) {
        const ss_record *record = &header->records[i];
        uint64_t end = record->payload_offset + record->payload_bytes;
        error =
            ss_header_check_payload(header, record, record->payload_checksum,
                                    bytes + end - SS_LINE_BYTES, report);
    }
    return error;
}

/* A read-only set over bytes that hold a whole file. */
static int view_bytes(seenset **out, const uint8_t *bytes, size_t size_bytes,
                      const seenset_open_options *options)
{
    ss_header header;
    seenset_report report;
    ss_memory memory;
    if (!ss_bits_is_little_endian())
        return SEENSET_EUNSUPPORTED;
    int error =
        decode_header(&header, &memory, bytes, size_bytes, options, &report);
    if (error == SEENSET_OK)
        error = check_last_lines(&header, bytes, &report);
    seenset *set;
    if (error == SEENSET_OK)
        error =
            ss_set_make(&set, &memory, &header.kind, header.generation_count);
    if (error != SEENSET_OK)
        return error;
    for (uint32_t i = 0; i < header.generation_count; i++) {
        const ss_record *record = &header.records[i];
        /* is_view stands guard over words that are const underneath */
        uint64_t *words =
            (uint64_t *)(uintptr_t)(bytes + record->payload_offset);
        set->generations[i] = (ss_generation){
            .table = ss_set_table(set, header.layout, record->size_bits,
                                  record->hash_count, header.place_bits, words),
            .capacity_items = record->capacity_items,
            .fp_rate = record->fp_rate,
            .added_items = record->added_items,
            .started_seconds = record->started_seconds};
        set->generations[i].table.fuse = record->fuse;
    }
    set->generation_count = header.generation_count;
    set->is_view = true;
    ss_set_settle(set);
    *out = set;
    return SEENSET_OK;
}

/* Maps the file whose header was decoded, and views the mapping. */
static int map_view(int fd, const ss_header *header, seenset **out,
                    const seenset_open_options *options)
{
    size_t size_bytes = (size_t)ss_header_file_bytes(header);
    void *mapping = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (mapping == MAP_FAILED)
        return errno == ENOMEM ? SEENSET_ENOMEM : SEENSET_EIO;
    int error = view_bytes(out, mapping, size_bytes, options);
    if (error != SEENSET_OK) {
        munmap(mapping, size_bytes);
        return error;
    }
    (*out)->mapping = mapping;
    (*out)->mapping_bytes = size_bytes;
    return SEENSET_OK;
}

/* ---- the public calls ---- */

static bool are_flags(unsigned flags)
{
    return flags == SEENSET_OPEN_VIEW || flags == SEENSET_OPEN_COPY ||
           flags == (SEENSET_OPEN_COPY | SEENSET_SHARED);
}

int seenset_open_bytes_with(seenset **out, const void *bytes, size_t size_bytes,
                            const seenset_open_options *options)
{
    if (out == NULL || bytes == NULL || options == NULL ||
        !are_flags(options->flags))
        return SEENSET_EINVAL;
    if (options->flags != SEENSET_OPEN_VIEW)
        return copy_bytes(out, bytes, size_bytes, options);
    if ((uintptr_t)bytes % sizeof(uint64_t) != 0)
        return SEENSET_EINVAL;
    return view_bytes(out, bytes, size_bytes, options);
}

int seenset_open_bytes(seenset **out, const void *bytes, size_t size_bytes,
                       unsigned flags)
{
    seenset_open_options options = {.flags = flags};
    return seenset_open_bytes_with(out, bytes, size_bytes, &options);
}

int seenset_open_with(seenset **out, const char *path,
                      const seenset_open_options *options)
{
    if (out == NULL || path == NULL || options == NULL ||
        !are_flags(options->flags))
        return SEENSET_EINVAL;
    if (options->flags != SEENSET_OPEN_VIEW)
        return ss_file_load_with(&ss_io_system, options, out, path);
    ss_header header;
    seenset_report report;
    int fd;
    int error = open_and_decode(&ss_io_system, path, &fd, &header, &report);
    if (error != SEENSET_OK)
        return error;
    error = map_view(fd, &header, out, options);
    ss_io_close_quietly(&ss_io_system, fd);
    return error;
}

int seenset_open(seenset **out, const char *path, unsigned flags)
{
    seenset_open_options options = {.flags = flags};
    return seenset_open_with(out, path, &options);
}

/* ---- verifying ---- */

/* Reads a payload in chunks; its checksum and last line decide. */
static int verify_payload(const ss_io *io, int fd, const ss_header *header,
                          const ss_record *record, seenset_report *report)
{
    XXH3_state_t state;
    uint8_t chunk[CHUNK_BYTES];
    size_t wanted = 0;
    XXH3_64bits_reset(&state);
    for (uint64_t done = 0; done < record->payload_bytes; done += wanted) {
        uint64_t left = record->payload_bytes - done;
        uint64_t offset = record->payload_offset + done;
        wanted = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
        ssize_t got = ss_io_read_all(io, fd, chunk, wanted);
        if (got < 0)
            return refuse_errno(report, offset);
        if ((size_t)got < wanted)
            return ss_header_refuse(report, SEENSET_ETRUNCATED,
                                    offset + (uint64_t)got,
                                    "the file ends inside the payload");
        XXH3_64bits_update(&state, chunk, wanted);
    }
    return ss_header_check_payload(header, record, XXH3_64bits_digest(&state),
                                   chunk + wanted - SS_LINE_BYTES, report);
}

static int verify_payloads(const ss_io *io, int fd, const ss_header *header,
                           seenset_report *report)
{
    int error = SEENSET_OK;
    for (uint32_t i = 0; error == SEENSET_OK && i < header->generation_count;
         i++)
        error = verify_payload(io, fd, header, &header->records[i], report);
    return error;
}

int ss_file_verify_as(const ss_io *io, const seenset_options *made,
                      const char *path, seenset_report *report)
{
    ss_header header;
    int fd;
    int error = open_and_decode(io, path, &fd, &header, report);
    if (error != SEENSET_OK)
        return error;
    error = check_kind(&header, made, report);
    if (error == SEENSET_OK)
        error = verify_payloads(io, fd, &header, report);
    ss_io_close_quietly(io, fd);
    return error;
}

int ss_file_verify(const ss_io *io, const char *path, seenset_report *report)
{
    seenset_report own;
    if (report == NULL)
        report = &own;
    *report = (seenset_report){0};
    if (path == NULL)
        return ss_header_refuse(report, SEENSET_EINVAL, 0, "no path is given");
    return ss_file_verify_as(io, NULL, path, report);
}

int seenset_verify(const char *path, seenset_report *report)
{
    return ss_file_verify(&ss_io_system, path, report);
}
