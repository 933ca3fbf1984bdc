/*
 * gzip.c - a member of gzip, by zlib, which also checks its CRC and length.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include <zlib.h>

#include "input/format.h"
#include "input/input.h"

#define GZIP_ONLY (MAX_WBITS + 16)

static void *open_gzip(void)
{
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream != NULL && inflateInit2(stream, GZIP_ONLY) == Z_OK)
        return stream;
    free(stream);
    return NULL;
}

static uInt at_most(size_t bytes)
{
    return bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
}

static int error_of(int result)
{
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: /* one of the two pieces is used up */
        return 0;
    case Z_STREAM_END:
        return INPUT_MEMBER_ENDED;
    case Z_MEM_ERROR:
        return ENOMEM;
    default:
        return INPUT_IS_DAMAGED;
    }
}

static int step_gzip(void *decoder, input_piece *piece)
{
    z_stream *stream = decoder;
    stream->next_in = (Bytef *)piece->in; /* which zlib does not write to */
    stream->avail_in = at_most(piece->in_bytes);
    stream->next_out = piece->out;
    stream->avail_out = at_most(piece->out_bytes);
    int result = inflate(stream, Z_NO_FLUSH);
    piece->in_bytes -= (size_t)(stream->next_in - piece->in);
    piece->out_bytes -= (size_t)(stream->next_out - piece->out);
    piece->in = stream->next_in;
    piece->out = stream->next_out;
    return error_of(result);
}

static int restart_gzip(void *decoder)
{
    return inflateReset(decoder) == Z_OK ? 0 : ENOMEM;
}

static void close_gzip(void *decoder)
{
    (void)inflateEnd(decoder);
    free(decoder);
}

const input_format input_gzip = {INPUT_GZIP_FACTS, .open = open_gzip,
                                 .step = step_gzip, .restart = restart_gzip,
                                 .close = close_gzip};
