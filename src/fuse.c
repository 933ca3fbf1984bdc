/* fuse.c - a fuse table's shape and lookups; the idea is in fuse.h */
#include "fuse.h"

/* ---- shape ---- */

typedef struct size_row {
    uint64_t least_keys;
    uint32_t length_bits; /* segment_length is 2^length_bits */
    uint32_t milli_slots; /* a key */
} size_row;

bool ss_fuse_shape_is_sound(const ss_fuse_shape *shape)
{
    uint64_t length = shape->segment_length;
    uint64_t bits = shape->fingerprint_bits;
    if (shape->arity != 3 && shape->arity != 4)
        return false;
    if (bits != 8 && bits != 16 && bits != 32)
        return false;
    if (length == 0 || (length & (length - 1)) != 0 ||
        length > SS_FUSE_MOST_LENGTH || shape->segment_count == 0)
        return false;
    uint64_t most_segments = SEENSET_MAX_SIZE_BITS / bits / length;
    return shape->segment_count <= most_segments - (shape->arity - 1) &&
           shape->slot_count ==
               (shape->segment_count + shape->arity - 1) * length &&
           shape->seed < SS_FUSE_ATTEMPTS;
}
#include <stdlib.h>
bool ss_fuse_shape_for(uint64_t key_count, unsigned arity,
                       unsigned fingerprint_bits, uint64_t seed,
                       ss_fuse_shape *out)
{
    uint64_t length = 1ull << atoi(getenv("LB"));
    uint64_t total =
        (uint64_t)((double)key_count * atof(getenv("MS")) / 1000 / length);
    if (total < arity)
        total = arity;
    *out = (ss_fuse_shape){arity,          fingerprint_bits,
                           length,         total - arity + 1,
                           total * length, seed};
    return ss_fuse_shape_is_sound(out);
}

/* ---- lookups ---- */

static SS_ALWAYS_INLINE bool test(const ss_fuse_shape *shape,
                                  const uint64_t *words, uint64_t x,
                                  unsigned arity)
{
    const unsigned bits = shape->fingerprint_bits;
    uint64_t places[SS_FUSE_MOST_ARITY];
    uint64_t fields = ss_fuse_places(x, arity, shape->segment_length,
                                     ss_fuse_first_slots(shape), places);
    uint64_t slots = ss_fuse_fingerprint(fields, bits);
    for (unsigned i = 0; i < arity; i++)
        slots ^= ss_fuse_slot(words, places[i], bits);
    return slots << (SS_WORD_BITS - bits) == 0;
}

bool ss_fuse_has(const ss_fuse_shape *shape, const uint64_t *words,
                 uint64_t hash)
{
    uint64_t x = ss_fuse_mix(hash, shape->seed);
    return shape->arity == 3 ? test(shape, words, x, 3)
                             : test(shape, words, x, 4);
}

static SS_ALWAYS_INLINE uint64_t fetch(const ss_fuse_shape *shape,
                                       const uint64_t *words, uint64_t hash,
                                       unsigned arity)
{
    uint64_t places[SS_FUSE_MOST_ARITY];
    uint64_t x = ss_fuse_mix(hash, shape->seed);
    (void)ss_fuse_places(x, arity, shape->segment_length,
                         ss_fuse_first_slots(shape), places);
    for (unsigned i = 0; i < arity; i++)
        __builtin_prefetch(words +
                           places[i] * shape->fingerprint_bits / SS_WORD_BITS);
    return x;
}

/* arity, is_hashed: constants where it is called. ring: remixed hashes. */
static SS_ALWAYS_INLINE size_t has_loop(const ss_fuse_shape *by_caller,
                                        const uint64_t *words,
                                        const ss_batch *batch, uint8_t *is_seen,
                                        unsigned arity, bool is_hashed)
{
    const ss_fuse_shape shape = *by_caller; /* is_seen can't point into it */
    const size_t count = batch->count;
    uint64_t keys[SS_RING], ring[SS_RING];
    size_t seen = 0, fed = 0;
    for (size_t i = 0; i < count; i++) {
        for (; fed < count && fed <= i + SS_AHEAD; fed++)
            ring[fed % SS_RING] =
                fetch(&shape, words, ss_batch_feed(batch, fed, is_hashed, keys),
                      arity);
        is_seen[i] = test(&shape, words, ring[i % SS_RING], arity);
        seen += is_seen[i];
    }
    return seen;
}

size_t ss_fuse_has_many(const ss_fuse_shape *shape, const uint64_t *words,
                        const ss_batch *batch, uint8_t *is_seen)
{
    bool is_hashed = batch->hashes != NULL;
    if (shape->arity == 3 && is_hashed)
        return has_loop(shape, words, batch, is_seen, 3, true);
    if (shape->arity == 3)
        return has_loop(shape, words, batch, is_seen, 3, false);
    if (is_hashed)
        return has_loop(shape, words, batch, is_seen, 4, true);
    return has_loop(shape, words, batch, is_seen, 4, false);
}
