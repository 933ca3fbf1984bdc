/*
 * guide.h - `seenset help guide`: tasks, and the line that does each.
 */
#ifndef GUIDE_H
#define GUIDE_H

#include <stdio.h>

/* A test runs each indented line that begins with "seenset". */
void guide_print(FILE *out);

#endif
