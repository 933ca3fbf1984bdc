/*
 * selection.c - see selection.h.
 */
#include "fields/selection.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields/csv.h"

static bool is_number(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return size > 0;
}

/* Returns the number from 1, or 0 if it is too large or not one. */
static size_t read_number(const char *text, size_t size)
{
    size_t value = 0;
    for (size_t i = 0; i < size; i++) {
        size_t digit = (size_t)(text[i] - '0');
        if (value > (SIZE_MAX / 2 - digit) / 10)
            return 0;
        value = 10 * value + digit;
    }
    return value;
}

/* An option and its list, for messages. */
typedef struct source {
    const char *option, *list;
} source;

static int refuse(selection_text *wrong, const source *from, const char *why)
{
    (void)snprintf(wrong->text, sizeof wrong->text, "%s '%.200s': %s",
                   from->option, from->list, why);
    return -1;
}

static int take_name(selected *out, const char *text, size_t size)
{
    out->name = malloc(size + 1);
    if (out->name == NULL)
        return -2;
    out->name_len = csv_value(text, size, out->name);
    out->name[out->name_len] = '\0';
    return 0;
}

/* One item of the list. */
static int take(selection *out, const source *from, const char *text,
                size_t size, bool takes_names, selection_text *wrong)
{
    selected *item = &out->items[out->count];
    *item = (selected){.option = from->option};
    if (size == 0)
        return refuse(wrong, from, "a field is missing beside a comma");
    if (is_number(text, size)) {
        size_t number = read_number(text, size);
        if (number == 0)
            return refuse(wrong, from, "fields are numbered from 1 to 2^63");
        item->column = number - 1;
    } else if (takes_names) {
        if (take_name(item, text, size) != 0)
            return -2;
        out->has_names = true;
    } else if (text[0] == '.') {
        return refuse(wrong, from, "a path is for --from-format json");
    } else {
        return refuse(
            wrong, from,
            "it must be a number, or numbers with commas between "
            "them; names are for --csv, paths for --from-format json");
    }
    out->count++;
    return 0;
}

int selection_read(selection *out, const char *option, const char *list,
                   bool takes_names, selection_text *wrong)
{
    const source from = {option, list};
    size_t size = strlen(list);
    int error = 0;
    *out = (selection){0};
    out->items = calloc(size + 1, sizeof *out->items);
    if (out->items == NULL)
        return -2;
    for (size_t start = 0; error == 0 && start <= size;) {
        size_t end = takes_names ? csv_field_end(list, size, start, ',')
                                 : start + strcspn(list + start, ",");
        error = take(out, &from, list + start, end - start, takes_names, wrong);
        start = end + 1;
    }
    if (error != 0)
        selection_free(out);
    return error;
}

int selection_append(selection *to, selection *tail)
{
    size_t count = to->count + tail->count;
    selected *items = realloc(to->items, (count + 1) * sizeof *items);
    if (items == NULL)
        return -2;
    if (tail->count > 0)
        memcpy(items + to->count, tail->items, tail->count * sizeof *items);
    to->items = items;
    to->count = count;
    to->has_names = to->has_names || tail->has_names;
    free(tail->items);
    *tail = (selection){0};
    return 0;
}

void selection_free(selection *fields)
{
    for (size_t i = 0; i < fields->count; i++)
        free(fields->items[i].name);
    free(fields->items);
    *fields = (selection){0};
}
