/* scheme_named.h - the scheme of a name, as lines of test vectors have it */
#ifndef SCHEME_NAMED_H
#define SCHEME_NAMED_H

#include <string.h>

#include "hash/index_scheme.h"

/* NULL for a name that no scheme has. */
static inline const ss_scheme *scheme_named(const char *name)
{
    const ss_scheme *found;
    for (uint32_t id = 1; (found = ss_scheme_find(id)) != NULL; id++)
        if (strcmp(found->name, name) == 0)
            return found;
    return NULL;
}

#endif
