/*
 * file.c - a set on disk: written whole or not at all, read with suspicion.
 *
 * A file is a header (header.c) and the words of the table. Saving writes a
 * temporary file beside the target, syncs it, renames it over the target and
 * syncs the folder, so that a crash leaves the old set or the new one. A copy
 * is read and checked in full; a view maps the file and checks the header,
 * every size and the last line, which costs the same for any size of set.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash.h"
#include "header.h"
#include "set.h"

enum {
    CHUNK_WORDS = 8192,
    CHUNK_BYTES = CHUNK_WORDS * 8
};

/* ---- writing ---- */

static uint64_t checksum_words(const uint64_t *words, uint64_t word_count)
{
    XXH3_state_t state;
    uint8_t chunk[CHUNK_BYTES];
    XXH3_64bits_reset(&state);
    for (uint64_t done = 0; done < word_count; done += CHUNK_WORDS) {
        uint64_t left = word_count - done;
        size_t count = left < CHUNK_WORDS ? (size_t)left : CHUNK_WORDS;
        ss_bits_words_to_bytes(chunk, words + done, count);
        XXH3_64bits_update(&state, chunk, count * 8);
    }
    return XXH3_64bits_digest(&state);
}

static ss_header header_of(const seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    const ss_table *table = &newest->table;
    return (ss_header){
        .layout = table->layout->id,
        .on_full = set->on_full,
        .size_bits = table->size_bits,
        .hash_count = table->hash_count,
        .capacity_items = newest->capacity_items,
        .fp_rate = newest->fp_rate,
        .added_items = newest->added_items,
        .payload_bytes = ss_header_payload_bytes(table->size_bits),
        .payload_checksum = checksum_words(
            table->words, ss_table_word_count(table->size_bits))};
}

static bool write_words(const ss_io *io, int fd, const uint64_t *words,
                        uint64_t word_count)
{
    uint8_t chunk[CHUNK_BYTES];
    for (uint64_t done = 0; done < word_count; done += CHUNK_WORDS) {
        uint64_t left = word_count - done;
        size_t count = left < CHUNK_WORDS ? (size_t)left : CHUNK_WORDS;
        ss_bits_words_to_bytes(chunk, words + done, count);
        if (!ss_io_write_all(io, fd, chunk, count * 8))
            return false;
    }
    return true;
}

static bool write_set(const ss_io *io, int fd, const seenset *set)
{
    const ss_table *table = &ss_set_newest(set)->table;
    ss_header header = header_of(set);
    uint8_t bytes[SS_HEADER_BYTES];
    ss_header_encode(&header, bytes);
    return ss_io_write_all(io, fd, bytes, sizeof bytes) &&
           write_words(io, fd, table->words,
                       ss_table_word_count(table->size_bits));
}

int ss_file_write(const ss_io *io, int fd, const seenset *set)
{
    return write_set(io, fd, set) ? SEENSET_OK : SEENSET_EIO;
}

/* Creates a file beside `path` that was not there; its name in `temporary`. */
static int open_temporary(const ss_io *io, char temporary[PATH_MAX],
                          const char *path)
{
    enum {
        TRIES = 1000
    };
    for (int i = 0; i < TRIES; i++) {
        int length = snprintf(temporary, PATH_MAX, "%s.tmp-%ld-%d", path,
                              (long)getpid(), i);
        if (length < 0 || length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = ss_io_open(io, temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* A file that is replaced keeps its mode. A device or a pipe is never. */
static bool keep_mode(int fd, const char *path)
{
    struct stat old;
    if (stat(path, &old) != 0)
        return true;
    if (!S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    return fchmod(fd, old.st_mode & 07777) == 0;
}

static bool replace(const ss_io *io, const seenset *set, const char *path)
{
    char temporary[PATH_MAX];
    int fd = open_temporary(io, temporary, path);
    if (fd < 0)
        return false;
    bool is_whole = keep_mode(fd, path) && write_set(io, fd, set) &&
                    io->sync(io->context, fd) == 0;
    if (is_whole)
        is_whole = io->close(io->context, fd) == 0;
    else
        ss_io_close_quietly(io, fd);
    if (!is_whole || io->rename(io->context, temporary, path) != 0) {
        ss_io_unlink_quietly(io, temporary);
        return false;
    }
    return ss_io_sync_folder_of(io, path);
}

int ss_file_save(const ss_io *io, const seenset *set, const char *path)
{
    if (set == NULL || path == NULL)
        return SEENSET_EINVAL;
    char target[PATH_MAX]; /* the file itself where path is a symbolic link */
    if (realpath(path, target) != NULL)
        path = target;
    return replace(io, set, path) ? SEENSET_OK : SEENSET_EIO;
}

int seenset_save(const seenset *set, const char *path)
{
    return ss_file_save(&ss_io_system, set, path);
}

int seenset_write_bytes(const seenset *set, void *bytes, size_t *size_bytes)
{
    if (set == NULL || size_bytes == NULL)
        return SEENSET_EINVAL;
    const ss_table *table = &ss_set_newest(set)->table;
    size_t payload_bytes = (size_t)ss_header_payload_bytes(table->size_bits);
    size_t needed_bytes = SS_HEADER_BYTES + payload_bytes;
    bool is_room = bytes != NULL && *size_bytes >= needed_bytes;
    *size_bytes = needed_bytes;
    if (!is_room)
        return SEENSET_ESPACE;
    ss_header header = header_of(set);
    uint8_t *next = bytes;
    ss_header_encode(&header, next);
    ss_bits_words_to_bytes(next + SS_HEADER_BYTES, table->words,
                           payload_bytes / 8);
    return SEENSET_OK;
}

/* ---- reading ---- */

/* A system call failed at this offset: errno becomes the reason. */
static int refuse_errno(seenset_report *report, uint64_t offset)
{
    int saved_errno = errno;
    char reason[sizeof report->reason] = "";
    (void)strerror_r(saved_errno, reason, sizeof reason);
    errno = saved_errno;
    return ss_header_refuse(report, SEENSET_EIO, offset, reason);
}

static int decode_opened(const ss_io *io, int fd, ss_header *header,
                         seenset_report *report)
{
    uint8_t bytes[SS_HEADER_BYTES];
    struct stat status;
    if (io->status(io->context, fd, &status) != 0)
        return refuse_errno(report, 0);
    if (!S_ISREG(status.st_mode))
        return ss_header_refuse(report, SEENSET_EFORMAT, 0,
                                "not a regular file");
    ssize_t got = ss_io_read_all(io, fd, bytes, sizeof bytes);
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

/* A set like the header says, with zeroed words of its own. */
static int make_empty(const ss_header *header, const ss_memory *memory,
                      bool is_shared, seenset **out)
{
    seenset_plan plan = {.layout = header->layout,
                         .hash_count = header->hash_count,
                         .capacity_items = header->capacity_items,
                         .fp_rate = header->fp_rate,
                         .size_bits = header->size_bits};
    seenset *set;
    int error = ss_set_make(&set, memory, header->on_full, is_shared);
    if (error != SEENSET_OK)
        return error;
    error = ss_set_take_words(set, ss_set_newest(set), &plan);
    if (error != SEENSET_OK) {
        seenset_free(set);
        return error;
    }
    ss_set_newest(set)->added_items = header->added_items;
    *out = set;
    return SEENSET_OK;
}

/* The payload was read into the set's words as bytes: checks, converts it. */
static int settle_payload(const ss_header *header, seenset *set,
                          seenset_report *report)
{
    uint64_t *words = ss_set_newest(set)->table.words;
    const uint8_t *bytes = (const uint8_t *)words;
    size_t size_bytes = (size_t)header->payload_bytes;
    int error =
        ss_header_check_payload(header, ss_hash_key(bytes, size_bytes),
                                bytes + size_bytes - SS_LINE_BYTES, report);
    if (error == SEENSET_OK)
        ss_bits_bytes_to_words(words, bytes, size_bytes / 8);
    return error;
}

/* Reads the payload that follows the header at fd. */
static int read_payload(const ss_io *io, int fd, const ss_header *header,
                        seenset *set, seenset_report *report)
{
    size_t size_bytes = (size_t)header->payload_bytes;
    ssize_t got =
        ss_io_read_all(io, fd, ss_set_newest(set)->table.words, size_bytes);
    if (got < 0)
        return refuse_errno(report, 0);
    if ((size_t)got < size_bytes)
        return ss_header_refuse(report, SEENSET_ETRUNCATED,
                                SS_HEADER_BYTES + (uint64_t)got,
                                "the file ends inside the payload");
    return settle_payload(header, set, report);
}

int ss_file_load(const ss_io *io, const seenset_allocator *allocator,
                 bool is_shared, seenset **out, const char *path)
{
    ss_header header;
    seenset_report report;
    ss_memory memory;
    int fd;
    int error = ss_memory_init(&memory, allocator);
    if (error == SEENSET_OK)
        error = open_and_decode(io, path, &fd, &header, &report);
    if (error != SEENSET_OK)
        return error;
    seenset *set = NULL;
    error = make_empty(&header, &memory, is_shared, &set);
    if (error == SEENSET_OK)
        error = read_payload(io, fd, &header, set, &report);
    ss_io_close_quietly(io, fd);
    if (error == SEENSET_OK)
        *out = set;
    else
        seenset_free(set);
    return error;
}

/* A read-only set over bytes that hold a whole file. */
static int view_bytes(seenset **out, const uint8_t *bytes, size_t size_bytes)
{
    ss_header header;
    seenset_report report;
    ss_memory memory = {{NULL, NULL, NULL}};
    if (!ss_bits_is_little_endian())
        return SEENSET_EUNSUPPORTED;
    int error =
        ss_header_decode(&header, bytes, size_bytes, size_bytes, &report);
    if (error == SEENSET_OK)
        error = ss_header_check_payload(&header, header.payload_checksum,
                                        bytes + size_bytes - SS_LINE_BYTES,
                                        &report);
    seenset *set;
    if (error == SEENSET_OK)
        error = ss_set_make(&set, &memory, header.on_full, false);
    if (error != SEENSET_OK)
        return error;
    /* is_view stands guard over words that are const underneath */
    uint64_t *words = (uint64_t *)(uintptr_t)(bytes + SS_HEADER_BYTES);
    *ss_set_newest(set) = (ss_generation){
        .table = ss_table_make(ss_layout_find(header.layout, false),
                               header.size_bits, header.hash_count, words),
        .capacity_items = header.capacity_items,
        .fp_rate = header.fp_rate,
        .added_items = header.added_items};
    set->is_view = true;
    set->is_plain = false;
    *out = set;
    return SEENSET_OK;
}

static int copy_bytes(seenset **out, const uint8_t *bytes, size_t size_bytes,
                      bool is_shared)
{
    ss_header header;
    seenset_report report;
    ss_memory memory = {{NULL, NULL, NULL}};
    int error =
        ss_header_decode(&header, bytes, size_bytes, size_bytes, &report);
    seenset *set = NULL;
    if (error == SEENSET_OK)
        error = make_empty(&header, &memory, is_shared, &set);
    if (error != SEENSET_OK)
        return error;
    memcpy(ss_set_newest(set)->table.words, bytes + SS_HEADER_BYTES,
           (size_t)header.payload_bytes);
    error = settle_payload(&header, set, &report);
    if (error == SEENSET_OK)
        *out = set;
    else
        seenset_free(set);
    return error;
}

static bool are_flags(unsigned flags)
{
    return flags == SEENSET_OPEN_VIEW || flags == SEENSET_OPEN_COPY ||
           flags == (SEENSET_OPEN_COPY | SEENSET_SHARED);
}

static bool wants_shared(unsigned flags)
{
    return (flags & SEENSET_SHARED) != 0;
}

int seenset_open_bytes(seenset **out, const void *bytes, size_t size_bytes,
                       unsigned flags)
{
    if (out == NULL || bytes == NULL || !are_flags(flags))
        return SEENSET_EINVAL;
    if (flags != SEENSET_OPEN_VIEW)
        return copy_bytes(out, bytes, size_bytes, wants_shared(flags));
    if ((uintptr_t)bytes % sizeof(uint64_t) != 0)
        return SEENSET_EINVAL;
    return view_bytes(out, bytes, size_bytes);
}

/* Maps the file whose header was decoded, and views the mapping. */
static int map_view(int fd, const ss_header *header, seenset **out)
{
    size_t size_bytes = (size_t)(SS_HEADER_BYTES + header->payload_bytes);
    void *mapping = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (mapping == MAP_FAILED)
        return SEENSET_EIO;
    int error = view_bytes(out, mapping, size_bytes);
    if (error != SEENSET_OK) {
        munmap(mapping, size_bytes);
        return error;
    }
    (*out)->mapping = mapping;
    (*out)->mapping_bytes = size_bytes;
    return SEENSET_OK;
}

int seenset_open(seenset **out, const char *path, unsigned flags)
{
    if (out == NULL || path == NULL || !are_flags(flags))
        return SEENSET_EINVAL;
    if (flags != SEENSET_OPEN_VIEW)
        return ss_file_load(&ss_io_system, NULL, wants_shared(flags), out,
                            path);
    ss_header header;
    seenset_report report;
    int fd;
    int error = open_and_decode(&ss_io_system, path, &fd, &header, &report);
    if (error != SEENSET_OK)
        return error;
    error = map_view(fd, &header, out);
    ss_io_close_quietly(&ss_io_system, fd);
    return error;
}

/* ---- verifying ---- */

/* Reads the payload in chunks; its checksum and last line decide. */
static int verify_payload(const ss_io *io, int fd, const ss_header *header,
                          seenset_report *report)
{
    XXH3_state_t state;
    uint8_t chunk[CHUNK_BYTES];
    size_t wanted = 0;
    XXH3_64bits_reset(&state);
    for (uint64_t done = 0; done < header->payload_bytes; done += wanted) {
        uint64_t left = header->payload_bytes - done;
        wanted = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
        ssize_t got = ss_io_read_all(io, fd, chunk, wanted);
        if (got < 0)
            return refuse_errno(report, SS_HEADER_BYTES + done);
        if ((size_t)got < wanted)
            return ss_header_refuse(report, SEENSET_ETRUNCATED,
                                    SS_HEADER_BYTES + done + (uint64_t)got,
                                    "the file ends inside the payload");
        XXH3_64bits_update(&state, chunk, wanted);
    }
    return ss_header_check_payload(header, XXH3_64bits_digest(&state),
                                   chunk + wanted - SS_LINE_BYTES, report);
}

int ss_file_verify(const ss_io *io, const char *path, seenset_report *report)
{
    seenset_report own;
    if (report == NULL)
        report = &own;
    *report = (seenset_report){0};
    if (path == NULL)
        return ss_header_refuse(report, SEENSET_EINVAL, 0, "no path is given");
    ss_header header;
    int fd;
    int error = open_and_decode(io, path, &fd, &header, report);
    if (error != SEENSET_OK)
        return error;
    error = verify_payload(io, fd, &header, report);
    ss_io_close_quietly(io, fd);
    return error;
}

int seenset_verify(const char *path, seenset_report *report)
{
    return ss_file_verify(&ss_io_system, path, report);
}
