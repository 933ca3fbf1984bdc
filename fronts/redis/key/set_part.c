/* set_part.c - see set_part.h */
#include "key/set_part.h"

#include <string.h>

static int keep(void *context, const void *bytes, size_t len)
{
    uint8_t **end = context;
    memcpy(*end, bytes, len);
    *end += len;
    return 0;
}

void sr_set_part(const seenset *set, uint64_t first, uint8_t *bytes, size_t len)
{
    seenset_write_part(set, first, len, keep, &bytes);
}
