/*
 * set_stream.c - see set_stream.h.
 */
#include "sets/set_stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "sets/secret.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "system/terminal.h"

bool set_stream_is(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *set_stream_name(const char *path)
{
    return set_stream_is(path) ? "standard input" : path;
}

/* ---- from standard input ---- */

typedef struct source {
    uint64_t bytes; /* that were read */
    int error;      /* errno, or 0 */
} source;

static int64_t read_some(void *context, void *bytes, size_t size_bytes)
{
    source *from = context;
    ssize_t got;
    do
        got = read(STDIN_FILENO, bytes, size_bytes);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        from->error = errno;
    else
        from->bytes += (uint64_t)got;
    return got;
}

static void complain_of_stream(const source *from, int error,
                               const seenset_file_report *report,
                               const char *secret_path)
{
    const char *name = set_stream_name("-");
    if (error == SEENSET_EIO)
        complain("%s: %s", name, strerror(from->error));
    else if (error == SEENSET_ESECRET && secret_path == NULL)
        complain("%s: the set is keyed; name its secret with --secret-file",
                 name);
    else if (error == SEENSET_ESECRET)
        complain("%s: the secret in %s is not that of this set, or the set is "
                 "not keyed",
                 name, secret_path);
    else if (from->bytes == 0)
        complain("%s: empty, and a set is expected", name);
    else if (error == SEENSET_EJOURNAL)
        complain("%s: %s: give --without-journal", name, report->reason);
    else if (report->reason[0] != '\0')
        complain("%s: %s (at byte %llu: %s); %s", name, seenset_strerror(error),
                 (unsigned long long)report->offset, report->reason,
                 error == SEENSET_EFORMAT ? "is it a set file?"
                                          : "send the whole file again");
    else
        setfile_complain(name, error);
}

/* Does the stream end where the set does? */
static int check_end(source *from)
{
    char more;
    int64_t got = read_some(from, &more, 1);
    if (got == 0)
        return 0;
    if (got < 0)
        complain("%s: %s", set_stream_name("-"), strerror(from->error));
    else
        complain("%s: more bytes follow the set; send one set alone",
                 set_stream_name("-"));
    return COMMAND_ERROR;
}

static int read_with(seenset **out, uint32_t flags, const uint8_t *secret,
                     const char *secret_path, source *from)
{
    seenset_file_report report = {0};
    seenset_open_options options = {
        .flags = SEENSET_OPEN_COPY | (flags & SEENSET_OPEN_WITHOUT_SECRET),
        .secret = secret,
        .report = &report};
    if (set_options_without_journal())
        options.flags |= SEENSET_OPEN_WITHOUT_JOURNAL;
    int error = seenset_read(out, read_some, from, &options);
    if (error == 0)
        setfile_say_missing(set_stream_name("-"), *out);
    if (error != 0) {
        complain_of_stream(from, error, &report, secret_path);
        return COMMAND_ERROR;
    }
    if (check_end(from) == 0)
        return 0;
    seenset_free(*out);
    *out = NULL;
    return COMMAND_ERROR;
}

static int read_stdin(seenset **out, uint32_t flags, const char *secret_path,
                      source *from)
{
    uint8_t secret[SEENSET_SECRET_BYTES];
    if (terminal_is(STDIN_FILENO)) {
        complain("%s: a terminal, and a set is expected; send it through a "
                 "pipe",
                 set_stream_name("-"));
        return COMMAND_ERROR;
    }
    if (secret_path == NULL)
        return read_with(out, flags, NULL, NULL, from);
    if (secret_read(secret_path, set_stream_name("-"), secret) != 0)
        return COMMAND_ERROR;
    int status = read_with(out, flags, secret, secret_path, from);
    secret_wipe(secret);
    return status;
}

int set_stream_open(seenset **out, const char *path, uint32_t flags,
                    const char *secret_path, uint64_t *file_bytes)
{
    source from = {0};
    if (!set_stream_is(path))
        return setfile_open(out, path, flags, secret_path);
    int status = read_stdin(out, flags, secret_path, &from);
    if (status == 0 && file_bytes != NULL)
        *file_bytes = from.bytes;
    return status;
}

/* ---- to standard output ---- */

/* Returns 0, or -1 and errno. */
static int write_all(void *context, const void *bytes, size_t size_bytes)
{
    const char *at = bytes;
    (void)context;
    while (size_bytes > 0) {
        ssize_t wrote = write(STDOUT_FILENO, at, size_bytes);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return -1;
        at += wrote;
        size_bytes -= (size_t)wrote;
    }
    return 0;
}

int set_stream_save(const seenset *set, const char *path)
{
    if (!set_stream_is(path))
        return setfile_save(set, path);
    if (terminal_is(STDOUT_FILENO)) {
        complain("standard output: a terminal, and a set is not text; send it "
                 "to a file or through a pipe");
        return COMMAND_ERROR;
    }
    int error = seenset_write(set, write_all, NULL);
    if (error == SEENSET_EIO && errno != EPIPE)
        complain("standard output: %s; the set is not complete",
                 strerror(errno));
    else if (error != 0 && error != SEENSET_EIO)
        setfile_complain("standard output", error);
    return error == 0 ? 0 : COMMAND_ERROR;
}
