/*
 * selection.h - the fields that -f lists: numbers, names or paths.
 *
 *     3          the third field
 *     2,4        the second and the fourth
 *     url,"a,b"  fields of those names in the header (CSV); the list is itself
 *                a line of CSV, and what is in quotes is never a number
 */
#ifndef SELECTION_H
#define SELECTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct selected {
    char *name;         /* NULL: a number */
    size_t name_len;    /* bytes */
    size_t column;      /* from 0, if it is a number */
    const char *option; /* in whose list it is: "-f" */
} selected;

typedef struct selection {
    size_t count; /* 0: the whole line */
    selected *items;
    bool has_names;
} selection;

/* A message for the user. */
typedef struct selection_text {
    char text[400];
} selection_text;

/*
 * Reads a list of numbers and, with takes_names, names. Returns 0, to be undone
 * by selection_free, or -1 with *wrong, or -2 if there is not enough memory.
 */
int selection_read(selection *out, const char *option, const char *list,
                   bool takes_names, selection_text *wrong);

/* Moves the fields of `tail` to the end of `to`. Returns 0, or -2, and both are
 * as they were. */
int selection_append(selection *to, selection *tail);

void selection_free(selection *fields);

#endif
