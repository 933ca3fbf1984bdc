/*
 * json.h - JSON, member by member.
 *
 *     json out = json_start(stdout, false);
 *     json_count(&out, "added_items", 3);
 *     json_open(&out, "tables", '[');
 *     ...
 *     json_close(&out, ']');
 *     json_end(&out);
 *
 * An object is printed with a line for each of its members, or on one line.
 * What is within them is on their lines, and what is within that without
 * spaces: a script that looks for `"size_bits": ` by sed finds that of the set
 * and not those of its tables.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *out;
    bool is_line;  /* one object on one line */
    bool is_tight; /* without spaces */
    bool has_some; /* a member came before, in what is open */
    int depth;     /* what is open, besides the object */
} json;

/* Opens the object, and ends it with a newline. */
json json_start(FILE *out, bool is_line);
void json_end(json *to);

/* A member; name NULL: an element of a list. A text is bytes: those that are
 * not UTF-8 become U+FFFD. A real number is read back as the same double, and
 * is null if it is not finite. */
void json_text(json *to, const char *name, const char *text);
void json_count(json *to, const char *name, uint64_t value);
void json_real(json *to, const char *name, double value);
void json_rounded(json *to, const char *name, double value); /* 6 digits */
void json_bool(json *to, const char *name, bool value);
void json_null(json *to, const char *name);

/* A list ('[' and ']') or an object ('{' and '}') within. */
void json_open(json *to, const char *name, char bracket);
void json_close(json *to, char bracket);

/* A real number alone. */
void json_number(FILE *out, double value);

#endif
