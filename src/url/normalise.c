/*
 * normalise.c - from any spelling of a URL to its normal form.
 *
 *     "  HTTP://me@EXAMPLE.com:80\a\.\%7eb?x= y#top  "
 *      strip             spaces and controls at both ends, tabs and line ends
 *      split             scheme, userinfo, host, port, path, query
 *      escape            what RFC 3986 does not allow, as %XX; "\" is "/"
 *     "http://me@example.com/a/./%7eb?x=%20y"
 *      tidy              uriparser: dot segments, %7e is "~", %2f is %2F
 *     "http://me@example.com/a/~b?x=%20y"
 *
 * Splitting and escaping follow the URL standard of browsers, since the URLs
 * come from pages that were written for browsers. After that the text is a
 * strict RFC 3986 URI, which uriparser checks, since it accepts nothing else.
 * uriparser writes an IPv6 address in a form of its own, so host.c writes the
 * host, and the parts are put together here.
 *
 * One block of memory has the three texts: stripped, escaped, tidy. Most URLs
 * are in normal form already, and are only looked at: plain.c.
 */
#include "url/normalise.h"

#include <stdlib.h>
#include <string.h>

#include <uriparser/Uri.h>

#include "seenset/error.h"
#include "url/host.h"
#include "url/plain.h"
#include "url/text.h"

typedef struct span {
    const char *text;
    size_t len;
} span;

/* Text that is appended to; the room is known to be enough. */
typedef struct writer {
    char *text;
    size_t len;
} writer;

typedef struct parts {
    span scheme; /* "http" or "https" */
    span user;
    span password;
    span host;
    span port;
    span path;  /* empty, or begins with "/" or "\" */
    span query; /* NULL if there is none */
} parts;

static void put_char(writer *to, char c)
{
    to->text[to->len++] = c;
}

static void put(writer *to, span from)
{
    if (from.len > 0)
        memcpy(to->text + to->len, from.text, from.len);
    to->len += from.len;
}

static int refuse(const char **reason, const char *text)
{
    *reason = text;
    return SEENSET_EURL;
}

/* ---- strip ---- */

static span strip(const char *url, size_t len, char *out)
{
    size_t kept = 0;
    while (len > 0 && (unsigned char)url[len - 1] <= ' ')
        len--;
    while (len > 0 && (unsigned char)*url <= ' ') {
        url++;
        len--;
    }
    for (size_t i = 0; i < len; i++) {
        if (url[i] != '\t' && url[i] != '\n' && url[i] != '\r')
            out[kept++] = url[i];
    }
    return (span){out, kept};
}

/* ---- split ---- */

/* Removes the first len bytes from *from, and returns them. */
static span take(span *from, size_t len)
{
    span taken = {from->text, len};
    from->text += len;
    from->len -= len;
    return taken;
}

/* How many bytes there are before the first of the characters in stops. */
static size_t before(span text, const char *stops)
{
    size_t len = 0;
    while (len < text.len &&
           (text.text[len] == '\0' || strchr(stops, text.text[len]) == NULL))
        len++;
    return len;
}

/* Does it begin with this word, in any case, and a colon? */
static bool is_scheme(span text, span lower)
{
    if (text.len <= lower.len || text.text[lower.len] != ':')
        return false;
    for (size_t i = 0; i < lower.len; i++) {
        if ((text.text[i] | 0x20) != lower.text[i])
            return false;
    }
    return true;
}

/* After the scheme, any number of slashes of either kind is allowed, even 0. */
static int split_scheme(span *text, parts *out, const char **reason)
{
    static const span http = {"http", 4}, https = {"https", 5};
    if (is_scheme(*text, http))
        out->scheme = http;
    else if (is_scheme(*text, https))
        out->scheme = https;
    else
        return refuse(reason, "it does not begin with http: or https:");
    take(text, out->scheme.len + 1);
    while (text->len > 0 && (*text->text == '/' || *text->text == '\\'))
        take(text, 1);
    return 0;
}

/* user:password@ up to the last "@" of the authority */
static void split_user(span *authority, parts *out)
{
    size_t len = authority->len;
    while (len > 0 && authority->text[len - 1] != '@')
        len--;
    if (len == 0)
        return;
    span all = take(authority, len);
    all.len--;
    out->user = take(&all, before(all, ":"));
    if (all.len > 0) {
        take(&all, 1);
        out->password = all;
    }
}

/* host:port, where a host in brackets has colons of its own */
static void split_host(span authority, parts *out)
{
    size_t len = 0;
    bool is_inside = false;
    while (len < authority.len && (is_inside || authority.text[len] != ':')) {
        if (authority.text[len] == '[' || authority.text[len] == ']')
            is_inside = authority.text[len] == '[';
        len++;
    }
    out->host = take(&authority, len);
    if (authority.len > 0)
        take(&authority, 1);
    out->port = authority;
}

static int split(span text, parts *out, const char **reason)
{
    int error = split_scheme(&text, out, reason);
    if (error != 0)
        return error;
    text.len = before(text, "#");
    span authority = take(&text, before(text, "/\\?"));
    split_user(&authority, out);
    split_host(authority, out);
    out->path = take(&text, before(text, "?"));
    if (text.len > 0) {
        take(&text, 1);
        out->query = text;
    }
    return 0;
}

/* ---- escape ---- */

/* Characters that are not escaped, besides letters and digits. */
#define KEPT_IN_USER "-._~!$&'()*+,"
#define KEPT_IN_PATH "-._~!$&'()*+,;=:@/"
#define KEPT_IN_QUERY "-._~!$&()*+,;=:@/?"

static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static void escape(writer *to, span from, const char *kept)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < from.len; i++) {
        char c = from.text[i];
        if (is_alphanumeric(c) || (c != '\0' && strchr(kept, c) != NULL) ||
            ss_url_is_escape(from.text + i, from.len - i)) {
            put_char(to, c);
        } else {
            put_char(to, '%');
            put_char(to, digits[(unsigned char)c >> 4]);
            put_char(to, digits[(unsigned char)c & 15]);
        }
    }
}

/* In a path a backslash is a slash, as in browsers. */
static void escape_path(writer *to, span path)
{
    if (path.len == 0)
        put_char(to, '/');
    while (path.len > 0) {
        escape(to, take(&path, before(path, "\\")), KEPT_IN_PATH);
        if (path.len > 0) {
            put_char(to, '/');
            take(&path, 1);
        }
    }
}

static void escape_user(writer *to, const parts *from)
{
    if (from->user.len + from->password.len == 0)
        return;
    escape(to, from->user, KEPT_IN_USER);
    if (from->password.len > 0) {
        put_char(to, ':');
        escape(to, from->password, KEPT_IN_USER);
    }
    put_char(to, '@');
}

/* ":" and the port in the fewest digits; nothing if it is the default. */
static int put_port(writer *to, const parts *from, const char **reason)
{
    span port = from->port;
    unsigned number = 0;
    for (size_t i = 0; i < port.len; i++) {
        if (port.text[i] < '0' || port.text[i] > '9')
            return refuse(reason, "the port is not a number");
        number = number * 10 + (unsigned)(port.text[i] - '0');
        if (number > 65535)
            return refuse(reason, "the port is over 65535");
    }
    while (port.len > 1 && *port.text == '0')
        take(&port, 1);
    if (port.len > 0 && number != (from->scheme.len == 4 ? 80 : 443)) {
        put_char(to, ':');
        put(to, port);
    }
    return 0;
}

/* *origin becomes the host and port in the text. */
static int put_origin(writer *to, const parts *from, span *origin,
                      const char **reason)
{
    size_t start = to->len, host_len = 0;
    int error = ss_url_host_write(from->host.text, from->host.len,
                                  to->text + to->len, &host_len, reason);
    to->len += host_len;
    if (error == 0)
        error = put_port(to, from, reason);
    *origin = (span){to->text + start, to->len - start};
    return error;
}

static int put_escaped(writer *to, const parts *from, span *origin,
                       const char **reason)
{
    put(to, from->scheme);
    put(to, (span){"://", 3});
    escape_user(to, from);
    int error = put_origin(to, from, origin, reason);
    if (error != 0)
        return error;
    escape_path(to, from->path);
    if (from->query.text != NULL) {
        put_char(to, '?');
        escape(to, from->query, KEPT_IN_QUERY);
    }
    return 0;
}

/* ---- tidy ---- */

static span span_of(UriTextRangeA range)
{
    if (range.first == NULL)
        return (span){NULL, 0};
    return (span){range.first, (size_t)(range.afterLast - range.first)};
}

static void put_uri(writer *to, const UriUriA *uri, span origin)
{
    put(to, span_of(uri->scheme));
    put(to, (span){"://", 3});
    if (uri->userInfo.first != NULL) {
        put(to, span_of(uri->userInfo));
        put_char(to, '@');
    }
    put(to, origin);
    if (uri->pathHead == NULL)
        put_char(to, '/');
    for (UriPathSegmentA *at = uri->pathHead; at != NULL; at = at->next) {
        put_char(to, '/');
        put(to, span_of(at->text));
    }
    if (uri->query.first != NULL) {
        put_char(to, '?');
        put(to, span_of(uri->query));
    }
}

static int put_tidy(writer *to, span escaped, span origin, const char **reason)
{
    UriUriA uri;
    int result = uriParseSingleUriExA(&uri, escaped.text,
                                      escaped.text + escaped.len, NULL);
    if (result == URI_ERROR_MALLOC)
        return SEENSET_ENOMEM;
    if (result != URI_SUCCESS)
        return refuse(reason, "it is not a URI");
    /* If memory runs out while uriparser copies parts to normalise them, it
     * leaks. It does not copy parts that it owns. */
    result = uriMakeOwnerA(&uri);
    if (result == URI_SUCCESS)
        result = uriNormalizeSyntaxExA(&uri, URI_NORMALIZE_USER_INFO |
                                                 URI_NORMALIZE_PATH |
                                                 URI_NORMALIZE_QUERY);
    if (result == URI_SUCCESS)
        put_uri(to, &uri, origin);
    uriFreeUriMembersA(&uri);
    return result == URI_SUCCESS ? 0 : SEENSET_ENOMEM;
}

/* ---- all of it ---- */

static int make_tidy(span stripped, writer *escaped, writer *tidy,
                     const char **reason)
{
    parts found = {0};
    span origin;
    int error = split(stripped, &found, reason);
    if (error == 0)
        error = put_escaped(escaped, &found, &origin, reason);
    if (error == 0)
        error =
            put_tidy(tidy, (span){escaped->text, escaped->len}, origin, reason);
    return error;
}

static int copy_out(span from, char *out, size_t *out_bytes)
{
    size_t room = *out_bytes;
    *out_bytes = from.len;
    if (room < from.len)
        return SEENSET_ESPACE;
    memmove(out, from.text, from.len); /* out may be the URL itself */
    return 0;
}

int ss_url_rewrite(const char *url, size_t url_len, char *out,
                   size_t *out_bytes, const char **reason)
{
    static const char too_long[] = "it is longer than 65536 bytes";
    if (url_len > SEENSET_URL_MAX_BYTES)
        return refuse(reason, too_long);
    size_t room = SS_URL_ROOM_BYTES(url_len);
    char *memory = malloc(url_len + 2 * room);
    if (memory == NULL)
        return SEENSET_ENOMEM;
    writer escaped = {memory + url_len, 0};
    writer tidy = {memory + url_len + room, 0};
    int error = make_tidy(strip(url, url_len, memory), &escaped, &tidy, reason);
    if (error == 0 && tidy.len > SEENSET_URL_MAX_BYTES)
        error = refuse(reason, too_long);
    if (error == 0)
        error = copy_out((span){tidy.text, tidy.len}, out, out_bytes);
    free(memory);
    return error;
}

int seenset_url_normalise(const void *url, size_t url_len, char *out,
                          size_t *out_bytes, const char **reason)
{
    const char *unread;
    if (reason == NULL)
        reason = &unread;
    if (out_bytes == NULL || (url == NULL && url_len > 0) ||
        (out == NULL && *out_bytes > 0))
        return SEENSET_EINVAL;
    if (ss_url_is_plain(url, url_len))
        return copy_out((span){url, url_len}, out, out_bytes);
    return ss_url_rewrite(url, url_len, out, out_bytes, reason);
}
