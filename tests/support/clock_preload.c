/*
 * clock_preload.c - the time that a program sees, set by a test: to be
 * preloaded, as build/release/tests/libtestclock.so.
 *
 *     echo 'wall 31536000 boot 2' >time
 *     TESTCLOCK=$PWD/time LD_PRELOAD=.../libtestclock.so seenset queue pop q
 *
 * The environment's TESTCLOCK names a file of words, any of them, in any
 * order; it is read again at each call, so a program that runs sees a change:
 *
 *     wall SECONDS    added to the wall clock (CLOCK_REALTIME, time,
 *                     gettimeofday); may be negative
 *     steady SECONDS  added to the steady clock (CLOCK_BOOTTIME), which is
 *                     never less than a nanosecond
 *     stands 1        the steady clock stands still, at what steady says
 *     boot NUMBER     of the boot (/proc/sys/kernel/random/boot_id): a number
 *                     other than 0 stands for a boot that is not this one
 *     unbooted 1      the system has no boot id
 *
 * CLOCK_MONOTONIC is left alone: the kernel waits by it, and waits are real.
 * Tests of the command do not write the file themselves: tests/cli/clock.sh
 * has the words for that.
 */
#undef _FILE_OFFSET_BITS /* open and open64 are two names here */
#undef _TIME_BITS
#undef _FORTIFY_SOURCE   /* which makes functions of its own of them */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REPLACES __attribute__((visibility("default")))
#define BOOT_ID_PATH "/proc/sys/kernel/random/boot_id"

typedef struct shift {
    long wall_seconds, steady_seconds, boot;
    bool is_unbooted, stands;
} shift;

static void take_word(shift *to, const char *word, long number)
{
    if (strcmp(word, "wall") == 0)
        to->wall_seconds = number;
    else if (strcmp(word, "steady") == 0)
        to->steady_seconds = number;
    else if (strcmp(word, "boot") == 0)
        to->boot = number;
    else if (strcmp(word, "unbooted") == 0)
        to->is_unbooted = number != 0;
    else if (strcmp(word, "stands") == 0)
        to->stands = number != 0;
}

/* By system calls, which this library does not replace. */
static size_t read_text(const char *path, char *text, size_t room)
{
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    long got = syscall(SYS_read, fd, text, room);
    syscall(SYS_close, fd);
    return got > 0 ? (size_t)got : 0;
}

static shift read_shift(void)
{
    shift found = {0};
    char text[256] = "", word[16];
    const char *path = getenv("TESTCLOCK");
    int saved_errno = errno, used;
    long number;
    if (path != NULL)
        text[read_text(path, text, sizeof text - 1)] = '\0';
    for (const char *next = text;
         sscanf(next, "%15s %ld%n", word, &number, &used) == 2; next += used)
        take_word(&found, word, number);
    errno = saved_errno;
    return found;
}

static void shift_steady(struct timespec *now)
{
    shift by = read_shift();
    if (by.stands)
        *now = (struct timespec){0};
    now->tv_sec += by.steady_seconds;
}

REPLACES int clock_gettime(clockid_t id, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, id, now);
    if (result != 0)
        return result;
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)
        now->tv_sec += read_shift().wall_seconds;
    if (id == CLOCK_BOOTTIME)
        shift_steady(now);
    if (id == CLOCK_BOOTTIME && now->tv_sec < 0)
        *now = (struct timespec){.tv_nsec = 1};
    return result;
}

REPLACES time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}

REPLACES int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

/* A file that says which boot this is. */
static int open_boot_id(long boot)
{
    char text[64];
    int length = snprintf(text, sizeof text,
                          "%08lx-0000-4000-8000-000000000000\n", boot);
    int fd = memfd_create("boot_id", MFD_CLOEXEC);
    if (fd < 0 || write(fd, text, (size_t)length) != length)
        return -1;
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static int open_as(const char *path, int flags, mode_t mode)
{
    shift by = {0};
    if (strcmp(path, BOOT_ID_PATH) == 0)
        by = read_shift();
    if (by.is_unbooted) {
        errno = ENOENT;
        return -1;
    }
    if (by.boot != 0)
        return open_boot_id(by.boot);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define OPENER(name)                                                           \
    REPLACES int name(const char *path, int flags, ...)                        \
    {                                                                          \
        va_list arguments;                                                     \
        va_start(arguments, flags);                                            \
        bool has_mode = (flags & (O_CREAT | O_TMPFILE)) != 0;                  \
        mode_t mode = has_mode ? va_arg(arguments, mode_t) : 0;                \
        va_end(arguments);                                                     \
        return open_as(path, flags, mode);                                     \
    }
OPENER(open)
#ifndef open64 /* in musl, another name of open */
OPENER(open64)
#endif
