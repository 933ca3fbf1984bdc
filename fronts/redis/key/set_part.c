/* set_part.c - see set_part.h */
#include "key/set_part.h"

#include <string.h>

/* The part of a stream that a reply has. */
typedef struct part {
    uint64_t first, at; /* of the file; at: of the next byte that comes */
    uint8_t *bytes;
    size_t len, done;
} part;

/* Keeps what belongs to the part, and ends the stream once it has all. */
static int keep(void *context, const void *bytes, size_t len)
{
    part *kept = context;
    uint64_t end = kept->at + len;
    if (end > kept->first) {
        size_t skip =
            kept->at < kept->first ? (size_t)(kept->first - kept->at) : 0;
        size_t left = kept->len - kept->done;
        size_t more = len - skip < left ? len - skip : left;
        memcpy(kept->bytes + kept->done, (const uint8_t *)bytes + skip, more);
        kept->done += more;
    }
    kept->at = end;
    return kept->done == kept->len;
}

void sr_set_part(const seenset *set, uint64_t first, uint8_t *bytes, size_t len)
{
    part kept = {.first = first, .bytes = bytes, .len = len};
    if (len > 0)
        seenset_write(set, keep, &kept);
}
