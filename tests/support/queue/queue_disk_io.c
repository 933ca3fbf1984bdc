/*
 * queue_disk_io.c - the file operations of a disk in memory, each of which is
 * counted, can fail on demand, and is told to whoever watches.
 */
#define _POSIX_C_SOURCE 200809L
#include "queue_disk_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* ---- faults ---- */

/* Is the operation that was counted last one of those that have a fault? */
static bool is_hit(const disk *on)
{
    const disk_faults *faults = &on->faults;
    return faults->fail_at > 0 && (on->operations == faults->fail_at ||
                                   ((faults->is_lasting || faults->is_half) &&
                                    on->operations > faults->fail_at));
}

/* Is it the first of a few, and does half of its work? */
static bool is_first_half(const disk *on)
{
    return on->faults.is_half && on->operations == on->faults.fail_at;
}

/* Counts one; true: it has to fail, with errno set. */
static bool must_fail(disk *on)
{
    const disk_faults *faults = &on->faults;
    on->operations++;
    bool is_told = is_hit(on) && !faults->is_short && !faults->is_lost &&
                   !is_first_half(on);
    if (is_told)
        errno = faults->error;
    return is_told;
}

/* The same, false if it has to; which is remembered. */
static bool begin(disk *on)
{
    bool is_told = must_fail(on);
    on->has_failed |= is_told;
    return !is_told;
}

static bool is_short_now(const disk *on)
{
    return is_first_half(on) || (on->faults.is_short && is_hit(on));
}

static void end(disk *on)
{
    if (on->watcher != NULL)
        on->watcher(on->watcher_context, on);
}

/* ---- operations ---- */

static opened *opened_of(disk *on, int fd)
{
    if (fd < 0 || fd >= OPEN_COUNT || on->opens[fd].file == -1)
        disk_fail_hard("not an open descriptor");
    return &on->opens[fd];
}

static int open_as(disk *on, int of)
{
    for (int i = 0; i < OPEN_COUNT; i++) {
        if (on->opens[i].file == -1) {
            on->opens[i] = (opened){of, 0};
            return i;
        }
    }
    disk_fail_hard("too many open files");
}

static int disk_open(void *context, const char *path, int flags, mode_t mode)
{
    disk *on = context;
    (void)mode;
    if (!begin(on))
        return -1;
    if (strcmp(path, DISK_FOLDER) == 0)
        return open_as(on, FOLDER);
    const char *base = base_of(path);
    name *found = disk_find_name(on->now, base);
    if (found == NULL && (flags & O_CREAT) == 0) {
        errno = ENOENT;
        return -1;
    }
    bool is_made = found == NULL;
    int of = is_made ? disk_file_add(on) : found->file;
    if (is_made)
        disk_change_folder(on, "", base, of);
    file *held = disk_file_at(on, of);
    if ((flags & O_TRUNC) != 0 && held->now.size > 0) {
        disk_mark_dirty(held, 0, held->now.size);
        disk_content_resize(&held->now, 0);
    }
    int fd = open_as(on, of);
    if (is_made)
        end(on);
    return fd;
}

static int disk_close(void *context, int fd)
{
    disk *on = context;
    opened_of(on, fd)->file = -1;
    return must_fail(on) ? -1 : 0;
}

static ssize_t disk_pread(void *context, int fd, void *bytes, size_t size,
                          uint64_t offset)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    if (is_short_now(on) && size > 1)
        size /= 2;
    const content *from = &disk_file_at(on, opened_of(on, fd)->file)->now;
    if (offset >= from->size)
        return 0;
    if (size > from->size - offset)
        size = from->size - (size_t)offset;
    memcpy(bytes, from->bytes + offset, size);
    return (ssize_t)size;
}

/* A file gets shorter, or goes. */
static void free_room(disk *on, size_t from, size_t to)
{
    on->faults.room_bytes += from > to ? from - to : 0;
}

/* What of a write there is room for on a full disk; 0 and errno: nothing. */
static size_t fit(disk *on, const content *to, size_t offset, size_t size)
{
    size_t *room = &on->faults.room_bytes, last = offset + size;
    if (!on->faults.is_full || last <= to->size)
        return size;
    size_t grown = last - to->size;
    if (grown > *room) {
        size -= grown - *room < size ? grown - *room : size;
        grown = *room;
    }
    *room -= size > 0 ? grown : 0;
    errno = ENOSPC;
    return size;
}

static ssize_t disk_pwrite(void *context, int fd, const void *bytes,
                           size_t size, uint64_t offset)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    if (is_short_now(on) && size > 1)
        size /= 2;
    if (on->faults.is_lost && on->operations == on->faults.fail_at)
        return (ssize_t)size;
    file *of = disk_file_at(on, opened_of(on, fd)->file);
    size_t fits = fit(on, &of->now, (size_t)offset, size);
    if (fits == 0 && size > 0)
        return -1;
    size = fits;
    size_t last = (size_t)offset + size;
    if (last > of->now.size)
        disk_content_resize(&of->now, last);
    memcpy(of->now.bytes + offset, bytes, size);
    disk_mark_dirty(of, (size_t)offset, last);
    end(on);
    return (ssize_t)size;
}

static ssize_t disk_read(void *context, int fd, void *bytes, size_t size)
{
    opened *from = opened_of(context, fd);
    ssize_t got = disk_pread(context, fd, bytes, size, from->offset);
    if (got > 0)
        from->offset += (size_t)got;
    return got;
}

static ssize_t disk_write(void *context, int fd, const void *bytes, size_t size)
{
    opened *to = opened_of(context, fd);
    ssize_t put = disk_pwrite(context, fd, bytes, size, to->offset);
    if (put > 0)
        to->offset += (size_t)put;
    return put;
}

static bool is_log(const disk *on, int of)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (on->now[i].file == of)
            return strncmp(on->now[i].text, "log-", 4) == 0;
    return false;
}

static void sync_folder(disk *on)
{
    memcpy(on->safe, on->now, sizeof on->safe);
    on->change_count = 0;
}

static int disk_sync(void *context, int fd)
{
    disk *on = context;
    if (!begin(on)) {
        on->sync_failed = true;
        return -1;
    }
    int of = opened_of(on, fd)->file;
    if (of == FOLDER)
        sync_folder(on);
    else if (!on->faults.log_lies || !is_log(on, of))
        disk_file_sync(disk_file_at(on, of));
    end(on);
    return 0;
}

static int disk_datasync(void *context, int fd)
{
    disk *on = context;
    if (++on->datasyncs == on->faults.lie_at) {
        on->operations++;
        return 0;
    }
    return disk_sync(on, fd);
}

static int disk_truncate(void *context, int fd, uint64_t size)
{
    disk *on = context;
    if (!begin(on)) {
        on->truncation_failed = true;
        return -1;
    }
    file *of = disk_file_at(on, opened_of(on, fd)->file);
    size_t most = of->now.size > size ? of->now.size : (size_t)size;
    free_room(on, most, (size_t)size);
    disk_mark_dirty(of, (size_t)size < most ? (size_t)size : 0, most);
    disk_content_resize(&of->now, (size_t)size);
    end(on);
    return 0;
}

static int disk_status(void *context, int fd, struct stat *out)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    *out = (struct stat){.st_mode = S_IFREG | 0644};
    out->st_size = (off_t)disk_file_at(on, opened_of(on, fd)->file)->now.size;
    return 0;
}

static int disk_rename(void *context, const char *from, const char *to)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    name *found = disk_find_name(on->now, base_of(from));
    if (found == NULL) {
        errno = ENOENT;
        return -1;
    }
    disk_change_folder(on, base_of(from), base_of(to), found->file);
    end(on);
    return 0;
}

static int disk_unlink(void *context, const char *path)
{
    disk *on = context;
    if (!begin(on)) {
        on->removal_failed = true;
        return -1;
    }
    const name *found = disk_find_name(on->now, base_of(path));
    if (found == NULL) {
        errno = ENOENT;
        return -1;
    }
    free_room(on, disk_file_at(on, found->file)->now.size, 0);
    disk_change_folder(on, base_of(path), "", -1);
    end(on);
    return 0;
}

static int disk_lock(void *context, int fd)
{
    (void)fd;
    return begin(context) ? 0 : -1;
}

static int disk_mkdir(void *context, const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    if (!begin(context))
        return -1;
    errno = EEXIST;
    return -1;
}

static int disk_list(void *context, const char *path, ss_io_visitor *visit,
                     void *visitor_context)
{
    disk *on = context;
    name names[NAME_COUNT];
    (void)path;
    if (!begin(on))
        return -1;
    memcpy(names, on->now, sizeof names);
    for (int i = 0; i < NAME_COUNT; i++)
        if (names[i].file >= 0 && visit(visitor_context, names[i].text) != 0)
            return -1;
    return 0;
}

static uint64_t disk_steady_ns(void *context)
{
    const disk *on = context;
    return on->steady_ns;
}

static uint64_t disk_wall_seconds(void *context)
{
    const disk *on = context;
    return on->wall_seconds;
}

static bool disk_boot_id(void *context, uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    const disk *on = context;
    if (on->boot != 0)
        memset(id, on->boot, SS_CLOCK_BOOT_BYTES);
    return on->boot != 0;
}

ss_io disk_operations_on(disk *on)
{
    on->clock = (ss_clock){disk_wall_seconds, disk_steady_ns, disk_boot_id, on};
    return (ss_io){disk_open,   disk_close,    disk_read,     disk_write,
                   disk_sync,   disk_rename,   disk_unlink,   disk_pread,
                   disk_pwrite, disk_datasync, disk_truncate, disk_status,
                   disk_lock,   disk_mkdir,    disk_list,     &on->clock,
                   on};
}
