/* url_site.c - the site of a URL: its host, with its port, its domain */
#include <string.h>

#include "seenset/url.h"
#include "support.h"

typedef struct row {
    const char *url, *host, *host_port, *domain;
} row;

static const row rows[] = {
    {"http://www.example.co.uk/a", "www.example.co.uk", "www.example.co.uk",
     "example.co.uk"},
    {"http://a.b.c.example.com", "a.b.c.example.com", "a.b.c.example.com",
     "example.com"},
    {"https://me.github.io/a//b", "me.github.io", "me.github.io",
     "me.github.io"},
    {"https://x.me.github.io?q=http://y/", "x.me.github.io", "x.me.github.io",
     "me.github.io"},
    {"http://github.io/", "github.io", "github.io", "github.io"},
    {"http://co.uk/", "co.uk", "co.uk", "co.uk"},
    {"http://localhost:8080/", "localhost", "localhost:8080", "localhost"},
    {"http://a.b.unknown-suffix/", "a.b.unknown-suffix", "a.b.unknown-suffix",
     "b.unknown-suffix"},
    /* ports */
    {"http://a.example:80/", "a.example", "a.example", "a.example"},
    {"HTTP://a.example:080/", "a.example", "a.example", "a.example"},
    {"https://a.example:443", "a.example", "a.example", "a.example"},
    {"https://a.example:80", "a.example", "a.example:80", "a.example"},
    {"http://a.example:443#f", "a.example", "a.example:443", "a.example"},
    {"ws://a.example:80", "a.example", "a.example", "a.example"},
    {"wss://a.example:443", "a.example", "a.example", "a.example"},
    {"ftp://a.example:21/f", "a.example", "a.example", "a.example"},
    {"http://a.example:/", "a.example", "a.example", "a.example"},
    {"http://a.example:65616/", "a.example", "a.example:65616", "a.example"},
    {"http://a.example:99999999999999999999/", "a.example",
     "a.example:99999999999999999999", "a.example"},
    {"gopher://a.example:70/", "a.example", "a.example:70", "a.example"},
    {"http://a.example:8x/", "a.example:8x", "a.example:8x", "a.example:8x"},
    /* users, and what ends a host */
    {"http://u:p@www.example.org:8080/x@y", "www.example.org",
     "www.example.org:8080", "example.org"},
    {"http://u@v@www.example.org/", "www.example.org", "www.example.org",
     "example.org"},
    {"http://a.example?b@c.example", "a.example", "a.example", "a.example"},
    {"http://a.example#b@c.example", "a.example", "a.example", "a.example"},
    {"http://a.example\\@c.example", "a.example", "a.example", "a.example"},
    /* addresses */
    {"http://192.0.2.7:81/", "192.0.2.7", "192.0.2.7:81", "192.0.2.7"},
    {"http://192.0.2.7./", "192.0.2.7.", "192.0.2.7.", "192.0.2.7."},
    {"http://0x7f.1/", "0x7f.1", "0x7f.1", "0x7f.1"},
    {"http://[2001:db8::7]/", "[2001:db8::7]", "[2001:db8::7]",
     "[2001:db8::7]"},
    {"http://[2001:db8::7]:8080/", "[2001:db8::7]", "[2001:db8::7]:8080",
     "[2001:db8::7]"},
    /* spelling */
    {"HTTP://WWW.Example.CO.UK/", "WWW.Example.CO.UK", "WWW.Example.CO.UK",
     "Example.CO.UK"},
    {"http://www.example.org./", "www.example.org.", "www.example.org.",
     "example.org."},
    {"http://www.b\xC3\xBC"
     "cher.example.de/",
     "www.b\xC3\xBC"
     "cher.example.de",
     "www.b\xC3\xBC"
     "cher.example.de",
     "example.de"},
    {"http://www.xn--bcher-kva.de/", "www.xn--bcher-kva.de",
     "www.xn--bcher-kva.de", "xn--bcher-kva.de"},
    {"http://www.food.xn--fiqs8s/", "www.food.xn--fiqs8s",
     "www.food.xn--fiqs8s", "food.xn--fiqs8s"},
    /* none, and what is not a URL */
    {"file:///etc/hosts", "", "", ""},
    {"http://", "", "", ""},
    {"http://user@/", "", "", ""},
    {"", "", "", ""},
    {"mailto:a@example.org", "mailto:a@example.org", "mailto:a@example.org",
     "mailto:a@example.org"},
    {"www.example.org/", "www.example.org/", "www.example.org/",
     "www.example.org/"},
    {"//www.example.org/", "//www.example.org/", "//www.example.org/",
     "//www.example.org/"},
    {":", ":", ":", ":"},
    {"a:/", "a:/", "a:/", "a:/"},
};

/* Whether the site of the URL is this text. */
static bool is_site(const char *url, seenset_url_site_kind kind,
                    const char *site)
{
    size_t start = 99, len = 99;
    assert_int_equal(seenset_url_site(url, strlen(url), kind, &start, &len),
                     SEENSET_OK);
    assert_true(start <= strlen(url) && len <= strlen(url) - start);
    return len == strlen(site) && memcmp(url + start, site, len) == 0;
}

static bool has_domains(void)
{
    size_t start, len;
    return seenset_url_site("http://a.b/", 11, SEENSET_URL_SITE_DOMAIN, &start,
                            &len) == SEENSET_OK;
}

static void rows_have_their_sites(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        const row *at = &rows[i];
        if (!is_site(at->url, SEENSET_URL_SITE_HOST, at->host))
            fail_msg("another host: %s", at->url);
        if (!is_site(at->url, SEENSET_URL_SITE_HOST_PORT, at->host_port))
            fail_msg("another host and port: %s", at->url);
        if (has_domains() &&
            !is_site(at->url, SEENSET_URL_SITE_DOMAIN, at->domain))
            fail_msg("another domain: %s", at->url);
    }
}

/* Planted: the check sees a site that is a byte longer, and another one. */
static void the_check_sees_another_site(void **state)
{
    (void)state;
    assert_false(
        is_site("http://a.example/", SEENSET_URL_SITE_HOST, "a.example/"));
    assert_false(
        is_site("http://a.example/", SEENSET_URL_SITE_HOST, "b.example"));
}

/* Bytes that are no text, and names longer than any. */
static void any_bytes_have_a_site(void **state)
{
    char url[1000];
    size_t start, len;
    (void)state;
    memset(url, 'a', sizeof url);
    memcpy(url, "http://", 7);
    for (int kind = 0; kind < 3; kind++) {
        if (kind == SEENSET_URL_SITE_DOMAIN && !has_domains())
            continue;
        assert_int_equal(seenset_url_site(url, sizeof url,
                                          (seenset_url_site_kind)kind, &start,
                                          &len),
                         SEENSET_OK);
        assert_int_equal(start, 7);
        assert_int_equal(len, sizeof url - 7);
        assert_int_equal(seenset_url_site("http://a\0b.c/", 13,
                                          (seenset_url_site_kind)kind, &start,
                                          &len),
                         SEENSET_OK);
        assert_int_equal(start, 7);
        assert_int_equal(len, 1);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    size_t start = 7, len = 8;
    (void)state;
    assert_int_equal(
        seenset_url_site(NULL, 1, SEENSET_URL_SITE_HOST, &start, &len),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_url_site("a", 1, SEENSET_URL_SITE_HOST, NULL, &len),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_url_site("a", 1, SEENSET_URL_SITE_HOST, &start, NULL),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_url_site("a", 1, (seenset_url_site_kind)3, &start, &len),
        SEENSET_EINVAL);
    assert_int_equal(start, 7);
    assert_int_equal(len, 8);
    assert_int_equal(
        seenset_url_site(NULL, 0, SEENSET_URL_SITE_HOST, &start, &len),
        SEENSET_OK);
    assert_int_equal(start, 0);
    assert_int_equal(len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_their_sites),
        cmocka_unit_test(the_check_sees_another_site),
        cmocka_unit_test(any_bytes_have_a_site),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
