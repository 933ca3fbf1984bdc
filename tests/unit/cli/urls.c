/*
 * urls.c - a batch of lines that are normalised: which lines have a key, what
 * it is, and how much memory the keys take.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seenset/hash.h"
#include "seenset/url.h"
#include "stream/batch.h"
#include "support.h"

enum {
    LINES = 2000
};

/* Lines of a URL in some spelling, or of something else; returns the form, or
 * NULL. */
static const char *make_line(test_random *random, char *line)
{
    static char form[64];
    unsigned number = (unsigned)test_random_below(random, 50);
    switch (test_random_below(random, 5)) {
    case 0:
        sprintf(line, "http://host%u.example/", number);
        break;
    case 1:
        sprintf(line, "  HTTP://HOST%u.example:80", number);
        break;
    case 2:
        sprintf(line, "http://host%u.example/a/../#b", number);
        break;
    case 3:
        sprintf(line, "ftp://host%u.example/", number);
        return NULL;
    default:
        line[0] = '\0';
        return NULL;
    }
    sprintf(form, "http://host%u.example/", number);
    return form;
}

static void put_line(batch *to, const char *line, size_t len)
{
    assert_int_equal(batch_reserve(to, to->used + len + 1), 0);
    memcpy(to->data + to->used, line, len);
    to->used += len;
    to->data[to->used] = '\n';
    to->ends[to->count++] = to->used++;
}

/* How many keys of the batch are not those of the lines, which the random
 * numbers make again. */
static size_t count_faults(batch *from, size_t line_count, uint64_t seed)
{
    test_random random = {seed};
    batch_keys keys = batch_keys_of(from);
    size_t next = 0, faults = 0;
    for (size_t line = 0; line < line_count; line++) {
        char text[64];
        const char *form = make_line(&random, text);
        if (form == NULL)
            continue;
        if (next == keys.count)
            return faults + 1;
        size_t start = batch_key_start(&keys, next);
        size_t len = keys.ends[next] - start;
        faults += batch_line(from, next) != line || len != strlen(form) ||
                  memcmp(keys.text + start, form, len) != 0 ||
                  from->hashes[next] != seenset_hash(form, len);
        next++;
    }
    return faults + (keys.count - next);
}

static void fill(batch *to, uint64_t seed)
{
    test_random random = {seed};
    batch_clear(to);
    for (size_t i = 0; i < LINES; i++) {
        char line[64];
        (void)make_line(&random, line);
        put_line(to, line, strlen(line));
    }
}

static void keys_are_the_forms_of_urls(void **state)
{
    batch *keys = batch_new();
    (void)state;
    if (!test_has_urls())
        skip();
    assert_non_null(keys);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill(keys, seed);
        assert_int_equal(batch_key_count(keys), LINES);
        batch_normalise(keys);
        batch_hash(keys);
        assert_int_equal(count_faults(keys, LINES, seed), 0);
        assert_true(batch_key_count(keys) < LINES * 3 / 4);
        /* the lines are as they were, and can be cut off anywhere */
        assert_int_equal(keys->count, LINES);
        for (size_t count = LINES; count > 0; count -= count < 7 ? 1 : 7) {
            batch_cut(keys, count);
            assert_int_equal(count_faults(keys, count, seed), 0);
        }
        batch_cut(keys, 0);
        assert_int_equal(batch_key_count(keys), 0);
        assert_null(keys->forms->reason);
    }
    /* planted: a key too many, and one that is another */
    fill(keys, 1);
    batch_normalise(keys);
    batch_hash(keys);
    keys->hashes[5]++;
    assert_int_equal(count_faults(keys, LINES, 1), 1);
    assert_true(count_faults(keys, LINES, 2) > 100);
    batch_free(keys);
}

/* The first line without a key, and why it has none. */
static void first_other_line_is_known(void **state)
{
    batch *keys = batch_new();
    (void)state;
    if (!test_has_urls())
        skip();
    assert_non_null(keys);
    put_line(keys, "http://a/", 9);
    put_line(keys, "http://a:b/", 11);
    put_line(keys, "x", 1);
    batch_normalise(keys);
    assert_int_equal(keys->forms->first_other, 1);
    assert_string_equal(keys->forms->reason, "the port is not a number");
    batch_cut(keys, 1);
    assert_null(keys->forms->reason);
    batch_free(keys);
}

/* The longest lines, and those whose forms are three times as long. */
static void memory_is_bounded(void **state)
{
    static const char *const fillers[] = {"a", " ", "\xff"};
    batch *keys = batch_new();
    char *line = malloc(SEENSET_URL_MAX_BYTES);
    (void)state;
    if (!test_has_urls())
        skip();
    assert_true(keys != NULL && line != NULL);
    for (size_t f = 0; f < TEST_COUNT(fillers); f++) {
        for (size_t len = 20; len <= SEENSET_URL_MAX_BYTES; len *= 3) {
            memset(line, fillers[f][0], len);
            memcpy(line, "http://h/", 9);
            line[len - 1] = 'z';
            batch_clear(keys);
            while (keys->used + len < BATCH_BYTES && keys->count < BATCH_LINES)
                put_line(keys, line, len);
            batch_normalise(keys);
            assert_int_equal(keys->error, 0);
            bool is_too_long = f > 0 && 3 * len > SEENSET_URL_MAX_BYTES;
            assert_int_equal(keys->forms->count, is_too_long ? 0 : keys->count);
            assert_true(keys->forms->room < 8 * BATCH_BYTES);
        }
    }
    batch_clear(keys);
    batch_normalise(keys);
    assert_true(keys->forms->room < 2 * BATCH_BYTES);
    free(line);
    batch_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_the_forms_of_urls),
        cmocka_unit_test(first_other_line_is_known),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
