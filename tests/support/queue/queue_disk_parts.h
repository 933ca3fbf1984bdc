/*
 * queue_disk_parts.h - what the disk of queue_disk.h is made of; for its own
 * sources only.
 *
 * queue_disk_files.c has the contents, the names, and which of both are on
 * the platters; queue_disk_io.c the operations, and how they fail; and
 * queue_disk.c disks as a whole, with what a power cut leaves of one.
 */
#ifndef QUEUE_DISK_PARTS_H
#define QUEUE_DISK_PARTS_H

#include "queue_disk.h"

enum {
    PAGE_FILES = 32,   /* files of a page */
    PAGE_COUNT = 128,  /* so many times 32 files ever made */
    NAME_COUNT = 160,  /* in the folder at a time */
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
    bool sync_failed, removal_failed, truncation_failed;
    bool has_failed;
    ss_clock clock;
    uint64_t steady_ns, wall_seconds;
    uint8_t boot; /* which, or 0: unknown */
    disk_watcher *watcher;
    void *watcher_context;
    file *pages[PAGE_COUNT]; /* made when they are needed; a file stays */
    int file_count;
    name now[NAME_COUNT], safe[NAME_COUNT];
    change changes[CHANGE_COUNT];
    int change_count;
    opened opens[OPEN_COUNT];
};

/* Ends the test program: it wants what this disk cannot do. */
_Noreturn void disk_fail_hard(const char *reason);

/* ---- contents ---- */

/* New bytes are zero. */
void disk_content_resize(content *of, size_t size);
void disk_content_copy(content *to, const content *from);

/* Bytes from..to - 1 were changed since the last sync. */
void disk_mark_dirty(file *of, size_t from, size_t to);
void disk_file_sync(file *of);

/* A file of the disk by its number, and the number of a new one. */
file *disk_file_at(const disk *of, int number);
int disk_file_add(disk *to);

/* ---- names ---- */

name *disk_find_name(name *names, const char *text);
void disk_set_name(name *names, const char *text, int of);

/* Makes a change to the names, or to what programs see, and remembers it until
 * the folder is synced. */
void disk_apply(name *names, const change *applied);
void disk_change_folder(disk *on, const char *from, const char *to, int of);

/* ---- operations ---- */

/* The table of functions that works on this disk. */
ss_io disk_operations_on(disk *on);

#endif
