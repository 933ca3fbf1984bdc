/*
 * domain_none.c - in place of domain.c, in a build without libpsl: nobody knows
 * which suffixes are public, so sites by domain are refused.
 */
#include "url/domain.h"

bool ss_url_domain_is_known(void)
{
    return false;
}

size_t ss_url_domain_start(const char *host, size_t len)
{
    (void)host;
    (void)len;
    return 0;
}
