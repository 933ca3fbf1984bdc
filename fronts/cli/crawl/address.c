/* address.c - see address.h */
#include "crawl/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"

#define SCHEME "redis://"
#define TLS_SCHEME "rediss://"
#define DEFAULT_PORT 6379

bool crawl_is_address(const char *text)
{
    return text != NULL && (strncmp(text, SCHEME, strlen(SCHEME)) == 0 ||
                            strncmp(text, TLS_SCHEME, strlen(TLS_SCHEME)) == 0);
}

/* Copies text[0..length). Returns false if there is no room. */
static bool copy(char out[ADDRESS_ROOM], const char *text, size_t length)
{
    if (length >= ADDRESS_ROOM)
        return false;
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

static bool read_secret(const char *text, const char *end, crawl_address *out)
{
    const char *colon = memchr(text, ':', (size_t)(end - text));
    return colon != NULL && copy(out->user, text, (size_t)(colon - text)) &&
           copy(out->password, colon + 1, (size_t)(end - colon - 1));
}

/* HOST, HOST:PORT or [HOST]:PORT, up to the end. */
static bool read_host(const char *text, const char *end, crawl_address *out)
{
    const char *close =
        text[0] == '[' ? memchr(text, ']', (size_t)(end - text)) : NULL;
    const char *from = close != NULL ? close : text;
    const char *colon = memchr(from, ':', (size_t)(end - from));
    const char *last = colon == NULL ? end : colon;
    char port[ADDRESS_ROOM] = "", *after = port;
    out->port = DEFAULT_PORT;
    if (colon != NULL) {
        if (!copy(port, colon + 1, (size_t)(end - colon - 1)))
            return false;
        out->port = (int)strtoul(port, &after, 10);
        if (port[0] < '0' || port[0] > '9' || *after != '\0' ||
            strlen(port) > 5 || out->port < 1 || out->port > 65535)
            return false;
    }
    if (close != NULL)
        return close + 1 == last &&
               copy(out->host, text + 1, (size_t)(close - text - 1));
    return copy(out->host, text, (size_t)(last - text));
}

/* Braces would be taken for a hash tag. */
static bool read_name(const char *text, crawl_address *out)
{
    return text[0] != '\0' && strpbrk(text, "{}/?#") == NULL &&
           copy(out->name, text, strlen(text));
}

int crawl_read_address(const char *text, crawl_address *out)
{
    bool is_tls = strncmp(text, TLS_SCHEME, strlen(TLS_SCHEME)) == 0;
    const char *at = text + strlen(is_tls ? TLS_SCHEME : SCHEME);
    const char *slash = strchr(at, '/');
    *out = (crawl_address){.is_tls = is_tls};
    if (slash != NULL) {
        const char *sign = NULL;
        for (const char *c = at; c < slash; c++)
            sign = *c == '@' ? c : sign;
        bool is_read = sign == NULL || read_secret(at, sign, out);
        if (is_read && read_host(sign == NULL ? at : sign + 1, slash, out) &&
            out->host[0] != '\0' && read_name(slash + 1, out))
            return 0;
    }
    complain("an address is redis://HOST:PORT/NAME, or rediss:// by TLS, and a "
             "name has none of {}/?#");
    return COMMAND_ERROR;
}

void crawl_shown_address(const crawl_address *address, char *out,
                         unsigned long size)
{
    snprintf(out, size, "%s%.255s:%d/%.255s",
             address->is_tls ? TLS_SCHEME : SCHEME, address->host,
             address->port, address->name);
}
