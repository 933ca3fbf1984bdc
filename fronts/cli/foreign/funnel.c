/* funnel.c - see funnel.h */
#include "foreign/funnel.h"

#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

static const char *const names[] = {
    [FUNNEL_NONE] = "",       [FUNNEL_UTF8] = "utf8", [FUNNEL_BYTES] = "bytes",
    [FUNNEL_UTF16] = "utf16", [FUNNEL_INT] = "int",   [FUNNEL_LONG] = "long"};

funnel funnel_find(const char *name)
{
    for (int i = FUNNEL_UTF8; i <= FUNNEL_LONG; i++)
        if (strcmp(name, names[i]) == 0)
            return (funnel)i;
    return FUNNEL_NONE;
}

bool funnel_keeps(funnel of)
{
    return of <= FUNNEL_BYTES;
}

const char *funnel_words(funnel of)
{
    if (of == FUNNEL_UTF16)
        return "text in UTF-8";
    return of == FUNNEL_INT ? "a whole number of 32 bits"
                            : "a whole number of 64 bits";
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

/* Where the units of a text go: a sequence of n bytes has at most n. NULL:
 * there is not so much memory. */
static uint8_t *room_of(value *out, funnel_room *room, size_t len)
{
    if (len <= VALUE_BYTES / 2)
        return out->own;
    if (len > SIZE_MAX / 4)
        return NULL;
    if (2 * len > room->count) {
        uint8_t *moved = realloc(room->bytes, 4 * len);
        if (moved == NULL)
            return NULL;
        room->bytes = moved;
        room->count = 4 * len;
    }
    return room->bytes;
}

static int read_utf16(value *out, funnel_room *room, const char *text,
                      size_t len)
{
    const uint8_t *at = (const uint8_t *)text;
    uint8_t *to = room_of(out, room, len);
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

int funnel_read(value *out, funnel of, funnel_room *room, const char *text,
                size_t len)
{
    seenset_foreign_filter like = {.value_type = SEENSET_VALUE_BYTES};
    if (of == FUNNEL_UTF16)
        return read_utf16(out, room, text, len);
    if (of == FUNNEL_INT)
        like.value_type = SEENSET_VALUE_INT32;
    if (of == FUNNEL_LONG)
        like.value_type = SEENSET_VALUE_INT64;
    return value_read(out, &like, text, len);
}
