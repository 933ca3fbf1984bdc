/*
 * url_normalise.c - the contract of seenset_url_normalise: the room that it
 * asks for, its arguments, and the reasons that it gives.
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seenset/url.h"
#include "support.h"

/* The normal form of a text, "" if it has none. */
static const char *form_of(const char *text)
{
    static char out[200];
    size_t len = sizeof out - 1;
    const char *reason;
    int error = seenset_url_normalise(text, strlen(text), out, &len, &reason);
    out[error == SEENSET_OK ? len : 0] = '\0';
    return out;
}

/* From A to Z in the host, and all hexadecimal digits. */
static void url_treats_letters_alike(void **state)
{
    char text[100], other[100];
    (void)state;
    for (char c = 'A'; c <= 'Z'; c++) {
        snprintf(text, sizeof text, "http://a%cb.example/%c", c, c);
        snprintf(other, sizeof other, "http://a%cb.example/%c", c | 0x20, c);
        assert_string_equal(form_of(text), other);
        snprintf(text, sizeof text, "http://a%cb.example/%c", c | 0x20, c);
        assert_string_equal(form_of(text), other);
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        snprintf(text, sizeof text, "http://a.example/%%%02x", byte);
        snprintf(other, sizeof other, "http://a.example/%%%02X", byte);
        char *form = strdup(form_of(text));
        assert_string_equal(form, form_of(other));
        assert_true(strlen(form) > 0);
        free(form);
    }
}

static void url_asks_for_room(void **state)
{
    static const char url[] = "HTTP://EXAMPLE.com/ ";
    static const char normal[] = "http://example.com/";
    char out[sizeof normal];
    size_t len = sizeof normal - 2;
    (void)state;
    memset(out, 'x', sizeof out);
    assert_int_equal(
        seenset_url_normalise(url, sizeof url - 1, out, &len, NULL),
        SEENSET_ESPACE);
    assert_int_equal(len, sizeof normal - 1);
    for (size_t i = 0; i < sizeof out; i++)
        assert_int_equal(out[i], 'x');
    assert_int_equal(
        seenset_url_normalise(url, sizeof url - 1, out, &len, NULL), 0);
    assert_int_equal(len, sizeof normal - 1);
    assert_memory_equal(out, normal, len);
    assert_int_equal(out[len], 'x');
    len = 0;
    assert_int_equal(
        seenset_url_normalise(url, sizeof url - 1, NULL, &len, NULL),
        SEENSET_ESPACE);
    assert_int_equal(len, sizeof normal - 1);
}

static void url_checks_its_arguments(void **state)
{
    char out[300];
    size_t len = sizeof out;
    (void)state;
    assert_int_equal(seenset_url_normalise(NULL, 1, out, &len, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_url_normalise("a", 1, NULL, &len, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_url_normalise("a", 1, out, NULL, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_url_normalise(NULL, 0, out, &len, NULL),
                     SEENSET_EURL);
    assert_int_equal(len, sizeof out);
}

static void url_says_why(void **state)
{
    static const char *const cases[][2] = {
        {"ftp://h/", "it does not begin with http: or https:"},
        {"/a", "it does not begin with http: or https:"},
        {"http:\x1a//h", "the host has a character that is not allowed"},
        {"h\x1attp://h", "it does not begin with http: or https:"},
        {"http\x1a//h", "it does not begin with http: or https:"},
        {"http:///", "there is no host"},
        {"http://u@/", "there is no host"},
        {"http://h:8x/", "the port is not a number"},
        {"http://h:65536/", "the port is over 65535"},
        {"http://a b/", "the host has a character that is not allowed"},
        {"http://a%00b/", "the host has a character that is not allowed"},
        {"http://1.2.3.256/", "the host ends in a number but is not an IPv4 "
                              "address"},
        {"http://[::g]/", "there is not an IPv6 address in the brackets"},
        {"http://[::1/", "there is not an IPv6 address in the brackets"},
        {"http://xn--0.com/", "the host is not a valid international name"},
        /* a symbol beside what only non-transitional processing keeps */
        {"http://\u2603.\u00DF/", "the host is not a valid international name"},
        {"http://\u2603.\u03C2/", "the host is not a valid international name"},
        {"http://\u2603.\u0646\u0627\u0645\u0647\u200C\u0627\u06CC/",
         "the host is not a valid international name"},
        {"http://\u2603.\u0915\u094D\u200D\u0937/",
         "the host is not a valid international name"},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        char out[300];
        size_t len = sizeof out;
        const char *reason = NULL;
        assert_int_equal(seenset_url_normalise(cases[i][0], strlen(cases[i][0]),
                                               out, &len, &reason),
                         SEENSET_EURL);
        assert_string_equal(reason, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(url_treats_letters_alike),
        cmocka_unit_test(url_asks_for_room),
        cmocka_unit_test(url_checks_its_arguments),
        cmocka_unit_test(url_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
