/*
 * memory_files.h - files in memory, for the log of a queue without a folder.
 *
 * They are behind the same table of functions as the system's files
 * (base/io.h), so that the log, its end and its readers are what they are in a
 * folder. Only what these use is there: files are opened, read and written at
 * offsets, cut and removed. The other functions fail with ENOSYS. A sync does
 * nothing.
 *
 * A file that is removed stays until its last descriptor is closed. A write for
 * which there is no memory fails with ENOMEM, and writes nothing.
 */
#ifndef SS_LOG_MEMORY_FILES_H
#define SS_LOG_MEMORY_FILES_H

#include "base/io.h"
#include "base/memory.h"

enum {
    SS_MEMORY_FILE_NAME_BYTES = 24 /* "log-", 16 digits and a NUL */
};

typedef struct ss_memory_file {
    char name[SS_MEMORY_FILE_NAME_BYTES]; /* "": it was removed */
    uint8_t *bytes;
    size_t size_bytes, room;
    unsigned open_count;
} ss_memory_file;

typedef struct ss_memory_files {
    ss_io io; /* the table; its context is this struct */
    const ss_memory *memory;
    size_t usual_bytes; /* a file that gets no longer wastes nothing */
    ss_memory_file *files;
    size_t count, room;              /* of files, unused ones included */
    uint64_t size_bytes, room_bytes; /* of all files together */
} ss_memory_files;

/* It must not be moved from then on. */
void ss_memory_files_init(ss_memory_files *files, const ss_memory *memory,
                          const ss_clock *clock, size_t usual_bytes);
void ss_memory_files_free(ss_memory_files *files);

/* Memory of all of it. */
uint64_t ss_memory_files_memory_bytes(const ss_memory_files *files);

#endif
