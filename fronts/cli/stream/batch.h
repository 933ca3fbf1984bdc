/*
 * batch.h - some lines and what each stage found out about them.
 *
 * The pipeline of every command that takes keys is
 *
 *     read + split (lines.c) -> hash (batch.c)
 *         -> filter (sets/add_stage.c, commands/has.c) -> write (output.c)
 *
 * and a batch goes through it: a block of bytes
 *
 *     data:  http://a/  \n  http://b/1  \n  \n  ...       | slack
 *                       ^ ends[0]       ^    ^ ends[2]
 *
 * and for each line its end, its hash, and the answer of the filter. Every line
 * is followed by the separator, so that neighbouring lines can be written as
 * one piece. A batch has a fixed size and grows only for a line that does not
 * fit, up to BATCH_LINE_BYTES. A longer line is alone in its batch, and its
 * bytes are in a file (spill.h). So a line may have any length, and memory is
 * bounded.
 *
 * The keys of a batch are its lines, or the normal forms of those lines that
 * are URLs (urls.h). Key i is then of line batch_line(keys, i), and has
 * hashes[i]; answers are by line.
 */
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/spill.h"
#include "stream/urls.h"

/*
 * Bytes: enough that system calls and locks cost little per line, and few
 * enough that a batch stays in the second-level cache from the first stage to
 * the last. Lines: as many as fit if each has 7 bytes. If they are shorter, the
 * batch is full before its bytes are.
 */
#define BATCH_BYTES ((size_t)256 * 1024)
#define BATCH_LINES ((size_t)32 * 1024)

/* A longer line is not held in memory. */
#define BATCH_LINE_BYTES ((size_t)4 * 1024 * 1024)

/* Bytes after the end of data that may be read, but are not part of it. */
#define BATCH_SLACK ((size_t)128)

typedef struct batch {
    size_t count;          /* lines */
    uint64_t first_number; /* of the first in its input, from 1 */
    uint64_t input_bytes;  /* read for these lines, separators included */
    const char *input;     /* the name of the input in messages */
    const char *unit;      /* the name of a key in messages: "line" or "key" */
    spill *long_line;      /* the only line, if it is a long one; or NULL */
    urls *forms;           /* of the last batch that was normalised, or NULL */
    bool has_forms;        /* and of this one: they are the keys */
    int error;             /* errno if it could not be normalised, or 0 */
    char *data;
    size_t used, room; /* bytes of data */
    size_t ends[BATCH_LINES];
    uint64_t hashes[BATCH_LINES];
    uint8_t answers[BATCH_LINES];
} batch;

/* Returns an empty batch, or NULL and errno. batch_free takes NULL too. */
batch *batch_new(void);
void batch_free(batch *keys);

/* Removes all lines, and frees the memory that a long line took. */
void batch_clear(batch *keys);

/* Makes room for `bytes` bytes in total. Returns 0, or -1 and errno. */
int batch_reserve(batch *keys, size_t bytes);

/* Where line i starts. */
static inline size_t batch_start(const batch *keys, size_t i)
{
    return i == 0 ? 0 : keys->ends[i - 1] + 1;
}

/*
 * The lines with their separators, to which `ends` are offsets. A long line is
 * mapped until the batch is used again; NULL and errno if that fails.
 */
const char *batch_text(batch *keys);

/* Makes a long line the only line of an empty batch, which then owns it. */
void batch_set_long(batch *keys, spill *line);

/* The keys of a batch. */
static inline size_t batch_key_count(const batch *keys)
{
    return keys->has_forms ? keys->forms->count : keys->count;
}

/* The line that key i is of. */
static inline size_t batch_line(const batch *keys, size_t i)
{
    return keys->has_forms ? keys->forms->lines[i] : i;
}

/* Where the keys are: text, and the end of each, which a separator follows. */
typedef struct batch_keys {
    const char *text; /* NULL: errno says why not */
    const size_t *ends;
    size_t count;
} batch_keys;

batch_keys batch_keys_of(batch *keys);

static inline size_t batch_key_start(const batch_keys *from, size_t i)
{
    return i == 0 ? 0 : from->ends[i - 1] + 1;
}

/* Removes line `count` and those after it. */
void batch_cut(batch *keys, size_t count);

/* The hash stage: hashes[i] becomes seenset_hash of key i. */
void batch_hash(batch *keys);

/* What may come before: the keys become normal forms of URLs. */
void batch_normalise(batch *keys);

#endif
