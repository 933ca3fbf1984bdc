/*
 * host.h - the host of a URL, a domain name or an address, in normal form.
 */
#ifndef SS_URL_HOST_H
#define SS_URL_HOST_H

#include <stddef.h>

/* No host of host_len bytes gets longer than this, nor needs more meanwhile. */
#define SS_URL_HOST_ROOM_BYTES(host_len) ((host_len) + 256)

/*
 * Writes the normal form of a host to out, which has the room above, and its
 * length to *out_len: a lower-case ASCII name, an IPv4 address in four
 * decimal numbers, or an IPv6 address in brackets.
 * Returns 0; SEENSET_EURL, and why in *reason; or SEENSET_ENOMEM. After an
 * error the content of out has no meaning.
 */
int ss_url_host_write(const char *host, size_t host_len, char *out,
                      size_t *out_len, const char **reason);

#endif
