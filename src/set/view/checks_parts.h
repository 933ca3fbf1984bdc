/*
 * checks_parts.h - blocks that are checked when touched (checks.h): what
 * checks.c, checks_images.c and checks_blocks.c share.
 */
#ifndef SS_SET_VIEW_CHECKS_PARTS_H
#define SS_SET_VIEW_CHECKS_PARTS_H

#include "set/view/overlay.h"
#include "set/view/deferred.h"
#include "set/set.h"

typedef struct ss_checks {
    const uint8_t *sums; /* NULL: blocks are taken as sound */
    uint64_t block_count;
    uint64_t unchecked; /* how many blocks are; others may be counting down */
    uint64_t *checked;  /* a bit a block: sound, and its hashes are in it */
    ss_deferred *late;  /* hashes to come into the newest table, or NULL */
    ss_overlay *beside; /* hashes beside it, which grows in place, or NULL */
} ss_checks;

/* Those of any set: none, of one that is not a checked view. */
static inline const ss_checks *ss_checks_of(const seenset *set)
{
    static const ss_checks none;
    return set->checks != NULL ? set->checks : &none;
}

/* Is the bit set? Another thread may be setting it. */
static inline bool ss_checks_is_set(const uint64_t *words, uint64_t bit)
{
    uint64_t word =
        __atomic_load_n(&words[bit / SS_WORD_BITS], __ATOMIC_ACQUIRE);
    return (word >> bit % SS_WORD_BITS & 1) != 0;
}

/* Sets it. Was it 0? */
static inline bool ss_checks_set_bit(uint64_t *words, uint64_t bit)
{
    uint64_t mask = UINT64_C(1) << bit % SS_WORD_BITS;
    return (__atomic_fetch_or(&words[bit / SS_WORD_BITS], mask,
                              __ATOMIC_RELEASE) &
            mask) == 0;
}

/* Block number `block` of the file was found sound. */
void ss_checks_set(const seenset *set, uint64_t block);

/* The bytes of block `of` of a table, of which the last may be short. */
uint8_t *ss_checks_block(const ss_generation *generation, uint64_t of,
                         size_t *size_bytes);

/* Has block `of` of a table the sum that the file gives? */
bool ss_checks_is_sound(const seenset *set, const ss_generation *generation,
                        uint64_t of);

/* Can the segment of a hash be read, in a table that grows in place? Can all of
 * its segments? */
bool ss_checks_segment(const seenset *set, const ss_generation *generation,
                       uint64_t hash);
bool ss_checks_segments(const seenset *set, const ss_generation *generation);

/* Has a table the hash, of those that may be asked for it? A lookup in bits
 * that are damaged gives a wrong answer at worst. */
bool ss_checks_has_sound(const seenset *set, uint64_t hash);

#endif
