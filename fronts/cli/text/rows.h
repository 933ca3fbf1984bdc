/*
 * rows.h - looking an option up in the rows of a command.
 */
#ifndef TEXT_ROWS_H
#define TEXT_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "text/syntax.h"

enum {
    ROWS_MOST = 96 /* in a table; options beyond it are refused */
};

/* Is it the row after the last one? */
bool rows_end(const option_row *row);

/* Is it the title of those below it? */
bool rows_is_title(const option_row *row);

/* Is its key a letter, as in -n? */
bool rows_has_letter(const option_row *row);

/* Does it have a value that cannot be left out? */
bool rows_need_value(const option_row *row);

/* The row of a name, or of a letter; NULL: there is none. */
const option_row *rows_find_name(const option_row *rows, const char *name,
                                 size_t length);
const option_row *rows_find_letter(const option_row *rows, char letter);

#endif
