/* funnel.c - see funnel.h */
#include "foreign/funnel.h"

#include <stdlib.h>
#include <string.h>

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

/* The bytes of the well-formed sequence of UTF-8 at `at`, and its code point;
 * 0: there is none (The Unicode Standard, table 3-7). */
static size_t read_point(const uint8_t *at, size_t left, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint8_t first = at[0];
    size_t length = first < 0x80    ? 1
                    : first < 0xC0  ? 0
                    : first < 0xE0  ? 2
                    : first < 0xF0  ? 3
                    : first <= 0xF4 ? 4
                                    : 0;
    if (length == 0 || length > left)
        return 0;
    *point = length == 1 ? first : first & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        *point = *point << 6 | (at[i] & 0x3Fu);
    }
    bool is_surrogate = *point >= 0xD800 && *point <= 0xDFFF;
    return *point < least[length] || *point > 0x10FFFF || is_surrogate ? 0
                                                                       : length;
}

static void put_unit(value *out, uint8_t *room, uint32_t unit)
{
    room[out->len++] = (uint8_t)unit;
    room[out->len++] = (uint8_t)(unit >> 8);
}

/* A sequence of n bytes has at most n units. */
static int read_utf16(value *out, funnel_room *room, const char *text,
                      size_t len)
{
    const uint8_t *at = (const uint8_t *)text;
    if (2 * len > room->count) {
        uint8_t *moved = realloc(room->bytes, 4 * len);
        if (moved == NULL)
            return SEENSET_ENOMEM;
        room->bytes = moved;
        room->count = 4 * len;
    }
    out->data = room->bytes;
    out->len = 0;
    for (size_t done = 0, taken; done < len; done += taken) {
        uint32_t point;
        taken = read_point(at + done, len - done, &point);
        if (taken == 0)
            return 0;
        if (point >= 0x10000)
            put_unit(out, room->bytes, 0xD800 + ((point - 0x10000) >> 10));
        put_unit(out, room->bytes,
                 point >= 0x10000 ? 0xDC00 + (point & 0x3FF) : point);
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
