/*
 * order.h - the lower and the higher of two numbers.
 */
#ifndef SS_BASE_ORDER_H
#define SS_BASE_ORDER_H

#include <stdint.h>

static inline uint64_t ss_lower(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t ss_higher(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
