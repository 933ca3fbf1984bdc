/*
 * journal_name.c - see journal_name.h.
 */
#define _GNU_SOURCE /* asprintf */
#include "sets/journal_name.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/complain.h"
#include "sets/target.h"

/* Where the checksum of the set is in its file, and in its journal. */
enum {
    AT_SET_CHECKSUM = 120,
    AT_JOURNAL_SET = 16
};

char *journal_name_of(const char *set_path)
{
    char *target = target_of(set_path);
    char *out = target == NULL ? NULL : target_beside(target, ".log");
    free(target);
    return out;
}

/* The eight bytes at an offset, the least significant first. */
static bool read_number(const char *path, off_t at, unsigned long long *out)
{
    uint8_t bytes[8];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_read =
        fd >= 0 && pread(fd, bytes, sizeof bytes, at) == (ssize_t)sizeof bytes;
    *out = 0;
    for (int i = 7; is_read && i >= 0; i--)
        *out = *out << 8 | bytes[i];
    if (fd >= 0)
        close(fd);
    return is_read;
}

static char *aside_name(const char *log, unsigned long long checksum)
{
    char *out = NULL;
    return asprintf(&out, "%s.of-%016llx", log, checksum) < 0 ? NULL : out;
}

/* A journal of the set at that path that was set aside beside it, to be freed;
 * NULL: there is none. */
static char *name_aside(const char *set_path)
{
    unsigned long long checksum;
    char *log = journal_name_of(set_path);
    char *out = NULL;
    if (log != NULL && read_number(set_path, AT_SET_CHECKSUM, &checksum))
        out = aside_name(log, checksum);
    free(log);
    if (out != NULL && access(out, F_OK) == 0)
        return out;
    free(out);
    return NULL;
}

/* The journal is not in the set's folder under any name. Where it is, another
 * set may have its name. */
static void complain_of_absent(const char *set_path, const char *reason,
                               const char *name)
{
    unsigned long long checksum;
    if (read_number(set_path, AT_SET_CHECKSUM, &checksum))
        complain("%s: %s; bring %s along from where the set was (if another "
                 "set took its name there, the journal's ends in .of-%016llx), "
                 "or open the set with --without-journal",
                 set_path, reason, name, checksum);
    else
        complain("%s: %s; bring %s along from where the set was, or open the "
                 "set with --without-journal",
                 set_path, reason, name);
}

void journal_name_complain(const char *set_path, const char *reason)
{
    char *log = journal_name_of(set_path);
    char *aside = name_aside(set_path);
    const char *name = log != NULL ? log : "its FILE.log";
    if (aside != NULL)
        complain("%s: %s; %s is a journal of this set: rename it to %s, or "
                 "open the set with --without-journal",
                 set_path, reason, aside, name);
    else
        complain_of_absent(set_path, reason, name);
    free(aside);
    free(log);
}

char *journal_name_before(const char *set_path)
{
    unsigned long long checksum;
    char *log = journal_name_of(set_path);
    char *out = NULL;
    if (log != NULL && read_number(log, AT_JOURNAL_SET, &checksum))
        out = aside_name(log, checksum);
    free(log);
    if (out != NULL && access(out, F_OK) != 0)
        return out;
    free(out);
    return NULL;
}

void journal_name_after(const char *set_path, char *aside)
{
    if (aside != NULL && access(aside, F_OK) == 0)
        complain("%s: the journal of another set was beside it, and is %s now; "
                 "that set needs it beside it, as its FILE.log; remove it if "
                 "that set does not exist any more",
                 set_path, aside);
    free(aside);
}
