/*
 * picture.h - the fill of a whole set as a PNG image.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "report/tables.h"

/* Writes or replaces the file at `path`. Returns 0, or COMMAND_ERROR after a
 * message. */
int picture_write(const tables *from, const char *path);

#endif
