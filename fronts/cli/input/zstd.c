/*
 * zstd.c - a frame of zstd, by libzstd, which also checks its checksum.
 *
 * A frame may ask for any window up to 2 GiB. Over INPUT_WINDOW_BYTES it is
 * refused before memory is taken.
 */
#include <errno.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "input/format.h"
#include "input/input.h"

static void *open_zstd(void)
{
    ZSTD_DCtx *decoder = ZSTD_createDCtx();
    if (decoder == NULL)
        return NULL;
    size_t result =
        ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, INPUT_WINDOW_LOG);
    if (!ZSTD_isError(result))
        return decoder;
    (void)ZSTD_freeDCtx(decoder);
    return NULL;
}

static int error_of(size_t result)
{
    if (!ZSTD_isError(result))
        return result == 0 ? INPUT_MEMBER_ENDED : 0;
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_frameParameter_windowTooLarge:
        return INPUT_IS_TOO_WIDE;
    case ZSTD_error_memory_allocation:
        return ENOMEM;
    default:
        return INPUT_IS_DAMAGED;
    }
}

static int step_zstd(void *decoder, input_piece *piece)
{
    ZSTD_inBuffer in = {piece->in, piece->in_bytes, 0};
    ZSTD_outBuffer out = {piece->out, piece->out_bytes, 0};
    size_t result = ZSTD_decompressStream(decoder, &out, &in);
    piece->in += in.pos;
    piece->in_bytes -= in.pos;
    piece->out += out.pos;
    piece->out_bytes -= out.pos;
    return error_of(result);
}

/* The next frame may begin at once. */
static int restart_zstd(void *decoder)
{
    (void)ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only);
    return 0;
}

static void close_zstd(void *decoder)
{
    (void)ZSTD_freeDCtx(decoder);
}

const input_format input_zstd = {INPUT_ZSTD_FACTS, .open = open_zstd,
                                 .step = step_zstd, .restart = restart_zstd,
                                 .close = close_zstd};
