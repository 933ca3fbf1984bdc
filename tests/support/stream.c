/* stream.c - see stream.h */
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool fails(test_stream *stream, size_t size_bytes)
{
    if (size_bytes > stream->most_bytes)
        stream->most_bytes = size_bytes;
    if (++stream->calls != stream->failing)
        return false;
    errno = EPIPE;
    return true;
}

int test_stream_write(void *context, const void *bytes, size_t size_bytes)
{
    test_stream *stream = context;
    if (fails(stream, size_bytes))
        return -1;
    while (stream->room_bytes - stream->size_bytes < size_bytes) {
        stream->room_bytes = 2 * stream->room_bytes + 4096;
        stream->bytes = realloc(stream->bytes, stream->room_bytes);
        if (stream->bytes == NULL)
            abort();
    }
    memcpy(stream->bytes + stream->size_bytes, bytes, size_bytes);
    stream->size_bytes += size_bytes;
    return 0;
}

int64_t test_stream_read(void *context, void *bytes, size_t size_bytes)
{
    test_stream *stream = context;
    if (fails(stream, size_bytes))
        return -1;
    size_t left = stream->size_bytes - stream->at;
    size_t count = left < size_bytes ? left : size_bytes;
    if (stream->piece_bytes > 0 && count > stream->piece_bytes)
        count = stream->piece_bytes;
    if (count > 0)
        memcpy(bytes, stream->bytes + stream->at, count);
    stream->at += count;
    return (int64_t)count;
}

void test_stream_free(test_stream *stream)
{
    free(stream->bytes);
    *stream = (test_stream){0};
}
