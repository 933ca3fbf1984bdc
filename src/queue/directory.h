/*
 * queue_folder.h - a queue's folder: which files there are, by what names.
 *
 *     LOCK                     flock'ed while the queue is open
 *     MANIFEST                 what was decided when the queue was made
 *     log-<position>           a segment of the log, from that position on
 *     set-<position>           the seen set with all pushes before it
 *     state-<position>         what is acked, as of that position
 *     REPAIR                   holes are being written over damage
 *     <any of them>.tmp        being written; left over after a crash
 *
 * Positions are 16 hexadecimal digits. A file is written under a temporary
 * name, synced, renamed, and the folder is synced: it is there whole or not.
 */
#ifndef SS_QUEUE_FOLDER_H
#define SS_QUEUE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io.h"
#include "base/memory.h"

#define SS_FOLDER_LOG "log-"
#define SS_FOLDER_SET "set-"
#define SS_FOLDER_STATE "state-"
#define SS_FOLDER_MANIFEST "MANIFEST"
#define SS_FOLDER_REPAIR "REPAIR"
#define SS_FOLDER_LOCK "LOCK"

enum {
    SS_FOLDER_NAME_BYTES = 48
};

typedef struct ss_directory {
    const ss_io *io;
    char path[PATH_MAX - SS_FOLDER_NAME_BYTES];
} ss_directory;

/* SEENSET_EINVAL: the path is too long */
int ss_directory_init(ss_directory *folder, const ss_io *io, const char *path);

/* "log-" and 255 make "log-00000000000000ff" */
void ss_directory_name(char name[SS_FOLDER_NAME_BYTES], const char *prefix,
                       uint64_t position);

/* The path of a name in the folder. */
void ss_directory_path(const ss_directory *folder, char path[PATH_MAX],
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

/* What is in the folder. */
typedef struct ss_listing {
    const ss_memory *memory;
    const ss_directory *folder;
    bool removes_temporary; /* on the way, leftovers are removed */
    bool has_manifest, has_repair;
    char foreign[SS_FOLDER_NAME_BYTES]; /* a file that no queue makes, or "" */
    ss_positions logs, sets, states;
} ss_listing;

/* 0, SEENSET_EIO or SEENSET_ENOMEM. Free it in any case. */
int ss_directory_list(const ss_directory *folder, ss_listing *listing);
void ss_listing_free(ss_listing *listing);

/* Opens a file of the folder; -1 and errno. */
int ss_directory_open(const ss_directory *folder, const char *name, int flags);
/* Opens LOCK, which is made anew if nothing else is missing from a queue. */
int ss_directory_open_lock(const ss_directory *folder);
void ss_directory_remove(const ss_directory *folder, const char *name);
/* The same for what must not stay: false and errno. */
bool ss_directory_unlink(const ss_directory *folder, const char *name);
bool ss_directory_sync(const ss_directory *folder);

/*
 * Writing a file whole: begin opens NAME.tmp (-1 and errno), the caller
 * writes, commit makes it NAME. commit closes fd in any case and returns 0,
 * SEENSET_EIO (nothing changed) or SEENSET_EPOISONED (a sync failed).
 */
int ss_directory_begin(const ss_directory *folder, const char *name);
int ss_directory_commit(const ss_directory *folder, const char *name, int fd);
void ss_directory_abort(const ss_directory *folder, const char *name, int fd);

/* The same in one for bytes in memory. */
int ss_directory_replace(const ss_directory *folder, const char *name,
                         const void *bytes, size_t size_bytes);

/*
 * Reads a whole file into memory taken for it. 0, SEENSET_EIO,
 * SEENSET_ENOMEM; give it back with ss_memory_free(memory, bytes, size, 1).
 */
int ss_directory_read(const ss_directory *folder, const ss_memory *memory,
                      const char *name, uint8_t **bytes, size_t *size_bytes);

#endif
