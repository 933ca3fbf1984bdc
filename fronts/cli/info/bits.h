/* bits.h - the bits of a set alone, as text or as bytes */
#ifndef INFO_BITS_H
#define INFO_BITS_H

#include <stdbool.h>

#include "seenset/seenset.h"

/*
 * Prints all bits in order, as 0 and 1. path: of the set, for messages. More
 * than 1 Mi of them only if is_forced. Returns COMMAND_DONE, or COMMAND_ERROR
 * after a message.
 */
int info_bits_print(const char *path, const seenset *set,
                    const seenset_stats *stats, bool is_forced);

/*
 * Writes the bytes of the table, and nothing else, to the file bits_path; a
 * file that is there is replaced. Bit i is bit i mod 8 of byte i / 8. Returns
 * COMMAND_DONE, or COMMAND_ERROR after a message.
 */
int info_bits_write(const char *path, const seenset *set,
                    const char *bits_path);

#endif
