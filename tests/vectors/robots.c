/*
 * robots.c - robots.h of examples/ beside the examples of RFC 9309 (sections
 * 2.2.1 to 2.2.3 and 5), beside a matcher of a few lines, and files that make
 * no sense or are hostile.
 */
#define _GNU_SOURCE /* strncasecmp */
#include <ctype.h>

#include "../../examples/robots.h"

#include "support.h"

#define AGENT "ExampleBot"
#define SITE "http://a.example:8080"

static robots read_text(const char *text)
{
    robots it = {0};
    assert_int_equal(robots_read(&it, text, strlen(text), AGENT), 0);
    return it;
}

/* Asks for each path of a list that ends with NULL; all must be allowed, or all
 * forbidden. */
static void assert_all(const char *text, bool is_allowed,
                       const char *const *paths)
{
    robots it = read_text(text);
    for (; *paths != NULL; paths++) {
        char url[200];
        (void)snprintf(url, sizeof url, "%s%s", SITE, *paths);
        if (robots_allow(&it, url) != is_allowed)
            print_message("%s\n%s\n", text, url);
        assert_int_equal(robots_allow(&it, url), is_allowed);
    }
    robots_free(&it);
}

#define ALLOWS(text, ...)                                                      \
    assert_all(text, true, (const char *const[]){__VA_ARGS__, NULL})
#define FORBIDS(text, ...)                                                     \
    assert_all(text, false, (const char *const[]){__VA_ARGS__, NULL})

static void groups_are_chosen_by_name(void **state)
{
    static const char several[] = "User-Agent: *\n"
                                  "Disallow: *.gif$\n"
                                  "Disallow: /example/\n"
                                  "Allow: /publications/\n"
                                  "\n"
                                  "User-Agent: foobot\n"
                                  "Disallow:/\n"
                                  "Allow:/example/page.html\n"
                                  "\n"
                                  "User-Agent: barbot\n"
                                  "User-Agent: examplebot/2.1 (+x)\n"
                                  "Disallow: /example/page.html\n"
                                  "\n"
                                  "User-Agent: quxbot\n";
    static const char merged[] = "user-agent: ExampleBot\n"
                                 "disallow: /foo\n"
                                 "disallow: /bar\n"
                                 "user-agent: BazBot\n"
                                 "disallow: /\n"
                                 "user-agent: EXAMPLEBOT\n"
                                 "disallow: /baz\n";
    static const char others[] = "User-agent: ExampleBot-News\n"
                                 "User-agent: Example\n"
                                 "User-agent: NotExampleBot\n"
                                 "Disallow: /\n";
    (void)state;
    FORBIDS(several, "/example/page.html");
    ALLOWS(several, "/", "/a.gif", "/example/", "/example/disallowed.gif");
    FORBIDS(merged, "/foo", "/bar", "/bazaar");
    ALLOWS(merged, "/", "/fo");
    ALLOWS(others, "/", "/a");
    FORBIDS("User-agent: *\nDisallow: /x\n", "/x", "/x?y");
    ALLOWS("Disallow: /x\n", "/x"); /* of no group */
    /* Only a rule ends the names. */
    FORBIDS("User-agent: ExampleBot\nCrawl-delay: 1\nUser-agent: b\n"
            "Sitemap: /s\nUser-agent: c\nDisallow: /\n",
            "/a");
    ALLOWS("User-agent: ExampleBot\nDisallow:\nUser-agent: b\n"
           "Disallow: /\n",
           "/a");
    ALLOWS("User-agent: ExampleBot\nUser-agent: *\nAllow: /\n"
           "User-agent: *\nDisallow: /\n",
           "/a");
}

static void the_longest_rule_decides(void **state)
{
    static const char rfc[] = "User-agent: ExampleBot\n"
                              "Allow: /example/page/\n"
                              "Disallow: /example/page/disallowed.gif\n";
    static const char draw[] = "User-agent: *\n"
                               "Disallow: /a/\n"
                               "Allow: /a/\n"
                               "Allow: /b/\n"
                               "Disallow: /b/\n";
    (void)state;
    FORBIDS(rfc, "/example/page/disallowed.gif");
    ALLOWS(rfc, "/example/page/", "/other");
    ALLOWS(draw, "/a/1", "/b/1");
    ALLOWS("User-agent: *\nDisallow: /\nAllow: /$\n", "/", "");
    FORBIDS("User-agent: *\nDisallow: /\nAllow: /$\n", "/a", "?a");
    FORBIDS("User-agent: *\nDisallow: /?x\n", "?x", "/?x");
    ALLOWS("User-agent: *\nDisallow: /?x\n", "", "#x", "?", "/a?x");
}

static void stars_and_ends_are_special(void **state)
{
    static const char text[] = "User-agent: *\n"
                               "Disallow: /*.gif$\n"
                               "Disallow: /this/*/exactly # not more\n"
                               "Disallow: /$x\n"
                               "Disallow: /*?session=\n";
    (void)state;
    FORBIDS(text, "/a.gif", "/a/b.gif.gif", "/this/path/exactly",
            "/this/a/b/exactly/c", "/$x", "/$xy", "/a?session=1");
    ALLOWS(text, "/a.gif?x", "/a.gifs", "/this/exactly", "/x", "/a?b");
    FORBIDS("User-agent: *\nDisallow: *\n", "/", "/a");
    ALLOWS("User-agent: *\nDisallow: /a$\n", "/a$", "/ab");
}

/* A byte, or an escape, at the start of a text, and how long that is. */
typedef struct unit {
    int byte;
    size_t len;
    bool is_escaped;
} unit;

static unit read_unit(const char *text)
{
    unsigned byte;
    if (sscanf(text, "%%%2x", &byte) == 1)
        return (unit){(int)byte, 3, true};
    return (unit){*text, 1, false};
}

/* Is it the same escaped and not? */
static bool is_same_escaped(int byte, bool is_in_query)
{
    return isalnum(byte) || (is_in_query && strchr(":/?@", byte) != NULL);
}

static bool are_equal(unit a, unit b, bool is_in_query)
{
    return a.byte == b.byte &&
           (a.is_escaped == b.is_escaped ||
            strchr("*$|", a.byte) != NULL || /* a URL has them escaped only */
            is_same_escaped(a.byte, is_in_query));
}

/* What a rule means, by trying all there is. What an escape means depends on
 * where in the URL it is. */
static bool means(const char *rule, const char *path, bool is_in_query)
{
    if (*rule == '\0' || strcmp(rule, "$") == 0)
        return *rule == '\0' || *path == '\0';
    unit wanted = read_unit(rule), found = read_unit(path);
    bool is_in_query_after = is_in_query || *path == '?';
    if (*rule == '*')
        return means(rule + 1, path, is_in_query) ||
               (*path != '\0' &&
                means(rule, path + found.len, is_in_query_after));
    return *path != '\0' && are_equal(wanted, found, is_in_query) &&
           means(rule + wanted.len, path + found.len, is_in_query_after);
}

/* Writes up to `most` of the words, which a zero ends, after the text. */
static void write_any(char *text, const char *const *words, uint64_t most,
                      test_random *random)
{
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    for (uint64_t n = test_random_below(random, most + 1); n > 0; n--)
        strcat(text, words[test_random_below(random, count)]);
}

static void compare_any(const char *const *rule, const char *const *path,
                        unsigned least_matched)
{
    const unsigned rounds = 200000;
    unsigned matched = 0;
    test_random random = {.state = 9309};
    for (unsigned i = 0; i < rounds; i++) {
        char text[80] = "User-agent: *\nDisallow: /", url[80] = SITE "/";
        write_any(text, rule, 7, &random);
        write_any(url, path, 9, &random);
        if (test_random_below(&random, 3) == 0)
            strcat(text, "$");
        robots it = read_text(text);
        bool expected = means(strchr(text, '/'), url + strlen(SITE), false);
        if (robots_allow(&it, url) == expected)
            fail_msg("%s, %s", text, url);
        matched += expected;
        robots_free(&it);
    }
    assert_in_range(matched, least_matched, rounds - least_matched);
}

static void rules_mean_what_all_ways_show(void **state)
{
    static const char *const letters[] = {"a", "b", NULL};
    static const char *const stars[] = {"a", "a", "b", "*", "*", "*", NULL};
    static const char *const several[] = {"a",   "?",   "?", ":", "%3A",
                                          "%3a", "/",   "$", "|", "%3F",
                                          "%2f", "%61", "*", NULL};
    static const char *const rules[] = {
        "a",   "?",   ":", "%3A", "%2F", "/", "$", "%24",
        "%2A", "%7C", "|", "%3f", "%61", "*", "*", "*",
        "*",   "*",   "*", "*",   "*",   "*", NULL};
    (void)state;
    compare_any(stars, letters, 50000);
    compare_any(rules, several, 20000);
}

/* Each rule would have to be tried at each place of the path, byte by byte:
 * a thousand million steps for one answer, and here are a hundred of them. */
static void hostile_rules_are_compared_once(void **state)
{
    enum {
        FILE_BYTES = 512 << 10,
        RULE_BYTES = 1000,
        PATH_BYTES = 2000,
        ANSWERS = 100
    };
    char *text = calloc(FILE_BYTES, 1);
    char url[sizeof SITE + PATH_BYTES + 1] = SITE "/";
    size_t len = 0;
    (void)state;
    assert_non_null(text);
    len += (size_t)sprintf(text, "User-agent: *\n");
    while (len + RULE_BYTES + 20 < FILE_BYTES) {
        len += (size_t)sprintf(text + len, "Disallow: *");
        memset(text + len, 'a', RULE_BYTES);
        len += RULE_BYTES;
        len += (size_t)sprintf(text + len, "b\n");
    }
    memset(url + strlen(url), 'a', PATH_BYTES);
    robots it = read_text(text);
    assert_true(it.count > 500);
    for (int i = 0; i < ANSWERS; i++)
        assert_true(robots_allow(&it, url));
    url[sizeof SITE + PATH_BYTES - 1] = 'b';
    assert_false(robots_allow(&it, url));
    robots_free(&it);
    free(text);
}

static void escapes_have_one_spelling(void **state)
{
    static const char rfc[] = "User-agent: *\n"
                              "Disallow: /foo/bar?baz=https://foo.bar\n"
                              "Disallow: /foo/bar/\xe3\x83\x84\n"
                              "Disallow: /foo/bar/%E3%83%85\n"
                              "Disallow: /foo/bar/%62%61%7A\n"
                              "Disallow: /a%2fb\n"
                              "Disallow: /100%\n";
    static const char special[] = "User-agent: *\n"
                                  "Disallow: /path/file-with-a-%2A.html\n"
                                  "Disallow: /path/foo-%24\n"
                                  "Disallow: /in$side\n";
    (void)state;
    FORBIDS(rfc, "/foo/bar?baz=https://foo.bar",
            "/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar/%E3%83%84",
            "/foo/bar/%e3%83%84", "/foo/bar/\xe3\x83\x85", "/foo/bar/baz",
            "/foo/%62ar/b%61z", "/a%2Fb", "/100%");
    ALLOWS(rfc, "/foo/bar/%E3%83", "/a/b", "/foo/bar/bay");
    FORBIDS(special, "/path/file-with-a-*.html", "/path/file-with-a-%2a.html",
            "/path/foo-$", "/path/foo-%24", "/in$side", "/in%24side");
    ALLOWS(special, "/path/file-with-a-b.html", "/path/foo-", "/in");
    FORBIDS("User-agent: *\nDisallow: /a?b=c%2Fd\n", "/a?b=c/d");
    FORBIDS("User-agent: *\nDisallow: /a*b\n", "/a**b");
    FORBIDS("User-agent: *\nDisallow: /{id}\nDisallow: /%3Ci%3E\n"
            "Disallow: /\"|^`\\\n",
            "/{id}", "/%7Bid%7D", "/<i>", "/%3ci%3E", "/\"|^`\\",
            "/%22%7C%5E%60%5C");
    FORBIDS("User-agent: *\nDisallow: /*%\n", "/100%", "/a%2Fb");
}

/* Whether an escape is in a query is known when it is compared. */
static void a_rule_is_found_as_it_is_in_the_url(void **state)
{
    (void)state;
    FORBIDS("User-agent: *\nDisallow: /*redirect=http%3A\n",
            "/go?redirect=http%3A%2F%2Fx", "/go?redirect=http://x",
            "/redirect=http%3A");
    FORBIDS("User-agent: *\nDisallow: *%2F\n", "/go?redirect=http%3A%2F%2Fx",
            "/a%2fb", "/a?/");
    ALLOWS("User-agent: *\nDisallow: /*%2F\n", "/a/b");
    FORBIDS("User-agent: *\nDisallow: /*%3F\n", "/a?b%3F", "/a?b?", "/a%3Fb");
    ALLOWS("User-agent: *\nDisallow: /*%3F\n", "/a?b");
    FORBIDS("User-agent: *\nDisallow: /*=%2F*%40*z%3A$\n", "/a?b=/@z%3A",
            "/a?b=%2F%40z:");
    FORBIDS("User-agent: *\nDisallow: /a%2Fb?c=%2F\n", "/a%2Fb?c=/");
    ALLOWS("User-agent: *\nDisallow: /a%2Fb?c=%2F\n", "/a/b?c=/");
}

static void delays_are_those_of_the_group(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } rows[] = {{"User-agent: *\nCrawl-delay: 2.5\n", 2.5},
                {"User-agent: *\nCrawl-delay: 9\nDisallow:\n"
                 "User-agent: ExampleBot\n",
                 0},
                {"User-agent: ExampleBot\nCrawl-delay: 1\nAllow: /\n"
                 "User-agent: *\nCrawl-delay: 9\n",
                 1},
                {"User-agent: a\nCrawl-delay: 9\nUser-agent: ExampleBot\n"
                 "Crawl-delay: 2\nUser-agent: b\nAllow: /\n",
                 9},
                {"Crawl-delay: 9\nUser-agent: ExampleBot\n", 0},
                {"User-agent: *\nCrawl-delay: -1\n", 0},
                {"User-agent: *\nCrawl-delay: nan\n", 0},
                {"User-agent: *\nCrawl-delay: 1e300\n", 0},
                {"User-agent: *\nCrawl-delay: soon\n", 0}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        robots it = read_text(rows[i].text);
        assert_true(it.delay_seconds >= rows[i].seconds &&
                    it.delay_seconds <= rows[i].seconds);
        robots_free(&it);
    }
}

static void any_bytes_are_read(void **state)
{
    static const char bytes[] = "\xef\xbb\xbf"
                                "uSeR-aGeNt :\t* \t\r\r\n\n:\n#\n::\nDisallow\n"
                                "Sitemap: http://a.example/s\r"
                                "DISALLOW : /x \0\n%%%\nDisallow: /%";
    (void)state;
    for (size_t len = 0; len <= sizeof bytes; len++) {
        robots it = {0};
        char *exact = malloc(len + 1);
        assert_non_null(exact);
        memcpy(exact, bytes, len);
        assert_int_equal(robots_read(&it, exact, len, AGENT), 0);
        free(exact);
        (void)robots_allow(&it, SITE "/%");
        if (len == sizeof bytes - 1)
            assert_false(robots_allow(&it, SITE "/%25"));
        robots_free(&it);
    }
    ALLOWS("User-agent: *\nDisallow:\n", "/", "/a");
    ALLOWS("<html>not: found</html>", "/a");
    FORBIDS("User-agent: *\rDisallow: /x", "/x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_chosen_by_name),
        cmocka_unit_test(the_longest_rule_decides),
        cmocka_unit_test(stars_and_ends_are_special),
        cmocka_unit_test(rules_mean_what_all_ways_show),
        cmocka_unit_test(hostile_rules_are_compared_once),
        cmocka_unit_test(escapes_have_one_spelling),
        cmocka_unit_test(a_rule_is_found_as_it_is_in_the_url),
        cmocka_unit_test(delays_are_those_of_the_group),
        cmocka_unit_test(any_bytes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
