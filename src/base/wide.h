/*
 * wide.h - a number of 128 bits, taken apart digit by digit.
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

#endif
