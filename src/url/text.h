/*
 * text.h - the characters of URLs: hexadecimal digits and %XX.
 */
#ifndef SS_URL_TEXT_H
#define SS_URL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* 0 to 15, or -1 */
static inline int ss_url_hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Do these len bytes begin with % and two hexadecimal digits? */
static inline bool ss_url_is_escape(const char *text, size_t len)
{
    return len >= 3 && text[0] == '%' && ss_url_hex_value(text[1]) >= 0 &&
           ss_url_hex_value(text[2]) >= 0;
}

#endif
