/* normalise.h - how long a URL can get by seenset_url_normalise */
#ifndef SS_URL_NORMALISE_H
#define SS_URL_NORMALISE_H

#include "seenset/url.h"

/* No URL of url_len bytes gets longer than this. */
#define SS_URL_ROOM_BYTES(url_len) (3 * (size_t)(url_len) + 256)

#endif
