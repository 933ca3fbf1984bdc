/*
 * cmocka.h - the part of cmocka that the tests use, for platforms for which
 * Debian has no cmocka: musl, Windows. The names, the arguments and the lines
 * that are printed are cmocka's. Elsewhere the tests use cmocka itself.
 *
 * Missing are its mocks, signals that count as failures, and leaks of
 * test_malloc, which the tests look for in other ways.
 */
#ifndef TEST_CMOCKA_H
#define TEST_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On Windows printf is of two kinds: the one that knows all of C11 is meant. */
#ifdef __MINGW_PRINTF_FORMAT
#define CMOCKA_PRINTF __MINGW_PRINTF_FORMAT
#else
#define CMOCKA_PRINTF printf
#endif

typedef void CMUnitTestFunction(void **state);
typedef int CMFixtureFunction(void **state);

struct CMUnitTest {
    const char *name;
    CMUnitTestFunction *test_func;
    CMFixtureFunction *setup_func, *teardown_func; /* or NULL */
    void *initial_state;
};

#define cmocka_unit_test(f)                                                    \
    {                                                                          \
#f, f, NULL, NULL, NULL                                                \
    }
#define cmocka_unit_test_prestate(f, state)                                    \
    {                                                                          \
#f, f, NULL, NULL, state                                               \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                    \
    {                                                                          \
#f, f, setup, teardown, NULL                                           \
    }

/* Runs the tests whose names the filter has; returns how many failed. */
#define cmocka_run_group_tests(tests, setup, teardown)                         \
    _cmocka_run_group_tests(#tests, tests, sizeof(tests) / sizeof(tests)[0],   \
                            setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)              \
    _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof(tests)[0],     \
                            setup, teardown)

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                            size_t count, CMFixtureFunction *setup,
                            CMFixtureFunction *teardown);

/* pattern: a name, in which * is any text and ? any letter. */
void cmocka_set_test_filter(const char *pattern);

#define test_malloc malloc
#define test_free free

void print_message(const char *format, ...)
    __attribute__((format(CMOCKA_PRINTF, 1, 2)));
void print_error(const char *format, ...)
    __attribute__((format(CMOCKA_PRINTF, 1, 2)));

/* ---- what a test claims; a claim that does not hold ends the test ---- */

_Noreturn void cmocka_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(CMOCKA_PRINTF, 3, 4)));
_Noreturn void cmocka_skip(const char *file, int line);

void cmocka_true(bool holds, const char *text, const char *file, int line);
void cmocka_equal(uintmax_t a, uintmax_t b, bool wanted, const char *file,
                  int line);
void cmocka_range(uintmax_t value, uintmax_t least, uintmax_t most,
                  const char *file, int line);
void cmocka_string(const char *a, const char *b, bool wanted, const char *file,
                   int line);
void cmocka_memory(const void *a, const void *b, size_t size, bool wanted,
                   const char *file, int line);

#define CMOCKA_HERE __FILE__, __LINE__
#define CMOCKA_WIDE(value) ((uintmax_t)(value))
#define CMOCKA_POINTER(value) ((uintmax_t)(uintptr_t)(value))

#define fail() cmocka_fail(CMOCKA_HERE, "Failure!")
#define fail_msg(...) cmocka_fail(CMOCKA_HERE, __VA_ARGS__)
#define skip() cmocka_skip(CMOCKA_HERE)

#define assert_true(c) cmocka_true((c) ? true : false, #c, CMOCKA_HERE)
#define assert_false(c)                                                        \
    cmocka_true((c) ? false : true, "!(" #c ")", CMOCKA_HERE)
#define assert_null(p) cmocka_equal(CMOCKA_POINTER(p), 0, true, CMOCKA_HERE)
#define assert_non_null(p)                                                     \
    cmocka_equal(CMOCKA_POINTER(p), 0, false, CMOCKA_HERE)
#define assert_ptr_equal(a, b)                                                 \
    cmocka_equal(CMOCKA_POINTER(a), CMOCKA_POINTER(b), true, CMOCKA_HERE)
#define assert_ptr_not_equal(a, b)                                             \
    cmocka_equal(CMOCKA_POINTER(a), CMOCKA_POINTER(b), false, CMOCKA_HERE)
#define assert_int_equal(a, b)                                                 \
    cmocka_equal(CMOCKA_WIDE(a), CMOCKA_WIDE(b), true, CMOCKA_HERE)
#define assert_int_not_equal(a, b)                                             \
    cmocka_equal(CMOCKA_WIDE(a), CMOCKA_WIDE(b), false, CMOCKA_HERE)
#define assert_in_range(value, least, most)                                    \
    cmocka_range(CMOCKA_WIDE(value), CMOCKA_WIDE(least), CMOCKA_WIDE(most),    \
                 CMOCKA_HERE)
#define assert_string_equal(a, b) cmocka_string(a, b, true, CMOCKA_HERE)
#define assert_string_not_equal(a, b) cmocka_string(a, b, false, CMOCKA_HERE)
#define assert_memory_equal(a, b, size)                                        \
    cmocka_memory(a, b, size, true, CMOCKA_HERE)
#define assert_memory_not_equal(a, b, size)                                    \
    cmocka_memory(a, b, size, false, CMOCKA_HERE)

#endif
