/*
 * aside.c - whose journal is it that has the name of a set's?
 *
 * A set and its journal are two files, and people move files one by one. So
 * under the journal's name may be
 *
 *   - the set's own. The set is marked, and the journal has its checksum. An
 *     older copy of the set that was brought back may not be marked yet: then
 *     the checksum alone decides. Only of a set without keys it cannot, as all
 *     new sets of one shape have the same;
 *   - another set's, which was moved away without it. It is all that is left of
 *     some keys of that set, so it is never removed or written over, but gets a
 *     name that says whose it is: FILE.log.of-CHECKSUM;
 *   - what a crash left of one that was only just made: nobody's;
 *   - not a journal. It is left alone.
 *
 * A journal is removed with the file that it counted for, when that is
 * replaced.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file/header/fields.h"
#include "file/journal/fields.h"
#include "file/open_parts.h"
#include "file/target.h"

/* ---- whose ---- */

/* What the `got` first bytes show. */
static ss_journal_owner owner_of(const uint8_t *bytes, ssize_t got)
{
    ss_journal_owner owner = {.is_there = false};
    if (got < AT_JOURNAL_CHECKSUM ||
        memcmp(bytes, SS_JOURNAL_MAGIC, JOURNAL_MAGIC_BYTES) != 0)
        return owner;
    owner.has_records = got > SS_JOURNAL_HEADER_BYTES;
    owner.set_checksum = ss_bits_load(bytes + AT_JOURNAL_SET, 8);
    owner.is_sound = got >= SS_JOURNAL_HEADER_BYTES &&
                     ss_bits_load(bytes + AT_JOURNAL_CHECKSUM, 8) ==
                         ss_journal_header_checksum(bytes);
    owner.is_there = owner.has_records || owner.is_sound;
    return owner;
}

bool ss_journal_look(const ss_io *io, int fd, ss_journal_owner *owner)
{
    uint8_t bytes[SS_JOURNAL_HEADER_BYTES + 1];
    ssize_t got = ss_io_pread_all(io, fd, bytes, sizeof bytes, 0);
    *owner = owner_of(bytes, got);
    return got >= 0;
}

/* False and errno: it cannot be found out. What may not be read, and a folder
 * or a device, is not the journal of a set that does not ask for one. */
static bool look_beside(const ss_io *io, const char *target,
                        ss_journal_owner *owner)
{
    char path[SS_PATH_MAX];
    bool is_file;
    uint64_t size_bytes;
    *owner = (ss_journal_owner){.is_there = false};
    ss_journal_path(path, target);
    int fd = ss_io_open_to_read(io, path);
    if (fd < 0)
        return errno == ENOENT || errno == EACCES || errno == ELOOP ||
               errno == ENXIO;
    bool is_known = ss_io_measure(io, fd, &is_file, &size_bytes) &&
                    (!is_file || ss_journal_look(io, fd, owner));
    ss_io_close_quietly(io, fd);
    return is_known;
}

bool ss_journal_is_identified(const ss_header *header)
{
    bool has_keys = false;
    for (uint32_t i = 0; i < header->generation_count; i++)
        has_keys = has_keys || header->records[i].added_items > 0;
    return has_keys;
}

bool ss_journal_counts(const ss_journal_owner *owner, uint64_t set_checksum,
                       bool is_marked, bool is_identified)
{
    return owner->is_there && owner->set_checksum == set_checksum &&
           (is_marked ||
            (is_identified && owner->has_records && owner->is_sound));
}

int ss_journal_find(const ss_io *io, const char *path, ss_header *header,
                    seenset_file_report *report)
{
    char target[SS_PATH_MAX];
    ss_journal_owner owner;
    if (header->has_journal || header->version < 3 ||
        ss_header_file_bytes(header) < SS_JOURNAL_LEAST_BYTES ||
        !ss_header_can_journal(header) || !ss_journal_is_identified(header))
        return SEENSET_OK;
    if (!ss_target_find(target, path) || !look_beside(io, target, &owner))
        return ss_header_refuse_errno(report, AT_JOURNAL_MARK);
    header->has_journal =
        ss_journal_counts(&owner, header->checksum, false, true);
    return SEENSET_OK;
}

/* ---- set aside ---- */

/* The name that says whose it is; from number 2 on with the number. False: it
 * would be too long. */
static bool aside_path(char out[SS_PATH_MAX], const char *target,
                       uint64_t set_checksum, int number)
{
    enum {
        LONGEST_NAME = 255
    };
    char suffix[48];
    size_t length;
    (void)snprintf(suffix, sizeof suffix, ".of-%016llx",
                   (unsigned long long)set_checksum);
    if (number > 1)
        (void)snprintf(suffix + strlen(suffix), sizeof suffix - strlen(suffix),
                       ".%d", number);
    ss_journal_path(out, target);
    length = strlen(out);
    if (strlen(ss_target_base(out)) + strlen(suffix) > LONGEST_NAME ||
        length + strlen(suffix) >= SS_PATH_MAX)
        return false;
    memcpy(out + length, suffix, strlen(suffix) + 1);
    return true;
}

/* Takes a name that nobody has, by an empty file. */
static bool take_name(const ss_io *io, char out[SS_PATH_MAX],
                      const char *target, uint64_t set_checksum)
{
    enum {
        MOST_NAMES = 99
    };
    int fd = -1;
    errno = EEXIST;
    for (int i = 1; fd < 0 && errno == EEXIST && i <= MOST_NAMES; i++) {
        if (!aside_path(out, target, set_checksum, i)) {
            errno = ENAMETOOLONG;
            return false;
        }
        fd = ss_io_open_new(io, out, 0600);
    }
    if (fd >= 0)
        ss_io_close_quietly(io, fd);
    return fd >= 0;
}

bool ss_journal_set_aside(const ss_io *io, const char *target,
                          uint64_t set_checksum)
{
    char path[SS_PATH_MAX], aside[SS_PATH_MAX];
    ss_journal_path(path, target);
    if (!take_name(io, aside, target, set_checksum))
        return false;
    if (io->rename(io->context, path, aside) != 0) {
        ss_io_unlink_quietly(io, aside);
        return false;
    }
    return ss_io_sync_folder_of(io, target);
}

/* ---- of a file that is replaced ---- */

/* Nobody can mark the set meanwhile: that takes the lock. */
static bool is_set_unmarked(const ss_io *io, const char *target)
{
    uint8_t bytes[AT_JOURNAL_MARK + 1];
    int fd = ss_io_open_to_read(io, target);
    if (fd < 0)
        return false;
    ssize_t got = ss_io_pread_all(io, fd, bytes, sizeof bytes, 0);
    ss_io_close_quietly(io, fd);
    return got == (ssize_t)sizeof bytes && !ss_header_is_marked(bytes);
}

ss_journal_owner ss_journal_replaced(const ss_io *io, const char *target)
{
    ss_header header;
    seenset_file_report report;
    int fd, kept = errno;
    ss_journal_owner owner;
    bool is_set = look_beside(io, target, &owner) && owner.is_there &&
                  ss_file_open(io, target, &fd, &header, &report) == SEENSET_OK;
    if (is_set)
        ss_io_close_quietly(io, fd);
    bool is_its =
        is_set && ss_journal_counts(&owner, header.checksum, header.has_journal,
                                    ss_journal_is_identified(&header));
    errno = kept;
    return is_its ? owner : (ss_journal_owner){0};
}

void ss_journal_sweep(const ss_io *io, const char *target,
                      const ss_journal_owner *replaced)
{
    char path[SS_PATH_MAX];
    ss_journal_path(path, target);
    int fd = ss_io_open_here(io, path);
    if (fd < 0)
        return;
    ss_journal_owner owner;
    if (ss_journal_lock(io, path, fd) == SEENSET_OK &&
        ss_journal_is_one(io, fd) && is_set_unmarked(io, target) &&
        ss_journal_look(io, fd, &owner)) {
        bool is_its = replaced->is_there && owner.is_there &&
                      owner.set_checksum == replaced->set_checksum;
        if (owner.is_there && !is_its)
            (void)ss_journal_set_aside(io, target, owner.set_checksum);
        else
            ss_io_unlink_quietly(io, path);
    }
    ss_io_close_quietly(io, fd);
}

static bool is_empty(const ss_io *io, int fd)
{
    bool is_file;
    uint64_t size_bytes;
    return ss_io_measure(io, fd, &is_file, &size_bytes) && size_bytes == 0;
}

void ss_journal_sweep_empty(const ss_io *io, const char *target)
{
    char path[SS_PATH_MAX];
    int kept = errno;
    ss_journal_path(path, target);
    int fd = ss_io_open_here(io, path);
    if (fd >= 0 && ss_journal_lock(io, path, fd) == SEENSET_OK &&
        is_empty(io, fd))
        ss_io_unlink_quietly(io, path);
    if (fd >= 0)
        ss_io_close_quietly(io, fd);
    errno = kept;
}
