/* tls.c - see tls.h. Where there is no OpenSSL, tls_none.c is in its place. */
#define _GNU_SOURCE /* MSG_DONTWAIT */
#include "crawl/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "command.h"
#include "report/complain.h"
#include "stream/clock.h"

enum {
    PIECE_BYTES = 16384, /* the most that a record of TLS has */
    WHY_BYTES = 240
};

#define SILENT_SECONDS 15.0 /* as in wire.c */

struct tls_setup {
    SSL_CTX *context;
    const tls_options *options;
};

struct tls_stream {
    SSL *ssl;
    BIO *in, *out; /* what came and is not read, and what is to be sent */
    int socket;
    bool is_final;
    char why[WHY_BYTES]; /* "": nothing failed */
};

/* ---- what is asked for ---- */

/* The text of the last error of OpenSSL. */
static const char *last_error(void)
{
    const char *text = ERR_reason_error_string(ERR_peek_last_error());
    return text != NULL ? text : "no reason was given";
}

static int complain_of_file(const char *option, const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0)
        complain("%s %s: %s", option, path, strerror(errno));
    else
        complain("%s %s: %s", option, path, last_error());
    return COMMAND_ERROR;
}

static bool is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static int load_authority(SSL_CTX *context, const char *path)
{
    bool is_dir = path != NULL && is_folder(path);
    int done = path == NULL
                   ? SSL_CTX_set_default_verify_paths(context)
                   : SSL_CTX_load_verify_locations(
                         context, is_dir ? NULL : path, is_dir ? path : NULL);
    if (done == 1)
        return 0;
    return complain_of_file("--tls-ca", path == NULL ? "of the system" : path);
}

static int load_own(SSL_CTX *context, const tls_options *options)
{
    if (options->certificate == NULL)
        return 0;
    if (SSL_CTX_use_certificate_chain_file(context, options->certificate) != 1)
        return complain_of_file("--tls-cert", options->certificate);
    if (SSL_CTX_use_PrivateKey_file(context, options->key, SSL_FILETYPE_PEM) !=
            1 ||
        SSL_CTX_check_private_key(context) != 1)
        return complain_of_file("--tls-key", options->key);
    return 0;
}

/* A key with a passphrase would be asked for at a terminal. */
static int no_passphrase(char *out, int size, int is_write, void *context)
{
    (void)out, (void)size, (void)is_write, (void)context;
    return 0;
}

static int set_up(SSL_CTX *context, const tls_options *options)
{
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    SSL_CTX_set_mode(context, SSL_MODE_AUTO_RETRY);
    ERR_clear_error();
    int status = load_authority(context, options->authority);
    return status == 0 ? load_own(context, options) : status;
}

int tls_setup_new(tls_setup **out, const tls_options *options)
{
    if ((options->certificate == NULL) != (options->key == NULL)) {
        complain("--tls-cert and --tls-key belong together: give both or none");
        return COMMAND_ERROR;
    }
    tls_setup *setup = calloc(1, sizeof *setup);
    if (setup != NULL)
        setup->context = SSL_CTX_new(TLS_client_method());
    int status = COMMAND_ERROR;
    if (setup == NULL || setup->context == NULL)
        complain("out of memory");
    else
        status = set_up(setup->context, options);
    if (status != 0) {
        tls_setup_free(setup);
        return status;
    }
    setup->options = options;
    *out = setup;
    return 0;
}

void tls_setup_free(tls_setup *setup)
{
    if (setup == NULL)
        return;
    SSL_CTX_free(setup->context);
    free(setup);
}

/* ---- failures ---- */

const char *tls_why(const tls_stream *stream)
{
    return stream->why[0] == '\0' ? NULL : stream->why;
}

bool tls_is_final(const tls_stream *stream)
{
    return stream->is_final;
}

static bool fail(tls_stream *stream, bool is_final, const char *why)
{
    stream->is_final = is_final;
    snprintf(stream->why, sizeof stream->why, "%s", why);
    return false;
}

/* Of a call of OpenSSL that wants nothing: it was refused, here or there. */
static bool fail_by_ssl(tls_stream *stream, int error)
{
    char why[WHY_BYTES];
    long verdict = SSL_get_verify_result(stream->ssl);
    if (error == SSL_ERROR_ZERO_RETURN)
        return fail(stream, false, "the server closed the connection");
    if (verdict != X509_V_OK)
        snprintf(why, sizeof why,
                 "its certificate is not accepted: %.150s (--tls-ca, "
                 "--tls-name)",
                 X509_verify_cert_error_string(verdict));
    else if (ERR_GET_REASON(ERR_peek_last_error()) ==
             SSL_R_WRONG_VERSION_NUMBER)
        snprintf(why, sizeof why, "it does not speak TLS at that port");
    else
        snprintf(why, sizeof why, "TLS failed: %.150s", last_error());
    return fail(stream, true, why);
}

/* ---- bytes on the wire ---- */

/* Waits until the socket is ready. */
static bool await(tls_stream *stream, short events, double until)
{
    struct pollfd at = {.fd = stream->socket, .events = events};
    for (;;) {
        double left = until - clock_steady_seconds();
        if (!(left > 0))
            return fail(stream, false, "it does not answer");
        left = left < SILENT_SECONDS ? left : SILENT_SECONDS;
        int ready = poll(&at, 1, (int)(left * 1e3) + 1);
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return fail(stream, false, "it does not answer");
    }
}

static bool must_wait(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static bool send_all(tls_stream *stream, const char *bytes, size_t count,
                     double until)
{
    while (count > 0) {
        ssize_t sent =
            send(stream->socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && !must_wait(errno))
            return fail(stream, false, strerror(errno));
        if (sent < 0 && !await(stream, POLLOUT, until))
            return false;
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        }
    }
    return true;
}

/* Sends what OpenSSL has made. */
static bool flush(tls_stream *stream, double until)
{
    char piece[PIECE_BYTES];
    int count;
    while ((count = BIO_read(stream->out, piece, sizeof piece)) > 0)
        if (!send_all(stream, piece, (size_t)count, until))
            return false;
    return true;
}

/* Gives OpenSSL what comes next. */
static bool fill(tls_stream *stream, double until)
{
    char piece[PIECE_BYTES];
    ssize_t count;
    do {
        if (!await(stream, POLLIN, until))
            return false;
        count = recv(stream->socket, piece, sizeof piece, MSG_DONTWAIT);
    } while (count < 0 && must_wait(errno));
    if (count < 0)
        return fail(stream, false, strerror(errno));
    if (count == 0)
        return fail(stream, false, "the server closed the connection");
    return BIO_write(stream->in, piece, (int)count) == count ||
           fail(stream, false, "out of memory");
}

/* After a call of OpenSSL: whether to call it again. */
static bool go_on(tls_stream *stream, int result, double until)
{
    int error = SSL_get_error(stream->ssl, result);
    bool is_wanting =
        error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    /* An alert is sent, too: the other side is told why. */
    if (!flush(stream, until))
        return false;
    if (!is_wanting)
        return fail_by_ssl(stream, error);
    return error == SSL_ERROR_WANT_WRITE || fill(stream, until);
}

/* ---- calls ---- */

/* The server is to show this name, and is told it, if it is one; or this
 * address. */
static bool expect(SSL *ssl, const char *name)
{
    unsigned char address[sizeof(struct in6_addr)];
    bool is_address = inet_pton(AF_INET, name, address) == 1 ||
                      inet_pton(AF_INET6, name, address) == 1;
    if (is_address)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1;
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(ssl, name) == 1 &&
           SSL_set_tlsext_host_name(ssl, name) == 1;
}

static bool start(tls_stream *stream, const tls_setup *setup, const char *host)
{
    const char *name = setup->options->name;
    stream->ssl = SSL_new(setup->context);
    stream->in = BIO_new(BIO_s_mem());
    stream->out = BIO_new(BIO_s_mem());
    if (stream->ssl == NULL || stream->in == NULL || stream->out == NULL ||
        !expect(stream->ssl, name != NULL ? name : host)) {
        BIO_free(stream->in);
        BIO_free(stream->out);
        return false;
    }
    SSL_set_bio(stream->ssl, stream->in, stream->out); /* now they are its */
    return true;
}

tls_stream *tls_begin(const tls_setup *setup, int socket, const char *host,
                      double until)
{
    tls_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL)
        return NULL;
    stream->socket = socket;
    ERR_clear_error();
    if (!start(stream, setup, host)) {
        tls_free(stream);
        return NULL;
    }
    int result;
    do {
        ERR_clear_error();
        result = SSL_connect(stream->ssl);
    } while (result != 1 && go_on(stream, result, until));
    if (result == 1)
        (void)flush(stream, until);
    return stream;
}

void tls_free(tls_stream *stream)
{
    if (stream == NULL)
        return;
    SSL_free(stream->ssl);
    free(stream);
}

bool tls_write(tls_stream *stream, const char *bytes, size_t count,
               double until)
{
    while (count > 0) {
        int piece = count < PIECE_BYTES ? (int)count : PIECE_BYTES;
        ERR_clear_error();
        int sent = SSL_write(stream->ssl, bytes, piece);
        if (sent <= 0) {
            if (!go_on(stream, sent, until))
                return false;
            continue;
        }
        if (!flush(stream, until))
            return false;
        bytes += sent;
        count -= (size_t)sent;
    }
    return true;
}

size_t tls_read(tls_stream *stream, char *bytes, size_t room, double until)
{
    int most = room < PIECE_BYTES ? (int)room : PIECE_BYTES, count;
    do {
        ERR_clear_error();
        count = SSL_read(stream->ssl, bytes, most);
        if (count > 0)
            return (size_t)count;
    } while (go_on(stream, count, until));
    return 0;
}
