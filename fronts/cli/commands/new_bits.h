/* new_bits.h - a set made of the bits of another system's filter */
#ifndef NEW_BITS_H
#define NEW_BITS_H

#include "seenset/seenset.h"

/*
 * Reads the bits from a file and makes a set of them, for the file named
 * `name`. Returns 0, or COMMAND_ERROR after a message.
 */
int new_bits_read(seenset **out, const seenset_options *options,
                  const char *bits_path, const char *name);

#endif
