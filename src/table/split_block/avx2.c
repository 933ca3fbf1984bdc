/* avx2.c - the block test in one register of eight 32-bit words */
#if defined(__AVX2__)
#include <immintrin.h>

#include "table/split_block/split_block.h"

static inline __m256i load(const void *words)
{
    return _mm256_loadu_si256((const __m256i *)words);
}

static inline __m256i block_mask(uint64_t hash)
{
    __m256i low = _mm256_set1_epi32((int)(uint32_t)hash);
    __m256i products = _mm256_mullo_epi32(low, load(ss_split_block_salts));
    return _mm256_sllv_epi32(_mm256_set1_epi32(1),
                             _mm256_srli_epi32(products, SS_SPLIT_BLOCK_SHIFT));
}

static inline bool line_add(uint64_t *block, uint64_t hash)
{
    __m256i mask = block_mask(hash);
    __m256i words = load(block);
    _mm256_storeu_si256((__m256i *)(void *)block, _mm256_or_si256(words, mask));
    return !_mm256_testc_si256(words, mask);
}

/* At any address: one load, and no copy that it would have to wait for. */
static inline bool line_has(const void *block, uint64_t hash)
{
    return _mm256_testc_si256(load(block), block_mask(hash));
}

#define TWIN_ROW ss_split_block_avx2
#define TWIN_NAME "avx2"
#define TWIN_ASKS_BOTH
#define TWIN_ASKS_ANYWHERE
#include "table/split_block/loops.h"
#else
typedef int ss_split_block_avx2_is_not_built;
#endif
