/*
 * shared.c - the block test for sets that many threads change at once, as in
 * blocked/shared.c: a word is read with a relaxed load, and only bits that are
 * missing cost a fetch_or.
 */
#include "table/split_block/split_block.h"

static inline bool line_add(uint64_t *block, uint64_t hash)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_SPLIT_BLOCK_WORDS; w++) {
        uint64_t mask = ss_split_block_mask(hash, w);
        if ((mask & ~ss_bits_read(&block[w])) != 0)
            missing |= mask & ~ss_bits_set(&block[w], mask);
    }
    return missing != 0;
}

static inline bool line_has(const uint64_t *block, uint64_t hash)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_SPLIT_BLOCK_WORDS; w++)
        missing |= ss_split_block_mask(hash, w) & ~ss_bits_read(&block[w]);
    return missing == 0;
}

#define TWIN_ROW ss_split_block_shared
#define TWIN_NAME "shared"
#define TWIN_IS_SHARED true
#include "table/split_block/loops.h"
