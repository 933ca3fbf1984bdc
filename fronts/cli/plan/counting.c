/*
 * counting.c - see counting.h.
 *
 * Counters of b bits take b times the memory of bits, and are full at 2^b - 1.
 * A full counter stays full, so removing keys no longer lowers it. How probable
 * that is decides the width: 4 bits are enough for different keys, but a key
 * that is added again and again counts each time.
 */
#include "plan/counting.h"

#include <stdio.h>

#include "seenset/extra/formulas.h"
#include "text/units.h"

static uint32_t width(uint32_t counter_bits)
{
    return counter_bits == 0 ? PLAN_DEFAULT_COUNTER_BITS : counter_bits;
}

/* At most 2^53 counters of 16 bits. */
uint64_t plan_counting_bytes(const seenset_plan *plan, uint32_t counter_bits)
{
    return (plan->size_bits * width(counter_bits) + 7) / 8;
}

double plan_counting_overflow(const seenset_plan *plan, uint32_t counter_bits)
{
    return seenset_plan_overflow_bound(plan->capacity_items, plan->size_bits,
                                       plan->hash_count, width(counter_bits));
}

/* Of wide counters it is under the smallest number above 0. */
static units_text overflow_text(const seenset_plan *plan, uint32_t counter_bits)
{
    units_text out = {"under 1e-300"};
    double bound = plan_counting_overflow(plan, counter_bits);
    if (bound > 1e-300)
        snprintf(out.text, sizeof out.text, "%.3g", bound);
    return out;
}

static void print_one(const seenset_plan *plan, uint32_t counter_bits)
{
    uint32_t full = (1u << counter_bits) - 1;
    printf("%-24s%u bits, full at %u\n", "a counter", counter_bits, full);
    printf("%-24s%s, %.2f bits per key\n", "all counters",
           units_as_bytes(plan_counting_bytes(plan, counter_bits)).text,
           plan->bits_per_key * counter_bits);
    printf("%-24s%s at most, for different keys\n", "chance that one is full",
           overflow_text(plan, counter_bits).text);
    printf("\nA key that is added %u times fills its counters alone. Full "
           "counters stay full:\nthen a key that is removed may still be "
           "reported as seen.\n",
           full);
}

static void print_widths(const seenset_plan *plan)
{
    static const uint32_t widths[] = {2, 3, 4, 5, 6, 8, 12, 16};
    puts("\nbits of a counter  full at  all counters  one is full, at most");
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        printf("%-17u  %7u  %-12s  %s\n", widths[i], (1u << widths[i]) - 1,
               units_as_bytes(plan_counting_bytes(plan, widths[i])).text,
               overflow_text(plan, widths[i]).text);
}

void plan_counting_print(const seenset_plan *plan, uint32_t counter_bits)
{
    print_one(plan, width(counter_bits));
    if (counter_bits == 0)
        print_widths(plan);
}
