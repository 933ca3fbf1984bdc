/* path.c - a file of another system at a path: mapped, and saved */
#include <errno.h>

#include "base/io.h"
#include "base/map.h"
#include "file/file.h"
#include "file/header/header.h"
#include "foreign/foreign.h"

/* *bytes becomes the mapping of the whole file. */
static int map_file(const char *path, void **bytes, size_t *size_bytes,
                    seenset_file_report *report)
{
    bool is_file = false;
    int fd = ss_io_open_to_read(&ss_io_system, path);
    if (fd < 0)
        return ss_header_refuse_errno(report, 0);
    int error = SEENSET_OK;
    if (!ss_io_measure(&ss_io_system, fd, &is_file, &report->file_bytes))
        error = ss_header_refuse_errno(report, 0);
    else if (!is_file || report->file_bytes == 0)
        error = ss_header_refuse(report, SEENSET_EFORMAT, 0,
                                 is_file ? "the file is empty" : "not a file");
    else if (report->file_bytes > PTRDIFF_MAX)
        error = ss_header_refuse(report, SEENSET_ENOMEM, 0,
                                 "larger than a program can map");
    *size_bytes = (size_t)report->file_bytes;
    if (error == SEENSET_OK && (*bytes = ss_map_file(fd, *size_bytes)) == NULL)
        error = ss_header_refuse_errno(report, 0);
    ss_io_close_quietly(&ss_io_system, fd);
    return error;
}

int seenset_foreign_open(seenset_foreign **out, const char *path,
                         const seenset_open_options *options)
{
    seenset_file_report own, *report = &own;
    void *bytes = NULL;
    size_t size_bytes = 0;
    int error = ss_foreign_begin(out, path, 0, options, &report);
    if (error == SEENSET_OK)
        error = map_file(path, &bytes, &size_bytes, report);
    if (error != SEENSET_OK)
        return error;
    error = ss_foreign_make(out, bytes, size_bytes, options, report);
    if (error != SEENSET_OK) {
        ss_map_end(bytes, size_bytes);
        return error;
    }
    (*out)->mapping = bytes;
    (*out)->mapping_bytes = size_bytes;
    return SEENSET_OK;
}

int seenset_foreign_save(const seenset_foreign *like, const seenset *set,
                         const char *path)
{
    size_t size_bytes = 0;
    if (path == NULL)
        return SEENSET_EINVAL;
    int error = seenset_foreign_write_bytes(like, set, NULL, &size_bytes);
    if (error != SEENSET_ESPACE)
        return error;
    ss_memory memory = like->memory;
    uint8_t *bytes = ss_memory_alloc(&memory, size_bytes, 1);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    size_t written = size_bytes;
    error = seenset_foreign_write_bytes(like, set, bytes, &written);
    if (error == SEENSET_OK)
        error = ss_file_save_bytes(&ss_io_system, bytes, written, path);
    int kept = errno;
    ss_memory_free(&memory, bytes, size_bytes, 1);
    errno = kept;
    return error;
}
