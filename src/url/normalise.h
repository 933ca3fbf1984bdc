/* normalise.h - how long a URL can get, and the long way to its normal form */
#ifndef SS_URL_NORMALISE_H
#define SS_URL_NORMALISE_H

#include "seenset/url.h"

/* No URL of url_len bytes gets longer than this. */
#define SS_URL_ROOM_BYTES(url_len) (3 * (size_t)(url_len) + 256)

/*
 * As seenset_url_normalise, step by step also for a URL that plain.h knows at
 * sight. Only out may be NULL.
 */
int ss_url_rewrite(const char *url, size_t url_len, char *out,
                   size_t *out_bytes, const char **reason);

#endif
