/*
 * picture.h - how full each part of a set is, as a PNG image.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "seenset/seenset.h"

/*
 * Writes or replaces the file at `path`. name: of the set, for messages.
 * Returns 0, or COMMAND_ERROR after a message.
 */
int picture_write(const seenset *set, const char *name, const char *path);

#endif
