/* portable.c - the block test word by word, for any processor; the kernel
 * that the others are measured against, bit for bit */
#include "table/split_block/split_block.h"

/* Sets the key's bits in a block; true if one of them was not set. */
static inline bool line_add(uint64_t *block, uint64_t hash)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_SPLIT_BLOCK_WORDS; w++) {
        uint64_t mask = ss_split_block_mask(hash, w);
        missing |= mask & ~block[w];
        block[w] |= mask;
    }
    return missing != 0;
}

static inline bool line_has(const uint64_t *block, uint64_t hash)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < SS_SPLIT_BLOCK_WORDS; w++)
        missing |= ss_split_block_mask(hash, w) & ~block[w];
    return missing == 0;
}

#define TWIN_ROW ss_split_block_portable
#define TWIN_NAME "portable"
#include "table/split_block/loops.h"
