/* wire.c - see wire.h */
#define _GNU_SOURCE /* struct timeval */
#include "crawl/wire.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdio.h>
#include <sys/time.h>

#include "stream/clock.h"

#define CONNECT_SECONDS 2.0
#define SILENT_SECONDS 15.0 /* more than WAIT waits */
#define LEAST_SECONDS 0.001 /* 0 would be for ever */

static void fail(redisContext *context, int kind, const char *why)
{
    context->err = kind;
    snprintf(context->errstr, sizeof context->errstr, "%s", why);
}

/* What is left, up to `most`. */
static double seconds_left(double until, double most)
{
    double left = until - clock_steady_seconds();
    left = left < most ? left : most;
    return left > LEAST_SECONDS ? left : LEAST_SECONDS;
}

static struct timeval as_time(double seconds)
{
    struct timeval time = {.tv_sec = (time_t)seconds};
    time.tv_usec = (suseconds_t)((seconds - (double)time.tv_sec) * 1e6);
    return time;
}

/* ---- arrays ---- */

#if HIREDIS_MAJOR > 0
typedef size_t element_count;
#else
typedef int element_count;
#endif

static void *(*make_array)(const redisReadTask *task, element_count count);

static void *make_checked_array(const redisReadTask *task, element_count count)
{
    return count > WIRE_MOST_ELEMENTS ? NULL : make_array(task, count);
}

/* hiredis's own functions, but for arrays: they are refused as if there was no
 * memory for them. */
static void limit_arrays(redisContext *context)
{
    static redisReplyObjectFunctions limited;
    if (make_array == NULL) {
        limited = *context->reader->fn;
        make_array = limited.createArray;
        limited.createArray = make_checked_array;
    }
    context->reader->fn = &limited;
}

/* ---- calls ---- */

redisContext *wire_connect(const char *host, int port, double until)
{
    struct timeval most = as_time(seconds_left(until, CONNECT_SECONDS));
    redisContext *context = redisConnectWithTimeout(host, port, most);
    if (context != NULL && context->err == 0)
        limit_arrays(context);
    return context;
}

static bool is_over(redisContext *context, double until)
{
    if (clock_steady_seconds() < until)
        return false;
    fail(context, REDIS_ERR_IO, "it does not answer");
    return true;
}

bool wire_send(redisContext *context, double until)
{
    int done = 0;
    while (context->err == 0 && done == 0 && !is_over(context, until)) {
        struct timeval most = as_time(seconds_left(until, SILENT_SECONDS));
        if (redisSetTimeout(context, most) == REDIS_OK)
            (void)redisBufferWrite(context, &done);
    }
    return context->err == 0;
}

/* Waits for bytes, and reads those that are there. */
static void read_some(redisContext *context, double until, size_t *most_bytes)
{
    struct pollfd from = {.fd = context->fd, .events = POLLIN};
    double most = seconds_left(until, SILENT_SECONDS);
    size_t before = context->reader->len;
    int ready = poll(&from, 1, (int)(most * 1e3) + 1);
    if (ready < 0 && errno == EINTR)
        return;
    if (ready <= 0) {
        fail(context, REDIS_ERR_IO, "it does not answer");
        return;
    }
    if (redisBufferRead(context) != REDIS_OK)
        return;
    size_t had = context->reader->len - before;
    if (had > *most_bytes)
        fail(context, REDIS_ERR_PROTOCOL, "more bytes than were asked for");
    else
        *most_bytes -= had;
}

redisReply *wire_receive(redisContext *context, double until,
                         size_t *most_bytes)
{
    void *reply = NULL;
    while (context->err == 0) {
        if (redisGetReplyFromReader(context, &reply) != REDIS_OK)
            break;
        if (reply != NULL)
            return reply;
        if (!is_over(context, until))
            read_some(context, until, most_bytes);
    }
    if (context->err == REDIS_ERR_OOM)
        fail(context, REDIS_ERR_PROTOCOL, "an array that is too long");
    return NULL;
}

bool wire_is_nonsense(const redisContext *context)
{
    return context->err == REDIS_ERR_PROTOCOL;
}

void wire_show(char *out, size_t size, const char *text)
{
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < size; length++)
        out[length] = text[length];
    out[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (out[i] < ' ' || out[i] > '~')
            out[i] = '?';
}
