/* utf16.c - from UTF-8 to UTF-16, one character at a time */
#include "hash/utf16.h"

/* The bytes that a lead byte asks for, and the range of the second; 0: it is
 * not a lead byte of several. */
static size_t read_lead(unsigned lead, unsigned *least, unsigned *most)
{
    *least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    *most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/* The length of the well-formed sequence of several bytes at bytes, or 0. */
static size_t sequence_length(const unsigned char *bytes, size_t count)
{
    unsigned least, most;
    size_t length = read_lead(bytes[0], &least, &most);
    if (length == 0 || length > count || bytes[1] < least || bytes[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

size_t ss_utf16_next(const unsigned char *bytes, size_t count,
                     uint32_t units[2], unsigned *unit_count)
{
    *unit_count = 1;
    units[0] = bytes[0];
    if (bytes[0] < 0x80)
        return 1;
    size_t length = sequence_length(bytes, count);
    if (length == 0) {
        units[0] = 0xDC00u + bytes[0];
        return 1;
    }
    uint32_t point = bytes[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (bytes[i] & 0x3Fu);
    units[0] = point;
    if (point >= 0x10000) {
        units[0] = 0xD800u + ((point - 0x10000) >> 10);
        units[1] = 0xDC00u + (point & 0x3FF);
        *unit_count = 2;
    }
    return length;
}
