/*
 * host.c - the host of a URL, in normal form.
 *
 * The order is the one of the URL standard (url.spec.whatwg.org, "host
 * parsing"), which browsers follow:
 *
 *     [...]          must be an IPv6 address; inet_pton reads it
 *     a%2Eb          percent-decoded, then
 *     Bücher.example an international name: libidn2 maps it (UTS 46,
 *                    non-transitional) and writes its xn-- form
 *     EXAMPLE.com    ASCII is put in lower case and not changed otherwise,
 * since real names break the rules for international ones
 *                    ("r3---sn", "_dmarc")
 *     0x7f.1         what ends in a number must be an IPv4 address, in any of
 *                    the forms of inet_aton
 *
 * The IPv6 text is that of RFC 5952, but never with a dotted tail: that is
 * how browsers write it.
 */
#define _POSIX_C_SOURCE 200809L /* inet_pton */
#include "url/host.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <idn2.h>

#include "seenset/error.h"
#include "url/text.h"

static int refuse(const char **reason, const char *text)
{
    *reason = text;
    return SEENSET_EURL;
}

/* ---- [IPv6] ---- */

/* The longest run of two or more zero groups, the first of equals. */
static int longest_zeros(const uint16_t groups[8], int *start)
{
    int longest = 1, run = 0;
    *start = 8;
    for (int i = 0; i < 8; i++) {
        run = groups[i] == 0 ? run + 1 : 0;
        if (run > longest) {
            longest = run;
            *start = i + 1 - run;
        }
    }
    return longest;
}

static size_t write_ipv6(char *out, const uint16_t groups[8])
{
    int zeros, count = longest_zeros(groups, &zeros);
    size_t len = 0;
    out[len++] = '[';
    for (int i = 0; i < 8; i++) {
        if (i == zeros) {
            out[len++] = ':';
            out[len++] = ':';
            i += count - 1;
            continue;
        }
        if (i > 0 && out[len - 1] != ':')
            out[len++] = ':';
        len += (size_t)sprintf(out + len, "%x", groups[i]);
    }
    out[len++] = ']';
    return len;
}

/* text is "[...", and the last byte must be the only "]". */
static int host_ipv6(const char *text, size_t len, char *out, size_t *out_len,
                     const char **reason)
{
    char address[INET6_ADDRSTRLEN];
    unsigned char bytes[16];
    uint16_t groups[8];
    if (len - 2 >= sizeof address || text[len - 1] != ']')
        return refuse(reason, "there is not an IPv6 address in the brackets");
    memcpy(address, text + 1, len - 2);
    address[len - 2] = '\0';
    if (strlen(address) != len - 2 || inet_pton(AF_INET6, address, bytes) != 1)
        return refuse(reason, "there is not an IPv6 address in the brackets");
    for (int i = 0; i < 8; i++)
        groups[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    *out_len = write_ipv6(out, groups);
    return 0;
}

/* ---- IPv4 in any form ---- */

enum {
    NO_NUMBER = -1
};

/* 10, 012 or 0xA; the empty hexadecimal number is 0. Large ones stay large. */
static int64_t number_of(const char *text, size_t len)
{
    int64_t value = 0;
    int base = 10;
    if (len == 0)
        return NO_NUMBER;
    if (len > 1 && text[0] == '0') {
        base = text[1] == 'x' ? 16 : 8;
        text += base == 16 ? 2 : 1;
        len -= base == 16 ? 2 : 1;
    }
    for (size_t i = 0; i < len; i++) {
        int digit = ss_url_hex_value(text[i]);
        if (digit < 0 || digit >= base)
            return NO_NUMBER;
        if (value <= UINT32_MAX)
            value = value * base + digit;
    }
    return value;
}

static size_t label_start(const char *host, size_t end)
{
    while (end > 0 && host[end - 1] != '.')
        end--;
    return end;
}

/* Is the last label, but for one empty one, a number or at least digits? */
static bool ends_in_number(const char *host, size_t len)
{
    size_t start = label_start(host, len);
    if (start == len && len > 0)
        start = label_start(host, --len);
    if (start == len)
        return false;
    return strspn(host + start, "0123456789") >= len - start ||
           number_of(host + start, len - start) != NO_NUMBER;
}

/* The address, or NO_NUMBER: up to four numbers, the last fills the rest. */
static int64_t ipv4_of(const char *host, size_t len)
{
    int64_t address = 0;
    size_t at = 0;
    if (len > 0 && host[len - 1] == '.')
        len--;
    for (int part = 0; part < 4; part++) {
        const char *dot = memchr(host + at, '.', len - at);
        size_t end = dot != NULL ? (size_t)(dot - host) : len;
        int64_t value = number_of(host + at, end - at);
        int64_t limit = dot != NULL ? 256 : INT64_C(1) << 8 * (4 - part);
        if (value == NO_NUMBER || value >= limit)
            return NO_NUMBER;
        if (dot == NULL)
            return address + value;
        address += value << 8 * (3 - part);
        at = end + 1;
    }
    return NO_NUMBER;
}

static int host_ipv4(char *host, size_t *len, const char **reason)
{
    int64_t address = ipv4_of(host, *len);
    if (address == NO_NUMBER)
        return refuse(reason, "the host ends in a number but is not an "
                              "IPv4 address");
    unsigned bits = (unsigned)address;
    *len = (size_t)sprintf(host, "%u.%u.%u.%u", bits >> 24, bits >> 16 & 255,
                           bits >> 8 & 255, bits & 255);
    return 0;
}

/* ---- a name ---- */

/* Decodes every %XX; out has room for it and a NUL. */
static size_t decode(const char *text, size_t text_len, char *out)
{
    size_t len = 0;
    for (size_t i = 0; i < text_len; i++) {
        if (ss_url_is_escape(text + i, text_len - i)) {
            out[len++] = (char)(ss_url_hex_value(text[i + 1]) << 4 |
                                ss_url_hex_value(text[i + 2]));
            i += 2;
        } else {
            out[len++] = text[i];
        }
    }
    out[len] = '\0';
    return len;
}

/* Puts it in lower case. Is it ASCII, without a label that begins with xn--? */
static bool make_lower(char *host, size_t len)
{
    bool is_ascii_name = true;
    for (size_t i = 0; i < len; i++) {
        if (host[i] >= 'A' && host[i] <= 'Z')
            host[i] = (char)(host[i] | 0x20);
        is_ascii_name = is_ascii_name && (unsigned char)host[i] < 0x80;
    }
    const char *label = host;
    while (is_ascii_name && label != NULL) {
        is_ascii_name = strncmp(label, "xn--", 4) != 0;
        label = strchr(label, '.');
        if (label != NULL)
            label++;
    }
    return is_ascii_name;
}

/* The four characters that UTS 46 maps in another way when transitional. */
static bool has_deviation(const char *host)
{
    return strstr(host, "\u00DF") != NULL || strstr(host, "\u1E9E") != NULL ||
           strstr(host, "\u03C2") != NULL || strstr(host, "\u200C") != NULL ||
           strstr(host, "\u200D") != NULL;
}

/*
 * UTS 46, non-transitional. In this mode libidn2 also requires, unlike UTS 46,
 * that IDNA 2008 allows every character, so it refuses symbols, which some
 * registries sell. Its transitional mode does not, and gives the same result
 * for a name without the characters above.
 */
static int look_up(const char *host, uint8_t **ascii)
{
    const uint8_t *name = (const uint8_t *)host;
    int result =
        idn2_lookup_u8(name, ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
    if ((result == IDN2_DISALLOWED || result == IDN2_UNASSIGNED) &&
        !has_deviation(host))
        result =
            idn2_lookup_u8(name, ascii, IDN2_NFC_INPUT | IDN2_TRANSITIONAL);
    return result;
}

/* host is replaced by its ASCII form, which has at most 255 bytes. */
static int make_ascii(char *host, size_t *len, const char **reason)
{
    uint8_t *ascii = NULL;
    int result = look_up(host, &ascii);
    if (result == IDN2_MALLOC)
        return SEENSET_ENOMEM;
    if (result != IDN2_OK)
        return refuse(reason, "the host is not a valid international name");
    *len = strlen((const char *)ascii);
    memcpy(host, ascii, *len + 1);
    idn2_free(ascii);
    return 0;
}

/* Controls, delimiters, and what RFC 3986 does not allow in any host. */
static bool has_forbidden(const char *host, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)host[i];
        if (c <= ' ' || c >= 0x7F || strchr("\"#%/:<>?@[\\]^`{|}", c) != NULL)
            return true;
    }
    return false;
}

int ss_url_host_write(const char *host, size_t host_len, char *out,
                      size_t *out_len, const char **reason)
{
    if (host_len == 0)
        return refuse(reason, "there is no host");
    if (host[0] == '[')
        return host_ipv6(host, host_len, out, out_len, reason);
    size_t len = decode(host, host_len, out);
    if (memchr(out, '\0', len) != NULL)
        return refuse(reason, "the host has a character that is not allowed");
    int error = 0;
    if (!make_lower(out, len))
        error = make_ascii(out, &len, reason);
    if (error == 0 && len == 0)
        return refuse(reason, "there is no host");
    if (error == 0 && has_forbidden(out, len))
        return refuse(reason, "the host has a character that is not allowed");
    if (error == 0 && ends_in_number(out, len))
        error = host_ipv4(out, &len, reason);
    *out_len = len;
    return error;
}
