/*
 * folder.h - a queue's folder: the names of its files, and writing them.
 *
 *     LOCK                     flock'ed while the queue is open
 *     MANIFEST                 what was decided when the queue was made
 *     log-<position>           a segment of the log, from that position on
 *     set-<position>           the seen set with all pushes before it
 *     state-<position>         what is acked, as of that position
 *     delayed-<number>         items that wait until they are due
 *     REPAIR                   a repair is writing over damage
 *     scratch-<number>.tmp     a file without a name, if a crash came before
 *                              that was taken from it
 *     <one of them>.tmp        being written; a crash leaves it
 *
 * Positions and numbers are 16 hexadecimal digits. A file is written under a
 * temporary name, synced, renamed, and the folder is synced: it is there whole
 * or not at all.
 */
#ifndef SS_LOG_FOLDER_H
#define SS_LOG_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io.h"
#include "base/memory.h"
#include "base/path.h"

#define SS_FOLDER_LOG "log-"
#define SS_FOLDER_SET "set-"
#define SS_FOLDER_STATE "state-"
#define SS_FOLDER_DELAYED "delayed-"
#define SS_FOLDER_SCRATCH "scratch-"
#define SS_FOLDER_MANIFEST "MANIFEST"
#define SS_FOLDER_REPAIR "REPAIR"
#define SS_FOLDER_LOCK "LOCK"

enum {
    SS_FOLDER_NAME_BYTES = 48
};

typedef struct ss_folder {
    const ss_io *io;
    char path[SS_PATH_MAX - SS_FOLDER_NAME_BYTES];
} ss_folder;

/* Returns 0, or SEENSET_EINVAL: the path is empty or too long. */
int ss_folder_use(ss_folder *folder, const ss_io *io, const char *path);

/* Writes a name: "log-" and 255 make "log-00000000000000ff". */
void ss_folder_name(char name[SS_FOLDER_NAME_BYTES], const char *prefix,
                    uint64_t position);

/* Writes the path of a file in the folder. */
void ss_folder_path(const ss_folder *folder, char path[SS_PATH_MAX],
                    const char *name);

/* Positions, ascending. */
typedef struct ss_positions {
    uint64_t *at;
    size_t count, room;
} ss_positions;

bool ss_positions_add(ss_positions *positions, const ss_memory *memory,
                      uint64_t position);
void ss_positions_drop_first(ss_positions *positions, size_t count);
void ss_positions_free(ss_positions *positions, const ss_memory *memory);

/* The place of the last one that is not after a position; 0 if all are. */
size_t ss_positions_place(const ss_positions *positions, uint64_t position);

/* Which files are in the folder. */
typedef struct ss_listing {
    const ss_memory *memory;
    const ss_folder *folder;
    bool removes_temporary; /* files left by a crash are removed meanwhile */
    bool has_manifest, has_repair;
    char foreign[SS_FOLDER_NAME_BYTES]; /* a file not of a queue, or "" */
    ss_positions logs, sets, states;
    ss_positions delayed; /* by their numbers */
} ss_listing;

/* Returns 0, SEENSET_EIO or SEENSET_ENOMEM. The listing must be freed in any
 * case. */
int ss_folder_list(const ss_folder *folder, ss_listing *listing);
void ss_listing_free(ss_listing *listing);

/* Opens a file of the folder. Returns its descriptor, or -1 and errno. */
int ss_folder_open(const ss_folder *folder, const char *name, int flags);
/* Opens LOCK, which is made if the folder has a MANIFEST. */
int ss_folder_open_lock(const ss_folder *folder);
/* Removes a file if it can. errno stays as it was. */
void ss_folder_remove(const ss_folder *folder, const char *name);
/* Removes a file that must not stay. Returns false and errno on failure. */
bool ss_folder_unlink(const ss_folder *folder, const char *name);
/* Makes durable which files the folder has. Returns false and errno on
 * failure. */
bool ss_folder_sync(const ss_folder *folder);

/*
 * A file is written in three steps: begin opens NAME.tmp (or returns -1 and
 * errno), the caller writes, and commit makes it NAME. commit closes fd in any
 * case and returns 0, SEENSET_EIO (nothing changed) or SEENSET_EPOISONED (a
 * sync failed). abort removes what was written.
 */
int ss_folder_begin(const ss_folder *folder, const char *name);
int ss_folder_commit(const ss_folder *folder, const char *name, int fd);
void ss_folder_abort(const ss_folder *folder, const char *name, int fd);

/* Makes an empty file without a name, which is gone once it is closed. Returns
 * its descriptor, or -1 and errno. */
int ss_folder_scratch(const ss_folder *folder);

/* All three steps, for bytes in memory. */
int ss_folder_replace(const ss_folder *folder, const char *name,
                      const void *bytes, size_t size_bytes);

/*
 * Reads a whole file into memory, which the caller frees with
 * ss_memory_free(memory, bytes, size, 1). Returns 0, SEENSET_EIO or
 * SEENSET_ENOMEM.
 */
int ss_folder_read(const ss_folder *folder, const ss_memory *memory,
                   const char *name, uint8_t **bytes, size_t *size_bytes);

#endif
