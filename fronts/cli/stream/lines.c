/*
 * lines.c - see lines.h.
 *
 * For a line that does not fit the batch doubles, but at most BATCH_BYTES are
 * read before they are split. So no byte is searched twice, and the rest after
 * the end of the line is never longer than that. From BATCH_LINE_BYTES on the
 * line passes through the batch to a spill, which the reader keeps until the
 * line is whole, since the batch may be needed before that.
 */
#define _GNU_SOURCE /* posix_fadvise, O_CLOEXEC */
#include "stream/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/magic.h"
#include "system/await.h"
#include "system/temporary.h"

int lines_init(lines *reader, char separator)
{
    *reader = (lines){.separator = separator,
                      .split = split_best(),
                      .wants_bytes = true,
                      .rest_room = BATCH_BYTES};
    if (input_init(&reader->input) != 0)
        return -1;
    reader->rest = malloc(BATCH_BYTES);
    return reader->rest != NULL ? 0 : -1;
}

void lines_free(lines *reader)
{
    input_free(&reader->input);
    spill_free(reader->growing);
    reader->growing = NULL;
    free(reader->rest);
    reader->rest = NULL;
}

int lines_open(lines *reader, const char *path)
{
    int fd = STDIN_FILENO;
    spill_free(reader->growing);
    reader->growing = NULL;
    reader->is_spill_error = false;
    reader->later_error = 0;
    reader->rest_bytes = 0;
    reader->given = 0;
    reader->told_bytes = 0;
    reader->is_at_end = false;
    reader->has_line = false;
    reader->state = 0;
    reader->is_unclosed = false;
    reader->separators = 0;
    reader->rule = reader->format != NULL ? reader->format->rule : NULL;
    if (strcmp(path, "-") != 0)
        fd = open(path, O_RDONLY | O_CLOEXEC);
    input_start(&reader->input, fd);
    if (fd < 0)
        return -1;
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

/* The reader waits for the file, unless there are bytes without it. */
static bool has_to_wait(const lines *reader)
{
    return !input_is_ready(&reader->input) && await_is_needed(reader->input.fd);
}

/* An error that comes after some bytes has to wait until their lines were
 * given out. */
static int put_error_off(lines *reader, bool has_bytes)
{
    if (!has_bytes)
        return -1;
    reader->later_error = errno;
    return 0;
}

/*
 * Adds input to the batch: waits for some, then takes what is available, since
 * a pipe gives little at a time. Returns 0, or -1 and errno, or LINES_LATER.
 */
static int fill(lines *reader, batch *out)
{
    input_stream *from = &reader->input;
    int fd = input_is_ready(from) ? LINES_ARE_READY : from->fd;
    if (reader->wait != NULL && reader->wait(reader->wait_context, fd) != 0)
        return LINES_LATER;
    errno = reader->later_error;
    if (reader->later_error != 0 || batch_reserve(out, out->used + 1) != 0)
        return -1;
    size_t room = out->room - out->used;
    if (room > BATCH_BYTES)
        room = BATCH_BYTES;
    size_t most = room;
    do {
        ptrdiff_t got = input_read(from, out->data + out->used, room);
        if (got == INPUT_AGAIN)
            continue;
        if (got < 0)
            return put_error_off(reader, room < most);
        reader->is_at_end = got == 0;
        out->used += (size_t)got;
        room -= (size_t)got;
    } while (room > 0 && !reader->is_at_end && !has_to_wait(reader));
    return 0;
}

/* If the last line of a file lacks its separator, it gets one. */
static void end_last_line(const lines *reader, batch *out)
{
    if (out->used > 0 && out->data[out->used - 1] != reader->separator)
        out->data[out->used++] = reader->separator;
}

/* Does the file begin as a set does? False until enough of it was read. */
static bool is_set(const lines *reader, const batch *start, size_t scanned)
{
    return reader->given == 0 && scanned < MAGIC_BYTES &&
           magic_begins_set(start->data, start->used);
}

static bool has_states(const lines *reader)
{
    return reader->format != NULL && reader->format->split != NULL;
}

/* The ends of lines in data, as split.h has it. */
static size_t find_ends(lines *reader, const char *data, size_t size,
                        size_t *ends, size_t room)
{
    if (has_states(reader))
        return reader->format->split(reader->format, &reader->state, data, size,
                                     ends, room);
    return reader->split(data, size, reader->separator, ends, room);
}

/* Finds the ends of lines after offset `from`; there are none before it. */
static void split(lines *reader, batch *out, size_t from)
{
    out->count = find_ends(reader, out->data + from, out->used - from,
                           out->ends, BATCH_LINES);
    for (size_t i = 0; from > 0 && i < out->count; i++)
        out->ends[i] += from;
}

/* The first end of a line in data, or SIZE_MAX. */
static size_t find_end(lines *reader, const char *data, size_t size)
{
    size_t ends[128]; /* room for a kernel; the first is enough */
    size_t room = has_states(reader) ? 128 : 1;
    return find_ends(reader, data, size, ends, room) > 0 ? ends[0] : SIZE_MAX;
}

/* Returns 0, or -1 and errno. */
static int take_rest(lines *reader, batch *out)
{
    if (batch_reserve(out, reader->rest_bytes) != 0)
        return -1;
    memcpy(out->data, reader->rest, reader->rest_bytes);
    out->used = reader->rest_bytes;
    reader->rest_bytes = 0;
    return 0;
}

/* Keeps the bytes from `from` on for the next batch. 0, or -1 and errno. */
static int keep_rest(lines *reader, batch *out, size_t from)
{
    size_t bytes = out->used - from;
    if (bytes > reader->rest_room) {
        char *grown = realloc(reader->rest, bytes);
        if (grown == NULL)
            return -1;
        reader->rest = grown;
        reader->rest_room = bytes;
    }
    memcpy(reader->rest, out->data + from, bytes);
    reader->rest_bytes = bytes;
    out->used = from;
    return 0;
}

/* Does the rest hold a whole line? If not, the state is of its end. */
static void look_for_line(lines *reader)
{
    reader->state = 0;
    reader->has_line =
        find_end(reader, reader->rest, reader->rest_bytes) != SIZE_MAX;
    if (reader->has_line)
        reader->state = 0;
}

/* Moves the first `size` bytes of the batch to the spill. */
static int spill_some(lines *reader, const batch *out, size_t size)
{
    int error = 0;
    if (reader->growing == NULL)
        reader->growing = spill_new(reader->wants_bytes);
    if (reader->growing == NULL)
        error = -1;
    else
        error = spill_add(reader->growing, out->data, size);
    reader->is_spill_error = error != 0;
    return error;
}

/* The long line ends in this batch after `size` bytes. */
static int end_long_line(lines *reader, batch *out, size_t size)
{
    int error = spill_some(reader, out, size);
    if (error == 0)
        error = spill_end(reader->growing, reader->separator);
    reader->is_spill_error = error != 0;
    if (error != 0 || keep_rest(reader, out, size + 1) != 0)
        return -1;
    look_for_line(reader);
    batch_set_long(out, reader->growing);
    reader->growing = NULL;
    return 1;
}

/* The input is at its end, and the batch ends with a separator in a quote.
 * Returns its offset. */
static size_t end_unclosed(lines *reader, batch *out)
{
    reader->is_unclosed = true;
    reader->state = 0;
    out->is_unclosed = true;
    return out->used - 1;
}

/*
 * Reads on to the end of a long line, of which the batch has a part without a
 * separator. Returns 1, -1 or LINES_LATER.
 */
static int find_long_end(lines *reader, batch *out)
{
    for (;;) {
        if (spill_some(reader, out, out->used) != 0)
            return -1;
        out->used = 0;
        int filled = fill(reader, out);
        if (filled != 0)
            return filled;
        if (reader->is_at_end &&
            (out->used == 0 || out->data[out->used - 1] != reader->separator))
            out->data[out->used++] = reader->separator;
        size_t end = find_end(reader, out->data, out->used);
        if (end == SIZE_MAX && reader->is_at_end)
            end = end_unclosed(reader, out);
        if (end != SIZE_MAX)
            return end_long_line(reader, out, end);
    }
}

/* Reads until there is a line. Returns 1, 0 at the end, -1 and errno, or
 * LINES_LATER. */
static int find_lines(lines *reader, batch *out)
{
    if (take_rest(reader, out) != 0)
        return -1;
    if (reader->has_line)
        split(reader, out, 0);
    while (out->count == 0 && !reader->is_at_end) {
        if (reader->growing != NULL || out->used >= BATCH_LINE_BYTES)
            return find_long_end(reader, out);
        size_t scanned = out->used;
        int filled = fill(reader, out);
        if (filled != 0)
            return filled;
        if (is_set(reader, out, scanned)) {
            errno = LINES_ARE_A_SET;
            return -1;
        }
        if (reader->is_at_end)
            end_last_line(reader, out);
        split(reader, out, scanned);
    }
    if (out->count == 0 && out->used > 0)
        out->ends[out->count++] = end_unclosed(reader, out);
    return out->count > 0;
}

/* Keeps the part of a line that was read for the next call. */
static int put_off(lines *reader, batch *out)
{
    reader->has_line = false;
    return keep_rest(reader, out, 0) == 0 ? LINES_LATER : -1;
}

/* What the format has to do with new lines. Returns 1, or -1 and errno. */
static int apply_format(lines *reader, batch *out)
{
    lines_format *format = reader->format;
    out->counts_separators = has_states(reader);
    if (reader->given == 0 && format->begin != NULL && !out->is_unclosed)
        reader->rule = format->begin(format, out);
    out->rule = reader->rule;
    if (out->rule != NULL)
        return 1;
    errno = LINES_ARE_REFUSED;
    return -1;
}

/* The separators in the lines of the batch. */
static uint64_t count_separators(const lines *reader, batch *out)
{
    if (!has_states(reader))
        return out->count;
    const char *text = batch_text(out);
    uint64_t count = 0;
    size_t size = text == NULL ? 0 : batch_start(out, out->count);
    for (size_t i = 0; i < size; i++)
        count += text[i] == reader->separator;
    return count;
}

/* Keeps what is after the lines of the batch. Returns 0, or -1 and errno. */
static int keep_after(lines *reader, batch *out)
{
    if (out->long_line != NULL)
        return 0;
    if (keep_rest(reader, out, batch_start(out, out->count)) != 0)
        return -1;
    reader->has_line = false;
    if (out->count == BATCH_LINES)
        look_for_line(reader);
    return 0;
}

/* The bytes of the file that this batch is of. */
static uint64_t take_input_bytes(lines *reader, const batch *out)
{
    uint64_t told = reader->told_bytes;
    if (reader->input.format == NULL)
        return batch_start(out, out->count);
    reader->told_bytes = input_used_bytes(&reader->input);
    return reader->told_bytes - told;
}

/* Is the place in the file known, and nothing to be done with new lines? */
static bool can_cut(const lines *reader)
{
    const input_stream *from = &reader->input;
    return reader->may_cut && reader->format == NULL && reader->given > 0 &&
           reader->growing == NULL && reader->later_error == 0 &&
           !reader->is_at_end && from->format == NULL && !input_is_ready(from);
}

/* Leaves the next lines to the hash stage. Returns whether that can be. */
static bool cut(lines *reader, batch *out)
{
    int fd = reader->input.fd;
    off_t at = can_cut(reader) ? lseek(fd, 0, SEEK_CUR) : -1;
    if (at < (off_t)reader->rest_bytes ||
        (reader->wait != NULL &&
         reader->wait(reader->wait_context, LINES_ARE_READY) != 0))
        return false;
    extent piece;
    uint64_t start = (uint64_t)at - reader->rest_bytes;
    if (!extent_cut(&piece, fd, start, BATCH_BYTES, reader->separator) ||
        lseek(fd, (off_t)(start + piece.bytes), SEEK_SET) < 0)
        return false;
    piece.split = reader->split;
    out->source = piece;
    out->first_number = 0;
    out->input_bytes = piece.bytes;
    reader->rest_bytes = 0;
    reader->has_line = false;
    return true;
}

int lines_next(lines *reader, batch *out)
{
    batch_clear(out);
    if (cut(reader, out))
        return 1;
    out->first_number = reader->separators + 1;
    if (reader->is_unclosed) {
        errno = LINES_ARE_UNCLOSED;
        return -1;
    }
    int got = find_lines(reader, out);
    if (got == LINES_LATER)
        return put_off(reader, out);
    if (got < 0 || keep_after(reader, out) != 0)
        return -1;
    if (got == 1 && reader->format != NULL)
        got = apply_format(reader, out);
    out->input_bytes = take_input_bytes(reader, out);
    reader->given += out->count;
    if (!reader->is_unclosed)
        reader->separators += count_separators(reader, out);
    return got;
}

lines_text lines_error(const lines *reader, int error)
{
    lines_text out;
    if (reader->is_spill_error)
        (void)snprintf(out.text, sizeof out.text,
                       "line %llu is over %zu MiB and cannot be kept in %s: "
                       "%s; set TMPDIR to a folder with room",
                       (unsigned long long)reader->separators + 1,
                       BATCH_LINE_BYTES >> 20, temporary_folder(),
                       strerror(error));
    else if (error == LINES_ARE_A_SET)
        (void)snprintf(out.text, sizeof out.text, "%s", MAGIC_TEXT);
    else if (error == LINES_ARE_REFUSED)
        (void)snprintf(out.text, sizeof out.text, "%s", reader->format->wrong);
    else if (error == LINES_ARE_UNCLOSED)
        (void)snprintf(out.text, sizeof out.text,
                       "line %llu: a quote that is opened in this record is "
                       "never closed; all from there on was taken as one "
                       "record without a key",
                       (unsigned long long)reader->separators + 1);
    else if (!input_describe(&reader->input, error, out.text, sizeof out.text))
        (void)snprintf(out.text, sizeof out.text, "%s", strerror(error));
    return out;
}

bool lines_would_wait(const lines *reader)
{
    bool can_read = !reader->is_at_end && reader->input.fd >= 0;
    return can_read && !reader->has_line && has_to_wait(reader);
}
