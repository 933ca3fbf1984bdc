/*
 * json.c - plans as JSON, by the names of docs/json.md; see report.h.
 */
#include <stdio.h>

#include "plan/counting.h"
#include "plan/growth.h"
#include "plan/report.h"
#include "report/report.h"
#include "seenset/extra/formulas.h"
#include "text/layouts.h"

static void json_figure(const char *name, double value)
{
    printf(", \"%s\": ", name);
    json_number(stdout, value);
}

static bool has_counters(const seenset_plan *plan)
{
    return layouts_words(plan->layout)->has_counters;
}

/* A set without counters has none that could be full. */
static void json_counters(const seenset_plan *plan, uint32_t counter_bits)
{
    bool has = has_counters(plan);
    uint32_t bits =
        counter_bits != 0 ? counter_bits : PLAN_DEFAULT_COUNTER_BITS;
    printf(", \"counter_bits\": %u", has ? bits : 0);
    json_figure("overflow_bound",
                has ? plan_counting_overflow(plan, counter_bits) : 0);
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
    plan_report_seeds(&shown->arguments, ", ");
    printf("],\n  \"unit_bits\": %u,\n", shown->arguments.unit_bits);
}

static void json_plan(const seenset_plan *plan, uint32_t counter_bits)
{
    unsigned long long bytes = has_counters(plan)
                                   ? plan_counting_bytes(plan, counter_bits)
                                   : (plan->size_bits + 7) / 8;
    printf("{\"layout\": \"%s\", \"hash_count\": %u, "
           "\"capacity_items\": %llu",
           seenset_layout_name(plan->layout), plan->hash_count,
           (unsigned long long)plan->capacity_items);
    json_figure("fp_rate", plan->fp_rate);
    printf(", \"size_bits\": %llu, \"size_bytes\": %llu",
           (unsigned long long)plan->size_bits, bytes);
    json_figure("expected_fp_rate", plan->expected_fp_rate);
    printf(", \"memory_bytes\": %llu", bytes);
    json_figure("bits_per_key", plan->bits_per_key);
    json_figure("floor_bits", plan->floor_bits);
    json_counters(plan, counter_bits);
    putchar('}');
}

/* Beside all plans; of one layout that was asked for, nothing is. */
static void json_sealed(const plan_columns *shown)
{
    fputs("  \"sealed\": ", stdout);
    if (shown->has_sealed)
        json_plan(&shown->sealed, 0);
    else
        fputs("null", stdout);
    fputs(",\n", stdout);
}

static void json_growth(const plan_columns *shown)
{
    const seenset_plan_growth *growth = &shown->growth;
    fputs("  \"grown\": ", stdout);
    if (!shown->has_growth) {
        fputs("null,\n", stdout);
        return;
    }
    printf("{\"layout\": \"%s\", \"on_full\": \"grow\", \"hash_count\": %u, "
           "\"table_count\": %u, \"first_capacity_items\": %llu, "
           "\"added_items\": %llu, \"capacity_items\": %llu, "
           "\"size_bits\": %llu, \"memory_bytes\": %llu, "
           "\"probe_count\": %u, \"expanded_items\": %llu",
           seenset_layout_name(growth->layout), growth->hash_count,
           growth->table_count,
           (unsigned long long)growth->first_capacity_items,
           (unsigned long long)growth->added_items,
           (unsigned long long)growth->capacity_items,
           (unsigned long long)growth->size_bits,
           (unsigned long long)growth->memory_bytes, growth->probe_count,
           (unsigned long long)growth->expanded_items);
    json_figure("mean_tables_asked", growth->mean_tables_asked);
    json_figure("fp_rate", growth->fp_rate);
    json_figure("expected_fp_rate", growth->expected_fp_rate);
    json_figure("expected_false_positives", growth->wrong_items);
    json_figure("bits_per_key", growth->bits_per_key);
    json_figure("floor_bits", growth->floor_bits);
    fputs(", \"steps\": ", stdout);
    plan_growth_print_json(shown);
    fputs("},\n", stdout);
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
    json_growth(shown);
    fputs("  \"whole_bits\": ", stdout);
    if (seenset_plan_whole_bits(plan_report_rate(shown), &bits, &hashes) == 0)
        printf("{\"bits_per_key\": %u, \"hash_count\": %u}\n}\n", bits, hashes);
    else
        fputs("null\n}\n", stdout);
}
