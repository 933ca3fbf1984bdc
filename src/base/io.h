/*
 * io.h - every file operation of the library, in one table of functions, and
 * the clock that goes with them.
 *
 * The library calls the operating system through such a table and nowhere
 * else, so that a test can hand it one that fails at the third write, keeps a
 * record, or forgets what was not synced. Each member behaves as the system
 * call it is named after: -1 and errno on failure.
 */
#ifndef SS_BASE_IO_H
#define SS_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/export.h"
#include "base/posix.h"

/* Called with each name in a folder but "." and ".."; -1 and errno stops. */
typedef int ss_io_visitor(void *visitor_context, const char *name);

typedef struct ss_io {
    int (*open)(void *context, const char *path, int flags, mode_t mode);
    int (*close)(void *context, int fd);
    ssize_t (*read)(void *context, int fd, void *bytes, size_t size_bytes);
    ssize_t (*write)(void *context, int fd, const void *bytes,
                     size_t size_bytes);
    int (*sync)(void *context, int fd);
    int (*rename)(void *context, const char *from, const char *to);
    int (*unlink)(void *context, const char *path);
    /* what the to-visit queue needs besides */
    ssize_t (*pread)(void *context, int fd, void *bytes, size_t size_bytes,
                     uint64_t offset);
    ssize_t (*pwrite)(void *context, int fd, const void *bytes,
                      size_t size_bytes, uint64_t offset);
    int (*datasync)(void *context, int fd);
    int (*truncate)(void *context, int fd, uint64_t size_bytes);
    int (*status)(void *context, int fd, struct stat *out);
    int (*lock)(void *context, int fd); /* flock: exclusive, no waiting */
    int (*mkdir)(void *context, const char *path, mode_t mode);
    int (*list)(void *context, const char *path, ss_io_visitor *visit,
                void *visitor_context);
    const ss_clock *clock; /* leases end by its steady clock */
    void *context;         /* handed to each function */
} ss_io;

/* The operating system's own. */
SS_EXPORT extern const ss_io ss_io_system;

/* open, again if a signal came in between */
SS_EXPORT int ss_io_open(const ss_io *io, const char *path, int flags,
                         mode_t mode);

/* A file to be read; it does not wait for a pipe's other end. */
int ss_io_open_to_read(const ss_io *io, const char *path);

/* A file that is there to be read and written. A symbolic link is refused. */
int ss_io_open_here(const ss_io *io, const char *path);

/* A new file to be read and written; EEXIST if anything has the name. */
int ss_io_open_new(const ss_io *io, const char *path, mode_t mode);

/* lock, again if a signal came in between: 0, or -1 and errno */
int ss_io_lock(const ss_io *io, int fd);

/* Is it a regular file, and how long is it? False and errno on failure. */
bool ss_io_measure(const ss_io *io, int fd, bool *is_file,
                   uint64_t *size_bytes);

/* Does the path lead to the file that is open as fd, and is that a regular
 * file? 1, 0, or -1 and errno. */
int ss_io_is_name_of(const ss_io *io, const char *path, int fd);

/* close and unlink for paths that already failed: errno stays as it was */
SS_EXPORT void ss_io_close_quietly(const ss_io *io, int fd);
SS_EXPORT void ss_io_unlink_quietly(const ss_io *io, const char *path);

/* All size_bytes bytes, however many calls it takes. */
SS_EXPORT bool ss_io_write_all(const ss_io *io, int fd, const void *bytes,
                               size_t size_bytes);

/* Up to size_bytes bytes, fewer only at the end of the file; -1 on error. */
ssize_t ss_io_read_all(const ss_io *io, int fd, void *bytes, size_t size_bytes);

/* The same at an offset, which the file's own position has no part in. */
SS_EXPORT bool ss_io_pwrite_all(const ss_io *io, int fd, const void *bytes,
                                size_t size_bytes, uint64_t offset);
SS_EXPORT ssize_t ss_io_pread_all(const ss_io *io, int fd, void *bytes,
                                  size_t size_bytes, uint64_t offset);

/* Makes what changed in a folder durable. */
SS_EXPORT bool ss_io_sync_folder(const ss_io *io, const char *folder);

/* Makes a rename in the folder of `path` durable. */
bool ss_io_sync_folder_of(const ss_io *io, const char *path);

#endif
