/*
 * nowhere.c - there are no files.
 *
 * Texts are written into memory by stdio, which asks a system to write, seek
 * and close for other streams. These answer in its place, so the module asks
 * the host for nothing more than that of sets.
 */
#include <wasi/api.h>

__wasi_errno_t __wasi_fd_close(__wasi_fd_t file)
{
    (void)file;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t file, __wasi_filedelta_t by,
                              __wasi_whence_t from, __wasi_filesize_t *place)
{
    (void)file, (void)by, (void)from, (void)place;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t file, const __wasi_ciovec_t *pieces,
                               size_t count, __wasi_size_t *bytes)
{
    (void)file, (void)pieces, (void)count, (void)bytes;
    return __WASI_ERRNO_BADF;
}
