/*
 * json.c - see text/json.h.
 */
#include "queue/text/json.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

bool json_text_is_utf8(const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    size_t length = 1;
    for (size_t i = 0; i < size && length > 0; i += length)
        length = utf8_length(text + i, size - i);
    return length > 0;
}

/* One character, of `length` bytes; 0: a byte that is none. */
static size_t escape_one(char *out, const unsigned char *text, size_t length)
{
    if (length == 0)
        return (size_t)sprintf(out, "\\ufffd");
    if (*text < 0x20 || *text == 0x7f)
        return (size_t)sprintf(out, "\\u%04x", *text);
    if (*text == '"' || *text == '\\')
        *out++ = '\\';
    memcpy(out, text, length);
    return length + (*text == '"' || *text == '\\');
}

size_t json_text_escape(char *out, const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    size_t written = 0, length;
    for (size_t i = 0; i < size; i += length == 0 ? 1 : length) {
        length = utf8_length(text + i, size - i);
        written += escape_one(out + written, text + i, length);
    }
    return written;
}

size_t json_text_base64(char *out, const void *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = bytes;
    size_t written = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t three = (uint32_t)at[i] << 16;
        three |= left > 1 ? (uint32_t)at[i + 1] << 8 : 0;
        three |= left > 2 ? at[i + 2] : 0;
        out[written++] = digits[three >> 18];
        out[written++] = digits[three >> 12 & 63];
        out[written++] = left > 1 ? digits[three >> 6 & 63] : '=';
        out[written++] = left > 2 ? digits[three & 63] : '=';
    }
    return written;
}
