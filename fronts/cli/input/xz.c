/*
 * xz.c - a stream of xz, by liblzma, which also checks its sums and its index.
 *
 * A stream may ask for a dictionary of any size up to 4 GiB. One that needs
 * more than INPUT_WINDOW_BYTES is refused before memory is taken.
 */
#include <errno.h>
#include <stdlib.h>

#include <lzma.h>

#include "input/format.h"
#include "input/input.h"

/* The dictionary, and what liblzma needs besides. */
#define MEMORY_LIMIT (INPUT_WINDOW_BYTES + (UINT64_C(1) << 20))

static int start(lzma_stream *stream)
{
    return lzma_stream_decoder(stream, MEMORY_LIMIT, 0) == LZMA_OK ? 0 : ENOMEM;
}

static void *open_xz(void)
{
    static const lzma_stream empty = LZMA_STREAM_INIT;
    lzma_stream *stream = malloc(sizeof *stream);
    if (stream == NULL)
        return NULL;
    *stream = empty;
    if (start(stream) == 0)
        return stream;
    free(stream);
    return NULL;
}

static int error_of(lzma_ret result)
{
    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: /* one of the two pieces is used up */
        return 0;
    case LZMA_STREAM_END:
        return INPUT_MEMBER_ENDED;
    case LZMA_MEM_ERROR:
        return ENOMEM;
    case LZMA_MEMLIMIT_ERROR:
        return INPUT_IS_TOO_WIDE;
    default:
        return INPUT_IS_DAMAGED;
    }
}

static int step_xz(void *decoder, input_piece *piece)
{
    lzma_stream *stream = decoder;
    stream->next_in = piece->in;
    stream->avail_in = piece->in_bytes;
    stream->next_out = piece->out;
    stream->avail_out = piece->out_bytes;
    lzma_ret result = lzma_code(stream, LZMA_RUN);
    piece->in = stream->next_in;
    piece->in_bytes = stream->avail_in;
    piece->out = stream->next_out;
    piece->out_bytes = stream->avail_out;
    return error_of(result);
}

static int restart_xz(void *decoder)
{
    return start(decoder);
}

static void close_xz(void *decoder)
{
    lzma_end(decoder);
    free(decoder);
}

const input_format input_xz = {INPUT_XZ_FACTS, .open = open_xz, .step = step_xz,
                               .restart = restart_xz, .close = close_xz};
