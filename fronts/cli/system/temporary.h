/*
 * temporary.h - a file for what does not fit in memory. It goes when it is
 * closed, or when the command ends in any way.
 */
#ifndef SYSTEM_TEMPORARY_H
#define SYSTEM_TEMPORARY_H

#include <stddef.h>

/* The folder of such files: $TMPDIR, or the system's own. Valid until the next
 * call. */
const char *temporary_folder(void);

/* Makes one, empty, to be written and read. Returns a descriptor, or -1 and
 * errno. */
int temporary_open(void);

/* Its first `size` bytes as memory, which will be read in order. NULL and errno
 * on failure. */
const void *temporary_map(int fd, size_t size);
void temporary_unmap(const void *map, size_t size);

#endif
