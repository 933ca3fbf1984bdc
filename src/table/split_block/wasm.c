/* wasm.c - the block test in two registers of four 32-bit words each, as
 * WebAssembly has them; there a shift is the same for all parts of a register,
 * so a bit is looked up instead */
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

#include "table/split_block/split_block.h"

/* Words 0 to 3 of a block, or, half being 1, words 4 to 7. Each byte of a word
 * gets the number of the word's bit, less that of its own first bit: 0 to 7
 * chooses one of its bits, and anything else none. */
static inline v128_t half_mask(uint64_t hash, unsigned half)
{
    const v128_t first_bits = wasm_i8x16_const(0, 8, 16, 24, 0, 8, 16, 24, 0, 8,
                                               16, 24, 0, 8, 16, 24);
    const v128_t bytes =
        wasm_i8x16_const(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    v128_t salts = wasm_v128_load(ss_split_block_salts + 4 * half);
    v128_t products = wasm_i32x4_mul(wasm_i32x4_splat((int32_t)hash), salts);
    v128_t fields = wasm_u32x4_shr(products, SS_SPLIT_BLOCK_SHIFT);
    v128_t chosen = wasm_i8x16_shuffle(fields, fields, 0, 0, 0, 0, 4, 4, 4, 4,
                                       8, 8, 8, 8, 12, 12, 12, 12);
    return wasm_i8x16_swizzle(bytes, wasm_i8x16_sub(chosen, first_bits));
}

/* Sets bits in two words, and returns those that were not set. */
static inline v128_t half_add(uint64_t *words, v128_t mask)
{
    v128_t before = wasm_v128_load(words);
    wasm_v128_store(words, wasm_v128_or(before, mask));
    return wasm_v128_andnot(mask, before);
}

static inline v128_t half_lacks(const uint64_t *words, v128_t mask)
{
    return wasm_v128_andnot(mask, wasm_v128_load(words));
}

static inline bool line_add(uint64_t *block, uint64_t hash)
{
    v128_t first = half_add(block, half_mask(hash, 0));
    v128_t second = half_add(block + 2, half_mask(hash, 1));
    return wasm_v128_any_true(wasm_v128_or(first, second));
}

static inline bool line_has(const uint64_t *block, uint64_t hash)
{
    v128_t first = half_lacks(block, half_mask(hash, 0));
    v128_t second = half_lacks(block + 2, half_mask(hash, 1));
    return !wasm_v128_any_true(wasm_v128_or(first, second));
}

#define TWIN_ROW ss_split_block_wasm
#define TWIN_NAME "wasm"
#include "table/split_block/loops.h"
#else
typedef int ss_split_block_wasm_is_not_built;
#endif
