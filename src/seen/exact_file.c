/* exact_file.c - a set of URLs to a file and back; exact.h has the bytes */
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "log/record.h"
#include "seen/exact.h"

enum {
    HEADER_BYTES = 48,
    AT_ZERO = 40,
    HEADER_CRC_AT = 44,
    BLOCK_HEADER_BYTES = 8,
    /* a chunk has one URL, or is of the size that exact.c gives it */
    MAX_BLOCK_BYTES = SS_EXACT_LENGTH_BYTES + SS_PAYLOAD_MAX
};

static const uint8_t magic[8] = {'S', 'E', 'E', 'N', 'U', 'R', 'L', 1};

/* ---- writing ---- */

static uint64_t block_count(const ss_exact *exact)
{
    uint64_t count = 0;
    for (const ss_exact_chunk *chunk = exact->first; chunk != NULL;
         chunk = chunk->next)
        count += chunk->used > 0;
    return count;
}

static void encode_header(const ss_exact *exact, const ss_exact_file *file,
                          uint8_t bytes[HEADER_BYTES])
{
    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes, magic, sizeof magic);
    ss_bits_store(bytes + 8, 4, file->log_id);
    ss_bits_store(bytes + 16, 8, file->position);
    ss_bits_store(bytes + 24, 8, exact->count);
    ss_bits_store(bytes + 32, 8, block_count(exact));
    ss_bits_store(bytes + HEADER_CRC_AT, 4, ss_crc32c(bytes, HEADER_CRC_AT));
}

static bool write_block(const ss_io *io, int fd, const ss_exact_chunk *chunk)
{
    uint8_t header[BLOCK_HEADER_BYTES];
    const uint8_t *bytes = ss_exact_bytes(chunk);
    ss_bits_store(header, 4, chunk->used);
    ss_bits_store(header + 4, 4, ss_crc32c(bytes, chunk->used));
    return ss_io_write_all(io, fd, header, sizeof header) &&
           ss_io_write_all(io, fd, bytes, chunk->used);
}

bool ss_exact_write(const ss_exact *exact, const ss_io *io, int fd,
                    const ss_exact_file *file)
{
    uint8_t header[HEADER_BYTES];
    encode_header(exact, file, header);
    bool is_written = ss_io_write_all(io, fd, header, sizeof header);
    for (const ss_exact_chunk *chunk = exact->first;
         is_written && chunk != NULL; chunk = chunk->next)
        is_written = chunk->used == 0 || write_block(io, fd, chunk);
    return is_written;
}

/* ---- reading ---- */

typedef struct reading {
    ss_exact *exact;
    const ss_io *io;
    int fd;
    const ss_key_hash *identity;
    uint64_t at; /* bytes that were read */
    const char *reason;
} reading;

static int refuse(reading *from, const char *reason)
{
    from->reason = reason;
    return SEENSET_ECORRUPT;
}

/* The next bytes of the file, all of them. */
static int read_bytes(reading *from, void *bytes, size_t size_bytes)
{
    ssize_t got =
        ss_io_pread_all(from->io, from->fd, bytes, size_bytes, from->at);
    if (got < 0)
        return SEENSET_EIO;
    if ((size_t)got < size_bytes)
        return refuse(from, "the file ends too early");
    from->at += size_bytes;
    return SEENSET_OK;
}

static int read_header(reading *from, const ss_exact_file *file,
                       uint64_t *url_count, uint64_t *blocks)
{
    uint8_t bytes[HEADER_BYTES];
    int error = read_bytes(from, bytes, sizeof bytes);
    if (error != SEENSET_OK)
        return error;
    from->at = 0;
    if (memcmp(bytes, magic, sizeof magic) != 0 ||
        ss_bits_load(bytes + AT_ZERO, 4) != 0 ||
        ss_bits_load(bytes + HEADER_CRC_AT, 4) !=
            ss_crc32c(bytes, HEADER_CRC_AT))
        return refuse(from, "not the header of a set of URLs");
    if (ss_bits_load(bytes + 8, 8) != file->log_id ||
        ss_bits_load(bytes + 16, 8) != file->position)
        return refuse(from, "the set is of another queue or position");
    from->at = sizeof bytes;
    *url_count = ss_bits_load(bytes + 24, 8);
    *blocks = ss_bits_load(bytes + 32, 8);
    return SEENSET_OK;
}

/* Takes the URLs of a chunk into the table. */
static int take_urls(reading *from, const ss_exact_chunk *chunk)
{
    const uint8_t *next = ss_exact_bytes(chunk), *end = next + chunk->used;
    int taken = 1;
    while (taken == 1 && next < end) {
        size_t left = (size_t)(end - next);
        uint64_t length = left < SS_EXACT_LENGTH_BYTES
                              ? UINT64_MAX
                              : ss_bits_load(next, SS_EXACT_LENGTH_BYTES);
        if (length > left - SS_EXACT_LENGTH_BYTES ||
            left < SS_EXACT_LENGTH_BYTES)
            return refuse(from, "a URL is longer than its block");
        const uint8_t *url = next + SS_EXACT_LENGTH_BYTES;
        const ss_pushed pushed = {
            .hash = ss_key_hash_of(from->identity, url, (size_t)length),
            .url = url,
            .url_len = (size_t)length};
        taken = ss_exact_take(from->exact, &pushed, next);
        next = url + length;
    }
    if (taken < 0)
        return taken;
    return taken == 1 ? SEENSET_OK : refuse(from, "a URL is there twice");
}

static int read_block(reading *from)
{
    uint8_t header[BLOCK_HEADER_BYTES];
    uint64_t start = from->at;
    int error = read_bytes(from, header, sizeof header);
    if (error != SEENSET_OK)
        return error;
    uint64_t size_bytes = ss_bits_load(header, 4);
    if (size_bytes == 0 || size_bytes > MAX_BLOCK_BYTES)
        return refuse(from, "no block has this length");
    ss_exact_chunk *chunk = ss_exact_add_chunk(from->exact, (size_t)size_bytes);
    if (chunk == NULL)
        return SEENSET_ENOMEM;
    error = read_bytes(from, ss_exact_bytes(chunk), (size_t)size_bytes);
    if (error != SEENSET_OK)
        return error;
    chunk->used = (size_t)size_bytes;
    from->at = start;
    if (ss_crc32c(ss_exact_bytes(chunk), chunk->used) !=
        ss_bits_load(header + 4, 4))
        return refuse(from, "the checksum of a block is wrong");
    error = take_urls(from, chunk);
    if (error == SEENSET_OK)
        from->at = start + sizeof header + size_bytes;
    return error;
}

/* Is the file as long as what was read of it? */
static int check_end(reading *from, uint64_t url_count)
{
    struct stat status;
    if (from->io->status(from->io->context, from->fd, &status) != 0)
        return SEENSET_EIO;
    if (from->exact->count != url_count)
        return refuse(from, "the number of URLs is wrong");
    return (uint64_t)status.st_size == from->at
               ? SEENSET_OK
               : refuse(from, "bytes follow the end of the set");
}

int ss_exact_read(ss_exact *exact, const ss_io *io, int fd,
                  const ss_exact_file *file, uint64_t *offset,
                  const char **reason)
{
    reading from = {
        .exact = exact, .io = io, .fd = fd, .identity = file->identity};
    uint64_t url_count = 0, blocks = 0;
    int error = read_header(&from, file, &url_count, &blocks);
    for (uint64_t i = 0; i < blocks && error == SEENSET_OK; i++)
        error = read_block(&from);
    if (error == SEENSET_OK)
        error = check_end(&from, url_count);
    if (error == SEENSET_OK)
        return error;
    ss_exact_free(exact);
    if (error == SEENSET_ECORRUPT) {
        *offset = from.at;
        *reason = from.reason;
    }
    return error;
}
