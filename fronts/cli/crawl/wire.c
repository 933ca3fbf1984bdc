/* wire.c - see wire.h */
#define _GNU_SOURCE /* struct timeval */
#include "crawl/wire.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "crawl/tls.h"
#include "stream/clock.h"

enum {
    READ_BYTES = 16384
};

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

/* ---- connecting ---- */

/* What TLS says becomes the context's. */
static bool fail_by_tls(wire *it)
{
    fail(it->context, REDIS_ERR_IO, tls_why(it->tls));
    it->is_final = tls_is_final(it->tls);
    return false;
}

static bool begin_tls(wire *it, const tls_setup *setup, const char *host,
                      double until)
{
    it->tls = tls_begin(setup, it->context->fd, host, until);
    if (it->tls == NULL) {
        fail(it->context, REDIS_ERR_OTHER, "out of memory");
        return false;
    }
    return tls_why(it->tls) == NULL || fail_by_tls(it);
}

bool wire_connect(wire *it, const char *host, int port, const tls_setup *tls,
                  double until)
{
    struct timeval most = as_time(seconds_left(until, CONNECT_SECONDS));
    *it = (wire){.context = redisConnectWithTimeout(host, port, most)};
    if (it->context == NULL || it->context->err != 0)
        return false;
    limit_arrays(it->context);
    return tls == NULL || begin_tls(it, tls, host, until);
}

void wire_close(wire *it)
{
    tls_free(it->tls);
    redisFree(it->context);
    free(it->text);
    *it = (wire){0};
}

/* ---- sending ---- */

static int append_to_own(wire *it, const char *text, size_t length)
{
    if (length > SIZE_MAX / 2 - it->length)
        return -1;
    if (it->length + length > it->room) {
        size_t room = 2 * (it->length + length);
        char *larger = realloc(it->text, room);
        if (larger == NULL)
            return -1;
        it->text = larger;
        it->room = room;
    }
    memcpy(it->text + it->length, text, length);
    it->length += length;
    return 0;
}

int wire_append(wire *it, const char *text, size_t length)
{
    if (it->tls != NULL)
        return append_to_own(it, text, length);
    return redisAppendFormattedCommand(it->context, text, length) == REDIS_OK
               ? 0
               : -1;
}

int wire_append_words(wire *it, const char *format, ...)
{
    char *text = NULL;
    va_list words;
    va_start(words, format);
    int length = redisvFormatCommand(&text, format, words);
    va_end(words);
    int result = length < 0 ? -1 : wire_append(it, text, (size_t)length);
    redisFreeCommand(text);
    return result;
}

static bool is_over(redisContext *context, double until)
{
    if (clock_steady_seconds() < until)
        return false;
    fail(context, REDIS_ERR_IO, "it does not answer");
    return true;
}

static void send_in_clear(redisContext *context, double until)
{
    int done = 0;
    while (context->err == 0 && done == 0 && !is_over(context, until)) {
        struct timeval most = as_time(seconds_left(until, SILENT_SECONDS));
        if (redisSetTimeout(context, most) == REDIS_OK)
            (void)redisBufferWrite(context, &done);
    }
}

bool wire_send(wire *it, double until)
{
    if (it->tls == NULL)
        send_in_clear(it->context, until);
    else if (it->context->err == 0 &&
             !tls_write(it->tls, it->text, it->length, until))
        fail_by_tls(it);
    it->length = 0;
    return it->context->err == 0;
}

/* ---- receiving ---- */

/* Waits for bytes, and gives the reader those that are there. Returns how
 * many. */
static size_t read_in_clear(redisContext *context, double until)
{
    struct pollfd from = {.fd = context->fd, .events = POLLIN};
    double most = seconds_left(until, SILENT_SECONDS);
    size_t before = context->reader->len;
    int ready = poll(&from, 1, (int)(most * 1e3) + 1);
    if (ready < 0 && errno == EINTR)
        return 0;
    if (ready <= 0) {
        fail(context, REDIS_ERR_IO, "it does not answer");
        return 0;
    }
    return redisBufferRead(context) == REDIS_OK ? context->reader->len - before
                                                : 0;
}

static size_t read_by_tls(wire *it, double until)
{
    char bytes[READ_BYTES];
    size_t count = tls_read(it->tls, bytes, sizeof bytes, until);
    if (count == 0)
        fail_by_tls(it);
    else if (redisReaderFeed(it->context->reader, bytes, count) != REDIS_OK)
        fail(it->context, REDIS_ERR_OTHER, "out of memory");
    return count;
}

static void read_some(wire *it, double until, size_t *most_bytes)
{
    size_t had = it->tls == NULL ? read_in_clear(it->context, until)
                                 : read_by_tls(it, until);
    if (it->context->err == 0 && had > *most_bytes)
        fail(it->context, REDIS_ERR_PROTOCOL, "more bytes than were asked for");
    else
        *most_bytes -= had < *most_bytes ? had : *most_bytes;
}

redisReply *wire_receive(wire *it, double until, size_t *most_bytes)
{
    redisContext *context = it->context;
    void *reply = NULL;
    while (context->err == 0) {
        if (redisGetReplyFromReader(context, &reply) != REDIS_OK)
            break;
        if (reply != NULL)
            return reply;
        if (!is_over(context, until))
            read_some(it, until, most_bytes);
    }
    if (context->err == REDIS_ERR_OOM)
        fail(context, REDIS_ERR_PROTOCOL, "an array that is too long");
    return NULL;
}

bool wire_is_nonsense(const wire *it)
{
    return it->context->err == REDIS_ERR_PROTOCOL;
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
