/* folder.c - names, listings, and files written whole or not at all */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "log/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "seenset/error.h"

int ss_folder_use(ss_folder *folder, const ss_io *io, const char *path)
{
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof folder->path)
        return SEENSET_EINVAL;
    folder->io = io;
    memcpy(folder->path, path, length + 1);
    return SEENSET_OK;
}

void ss_folder_name(char name[SS_FOLDER_NAME_BYTES], const char *prefix,
                    uint64_t position)
{
    snprintf(name, SS_FOLDER_NAME_BYTES, "%s%016" PRIx64, prefix, position);
}

void ss_folder_path(const ss_folder *folder, char path[SS_PATH_MAX],
                    const char *name)
{
    size_t length = strlen(folder->path), name_length = strlen(name);
    memcpy(path, folder->path, length);
    path[length] = '/';
    memcpy(path + length + 1, name, name_length + 1);
}

/* ---- positions ---- */

bool ss_positions_add(ss_positions *positions, const ss_memory *memory,
                      uint64_t position)
{
    void *block = positions->at;
    if (!ss_array_reserve(memory, &block, &positions->room,
                          positions->count + 1, sizeof *positions->at))
        return false;
    positions->at = block;
    size_t place = positions->count++;
    for (; place > 0 && positions->at[place - 1] > position; place--)
        positions->at[place] = positions->at[place - 1];
    positions->at[place] = position;
    return true;
}

void ss_positions_drop_first(ss_positions *positions, size_t count)
{
    positions->count -= count;
    memmove(positions->at, positions->at + count,
            positions->count * sizeof *positions->at);
}

void ss_positions_free(ss_positions *positions, const ss_memory *memory)
{
    ss_memory_free(memory, positions->at, positions->room,
                   sizeof *positions->at);
    *positions = (ss_positions){0};
}

size_t ss_positions_place(const ss_positions *positions, uint64_t position)
{
    size_t low = 0, high = positions->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (positions->at[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- listing ---- */

/* Reads "<prefix><16 lower-case hexadecimal digits>". No log gets so long that
 * a position needs the 64th bit. */
static bool read_name(const char *name, const char *prefix, uint64_t *position)
{
    char again[SS_FOLDER_NAME_BYTES];
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0 ||
        sscanf(name + length, "%16" SCNx64, position) != 1 ||
        *position > INT64_MAX)
        return false;
    ss_folder_name(again, prefix, *position);
    return strcmp(again, name) == 0;
}

/* The list of a file that is named for a position; of others NULL. */
static ss_positions *list_of(ss_listing *listing, const char *name,
                             uint64_t *position)
{
    if (read_name(name, SS_FOLDER_LOG, position))
        return &listing->logs;
    if (read_name(name, SS_FOLDER_SET, position))
        return &listing->sets;
    if (read_name(name, SS_FOLDER_DELAYED, position))
        return &listing->delayed;
    return read_name(name, SS_FOLDER_STATE, position) ? &listing->states : NULL;
}

/* Is it a file that was being written, NAME.tmp with one of our names? */
static bool is_temporary(const char *name)
{
    char base[SS_FOLDER_NAME_BYTES];
    uint64_t position;
    size_t length = strlen(name);
    if (length <= 4 || length >= SS_FOLDER_NAME_BYTES ||
        strcmp(name + length - 4, ".tmp") != 0)
        return false;
    snprintf(base, sizeof base, "%.*s", (int)length - 4, name);
    return strcmp(base, SS_FOLDER_MANIFEST) == 0 ||
           read_name(base, SS_FOLDER_SCRATCH, &position) ||
           read_name(base, SS_FOLDER_DELAYED, &position) ||
           read_name(base, SS_FOLDER_SET, &position) ||
           read_name(base, SS_FOLDER_STATE, &position);
}

/* Names that a folder may have without having been used. */
static bool is_hidden(const char *name)
{
    return name[0] == '.' || strcmp(name, "lost+found") == 0;
}

static void visit_other(ss_listing *listing, const char *name)
{
    if (is_temporary(name)) {
        if (listing->removes_temporary)
            ss_folder_remove(listing->folder, name);
    } else if (!is_hidden(name) && listing->foreign[0] == '\0') {
        snprintf(listing->foreign, sizeof listing->foreign, "%.*s",
                 (int)sizeof listing->foreign - 1, name);
    }
}

static int visit(void *context, const char *name)
{
    ss_listing *listing = context;
    uint64_t position;
    ss_positions *positions = list_of(listing, name, &position);
    if (positions != NULL) {
        if (ss_positions_add(positions, listing->memory, position))
            return 0;
        errno = ENOMEM;
        return -1;
    }
    if (strcmp(name, SS_FOLDER_MANIFEST) == 0)
        listing->has_manifest = true;
    else if (strcmp(name, SS_FOLDER_REPAIR) == 0)
        listing->has_repair = true;
    else if (strcmp(name, SS_FOLDER_LOCK) != 0)
        visit_other(listing, name);
    return 0;
}

int ss_folder_list(const ss_folder *folder, ss_listing *listing)
{
    listing->folder = folder;
    const ss_io *io = folder->io;
    if (io->list(io->context, folder->path, visit, listing) == 0)
        return SEENSET_OK;
    return errno == ENOMEM ? SEENSET_ENOMEM : SEENSET_EIO;
}

void ss_listing_free(ss_listing *listing)
{
    ss_positions_free(&listing->logs, listing->memory);
    ss_positions_free(&listing->sets, listing->memory);
    ss_positions_free(&listing->states, listing->memory);
    ss_positions_free(&listing->delayed, listing->memory);
}

/* ---- files ---- */

int ss_folder_open(const ss_folder *folder, const char *name, int flags)
{
    char path[SS_PATH_MAX];
    ss_folder_path(folder, path, name);
    return ss_io_open(folder->io, path, flags, 0666);
}

int ss_folder_open_lock(const ss_folder *folder)
{
    int fd = ss_folder_open(folder, SS_FOLDER_LOCK, O_RDWR);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    int manifest = ss_folder_open(folder, SS_FOLDER_MANIFEST, O_RDONLY);
    if (manifest < 0)
        return -1;
    ss_io_close_quietly(folder->io, manifest);
    return ss_folder_open(folder, SS_FOLDER_LOCK, O_RDWR | O_CREAT);
}

bool ss_folder_unlink(const ss_folder *folder, const char *name)
{
    char path[SS_PATH_MAX];
    ss_folder_path(folder, path, name);
    return folder->io->unlink(folder->io->context, path) == 0;
}

void ss_folder_remove(const ss_folder *folder, const char *name)
{
    int saved_errno = errno;
    (void)ss_folder_unlink(folder, name);
    errno = saved_errno;
}

bool ss_folder_sync(const ss_folder *folder)
{
    return ss_io_sync_folder(folder->io, folder->path);
}

static void temporary_of(char temporary[SS_FOLDER_NAME_BYTES], const char *name)
{
    snprintf(temporary, SS_FOLDER_NAME_BYTES, "%.40s.tmp", name);
}

int ss_folder_begin(const ss_folder *folder, const char *name)
{
    char temporary[SS_FOLDER_NAME_BYTES];
    temporary_of(temporary, name);
    return ss_folder_open(folder, temporary, O_WRONLY | O_CREAT | O_TRUNC);
}

void ss_folder_abort(const ss_folder *folder, const char *name, int fd)
{
    char temporary[SS_FOLDER_NAME_BYTES];
    temporary_of(temporary, name);
    ss_io_close_quietly(folder->io, fd);
    ss_folder_remove(folder, temporary);
}

/* Gives the synced temporary file its name, durably. */
static int rename_temporary(const ss_folder *folder, const char *name)
{
    char temporary[SS_FOLDER_NAME_BYTES], from[SS_PATH_MAX], to[SS_PATH_MAX];
    temporary_of(temporary, name);
    ss_folder_path(folder, from, temporary);
    ss_folder_path(folder, to, name);
    if (folder->io->rename(folder->io->context, from, to) != 0) {
        ss_io_unlink_quietly(folder->io, from);
        return SEENSET_EIO;
    }
    return ss_folder_sync(folder) ? SEENSET_OK : SEENSET_EPOISONED;
}

int ss_folder_commit(const ss_folder *folder, const char *name, int fd)
{
    const ss_io *io = folder->io;
    if (io->sync(io->context, fd) != 0) {
        ss_folder_abort(folder, name, fd);
        return SEENSET_EPOISONED;
    }
    if (io->close(io->context, fd) != 0) {
        char temporary[SS_FOLDER_NAME_BYTES];
        temporary_of(temporary, name);
        ss_folder_remove(folder, temporary);
        return SEENSET_EIO;
    }
    return rename_temporary(folder, name);
}

/* Others who look at the queue may be making theirs. */
int ss_folder_scratch(const ss_folder *folder)
{
    enum {
        MOST_TRIES = 1000
    };
    char name[SS_FOLDER_NAME_BYTES], temporary[SS_FOLDER_NAME_BYTES];
    int fd = -1;
    for (uint64_t number = 0; number < MOST_TRIES && fd < 0; number++) {
        ss_folder_name(name, SS_FOLDER_SCRATCH, number);
        temporary_of(temporary, name);
        fd = ss_folder_open(folder, temporary, O_RDWR | O_CREAT | O_EXCL);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    if (fd >= 0)
        ss_folder_remove(folder, temporary);
    return fd;
}

int ss_folder_replace(const ss_folder *folder, const char *name,
                      const void *bytes, size_t size_bytes)
{
    int fd = ss_folder_begin(folder, name);
    if (fd < 0)
        return SEENSET_EIO;
    if (!ss_io_write_all(folder->io, fd, bytes, size_bytes)) {
        ss_folder_abort(folder, name, fd);
        return SEENSET_EIO;
    }
    return ss_folder_commit(folder, name, fd);
}

/* Reads all bytes of a regular file. */
static int read_open(const ss_io *io, const ss_memory *memory, int fd,
                     uint8_t **bytes, size_t *size_bytes)
{
    struct stat status;
    if (io->status(io->context, fd, &status) != 0)
        return SEENSET_EIO;
    if (status.st_size <= 0) {
        *bytes = NULL;
        *size_bytes = 0;
        return SEENSET_OK;
    }
    size_t wanted = (size_t)status.st_size;
    uint8_t *block = ss_memory_alloc(memory, wanted, 1);
    if (block == NULL)
        return SEENSET_ENOMEM;
    if (ss_io_pread_all(io, fd, block, wanted, 0) != (ssize_t)wanted) {
        ss_memory_free(memory, block, wanted, 1);
        return SEENSET_EIO;
    }
    *bytes = block;
    *size_bytes = wanted;
    return SEENSET_OK;
}

int ss_folder_read(const ss_folder *folder, const ss_memory *memory,
                   const char *name, uint8_t **bytes, size_t *size_bytes)
{
    int fd = ss_folder_open(folder, name, O_RDONLY);
    if (fd < 0)
        return SEENSET_EIO;
    int error = read_open(folder->io, memory, fd, bytes, size_bytes);
    ss_io_close_quietly(folder->io, fd);
    return error;
}
