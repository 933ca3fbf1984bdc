/*
 * scratch.h - pages of 4 KiB, of which a bounded number is in memory.
 *
 *     pages    0   1   2   3   4   ...        by number
 *              |       |                      in a frame, or only
 *     frames   [p 0 *] [p 2]                  in the scratch file, each at its
 *                  ^ the hand                 number times 4 KiB
 *
 * What is on them follows from the log, so nothing here has to outlive the
 * process. The file has no name: it is made when the frames are full, unlinked
 * at once, and gone with the handle, however that ends. A small queue has none.
 *
 * A page that is needed and has no frame takes one from another. The hand goes
 * round the frames, passes those that were used since it came last, and takes
 * the next (the clock algorithm: Corbato 1968). If that page was changed, it is
 * written first. If the disk is full, the call that needed the page fails, and
 * all pages are as they were. Each page that is written has a checksum in
 * memory, so a page that comes back changed is an error, and no number on it is
 * trusted.
 *
 * Memory: the frames; 8 bytes for each page, and 16 for each frame.
 */
#ifndef SS_FRONTIER_SCRATCH_H
#define SS_FRONTIER_SCRATCH_H

#include "base/io.h"
#include "base/memory.h"

enum {
    SS_PAGE_BYTES = 4096,
    SS_SCRATCH_FRAMES = 16384, /* 64 MiB, unless it has no file */
    SS_SCRATCH_LEAST = 2       /* it may be tested with so few */
};

#define SS_PAGE_NONE UINT32_MAX

/* Makes an empty file without a name. Returns its descriptor, or -1 and
 * errno. */
typedef int ss_scratch_open(void *context);

/* Where pages go for which there is no frame. */
typedef struct ss_scratch_file {
    const ss_io *io; /* NULL: nowhere. There are as many frames as pages */
    ss_scratch_open *open;
    void *context;
    bool is_optional; /* if it cannot be made or written: as with NULL */
} ss_scratch_file;

typedef struct ss_scratch_page ss_scratch_page;
typedef struct ss_frame ss_frame;

typedef struct ss_scratch {
    ss_memory memory;
    ss_scratch_file file;
    int fd;               /* or -1 */
    uint32_t most_frames; /* SS_SCRATCH_LEAST or more */
    ss_scratch_page *pages;
    size_t page_room;
    uint32_t page_count, first_free;
    ss_frame *frames;
    size_t frame_room;
    uint32_t frame_count, first_free_frame, frames_in_use;
    uint32_t hand;
    uint32_t kept; /* a page that keeps its frame, or SS_PAGE_NONE */
    uint64_t reads, writes;
} ss_scratch;

void ss_scratch_init(ss_scratch *scratch, const ss_memory *memory,
                     const ss_scratch_file *file);
void ss_scratch_free(ss_scratch *scratch);

/* All calls below that return int: 0, SEENSET_EIO and errno (the file cannot be
 * made, written or read), or SEENSET_ENOMEM. Then nothing changed. */

/* Adds a page of zeroes, which keeps its frame until another does. */
int ss_scratch_add(ss_scratch *scratch, uint32_t *page);

/* From now on it is this page that keeps its frame. */
int ss_scratch_keep(ss_scratch *scratch, uint32_t page);

/* The bytes of a page, until the next call; `changes`: they are written to. */
int ss_scratch_get(ss_scratch *scratch, uint32_t page, bool changes,
                   void **bytes);

/* The bytes of the page that keeps its frame, to be changed. */
void *ss_scratch_kept(ss_scratch *scratch);

/* A page is no longer needed. Its number is used again. */
void ss_scratch_remove(ss_scratch *scratch, uint32_t page);

uint64_t ss_scratch_bytes(const ss_scratch *scratch);

#endif
