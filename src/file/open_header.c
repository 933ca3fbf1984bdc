/* open_header.c - a set's file is opened and its header decoded */
#include "file/header/fields.h"
#include "file/open_parts.h"

/* Reads the header, the fixed part first, which has the length of the rest;
 * what follows it at fd are the payloads. */
static ssize_t read_header(const ss_io *io, int fd,
                           uint8_t bytes[SS_HEADER_MAX_BYTES])
{
    ssize_t got = ss_io_read_all(io, fd, bytes, SS_HEADER_FIXED_BYTES);
    if (got < SS_HEADER_FIXED_BYTES)
        return got;
    ssize_t more = ss_io_read_all(io, fd, bytes + got,
                                  ss_header_claimed_bytes(bytes) - (size_t)got);
    return more < 0 ? more : got + more;
}

static int decode_opened(const ss_io *io, int fd, ss_header *header,
                         seenset_file_report *report)
{
    uint8_t bytes[SS_HEADER_MAX_BYTES];
    uint64_t file_bytes;
    bool is_file;
    if (!ss_io_measure(io, fd, &is_file, &file_bytes))
        return ss_header_refuse_errno(report, 0);
    if (!is_file)
        return ss_header_refuse(report, SEENSET_EFORMAT, 0,
                                "not a regular file");
    ssize_t got = read_header(io, fd, bytes);
    if (got < 0)
        return ss_header_refuse_errno(report, 0);
    return ss_header_decode(header, bytes, (size_t)got, file_bytes, report);
}

int ss_file_open(const ss_io *io, const char *path, int *fd, ss_header *header,
                 seenset_file_report *report)
{
    *report = (seenset_file_report){0};
    *fd = ss_io_open_to_read(io, path);
    if (*fd < 0)
        return ss_header_refuse_errno(report, 0);
    int error = decode_opened(io, *fd, header, report);
    if (error != SEENSET_OK)
        ss_io_close_quietly(io, *fd);
    return error;
}
