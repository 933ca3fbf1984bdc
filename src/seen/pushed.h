/*
 * pushed.h - a URL on its way into the set: its bytes, its hash, its time.
 *
 * The hash is computed once, before the mutex is taken. Most sets need nothing
 * else of a URL. A set with an index scheme and an exact one need its bytes, a
 * window by age the time of the push.
 */
#ifndef SS_SEEN_PUSHED_H
#define SS_SEEN_PUSHED_H

#include <stddef.h>
#include <stdint.h>

typedef struct ss_pushed {
    uint64_t hash;
    uint64_t seconds; /* since 1970; 0 unless the set is a window by age */
    const void *url;
    size_t url_len;
} ss_pushed;

#endif
