/* queue_disk.c - a disk in memory; the idea is in queue_disk.h */
#define _POSIX_C_SOURCE 200809L
#include "queue_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_COUNT = 4096, /* files ever made */
    NAME_COUNT = 64,   /* in the folder at a time */
    CHANGE_COUNT = 64, /* of the folder between two syncs */
    OPEN_COUNT = 32,
    NAME_BYTES = 64,
    SECTOR_BYTES = 512,
    FOLDER = -2
};

typedef struct content {
    uint8_t *bytes;
    size_t size, room;
} content;

typedef struct file {
    content now, safe;
    uint8_t *is_dirty; /* by sector */
    size_t dirty_room;
} file;

typedef struct name {
    char text[NAME_BYTES];
    int file; /* -1: no entry */
} name;

typedef struct change {
    char from[NAME_BYTES]; /* this name goes, unless empty */
    char to[NAME_BYTES];   /* this one is the file's, unless empty */
    int file;
} change;

typedef struct opened {
    int file; /* -1: free */
    size_t offset;
} opened;

struct disk {
    ss_io io;
    disk_faults faults;
    long operations, datasyncs;
    uint64_t now_ns;
    disk_watcher *watcher;
    void *watcher_context;
    file files[FILE_COUNT];
    int file_count;
    name now[NAME_COUNT], safe[NAME_COUNT];
    change changes[CHANGE_COUNT];
    int change_count;
    opened opens[OPEN_COUNT];
};

static void fail_hard(const char *reason)
{
    fprintf(stderr, "queue_disk: %s\n", reason);
    abort();
}

/* ---- contents ---- */

static void content_resize(content *of, size_t size)
{
    if (size > of->room) {
        of->room = size * 2;
        of->bytes = realloc(of->bytes, of->room);
        if (of->bytes == NULL)
            fail_hard("no memory");
    }
    if (size > of->size)
        memset(of->bytes + of->size, 0, size - of->size);
    of->size = size;
}

static void content_copy(content *to, const content *from)
{
    content_resize(to, from->size);
    if (from->size > 0)
        memcpy(to->bytes, from->bytes, from->size);
}

static void mark_dirty(file *of, size_t from, size_t to)
{
    size_t sectors = to / SECTOR_BYTES + 1;
    if (sectors > of->dirty_room) {
        of->is_dirty = realloc(of->is_dirty, sectors * 2);
        if (of->is_dirty == NULL)
            fail_hard("no memory");
        memset(of->is_dirty + of->dirty_room, 0, sectors * 2 - of->dirty_room);
        of->dirty_room = sectors * 2;
    }
    for (size_t i = from / SECTOR_BYTES; i * SECTOR_BYTES < to; i++)
        of->is_dirty[i] = 1;
}

static void file_sync(file *of)
{
    content_copy(&of->safe, &of->now);
    if (of->dirty_room > 0)
        memset(of->is_dirty, 0, of->dirty_room);
}

/* ---- names ---- */

static void copy_text(char to[NAME_BYTES], const char *from)
{
    size_t length = strlen(from);
    if (length >= NAME_BYTES)
        fail_hard("a long name");
    memcpy(to, from, length + 1);
}

static name *find_name(name *names, const char *text)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (names[i].file >= 0 && strcmp(names[i].text, text) == 0)
            return &names[i];
    return NULL;
}

static void set_name(name *names, const char *text, int of)
{
    name *found = find_name(names, text);
    for (int i = 0; i < NAME_COUNT && found == NULL; i++)
        if (names[i].file < 0)
            found = &names[i];
    if (found == NULL)
        fail_hard("too many names");
    copy_text(found->text, text);
    found->file = of;
}

static void apply(name *names, const change *applied)
{
    name *from = find_name(names, applied->from);
    if (from != NULL)
        from->file = -1;
    if (applied->to[0] != '\0')
        set_name(names, applied->to, applied->file);
}

static void change_folder(disk *on, const char *from, const char *to, int of)
{
    if (on->change_count == CHANGE_COUNT)
        fail_hard("too many changes without a sync");
    change *added = &on->changes[on->change_count++];
    copy_text(added->from, from);
    copy_text(added->to, to);
    added->file = of;
    apply(on->now, added);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* ---- operations ---- */

/* Counts one; false: it has to fail, with errno set. */
static bool begin(disk *on)
{
    const disk_faults *faults = &on->faults;
    on->operations++;
    bool fails = faults->fail_at > 0 &&
                 (on->operations == faults->fail_at ||
                  (faults->is_lasting && on->operations > faults->fail_at));
    bool is_told = fails && !faults->is_short && !faults->is_lost;
    if (is_told)
        errno = faults->error;
    return !is_told;
}

static bool is_short_now(const disk *on)
{
    const disk_faults *faults = &on->faults;
    return faults->is_short && faults->fail_at > 0 &&
           (on->operations == faults->fail_at ||
            (faults->is_lasting && on->operations > faults->fail_at));
}

static void end(disk *on)
{
    if (on->watcher != NULL)
        on->watcher(on->watcher_context, on);
}

static opened *opened_of(disk *on, int fd)
{
    if (fd < 0 || fd >= OPEN_COUNT || on->opens[fd].file == -1)
        fail_hard("not an open descriptor");
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
    fail_hard("too many open files");
    return -1;
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
    name *found = find_name(on->now, base);
    if (found == NULL && (flags & O_CREAT) == 0) {
        errno = ENOENT;
        return -1;
    }
    bool is_made = found == NULL;
    int of = is_made ? on->file_count++ : found->file;
    if (of >= FILE_COUNT)
        fail_hard("too many files");
    if (is_made)
        change_folder(on, "", base, of);
    if ((flags & O_TRUNC) != 0 && on->files[of].now.size > 0) {
        mark_dirty(&on->files[of], 0, on->files[of].now.size);
        content_resize(&on->files[of].now, 0);
    }
    int fd = open_as(on, of);
    if (is_made)
        end(on);
    return fd;
}

static int disk_close(void *context, int fd)
{
    disk *on = context;
    bool is_fine = begin(on);
    opened_of(on, fd)->file = -1;
    return is_fine ? 0 : -1;
}

static ssize_t disk_pread(void *context, int fd, void *bytes, size_t size,
                          uint64_t offset)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    if (is_short_now(on) && size > 1)
        size /= 2;
    const content *from = &on->files[opened_of(on, fd)->file].now;
    if (offset >= from->size)
        return 0;
    if (size > from->size - offset)
        size = from->size - (size_t)offset;
    memcpy(bytes, from->bytes + offset, size);
    return (ssize_t)size;
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
    file *of = &on->files[opened_of(on, fd)->file];
    size_t last = (size_t)offset + size;
    if (last > of->now.size)
        content_resize(&of->now, last);
    memcpy(of->now.bytes + offset, bytes, size);
    mark_dirty(of, (size_t)offset, last);
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
    if (!begin(on))
        return -1;
    int of = opened_of(on, fd)->file;
    if (of == FOLDER)
        sync_folder(on);
    else if (!on->faults.log_lies || !is_log(on, of))
        file_sync(&on->files[of]);
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
    if (!begin(on))
        return -1;
    file *of = &on->files[opened_of(on, fd)->file];
    size_t most = of->now.size > size ? of->now.size : (size_t)size;
    mark_dirty(of, (size_t)size < most ? (size_t)size : 0, most);
    content_resize(&of->now, (size_t)size);
    end(on);
    return 0;
}

static int disk_status(void *context, int fd, struct stat *out)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    *out = (struct stat){.st_mode = S_IFREG | 0644};
    out->st_size = (off_t)on->files[opened_of(on, fd)->file].now.size;
    return 0;
}

static int disk_rename(void *context, const char *from, const char *to)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    name *found = find_name(on->now, base_of(from));
    if (found == NULL) {
        errno = ENOENT;
        return -1;
    }
    change_folder(on, base_of(from), base_of(to), found->file);
    end(on);
    return 0;
}

static int disk_unlink(void *context, const char *path)
{
    disk *on = context;
    if (!begin(on))
        return -1;
    if (find_name(on->now, base_of(path)) == NULL) {
        errno = ENOENT;
        return -1;
    }
    change_folder(on, base_of(path), "", -1);
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

static uint64_t disk_now(void *context)
{
    disk *on = context;
    return on->now_ns;
}

/* ---- disks ---- */

disk *disk_new(void)
{
    disk *made = calloc(1, sizeof *made);
    if (made == NULL)
        fail_hard("no memory");
    made->io = (ss_io){disk_open,   disk_close,    disk_read,     disk_write,
                       disk_sync,   disk_rename,   disk_unlink,   disk_pread,
                       disk_pwrite, disk_datasync, disk_truncate, disk_status,
                       disk_lock,   disk_mkdir,    disk_list,     disk_now,
                       made};
    made->now_ns = 1;
    for (int i = 0; i < NAME_COUNT; i++)
        made->now[i].file = made->safe[i].file = -1;
    for (int i = 0; i < OPEN_COUNT; i++)
        made->opens[i].file = -1;
    return made;
}

void disk_free(disk *freed)
{
    for (int i = 0; i < freed->file_count; i++) {
        free(freed->files[i].now.bytes);
        free(freed->files[i].safe.bytes);
        free(freed->files[i].is_dirty);
    }
    free(freed);
}

const ss_io *disk_io(disk *of)
{
    return &of->io;
}

disk_faults *disk_faults_of(disk *of)
{
    return &of->faults;
}

long disk_operations(const disk *of)
{
    return of->operations;
}

void disk_watch(disk *of, disk_watcher *watcher, void *context)
{
    of->watcher = watcher;
    of->watcher_context = context;
}

void disk_pass_ns(disk *of, uint64_t ns)
{
    of->now_ns += ns;
}

/* Puts a file into a copy, on its platters too. */
static void put_file(disk *into, const char *text, const content *from)
{
    int of = into->file_count++;
    content_copy(&into->files[of].now, from);
    file_sync(&into->files[of]);
    set_name(into->now, text, of);
    set_name(into->safe, text, of);
}

disk *disk_copy(const disk *of)
{
    disk *copy = disk_new();
    copy->now_ns = of->now_ns;
    for (int i = 0; i < NAME_COUNT; i++)
        if (of->now[i].file >= 0)
            put_file(copy, of->now[i].text, &of->files[of->now[i].file].now);
    return copy;
}

/* ---- images ---- */

/* splitmix64: Steele, Lea and Flood 2014 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static size_t image_size(const file *of, uint64_t *random)
{
    size_t low = of->safe.size, high = of->now.size;
    if (low > high) {
        low = of->now.size;
        high = of->safe.size;
    }
    switch (next_random(random) % 4) {
    case 0:
        return of->safe.size;
    case 1:
        return low + (size_t)(next_random(random) % (high - low + 1));
    default:
        return of->now.size;
    }
}

static void image_file(content *out, const file *of, uint64_t *random)
{
    unsigned chance = (unsigned)(next_random(random) % 5); /* of 4 */
    content_copy(out, &of->safe);
    size_t size = image_size(of, random);
    content_resize(out, size);
    for (size_t i = 0; i < of->dirty_room && i * SECTOR_BYTES < size; i++) {
        size_t from = i * SECTOR_BYTES, to = from + SECTOR_BYTES;
        if (!of->is_dirty[i] || next_random(random) % 4 >= chance)
            continue;
        if (to > size)
            to = size;
        if (to > of->now.size)
            to = of->now.size;
        if (from < to)
            memcpy(out->bytes + from, of->now.bytes + from, to - from);
    }
}

static void image_names(const disk *of, name names[NAME_COUNT],
                        uint64_t *random)
{
    memcpy(names, of->safe, sizeof of->safe);
    bool is_any = next_random(random) % 2 == 0;
    int first = (int)(next_random(random) % ((uint64_t)of->change_count + 1));
    for (int i = 0; i < of->change_count; i++)
        if (is_any ? next_random(random) % 2 == 0 : i < first)
            apply(names, &of->changes[i]);
}

disk *disk_image(const disk *of, uint64_t random)
{
    disk *image = disk_new();
    name names[NAME_COUNT];
    image->now_ns = of->now_ns;
    image_names(of, names, &random);
    for (int i = 0; i < NAME_COUNT; i++) {
        content bytes = {0};
        if (names[i].file < 0)
            continue;
        image_file(&bytes, &of->files[names[i].file], &random);
        put_file(image, names[i].text, &bytes);
        free(bytes.bytes);
    }
    return image;
}

uint8_t *disk_file(disk *of, const char *text, size_t **size_bytes)
{
    const name *found = find_name(of->now, text);
    if (found == NULL)
        return NULL;
    *size_bytes = &of->files[found->file].now.size;
    return of->files[found->file].now.bytes;
}

const char *disk_name(const disk *of, const char *prefix, int n)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (of->now[i].file >= 0 &&
            strncmp(of->now[i].text, prefix, strlen(prefix)) == 0 && n-- == 0)
            return of->now[i].text;
    return NULL;
}
