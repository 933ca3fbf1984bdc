/*
 * exact.h - a set of URLs that makes no mistakes: the URLs themselves.
 *
 * For small crawls, and to see what a filter saves: it takes the bytes of each
 * URL, 4 more, and 24 to 48 for its slot in a table. A URL is found by its hash
 * (open addressing, at most two thirds full) and then compared byte by byte, so
 * no new URL is ever reported as seen. The hash is the caller's; it should be
 * keyed, as whoever chooses URLs could otherwise make them collide and the
 * table slow.
 *
 * URLs are kept in chunks, one after the other, and never move. A file of the
 * set has each chunk as a block with a checksum:
 *
 *     set-<position>, little-endian
 *      0  magic "SEENURL\1"         24  URLs (8)
 *      8  log id (4)                32  blocks (8)
 *     12  zero (4)                  40  zero (4)
 *     16  position (8)              44  crc32c of bytes 0..43 (4)
 *     48  blocks: bytes (4), crc32c of them (4), then URL after URL,
 *         each its length (4) and its bytes
 */
#ifndef SS_SEEN_EXACT_H
#define SS_SEEN_EXACT_H

#include <stdbool.h>

#include "base/io.h"
#include "base/memory.h"
#include "hash/key_hash.h"
#include "seen/pushed.h"

typedef struct ss_exact_chunk {
    struct ss_exact_chunk *next;
    size_t used, room; /* of the bytes that follow */
} ss_exact_chunk;

typedef struct ss_exact_slot {
    uint64_t hash;
    const uint8_t *url; /* its length (4) and its bytes; NULL: empty */
} ss_exact_slot;

typedef struct ss_exact {
    const ss_memory *memory;
    ss_exact_slot *slots;
    size_t slot_count;
    uint64_t count; /* URLs */
    ss_exact_chunk *first, *last;
    uint64_t chunk_count, chunk_bytes; /* bytes: of memory */
} ss_exact;

void ss_exact_init(ss_exact *exact, const ss_memory *memory);
void ss_exact_free(ss_exact *exact);

bool ss_exact_has(const ss_exact *exact, const ss_pushed *url);

/* 1 (new), 0 (seen) or SEENSET_ENOMEM, after which nothing has changed. */
int ss_exact_add(ss_exact *exact, const ss_pushed *url);

/* Shows every URL, in the order in which they came, until `visit` returns
 * anything but 0, which is returned. */
typedef int ss_exact_visitor(void *context, const uint8_t *url, size_t url_len);
int ss_exact_visit(const ss_exact *exact, ss_exact_visitor *visit,
                   void *context);

uint64_t ss_exact_memory_bytes(const ss_exact *exact);

/* ---- its file: exact_file.c ---- */

enum {
    SS_EXACT_LENGTH_BYTES = 4 /* before each URL */
};

static inline uint8_t *ss_exact_bytes(const ss_exact_chunk *chunk)
{
    return (uint8_t *)(chunk + 1);
}

/* A chunk more, empty, with so much room. NULL: no memory. */
ss_exact_chunk *ss_exact_add_chunk(ss_exact *exact, size_t room);

/* Adds a URL whose bytes are in a chunk already. As ss_exact_add. */
int ss_exact_take(ss_exact *exact, const ss_pushed *url, const uint8_t *stored);

/* Which file a set belongs to, and what its URLs are hashed with. */
typedef struct ss_exact_file {
    uint32_t log_id;
    uint64_t position;
    const ss_key_hash *identity;
} ss_exact_file;

/* The bytes of a file to a descriptor, and nothing else. False and errno. */
bool ss_exact_write(const ss_exact *exact, const ss_io *io, int fd,
                    const ss_exact_file *file);

/*
 * Reads a file into a set, which is empty. Returns 0; SEENSET_EIO;
 * SEENSET_ENOMEM; or SEENSET_ECORRUPT: *offset and *reason say what is wrong.
 * After an error the set is empty.
 */
int ss_exact_read(ss_exact *exact, const ss_io *io, int fd,
                  const ss_exact_file *file, uint64_t *offset,
                  const char **reason);

#endif
