/*
 * scheme.c - see scheme.h.
 */
#include "text/scheme.h"

#include <string.h>

static const char *const names[] = {
    [SEENSET_SCHEME_CHAIN] = "chain",
    [SEENSET_SCHEME_MURMUR2A_FNV1A] = "murmur2a+fnv1a",
    [SEENSET_SCHEME_MURMUR3_128] = "murmur3-128",
    [SEENSET_SCHEME_POLYNOMIAL] = "polynomial",
    [SEENSET_SCHEME_MD5_DIVMOD] = "md5-divmod",
    [SEENSET_SCHEME_ENHANCED_DOUBLE] = "enhanced-double",
    [SEENSET_SCHEME_CALLER] = "caller",
};

uint32_t scheme_named(const char *name)
{
    for (uint32_t i = SEENSET_SCHEME_CHAIN; i < SEENSET_SCHEME_CALLER; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return 0;
}

const char *scheme_name(uint32_t scheme)
{
    if (scheme < SEENSET_SCHEME_CHAIN || scheme > SEENSET_SCHEME_CALLER)
        return "unknown";
    return names[scheme];
}
