/*
 * scheme.h - the names of index schemes, as users write and read them.
 */
#ifndef SCHEME_H
#define SCHEME_H

#include "seenset/seenset.h"

/* A seenset_scheme, or 0. The caller's own function has no name to be asked
 * for: a command has no such function. */
uint32_t scheme_named(const char *name);

/* "unknown" for a number that is no scheme. */
const char *scheme_name(uint32_t scheme);

#endif
