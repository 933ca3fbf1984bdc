/*
 * random.h - bytes that nobody can predict, from the operating system.
 */
#ifndef SS_BASE_RANDOM_H
#define SS_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/export.h"

enum {
    SS_RANDOM_MOST_BYTES = 256
};

/* Fills up to SS_RANDOM_MOST_BYTES bytes. False: the system has none to give,
 * and what is in `bytes` is unspecified. */
SS_EXPORT bool ss_random_fill(void *bytes, size_t size_bytes);

#endif
