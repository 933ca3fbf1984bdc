/* boot.c - the time since the boot, suspended or not, and its id, by Linux */
#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "base/posix/boot.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BOOT_ID_PATH "/proc/sys/kernel/random/boot_id"

enum {
    BOOT_ID_DIGITS = 2 * SS_CLOCK_BOOT_BYTES,
    BOOT_ID_TEXT_BYTES = BOOT_ID_DIGITS + 4 /* hyphens */
};

void ss_boot_time(struct timespec *out)
{
    if (clock_gettime(CLOCK_BOOTTIME, out) != 0)
        (void)clock_gettime(CLOCK_MONOTONIC, out);
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

bool ss_boot_id(uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    char text[BOOT_ID_TEXT_BYTES];
    int saved_errno = errno;
    ssize_t got = read_boot_id(text);
    errno = saved_errno;
    return got > 0 && parse_id(id, text, (size_t)got);
}
