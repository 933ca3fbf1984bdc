/*
 * make_key.h - the key of a line is made of the values of its fields.
 *
 * The key of one field is its value, byte for byte, so that `has SET VALUE`
 * finds it. The key of several is the netstrings of the values, one after the
 * other (D. J. Bernstein, Netstrings, 1997):
 *
 *     a, bc  ->  1:a,2:bc,        ab, c  ->  2:ab,1:c,
 *
 * No two lists of as many values have the same key.
 */
#ifndef MAKE_KEY_H
#define MAKE_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/forms.h"

/* The most bytes of a netstring besides its value. */
#define NETSTRING_BYTES ((size_t)24)

/* A to Z become a to z; other bytes stay. */
void make_key_fold(char *text, size_t size);

/* One value, which may be in the way of its copy. */
typedef struct key_value {
    const char *data;
    size_t len;
} key_value;

/* Appends to `into` the key of line `number`. Returns 0, or -1 and errno. */
int make_key(forms *into, size_t number, const key_value *values, size_t count,
             bool ignores_case);

#endif
