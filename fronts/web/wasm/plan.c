/*
 * plan.c - the planner. What is asked for comes as options do: capacity is n,
 * fp_rate p, size_bits m and hash_count k.
 */
#include "wasm/web.h"
#include "seenset/extra/formulas.h"

const char *WEB_CALL(web_plan_names)(void)
{
    return FIGURES_PLAN(WEB_NAME);
}

int WEB_CALL(web_plan)(void)
{
    const seenset_options *options = web_options();
    seenset_plan from = {.layout = options->layout,
                         .hash_count = options->hash_count,
                         .capacity_items = options->capacity_items,
                         .fp_rate = options->fp_rate,
                         .size_bits = options->size_bits};
    seenset_scheme scheme = options->scheme == SEENSET_SCHEME_DEFAULT
                                ? SEENSET_SCHEME_CHAIN
                                : options->scheme;
    int error =
        seenset_plan_solve_scheme(&from, scheme, options->scheme_arguments);
    double *next = web_numbers;
    FIGURES_PLAN(WEB_STORE)
    return error;
}

/* A set that grows, from what is asked for, once it has `items` keys. */
const char *WEB_CALL(web_plan_grown_names)(void)
{
    return FIGURES_GROWTH(WEB_NAME);
}

int WEB_CALL(web_plan_grown)(double items)
{
    const seenset_options *options = web_options();
    seenset_plan first = {.layout = options->layout,
                          .capacity_items = options->capacity_items,
                          .fp_rate = options->fp_rate};
    seenset_plan_growth from = {0};
    int error = seenset_plan_grown(&first, (uint64_t)items, &from, sizeof from);
    double *next = web_numbers;
    FIGURES_GROWTH(WEB_STORE)
    return error;
}

double WEB_CALL(web_fp_rate)(int layout, double n, double m, uint32_t k)
{
    return seenset_plan_fp_rate((seenset_layout)layout, (uint64_t)n,
                                (uint64_t)m, k);
}

double WEB_CALL(web_wrong_items)(int layout, double n, double m, uint32_t k)
{
    return seenset_plan_wrong_items((seenset_layout)layout, (uint64_t)n,
                                    (uint64_t)m, k);
}

double WEB_CALL(web_item_estimate)(double set_bits, double m, uint32_t k)
{
    return seenset_plan_item_estimate((uint64_t)set_bits, (uint64_t)m, k);
}

double WEB_CALL(web_overflow_bound)(double n, double m, uint32_t k,
                                    uint32_t counter_bits)
{
    return seenset_plan_overflow_bound((uint64_t)n, (uint64_t)m, k,
                                       counter_bits);
}

double WEB_CALL(web_floor_bits)(double n, double p)
{
    return seenset_plan_floor_bits((uint64_t)n, p);
}

int WEB_CALL(web_whole_bits)(double p)
{
    uint32_t bits_per_key = 0, hash_count = 0;
    int error = seenset_plan_whole_bits(p, &bits_per_key, &hash_count);
    web_numbers[0] = bits_per_key;
    web_numbers[1] = hash_count;
    return error;
}
