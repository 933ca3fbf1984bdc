/* value.c - see value.h */
#include "foreign/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/hex.h"

enum {
    MOST_DIGITS = 400, /* of a number: more than any double needs */
    UUID_TEXT = 36,
    INT96_BYTES = 12
};

static void store(value *out, uint64_t bits, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out->own[i] = (uint8_t)(bits >> 8 * i);
    out->data = out->own;
    out->len = bytes;
}

/* A text of no other bytes than a number has, ended by a zero. */
static bool copy_number(char room[MOST_DIGITS], const char *text, size_t len)
{
    if (len == 0 || len >= MOST_DIGITS || isspace((unsigned char)text[0]) ||
        memchr(text, 0, len) != NULL)
        return false;
    memcpy(room, text, len);
    room[len] = '\0';
    return true;
}

/* Digits, and before them a minus where that can be. */
static bool read_integer(value *out, const seenset_foreign_filter *of,
                         const char *text, size_t len, unsigned bits)
{
    char room[MOST_DIGITS], *end;
    if (!copy_number(room, text, len))
        return false;
    bool is_negative = room[0] == '-';
    if (!isdigit((unsigned char)room[is_negative]))
        return false;
    errno = 0;
    uint64_t size = strtoull(room + is_negative, &end, 10);
    uint64_t most = UINT64_MAX >> (64 - bits);
    if (!of->is_unsigned)
        most = most / 2 + is_negative;
    if (errno != 0 || *end != '\0' || size > most ||
        (of->is_unsigned && is_negative && size > 0))
        return false;
    store(out, is_negative ? 0 - size : size, bits / 8);
    return true;
}

static bool read_real(value *out, const char *text, size_t len, bool is_float)
{
    char room[MOST_DIGITS], *end;
    uint64_t bits = 0;
    double size;
    if (!copy_number(room, text, len))
        return false;
    errno = 0;
    if (is_float) {
        float number = strtof(room, &end);
        uint32_t narrow;
        memcpy(&narrow, &number, sizeof narrow);
        bits = narrow;
        size = fabs((double)number);
    } else {
        double number = strtod(room, &end);
        memcpy(&bits, &number, sizeof bits);
        size = fabs(number);
    }
    store(out, bits, is_float ? 4 : 8);
    bool is_too_large = errno == ERANGE && size > 1;
    return *end == '\0' && !is_too_large;
}

/* `bytes` bytes of two digits; of a UUID, with dashes where they belong. */
static bool read_hex(value *out, const char *text, size_t len, size_t bytes,
                     bool is_uuid)
{
    size_t at = 0;
    if (bytes > VALUE_BYTES || len != 2 * bytes + (is_uuid ? 4 : 0))
        return false;
    for (size_t i = 0; i < bytes; i++) {
        bool has_dash = i == 4 || i == 6 || i == 8 || i == 10;
        if (is_uuid && has_dash && text[at++] != '-')
            return false;
        int byte = hex_byte(text + at);
        if (byte < 0)
            return false;
        out->own[i] = (uint8_t)byte;
        at += 2;
    }
    out->data = out->own;
    out->len = bytes;
    return true;
}

static bool read_fixed(value *out, const seenset_foreign_filter *of,
                       const char *text, size_t len)
{
    size_t bytes = of->value_bytes;
    if (len == bytes) {
        out->data = text;
        out->len = len;
        return true;
    }
    if (of->is_uuid && len == UUID_TEXT)
        return read_hex(out, text, len, bytes, true);
    return len > 2 && text[0] == '0' && text[1] == 'x' &&
           read_hex(out, text + 2, len - 2, bytes, false);
}

bool value_read(value *out, const seenset_foreign_filter *of, const char *text,
                size_t len)
{
    switch (of->value_type) {
    case SEENSET_VALUE_BYTES:
        out->data = text;
        out->len = len;
        return true;
    case SEENSET_VALUE_INT32:
        return read_integer(out, of, text, len, 32);
    case SEENSET_VALUE_INT64:
        return read_integer(out, of, text, len, 64);
    case SEENSET_VALUE_INT96:
        return read_hex(out, text, len, INT96_BYTES, false);
    case SEENSET_VALUE_FLOAT:
        return read_real(out, text, len, true);
    case SEENSET_VALUE_DOUBLE:
        return read_real(out, text, len, false);
    case SEENSET_VALUE_FIXED:
        return read_fixed(out, of, text, len);
    default:
        return false;
    }
}
