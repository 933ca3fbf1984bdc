/*
 * wire.h - one connection to a server that is not trusted.
 *
 * No call waits past `until` (by clock_steady_seconds), whatever the server
 * does: reads and writes that it delays, and a reply of which a byte comes now
 * and then. No reply takes more memory than was allowed for it: an array is
 * refused by the count that it declares, before there is memory for it, and
 * what was read is counted. hiredis limits how deep arrays are nested.
 *
 * A connection is in clear or by TLS (tls.h).
 *
 * After a failure context->err is set, and context->errstr is the reason. Then
 * the connection is of no more use.
 */
#ifndef CRAWL_WIRE_H
#define CRAWL_WIRE_H

#include <stdbool.h>
#include <stddef.h>

struct redisContext;
struct redisReply;
struct tls_setup;
struct tls_stream;

typedef struct wire {
    struct redisContext *context; /* NULL: not connected */
    struct tls_stream *tls;       /* NULL: in clear */
    /* By TLS: what was appended. In clear it is in the context. */
    char *text;
    size_t length, room;
    bool is_final; /* it would fail again: TLS was refused */
} wire;

enum {
    WIRE_MOST_ELEMENTS = 1 << 16 /* of an array that is asked for */
};

/* tls: NULL, in clear. Returns false: the context is NULL, out of memory, or
 * see context->err. */
bool wire_connect(wire *it, const char *host, int port,
                  const struct tls_setup *tls, double until);

/* Closes it, if it is open. */
void wire_close(wire *it);

/* Appends a command that is formatted, or these words. They return 0, or -1:
 * out of memory. */
int wire_append(wire *it, const char *text, size_t length);
int wire_append_words(wire *it, const char *format, ...);

/* Sends what was appended. Returns false: see context->err. */
bool wire_send(wire *it, double until);

/*
 * The next reply, which the caller frees. *most_bytes is what the server may
 * still send, and becomes less. NULL: see context->err.
 */
struct redisReply *wire_receive(wire *it, double until, size_t *most_bytes);

/* Was what the server sent no reply, or larger than any that was asked for? So
 * it is of no use to ask again. */
bool wire_is_nonsense(const wire *it);

/* Copies a server's text for a message: what is not printable ASCII becomes
 * '?', and what is longer than `size` - 1 is cut. */
void wire_show(char *out, size_t size, const char *text);

#endif
