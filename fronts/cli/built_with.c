/*
 * built_with.c - see built_with.h. CMakeLists.txt has the names, from what it found.
 */
#include "built_with.h"

#ifndef SEENSET_BUILT_WITH /* objects for a fuzzer */
#define SEENSET_BUILT_WITH ""
#define SEENSET_BUILT_WITHOUT ""
#endif

static void print_names(FILE *out, const char *title, const char *names)
{
    if (names[0] != '\0')
        fprintf(out, "%s:%s\n", title, names);
}

void built_with_print(FILE *out)
{
    print_names(out, "built with", SEENSET_BUILT_WITH);
    print_names(out, "built without", SEENSET_BUILT_WITHOUT);
}
