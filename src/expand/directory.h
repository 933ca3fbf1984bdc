/*
 * directory.h - from a hash to its segment's entry.
 *
 * Two levels. A chunk is an array of entries, one for each value of some bits
 * of a hash; it doubles until it has 256 entries, 16 KiB, and from then on it
 * parts in two. The top is an array of chunks by the hash's first bits. So an
 * add never doubles more than one chunk and the small top, however large the
 * table is (extendible hashing, Fagin et al. 1979, of two levels).
 *
 * A segment whose prefix is shorter than its chunk's has several entries, all
 * the same.
 */
#ifndef SS_EXPAND_DIRECTORY_H
#define SS_EXPAND_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "expand/entry.h"

/* A chunk: entry (h << skip) >> shift. */
typedef struct ss_chunk {
    ss_entry *entries;
    uint32_t skip;
    uint32_t shift;
} ss_chunk;

typedef struct ss_directory {
    const ss_memory *memory;
    ss_chunk *top;
    uint32_t top_bits;
    uint64_t chunk_bytes; /* of all chunks */
} ss_directory;

/* A directory whose two entries are copies of `entry`; false: no memory. */
bool ss_directory_init(ss_directory *directory, const ss_memory *memory,
                       const ss_entry *entry);
void ss_directory_end(ss_directory *directory);

/* Makes entries of `depth` bits possible at a hash. False: no memory; every
 * hash still finds what it found. */
bool ss_directory_ensure(ss_directory *directory, uint64_t hash,
                         uint32_t depth);

/* Sets the entries of all hashes that share the upper `depth` bits of one;
 * only after ss_directory_ensure. */
void ss_directory_publish(ss_directory *directory, uint64_t hash,
                          uint32_t depth, const ss_entry *entry);

uint64_t ss_directory_bytes(const ss_directory *directory);

static inline const ss_chunk *ss_directory_chunk(const ss_directory *directory,
                                                 uint64_t hash)
{
    const ss_chunk *top = directory->top;
    if (directory->top_bits == 0)
        return top; /* foretold: what is read of it waits for no hash */
    return &top[hash >> (64 - directory->top_bits)];
}

static inline const ss_entry *ss_directory_find(const ss_directory *directory,
                                                uint64_t hash)
{
    const ss_chunk *chunk = ss_directory_chunk(directory, hash);
    return &chunk->entries[hash << chunk->skip >> chunk->shift];
}

#endif
