/*
 * fields.c - every twin of the kernels against readers too simple to be wrong,
 * and the values, lists and keys of fields.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields/csv.h"
#include "fields/json_path.h"
#include "fields/kernels.h"
#include "fields/make_key.h"
#include "fields/selection.h"
#include "fields/time_field.h"

enum {
    MOST_BYTES = 3000,
    MARK = 77 /* what is after the room for ends, and must stay */
};

/* ---- CSV in the simplest way ---- */

typedef struct simple {
    bool is_quoted, was_quote, is_at_start;
} simple;

/* Whether a byte ends a field or a record, by the words of csv.h. */
static bool ends_field(simple *state, char byte, char delimiter, char separator)
{
    bool is_end = byte == delimiter || byte == separator;
    if (state->is_quoted && !state->was_quote) {
        state->was_quote = byte == '"';
        return false;
    }
    if (state->was_quote && byte == '"') {
        state->was_quote = false;
        return false;
    }
    if (is_end) {
        *state = (simple){.is_at_start = true};
        return true;
    }
    state->is_quoted = state->is_at_start && byte == '"';
    state->was_quote = false;
    state->is_at_start = false;
    return false;
}

static size_t split_naively(const char *data, size_t size, size_t *ends)
{
    simple state = {.is_at_start = true};
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        if (ends_field(&state, data[i], ',', '\n') && data[i] == '\n')
            ends[count++] = i;
    return count;
}

/* The planted fault: each quote opens or closes, wherever it is. */
static size_t split_by_parity(char separator, char delimiter, unsigned *state,
                              const char *data, size_t size, size_t *ends,
                              size_t room)
{
    bool is_quoted = *state == CSV_QUOTED;
    size_t count = 0;
    (void)delimiter;
    for (size_t i = 0; i < size && count < room; i++) {
        is_quoted ^= data[i] == '"';
        if (data[i] == separator && !is_quoted)
            ends[count++] = i;
    }
    *state = is_quoted && count < room ? CSV_QUOTED : CSV_START;
    return count;
}

/* ---- bytes ---- */

/* Bytes that matter, in one of several mixtures. */
static void make_bytes(test_random *random, char *data, size_t size)
{
    static const char *const mixtures[] = {
        "\",\n",           "\",\nab",
        "\"abcdefgh,\n",   "aaaaaaaaaaaaaaaaaaaaaaaa,\n\"",
        "\"\"\"\"\",\n\r", "abc,\n"};
    const char *mixture = mixtures[test_random_below(random, 6)];
    size_t len = strlen(mixture);
    for (size_t i = 0; i < size; i++)
        data[i] = mixture[test_random_below(random, len)];
}

/* In pieces, each of which goes on where the one before stopped. */
static bool splits_right(csv_splitter *split, test_random *random)
{
    static size_t wanted[MOST_BYTES + 1], got[MOST_BYTES + 1];
    size_t size = (size_t)test_random_below(random, MOST_BYTES);
    char *data = malloc(size + 1);
    assert_non_null(data);
    make_bytes(random, data, size);
    size_t count = split_naively(data, size, wanted);
    size_t done = 0, at = 0;
    unsigned state = CSV_START;
    bool is_right = true;
    while (at < size && is_right) {
        size_t piece = 1 + (size_t)test_random_below(random, 300);
        size_t room = 1 + (size_t)test_random_below(random, 100);
        piece = piece < size - at ? piece : size - at;
        got[room] = MARK;
        size_t found = split('\n', ',', &state, data + at, piece, got, room);
        is_right = found <= room && got[room] == MARK && done + found <= count;
        for (size_t i = 0; is_right && i < found; i++)
            is_right = at + got[i] == wanted[done + i];
        done += found;
        at += found == room ? got[room - 1] + 1 : piece;
    }
    free(data);
    return is_right && done == count;
}

static void records_equal_naive_at_random(void **state)
{
    const field_kernels *kernels;
    (void)state;
    for (size_t i = 0; (kernels = field_kernels_here(i)) != NULL; i++) {
        test_random random = {1};
        for (int round = 0; round < 5000; round++)
            assert_true(splits_right(kernels->split, &random));
    }
    test_random random = {1};
    size_t wrong = 0;
    for (int round = 0; round < 100; round++)
        wrong += !splits_right(split_by_parity, &random);
    assert_true(wrong > 10);
}

/* ---- fields ---- */

static void find_naively(const field_search *search, size_t start, size_t end,
                         bool is_csv, field_span *out)
{
    simple state = {.is_at_start = true};
    size_t column = 0;
    for (size_t i = 0; i < search->wanted_count; i++)
        out[i] = (field_span){SIZE_MAX, SIZE_MAX};
    for (size_t at = start; at <= end; at++) {
        bool is_end = at == end;
        if (!is_end && is_csv)
            is_end = ends_field(&state, search->data[at], ',', ',');
        else if (!is_end)
            is_end = search->data[at] == ',';
        if (!is_end)
            continue;
        for (size_t i = 0; i < search->wanted_count; i++)
            if (search->wanted[i] == column)
                out[i] = (field_span){start, at};
        column++;
        start = at + 1;
    }
}

/* Lines of random bytes, and one to three fields of them. */
static bool finds_right(field_finder *find, bool is_csv, test_random *random)
{
    enum {
        LINES = 20
    };
    size_t ends[LINES], wanted[3], wanted_count = 0, at = 0;
    char *data = malloc(MOST_BYTES + FIELD_SLACK);
    field_span got[3 * LINES + 1], right[3];
    assert_non_null(data);
    make_bytes(random, data, MOST_BYTES + FIELD_SLACK);
    for (size_t i = 0; i < LINES; i++) {
        at += (size_t)test_random_below(random, MOST_BYTES / LINES - 1);
        ends[i] = at;
        data[at++] = '\n';
    }
    for (size_t i = 0; i < 6 && wanted_count < 3; i++)
        if (test_random_below(random, 2) == 0)
            wanted[wanted_count++] = i;
    wanted[0] = wanted_count == 0 ? 1 : wanted[0];
    wanted_count += wanted_count == 0;
    const field_search search = {data, ends, ',', wanted, wanted_count};
    size_t first = (size_t)test_random_below(random, LINES);
    memset(got, MARK, sizeof got);
    find(&search, first, LINES - first, got);
    bool is_right = true;
    for (size_t i = first; is_right && i < LINES; i++) {
        size_t start = i == 0 ? 0 : ends[i - 1] + 1;
        find_naively(&search, start, ends[i], is_csv, right);
        is_right = memcmp(right, got + (i - first) * wanted_count,
                          wanted_count * sizeof *right) == 0;
    }
    free(data);
    return is_right;
}

static void fields_equal_naive_at_random(void **state)
{
    const field_kernels *kernels;
    (void)state;
    for (size_t i = 0; (kernels = field_kernels_here(i)) != NULL; i++) {
        test_random random = {2};
        for (int round = 0; round < 5000; round++) {
            assert_true(finds_right(kernels->delimited, false, &random));
            assert_true(finds_right(kernels->csv, true, &random));
        }
    }
    /* planted: what is in quotes counts, or does not */
    test_random random = {2};
    size_t wrong = 0;
    for (int round = 0; round < 100; round++)
        wrong += !finds_right(field_kernels_portable.delimited, true, &random);
    assert_true(wrong > 10);
}

static void kernels_end_with_the_portable_ones(void **state)
{
    size_t count = 0;
    (void)state;
    while (field_kernels_here(count) != NULL)
        count++;
    assert_ptr_equal(field_kernels_here(count - 1), &field_kernels_portable);
}

/* ---- values, lists and keys ---- */

static void values_lose_their_quotes(void **state)
{
    static const struct {
        const char *text, *value;
    } cases[] = {{"", ""},
                 {"a", "a"},
                 {"\"a\"", "a"},
                 {"\"\"", ""},
                 {"\"\"\"\"", "\""},
                 {"a\"b", "a\"b"},
                 {"\"a\"\"b\"", "a\"b"},
                 {"\"a\"b", "ab"},
                 {"\"a\"b\"", "ab\""},
                 {"\"a,\nb\"", "a,\nb"},
                 {"\"a\"\"", "a\""},
                 {"\"", ""}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        char out[16];
        size_t len = csv_value(cases[i].text, strlen(cases[i].text), out);
        assert_int_equal(len, strlen(cases[i].value));
        assert_memory_equal(out, cases[i].value, len);
    }
}

static void lists_name_fields(void **state)
{
    selection fields;
    selection_text wrong;
    (void)state;
    assert_int_equal(selection_read(&fields, "-f", "2,1", false, &wrong), 0);
    assert_int_equal(fields.count, 2);
    assert_int_equal(fields.items[0].column, 1);
    assert_int_equal(fields.items[1].column, 0);
    selection_free(&fields);
    assert_int_equal(
        selection_read(&fields, "-f", "a b,\"1\",\"x,\"\"y\",3", true, &wrong),
        0);
    assert_int_equal(fields.count, 4);
    assert_string_equal(fields.items[0].name, "a b");
    assert_string_equal(fields.items[1].name, "1");
    assert_string_equal(fields.items[2].name, "x,\"y");
    assert_null(fields.items[3].name);
    selection_free(&fields);
    static const char *const bad[] = {"",   ",", "1,", "0",
                                      "-1", "a", "1-", "99999999999999999999",
                                      ".a", "1 "};
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(selection_read(&fields, "-f", bad[i], false, &wrong),
                         -1);
}

static void paths_have_steps(void **state)
{
    json_paths paths;
    selection_text wrong;
    (void)state;
    assert_int_equal(
        json_paths_read(&paths, "-f", ".a.b[12],.[\"x,\\\"]\"][0],.", &wrong),
        0);
    assert_int_equal(paths.count, 3);
    assert_int_equal(paths.items[0].step_count, 3);
    assert_string_equal(paths.items[0].steps[0].name, "a");
    assert_null(paths.items[0].steps[2].name);
    assert_int_equal(paths.items[0].steps[2].index, 12);
    assert_int_equal(paths.items[1].steps[0].name_len, 4);
    assert_memory_equal(paths.items[1].steps[0].name, "x,\"]", 4);
    assert_int_equal(paths.items[2].step_count, 0);
    json_paths_free(&paths);
    static const char *const bad[] = {
        "",       "a",   ".a,", ".a..b", ".[",        ".[]",  ".[-1]",
        ".[\"a]", ".[1", ".a]", "..",    ".[\"a\"b]", ".a\"", ".[\"a\\"};
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(json_paths_read(&paths, "-f", bad[i], &wrong), -1);
}

static void keys_of_several_fields_differ(void **state)
{
    static const key_value one[] = {{"a", 1}, {"bc", 2}};
    static const key_value other[] = {{"ab", 2}, {"C", 1}};
    forms *keys = forms_new(4);
    (void)state;
    assert_non_null(keys);
    assert_int_equal(make_key(keys, 0, one, 2, false), 0);
    assert_int_equal(make_key(keys, 1, other, 2, true), 0);
    assert_int_equal(make_key(keys, 2, other + 1, 1, false), 0);
    assert_string_equal(keys->text + keys->starts[0], "1:a,2:bc,");
    assert_string_equal(keys->text + keys->starts[1], "2:ab,1:c,");
    assert_string_equal(keys->text + keys->starts[2], "C");
    forms_free(keys);
}

static uint64_t parse(const char *text)
{
    const time_field field = {.is_used = true};
    uint64_t seconds;
    return time_field_read(&field, UINT64_MAX, text, strlen(text), &seconds) ==
                   NULL
               ? seconds
               : UINT64_MAX;
}

/* Against seconds as date(1) has them. */
static void times_have_many_forms(void **state)
{
    static const struct {
        const char *text;
        uint64_t seconds;
    } cases[] = {
        {"0", 0},
        {"1732876800", 1732876800},
        {"1732876800.999", 1732876800},
        {"0001732876800", 1732876800},
        {"99999999999", 99999999999},
        {"100000000000", 100000000},
        {"1732876800250", 1732876800},
        {"1732876800250.5", 1732876800},
        {"1732876800250000", 1732876800},
        {"1732876800250000000", 1732876800},
        {"2024-11-29T10:40:00Z", 1732876800},
        {"2024-11-29t10:40:00z", 1732876800},
        {"2024-11-29T10:40:00", 1732876800},
        {"2024-11-29 10:40", 1732876800},
        {"2024-11-29T11:40:00.123456789+01:00", 1732876800},
        {"2024-11-29T11:40:00,5+01", 1732876800},
        {"2024-11-29T05:10:00-0530", 1732876800},
        {"2024-11-29T10:39:60Z", 1732876800},
        {"20241129T104000Z", 1732876800},
        {"20241129T1040", 1732876800},
        {"2024-11-29", 1732838400},
        {"20241129", 1732838400},
        {"20241329", 20241329}, /* no day */
        {"19691231", 19691231}, /* before 1970 */
        {"2024-02-29 23:59:59+05:30", 1709231399},
        {"1970-01-01T00:00:00Z", 0},
        {"9999-12-31T23:59:59Z", 253402300799},
    };
    static const char *const bad[] = {"",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.",
                                      ".5",
                                      "1e9",
                                      "0x1",
                                      "null",
                                      "now",
                                      "18446744073709551616",
                                      "2024-11-29T",
                                      "2024-11-29T1",
                                      "2024-11-29T10",
                                      "2024-11-29T10:4",
                                      "2024-11-29T10:40:",
                                      "2024-11-29T24:00:00Z",
                                      "2024-11-29T10:60:00Z",
                                      "2024-11-29T10:40:61Z",
                                      "2024-11-29T10:40:00.Z",
                                      "2024-11-29T10:40:00ZZ",
                                      "2024-11-29T10:40:00+1",
                                      "2024-11-29T10:40:00+25:00",
                                      "2024-11-29Z",
                                      "2024-13-01",
                                      "2024-00-01",
                                      "2023-02-29",
                                      "2100-02-29",
                                      "2024-04-31",
                                      "2024-1-1",
                                      "2024-1129",
                                      "1969-12-31T23:59:59Z",
                                      "1970-01-01T00:00:00+01:00",
                                      "29/Nov/2024:10:40:00 +0000"};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++)
        assert_int_equal(parse(cases[i].text), cases[i].seconds);
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(parse(bad[i]), UINT64_MAX);
}

/* Day after day, as a calendar on the wall has them. */
static void days_follow_each_other(void **state)
{
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30,
                                       31, 31, 30, 31, 30, 31};
    uint64_t expected = 0;
    (void)state;
    for (unsigned year = 1970; year <= 2500; year++)
        for (unsigned month = 0; month < 12; month++) {
            bool is_leap =
                (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            unsigned length = lengths[month] + (month == 1 && is_leap);
            for (unsigned day = 1; day <= length; day++) {
                char text[64];
                (void)snprintf(text, sizeof text, "%04u-%02u-%02u", year,
                               month + 1, day);
                assert_int_equal(parse(text), expected);
                expected += 86400;
            }
        }
    assert_int_equal(expected, parse("2501-01-01"));
}

/* Later times than the latest are not believed. */
static void times_in_the_future_are_none(void **state)
{
    time_field field = {0};
    uint64_t seconds = 7;
    (void)state;
    time_field_start(&field, ".ts");
    assert_null(time_field_read(&field, 1000, "1000", 4, &seconds));
    assert_int_equal(seconds, 1000);
    assert_string_equal(time_field_read(&field, 1000, "1001", 4, &seconds),
                        "its field .ts is a time in the future");
    assert_string_equal(time_field_read(&field, 1000, "x", 1, &seconds),
                        "its field .ts is not a time");
    assert_int_equal(seconds, 1000);
    assert_true(time_field_latest() > 1700000000);
}

static void only_ascii_letters_are_folded(void **state)
{
    char all[256];
    (void)state;
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    make_key_fold(all, sizeof all);
    for (int i = 0; i < 256; i++)
        assert_int_equal((unsigned char)all[i],
                         i >= 'A' && i <= 'Z' ? i - 'A' + 'a' : i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_equal_naive_at_random),
        cmocka_unit_test(fields_equal_naive_at_random),
        cmocka_unit_test(kernels_end_with_the_portable_ones),
        cmocka_unit_test(values_lose_their_quotes),
        cmocka_unit_test(lists_name_fields),
        cmocka_unit_test(paths_have_steps),
        cmocka_unit_test(keys_of_several_fields_differ),
        cmocka_unit_test(times_have_many_forms),
        cmocka_unit_test(days_follow_each_other),
        cmocka_unit_test(times_in_the_future_are_none),
        cmocka_unit_test(only_ascii_letters_are_folded),
    };
    return cmocka_run_group_tests_name("fields", tests, NULL, NULL);
}
