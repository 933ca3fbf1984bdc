/*
 * only_preload.c - runs some of a test program's tests: preloaded, it keeps of
 * each group those whose names are in SEENSET_ONLY, or are not in SEENSET_BUT,
 * each a list with a space on both sides of every name.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
    MOST_TESTS = 1000,
    NAME_BYTES = 200
};

typedef int run_group(const char *name, const struct CMUnitTest *tests,
                      size_t count, CMFixtureFunction setup,
                      CMFixtureFunction teardown);

static int is_in(const char *list, const char *name)
{
    char word[NAME_BYTES];
    (void)snprintf(word, sizeof word, " %s ", name);
    return list != NULL && strstr(list, word) != NULL;
}

int _cmocka_run_group_tests(const char *name,
                            const struct CMUnitTest *const tests,
                            const size_t count, CMFixtureFunction setup,
                            CMFixtureFunction teardown)
{
    static struct CMUnitTest kept[MOST_TESTS];
    const char *only = getenv("SEENSET_ONLY"), *but = getenv("SEENSET_BUT");
    size_t kept_count = 0;
    void *found = dlsym(RTLD_NEXT, "_cmocka_run_group_tests");
    run_group *run;
    memcpy(&run, &found, sizeof run);
    for (size_t i = 0; i < count && kept_count < MOST_TESTS; i++)
        if ((only == NULL || is_in(only, tests[i].name)) &&
            !is_in(but, tests[i].name))
            kept[kept_count++] = tests[i];
    return kept_count == 0 ? 0 : run(name, kept, kept_count, setup, teardown);
}
