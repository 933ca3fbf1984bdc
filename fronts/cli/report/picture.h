/*
 * picture.h - how full each part of a set is, or its counters, as a PNG image.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>

#include "seenset/seenset.h"

/*
 * Writes or replaces the file at `path`. name: of the set, for messages.
 * is_of_counters: shows the highest counter of each part of a counting set, not
 * how many are in use. Returns 0, or COMMAND_ERROR after a message.
 */
int picture_write(const seenset *set, const char *name, const char *path,
                  bool is_of_counters);

#endif
