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
 * The keys of a batch are its lines; or the fields that a rule finds in them;
 * or the normal forms of either, as URLs. What is not a line is in `forms`
 * (forms.h). Key i is then of line batch_line(keys, i), and has hashes[i];
 * answers are by line.
 *
 * Where keys are divided among several runs (batch_take_shard), a line whose
 * key belongs to another one has no key here, and is neither printed nor
 * counted.
 *
 * A line may be a record of several lines of text, if its format says so (a
 * field of CSV may hold a separator). The first line of a file may be a header:
 * it has no key, and is printed apart from all answers.
 */
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/extent.h"
#include "stream/forms.h"
#include "stream/spill.h"
#include "stream/wide.h"

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

typedef struct batch batch;

/* What becomes of a line without the field that is the key. */
typedef enum batch_missing {
    BATCH_MISSING_KEEP, /* printed as if it were new; never in the set */
    BATCH_MISSING_DROP, /* not printed either */
    BATCH_MISSING_ERROR /* the first one is an error */
} batch_missing;

/*
 * How keys are made of lines. `extract` adds the key of each line to
 * keys->fields, and refuses the lines that have none; it leaves out a header.
 * It is called on any thread, and returns 0, or -1 and errno.
 */
typedef struct batch_rule {
    int (*extract)(const struct batch_rule *rule, batch *keys);
    batch_missing missing;
    bool has_times; /* `extract` sets times[i] of each line i with a key */
    char delimiter; /* between fields, where the first is the key; 0 elsewhere:
                       batch.is_divided says whether any line has it */
} batch_rule;

/* Which part of all keys a run takes: those that seenset_shard gives `index` of
 * `count`. 0 or 1 of count: all. */
typedef struct batch_shard {
    uint32_t index, count;
} batch_shard;

/* Is line 0 the header of its file, and is it printed? */
typedef enum batch_header {
    BATCH_HEADER_NONE,
    BATCH_HEADER_PRINTED,
    BATCH_HEADER_HIDDEN
} batch_header;

struct batch {
    size_t count;          /* lines */
    uint64_t first_number; /* of the first in its input, from 1 */
    uint64_t input_bytes;  /* of the file; if it is compressed, of that */
    const char *input;     /* the name of the input in messages */
    const char *unit;      /* the name of a key in messages: "line" or "key" */
    spill *long_line;      /* the only line, if it is a long one; or NULL */
    extent source;         /* where the lines are, if they are still there */
    batch_header header;
    bool is_unclosed;       /* the only line ended inside a quote: no key */
    bool counts_separators; /* a line may hold some, and numbers count them */
    bool is_divided;        /* some line has more fields than the first one, or
                               it was not looked for */
    const batch_rule *rule; /* how keys are made of lines; NULL: they are */
    forms *forms;           /* the keys if they are not the lines, or NULL */
    forms *fields, *urls;   /* memory for that, when it was needed */
    batch_shard shard;      /* the keys that are taken; set by the reader */
    const uint8_t *wide_secret; /* of wide hashes, set by the reader, or NULL:
                                   none are wanted */
    wide_hash *wide;            /* one for each key, if they are wanted */
    forms *mine;                /* memory for these */
    forms *whole;           /* `forms` before others were left to their runs */
    size_t elsewhere_count; /* keys that belong to other runs */
    uint64_t *times;        /* of lines, in seconds since 1970; NULL: none */
    uint64_t latest_time;   /* that is believed */
    uint64_t *times_room;   /* memory for these */
    void *scratch;          /* what the rule keeps between batches, or NULL */
    void (*free_scratch)(void *scratch);
    int error; /* errno if keys could not be made, or 0 */
    char *data;
    size_t used, room; /* bytes of data */
    size_t ends[BATCH_LINES];
    uint64_t hashes[BATCH_LINES];
    uint8_t answers[BATCH_LINES];
};

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
    return keys->forms != NULL ? keys->forms->count : keys->count;
}

/* The line that key i is of. */
static inline size_t batch_line(const batch *keys, size_t i)
{
    return keys->forms != NULL ? keys->forms->lines[i] : i;
}

/* Where the keys are: text, and the start and end of each. Without starts, key
 * after key with a separator between them. */
typedef struct batch_keys {
    const char *text; /* NULL: errno says why not */
    const size_t *starts, *ends;
    size_t count;
} batch_keys;

batch_keys batch_keys_of(batch *keys);

static inline size_t batch_key_start(const batch_keys *from, size_t i)
{
    if (from->starts != NULL)
        return from->starts[i];
    return i == 0 ? 0 : from->ends[i - 1] + 1;
}

/* The number of line i in its input, from 1. */
uint64_t batch_number(batch *keys, size_t i);

/* How many lines have no field that could be the key. */
size_t batch_missing_count(const batch *keys);

/* Gives those lines this answer, if they are kept. */
void batch_keep_missing(batch *keys, uint8_t answer);

/* Removes line `count` and those after it. */
void batch_cut(batch *keys, size_t count);

/* Reads and splits what the extent of a batch says, or its next part; nothing
 * if there is none. Lines have no numbers then (first_number is 0), and
 * input_bytes is of this part. */
void batch_load(batch *into);

/* Is there another part? */
static inline bool batch_has_more(const batch *from)
{
    return from->source.after > 0;
}

/* The hash stage: hashes[i] becomes seenset_hash of key i. */
void batch_hash(batch *keys);

/* What may come before: the lines are read, if that was left to this stage, and
 * the keys become the fields that the rule finds, if there is one. */
void batch_extract(batch *keys);

/* And after that: the keys become normal forms of URLs. */
void batch_normalise(batch *keys);

/* And then: keys of other shards are left out. */
void batch_take_shard(batch *keys);

/* And if wide hashes are wanted, they are those of the keys that are left. */
void batch_hash_widely(batch *keys);

#endif
