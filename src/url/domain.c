/*
 * domain.c - the registrable domain of a host: what a registrar sells.
 *
 * Which suffixes are public (com, co.uk, github.io) is a list that people keep
 * (publicsuffix.org). libpsl has it inside, of the date of its package, and
 * reads no file for it.
 */
#include "url/domain.h"

#include <libpsl.h>
#include <string.h>

enum {
    NAME_MOST_BYTES = 253 /* of a name in the DNS, without a dot at its end */
};

bool ss_url_domain_is_known(void)
{
    return psl_builtin() != NULL;
}

/* No suffix begins with a digit, and the last number of an IPv4 address does;
 * brackets have IPv6 in them. */
static bool is_address(const char *host, size_t len)
{
    size_t last = len;
    while (last > 0 && host[last - 1] != '.')
        last--;
    return host[0] == '[' ||
           (last < len && host[last] >= '0' && host[last] <= '9');
}

size_t ss_url_domain_start(const char *host, size_t len)
{
    char name[NAME_MOST_BYTES + 1];
    len -= len > 0 && host[len - 1] == '.';
    if (len == 0 || len > NAME_MOST_BYTES || memchr(host, '\0', len) != NULL ||
        is_address(host, len))
        return 0;
    for (size_t i = 0; i < len; i++)
        name[i] =
            (char)(host[i] >= 'A' && host[i] <= 'Z' ? host[i] | 0x20 : host[i]);
    name[len] = '\0';
    const char *domain = psl_registrable_domain(psl_builtin(), name);
    return domain == NULL ? 0 : (size_t)(domain - name);
}
