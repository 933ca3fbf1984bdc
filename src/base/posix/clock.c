/* clock.c - the system's clocks; the idea is in clock.h */
#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BOOT_ID_PATH "/proc/sys/kernel/random/boot_id"

enum {
    BOOT_ID_DIGITS = 2 * SS_CLOCK_BOOT_BYTES,
    BOOT_ID_TEXT_BYTES = BOOT_ID_DIGITS + 4 /* hyphens */
};

static const uint64_t second_ns = UINT64_C(1000000000);

static uint64_t system_wall_seconds(void *context)
{
    struct timespec now = {0};
    (void)context;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec > 0 ? (uint64_t)now.tv_sec : 0;
}

static uint64_t system_steady_ns(void *context)
{
    struct timespec now = {0};
    (void)context;
#ifdef CLOCK_BOOTTIME
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0)
#endif
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

/* The value of a hexadecimal digit, or -1. */
static int digit_of(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Reads 32 digits with hyphens among them, as the kernel writes them. */
static bool parse_id(uint8_t id[SS_CLOCK_BOOT_BYTES], const char *text,
                     size_t length)
{
    uint8_t parsed[SS_CLOCK_BOOT_BYTES] = {0};
    int count = 0;
    for (size_t i = 0; i < length && count < BOOT_ID_DIGITS; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0 && text[i] != '-')
            return false;
        if (digit < 0)
            continue;
        parsed[count / 2] = (uint8_t)(parsed[count / 2] << 4 | digit);
        count++;
    }
    if (count < BOOT_ID_DIGITS)
        return false;
    for (int i = 0; i < SS_CLOCK_BOOT_BYTES; i++)
        id[i] = parsed[i];
    return true;
}

/* A pseudo-file: the kernel hands it out with one read. */
static ssize_t read_boot_id(char text[BOOT_ID_TEXT_BYTES])
{
    int fd = open(BOOT_ID_PATH, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t got;
    do {
        got = read(fd, text, BOOT_ID_TEXT_BYTES);
    } while (got < 0 && errno == EINTR);
    (void)close(fd);
    return got;
}

static bool system_boot_id(void *context, uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    char text[BOOT_ID_TEXT_BYTES];
    int saved_errno = errno;
    (void)context;
    ssize_t got = read_boot_id(text);
    errno = saved_errno;
    return got > 0 && parse_id(id, text, (size_t)got);
}

const ss_clock ss_clock_system = {.wall_seconds = system_wall_seconds,
                                  .steady_ns = system_steady_ns,
                                  .boot_id = system_boot_id,
                                  .context = NULL};

struct timespec ss_clock_deadline(uint64_t ns)
{
    struct timespec at = {0};
    (void)clock_gettime(SS_CLOCK_OF_WAITS, &at);
    ns += (uint64_t)at.tv_nsec;
    at.tv_sec += (time_t)(ns / second_ns);
    at.tv_nsec = (long)(ns % second_ns);
    return at;
}
