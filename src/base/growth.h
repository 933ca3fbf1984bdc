/*
 * growth.h - structs of the public headers that may get more fields.
 *
 * A program may be older or newer than the library that it runs with. So what
 * the library hands out is cut to the size that the caller gives; and what it
 * is given ends with fields that must be 0 until they get a meaning.
 */
#ifndef SS_BASE_GROWTH_H
#define SS_BASE_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "seenset/error.h"

/* The fields that the caller's struct has room for; zeros where it is larger.
 * 0, or SEENSET_EINVAL if there is no room at all. */
static inline int ss_growth_hand_out(void *out, size_t out_bytes,
                                     const void *known, size_t known_bytes)
{
    size_t common_bytes = out_bytes < known_bytes ? out_bytes : known_bytes;
    if (out == NULL || out_bytes == 0)
        return SEENSET_EINVAL;
    memcpy(out, known, common_bytes);
    memset((char *)out + common_bytes, 0, out_bytes - common_bytes);
    return SEENSET_OK;
}

/* Are the reserved fields of options 0, as they must be? */
#define SS_GROWTH_IS_UNUSED(options)                                           \
    ss_growth_is_zero((options)->reserved,                                     \
                      sizeof((options)->reserved) / sizeof(uint64_t))

static inline bool ss_growth_is_zero(const uint64_t *reserved, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= reserved[i];
    return all == 0;
}

#endif
