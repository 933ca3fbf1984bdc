/*
 * tls.h - TLS on a connection to a server of a crawl (rediss://).
 *
 * A server's certificate is always checked: who signed it, its time, and its
 * name or address. The library is OpenSSL, which only ever sees memory: this
 * file sends and receives, so that no call waits past `until` (as in wire.h),
 * and no signal comes of a connection that is gone.
 */
#ifndef CRAWL_TLS_H
#define CRAWL_TLS_H

#include <stdbool.h>
#include <stddef.h>

/* NULL where an option was not given. */
typedef struct tls_options {
    const char *authority; /* certificates to trust: a file, or a folder as
                              `openssl rehash` makes it; NULL: the system's */
    const char *certificate, *key; /* of this client; both, or neither */
    const char *name;              /* that servers have to show; NULL: the host
                                      that was connected to */
} tls_options;

/* What the options ask for, once for all connections. */
typedef struct tls_setup tls_setup;

/* Returns 0, or COMMAND_ERROR after a message. The options are kept, not
 * copied. */
int tls_setup_new(tls_setup **out, const tls_options *options);
void tls_setup_free(tls_setup *setup);

/* A connection. When a call has failed, `why` is the reason, and the connection
 * is of no more use. */
typedef struct tls_stream tls_stream;

/* The handshake, on a socket that is connected and stays its owner's. Returns
 * NULL: out of memory; else see tls_why. */
tls_stream *tls_begin(const tls_setup *setup, int socket, const char *host,
                      double until);
void tls_free(tls_stream *stream);

bool tls_write(tls_stream *stream, const char *bytes, size_t count,
               double until);

/* Waits for bytes, and reads up to `room`. Returns how many, 1 at least, or 0:
 * it failed. */
size_t tls_read(tls_stream *stream, char *bytes, size_t room, double until);

/* Why a call failed; NULL: none has. */
const char *tls_why(const tls_stream *stream);

/* Would it fail again, as with a certificate that is not trusted? */
bool tls_is_final(const tls_stream *stream);

#endif
