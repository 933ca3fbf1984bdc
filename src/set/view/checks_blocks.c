/* checks_blocks.c - which blocks of a view were checked, and whether one is
 * sound; see checks.h */
#include "expand/state.h"
#include "hash/block_sum.h"
#include "set/view/checks_parts.h"

/* After the last block: the set is asked directly. The handle is const to
 * callers that ask, and was made to be changed. Not a set with late hashes: a
 * thread that asks the table directly might not see yet what another thread
 * wrote to it. */
static void finish(const seenset *set)
{
    seenset *made = (seenset *)(uintptr_t)set;
    if (set->checks->late != NULL)
        return;
    ss_set_publish_direct(made);
    ss_set_publish_view(made);
}

void ss_checks_set(const seenset *set, uint64_t block)
{
    ss_checks *checks = set->checks;
    if (ss_checks_set_bit(checks->checked, block) &&
        __atomic_fetch_sub(&checks->unchecked, 1, __ATOMIC_ACQ_REL) == 1)
        finish(set);
}

uint8_t *ss_checks_block(const ss_generation *generation, uint64_t of,
                         size_t *size_bytes)
{
    const ss_expand *expand = generation->table.expand;
    uint64_t bytes = expand != NULL
                         ? expand->image_bytes
                         : ss_set_word_count(generation) * sizeof(uint64_t);
    uint64_t left = bytes - of * SS_BLOCK_BYTES;
    *size_bytes = left < SS_BLOCK_BYTES ? (size_t)left : SS_BLOCK_BYTES;
    return (expand != NULL ? expand->image
                           : (uint8_t *)generation->table.words) +
           of * SS_BLOCK_BYTES;
}

bool ss_checks_is_sound(const seenset *set, const ss_generation *generation,
                        uint64_t of)
{
    size_t size_bytes;
    const uint8_t *bytes = ss_checks_block(generation, of, &size_bytes);
    const uint8_t *sums = set->checks->sums;
    uint64_t block = generation->first_block + of;
    return sums == NULL ||
           ss_block_sum(block, bytes, size_bytes) ==
               ss_bits_load(sums + block * SS_SUM_BYTES, SS_SUM_BYTES);
}
