/*
 * wide.h - a number of 128 bits, taken apart digit by digit; and remainders of
 * many numbers by one.
 */
#ifndef SS_BASE_WIDE_H
#define SS_BASE_WIDE_H

#include <stdint.h>

typedef struct ss_wide {
    uint64_t high, low;
} ss_wide;

/*
 * Divides *x by `divisor`, 1 to 2^53, in place; returns the remainder. Without
 * a 128-bit type the lower half goes by eight digits of 8 bits, whose partial
 * remainders stay below 2^53 * 2^8.
 */
static inline uint64_t ss_wide_divide(ss_wide *x, uint64_t divisor)
{
    uint64_t remainder = x->high % divisor;
    x->high /= divisor;
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    wide rest = (wide)remainder << 64 | x->low;
    x->low = (uint64_t)(rest / divisor);
    return (uint64_t)(rest % divisor);
#else
    uint64_t quotient = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        remainder = remainder << 8 | (x->low >> shift & 255);
        quotient = quotient << 8 | remainder / divisor;
        remainder %= divisor;
    }
    x->low = quotient;
    return remainder;
#endif
}

/*
 * A divisor, 1 to 2^63, of many numbers. Its reciprocal is one division, and
 * each remainder then a multiplication: with r = floor((2^64 - 1) / d) the
 * upper half of x r is the quotient x / d, or one less, as r is short of 2^64 /
 * d by at most 1, and x (2^64 / d - r) / 2^64 is below 1.
 */
typedef struct ss_divisor {
    uint64_t value, reciprocal;
} ss_divisor;

static inline ss_divisor ss_divisor_of(uint64_t value)
{
    return (ss_divisor){.value = value, .reciprocal = UINT64_MAX / value};
}

static inline uint64_t ss_divisor_rest(const ss_divisor *by, uint64_t x)
{
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
    __extension__ typedef unsigned __int128 wide;
    uint64_t quotient = (uint64_t)((wide)x * by->reciprocal >> 64);
    uint64_t rest = x - quotient * by->value;
    return rest >= by->value ? rest - by->value : rest;
#else
    return x % by->value;
#endif
}

#endif
