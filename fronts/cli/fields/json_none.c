/*
 * json_none.c - json.h for a command that is built without a parser.
 */
#include "fields/json.h"

#include <errno.h>

bool json_is_there(void)
{
    return false;
}

int json_extract(const batch_rule *base, batch *keys)
{
    (void)base;
    (void)keys;
    errno = ENOTSUP;
    return -1;
}
