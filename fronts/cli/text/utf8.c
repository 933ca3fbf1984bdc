/* utf8.c - see utf8.h */
#include "text/utf8.h"

#include <stdbool.h>

size_t utf8_length(const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    unsigned first = text[0];
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool is_overlong =
        (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90);
    bool is_outside =
        (first == 0xed && text[1] > 0x9f) || (first == 0xf4 && text[1] > 0x8f);
    return is_overlong || is_outside ? 0 : length;
}
