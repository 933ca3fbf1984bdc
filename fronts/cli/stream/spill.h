/*
 * spill.h - one line that is too long for memory.
 *
 * Its bytes go to a file without a name as they are read, and through XXH3 on
 * the way, whose streamed hash is that of the whole. So a set that knows keys
 * by their hashes is asked without the line being anywhere in memory, and if
 * the line is to be printed it is copied from the file, piece by piece. Where
 * nobody will want the bytes there is no file either.
 *
 * A keyed set, or one with an index scheme, must be given the key itself: then
 * the file is mapped. Its pages count as used, but the kernel may take them
 * back at any time.
 *
 * The file is in $TMPDIR, else in /var/tmp (which, unlike /tmp on many
 * systems, is a disk), else in /tmp.
 */
#ifndef SPILL_H
#define SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spill spill;

/* An empty one; wants_bytes: not only the hash. NULL: errno. */
spill *spill_new(bool wants_bytes);
void spill_free(spill *line); /* takes NULL too */

/* Adds bytes to the line. Returns 0, or -1 and errno. */
int spill_add(spill *line, const char *data, size_t size);

/* The line is whole; the separator goes after it. As spill_add. */
int spill_end(spill *line, char separator);

/* Of a line that is whole, without its separator. */
uint64_t spill_bytes(const spill *line);
uint64_t spill_hash(const spill *line);

/* Up to `size` bytes of line and separator, from `offset` on, into `into`.
 * Returns how many, or -1 and errno; 0: there are no more. */
ptrdiff_t spill_read(const spill *line, uint64_t offset, char *into,
                     size_t size);

/* The line and its separator, until spill_free. NULL: errno. */
const char *spill_map(spill *line);

/* The folder of such files, for messages. */
const char *spill_folder(void);

#endif
