/*
 * built_with.h - what a command was built with: libraries that it can do without.
 */
#ifndef BUILT_WITH_H
#define BUILT_WITH_H

#include <stdio.h>

/* "built with: hiredis ..." and, unless there is none, "built without: ...". */
void built_with_print(FILE *out);

#endif
