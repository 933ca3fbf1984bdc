/* wasm.c - the line test in four registers of two words each, as
 * WebAssembly has them; there a shift is the same for all parts of a register,
 * so a bit is looked up instead */
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

#include "table/blocked/blocked.h"

/* Part w: the six bits of x that choose word w's bit. Each part gets the two
 * bytes which have them, is multiplied until they come first, and shifted. */
static inline v128_t line_fields(uint64_t x)
{
    v128_t all = wasm_i64x2_splat((int64_t)x);
    v128_t parts =
        wasm_i8x16_shuffle(all, all, 2, 3, 2, 3, 3, 4, 4, 5, /* words 0-3 */
                           5, 6, 5, 6, 6, 7, 7, 7 /* words 4-7 */);
    v128_t first = wasm_i16x8_const(1 << 10, 1 << 4, 1 << 6, 1 << 8, 1 << 10,
                                    1 << 4, 1 << 6, 1 << 8);
    /* else clang takes eight shifts for it, one part at a time */
    __asm__("" : "+r"(first));
    return wasm_u16x8_shr(wasm_i16x8_mul(parts, first), 10);
}

/* A byte's distance from the bit that is chosen gives what the byte is: 0 to 7
 * one bit, and anything else none. */
static inline v128_t pair_mask(v128_t chosen)
{
    const v128_t first_bits = wasm_i8x16_const(0, 8, 16, 24, 32, 40, 48, 56, 0,
                                               8, 16, 24, 32, 40, 48, 56);
    const v128_t bytes =
        wasm_i8x16_const(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    return wasm_i8x16_swizzle(bytes, wasm_i8x16_sub(chosen, first_bits));
}

/* The bits of words 2 pair and 2 pair + 1, from the fields of the line. */
#define PAIR(fields, pair)                                                     \
    pair_mask(wasm_i8x16_shuffle(                                              \
        fields, fields, 4 * (pair), 4 * (pair), 4 * (pair), 4 * (pair),        \
        4 * (pair), 4 * (pair), 4 * (pair), 4 * (pair), 4 * (pair) + 2,        \
        4 * (pair) + 2, 4 * (pair) + 2, 4 * (pair) + 2, 4 * (pair) + 2,        \
        4 * (pair) + 2, 4 * (pair) + 2, 4 * (pair) + 2))

/* What of the mask the two words lack; they get it. */
static inline v128_t pair_add(uint64_t *words, v128_t mask)
{
    v128_t before = wasm_v128_load(words);
    wasm_v128_store(words, wasm_v128_or(before, mask));
    return wasm_v128_andnot(mask, before);
}

static inline v128_t pair_lacks(const uint64_t *words, v128_t mask)
{
    return wasm_v128_andnot(mask, wasm_v128_load(words));
}

static inline bool line_add(uint64_t *line, uint64_t x)
{
    v128_t fields = line_fields(x);
    v128_t missing = pair_add(line, PAIR(fields, 0));
    missing = wasm_v128_or(missing, pair_add(line + 2, PAIR(fields, 1)));
    missing = wasm_v128_or(missing, pair_add(line + 4, PAIR(fields, 2)));
    missing = wasm_v128_or(missing, pair_add(line + 6, PAIR(fields, 3)));
    return wasm_v128_any_true(missing);
}

static inline bool line_has(const uint64_t *line, uint64_t x)
{
    v128_t fields = line_fields(x);
    v128_t missing = pair_lacks(line, PAIR(fields, 0));
    missing = wasm_v128_or(missing, pair_lacks(line + 2, PAIR(fields, 1)));
    missing = wasm_v128_or(missing, pair_lacks(line + 4, PAIR(fields, 2)));
    missing = wasm_v128_or(missing, pair_lacks(line + 6, PAIR(fields, 3)));
    return !wasm_v128_any_true(missing);
}

#define TWIN_ROW ss_blocked_wasm
#define TWIN_NAME "wasm"
#include "table/blocked/loops.h"
#else
typedef int ss_blocked_wasm_is_not_built;
#endif
