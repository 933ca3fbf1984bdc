/*
 * fuse.h - the sealed layout's engine: a binary fuse filter.
 *
 * A table of small slots, built once. A hash names three or four slots and a
 * fingerprint, and it is in the set if the slots' XOR is the fingerprint:
 *
 *     segment      0       1       2       3       4       5
 *              |.......|...a...|.b.....|.....c.|.......|.......|
 *                          ^      ^           ^
 *              a XOR b XOR c == fingerprint ?
 *
 * The slots of a hash lie in neighbouring segments of equal length, one in
 * each, and the first segment is anywhere. That closeness is what lets the
 * table be filled to 8/9 (three slots) or 14/15 (four), and the build be a
 * sweep over a window. A hash that was not built in meets its fingerprint with
 * chance 2^-fingerprint_bits; one that was is always found.
 *
 * Thomas Mueller Graf and Daniel Lemire, "Binary Fuse Filters: Fast and
 * Smaller Than Xor Filters", ACM JEA 27 (2022); why the closeness helps:
 * Martin Dietzfelbinger and Stefan Walzer, "Dense Peelable Random Uniform
 * Hypergraphs", ESA 2019. What a hash's slots are: docs/format-sealed.md.
 *
 * Slots are bit fields of 64-bit words, slot i from bit i * fingerprint_bits
 * on, as bits.h counts bits. On a little-endian machine, and in a file, slots
 * of 8, 16 and 32 bits are an array of little-endian integers.
 *
 * Slots of any other width are packed: they begin at any bit of a byte, and
 * some cross from one word into the next. Such a slot is read by one load of
 * the bytes from its first on, whatever their address, and a shift. So that no
 * load goes past the table, SS_FUSE_SPARE_BITS bits follow the last slot.
 */
#ifndef SS_TABLE_SEALED_FUSE_H
#define SS_TABLE_SEALED_FUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "hash/xxh3.h"
#include "seenset/plan.h"

enum {
    SS_FUSE_MAX_ARITY = 4,
    SS_FUSE_DEFAULT_ARITY = 4,
    SS_FUSE_LEAST_BITS = 4, /* of a fingerprint */
    SS_FUSE_MOST_BITS = 32,
    SS_FUSE_SPARE_BITS = 56,  /* after packed slots: a load's, but for a byte */
    SS_FUSE_FIELD_BITS = 20,  /* of a hash, for a place in a segment */
    SS_FUSE_MOST_WINDOW = 64, /* segments that a build holds at once */
    SS_FUSE_ATTEMPTS = 100    /* after these a build is given up */
};
#define SS_FUSE_MOST_LENGTH (UINT64_C(1) << SS_FUSE_FIELD_BITS)

/* All that a lookup needs besides the slots. */
typedef struct ss_fuse_shape {
    uint32_t arity;            /* slots of a hash: 3 or 4 */
    uint32_t fingerprint_bits; /* of a slot: 4 to 32 */
    uint64_t segment_length;   /* slots; a power of two */
    uint64_t segment_count;    /* those where a hash's first slot can be */
    uint64_t slot_count; /* (segment_count + arity - 1) * segment_length */
    uint64_t seed;       /* the attempt that succeeded: 0, 1, ... */
} ss_fuse_shape;

/*
 * The shape for key_count distinct hashes. False, *out untouched: arity or
 * fingerprint_bits is none of those above, or the table would be over
 * SEENSET_MAX_SIZE_BITS. From a million keys on slot_count is at most
 * 1.13 key_count (arity 3) or 1.08 key_count (4).
 */
bool ss_fuse_shape_for(uint64_t key_count, unsigned arity,
                       unsigned fingerprint_bits, uint64_t seed,
                       ss_fuse_shape *out);

/*
 * Is every field in its range and slot_count what the others make it? Then no
 * hash has a slot outside of slot_count. For shapes read from a file.
 */
bool ss_fuse_shape_is_sound(const ss_fuse_shape *shape);

/* Do slots of this width begin within bytes, or cross words? */
static inline bool ss_fuse_is_packed(unsigned fingerprint_bits)
{
    return fingerprint_bits != 8 && fingerprint_bits != 16 &&
           fingerprint_bits != 32;
}

/* Of any table's shape, all zeros if it is not sealed. */
static inline bool ss_fuse_is_packed_shape(const ss_fuse_shape *shape)
{
    return shape->fingerprint_bits > 0 &&
           ss_fuse_is_packed(shape->fingerprint_bits);
}

static inline unsigned ss_fuse_spare_bits(unsigned fingerprint_bits)
{
    return ss_fuse_is_packed(fingerprint_bits) ? SS_FUSE_SPARE_BITS : 0;
}

/* The slots' bits and the spare ones, of a sound shape: at most
 * SEENSET_MAX_SIZE_BITS. */
static inline uint64_t ss_fuse_size_bits(const ss_fuse_shape *shape)
{
    return shape->slot_count * shape->fingerprint_bits +
           ss_fuse_spare_bits(shape->fingerprint_bits);
}

/* The words of the slots: whole lines, zero past size_bits. */
static inline uint64_t ss_fuse_word_count(const ss_fuse_shape *shape)
{
    uint64_t bits = ss_fuse_size_bits(shape);
    return (bits + SS_LINE_BITS - 1) / SS_LINE_BITS * SS_LINE_WORDS;
}

/* ---- from a hash to slots, for lookup.h and build.c ---- */

/* The hash remixed for a seed; a bijection. Its upper bits say where. */
static inline uint64_t ss_fuse_mix(uint64_t hash, uint64_t seed)
{
    return ss_hash_step(ss_hash_step(hash + seed * SS_HASH_STEP));
}

/*
 * The slots of a remixed hash. Returns what the fingerprint is made of.
 * arity: constant in a loop.
 */
static SS_ALWAYS_INLINE uint64_t
ss_fuse_places(uint64_t x, unsigned arity, uint64_t segment_length,
               uint64_t first_slots, uint64_t places[SS_FUSE_MAX_ARITY])
{
    const uint64_t mask = segment_length - 1;
    uint64_t place = ss_hash_range(x, first_slots);
    uint64_t fields = ss_hash_step(x);
    places[0] = place;
    for (unsigned i = 1; i < arity; i++)
        places[i] = (place + i * segment_length) ^
                    (fields >> (64 - i * SS_FUSE_FIELD_BITS) & mask);
    return fields;
}

static SS_ALWAYS_INLINE uint64_t ss_fuse_fingerprint(uint64_t fields,
                                                     unsigned fingerprint_bits)
{
    return ss_hash_step(fields) >> (64 - fingerprint_bits);
}

/* Where a hash's first slot can be. */
static inline uint64_t ss_fuse_first_slots(const ss_fuse_shape *shape)
{
    return shape->segment_count * shape->segment_length;
}

/* A slot of 8, 16 or 32 bits, which begins at bit number `bit`. Bits above the
 * slot are not cleared. */
static SS_ALWAYS_INLINE uint64_t ss_fuse_whole_slot(const uint64_t *words,
                                                    uint64_t bit)
{
    return words[bit / SS_WORD_BITS] >> (bit % SS_WORD_BITS);
}

/* A slot of any other width. Bits above it are not cleared either. */
static SS_ALWAYS_INLINE uint64_t ss_fuse_packed_slot(const uint64_t *words,
                                                     uint64_t bit,
                                                     unsigned fingerprint_bits)
{
    if (ss_bits_is_little_endian()) {
        uint64_t loaded;
        memcpy(&loaded, (const uint8_t *)words + bit / 8, sizeof loaded);
        return loaded >> (bit % 8);
    }
    const unsigned shift = bit % SS_WORD_BITS;
    const uint64_t *word = words + bit / SS_WORD_BITS;
    return shift + fingerprint_bits <= SS_WORD_BITS
               ? *word >> shift
               : *word >> shift | word[1] << (SS_WORD_BITS - shift);
}

/* is_packed: that of the width; a loop that knows it passes a constant. */
static SS_ALWAYS_INLINE uint64_t ss_fuse_slot(const uint64_t *words,
                                              uint64_t place,
                                              unsigned fingerprint_bits,
                                              bool is_packed)
{
    uint64_t bit = place * fingerprint_bits;
    return is_packed ? ss_fuse_packed_slot(words, bit, fingerprint_bits)
                     : ss_fuse_whole_slot(words, bit);
}

#endif
