/*
 * wide.c - see wide.h.
 */
#include "stream/wide.h"

#include <errno.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "seenset/hash.h"

#define PIECE_BYTES ((size_t)32 * 1024)

int wide_make_secret(uint8_t secret[WIDE_SECRET_BYTES])
{
    for (size_t at = 0; at < WIDE_SECRET_BYTES; at += SEENSET_SECRET_BYTES)
        if (seenset_make_secret(secret + at) != 0)
            return -1;
    return 0;
}

static wide_hash as_wide(XXH128_hash_t hash)
{
    return (wide_hash){.low = hash.low64, .high = hash.high64};
}

wide_hash wide_of(const void *key, size_t bytes,
                  const uint8_t secret[WIDE_SECRET_BYTES])
{
    return as_wide(
        XXH3_128bits_withSecret(key, bytes, secret, WIDE_SECRET_BYTES));
}

/* Without the separator after it. Returns 0, or -1 and errno. */
static int update(XXH3_state_t *state, const spill *line)
{
    char piece[PIECE_BYTES];
    uint64_t size = spill_bytes(line);
    for (uint64_t done = 0; done < size;) {
        uint64_t left = size - done;
        ptrdiff_t got = spill_read(line, done, piece,
                                   left < PIECE_BYTES ? left : PIECE_BYTES);
        if (got <= 0) {
            errno = got == 0 ? EIO : errno;
            return -1;
        }
        (void)XXH3_128bits_update(state, piece, (size_t)got);
        done += (uint64_t)got;
    }
    return 0;
}

int wide_of_line(wide_hash *hash, const spill *line,
                 const uint8_t secret[WIDE_SECRET_BYTES])
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL) {
        errno = ENOMEM;
        return -1;
    }
    (void)XXH3_128bits_reset_withSecret(state, secret, WIDE_SECRET_BYTES);
    int result = update(state, line);
    if (result == 0)
        *hash = as_wide(XXH3_128bits_digest(state));
    (void)XXH3_freeState(state);
    return result;
}
