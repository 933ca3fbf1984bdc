/*
 * output.h - gathers what is printed and writes it in large pieces.
 *
 * An error is remembered instead of returned by every call, so that the loop
 * over a batch stays simple; whoever owns the output asks once in a while.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "stream/batch.h"

typedef struct output {
    int fd;
    int error;          /* errno of the first write that failed, or 0 */
    const char *failed; /* what it was: "standard output", mostly */
    char *buffer;
    size_t used;
} output;

/* Writes to standard output. Returns 0, or -1 and errno. */
int output_init(output *out);
void output_free(output *out);

/* Prints `size` bytes; large pieces go out without a copy. */
void output_put(output *out, const void *data, size_t size);

/*
 * The write stage: prints the lines of a batch whose answer is `wanted`, with
 * their separators. Returns how many they were.
 */
uint64_t output_put_answered(output *out, const batch *from, uint8_t wanted);

/* Writes what was gathered. Returns 0, or -1 if anything failed so far. */
int output_flush(output *out);

/*
 * Waits until what was written is on the disk, where it is a file. Returns as
 * output_flush. A pipe, a terminal or a device has nothing to wait for.
 */
int output_sync(output *out);

#endif
