/*
 * wire.h - one connection to a server that is not trusted.
 *
 * No call waits past `until` (by clock_steady_seconds), whatever the server
 * does: reads and writes that it delays, and a reply of which a byte comes now
 * and then. No reply takes more memory than was allowed for it: an array is
 * refused by the count that it declares, before there is memory for it, and
 * what was read is counted. hiredis limits how deep arrays are nested.
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

enum {
    WIRE_MOST_ELEMENTS = 1 << 16 /* of an array that is asked for */
};

/* Returns NULL only if there is no memory; see context->err. */
struct redisContext *wire_connect(const char *host, int port, double until);

/* Sends what was appended to the context. Returns false: see context->err. */
bool wire_send(struct redisContext *context, double until);

/*
 * The next reply, which the caller frees. *most_bytes is what the server may
 * still send, and becomes less. NULL: see context->err.
 */
struct redisReply *wire_receive(struct redisContext *context, double until,
                                size_t *most_bytes);

/* Was what the server sent no reply, or larger than any that was asked for? So
 * it is of no use to ask again. */
bool wire_is_nonsense(const struct redisContext *context);

/* Copies a server's text for a message: what is not printable ASCII becomes
 * '?', and what is longer than `size` - 1 is cut. */
void wire_show(char *out, size_t size, const char *text);

#endif
