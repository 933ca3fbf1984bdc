/*
 * find.h - the next byte of one of two values, 16 bytes at a time.
 *
 * Both may read 16 bytes after `end`, which must be memory of the caller's.
 */
#ifndef FIND_H
#define FIND_H

#include <stdint.h>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

enum {
    FIND_BYTES = 16
};

/* Bit i: byte i at `at` has one of the values. */
static inline uint32_t find_mask(const uint8_t *at, v128_t a, v128_t b)
{
    v128_t bytes = wasm_v128_load(at);
    return wasm_i8x16_bitmask(
        wasm_v128_or(wasm_i8x16_eq(bytes, a), wasm_i8x16_eq(bytes, b)));
}

/* The first byte that is a or b, or `end`. */
static inline const uint8_t *
find_either(const uint8_t *from, const uint8_t *end, uint8_t a, uint8_t b)
{
    v128_t all_a = wasm_i8x16_splat((int8_t)a);
    v128_t all_b = wasm_i8x16_splat((int8_t)b);
    for (; from < end; from += FIND_BYTES) {
        uint32_t mask = find_mask(from, all_a, all_b);
        if (mask != 0) {
            from += __builtin_ctz(mask);
            break;
        }
    }
    return from < end ? from : end;
}
#else
static inline const uint8_t *
find_either(const uint8_t *from, const uint8_t *end, uint8_t a, uint8_t b)
{
    while (from < end && *from != a && *from != b)
        from++;
    return from;
}
#endif

static inline const uint8_t *find_byte(const uint8_t *from, const uint8_t *end,
                                       uint8_t value)
{
    return find_either(from, end, value, value);
}

#endif
