/* solve_sealed.c - the plan of a layout that is built once */
#include <math.h>

#include "plan/shape.h"
#include "seenset/extra/formulas.h"
#include "table/sealed/fuse.h"

/*
 * The least width that keeps p. A rate of 2^-8 means 8 bits, not 9 for the
 * n / 2^64 that equal hashes add: so a millionth of p more is accepted.
 */
uint32_t ss_plan_fingerprint_bits(uint64_t n, double p)
{
    static const double accepted = 1.0 + 1e-6;
    double equal_hash = (double)n * 0x1p-64;
    for (uint32_t bits = SS_FUSE_LEAST_BITS; bits <= SS_FUSE_MOST_BITS;
         bits++) {
        if (ldexp(1.0, -(int)bits) + equal_hash <= p * accepted)
            return bits;
    }
    return 0;
}

/* n, p -> m, k of a table that is built once: its shape is all. */
int ss_plan_solve_sealed(seenset_plan *plan)
{
    seenset_plan solved = *plan;
    uint64_t n = solved.capacity_items;
    if (n == 0 || solved.size_bits != 0 ||
        !(solved.fp_rate > 0.0 && solved.fp_rate < 1.0))
        return SEENSET_EINVAL;
    if (solved.hash_count == 0)
        solved.hash_count = SS_FUSE_DEFAULT_ARITY;
    uint32_t bits = ss_plan_fingerprint_bits(n, solved.fp_rate);
    ss_fuse_shape shape;
    if (!ss_plan_is_hash_count(ss_layout_find_traits(plan->layout),
                               solved.hash_count))
        return SEENSET_EINVAL;
    if (bits == 0)
        return SEENSET_ERATE;
    if (!ss_fuse_shape_for(n, solved.hash_count, bits, 0, &shape))
        return SEENSET_ETOOBIG;
    solved.size_bits = ss_fuse_size_bits(&shape);
    solved.expected_fp_rate = ldexp(1.0, -(int)bits) + (double)n * 0x1p-64;
    solved.bits_per_key = (double)solved.size_bits / (double)n;
    solved.floor_bits = seenset_plan_floor_bits(n, solved.fp_rate);
    *plan = solved;
    return SEENSET_OK;
}
