/*
 * save.c - a set to disk, whole or not at all.
 *
 * A file is a header (header.c) and the words of the tables. Saving writes a
 * temporary file beside the target, syncs it, renames it over the target and
 * syncs the folder, so that a crash leaves the old set or the new one.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "hash.h"
#include "header.h"
#include "set.h"

enum {
    CHUNK_WORDS = 8192,
    CHUNK_BYTES = CHUNK_WORDS * 8
};

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

/* The whole header, checksums of the payloads included. */
static void describe(ss_header *header, const seenset *set)
{
    ss_header_describe(header, set);
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        header->records[i].payload_checksum = checksum_words(
            generation->table.words, ss_set_word_count(generation));
    }
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

int ss_file_write(const ss_io *io, int fd, const seenset *set)
{
    ss_header header;
    uint8_t bytes[SS_HEADER_MOST_BYTES];
    describe(&header, set);
    ss_header_encode(&header, bytes);
    bool is_written = ss_io_write_all(io, fd, bytes, ss_header_bytes(&header));
    for (uint32_t i = 0; is_written && i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        is_written = write_words(io, fd, generation->table.words,
                                 ss_set_word_count(generation));
    }
    return is_written ? SEENSET_OK : SEENSET_EIO;
}

/* Creates a file beside `path` that was not there; its name in `temporary`. */
static int open_temporary(const ss_io *io, char temporary[PATH_MAX],
                          const char *path, mode_t mode)
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
        int fd = ss_io_open(io, temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/*
 * A file that is replaced keeps its mode, and the new one has no wider mode
 * for a moment: who opened it then could read all that is written later. A
 * device, a pipe or a folder is never replaced.
 */
static bool replace(const ss_io *io, const seenset *set, const char *path)
{
    char temporary[PATH_MAX];
    struct stat old = {.st_mode = 0666};
    bool is_old = stat(path, &old) == 0;
    if (is_old && !S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    int fd = open_temporary(io, temporary, path, old.st_mode & 0777);
    if (fd < 0)
        return false;
    bool is_whole = (!is_old || fchmod(fd, old.st_mode & 07777) == 0) &&
                    ss_file_write(io, fd, set) == SEENSET_OK &&
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
    ss_header header;
    ss_header_describe(&header, set);
    size_t needed_bytes = (size_t)ss_header_file_bytes(&header);
    bool is_room = bytes != NULL && *size_bytes >= needed_bytes;
    *size_bytes = needed_bytes;
    if (!is_room)
        return SEENSET_ESPACE;
    describe(&header, set);
    ss_header_encode(&header, bytes);
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_record *record = &header.records[i];
        ss_bits_words_to_bytes((uint8_t *)bytes + record->payload_offset,
                               set->generations[i].table.words,
                               (size_t)record->payload_bytes / 8);
    }
    return SEENSET_OK;
}
