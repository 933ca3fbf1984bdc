/*
 * picture.h - the fill of a whole set as a PNG image.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "report/tables.h"

/* Writes a new file, or replaces one. Returns 0, or COMMAND_ERROR after a
 * message. */
int picture_write(const tables *from, const char *path);

#endif
