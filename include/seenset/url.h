/*
 * seenset/url.h - one spelling for each http or https URL, and the site of one.
 *
 * A crawler meets one page under many spellings: HTTP://Example.com:80/a/../b
 * and http://example.com/b#top. In normal form they are one. A queue with
 * SEENSET_QUEUE_NORMALISE_URL stores that form; with this call a program can
 * compute it for a set of its own. docs/urls.md lists what is changed, why, and
 * how that differs from what browsers do.
 */
#ifndef SEENSET_URL_H
#define SEENSET_URL_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A URL that is longer, or whose normal form would be, is refused. Few servers
 * accept an eighth of that. */
#define SEENSET_URL_MAX_BYTES UINT32_C(65536)

/*
 * Writes the normal form of the url_len bytes at url to out. It is a strict
 * RFC 3986 URI in ASCII, without a NUL at its end, and its own normal form. Any
 * bytes are allowed in url, NUL too. The result depends on nothing else, not
 * even on the locale.
 * On entry *out_bytes is the room at out, on return the bytes written.
 * SEENSET_URL_MAX_BYTES is always enough, and so is 3 * url_len + 256. out may
 * be NULL if the room is 0; url may be NULL if url_len is 0.
 * reason may be NULL; after SEENSET_EURL *reason is the reason, one line of
 * static text.
 * Returns 0; SEENSET_EURL (not an absolute http or https URL); SEENSET_ESPACE
 * (the room is too small; *out_bytes is the room needed); SEENSET_EINVAL (an
 * argument is NULL), SEENSET_ENOMEM, or, from a library that was built with
 * SEENSET_URLS=OFF, SEENSET_EUNSUPPORTED. On error out is untouched. Any number
 * of threads may call it at once.
 * Cost: a nanosecond a byte for most URLs that are in normal form already; for
 * others a microsecond or two, and during the call 7 bytes of memory for each
 * byte of url, from the C library's malloc, and 48 for each "/" in its path.
 */
SEENSET_API int seenset_url_normalise(const void *url, size_t url_len,
                                      char *out, size_t *out_bytes,
                                      const char **reason);

/* What a crawler is polite to. */
typedef enum seenset_url_site_kind {
    SEENSET_URL_SITE_HOST = 0,      /* www.example.co.uk */
    SEENSET_URL_SITE_HOST_PORT = 1, /* and ":8080", unless that is the scheme's
                                     * default: http, https, ws, wss, ftp */
    SEENSET_URL_SITE_DOMAIN = 2     /* example.co.uk: what one registers */
} seenset_url_site_kind;

/*
 * Finds the site of the url_len bytes at url, of any scheme: the *site_len
 * bytes from *start on. They are bytes of the URL itself, so sites are compared
 * without regard to ASCII case, and two spellings of one host are two sites:
 * normalise before. A dot at the end, as in "example.org.", is part of it; what
 * is before "@" is not. An address, and a host that is a public suffix itself,
 * such as "localhost" or "co.uk", is its own domain. What is not a URL (no "//"
 * follows its first ":") is a site of its own, all of it; a URL without a host,
 * such as "file:///a", has the empty site.
 * url may be NULL if url_len is 0.
 * Returns 0; SEENSET_EINVAL (an argument is NULL, or there is no such kind); or
 * for DOMAIN, from a library that was built without libpsl, which has the list
 * of public suffixes (publicsuffix.org), SEENSET_EUNSUPPORTED. On error both
 * numbers are untouched. Any number of threads may call it at once. It takes no
 * memory.
 * Cost: some nanoseconds for a host; some hundred for a domain.
 */
SEENSET_API int seenset_url_site(const void *url, size_t url_len,
                                 seenset_url_site_kind kind, size_t *start,
                                 size_t *site_len);

#ifdef __cplusplus
}
#endif
#endif
