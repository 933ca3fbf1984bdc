/*
 * posix.h - the calls of POSIX that the command makes and Windows lacks, or has
 * under their names with another meaning: here they mean what POSIX has. It is
 * included before all else of each file of the command.
 *
 * Paths are in UTF-8, bytes are never changed on their way, offsets have 64
 * bits. A descriptor is one of Windows' C library. What a system without users'
 * modes or signals cannot do does nothing.
 */
#ifndef SYSTEM_WINDOWS_POSIX_H
#define SYSTEM_WINDOWS_POSIX_H

#define _GNU_SOURCE /* asprintf */

#include <errno.h>
#define tell windows_tell /* a name of ours, too */
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#undef tell

/* ---- opened ---- */

#define O_CLOEXEC 0          /* the command starts no other program */
#define O_NONBLOCK 0         /* there are no named pipes in folders */
#define O_NOFOLLOW 0x1000000 /* as src/base/windows has it */

#define open posix_open
#define close posix_close
#define fopen posix_fopen
int posix_open(const char *path, int flags, ...);
int posix_close(int fd);
FILE *posix_fopen(const char *path, const char *mode);

/* ---- bytes ---- */

/* A thread that waits for a pipe in it can be cancelled. */
#define read posix_read
/* A write to a pipe whose reader is gone ends the process, as SIGPIPE does. */
#define write posix_write
#define pread posix_pread
#undef lseek
#define lseek posix_lseek
#undef ftruncate
#define ftruncate posix_ftruncate
#define fsync posix_fsync
ssize_t posix_read(int fd, void *bytes, size_t size);
ssize_t posix_write(int fd, const void *bytes, size_t size);
ssize_t posix_pread(int fd, void *bytes, size_t size, off_t offset);
off_t posix_lseek(int fd, off_t offset, int from);
int posix_ftruncate(int fd, off_t size);
int posix_fsync(int fd);

#define POSIX_FADV_SEQUENTIAL 2
static inline int posix_fadvise(int fd, off_t offset, off_t size, int advice)
{
    (void)fd, (void)offset, (void)size, (void)advice;
    return 0;
}

/* ---- what is known of a file ---- */

#define S_IFLNK 0xA000

#undef stat
#undef fstat
#define stat posix_status
#define fstat posix_fstat
#define lstat posix_lstat
/* Of the modes there is one bit: may it be written? */
struct posix_status {
    unsigned st_mode;
    uint64_t st_dev, st_ino;
    off_t st_size;
};
int posix_status(const char *path, struct posix_status *out);
int posix_fstat(int fd, struct posix_status *out);
int posix_lstat(const char *path, struct posix_status *out);

#define access posix_access /* F_OK only */
int posix_access(const char *path, int how);

#define readlink posix_readlink
ssize_t posix_readlink(const char *path, char *text, size_t room);

/* ---- its name, and its lock ---- */

#define rename posix_rename
#define unlink posix_unlink
int posix_rename(const char *from, const char *to);
int posix_unlink(const char *path);

#ifndef NAME_MAX
#define NAME_MAX 255
#endif
#define _PC_NAME_MAX 3
long pathconf(const char *path, int what);

#define LOCK_EX 2
#define LOCK_NB 4
int flock(int fd, int how); /* LOCK_EX | LOCK_NB only */

/* ---- a pause ---- */

#define nanosleep posix_nanosleep /* not less; whole milliseconds */
int posix_nanosleep(const struct timespec *time, struct timespec *left);

/* ---- text and memory ---- */

#define strerror posix_strerror
const char *posix_strerror(int error);
char *strndup(const char *text, size_t most);
void *memrchr(const void *bytes, int byte, size_t size);
void explicit_bzero(void *bytes, size_t size);

#define flockfile _lock_file
#define funlockfile _unlock_file

#endif
