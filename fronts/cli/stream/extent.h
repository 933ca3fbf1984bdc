/*
 * extent.h - a piece of a file that whichever thread is free reads and splits.
 *
 * To copy a file out of the page cache and to find its lines is half of the
 * work of dedup. Where the reader does that, other threads wait for it. From a
 * regular file that is not compressed it only cuts pieces that end with a line:
 *
 *     file:  ... | batch | batch | a,b,c,\n d,e,f | g,h ...
 *                                            ^ the last separator before
 *                                              256 KiB: read 4 KiB to find it
 *
 * The batch says where its piece is, and the hash stage fills it, on several
 * threads at once (batch_load). The first lines of a file, and the last, are
 * read as ever: only what is certainly there is cut.
 *
 * A piece of very short lines can have more of them than a batch. It then goes
 * through the stages part by part (batch_has_more), and no later batch
 * overtakes it.
 *
 * If the file shrinks meanwhile, the lines end where it does. If it is
 * overwritten, lines are of the bytes that are there when they are read.
 */
#ifndef EXTENT_H
#define EXTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/split/split.h"

/* What is to be read. All 0: nothing. */
typedef struct extent {
    int fd;
    char separator;
    uint64_t offset;
    size_t bytes; /* 0: it was read */
    size_t after; /* in data, after the lines: those of the next part */
    split_function *split;
    bool has_failed; /* it could not be read: the batch has the errno */
} extent;

/*
 * Where a file has a batch of whole lines from `start` on, in most_bytes (at
 * least EXTENT_WINDOW_BYTES) at most. Returns true, with offset and bytes set;
 * false if it is not a regular file, has not so many bytes left, or lines are
 * too long for this.
 */
#define EXTENT_WINDOW_BYTES ((size_t)4096)
bool extent_cut(extent *out, int fd, uint64_t start, size_t most_bytes,
                char separator);

/* Reads it. Returns how many bytes there were; -1 and errno. */
ptrdiff_t extent_read(const extent *from, char *data);

#endif
