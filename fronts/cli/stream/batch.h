/*
 * batch.h - some lines, and all that is found out about them on their way.
 *
 * The pipeline of every command that takes keys is
 *
 *     read + split (lines.c) -> hash (batch.c) -> filter (add_stage.c, has.c)
 *         -> write (output.c)
 *
 * and what flows through it is a batch: a block of bytes
 *
 *     data:  http://a/  \n  http://b/1  \n  \n  ...       | slack
 *                       ^ ends[0]       ^    ^ ends[2]
 *
 * and for each line where it ends, its hash, and the filter's answer. Every
 * line is followed by the separator, so that lines side by side are one piece
 * of output. A batch has a fixed room, and grows only for a line that does
 * not fit, up to BATCH_LINE_BYTES. A longer one is alone in its batch, and its
 * bytes are not there but in a file (spill.h): one line of any length is still
 * one line, and the memory is bounded.
 */
#ifndef BATCH_H
#define BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "stream/spill.h"

/*
 * Bytes: large enough that a system call and a handing over are lost among
 * the lines, small enough that a batch stays in the second-level cache from
 * the first stage to the last. Lines: as many as fit when they have 7 bytes;
 * of shorter ones, fewer bytes are used.
 */
#define BATCH_BYTES ((size_t)256 * 1024)
#define BATCH_LINES ((size_t)32 * 1024)

/* The most bytes of a line that is held in memory. */
#define BATCH_LINE_BYTES ((size_t)4 * 1024 * 1024)

/* Bytes after the end of data that may be read, and mean nothing. */
#define BATCH_SLACK ((size_t)128)

typedef struct batch {
    size_t count;          /* lines */
    uint64_t first_number; /* of the first in its input, from 1 */
    uint64_t input_bytes;  /* read for these lines, separators included */
    const char *input;     /* what messages call the input */
    const char *unit;      /* and one of its keys: "line" or "key" */
    spill *long_line;      /* the only line, if it is one; else NULL */
    char *data;
    size_t used, room; /* bytes of data */
    size_t ends[BATCH_LINES];
    uint64_t hashes[BATCH_LINES];
    uint8_t answers[BATCH_LINES];
} batch;

/* Returns an empty batch, or NULL and errno. batch_free takes NULL too. */
batch *batch_new(void);
void batch_free(batch *keys);

/* No lines, no bytes; gives back the memory that a long line took. */
void batch_clear(batch *keys);

/* Makes room for `bytes` bytes in all. Returns 0, or -1 and errno. */
int batch_reserve(batch *keys, size_t bytes);

/* Where line i starts. */
static inline size_t batch_start(const batch *keys, size_t i)
{
    return i == 0 ? 0 : keys->ends[i - 1] + 1;
}

/*
 * What `ends` counts in: the lines with their separators, of a long line until
 * the batch is used again. NULL: errno; a long line cannot be mapped.
 */
const char *batch_text(batch *keys);

/* Makes a whole long line the only one of an empty batch, which frees it. */
void batch_set_long(batch *keys, spill *line);

/*
 * The hash stage: hashes[i] becomes the XXH3-64 with seed 0 of line i, which
 * is what the library makes of that key (seenset.h, seenset_add_hash).
 */
void batch_hash(batch *keys);

#endif
