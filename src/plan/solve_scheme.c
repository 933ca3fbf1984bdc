/*
 * solve_scheme.c - a plan whose places an index scheme says.
 *
 * The classic's formulas hold, but a scheme does not have every size and every
 * number of hashes. First the plan is solved as if it had. Where k is then one
 * that the scheme does not have, the nearest that it has is given, and the rest
 * is solved again. And a size that was found is rounded up.
 *
 * A system that chooses a size for a rate by a rule of its own gets that size,
 * as no other filter would be its. Where the rule misses the rate, the plan is
 * for the rate that it keeps.
 */
#include <math.h>

#include "base/growth.h"
#include "plan/shape.h"

static uint32_t nearest_hash_count(const ss_scheme *scheme,
                                   const ss_scheme_arguments *arguments,
                                   uint32_t k)
{
    uint32_t most = ss_scheme_max_hash_count(scheme, arguments);
    if (k < scheme->min_hash_count)
        return scheme->min_hash_count;
    return k > most ? most : k;
}

/* Are m and k, where they are given, some that the scheme has? */
static bool has_given(const seenset_plan *plan, const ss_scheme *scheme,
                      const ss_scheme_arguments *arguments)
{
    uint32_t k = plan->hash_count;
    return (plan->size_bits == 0 ||
            ss_scheme_is_size(scheme, plan->size_bits)) &&
           (k == 0 || nearest_hash_count(scheme, arguments, k) == k);
}

/* The plan with a k that the scheme has. */
static int solve_hash_count(seenset_plan *plan, const ss_scheme *scheme,
                            const ss_scheme_arguments *arguments)
{
    seenset_plan given = *plan;
    int error = seenset_plan_solve(plan);
    if (error != SEENSET_OK)
        return error;
    given.hash_count = nearest_hash_count(scheme, arguments, plan->hash_count);
    if (given.hash_count == plan->hash_count)
        return SEENSET_OK;
    *plan = given;
    return seenset_plan_solve(plan);
}

/* Is all left to the rule of the scheme's system, if it has one? */
static bool is_by_rule(const seenset_plan *plan, const ss_scheme *scheme)
{
    return scheme->parameters != NULL && plan->fp_rate > 0.0 &&
           plan->fp_rate < 1.0 && plan->capacity_items != 0 &&
           plan->size_bits == 0 && plan->hash_count == 0;
}

static int solve_by_rule(seenset_plan *plan, const ss_scheme *scheme)
{
    uint32_t bits_per_key;
    double p = plan->fp_rate;
    if (plan->capacity_items > SEENSET_MAX_SIZE_BITS)
        return SEENSET_ETOOBIG;
    scheme->parameters(p, &bits_per_key, &plan->hash_count);
    plan->size_bits =
        ss_scheme_round_up(scheme, bits_per_key * plan->capacity_items);
    if (plan->size_bits == 0)
        return SEENSET_ETOOBIG;
    plan->fp_rate = 0.0;
    int error = seenset_plan_solve(plan);
    if (error != SEENSET_OK)
        return error;
    plan->fp_rate = fmax(plan->expected_fp_rate, p);
    plan->floor_bits =
        seenset_plan_floor_bits(plan->capacity_items, plan->fp_rate);
    return SEENSET_OK;
}

static int solve_by_rate(seenset_plan *plan, const ss_scheme *scheme,
                         const ss_scheme_arguments *arguments)
{
    int error = solve_hash_count(plan, scheme, arguments);
    if (error != SEENSET_OK)
        return error;
    uint64_t rounded = ss_scheme_round_up(scheme, plan->size_bits);
    if (rounded == 0)
        return SEENSET_ETOOBIG;
    if (rounded == plan->size_bits)
        return SEENSET_OK;
    plan->size_bits = rounded; /* the rate of the larger table */
    return seenset_plan_solve(plan);
}

/* A scheme that makes a hash has the layout that its system has, and so that
 * layout's formulas. */
static int solve_hashed(seenset_plan *plan, const ss_scheme *scheme)
{
    seenset_plan solved = *plan;
    if (solved.layout == SEENSET_LAYOUT_DEFAULT)
        solved.layout = scheme->hashed_layout;
    if (ss_layout_find_traits(solved.layout) == NULL)
        return SEENSET_EINVAL;
    if (solved.layout != scheme->hashed_layout)
        return SEENSET_EUNSUPPORTED;
    int error = seenset_plan_solve(&solved);
    if (error == SEENSET_OK)
        *plan = solved;
    return error;
}

int ss_plan_solve_scheme(seenset_plan *plan, const ss_scheme *scheme,
                         const ss_scheme_arguments *arguments)
{
    if (scheme->indices == NULL)
        return solve_hashed(plan, scheme);
    seenset_plan solved = *plan;
    if (solved.layout == SEENSET_LAYOUT_DEFAULT)
        solved.layout = SEENSET_LAYOUT_BLOOM;
    if (ss_layout_find_traits(solved.layout) == NULL ||
        !has_given(plan, scheme, arguments))
        return SEENSET_EINVAL;
    bool is_sized = plan->size_bits != 0 && plan->hash_count != 0;
    if (ss_layout_find_foreign(solved.layout) == NULL ||
        (scheme->is_sized && !is_sized))
        return SEENSET_EUNSUPPORTED;
    int error = is_by_rule(&solved, scheme)
                    ? solve_by_rule(&solved, scheme)
                    : solve_by_rate(&solved, scheme, arguments);
    if (error == SEENSET_OK)
        *plan = solved;
    return error;
}

int seenset_plan_solve_scheme(seenset_plan *plan, seenset_scheme scheme,
                              const seenset_scheme_arguments *arguments)
{
    bool is_chain = scheme <= SEENSET_SCHEME_CHAIN;
    const ss_scheme *row =
        ss_scheme_find(is_chain ? SS_SCHEME_CHAIN : (uint32_t)scheme);
    ss_scheme_arguments read;
    if (plan == NULL || row == NULL || !SS_GROWTH_IS_UNUSED(plan))
        return SEENSET_EINVAL;
    int error = ss_scheme_read_arguments(&read, row, arguments);
    if (error != SEENSET_OK)
        return error;
    return is_chain ? seenset_plan_solve(plan)
                    : ss_plan_solve_scheme(plan, row, &read);
}
