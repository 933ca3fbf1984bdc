/* url_host.c - hosts that are none: characters, numbers and brackets */
#include <string.h>

#include "seenset/url.h"
#include "support.h"

/* Bytes that no host has, from the first to the last of them. */
static void hosts_have_no_control_characters(void **state)
{
    (void)state;
    for (int c = 0x01; c <= 0x7f; c++) {
        char url[] = "http://a?b/", out[300];
        size_t out_len = sizeof out;
        const char *reason = NULL;
        if (c > ' ' && c < 0x7f)
            continue;
        if (c == '\t' || c == '\n' || c == '\r')
            continue; /* left out wherever they are */
        url[8] = (char)c;
        assert_int_equal(
            seenset_url_normalise(url, sizeof url - 1, out, &out_len, &reason),
            SEENSET_EURL);
        assert_string_equal(reason,
                            "the host has a character that is not allowed");
    }
}

/* A number that is the most so far, and goes on, is no address. */
static void addresses_end_at_2_to_the_32(void **state)
{
    char out[100];
    size_t out_len = sizeof out;
    (void)state;
    assert_int_equal(
        seenset_url_normalise("http://4294967295/", 18, out, &out_len, NULL),
        SEENSET_OK);
    assert_int_equal(out_len, strlen("http://255.255.255.255/"));
    assert_memory_equal(out, "http://255.255.255.255/", out_len);
    out_len = sizeof out;
    assert_int_equal(
        seenset_url_normalise("http://42949672950/", 19, out, &out_len, NULL),
        SEENSET_EURL);
}

/* The longest text that could be an address, and one byte more. */
static void long_addresses_are_refused(void **state)
{
    char url[100], out[300];
    (void)state;
    for (size_t length = 40; length < 60; length++) {
        size_t out_len = sizeof out;
        const char *reason = NULL;
        memset(url, ':', sizeof url);
        memcpy(url, "http://[", 8);
        memcpy(url + 8 + length, "]/", 2);
        assert_int_equal(
            seenset_url_normalise(url, length + 10, out, &out_len, &reason),
            SEENSET_EURL);
        assert_string_equal(reason,
                            "there is not an IPv6 address in the brackets");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_have_no_control_characters),
        cmocka_unit_test(addresses_end_at_2_to_the_32),
        cmocka_unit_test(long_addresses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
