/*
 * posix.h - what the tests use of POSIX and Windows has not. It is included
 * before all else of each test.
 *
 * What has no counterpart (links without a right of their own, pipes with
 * names) skips the test that asks for it.
 */
#ifndef TEST_WINDOWS_POSIX_H
#define TEST_WINDOWS_POSIX_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* The library's word for it, whose numbers are those of the tests. */
#include "base/posix.h"

#define rename windows_rename /* over a file that is there */
int windows_rename(const char *from, const char *to);

#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

#define SIGKILL 9 /* which no signal of Windows is */

char *mkdtemp(char *name);
#define truncate windows_truncate
int windows_truncate(const char *path, off_t size);
int flock(int fd, int how);
ssize_t pread(int fd, void *bytes, size_t size, off_t offset);
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset);

/* Each skips the test. */
int symlink(const char *text, const char *path);
int mkfifo(const char *path, unsigned mode);
ssize_t readlink(const char *path, char *text, size_t room);

int windows_path_flag(void);
#define O_PATH windows_path_flag()

#define lstat stat

#ifdef TEST_HAS_SUCH_NAMES /* for functions of its own */
#include <io.h>
#define read own_read
#define write own_write
#define tell own_tell
#endif

#endif
