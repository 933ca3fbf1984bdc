/*
 * input.c - see input.h.
 */
#define _GNU_SOURCE /* read */
#include "input/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RAW_BYTES = 128 << 10 /* the size of a block of zstd */
};

static const input_format *const formats[] = {&input_gzip, &input_zstd,
                                              &input_xz};

#define FORMAT_COUNT (sizeof formats / sizeof formats[0])

int input_init(input_stream *from)
{
    *from = (input_stream){.fd = -1, .raw = malloc(RAW_BYTES)};
    return from->raw != NULL ? 0 : -1;
}

static void end_file(input_stream *from)
{
    if (from->decoder != NULL)
        from->format->close(from->decoder);
    from->decoder = NULL;
    if (from->fd > STDIN_FILENO)
        close(from->fd);
    from->fd = -1;
}

void input_free(input_stream *from)
{
    end_file(from);
    free(from->raw);
    from->raw = NULL;
}

void input_start(input_stream *from, int fd)
{
    end_file(from);
    *from = (input_stream){
        .fd = fd, .mode = from->mode, .raw = from->raw, .wants_raw = true};
}

bool input_is_ready(const input_stream *from)
{
    if (from->later_error != 0)
        return true;
    if (from->state == INPUT_PLAIN)
        return from->at < from->held;
    return !from->wants_raw || from->is_read_whole;
}

uint64_t input_used_bytes(const input_stream *from)
{
    return from->file_bytes - (from->held - from->at);
}

/* One read(2) that no signal cuts short. */
static ptrdiff_t read_file(input_stream *from, void *into, size_t room)
{
    ssize_t got;
    do
        got = read(from->fd, into, room);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        from->file_bytes += (uint64_t)got;
    from->is_read_whole = got == 0;
    return got;
}

/* Reads more behind what is not used yet. Returns 0, or -1 and errno. */
static int refill(input_stream *from)
{
    from->held -= from->at;
    if (from->held > 0)
        memmove(from->raw, from->raw + from->at, from->held);
    from->at = 0;
    ptrdiff_t got =
        read_file(from, from->raw + from->held, RAW_BYTES - from->held);
    if (got < 0)
        return -1;
    from->held += (size_t)got;
    from->wants_raw = false;
    return 0;
}

static ptrdiff_t fail(input_stream *from, int error)
{
    from->later_error = error;
    errno = error;
    return -1;
}

static ptrdiff_t begin_format(input_stream *from, const input_format *format)
{
    from->format = format;
    if (format->open == NULL)
        return fail(from, INPUT_NEEDS_LIBRARY);
    from->decoder = format->open();
    if (from->decoder == NULL)
        return fail(from, ENOMEM);
    from->state = INPUT_IN_MEMBER;
    return INPUT_AGAIN;
}

static ptrdiff_t recognise(input_stream *from)
{
    bool is_open = false;
    for (size_t i = 0; from->mode != INPUT_AS_IS && i < FORMAT_COUNT; i++) {
        input_match match = formats[i]->match(from->raw, from->held);
        if (match == INPUT_YES)
            return begin_format(from, formats[i]);
        is_open = is_open || match == INPUT_MAYBE;
    }
    if (is_open && !from->is_read_whole) {
        from->wants_raw = true;
        return INPUT_AGAIN;
    }
    if (from->mode == INPUT_COMPRESSED)
        return fail(from, INPUT_IS_NOT_COMPRESSED);
    from->state = INPUT_PLAIN;
    return INPUT_AGAIN;
}

/* What was read to look at it first; all else goes straight to the caller. */
static ptrdiff_t give_plain(input_stream *from, char *into, size_t room)
{
    size_t left = from->held - from->at;
    size_t size = left < room ? left : room;
    if (size == 0 && !from->is_read_whole)
        return read_file(from, into, room);
    memcpy(into, from->raw + from->at, size);
    from->at += size;
    return (ptrdiff_t)size;
}

/* Zeros may follow a member: tapes (gzip) and alignment (xz) need them. */
static void skip_padding(input_stream *from)
{
    while (from->format->padding != 0 && from->at < from->held &&
           from->raw[from->at] == 0) {
        from->at++;
        from->zeros++;
    }
}

static ptrdiff_t begin_member(input_stream *from)
{
    skip_padding(from);
    size_t left = from->held - from->at;
    if (left == 0 && !from->is_read_whole) {
        from->wants_raw = true;
        return INPUT_AGAIN;
    }
    unsigned padding = from->format->padding;
    if (padding != 0 && from->zeros % padding != 0)
        return fail(from, INPUT_IS_DAMAGED);
    if (left == 0)
        return 0;
    if (from->format->match(from->raw + from->at, left) == INPUT_NO)
        return fail(from, INPUT_HAS_MORE_BEHIND);
    from->zeros = 0;
    if (from->format->restart(from->decoder) != 0)
        return fail(from, ENOMEM);
    from->state = INPUT_IN_MEMBER;
    return INPUT_AGAIN;
}

/* After a step that returned `result` and left `piece`. */
static int judge(input_stream *from, const input_piece *piece, bool has_moved,
                 int result)
{
    if (result == INPUT_MEMBER_ENDED) {
        from->state = INPUT_AFTER_MEMBER;
        return 0;
    }
    if (result != 0)
        return result;
    if (piece->in_bytes > 0)
        return has_moved ? 0 : INPUT_IS_DAMAGED;
    if (piece->out_bytes == 0)
        return 0; /* the decoder may hold more */
    from->wants_raw = true;
    return from->is_read_whole && !has_moved ? INPUT_IS_CUT : 0;
}

static ptrdiff_t decompress(input_stream *from, char *into, size_t room)
{
    size_t left = from->held - from->at;
    input_piece piece = {from->raw + from->at, left, (uint8_t *)into, room};
    int result = from->format->step(from->decoder, &piece);
    size_t given = room - piece.out_bytes;
    from->at = from->held - piece.in_bytes;
    from->later_error =
        judge(from, &piece, given > 0 || piece.in_bytes < left, result);
    from->has_given = from->has_given || given > 0;
    if (given > 0)
        return (ptrdiff_t)given;
    return from->later_error == 0 ? INPUT_AGAIN : fail(from, from->later_error);
}

static ptrdiff_t give(input_stream *from, char *into, size_t room)
{
    switch (from->state) {
    case INPUT_BEGINS:
        return recognise(from);
    case INPUT_PLAIN:
        return give_plain(from, into, room);
    case INPUT_IN_MEMBER:
        return decompress(from, into, room);
    default:
        return begin_member(from);
    }
}

ptrdiff_t input_read(input_stream *from, char *into, size_t room)
{
    bool may_read = !input_is_ready(from);
    if (from->later_error != 0)
        return fail(from, from->later_error);
    for (;;) {
        bool has_to_read = from->wants_raw && !from->is_read_whole;
        if (has_to_read && !may_read)
            return INPUT_AGAIN;
        if (has_to_read && refill(from) != 0)
            return -1;
        may_read = false;
        ptrdiff_t got = give(from, into, room);
        if (got != INPUT_AGAIN)
            return got;
    }
}

/* ---- errors in words ---- */

static void describe_content(const input_stream *from, int error, char *text,
                             size_t room)
{
    const char *name = from->format->name;
    unsigned long long at = input_used_bytes(from);
    if (error == INPUT_IS_CUT)
        (void)snprintf(text, room, "its %s data is cut off at byte %llu", name,
                       at);
    else if (error == INPUT_HAS_MORE_BEHIND)
        (void)snprintf(text, room,
                       "what follows its %s data at byte %llu is not %s", name,
                       at, name);
    else
        (void)snprintf(
            text, room, "its %s data is damaged near byte %llu%s", name, at,
            from->has_given ? "" : "; --no-decompress reads it as plain text");
}

bool input_describe(const input_stream *from, int error, char *text,
                    size_t room)
{
    const input_format *format = from->format;
    switch (error) {
    case INPUT_IS_NOT_COMPRESSED:
        (void)snprintf(text, room,
                       "is not compressed by gzip, zstd or xz; leave out -z");
        return true;
    case INPUT_NEEDS_LIBRARY:
        (void)snprintf(text, room,
                       "is compressed by %s, and this seenset was built "
                       "without %s (Debian: %s); pipe it through '%s'",
                       format->name, format->library, format->package,
                       format->tool);
        return true;
    case INPUT_IS_TOO_WIDE:
        (void)snprintf(text, room,
                       "its %s data needs over %llu MiB of memory to be "
                       "decompressed; pipe it through '%s'",
                       format->name,
                       (unsigned long long)(INPUT_WINDOW_BYTES >> 20),
                       format->tool);
        return true;
    case INPUT_IS_DAMAGED:
    case INPUT_IS_CUT:
    case INPUT_HAS_MORE_BEHIND:
        describe_content(from, error, text, room);
        return true;
    default:
        return false;
    }
}
