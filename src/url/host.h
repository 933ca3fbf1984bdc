/*
 * url_host.h - the host of a URL, as domain name or address, in one spelling.
 */
#ifndef SS_URL_HOST_H
#define SS_URL_HOST_H

#include <stddef.h>

/* No host of host_len bytes comes out longer, nor needs more on the way. */
#define SS_URL_HOST_ROOM_BYTES(host_len) ((host_len) + 256)

/*
 * Writes the normal form of a host to out, which has the room above, and its
 * length to *out_len: a lower-case ASCII name, an IPv4 address in four
 * decimal numbers, or an IPv6 address in brackets.
 * Returns 0; SEENSET_EURL and why in *reason, or SEENSET_ENOMEM; both leave
 * rubbish in out.
 */
int ss_url_host_write(const char *host, size_t host_len, char *out,
                      size_t *out_len, const char **reason);

#endif
