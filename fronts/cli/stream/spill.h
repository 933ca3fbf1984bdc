/*
 * spill.h - one line that is too long for memory.
 *
 * As its bytes are read they go to a file without a name and into a running
 * XXH3, whose result is the hash of the whole line. So a set that knows keys by
 * their hashes is asked although the line is nowhere in memory; if the line is
 * to be printed, it is copied from the file piece by piece. If the bytes will
 * not be needed, there is no file.
 *
 * A keyed set, or one with an index scheme, needs the key itself. Then the file
 * is mapped: its pages count as used memory, but the kernel can reclaim them.
 *
 * The file is in system/temporary.h's folder: $TMPDIR, or /var/tmp (which,
 * unlike /tmp on many systems, is on a disk), or /tmp.
 */
#ifndef SPILL_H
#define SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spill spill;

/* An empty line. wants_bytes: keep the bytes, not only the hash. NULL and errno
 * on error. */
spill *spill_new(bool wants_bytes);
void spill_free(spill *line); /* takes NULL too */

/* Adds bytes to the line. Returns 0, or -1 and errno. */
int spill_add(spill *line, const char *data, size_t size);

/* Ends the line with its separator. Returns as spill_add. */
int spill_end(spill *line, char separator);

/* The length and the hash of a line that ended, without its separator. */
uint64_t spill_bytes(const spill *line);
uint64_t spill_hash(const spill *line);

/* Reads up to `size` bytes of the line and its separator, from `offset` on.
 * Returns how many, 0 at the end, or -1 and errno. */
ptrdiff_t spill_read(const spill *line, uint64_t offset, char *into,
                     size_t size);

/* The line and its separator, valid until spill_free, and SPILL_SLACK bytes
 * that may be read after them. NULL and errno on error. */
#define SPILL_SLACK ((size_t)64)
const char *spill_map(spill *line);

#endif
