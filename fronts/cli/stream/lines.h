/*
 * lines.h - reads lines of any length and any bytes, a batch at a time.
 *
 * read(2), or a decoder (input/input.h), writes into the batch, which is then
 * split. The bytes after the last
 * whole line, mostly part of a line, are copied to `rest` and begin the next
 * batch; nothing else is copied. A line longer than BATCH_LINE_BYTES goes
 * through the memory of the batch into a spill.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/input.h"
#include "stream/batch.h"
#include "stream/split/split.h"

/*
 * Called before each read. Waits until fd has input and returns 0, or returns
 * another number if the reader must stop waiting now. If fd is
 * LINES_ARE_READY, there is nothing to wait for.
 */
#define LINES_ARE_READY (-1)
typedef int lines_waiter(void *context, int fd);

#define LINES_LATER 2 /* lines_next was stopped by the waiter */

/*
 * How lines are told apart, where not every separator ends one, and how the
 * keys of a file are made. It must outlast the reader and its batches.
 */
typedef struct lines_format lines_format;
struct lines_format {
    /*
     * Like a split_function (split.h), but goes on from *state and leaves it
     * for the bytes after these. The state is 0 where a line starts, and if
     * there is no room for more ends. NULL: each separator ends a line.
     */
    size_t (*split)(const lines_format *format, unsigned *state,
                    const char *data, size_t size, size_t *ends, size_t room);
    /*
     * Called with the first lines of each file; may set the header of the
     * batch. Returns the rule for the file, or NULL, with `wrong` set to why.
     * NULL: `rule` is for all.
     */
    const batch_rule *(*begin)(lines_format *format, batch *first);
    const batch_rule *rule;
    char wrong[512];
};

typedef struct lines {
    input_stream input;
    char separator;
    bool is_at_end;
    bool has_line; /* the rest holds a whole line, at least */
    split_function *split;
    char *rest;
    size_t rest_bytes, rest_room;
    unsigned state;         /* of the format, after the rest */
    bool is_unclosed;       /* the input ended inside a quote */
    uint64_t separators;    /* of this file so far, in whole lines */
    const batch_rule *rule; /* of this file */
    spill *growing;         /* a long line that is being read, or NULL */
    uint64_t given;         /* lines of this file so far */
    uint64_t told_bytes;    /* of a compressed file, in the batches so far */
    int later_error;        /* comes after the lines that were read, or 0 */
    bool is_spill_error;    /* what failed last was a spill */
    /* Defaults that may be changed after lines_init, and input.mode, until the
     * first line was read: */
    bool wants_bytes;     /* true: of long lines, too, not only their hashes */
    lines_format *format; /* NULL: each separator ends a line, which is a key */
    lines_waiter *wait;
    void *wait_context;
    /* A batch may be given out that is still to be read (extent.h), without a
     * number; then the reader cannot count its lines. */
    bool may_cut;
} lines;

/* Returns 0, or -1 and errno. lines_free undoes it. */
int lines_init(lines *reader, char separator);
void lines_free(lines *reader);

/*
 * Opens the next file, "-" being standard input, and closes the one before.
 * Returns 0, or -1 and errno.
 */
int lines_open(lines *reader, const char *path);

/* The value of errno if the input is a set file, and not text. */
#define LINES_ARE_A_SET 0x10000

/* And if the format refuses the file, or it ends inside a quote. */
#define LINES_ARE_REFUSED 0x10001
#define LINES_ARE_UNCLOSED 0x10002

/*
 * Stores the next lines in *out, as many as are available and fit. They stay
 * valid until the batch is used again, whatever the reader does. Waits only if
 * no whole line is available. A last line without a separator gets one.
 * Returns 1; 0 at the end; -1 and errno; or LINES_LATER and no line: the part
 * of a line that was read is kept for the next call.
 *
 * If a file ends inside a quote, all from the start of that line on is one line
 * of its own (is_unclosed), and the call after that fails: no byte is lost.
 */
int lines_next(lines *reader, batch *out);

/*
 * The error of lines_next or lines_open in words. `error` is their errno. The
 * text names the line and the folder if a long line cannot be spilled, and says
 * what to do with a set file.
 */
typedef struct lines_text {
    char text[512];
} lines_text;
lines_text lines_error(const lines *reader, int error);

/* Would lines_next have to wait for input? */
bool lines_would_wait(const lines *reader);

#endif
