/*
 * url.c - the normal form of URLs, against what Node makes of them.
 *
 * vectors/golden/ holds the URLs (urls.txt), what new URL() and a few stated
 * steps make of them (urls-expected.txt, from url_oracle.mjs), and where and
 * why seenset differs (urls-differences.txt).
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "url/normalise.h"
#include "url/plain.h"

enum {
    MUTATIONS = 100000 / TEST_STEP,
    LINES_MAX = 8000
};

/* ---- files of lines ---- */

typedef struct lines {
    char *bytes;
    size_t count;
    char *line[LINES_MAX]; /* without comments */
} lines;

static void lines_read(lines *out, const char *name)
{
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    snprintf(path, sizeof path, "%s/%s", SEENSET_TEST_GOLDEN, name);
    out->bytes = (char *)test_read_file(path, &size_bytes);
    out->bytes[size_bytes] = '\0';
    out->count = 0;
    char *save = NULL;
    char *line = strtok_r(out->bytes, "\n", &save);
    for (; line != NULL; line = strtok_r(NULL, "\n", &save)) {
        if (line[0] == '#')
            continue;
        assert_true(out->count < LINES_MAX);
        out->line[out->count++] = line;
    }
}

typedef struct golden {
    lines urls;
    lines expected;
    lines differences;
} golden;

static golden *golden_read(void)
{
    golden *files = malloc(sizeof *files);
    assert_non_null(files);
    lines_read(&files->urls, "urls.txt");
    lines_read(&files->expected, "urls-expected.txt");
    lines_read(&files->differences, "urls-differences.txt");
    assert_true(files->urls.count == files->expected.count);
    return files;
}

static void golden_free(golden *files)
{
    free(files->urls.bytes);
    free(files->expected.bytes);
    free(files->differences.bytes);
    free(files);
}

/* A line of urls.txt as bytes, from malloc and of that size exactly. */
static char *unquote(const char *line, size_t *len)
{
    char *url = malloc(strlen(line) + 1);
    assert_non_null(url);
    *len = 0;
    for (; *line != '\0'; line++) {
        unsigned value = (unsigned char)*line;
        if (*line == '\\' && *++line == 'x') {
            assert_int_equal(sscanf(line + 1, "%2x", &value), 1);
            line += 2;
        }
        url[(*len)++] = (char)value;
    }
    return url;
}

/* ---- the comparison ---- */

typedef int normaliser(const void *url, size_t url_len, char *out,
                       size_t *out_len, const char **reason);

/* What it makes of a line of urls.txt: a string from malloc, "!" if refused */
static char *normal_form(normaliser *normalise, const char *line)
{
    size_t url_len;
    char *url = unquote(line, &url_len);
    size_t out_len = SS_URL_ROOM_BYTES(url_len);
    char *out = malloc(out_len + 1);
    assert_non_null(out);
    int error = normalise(url, url_len, out, &out_len, NULL);
    assert_true(error == 0 || error == SEENSET_EURL);
    if (error != 0) {
        out[0] = '!';
        out_len = 1;
    }
    out[out_len] = '\0';
    free(url);
    return out;
}

/* Is "reason TAB line TAB ours" for one reason a line of the list? */
static bool is_listed(const lines *differences, const char *line,
                      const char *ours)
{
    size_t line_len = strlen(line);
    for (size_t i = 0; i < differences->count; i++) {
        const char *at = strchr(differences->line[i], '\t');
        assert_true(at != NULL && at > differences->line[i]);
        at++;
        if (strncmp(at, line, line_len) == 0 && at[line_len] == '\t')
            return strcmp(at + line_len + 1, ours) == 0;
    }
    return false;
}

/* How many URLs come out neither as expected nor as the list says, plus how
 * many lines of the list say what is no longer so. */
static size_t count_faults(const golden *files, normaliser *normalise,
                           bool is_shown)
{
    size_t faults = 0, differ = 0;
    for (size_t i = 0; i < files->urls.count; i++) {
        const char *line = files->urls.line[i];
        char *ours = normal_form(normalise, line);
        if (strcmp(ours, files->expected.line[i]) != 0) {
            bool is_known = is_listed(&files->differences, line, ours);
            differ += is_known;
            faults += !is_known;
            if (!is_known && is_shown)
                print_message("%s\n  expected %s\n  is %s\n", line,
                              files->expected.line[i], ours);
        }
        free(ours);
    }
    return faults + files->differences.count - differ;
}

static void url_is_what_browsers_make(void **state)
{
    golden *files = golden_read();
    (void)state;
    assert_true(files->urls.count >= 3000);
    assert_int_equal(count_faults(files, seenset_url_normalise, true), 0);
    golden_free(files);
}

/* Planted: one that forgets default ports, and one that adds no slash. */
static int forgets_port(const void *url, size_t url_len, char *out,
                        size_t *out_len, const char **reason)
{
    const char *at = url;
    size_t room = *out_len;
    int error = seenset_url_normalise(url, url_len, out, out_len, reason);
    if (error == 0 && url_len == 12 && memcmp(at, "http://h:80/", 12) == 0) {
        assert_true(room >= 12);
        memcpy(out, at, 12);
        *out_len = 12;
    }
    return error;
}

static int refuses_all(const void *url, size_t url_len, char *out,
                       size_t *out_len, const char **reason)
{
    (void)url, (void)url_len, (void)out, (void)out_len, (void)reason;
    return SEENSET_EURL;
}

static void url_comparison_can_fail(void **state)
{
    golden *files = golden_read();
    (void)state;
    assert_int_equal(count_faults(files, forgets_port, false), 1);
    assert_true(count_faults(files, refuses_all, false) > 2500);
    /* a difference that is not listed; a line that is stale */
    files->differences.count--;
    assert_int_equal(count_faults(files, seenset_url_normalise, false), 1);
    files->differences.line[files->differences.count++] =
        "hyphen\thttp://h:80/\t!";
    assert_int_equal(count_faults(files, seenset_url_normalise, false), 2);
    golden_free(files);
}

/* ---- what holds for any bytes ---- */

/* RFC 3986's characters; "%" only before two upper-case digits of which it
 * is not known that they spell an unreserved character. */
static bool is_strict(const char *text, size_t len)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP"
                                  "QRSTUVWXYZ0123456789-._~:/?[]@!$&'()*+,;=";
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '%') {
            unsigned value;
            if (i + 2 >= len || !strchr("0123456789ABCDEF", text[i + 1]) ||
                !strchr("0123456789ABCDEF", text[i + 2]))
                return false;
            sscanf(text + i + 1, "%2x", &value);
            if (value != 0 && strchr(allowed, (int)value) != NULL &&
                strchr(":/?[]@!$&'()*+,;=", (int)value) == NULL)
                return false;
        } else if (text[i] == '\0' || strchr(allowed, text[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* Does a segment of its path consist of one dot or two? */
static bool has_dots(const char *url, size_t len)
{
    const char *query = memchr(url, '?', len);
    const char *end = query != NULL ? query : url + len;
    for (const char *at = url; at < end; at++) {
        size_t dots = strspn(at + 1, ".");
        const char *after = at + 1 + dots;
        if (*at == '/' && (dots == 1 || dots == 2) && at[-1] != '/' &&
            (after >= end || *after == '/'))
            return true;
    }
    return false;
}

/* Checks what must hold for any bytes; they are read where ASan looks on. */
static int check_any(const char *url, size_t url_len)
{
    size_t room = SS_URL_ROOM_BYTES(url_len), len = room;
    char *copy = malloc(url_len + 1);
    char *out = malloc(room + 1);
    char *again = malloc(room);
    const char *reason = NULL;
    assert_true(copy != NULL && out != NULL && again != NULL);
    memcpy(copy, url, url_len);
    int error = seenset_url_normalise(copy, url_len, out, &len, &reason);
    if (error == 0) {
        assert_true(len <= room);
        out[len] = '\0';
        assert_true(strncmp(out, "http://", 7) == 0 ||
                    strncmp(out, "https://", 8) == 0);
        assert_true(is_strict(out, len) && !has_dots(out, len));
        size_t again_len = len; /* its own normal form, in exactly its room */
        assert_int_equal(ss_url_rewrite(out, len, again, &again_len, &reason),
                         0);
        assert_true(again_len == len && memcmp(again, out, len) == 0);
    } else {
        assert_int_equal(error, SEENSET_EURL);
        assert_true(reason != NULL && strlen(reason) > 10);
    }
    free(again);
    free(out);
    free(copy);
    return error;
}

static void url_is_its_own_normal_form(void **state)
{
    golden *files = golden_read();
    size_t accepted = 0;
    (void)state;
    for (size_t i = 0; i < files->urls.count; i++) {
        size_t len;
        char *url = unquote(files->urls.line[i], &len);
        accepted += check_any(url, len) == 0;
        free(url);
    }
    assert_true(accepted > 2500);
    golden_free(files);
    /* planted: the checks know what is not strict */
    assert_false(is_strict("http://h/%7E", 12));
    assert_false(is_strict("http://h/%2f", 12));
    assert_false(is_strict("http://h/%2", 11));
    assert_false(is_strict("http://h/ ", 10));
    assert_true(is_strict("http://h/%2F", 12));
    assert_true(has_dots("http://h/a/..", 13));
    assert_true(has_dots("http://h/./a?b", 14));
    assert_false(has_dots("http://h/...?/../", 17));
}

/* Replaces, inserts or removes a few bytes, mostly after the scheme, without
 * which all the rest is not read; url has room for 4 more. */
static size_t mutate(char *url, size_t len, test_random *random)
{
    static const char odd[] = "/\\.%@:?#[]0x7e2E \t\n\r-\xC3\xBC\xE3\x80\x82";
    size_t first = test_random_below(random, 8) > 0 && len > 8 ? 8 : 0;
    for (uint64_t i = 1 + test_random_below(random, 4); i > 0; i--) {
        size_t at = first + test_random_below(random, len - first + 1);
        uint64_t kind = test_random_below(random, 4);
        uint64_t byte = test_random_next(random) & 255;
        if (kind < 2)
            byte = (unsigned char)odd[byte % (sizeof odd - 1)];
        if (kind == 3 && at < len) {
            memmove(url + at, url + at + 1, len - at - 1);
            len--;
        } else if (kind % 2 == 0 && at < len) {
            url[at] = (char)byte;
        } else {
            memmove(url + at + 1, url + at, len - at);
            url[at] = (char)byte;
            len++;
        }
    }
    return len;
}

static void url_survives_mutations(void **state)
{
    golden *files = golden_read();
    test_random random = {4};
    size_t accepted = 0;
    (void)state;
    for (int i = 0; i < MUTATIONS; i++) {
        uint64_t which = test_random_below(&random, files->urls.count);
        size_t len;
        char *url = unquote(files->urls.line[which], &len);
        url = realloc(url, len + 4);
        assert_non_null(url);
        len = mutate(url, len, &random);
        accepted += check_any(url, len) == 0;
        free(url);
    }
    /* neither side is hardly tried */
    assert_true(accepted > MUTATIONS / 4 && accepted < MUTATIONS * 9 / 10);
    golden_free(files);
}

/* ---- those that are known at sight ---- */

typedef bool plain_check(const char *url, size_t len);

/* Is it said to be plain, although the long way changes or refuses it? *plain
 * counts those that are said to be. */
static bool is_wrongly_plain(plain_check *check, const char *url, size_t len,
                             size_t *plain)
{
    size_t out_len = SS_URL_ROOM_BYTES(len);
    const char *reason;
    if (!check(url, len))
        return false;
    char *out = malloc(out_len);
    assert_non_null(out);
    int error = ss_url_rewrite(url, len, out, &out_len, &reason);
    bool is_same = error == 0 && out_len == len && memcmp(out, url, len) == 0;
    free(out);
    (*plain)++;
    return !is_same;
}

/* Of the normal forms that the oracle wrote, and of changes of each. */
static size_t count_wrongly_plain(const lines *urls, plain_check *check,
                                  size_t *plain)
{
    test_random random = {5};
    size_t wrong = 0;
    for (size_t i = 0; i < urls->count; i++) {
        size_t len = strlen(urls->line[i]);
        char *url = malloc(len + 4);
        assert_non_null(url);
        memcpy(url, urls->line[i], len);
        wrong += is_wrongly_plain(check, url, len, plain);
        for (int change = 0; change < 30; change++) {
            memcpy(url, urls->line[i], len);
            size_t changed = mutate(url, len, &random);
            wrong += is_wrongly_plain(check, url, changed, plain);
        }
        free(url);
    }
    return wrong;
}

/* Planted: it forgets the dot segments. */
static bool forgets_dots(const char *url, size_t len)
{
    char copy[4096];
    if (len > sizeof copy)
        return false;
    for (size_t i = 0; i < len; i++)
        copy[i] = i > 8 && url[i] == '.' && url[i - 1] == '/' ? 'x' : url[i];
    return ss_url_is_plain(copy, len);
}

static void url_known_at_sight_is_unchanged(void **state)
{
    golden *files = golden_read();
    size_t plain = 0, unused = 0;
    (void)state;
    assert_int_equal(
        count_wrongly_plain(&files->expected, ss_url_is_plain, &plain), 0);
    assert_true(plain > 2 * files->expected.count);
    assert_true(count_wrongly_plain(&files->expected, forgets_dots, &unused) >
                0);
    golden_free(files);
}

/* Each byte at each place of a URL that has all parts. */
static void url_known_at_sight_by_any_byte(void **state)
{
    static const char sample[] = "http://ab.c-d.ef/g.h/%2Fi;j?k=l/../&m";
    char url[sizeof sample];
    size_t plain = 0;
    (void)state;
    for (size_t at = 0; at < sizeof sample - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            memcpy(url, sample, sizeof sample);
            url[at] = (char)byte;
            assert_false(is_wrongly_plain(ss_url_is_plain, url,
                                          sizeof sample - 1, &plain));
        }
    }
    assert_true(plain > 1000);
}

/* Node cannot be asked: its strings are UTF-16. */
static void url_takes_bytes_that_are_no_utf8(void **state)
{
    static const char url[] = "http://h/\xFF\xC3/\xED\xA0\x80?\xC3(\0";
    static const char normal[] = "http://h/%FF%C3/%ED%A0%80?%C3(%00x";
    char out[SS_URL_ROOM_BYTES(sizeof url)];
    size_t len = sizeof out;
    char with_nul[sizeof url + 1];
    (void)state;
    memcpy(with_nul, url, sizeof url - 1);
    with_nul[sizeof url - 1] = 'x'; /* or the NUL would be stripped */
    assert_int_equal(
        seenset_url_normalise(with_nul, sizeof url, out, &len, NULL), 0);
    assert_int_equal(len, sizeof normal - 1);
    assert_memory_equal(out, normal, len);
    assert_int_equal(check_any("http://\xFF/", 9), SEENSET_EURL);
    assert_int_equal(check_any("http://\xC3.com/", 13), SEENSET_EURL);
    assert_int_equal(check_any("http://\xED\xA0\x80/", 11), SEENSET_EURL);
}

/* The longest, of the bytes that cost uriparser or us the most. "%" and the
 * space come out three times as long, which is then too long. */
static void url_has_a_longest(void **state)
{
    static const char *const fillers[] = {"/", "/..", "a", ",", ":", "%", " "};
    char *url = malloc(SEENSET_URL_MAX_BYTES + 1);
    (void)state;
    assert_non_null(url);
    for (size_t f = 0; f < TEST_COUNT(fillers); f++) {
        bool is_growing = f >= TEST_COUNT(fillers) - 2;
        size_t longest = is_growing ? 10 + (SEENSET_URL_MAX_BYTES - 10) / 3
                                    : SEENSET_URL_MAX_BYTES;
        for (size_t i = 0; i <= SEENSET_URL_MAX_BYTES; i++)
            url[i] = fillers[f][i % strlen(fillers[f])];
        memcpy(url, "http://h/", 9);
        for (size_t end = longest - 1; end < longest + 2; end++) {
            char kept = url[end - 1];
            url[end - 1] = 'x'; /* or spaces would be stripped */
            assert_int_equal(check_any(url, end),
                             end <= longest ? 0 : SEENSET_EURL);
            url[end - 1] = kept;
        }
        url[SEENSET_URL_MAX_BYTES] = 'x';
        assert_int_equal(check_any(url, SEENSET_URL_MAX_BYTES + 1),
                         SEENSET_EURL);
    }
    free(url);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(url_is_what_browsers_make),
        cmocka_unit_test(url_comparison_can_fail),
        cmocka_unit_test(url_is_its_own_normal_form),
        cmocka_unit_test(url_survives_mutations),
        cmocka_unit_test(url_known_at_sight_is_unchanged),
        cmocka_unit_test(url_known_at_sight_by_any_byte),
        cmocka_unit_test(url_takes_bytes_that_are_no_utf8),
        cmocka_unit_test(url_has_a_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
