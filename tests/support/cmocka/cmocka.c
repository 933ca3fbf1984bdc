/*
 * cmocka.c - see cmocka.h.
 *
 * A claim that does not hold prints why, and jumps out of its test. One test
 * runs at a time, and only its thread may claim.
 */
#include "cmocka.h"

#include <stdio.h>

typedef enum result {
    PASSED,
    FAILED,
    SKIPPED
} result;

/* The claims have no argument to carry these. */
static jmp_buf after_test;
static result ended_as;
static const char *filter;

void cmocka_set_test_filter(const char *pattern)
{
    filter = pattern;
}

void print_message(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    fflush(stdout);
}

void print_error(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fflush(stderr);
}

/* ---- claims ---- */

void cmocka_fail(const char *file, int line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("[  ERROR   ] --- ", stderr);
    vfprintf(stderr, format, values);
    va_end(values);
    print_error("\n[   LINE   ] --- %s:%d: error: Failure!\n", file, line);
    ended_as = FAILED;
    longjmp(after_test, 1);
}

void cmocka_skip(const char *file, int line)
{
    (void)file;
    (void)line;
    ended_as = SKIPPED;
    longjmp(after_test, 1);
}

void cmocka_true(bool holds, const char *text, const char *file, int line)
{
    if (!holds)
        cmocka_fail(file, line, "%s", text);
}

void cmocka_equal(uintmax_t a, uintmax_t b, bool wanted, const char *file,
                  int line)
{
    if ((a == b) != wanted)
        cmocka_fail(file, line, "%#jx %s %#jx", a, wanted ? "!=" : "==", b);
}

void cmocka_range(uintmax_t value, uintmax_t least, uintmax_t most,
                  const char *file, int line)
{
    if (value < least || value > most)
        cmocka_fail(file, line, "%ju is not within the range %ju-%ju", value,
                    least, most);
}

void cmocka_string(const char *a, const char *b, bool wanted, const char *file,
                   int line)
{
    if ((strcmp(a, b) == 0) != wanted)
        cmocka_fail(file, line, "\"%s\" %s \"%s\"", a, wanted ? "!=" : "==", b);
}

void cmocka_memory(const void *a, const void *b, size_t size, bool wanted,
                   const char *file, int line)
{
    const unsigned char *left = a, *right = b;
    size_t at = 0;
    while (at < size && left[at] == right[at])
        at++;
    if (at < size && wanted)
        cmocka_fail(file, line,
                    "difference at offset %zu 0x%02x 0x%02x, of %zu bytes", at,
                    left[at], right[at], size);
    if (at == size && !wanted)
        cmocka_fail(file, line, "the memory is the same: %zu bytes", size);
}

/* ---- tests ---- */

/* Does the pattern, with its * and ?, fit the name? */
static bool fits(const char *pattern, const char *name)
{
    if (pattern[0] == '*')
        return fits(pattern + 1, name) ||
               (name[0] != '\0' && fits(pattern, name + 1));
    if (pattern[0] == '\0' || name[0] == '\0')
        return pattern[0] == name[0];
    return (pattern[0] == '?' || pattern[0] == name[0]) &&
           fits(pattern + 1, name + 1);
}

/* Calls a function of a test. Returns how it ended. */
static result call(const struct CMUnitTest *test, CMFixtureFunction *fixture,
                   void **state)
{
    ended_as = PASSED;
    if (setjmp(after_test) == 0) {
        if (fixture == NULL)
            test->test_func(state);
        else if (fixture(state) != 0)
            ended_as = FAILED;
    }
    return ended_as;
}

static result run(const struct CMUnitTest *test, void *group_state)
{
    void *state =
        test->initial_state != NULL ? test->initial_state : group_state;
    result got = PASSED;
    if (test->setup_func != NULL)
        got = call(test, test->setup_func, &state);
    if (got == PASSED)
        got = call(test, NULL, &state);
    if (test->teardown_func != NULL &&
        call(test, test->teardown_func, &state) == FAILED)
        got = FAILED;
    return got;
}

/* How many tests ended so. */
typedef struct tally {
    size_t of[SKIPPED + 1];
} tally;

static void run_each(const struct CMUnitTest *tests, size_t count, void *state,
                     tally *to)
{
    static const char *const words[] = {"      OK", " FAILED ", " SKIPPED"};
    for (size_t i = 0; i < count; i++) {
        if (filter != NULL && !fits(filter, tests[i].name))
            continue;
        print_message("[ RUN      ] %s\n", tests[i].name);
        result got = run(&tests[i], state);
        print_message("[ %s ] %s\n", words[got], tests[i].name);
        to->of[got]++;
    }
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                            size_t count, CMFixtureFunction *setup,
                            CMFixtureFunction *teardown)
{
    tally got = {{0}};
    void *state = NULL;
    print_message("[==========] %s: Running %zu test(s).\n", name, count);
    if (setup != NULL && call(NULL, setup, &state) != PASSED)
        got.of[FAILED] = count; /* none can be run */
    else
        run_each(tests, count, state, &got);
    if (teardown != NULL && call(NULL, teardown, &state) != PASSED)
        got.of[FAILED]++;
    print_message("[  PASSED  ] %zu test(s).\n", got.of[PASSED]);
    if (got.of[SKIPPED] > 0)
        print_message("[  SKIPPED ] %zu test(s).\n", got.of[SKIPPED]);
    if (got.of[FAILED] > 0)
        print_message("[  FAILED  ] %zu test(s).\n", got.of[FAILED]);
    return (int)got.of[FAILED];
}
