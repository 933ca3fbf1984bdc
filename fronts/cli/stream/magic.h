/*
 * magic.h - the first bytes of a set file, which no text begins with.
 *
 * A command that reads lines takes any bytes for them, and a set file given by
 * mistake would be some strange lines; so what begins like one is refused.
 */
#ifndef MAGIC_H
#define MAGIC_H

#include <stdbool.h>
#include <stddef.h>

#define MAGIC_BYTES 8 /* as many as it takes to tell */

/* What messages say of such input, after its name. */
#define MAGIC_TEXT                                                             \
    "a set file, not lines of text; 'seenset info' shows it, 'seenset merge' " \
    "joins it to another"

/* Whether the first `size` bytes of a file begin a set; false of too few. */
bool magic_begins_set(const char *bytes, size_t size);

#endif
