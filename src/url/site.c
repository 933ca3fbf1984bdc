/*
 * site.c - the site of a URL: what a crawler is polite to.
 *
 *     https://user:word@www.Example.co.uk:8443/a?b#c
 *                       www.Example.co.uk              its host
 *                       www.Example.co.uk:8443         with its port
 *                           Example.co.uk              its registrable domain
 *
 * All three are a run of the URL's own bytes, so nothing is written. The host
 * is what is between "//", or the last "@" after it, and the first of "/", "?",
 * "#" and "\", which browsers take for "/"; a port is digits after the last
 * ":". What has no "//" after its first ":" is not a URL, and is a site of its
 * own: all of it. A URL without a host, such as file:///a, has the empty site.
 *
 * Bytes are taken as they are: "%41" is not decoded, and a dot at the end stays
 * part of the host. A caller who wants one site for all spellings normalises
 * the URL first (normalise.c), and compares without regard to ASCII case.
 */
#include <string.h>

#include "seenset/url.h"
#include "url/domain.h"

typedef struct piece {
    const char *at, *end;
} piece;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Where "//" ends after the first ":"; NULL: it is not a URL. */
static const char *after_scheme(const char *url, size_t len)
{
    const char *colon = len == 0 ? NULL : memchr(url, ':', len);
    bool has_slashes = colon != NULL && url + len - colon >= 3 &&
                       colon[1] == '/' && colon[2] == '/';
    return has_slashes ? colon + 3 : NULL;
}

/* A NUL is one, too. */
static bool is_end(char c)
{
    return c == '/' || c == '?' || c == '#' || c == '\\' || c == '\0';
}

/* The host and port. */
static piece find_authority(const char *at, const char *url_end)
{
    piece found = {.at = at, .end = at};
    while (found.end < url_end && !is_end(*found.end))
        found.end++;
    for (const char *c = at; c < found.end; c++)
        found.at = *c == '@' ? c + 1 : found.at;
    return found;
}

/* Where the host ends: at the ":" of a port, which may be empty, or at the end
 * of both. */
static const char *find_port(const piece *authority)
{
    const char *port = authority->end;
    while (port > authority->at && is_digit(port[-1]))
        port--;
    return port > authority->at && port[-1] == ':' ? port - 1 : authority->end;
}

/* A port that no URL has: 65536 and more are as good as that. */
static unsigned long port_number(const char *at, const char *end)
{
    unsigned long number = 0;
    for (; at < end && number < 65536; at++)
        number = number * 10 + (unsigned long)(*at - '0');
    return number;
}

static bool is_scheme(const char *url, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((url[i] | 0x20) != name[i])
            return false;
    }
    return url[len] == ':';
}

/* The port that a scheme has without one (url.spec.whatwg.org, "special
 * scheme"); 65536: it has none. */
static unsigned long default_port(const char *url)
{
    static const struct {
        const char *name;
        size_t len;
        unsigned long port;
    } schemes[] = {{"http", 4, 80},
                   {"https", 5, 443},
                   {"ws", 2, 80},
                   {"wss", 3, 443},
                   {"ftp", 3, 21}};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (is_scheme(url, schemes[i].name, schemes[i].len))
            return schemes[i].port;
    }
    return 65536;
}

static piece with_port(const char *url, const piece *authority,
                       const char *host_end)
{
    piece site = {.at = authority->at, .end = host_end};
    const char *port = host_end + 1;
    if (port < authority->end &&
        port_number(port, authority->end) != default_port(url))
        site.end = authority->end;
    return site;
}

static piece find_site(const char *url, size_t len, seenset_url_site_kind kind)
{
    const char *at = after_scheme(url, len);
    if (at == NULL)
        return (piece){.at = url, .end = url + len};
    piece authority = find_authority(at, url + len);
    const char *host_end = find_port(&authority);
    if (kind == SEENSET_URL_SITE_HOST_PORT)
        return with_port(url, &authority, host_end);
    piece site = {.at = authority.at, .end = host_end};
    if (kind == SEENSET_URL_SITE_DOMAIN)
        site.at += ss_url_domain_start(site.at, (size_t)(site.end - site.at));
    return site;
}

int seenset_url_site(const void *url, size_t url_len,
                     seenset_url_site_kind kind, size_t *start,
                     size_t *site_len)
{
    if ((url == NULL && url_len > 0) || start == NULL || site_len == NULL ||
        (unsigned)kind > SEENSET_URL_SITE_DOMAIN)
        return SEENSET_EINVAL;
    if (kind == SEENSET_URL_SITE_DOMAIN && !ss_url_domain_is_known())
        return SEENSET_EUNSUPPORTED;
    if (url_len == 0) {
        *start = *site_len = 0;
        return 0;
    }
    piece site = find_site(url, url_len, kind);
    *start = (size_t)(site.at - (const char *)url);
    *site_len = (size_t)(site.end - site.at);
    return 0;
}
