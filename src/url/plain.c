/*
 * plain.c - see plain.h.
 *
 * Nothing is changed in a URL of these parts:
 *
 *     http://  or https://
 *     host     lower-case letters, digits, "." "-" "_"; no "--", which may
 *              begin xn--; its last label begins with a letter, so it is not
 *              an IPv4 address; then "/", so there is no port
 *     path     what RFC 3986 allows there; no segment begins with a dot
 *     query    the same, also dots and "?", but not "'"
 *     %XX      in upper case, and not of an unreserved character
 *
 * There is no fragment: "#" is not among these characters.
 */
#include "url/plain.h"

#include <stdint.h>
#include <string.h>

#include "seenset/url.h"
#include "url/text.h"

/* Characters below 128: bit c % 64 of word c / 64. */
typedef struct characters {
    uint64_t words[2];
} characters;

/* a-z 0-9 . - _ */
static const characters in_host = {
    {UINT64_C(0x03FF600000000000), UINT64_C(0x07FFFFFE80000000)}};
/* A-Z a-z 0-9 - . _ ~ */
static const characters unreserved = {
    {UINT64_C(0x03FF600000000000), UINT64_C(0x47FFFFFE87FFFFFE)}};
/* those and ! $ & ' ( ) * + , ; = : @ / */
static const characters in_path = {
    {UINT64_C(0x2FFFFFD200000000), UINT64_C(0x47FFFFFE87FFFFFF)}};
/* without ' but with ? */
static const characters in_query = {
    {UINT64_C(0xAFFFFF5200000000), UINT64_C(0x47FFFFFE87FFFFFF)}};

static bool has(const characters *set, char character)
{
    unsigned char c = (unsigned char)character;
    return c < 128 && (set->words[c >> 6] >> (c & 63) & 1) != 0;
}

/* The length of "http://" or "https://" at the start, or 0. */
static size_t scheme_length(const char *url, size_t len)
{
    if (len > 7 && memcmp(url, "http://", 7) == 0)
        return 7;
    return len > 8 && memcmp(url, "https://", 8) == 0 ? 8 : 0;
}

/* The length of a plain host that a "/" follows, or 0. */
static size_t host_length(const char *text, size_t len)
{
    size_t end = 0, label = 0;
    for (; end < len && has(&in_host, text[end]); end++) {
        if (text[end] == '.')
            label = end + 1;
        if (text[end] == '-' && end > 0 && text[end - 1] == '-')
            return 0;
    }
    if (end == len || text[end] != '/')
        return 0;
    return text[label] >= 'a' && text[label] <= 'z' ? end : 0;
}

static bool is_upper_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

/* Is it %XX, in the only way that a normal form has it? */
static bool is_plain_escape(const char *text, size_t len)
{
    if (len < 3 || !is_upper_hex(text[1]) || !is_upper_hex(text[2]))
        return false;
    int byte = ss_url_hex_value(text[1]) << 4 | ss_url_hex_value(text[2]);
    return text[0] == '%' && !has(&unreserved, (char)byte);
}

/* How many bytes from the start are of the set, or %XX. */
static size_t run_length(const char *text, size_t len, const characters *set)
{
    size_t end = 0;
    while (end < len) {
        if (has(set, text[end]))
            end++;
        else if (is_plain_escape(text + end, len - end))
            end += 3;
        else
            break;
    }
    return end;
}

static bool has_dotted_segment(const char *path, size_t len)
{
    for (size_t i = 1; i < len; i++)
        if (path[i] == '.' && path[i - 1] == '/')
            return true;
    return false;
}

bool ss_url_is_plain(const char *url, size_t len)
{
    size_t scheme = len <= SEENSET_URL_MAX_BYTES ? scheme_length(url, len) : 0;
    size_t host = scheme > 0 ? host_length(url + scheme, len - scheme) : 0;
    if (host == 0)
        return false;
    size_t start = scheme + host;
    size_t path = run_length(url + start, len - start, &in_path);
    if (has_dotted_segment(url + start, path))
        return false;
    size_t at = start + path;
    if (at < len && url[at] == '?')
        at += 1 + run_length(url + at + 1, len - at - 1, &in_query);
    return at == len;
}
