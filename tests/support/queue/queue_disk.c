/*
 * queue_disk.c - disks as a whole: new ones, copies, and the images that a
 * power cut leaves; the idea is in queue_disk.h.
 */
#include "queue_disk_parts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* ---- disks ---- */

disk *disk_new(void)
{
    disk *made = calloc(1, sizeof *made);
    if (made == NULL)
        disk_fail_hard("no memory");
    made->io = disk_operations_on(made);
    made->steady_ns = 1;
    made->wall_seconds = 1000000000;
    made->boot = 1;
    for (int i = 0; i < NAME_COUNT; i++)
        made->now[i].file = made->safe[i].file = -1;
    for (int i = 0; i < OPEN_COUNT; i++)
        made->opens[i].file = -1;
    return made;
}

void disk_free(disk *freed)
{
    for (int i = 0; i < freed->file_count; i++) {
        const file *of = disk_file_at(freed, i);
        free(of->now.bytes);
        free(of->safe.bytes);
        free(of->is_dirty);
    }
    for (int i = 0; i < PAGE_COUNT; i++)
        free(freed->pages[i]);
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

long disk_datasyncs(const disk *of)
{
    return of->datasyncs;
}

bool disk_has_failed(const disk *of)
{
    return of->has_failed;
}

bool disk_sync_failed(const disk *of)
{
    return of->sync_failed;
}

bool disk_truncation_failed(const disk *of)
{
    return of->truncation_failed;
}

bool disk_removal_failed(const disk *of)
{
    return of->removal_failed;
}

int disk_open_files(const disk *of)
{
    int count = 0;
    for (int i = 0; i < OPEN_COUNT; i++)
        count += of->opens[i].file != -1;
    return count;
}

void disk_watch(disk *of, disk_watcher *watcher, void *context)
{
    of->watcher = watcher;
    of->watcher_context = context;
}

void disk_pass_ns(disk *of, uint64_t ns)
{
    uint64_t before = of->steady_ns / 1000000000;
    of->steady_ns += ns;
    of->wall_seconds += of->steady_ns / 1000000000 - before;
}

void disk_set_wall(disk *of, uint64_t seconds)
{
    of->wall_seconds = seconds;
}

void disk_set_boot(disk *of, uint8_t boot, uint64_t steady_ns)
{
    of->boot = boot;
    of->steady_ns = steady_ns;
}

/* A copy is in the same boot at the same time. */
static void copy_time(disk *into, const disk *from)
{
    into->steady_ns = from->steady_ns;
    into->wall_seconds = from->wall_seconds;
    into->boot = from->boot;
}

/* Puts a file into a copy, on its platters too. */
static void put_file(disk *into, const char *text, const content *from)
{
    int of = disk_file_add(into);
    disk_content_copy(&disk_file_at(into, of)->now, from);
    disk_file_sync(disk_file_at(into, of));
    disk_set_name(into->now, text, of);
    disk_set_name(into->safe, text, of);
}

disk *disk_copy(const disk *of)
{
    disk *copy = disk_new();
    copy_time(copy, of);
    for (int i = 0; i < NAME_COUNT; i++)
        if (of->now[i].file >= 0)
            put_file(copy, of->now[i].text,
                     &disk_file_at(of, of->now[i].file)->now);
    return copy;
}

disk *disk_platters(const disk *of)
{
    disk *copy = disk_new();
    copy_time(copy, of);
    for (int i = 0; i < NAME_COUNT; i++)
        if (of->safe[i].file >= 0)
            put_file(copy, of->safe[i].text,
                     &disk_file_at(of, of->safe[i].file)->safe);
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
    disk_content_copy(out, &of->safe);
    size_t size = image_size(of, random);
    disk_content_resize(out, size);
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
            disk_apply(names, &of->changes[i]);
}

disk *disk_image(const disk *of, uint64_t random)
{
    disk *image = disk_new();
    name names[NAME_COUNT];
    copy_time(image, of);
    image_names(of, names, &random);
    for (int i = 0; i < NAME_COUNT; i++) {
        content bytes = {0};
        if (names[i].file < 0)
            continue;
        image_file(&bytes, disk_file_at(of, names[i].file), &random);
        put_file(image, names[i].text, &bytes);
        free(bytes.bytes);
    }
    return image;
}

uint8_t *disk_file(disk *of, const char *text, size_t **size_bytes)
{
    const name *found = disk_find_name(of->now, text);
    if (found == NULL)
        return NULL;
    *size_bytes = &disk_file_at(of, found->file)->now.size;
    return disk_file_at(of, found->file)->now.bytes;
}

void disk_put(disk *of, const char *text, size_t offset, const void *bytes,
              size_t size_bytes)
{
    const ss_io *io = disk_io(of);
    int fd = ss_io_open(io, text, O_RDWR | O_CREAT, 0666);
    if (fd < 0 || !ss_io_pwrite_all(io, fd, bytes, size_bytes, offset))
        disk_fail_hard("a file cannot be put");
    ss_io_close_quietly(io, fd);
}

const char *disk_name(const disk *of, const char *prefix, int n)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (of->now[i].file >= 0 &&
            strncmp(of->now[i].text, prefix, strlen(prefix)) == 0 && n-- == 0)
            return of->now[i].text;
    return NULL;
}

int disk_count(const disk *of, const char *prefix)
{
    int count = 0;
    while (disk_name(of, prefix, count) != NULL)
        count++;
    return count;
}

const char *disk_last_name(const disk *of, const char *prefix)
{
    const char *last = NULL, *text;
    for (int i = 0; (text = disk_name(of, prefix, i)) != NULL; i++)
        if (last == NULL || strcmp(last, text) < 0)
            last = text;
    return last;
}

void disk_flip(disk *on, const char *text, size_t at)
{
    size_t *size_bytes;
    uint8_t *bytes = disk_file(on, text, &size_bytes);
    if (bytes == NULL || at >= *size_bytes)
        disk_fail_hard("no such byte");
    bytes[at] ^= 0x55;
}

void disk_cut(disk *on, const char *text, size_t bytes)
{
    size_t *size_bytes;
    if (disk_file(on, text, &size_bytes) == NULL || bytes > *size_bytes)
        disk_fail_hard("no such bytes");
    *size_bytes -= bytes;
}

static bool is_same(const content *a, const content *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

bool disk_is_same(disk *a, disk *b)
{
    for (int i = 0; i < NAME_COUNT; i++) {
        if (a->now[i].file < 0)
            continue;
        const name *other = disk_find_name(b->now, a->now[i].text);
        if (other == NULL || !is_same(&disk_file_at(a, a->now[i].file)->now,
                                      &disk_file_at(b, other->file)->now))
            return false;
    }
    return disk_count(a, "") == disk_count(b, "");
}
