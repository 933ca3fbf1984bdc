/*
 * output.c - see output.h.
 *
 * Kept lines that lie side by side in the reader's block, with the separators
 * between them, go out as one run: a stream with few repeats is written in
 * pieces as large as it was read.
 */
#define _GNU_SOURCE /* write */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

#define BUFFER_BYTES ((size_t)256 * 1024)
#define WRITE_DIRECT_BYTES ((size_t)64 * 1024)

int output_init(output *out, char separator)
{
    *out = (output){.fd = STDOUT_FILENO, .separator = separator};
    out->buffer = malloc(BUFFER_BYTES);
    return out->buffer != NULL ? 0 : -1;
}

void output_free(output *out)
{
    free(out->buffer);
    out->buffer = NULL;
}

static void write_all(output *out, const char *data, size_t size)
{
    while (size > 0 && out->error == 0) {
        ssize_t wrote = write(out->fd, data, size);
        if (wrote >= 0) {
            data += wrote;
            size -= (size_t)wrote;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}

int output_flush(output *out)
{
    write_all(out, out->buffer, out->used);
    out->used = 0;
    return out->error == 0 ? 0 : -1;
}

void output_put(output *out, const void *data, size_t size)
{
    if (size > BUFFER_BYTES - out->used)
        (void)output_flush(out);
    if (size >= WRITE_DIRECT_BYTES) {
        (void)output_flush(out);
        write_all(out, data, size);
        return;
    }
    if (size > 0)
        memcpy(out->buffer + out->used, data, size);
    out->used += size;
}

/* The first key after `first` that is not wanted or does not lie beside. */
static size_t end_of_run(const batch *from, size_t first, uint8_t wanted)
{
    size_t i = first + 1;
    while (i < from->count && from->answers[i] == wanted && from->is_terminated)
        i++;
    return i;
}

static void put_run(output *out, const batch *from, size_t first, size_t last)
{
    const char *start = from->keys[first].data;
    const char *stop = from->keys[last].data;
    size_t size = (size_t)(stop - start) + from->keys[last].len;
    if (from->is_terminated) {
        output_put(out, start, size + 1);
        return;
    }
    output_put(out, start, size);
    output_put(out, &out->separator, 1);
}

uint64_t output_put_answered(output *out, const batch *from, uint8_t wanted)
{
    uint64_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (from->answers[i] != wanted)
            continue;
        size_t end = end_of_run(from, i, wanted);
        put_run(out, from, i, end - 1);
        count += end - i;
        i = end - 1;
    }
    return count;
}

void output_complain(const output *out, const char *consequence)
{
    if (out->error != 0 && out->error != EPIPE)
        complain("standard output: %s; %s", strerror(out->error), consequence);
}
