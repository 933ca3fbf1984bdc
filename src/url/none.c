/*
 * none.c - in place of normalise.c, in a build without uriparser and libidn2
 * (SEENSET_URLS=OFF): no URL has a normal form. A queue that normalises cannot
 * be made, and takes no URLs; it can be read.
 */
#include "seenset/url.h"

int seenset_url_normalise(const void *url, size_t url_len, char *out,
                          size_t *out_bytes, const char **reason)
{
    (void)reason;
    if (out_bytes == NULL || (url == NULL && url_len > 0) ||
        (out == NULL && *out_bytes > 0))
        return SEENSET_EINVAL;
    return SEENSET_EUNSUPPORTED;
}
