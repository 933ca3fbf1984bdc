/* funnel.c - see funnel.h */
#include "foreign/funnel.h"

#include <stdlib.h>
#include <string.h>

#include "text/hex.h"
#include "text/utf8.h"

static const char *const names[] = {
    [FUNNEL_NONE] = "",       [FUNNEL_UTF8] = "utf8", [FUNNEL_BYTES] = "bytes",
    [FUNNEL_UTF16] = "utf16", [FUNNEL_INT] = "int",   [FUNNEL_LONG] = "long",
    [FUNNEL_HEX] = "hex",     [FUNNEL_TXID] = "txid"};

funnel funnel_find(const char *name)
{
    for (int i = FUNNEL_UTF8; i <= FUNNEL_TXID; i++)
        if (strcmp(name, names[i]) == 0)
            return (funnel)i;
    return FUNNEL_NONE;
}

const char *funnel_name(funnel of)
{
    size_t number = (size_t)of;
    return number < sizeof names / sizeof names[0] ? names[number] : NULL;
}

funnel funnel_usual(seenset_format format)
{
    return format == SEENSET_FORMAT_BIP37 || format == SEENSET_FORMAT_BIP158
               ? FUNNEL_HEX
               : FUNNEL_NONE;
}

bool funnel_is_of(funnel of, seenset_format format)
{
    bool is_bitcoin = of == FUNNEL_HEX || of == FUNNEL_TXID;
    if (format == SEENSET_FORMAT_GUAVA)
        return !is_bitcoin;
    if (format == SEENSET_FORMAT_BIP158)
        return of == FUNNEL_HEX || of == FUNNEL_BYTES;
    return format == SEENSET_FORMAT_BIP37 && (is_bitcoin || of == FUNNEL_BYTES);
}

bool funnel_keeps(funnel of)
{
    return of <= FUNNEL_BYTES;
}

const char *funnel_words(funnel of)
{
    static const char *const words[] = {
        [FUNNEL_NONE] = "bytes",
        [FUNNEL_UTF8] = "bytes",
        [FUNNEL_BYTES] = "bytes",
        [FUNNEL_UTF16] = "text in UTF-8",
        [FUNNEL_INT] = "a whole number of 32 bits",
        [FUNNEL_LONG] = "a whole number of 64 bits",
        [FUNNEL_HEX] = "hexadecimal digits, two for each byte",
        [FUNNEL_TXID] = ("a transaction's id of 64 hexadecimal digits, or one "
                         "with :N, a number of an output")};
    return words[of];
}

/* The code point of a character of so many bytes. */
static uint32_t point_of(const uint8_t *at, size_t length)
{
    uint32_t point = length == 1 ? at[0] : at[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (at[i] & 0x3Fu);
    return point;
}

static void put_unit(value *out, uint8_t *to, uint32_t unit)
{
    to[out->len++] = (uint8_t)unit;
    to[out->len++] = (uint8_t)(unit >> 8);
}

/* Room for so many bytes. */
static bool make_room(funnel_room *room, size_t count)
{
    if (count <= room->count)
        return true;
    uint8_t *moved = realloc(room->bytes, 2 * count);
    if (moved == NULL)
        return false;
    room->bytes = moved;
    room->count = 2 * count;
    return true;
}

/* Where so many bytes go. NULL: there is not so much memory. */
static uint8_t *room_of(value *out, funnel_room *room, size_t count)
{
    if (count <= VALUE_BYTES)
        return out->own;
    return make_room(room, count) ? room->bytes : NULL;
}

/* A sequence of n bytes has at most n units. */
static int read_utf16(value *out, funnel_room *room, const char *text,
                      size_t len)
{
    const uint8_t *at = (const uint8_t *)text;
    uint8_t *to = len <= SIZE_MAX / 4 ? room_of(out, room, 2 * len) : NULL;
    if (to == NULL)
        return SEENSET_ENOMEM;
    out->data = to;
    out->len = 0;
    for (size_t done = 0, taken; done < len; done += taken) {
        taken = utf8_length(at + done, len - done);
        if (taken == 0)
            return 0;
        uint32_t point = point_of(at + done, taken);
        if (point >= 0x10000)
            put_unit(out, to, 0xD800 + ((point - 0x10000) >> 10));
        put_unit(out, to, point >= 0x10000 ? 0xDC00 + (point & 0x3FF) : point);
    }
    return 1;
}

static int read_hex(value *out, funnel_room *room, const char *text, size_t len)
{
    uint8_t *to = room_of(out, room, len / 2);
    if (to == NULL)
        return SEENSET_ENOMEM;
    for (size_t i = 0; i < len / 2; i++) {
        int byte = hex_byte(text + 2 * i);
        if (byte < 0)
            return 0;
        to[i] = (uint8_t)byte;
    }
    out->data = to;
    out->len = len / 2;
    return len % 2 == 0;
}

/* A decimal number of 32 bits, in four bytes; `len` digits. */
static bool read_output(uint8_t *bytes, const char *text, size_t len)
{
    uint64_t number = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || number > UINT32_MAX)
            return false;
        number = 10 * number + (uint64_t)(text[i] - '0');
    }
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    return len > 0 && number <= UINT32_MAX;
}

/* What is shown of an id is a number, which is little-endian in a block. */
static int read_txid(value *out, const char *text, size_t len)
{
    enum {
        DIGITS = 64,
        BYTES = 32
    };
    bool has_output = len > DIGITS && text[DIGITS] == ':';
    if (len != DIGITS && !has_output)
        return 0;
    for (size_t i = 0; i < BYTES; i++) {
        int byte = hex_byte(text + 2 * i);
        if (byte < 0)
            return 0;
        out->own[BYTES - 1 - i] = (uint8_t)byte;
    }
    out->data = out->own;
    out->len = has_output ? BYTES + 4 : BYTES;
    return !has_output ||
           read_output(out->own + BYTES, text + DIGITS + 1, len - DIGITS - 1);
}

int funnel_read(value *out, funnel of, funnel_room *room, const char *text,
                size_t len)
{
    seenset_foreign_filter like = {.value_type = SEENSET_VALUE_BYTES};
    if (of == FUNNEL_UTF16)
        return read_utf16(out, room, text, len);
    if (of == FUNNEL_HEX)
        return read_hex(out, room, text, len);
    if (of == FUNNEL_TXID)
        return read_txid(out, text, len);
    if (of == FUNNEL_INT)
        like.value_type = SEENSET_VALUE_INT32;
    if (of == FUNNEL_LONG)
        like.value_type = SEENSET_VALUE_INT64;
    return value_read(out, &like, text, len);
}
