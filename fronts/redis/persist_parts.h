/*
 * persist_parts.h - what writing and reading a value have in common.
 */
#ifndef SEENSET_REDIS_PERSIST_PARTS_H
#define SEENSET_REDIS_PERSIST_PARTS_H

#include "seenset/hash.h"

#define SR_FLAG_KEYED 1u
#define SR_FLAG_SET 2u
#define SR_FLAG_INCOMING 4u
#define SR_ALL_FLAGS 7u

enum {
    SR_CHUNK_BYTES = 1 << 16,
    SR_SECRET_HEX_BYTES = 2 * SEENSET_SECRET_BYTES + 1
};

/* The secret in hexadecimal digits, and a NUL. */
void sr_secret_print(const uint8_t *secret, char hex[SR_SECRET_HEX_BYTES]);

#endif
