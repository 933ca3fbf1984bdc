/* rows.c - see rows.h. */
#include "text/rows.h"

#include <string.h>

bool rows_end(const option_row *row)
{
    return row->name == NULL && row->key == 0 && row->text == NULL;
}

bool rows_is_title(const option_row *row)
{
    return row->name == NULL && row->key == 0 && row->text != NULL;
}

bool rows_has_letter(const option_row *row)
{
    return row->key > ' ' && row->key < 0x7f;
}

bool rows_need_value(const option_row *row)
{
    return row->value != NULL && (row->flags & OPTION_VALUE_OPTIONAL) == 0;
}

const option_row *rows_find_name(const option_row *rows, const char *name,
                                 size_t length)
{
    for (const option_row *row = rows; !rows_end(row); row++)
        if (row->name != NULL && strlen(row->name) == length &&
            memcmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

const option_row *rows_find_letter(const option_row *rows, char letter)
{
    for (const option_row *row = rows; !rows_end(row); row++)
        if (row->key == letter)
            return row;
    return NULL;
}
