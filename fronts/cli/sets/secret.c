/*
 * secret.c - see secret.h.
 */
#define _GNU_SOURCE /* asprintf, explicit_bzero */
#include "sets/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "sets/target.h"

#define DIGITS ((size_t)2 * SEENSET_SECRET_BYTES)
#define FORBIDDEN_MODE ((mode_t)077)

char *secret_path_of(const char *set_path)
{
    char *target = target_of(set_path);
    char *out = NULL;
    if (target == NULL || asprintf(&out, "%s.secret", target) < 0) {
        complain("%s: %s", set_path, strerror(errno));
        out = NULL;
    }
    free(target);
    return out;
}

void secret_wipe(uint8_t secret[SEENSET_SECRET_BYTES])
{
    explicit_bzero(secret, SEENSET_SECRET_BYTES);
}

/* The value of a hexadecimal digit, or -1. */
static int digit_value(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = digit == '\0' ? NULL : strchr(digits, digit | 0x20);
    return found == NULL ? -1 : (int)(found - digits);
}

static bool decode(const char *text, size_t size, uint8_t *secret)
{
    if (size == DIGITS + 1 && text[DIGITS] == '\n')
        size--;
    if (size != DIGITS)
        return false;
    for (size_t i = 0; i < DIGITS; i += 2) {
        int high = digit_value(text[i]);
        int low = digit_value(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        secret[i / 2] = (uint8_t)(high * 16 + low);
    }
    return true;
}

static void encode(const uint8_t *secret, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < SEENSET_SECRET_BYTES; i++) {
        text[2 * i] = digits[secret[i] >> 4];
        text[2 * i + 1] = digits[secret[i] & 15];
    }
    text[DIGITS] = '\n';
}

/* It must be a regular file that only its owner can read. */
static int check_file(int fd, const char *path)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        complain("%s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        complain("%s: not a file; a secret is 32 hexadecimal digits in a file",
                 path);
    } else if ((status.st_mode & FORBIDDEN_MODE) != 0) {
        complain("%s: others may read this secret (mode %04o); if none has, "
                 "chmod 600 %s",
                 path, (unsigned)status.st_mode & 07777, path);
    } else {
        return 0;
    }
    return COMMAND_ERROR;
}

static int read_opened(int fd, const char *path, uint8_t *secret)
{
    if (check_file(fd, path) != 0)
        return COMMAND_ERROR;
    char text[DIGITS + 2];
    ssize_t got = read(fd, text, sizeof text);
    bool is_sound = got >= 0 && decode(text, (size_t)got, secret);
    explicit_bzero(text, sizeof text);
    if (got < 0)
        complain("%s: %s", path, strerror(errno));
    else if (!is_sound)
        complain("%s: not a secret; it must be 32 hexadecimal digits", path);
    return is_sound ? 0 : COMMAND_ERROR;
}

int secret_read(const char *path, const char *name,
                uint8_t secret[SEENSET_SECRET_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        complain("%s: its secret %s cannot be read: %s; name the right file "
                 "with --secret-file",
                 name, path, strerror(errno));
        return COMMAND_ERROR;
    }
    int status = read_opened(fd, path, secret);
    close(fd);
    return status;
}

/* Writes a secret to a new file. Returns 0, or -1 and errno; EEXIST: the file
 * exists. */
static int write_new(const char *path, const uint8_t *secret)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    char text[DIGITS + 1];
    encode(secret, text);
    ssize_t wrote = write(fd, text, sizeof text);
    explicit_bzero(text, sizeof text);
    int error = wrote == (ssize_t)sizeof text ? 0 : ENOSPC;
    if (wrote < 0 || (error == 0 && fsync(fd) != 0))
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0)
        return 0;
    unlink(path);
    errno = error;
    return -1;
}

/* The same with messages. If the file exists, returns 0 and *is_made is false.
 */
static int keep(const char *path, const uint8_t *secret, bool *is_made)
{
    *is_made = write_new(path, secret) == 0;
    if (*is_made || errno == EEXIST)
        return 0;
    complain("%s: the secret cannot be saved: %s; name another file with "
             "--secret-file",
             path, strerror(errno));
    return COMMAND_ERROR;
}

int secret_make(const char *path, const char *name,
                uint8_t secret[SEENSET_SECRET_BYTES], bool *is_made)
{
    if (seenset_make_secret(secret) != 0) {
        complain("%s: the system gives no random bytes: %s", name,
                 strerror(errno));
        return COMMAND_ERROR;
    }
    int status = keep(path, secret, is_made);
    if (status == 0 && !*is_made)
        status = secret_read(path, name, secret);
    return status;
}

static int carry_between(const char *from_path, const char *to_path,
                         const char *name)
{
    uint8_t secret[SEENSET_SECRET_BYTES];
    uint8_t there[SEENSET_SECRET_BYTES] = {0};
    bool is_made = false;
    int status = secret_read(from_path, name, secret);
    if (status == 0)
        status = keep(to_path, secret, &is_made);
    if (status == 0 && !is_made)
        status = secret_read(to_path, name, there);
    if (status == 0 && !is_made && memcmp(secret, there, sizeof secret) != 0) {
        complain("%s: has the secret of another set; move it to that set, or "
                 "give another output",
                 to_path);
        status = COMMAND_ERROR;
    }
    secret_wipe(secret);
    secret_wipe(there);
    return status;
}

int secret_carry(const char *in_path, const char *given, const char *out_path)
{
    if (given != NULL)
        return 0;
    char *from_path = secret_path_of(in_path);
    char *to_path = secret_path_of(out_path);
    int status = COMMAND_ERROR;
    if (from_path != NULL && to_path != NULL)
        status = carry_between(from_path, to_path, out_path);
    free(from_path);
    free(to_path);
    return status;
}
