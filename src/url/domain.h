/* domain.h - where the registrable domain of a host begins */
#ifndef SS_URL_DOMAIN_H
#define SS_URL_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>

/* False: this build, or its libpsl, has no list of public suffixes. */
bool ss_url_domain_is_known(void);

/*
 * How many of the len bytes at host are before its registrable domain. 0, so
 * all of it, if it has none: it is an address, a public suffix itself, or
 * longer than any name.
 */
size_t ss_url_domain_start(const char *host, size_t len);

#endif
