/* tls_none.c - a command that was built without OpenSSL has no TLS. */
#include "command.h"
#include "crawl/tls.h"
#include "report/complain.h"

int tls_setup_new(tls_setup **out, const tls_options *options)
{
    (void)out, (void)options;
    complain("rediss://: this seenset was built without OpenSSL; build it with "
             "libssl-dev, or use redis:// through a tunnel such as ssh -L");
    return COMMAND_ERROR;
}

/* As there is none, these are never called with one. */

void tls_setup_free(tls_setup *setup)
{
    (void)setup;
}

tls_stream *tls_begin(const tls_setup *setup, int socket, const char *host,
                      double until)
{
    (void)setup, (void)socket, (void)host, (void)until;
    return NULL;
}

void tls_free(tls_stream *stream)
{
    (void)stream;
}

bool tls_write(tls_stream *stream, const char *bytes, size_t count,
               double until)
{
    (void)stream, (void)bytes, (void)count, (void)until;
    return false;
}

size_t tls_read(tls_stream *stream, char *bytes, size_t room, double until)
{
    (void)stream, (void)bytes, (void)room, (void)until;
    return 0;
}

const char *tls_why(const tls_stream *stream)
{
    (void)stream;
    return NULL;
}

bool tls_is_final(const tls_stream *stream)
{
    (void)stream;
    return false;
}
