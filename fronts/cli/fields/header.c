/*
 * header.c - see header.h.
 */
#include "fields/header.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields/csv.h"

/* The mark that some programs begin UTF-8 with. */
static const char mark[] = {(char)0xef, (char)0xbb, (char)0xbf};

/* The header without such a mark, and without the CR of its end. */
static void trim(const char **text, size_t *size)
{
    if (*size >= sizeof mark && memcmp(*text, mark, sizeof mark) == 0) {
        *text += sizeof mark;
        *size -= sizeof mark;
    }
    if (*size > 0 && (*text)[*size - 1] == '\r')
        --*size;
}

/* The column of a name, or SIZE_MAX. `value` has room for a field. */
static size_t find_name(const selected *item, const char *text, size_t size,
                        char delimiter, char *value)
{
    size_t column = 0;
    for (size_t start = 0; start <= size; column++) {
        size_t end = csv_field_end(text, size, start, delimiter);
        size_t len = csv_value(text + start, end - start, value);
        if (len == item->name_len && memcmp(value, item->name, len) == 0)
            return column;
        start = end + 1;
    }
    return SIZE_MAX;
}

/* A byte that would upset a terminal becomes a question mark. */
static void append(selection_text *to, const char *text, size_t size)
{
    size_t used = strlen(to->text);
    for (size_t i = 0; i < size && used + 1 < sizeof to->text; i++) {
        unsigned char byte = (unsigned char)text[i];
        to->text[used++] = byte < ' ' || byte == 0x7f ? '?' : text[i];
    }
    to->text[used] = '\0';
}

/* Says that a name is not there, and which are. */
static void refuse(selection_text *wrong, const selected *item,
                   const char *text, size_t size, char delimiter, char *value)
{
    const size_t most = sizeof wrong->text - 8;
    wrong->text[0] = '\0';
    append(wrong, "line 1: the header has no field '", 33);
    append(wrong, item->name, item->name_len < 80 ? item->name_len : 80);
    append(wrong, "'; its fields are ", 18);
    for (size_t start = 0; start <= size;) {
        size_t end = csv_field_end(text, size, start, delimiter);
        size_t len = csv_value(text + start, end - start, value);
        if (strlen(wrong->text) + len + 2 > most) {
            append(wrong, ", ...", 5);
            return;
        }
        if (start > 0)
            append(wrong, ", ", 2);
        append(wrong, value, len);
        start = end + 1;
    }
}

static size_t count_fields(const char *text, size_t size, char delimiter)
{
    size_t count = 0;
    for (size_t start = 0; start <= size; count++)
        start = csv_field_end(text, size, start, delimiter) + 1;
    return count;
}

/* A number that is too large: probably the delimiter is another one. */
static int check_number(const selected *item, size_t count,
                        selection_text *wrong)
{
    if (item->column < count)
        return 0;
    (void)snprintf(wrong->text, sizeof wrong->text,
                   "line 1: the header has %zu field%s, and %s asks for field "
                   "%zu; is the delimiter right (-d)?",
                   count, count == 1 ? "" : "s", item->option,
                   item->column + 1);
    return -1;
}

int header_resolve(selection *fields, const char *text, size_t size,
                   char delimiter, selection_text *wrong)
{
    trim(&text, &size);
    char *value = malloc(size + 1);
    if (value == NULL)
        return -2;
    int error = 0;
    size_t count = count_fields(text, size, delimiter);
    for (size_t i = 0; error == 0 && i < fields->count; i++) {
        selected *item = &fields->items[i];
        if (item->name == NULL) {
            error = check_number(item, count, wrong);
            continue;
        }
        item->column = find_name(item, text, size, delimiter, value);
        if (item->column != SIZE_MAX)
            continue;
        refuse(wrong, item, text, size, delimiter, value);
        error = -1;
    }
    free(value);
    return error;
}
