/*
 * output.h - collects what is printed and writes it in large pieces.
 *
 * An error is remembered and not returned by every call, so that the loop over
 * a batch stays simple; the owner checks it from time to time.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "stream/batch.h"

typedef struct output {
    int fd;
    int error;          /* errno of the first write that failed, or 0 */
    const char *failed; /* what failed: "standard output" or another file */
    char *buffer;
    size_t used;
} output;

/* Writes to standard output. Returns 0, or -1 and errno. */
int output_init(output *out);
void output_free(output *out);

/* Writes to another open file from now on, by this name in messages. */
void output_redirect(output *out, int fd, const char *name);

/* Prints `size` bytes; large pieces are written without a copy. */
void output_put(output *out, const void *data, size_t size);

/* Prints line i of a batch, with its separator. */
void output_put_line(output *out, const batch *from, size_t i);

/*
 * The write stage: prints the lines of a batch whose answer is `wanted`, with
 * their separators. Returns how many there were.
 */
uint64_t output_put_answered(output *out, const batch *from, uint8_t wanted);

/* Writes what was collected. Returns 0, or -1 if anything has failed so far. */
int output_flush(output *out);

/*
 * If the output is a file, waits until everything written is on the disk.
 * Returns as output_flush. For a pipe, a terminal or a device it does nothing.
 */
int output_sync(output *out);

#endif
