/* hex.c - see hex.h */
#include "text/hex.h"

/* Its value, or -1. */
static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int hex_byte(const char *text)
{
    int high = digit_of(text[0]);
    int low = high < 0 ? -1 : digit_of(text[1]);
    return low < 0 ? -1 : high << 4 | low;
}
