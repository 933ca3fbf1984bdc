/*
 * solve.c - any of n, p, m, k from the others.
 *
 * The rate (rate.c) falls with m and rises with n, so both are found by
 * bisection over whole numbers and rounded to the side that keeps p. What is
 * left is the choice of k. The classic's best k is next to log2(1/p) when p is
 * given, and next to (m/n) ln 2 when m and n are. The blocked layout takes the
 * fewest lines, as each is a cache miss, that cost at most a tenth more bits
 * than a classic filter with the same promise; when none does, the number of
 * lines that promises most. Of slots the width is taken that costs the fewest
 * bits or promises most, and there is to be room for all of them.
 */
#include <math.h>
#include <string.h>

#include "base/growth.h"
#include "plan/shape.h"
#include "seenset/extra/formulas.h"

static const double worth_a_line = 1.1;
static const double ln_2 = 0.69314718055994530942;

enum {
    MOST_CANDIDATES = 42 /* widths of slots */
};

/* A goal for bisection: does the plan with x in its open field keep p? */
struct goal {
    const ss_layout_traits *layout;
    uint32_t k;
    uint64_t n; /* given, when m is sought */
    uint64_t m; /* given, when n is sought */
    double p;
};

static const ss_layout_traits *layout_of(const seenset_plan *plan)
{
    return ss_layout_find_traits(plan->layout);
}

/* Infinite where there is no room. */
static double rate_with_room(seenset_layout id, uint64_t n, uint64_t m,
                             uint32_t k)
{
    return n > ss_plan_most_items(id, m, k) ? INFINITY
                                            : ss_plan_rate(id, n, m, k);
}

/* Is a cache miss less worth more bits than a classic filter takes? */
static bool weighs_lines(const seenset_plan *plan)
{
    return !layout_of(plan)->is_classic && !layout_of(plan)->has_slots;
}

static bool keeps_with_units(const struct goal *goal, uint64_t units)
{
    uint64_t m = units * goal->layout->unit_bits(goal->k);
    return rate_with_room(goal->layout->id, goal->n, m, goal->k) <= goal->p;
}

static bool keeps_with_items(const struct goal *goal, uint64_t n)
{
    return rate_with_room(goal->layout->id, n, goal->m, goal->k) <= goal->p;
}

/* The fewest bits m that keep p for n keys at this k. */
static int fewest_bits(const struct goal *goal, uint64_t *m)
{
    uint64_t unit_bits = goal->layout->unit_bits(goal->k);
    uint64_t most_units = goal->layout->max_size_bits / unit_bits;
    uint64_t low = 0; /* too few: the rate is above p */
    uint64_t high = 1;
    while (high < most_units && !keeps_with_units(goal, high)) {
        low = high;
        high = high > most_units / 2 ? most_units : high * 2;
    }
    if (!keeps_with_units(goal, high))
        return SEENSET_ETOOBIG;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (keeps_with_units(goal, middle))
            high = middle;
        else
            low = middle;
    }
    *m = high * unit_bits;
    return SEENSET_OK;
}

/* The most keys n for which m bits keep p at this k; 0 if not even one. */
static uint64_t most_items(const struct goal *goal)
{
    uint64_t low = 0;                          /* keeps */
    uint64_t high = SEENSET_MAX_SIZE_BITS + 1; /* too many keys */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (keeps_with_items(goal, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t clamp_hash_count(double k)
{
    if (!(k >= 1.0))
        return 1;
    return k > SEENSET_MAX_HASH_COUNT ? SEENSET_MAX_HASH_COUNT : (uint32_t)k;
}

/*
 * The candidates for k: two neighbours of the classic's real optimum, or each
 * that the layout has. Returns their count.
 */
static int hash_candidates(const ss_layout_traits *layout, double optimum,
                           uint32_t candidates[MOST_CANDIDATES])
{
    if (layout->is_classic) {
        candidates[0] = clamp_hash_count(floor(optimum));
        candidates[1] = clamp_hash_count(ceil(optimum));
        return 2;
    }
    int count = 0;
    for (uint32_t k = layout->min_hash_count;
         k <= layout->max_hash_count && count < MOST_CANDIDATES;
         k += layout->hash_count_step)
        candidates[count++] = k;
    return count;
}

/* The same plan for the classic layout, to compare with. */
static seenset_plan classic_of(const seenset_plan *plan)
{
    seenset_plan classic = *plan;
    classic.layout = SEENSET_LAYOUT_BLOOM;
    return classic;
}

static int solve_size_at(seenset_plan *plan)
{
    struct goal goal = {.layout = layout_of(plan),
                        .k = plan->hash_count,
                        .n = plan->capacity_items,
                        .p = plan->fp_rate};
    return fewest_bits(&goal, &plan->size_bits);
}

/* n, p -> m, k */
static int solve_size(seenset_plan *plan)
{
    seenset_plan classic = classic_of(plan);
    uint64_t enough = 0; /* the first size at most this is taken */
    if (weighs_lines(plan) && solve_size(&classic) == SEENSET_OK)
        enough = (uint64_t)((double)classic.size_bits * worth_a_line);
    uint32_t candidates[MOST_CANDIDATES];
    int count =
        hash_candidates(layout_of(plan), -log2(plan->fp_rate), candidates);
    seenset_plan best = {0};
    for (int i = 0; i < count; i++) {
        seenset_plan tried = *plan;
        tried.hash_count = candidates[i];
        if (solve_size_at(&tried) != SEENSET_OK)
            continue;
        if (best.size_bits == 0 || tried.size_bits < best.size_bits)
            best = tried;
        if (best.size_bits <= enough)
            break;
    }
    if (best.size_bits == 0)
        return SEENSET_ETOOBIG;
    *plan = best;
    return SEENSET_OK;
}

/* The layout's size for m given bits: rounded up to whole units. */
static uint64_t whole_size(const seenset_plan *plan, uint32_t k)
{
    uint64_t unit_bits = layout_of(plan)->unit_bits(k);
    return (plan->size_bits + unit_bits - 1) / unit_bits * unit_bits;
}

/* n, m -> k */
static int solve_hash_count(seenset_plan *plan)
{
    double n = (double)plan->capacity_items;
    double optimum = (double)plan->size_bits / n * ln_2;
    double enough = 0.0; /* the first rate at most this is taken */
    if (weighs_lines(plan)) {
        seenset_plan classic = classic_of(plan);
        classic.size_bits =
            (uint64_t)ceil((double)plan->size_bits / worth_a_line);
        solve_hash_count(&classic);
        enough = ss_plan_rate(classic.layout, classic.capacity_items,
                              classic.size_bits, classic.hash_count);
    }
    uint32_t candidates[MOST_CANDIDATES];
    int count = hash_candidates(layout_of(plan), optimum, candidates);
    double best_rate = INFINITY;
    for (int i = 0; i < count && best_rate > enough; i++) {
        uint64_t m = whole_size(plan, candidates[i]);
        double rate = rate_with_room(plan->layout, plan->capacity_items, m,
                                     candidates[i]);
        if (i == 0 || rate < best_rate) { /* the first: none may have room */
            best_rate = rate;
            plan->hash_count = candidates[i];
        }
    }
    return SEENSET_OK;
}

/* m, p, k -> n */
static int solve_items_at(seenset_plan *plan)
{
    struct goal goal = {.layout = layout_of(plan),
                        .k = plan->hash_count,
                        .m = whole_size(plan, plan->hash_count),
                        .p = plan->fp_rate};
    uint64_t n = most_items(&goal);
    if (n == 0)
        return SEENSET_ERATE;
    plan->capacity_items = n;
    return SEENSET_OK;
}

/* m, p -> n, k */
static int solve_items(seenset_plan *plan)
{
    seenset_plan classic = classic_of(plan);
    double enough = INFINITY; /* the first n at least this is taken */
    if (weighs_lines(plan) && solve_items(&classic) == SEENSET_OK)
        enough = (double)classic.capacity_items / worth_a_line;
    uint32_t candidates[MOST_CANDIDATES];
    int count =
        hash_candidates(layout_of(plan), -log2(plan->fp_rate), candidates);
    seenset_plan best = {0};
    for (int i = 0; i < count; i++) {
        seenset_plan tried = *plan;
        tried.hash_count = candidates[i];
        if (solve_items_at(&tried) != SEENSET_OK)
            continue;
        if (tried.capacity_items > best.capacity_items)
            best = tried;
        if ((double)best.capacity_items >= enough)
            break;
    }
    if (best.capacity_items == 0)
        return SEENSET_ERATE;
    *plan = best;
    return SEENSET_OK;
}

static bool keeps_promise(const seenset_plan *plan, uint32_t k)
{
    return rate_with_room(plan->layout, plan->capacity_items,
                          whole_size(plan, k), k) <= plan->fp_rate;
}

/* n, p, m -> k, the smallest that keeps p */
static int solve_smallest_hash_count(seenset_plan *plan)
{
    for (uint32_t k = 1; k <= SEENSET_MAX_HASH_COUNT; k++) {
        if (ss_plan_is_hash_count(layout_of(plan), k) &&
            keeps_promise(plan, k)) {
            plan->hash_count = k;
            return SEENSET_OK;
        }
    }
    return SEENSET_ERATE;
}

static int check_given(const seenset_plan *plan, const ss_layout_traits *layout)
{
    double p = plan->fp_rate;
    if (p != 0.0 && !(p > 0.0 && p < 1.0))
        return SEENSET_EINVAL;
    uint32_t k = plan->hash_count;
    if (k != 0 && !ss_plan_is_hash_count(layout, k))
        return SEENSET_EINVAL;
    if (plan->size_bits > layout->max_size_bits ||
        plan->capacity_items > SEENSET_MAX_SIZE_BITS)
        return SEENSET_ETOOBIG;
    /* the birthday bound: no size keeps p for more keys than p 2^64 */
    if (p != 0.0 && !((double)plan->capacity_items * 0x1p-64 < p))
        return SEENSET_ERATE;
    return SEENSET_OK;
}

/* Finds what is 0 among n, p, m, k; p alone may stay open. */
static int solve_open_fields(seenset_plan *plan)
{
    bool has_n = plan->capacity_items != 0;
    bool has_p = plan->fp_rate != 0.0;
    bool has_m = plan->size_bits != 0;
    bool has_k = plan->hash_count != 0;
    if (has_n && has_m && has_k)
        return has_p && !keeps_promise(plan, plan->hash_count) ? SEENSET_ERATE
                                                               : SEENSET_OK;
    if (has_n && has_m)
        return has_p ? solve_smallest_hash_count(plan) : solve_hash_count(plan);
    if (has_n && has_p)
        return has_k ? solve_size_at(plan) : solve_size(plan);
    if (has_m && has_p)
        return has_k ? solve_items_at(plan) : solve_items(plan);
    return SEENSET_EINVAL;
}

int seenset_plan_solve(seenset_plan *plan)
{
    if (plan == NULL)
        return SEENSET_EINVAL;
    const ss_layout_traits *layout = layout_of(plan);
    if (layout == NULL || layout->is_expandable || !SS_GROWTH_IS_UNUSED(plan))
        return SEENSET_EINVAL;
    if (layout->is_built_once)
        return ss_plan_solve_sealed(plan);
    seenset_plan solved = *plan;
    solved.layout = layout->id;
    int error = check_given(&solved, layout);
    if (error == SEENSET_OK)
        error = solve_open_fields(&solved);
    if (error != SEENSET_OK)
        return error;
    solved.size_bits = whole_size(&solved, solved.hash_count);
    if (solved.size_bits > layout->max_size_bits)
        return SEENSET_ETOOBIG;
    uint64_t n = solved.capacity_items;
    solved.expected_fp_rate =
        ss_plan_rate(solved.layout, n, solved.size_bits, solved.hash_count);
    if (solved.fp_rate == 0.0)
        solved.fp_rate = solved.expected_fp_rate;
    solved.bits_per_key = (double)solved.size_bits / (double)n;
    solved.floor_bits = seenset_plan_floor_bits(n, solved.fp_rate);
    *plan = solved;
    return SEENSET_OK;
}

int seenset_plan_whole_bits(double fp_rate, uint32_t *bits_per_key,
                            uint32_t *hash_count)
{
    if (bits_per_key == NULL || hash_count == NULL ||
        !(fp_rate >= 1e-19 && fp_rate < 1.0))
        return SEENSET_EINVAL;
    for (uint32_t bits = 1;; bits++) {
        for (uint32_t k = 1; k <= bits; k++) {
            double unset = exp(-(double)k / bits);
            if (pow(1.0 - unset, k) <= fp_rate) {
                *bits_per_key = bits;
                *hash_count = k;
                return SEENSET_OK;
            }
        }
    }
}
