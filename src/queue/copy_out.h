/* copy_out.h - structs whose size the caller gives, so that they can grow */
#ifndef SS_QUEUE_COPY_OUT_H
#define SS_QUEUE_COPY_OUT_H

#include <stddef.h>
#include <string.h>

/* Copies what there is room for, and zeroes the rest of the room. */
static inline void ss_copy_out(void *out, size_t out_bytes, const void *from,
                               size_t from_bytes)
{
    memset(out, 0, out_bytes);
    memcpy(out, from, out_bytes < from_bytes ? out_bytes : from_bytes);
}

#endif
