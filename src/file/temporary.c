/* temporary.c - see temporary.h */
#include "file/temporary.h"

#include <errno.h>
#include <stdio.h>

#include "file/target.h"
#include "seenset/seenset.h"

enum {
    SLOTS = 16,
    RANDOM_TRIES = 16
};

typedef enum outcome {
    MADE,
    TAKEN,    /* the name, by somebody or something */
    UNLOCKED, /* it was made, and removed: there are no locks here */
    FAILED    /* errno */
} outcome;

/* Removes a file that was left over; whatever fails, it stays. */
static void sweep(const ss_io *io, const char *path)
{
    int fd = ss_io_open_here(io, path);
    if (fd < 0)
        return;
    if (ss_io_lock(io, fd) == 0 && ss_io_is_name_of(io, path, fd) == 1)
        ss_io_unlink_quietly(io, path);
    ss_io_close_quietly(io, fd);
}

/* Makes and locks a file of the name in `out`. */
static outcome make_locked(const ss_io *io, ss_temporary *out, mode_t mode)
{
    out->fd = ss_io_open_new(io, out->path, mode);
    if (out->fd < 0)
        return errno == EEXIST ? TAKEN : FAILED;
    if (ss_io_lock(io, out->fd) != 0) {
        if (errno != EWOULDBLOCK) {
            ss_temporary_drop(io, out);
            return UNLOCKED;
        }
    } else {
        int is_mine = ss_io_is_name_of(io, out->path, out->fd);
        if (is_mine == 1)
            return MADE;
        if (is_mine < 0) {
            ss_temporary_drop(io, out);
            return FAILED;
        }
    }
    ss_io_close_quietly(io, out->fd);
    return TAKEN;
}

static void name_slot(ss_temporary *out, const char *target, int slot)
{
    char suffix[SS_TARGET_SUFFIX_BYTES];
    (void)snprintf(suffix, sizeof suffix, "-%d", slot);
    ss_target_beside(out->path, target, suffix);
}

static bool name_at_random(ss_temporary *out, const char *target)
{
    uint8_t bytes[SEENSET_SECRET_BYTES];
    char suffix[SS_TARGET_SUFFIX_BYTES];
    if (seenset_make_secret(bytes) != SEENSET_OK)
        return false;
    unsigned long long number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | bytes[i];
    (void)snprintf(suffix, sizeof suffix, "-%016llx", number);
    ss_target_beside(out->path, target, suffix);
    return true;
}

/* Under a name that nobody else has; no lock is needed. */
static bool make_at_random(const ss_io *io, ss_temporary *out,
                           const char *target, mode_t mode)
{
    out->fd = -1;
    for (int i = 0; i < RANDOM_TRIES && out->fd < 0; i++) {
        if (!name_at_random(out, target))
            return false;
        out->fd = ss_io_open_new(io, out->path, mode);
        if (out->fd < 0 && errno != EEXIST)
            return false;
    }
    return out->fd >= 0;
}

bool ss_temporary_open(const ss_io *io, ss_temporary *out, const char *target,
                       mode_t mode)
{
    outcome how = TAKEN;
    for (int slot = 0; slot < SLOTS; slot++) {
        ss_temporary other;
        ss_temporary *at = how == TAKEN ? out : &other;
        name_slot(at, target, slot);
        sweep(io, at->path);
        if (how == TAKEN)
            how = make_locked(io, out, mode);
        if (how == FAILED)
            return false;
    }
    return how == MADE || make_at_random(io, out, target, mode);
}

bool ss_temporary_rename(const ss_io *io, ss_temporary *made,
                         const char *target)
{
    if (io->rename(io->context, made->path, target) != 0) {
        ss_temporary_drop(io, made);
        return false;
    }
    ss_io_close_quietly(io, made->fd);
    return true;
}

void ss_temporary_drop(const ss_io *io, ss_temporary *made)
{
    ss_io_unlink_quietly(io, made->path);
    ss_io_close_quietly(io, made->fd);
}
