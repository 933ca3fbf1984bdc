/*
 * bins.h - any number of small records, in 128 bins, in memory that is fixed.
 *
 * A bin is filled in memory; when it is full it goes to the end of a file, as a
 * chunk that names the chunk of the same bin before it:
 *
 *     file:  | bin 7, first | bin 0, first | bin 7, after chunk 0 | ...
 *
 * So a bin is read from its last chunk to its first, and nothing in memory
 * follows the length of the file. What fits in memory never reaches it. The
 * file has no name (system/temporary.h): however the command ends, it is gone.
 *
 * Records by their hash in 128 bins are as good as sorted for comparing two
 * lists: a bin of one is compared with the same bin of the other.
 */
#ifndef BINS_H
#define BINS_H

#include <stddef.h>
#include <stdint.h>

#define BINS_COUNT 128u
#define BINS_CHUNK_BYTES ((size_t)64 * 1024)
/* From bin to bin in memory: all are about as full, and would share a few sets
 * of the processor's cache. */
#define BINS_STRIDE (BINS_CHUNK_BYTES + (size_t)576)

typedef struct bins {
    int fd;
    size_t record_bytes; /* a multiple of 8 */
    size_t room;         /* records in a chunk */
    uint64_t chunks;     /* in the file */
    unsigned char *memory;
    size_t used[BINS_COUNT];   /* records in memory */
    uint64_t last[BINS_COUNT]; /* the number of its last chunk, from 1; or 0 */
    uint64_t written[BINS_COUNT]; /* records in the file */
} bins;

/* Starts with none. Returns 0, or -1 and errno. bins_free may follow either,
 * and takes all 0. */
int bins_init(bins *all, size_t record_bytes);
void bins_free(bins *all);

/* Writes the records of a bin that are in memory. Returns 0, or -1 and
 * errno. */
int bins_write(bins *all, unsigned bin);

/* Where the next record of this bin belongs: the caller writes it there. NULL
 * and errno if what came before cannot be written. */
static inline void *bins_place(bins *all, unsigned bin)
{
    if (all->used[bin] == all->room && bins_write(all, bin) != 0)
        return NULL;
    unsigned char *chunk = all->memory + bin * BINS_STRIDE;
    return chunk + sizeof(uint64_t) + all->record_bytes * all->used[bin]++;
}

/* The records of a bin. */
static inline uint64_t bins_count(const bins *all, unsigned bin)
{
    return all->written[bin] + all->used[bin];
}

/* Is called with some records; not 0 ends the visit. */
typedef int bins_visitor(void *context, const void *records, size_t count);

/* Shows all records of a bin, the latest chunk first. chunk: room for
 * BINS_CHUNK_BYTES, as of uint64_t. Returns 0, what the visitor returned, or -1
 * and errno. */
int bins_visit(const bins *all, unsigned bin, void *chunk,
               bins_visitor *visitor, void *context);

#endif
