/*
 * csv.c - see csv.h.
 */
#include "fields/csv.h"

#include <string.h>

size_t csv_field_end(const char *record, size_t size, size_t start,
                     char delimiter)
{
    csv_state state = CSV_START;
    for (size_t i = start; i < size; i++) {
        if (record[i] == delimiter && state != CSV_QUOTED)
            return i;
        state = csv_next(state, record[i], delimiter);
    }
    return size;
}

static size_t copy(char *out, const char *text, size_t size)
{
    if (size > 0)
        memcpy(out, text, size);
    return size;
}

size_t csv_value(const char *text, size_t size, char *out)
{
    size_t used = 0, at = 1;
    if (size == 0 || text[0] != '"')
        return copy(out, text, size);
    while (at < size) {
        const char *quote = memchr(text + at, '"', size - at);
        size_t end = quote == NULL ? size : (size_t)(quote - text);
        used += copy(out + used, text + at, end - at);
        bool is_doubled = end + 1 < size && text[end + 1] == '"';
        if (!is_doubled) {
            at = end < size ? end + 1 : size;
            break;
        }
        out[used++] = '"';
        at = end + 2;
    }
    return used + copy(out + used, text + at, at < size ? size - at : 0);
}
