/*
 * make_key.c - see make_key.h.
 */
#include "fields/make_key.h"

#include <stdio.h>
#include <string.h>

/* Appends the netstring of a value to the `used` bytes at `key`, where there is
 * room for it. Returns the bytes of the key then. */
static size_t append(char *key, size_t used, const char *value, size_t len)
{
    int digits = snprintf(key + used, NETSTRING_BYTES, "%zu:", len);
    used += (size_t)digits;
    if (len > 0)
        memcpy(key + used, value, len);
    key[used + len] = ',';
    return used + len + 1;
}

void make_key_fold(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        unsigned is_upper = (unsigned)(byte - 'A') < 26;
        text[i] = (char)(byte | is_upper << 5);
    }
}

/* The most bytes of the key; SIZE_MAX / 2 if that is too much. */
static size_t most_bytes(const key_value *values, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i].len > SIZE_MAX / 4 - bytes)
            return SIZE_MAX / 2;
        bytes += values[i].len + NETSTRING_BYTES;
    }
    return bytes;
}

int make_key(forms *into, size_t number, const key_value *values, size_t count,
             bool ignores_case)
{
    size_t bytes = 0;
    if (forms_reserve(into, most_bytes(values, count)) != 0)
        return -1;
    char *key = into->text + into->used;
    if (count == 1) {
        bytes = values[0].len;
        if (bytes > 0)
            memcpy(key, values[0].data, bytes);
    } else {
        for (size_t i = 0; i < count; i++)
            bytes = append(key, bytes, values[i].data, values[i].len);
    }
    if (ignores_case)
        make_key_fold(key, bytes);
    forms_take(into, number, bytes);
    return 0;
}
