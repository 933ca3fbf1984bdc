/*
 * queue_disk.h - a disk in memory that can lose its power.
 *
 * It holds one folder, "q". Every file has two contents: what programs read,
 * and what is on the platters, which a sync brings up to date. So has the
 * folder. An image is what a power cut may leave: of the sectors written
 * since a file's last sync any subset, its length old, new or in between; of
 * the changes to the folder since its last sync a first part, or any subset.
 *
 * It also fails on demand, counts its operations, and can tell somebody of
 * each change.
 */
#ifndef QUEUE_DISK_H
#define QUEUE_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"

#define DISK_FOLDER "q"

typedef struct disk disk;

/* Called after each operation that changed something. */
typedef void disk_watcher(void *context, disk *changed);

typedef struct disk_faults {
    long fail_at;    /* the operation that fails, from 1; 0: none does */
    int error;       /* with this errno */
    bool is_short;   /* or a write or read does half of its work */
    bool is_lost;    /* or a write claims success and does nothing */
    bool is_lasting; /* all operations after it fail as well */
    bool is_half;    /* it does half of its work, and those after it fail */
    long lie_at;     /* the datasync, from 1, that does nothing; 0: none */
    bool log_lies;   /* no sync of a log file does anything */
    bool is_full;    /* files may grow by so many bytes in all, and no more: */
    size_t room_bytes;
} disk_faults;

disk *disk_new(void);
void disk_free(disk *freed);

/* The table of functions that works on it. */
const ss_io *disk_io(disk *of);

disk_faults *disk_faults_of(disk *of);
long disk_operations(const disk *of);
long disk_datasyncs(const disk *of);

/* Was somebody told of a failure, but of a close, which may fail? */
bool disk_has_failed(const disk *of);

/* Did a sync fail, a truncation, or the removal of a file, whoever was told?
 * And how many descriptors are open? */
bool disk_sync_failed(const disk *of);
bool disk_truncation_failed(const disk *of);
bool disk_removal_failed(const disk *of);
int disk_open_files(const disk *of);
void disk_watch(disk *of, disk_watcher *watcher, void *context);

/* Time passes, on both clocks. */
void disk_pass_ns(disk *of, uint64_t ns);

/* Somebody sets the wall clock. */
void disk_set_wall(disk *of, uint64_t seconds);

/* The machine is started again: a boot of this number, of which the steady
 * clock says so much. Number 0: a system that does not know its boot. */
void disk_set_boot(disk *of, uint8_t boot, uint64_t steady_ns);

/* A copy of what programs would read. */
disk *disk_copy(const disk *of);

/* A copy of what is on the platters: no more than a power cut leaves. */
disk *disk_platters(const disk *of);

/* An image; random is any number, and the image follows from it. */
disk *disk_image(const disk *of, uint64_t random);

/* A file's bytes and length, or NULL; to be changed in place. */
uint8_t *disk_file(disk *of, const char *name, size_t **size_bytes);

/* Writes to a file, which may be a new one, as any program does. */
void disk_put(disk *of, const char *name, size_t offset, const void *bytes,
              size_t size_bytes);

/* The name of the n-th file that starts with prefix, or NULL. */
const char *disk_name(const disk *of, const char *prefix, int n);

/* How many there are of those. */
int disk_count(const disk *of, const char *prefix);

/* The one of them that comes last in the alphabet, or NULL: of a queue's
 * snapshots the newest, of its segments the one at the log's end. */
const char *disk_last_name(const disk *of, const char *prefix);

/* Changes a byte of a file, or takes bytes from its end; the file has them. */
void disk_flip(disk *on, const char *name, size_t at);
void disk_cut(disk *on, const char *name, size_t bytes);

/* Do programs read the same from both: the same names and bytes? */
bool disk_is_same(disk *a, disk *b);

#endif
