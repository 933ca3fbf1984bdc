/*
 * magic.h - the first bytes of a set file, which no text begins with.
 *
 * A command that reads lines accepts any bytes, and a set file given by mistake
 * would be some strange lines. So input that begins like a set file is refused.
 */
#ifndef MAGIC_H
#define MAGIC_H

#include <stdbool.h>
#include <stddef.h>

#define MAGIC_BYTES 8 /* that are needed for an answer */

/* The message about such input, after its name. */
#define MAGIC_TEXT                                                             \
    "a set file, not lines of text; 'seenset info' shows it, 'seenset merge' " \
    "joins it to another"

/* Do these first `size` bytes of a file begin a set? False if too few. */
bool magic_begins_set(const char *bytes, size_t size);

#endif
