/*
 * fuzz_url.c - any bytes at all, as a URL.
 *
 * What is accepted comes out as a strict URI in ASCII that is its own normal
 * form, whatever room it was given; too little room changes nothing. The rest
 * is refused as no URL, and never for lack of memory. What is recognised at
 * sight comes out as it does the long way.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "url/normalise.h"
#include "url/text.h"

/* Normalises into room of exactly that size. */
static int normalise(const void *url, size_t url_len, char **out,
                     size_t *out_len)
{
    const char *reason = NULL;
    *out = malloc(*out_len + 1);
    fuzz_must(*out != NULL, "there is memory for a URL");
    memset(*out, '#', *out_len + 1);
    int error = seenset_url_normalise(url, url_len, *out, out_len, &reason);
    fuzz_must((error == SEENSET_EURL) == (reason != NULL),
              "a refusal, and nothing else, has a reason");
    return error;
}

static bool is_uri_character(char c)
{
    return c > ' ' && c < 0x7f && strchr("\"#<>\\^`{|}", c) == NULL;
}

static bool is_escape_normal(const char *text, size_t len)
{
    return ss_url_is_escape(text, len) && (text[1] < 'a' || text[1] > 'f') &&
           (text[2] < 'a' || text[2] > 'f');
}

static void check_form(const char *url, size_t len)
{
    bool is_http = len > 7 && memcmp(url, "http://", 7) == 0;
    bool is_https = len > 8 && memcmp(url, "https://", 8) == 0;
    fuzz_must(is_http || is_https, "a URL begins with its scheme");
    const char *host = url + (is_https ? 8 : 7);
    const char *end = url + len,
               *path = memchr(host, '/', (size_t)(end - host));
    fuzz_must(path != NULL && path > host, "a URL has a host and a path");
    for (const char *c = path - 1; c >= host && *c != '@'; c--)
        fuzz_must(*c < 'A' || *c > 'Z', "a host is in lower case");
    for (size_t i = 0; i < len; i++) {
        fuzz_must(is_uri_character(url[i]), "a URL is of URI characters");
        fuzz_must(url[i] != '%' || is_escape_normal(url + i, len - i),
                  "an escape is two digits in upper case");
    }
    fuzz_must(len <= SEENSET_URL_MAX_BYTES, "a URL is no longer than allowed");
}

static void check_again(const char *url, size_t len)
{
    char *again;
    size_t again_len = len;
    fuzz_must(normalise(url, len, &again, &again_len) == SEENSET_OK,
              "a normal form is a URL, and fits where it was");
    if (FUZZ_IS_PLANTED)
        again[again_len - 1] ^= 1;
    fuzz_must(again_len == len && memcmp(again, url, len) == 0,
              "a normal form is its own normal form");
    free(again);
}

/* One byte less than is needed: told so, and nothing is written. */
static void check_room(const void *url, size_t url_len, size_t needed)
{
    char *out;
    size_t len = needed - 1;
    fuzz_must(normalise(url, url_len, &out, &len) == SEENSET_ESPACE &&
                  len == needed,
              "too little room tells what is needed");
    for (size_t i = 0; i < needed; i++)
        fuzz_must(out[i] == '#', "an error leaves the output alone");
    free(out);
}

/* The long way has the same end, and leaves a normal form as it is. */
static void check_long_way(const void *url, size_t url_len, int error,
                           const char *form, size_t form_len)
{
    const char *reason = NULL;
    size_t len = SS_URL_ROOM_BYTES(url_len);
    char *out = malloc(len);
    fuzz_must(out != NULL, "there is memory for a URL");
    fuzz_must(ss_url_rewrite(url, url_len, out, &len, &reason) == error,
              "the long way takes and refuses the same");
    if (error == SEENSET_OK)
        fuzz_must(len == form_len && memcmp(out, form, len) == 0,
                  "the long way leads to the same form");
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    char *out;
    size_t room = SS_URL_ROOM_BYTES(size_bytes), len = room;
    int error = normalise(data, size_bytes, &out, &len);
    fuzz_must(error == SEENSET_OK || error == SEENSET_EURL,
              "bytes are a URL or none");
    check_long_way(data, size_bytes, error, out, len);
    if (error == SEENSET_OK) {
        check_long_way(out, len, SEENSET_OK, out, len);
        fuzz_must(len <= room, "a URL fits the room that is always enough");
        check_form(out, len);
        check_again(out, len);
        check_room(data, size_bytes, len);
    }
    free(out);
    return 0;
}
