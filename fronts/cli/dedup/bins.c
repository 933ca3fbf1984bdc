/*
 * bins.c - see bins.h.
 */
#define _GNU_SOURCE /* pread */
#include "dedup/bins.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/temporary.h"

int bins_init(bins *all, size_t record_bytes)
{
    *all = (bins){.fd = temporary_open(),
                  .record_bytes = record_bytes,
                  .room = (BINS_CHUNK_BYTES - sizeof(uint64_t)) / record_bytes};
    if (all->fd < 0)
        return -1;
    all->memory = malloc(BINS_COUNT * BINS_STRIDE);
    return all->memory != NULL ? 0 : -1;
}

void bins_free(bins *all)
{
    if (all->record_bytes != 0 && all->fd >= 0)
        (void)close(all->fd);
    free(all->memory);
    *all = (bins){0};
}

int bins_write(bins *all, unsigned bin)
{
    unsigned char *chunk = all->memory + bin * BINS_STRIDE;
    memcpy(chunk, &all->last[bin], sizeof all->last[bin]);
    for (size_t done = 0; done < BINS_CHUNK_BYTES;) {
        ssize_t wrote = write(all->fd, chunk + done, BINS_CHUNK_BYTES - done);
        if (wrote < 0 && errno != EINTR)
            return -1;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    all->last[bin] = ++all->chunks;
    all->written[bin] += all->room;
    all->used[bin] = 0;
    return 0;
}

/* Reads chunk `number`. Returns 0, or -1 and errno. */
static int read_chunk(const bins *all, uint64_t number, unsigned char *chunk)
{
    off_t start = (off_t)((number - 1) * BINS_CHUNK_BYTES);
    for (size_t done = 0; done < BINS_CHUNK_BYTES;) {
        ssize_t got = pread(all->fd, chunk + done, BINS_CHUNK_BYTES - done,
                            start + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got == 0 ? EIO : errno;
            return -1;
        }
        done += (size_t)got;
    }
    return 0;
}

int bins_visit(const bins *all, unsigned bin, void *chunk,
               bins_visitor *visitor, void *context)
{
    const unsigned char *memory = all->memory + bin * BINS_STRIDE;
    const unsigned char *records = (unsigned char *)chunk + sizeof(uint64_t);
    int result = 0;
    if (all->used[bin] > 0)
        result = visitor(context, memory + sizeof(uint64_t), all->used[bin]);
    for (uint64_t next = all->last[bin]; result == 0 && next > 0;) {
        if (read_chunk(all, next, chunk) != 0)
            return -1;
        memcpy(&next, chunk, sizeof next);
        result = visitor(context, records, all->room);
    }
    return result;
}
