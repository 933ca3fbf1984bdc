/*
 * report.c - see report.h.
 */
#include "plan/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "plan/counting.h"
#include "report/report.h"
#include "text/layouts.h"
#include "text/units.h"

static units_text keys_exact(const seenset_plan *plan)
{
    return units_grouped(plan->capacity_items);
}

static units_text keys_in_words(const seenset_plan *plan)
{
    return units_in_words(plan->capacity_items);
}

static bool has_counters(const seenset_plan *plan)
{
    return layouts_words(plan->layout)->has_counters;
}

static units_text size_in_words(const seenset_plan *plan)
{
    return units_as_bytes((plan->size_bits + 7) / 8);
}

/*
 * -n ln p / ln(2)^2, the figure of the textbooks: what the classic filter would
 * need if k could be a fraction. k is a whole number, so the real size is
 * larger.
 */
static units_text size_in_books(const seenset_plan *plan)
{
    if (!layouts_words(plan->layout)->is_classic || !(plan->fp_rate < 1))
        return (units_text){"-"};
    double bits =
        -(double)plan->capacity_items * log(plan->fp_rate) / (log(2) * log(2));
    return units_as_bytes((uint64_t)(bits / 8));
}

static units_text size_in_bits(const seenset_plan *plan)
{
    return units_grouped(plan->size_bits);
}

static units_text bits_per_key(const seenset_plan *plan)
{
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text,
             plan->bits_per_key >= 1 ? "%.2f" : "%.3g", plan->bits_per_key);
    return out;
}

static units_text hash_count(const seenset_plan *plan)
{
    return units_grouped(plan->hash_count);
}

static units_text rate_expected(const seenset_plan *plan)
{
    return units_as_rate(plan->expected_fp_rate);
}

/* The fewest bytes that any set with this rate needs; "-" where that is less
 * than a bit, as with a rate of 1. */
static units_text floor_in_words(const seenset_plan *plan)
{
    if (!(plan->floor_bits >= 1))
        return (units_text){"-"};
    return units_as_bytes((uint64_t)(plan->floor_bits / 8));
}

static units_text above_floor(const seenset_plan *plan)
{
    if (!(plan->floor_bits >= 1))
        return (units_text){"-"};
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, "%.1f %%",
             100 * ((double)plan->size_bits / plan->floor_bits - 1));
    return out;
}

static void print_row(const plan_columns *shown, const char *label,
                      units_text (*cell)(const seenset_plan *plan))
{
    printf("%-24s", label);
    for (int i = 0; i < shown->count; i++) {
        units_text text = {"-"};
        if (shown->errors[i] == 0)
            text = cell(&shown->plans[i]);
        bool is_last = i == shown->count - 1;
        printf(is_last ? "%s" : "%-32s", text.text);
    }
    putchar('\n');
}

static units_text layout_title(const seenset_plan *plan)
{
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, "%s%s",
             seenset_layout_name(plan->layout),
             layouts_words(plan->layout)->title);
    return out;
}

void plan_report_whole_bits(double fp_rate)
{
    uint32_t bits = 0;
    uint32_t hashes = 0;
    if (seenset_plan_whole_bits(fp_rate, &bits, &hashes) == 0)
        printf("\nIn whole numbers a classic filter keeps %.4g with %u bits "
               "per key and k = %u.\n",
               fp_rate, bits, hashes);
}

static double rate_of(const plan_columns *shown)
{
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] == 0)
            return shown->plans[i].fp_rate;
    return 0;
}

/* "31 131 1313", or "31, 131, 1313". */
static void print_seeds(const seenset_scheme_arguments *from,
                        const char *between)
{
    for (uint32_t i = 0; i < from->seed_count; i++)
        printf("%s%u", i == 0 ? "" : between, from->seeds[i]);
}

/* The scheme, and what it was given. */
static void print_scheme(const plan_columns *shown)
{
    const seenset_scheme_arguments *given = &shown->arguments;
    if (shown->scheme > SEENSET_SCHEME_CHAIN)
        printf("%-24s%s%s\n", "index scheme",
               seenset_scheme_name(shown->scheme),
               given->unit_bits == 16 ? ", over UTF-16 units" : "");
    if (given->seed != 0)
        printf("%-24s%llu\n", "seed", (unsigned long long)given->seed);
    if (given->seed_count != 0) {
        printf("%-24s", "seeds");
        print_seeds(given, " ");
        putchar('\n');
    }
}

/* Of a counting set, which is a plan alone. */
static void print_counting(const plan_columns *shown)
{
    print_row(shown, "counters (m)", size_in_bits);
    print_row(shown, "counters per key (m/n)", bits_per_key);
    print_row(shown, "counters of a key (k)", hash_count);
    print_row(shown, "expected rate (p)", rate_expected);
    plan_counting_print(&shown->plans[0], shown->counter_bits);
}

/* A sealed set of the same keys and rate. Returns whether there is one. */
static bool plan_sealed(const seenset_plan *like, seenset_plan *out)
{
    *out = (seenset_plan){.layout = SEENSET_LAYOUT_SEALED,
                          .capacity_items = like->capacity_items,
                          .fp_rate = like->fp_rate};
    return like->fp_rate < 1 && seenset_plan_solve(out) == 0;
}

/* Of all keys at once, where their number and the rate are known. */
static void print_sealed_sentence(const seenset_plan *like)
{
    seenset_plan sealed;
    if (plan_sealed(like, &sealed))
        printf("If all keys are known at once, 'seenset seal' makes a set of "
               "%s,\nat %s.\n",
               size_in_words(&sealed).text, rate_expected(&sealed).text);
}

/* The last plan is that of the default layout, where it can be made. */
static void print_sentence(const plan_columns *shown)
{
    const seenset_plan *plan = &shown->plans[shown->count - 1];
    if (shown->count < 2 || shown->errors[shown->count - 1] != 0)
        return;
    printf("\nIn short: a set that 'seenset new' makes takes %s for %s "
           "keys,\nand reports a new key as seen by a chance of %s.\n",
           size_in_words(plan).text, keys_in_words(plan).text,
           rate_expected(plan).text);
    print_sealed_sentence(plan);
}

void plan_report_text(const plan_columns *shown)
{
    print_row(shown, "layout", layout_title);
    print_scheme(shown);
    print_row(shown, "keys (n)", keys_exact);
    print_row(shown, "", keys_in_words);
    if (has_counters(&shown->plans[0])) {
        print_counting(shown);
        return;
    }
    print_row(shown, "size (m)", size_in_words);
    print_row(shown, "  in bits", size_in_bits);
    print_row(shown, "  textbook, k not whole", size_in_books);
    print_row(shown, "bits per key (m/n)", bits_per_key);
    print_row(shown, "bits a key sets (k)", hash_count);
    print_row(shown, "expected rate (p)", rate_expected);
    print_row(shown, "floor, n log2(1/p)", floor_in_words);
    print_row(shown, "  above the floor", above_floor);
    plan_report_whole_bits(rate_of(shown));
    print_sentence(shown);
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] != 0)
            printf("\n%s cannot do this: %s.\n",
                   seenset_layout_name(shown->plans[i].layout),
                   seenset_strerror(shown->errors[i]));
}

/* A set without counters has none that could be full. */
static void json_counters(const seenset_plan *plan, uint32_t counter_bits)
{
    printf(", \"counter_bits\": %u, \"overflow_bound\": ",
           has_counters(plan)
               ? counter_bits != 0 ? counter_bits : PLAN_DEFAULT_COUNTER_BITS
               : 0);
    report_json_number(stdout, has_counters(plan)
                                   ? plan_counting_overflow(plan, counter_bits)
                                   : 0);
}

/* Of all plans: the scheme and what it was given; 0 and [] are its own. */
static void json_scheme(const plan_columns *shown)
{
    seenset_scheme scheme = shown->scheme;
    if (scheme == SEENSET_SCHEME_DEFAULT)
        scheme = SEENSET_SCHEME_CHAIN;
    printf("  \"scheme\": \"%s\",\n  \"seed\": %llu,\n  \"seeds\": [",
           seenset_scheme_name(scheme),
           (unsigned long long)shown->arguments.seed);
    print_seeds(&shown->arguments, ", ");
    printf("],\n  \"unit_bits\": %u,\n", shown->arguments.unit_bits);
}

static void json_plan(const seenset_plan *plan, uint32_t counter_bits)
{
    printf("{\"layout\": \"%s\", \"hash_count\": %u, "
           "\"capacity_items\": %llu, \"fp_rate\": ",
           seenset_layout_name(plan->layout), plan->hash_count,
           (unsigned long long)plan->capacity_items);
    report_json_number(stdout, plan->fp_rate);
    printf(", \"size_bits\": %llu, \"size_bytes\": %llu, "
           "\"expected_fp_rate\": ",
           (unsigned long long)plan->size_bits,
           (unsigned long long)(has_counters(plan)
                                    ? plan_counting_bytes(plan, counter_bits)
                                    : (plan->size_bits + 7) / 8));
    report_json_number(stdout, plan->expected_fp_rate);
    printf(", \"memory_bytes\": %llu",
           (unsigned long long)(has_counters(plan)
                                    ? plan_counting_bytes(plan, counter_bits)
                                    : (plan->size_bits + 7) / 8));
    fputs(", \"bits_per_key\": ", stdout);
    report_json_number(stdout, plan->bits_per_key);
    fputs(", \"floor_bits\": ", stdout);
    report_json_number(stdout, plan->floor_bits);
    json_counters(plan, counter_bits);
    putchar('}');
}

/* Beside all plans, if that of `seenset new` can be made; of one layout that
 * was asked for, nothing is beside it. */
static void json_sealed(const plan_columns *shown)
{
    const int last = shown->count - 1;
    seenset_plan sealed;
    fputs("  \"sealed\": ", stdout);
    if (shown->count > 1 && shown->errors[last] == 0 &&
        plan_sealed(&shown->plans[last], &sealed))
        json_plan(&sealed, 0);
    else
        fputs("null", stdout);
    fputs(",\n", stdout);
}

void plan_report_json(const plan_columns *shown)
{
    const char *before = "    ";
    uint32_t bits = 0;
    uint32_t hashes = 0;
    fputs("{\n  \"plans\": [\n", stdout);
    for (int i = 0; i < shown->count; i++) {
        if (shown->errors[i] != 0)
            continue;
        fputs(before, stdout);
        json_plan(&shown->plans[i], shown->counter_bits);
        before = ",\n    ";
    }
    fputs("\n  ],\n", stdout);
    json_scheme(shown);
    json_sealed(shown);
    fputs("  \"whole_bits\": ", stdout);
    if (seenset_plan_whole_bits(rate_of(shown), &bits, &hashes) == 0)
        printf("{\"bits_per_key\": %u, \"hash_count\": %u}\n}\n", bits, hashes);
    else
        fputs("null\n}\n", stdout);
}
