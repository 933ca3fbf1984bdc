/*
 * url.h - one spelling for each http or https URL.
 *
 * A crawler meets one page under many spellings: HTTP://Example.com:80/a/../b,
 * http://example.com/b#top. The queue remembers the spelling that comes out
 * of here, so that they count as one. docs/urls.md says what is changed, why,
 * and how that differs from what browsers do.
 */
#ifndef SS_URL_H
#define SS_URL_H

#include <stddef.h>

/* A URL that is longer, or becomes so, is refused: few servers take an eighth
 * of that. */
#define SS_URL_MAX_BYTES 65536u

/* No URL of url_len bytes comes out longer than this. */
#define SS_URL_ROOM_BYTES(url_len) (3 * (size_t)(url_len) + 256)

/*
 * Writes the normal form of the url_len bytes at url to out. It is a strict
 * RFC 3986 URI in ASCII, without a terminating NUL, and its own normal form.
 * On entry *out_len is the room at out (which may be NULL if that is 0), on
 * return the bytes written. Any bytes are allowed in url, NUL too; the result
 * depends on nothing else, not even on the locale.
 *
 * Returns 0; SEENSET_EURL (not an absolute http or https URL; *reason says
 * why, in one static line; reason may be NULL), SEENSET_ESPACE (*out_len is
 * the room needed), SEENSET_EINVAL (an argument is NULL) or SEENSET_ENOMEM.
 * On error out is untouched.
 * Cost: a microsecond or two; memory for one call of 7 bytes a byte of url,
 * and 48 for each "/" in its path.
 */
int ss_url_normalise(const void *url, size_t url_len, char *out,
                     size_t *out_len, const char **reason);

#endif
