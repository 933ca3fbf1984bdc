/*
 * seenset/url.h - one spelling for each http or https URL.
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

#ifdef __cplusplus
}
#endif
#endif
