/*
 * header.h - the first line of a file of CSV, which names its fields.
 */
#ifndef HEADER_H
#define HEADER_H

#include <stddef.h>

#include "fields/selection.h"

/*
 * Sets the column of each name of the selection, by the header text[0..size),
 * whose fields `delimiter` separates. Of two fields of a name the first counts.
 * Returns 0; -1 with *wrong, which lists the names there are; or -2 if there is
 * not enough memory.
 */
int header_resolve(selection *fields, const char *text, size_t size,
                   char delimiter, selection_text *wrong);

#endif
