/*
 * value.h - a key given as text, as the bytes that a filter hashes.
 *
 *     int32, int64    a decimal number; that of an unsigned column from 0 on
 *     float, double   a number; inf, nan; -0 is not 0, as their bytes differ
 *     int96           24 hexadecimal digits: its 12 bytes in their order
 *     fixed           so many bytes; twice as many hexadecimal digits after 0x;
 *                     a UUID as 8-4-4-4-12 digits
 *     bytes           the text itself
 */
#ifndef VALUE_H
#define VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/foreign.h"

/* The bytes of a value: those of the text, or up to VALUE_BYTES of its own. */
#define VALUE_BYTES 128

typedef struct value {
    const void *data;
    size_t len;
    uint8_t own[VALUE_BYTES];
} value;

/* False: the text is not a value of the filter's type. */
bool value_read(value *out, const seenset_foreign_filter *of, const char *text,
                size_t len);

#endif
