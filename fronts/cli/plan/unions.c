/*
 * unions.c - see unions.h.
 *
 * There are two ways to keep a rate of p in a union of N sets of n keys each.
 * Sets that grow may each have p / N: the union is a list of their tables, and
 * their rates add up. Sets of a fixed size are united place by place, so each
 * is made for all N n keys at p, and the union is as large as each of them.
 */
#include "plan/unions.h"

#include <stdio.h>

#include "command.h"
#include "report/complain.h"
#include "report/report.h"
#include "seenset/extra/formulas.h"
#include "sets/setfile.h"
#include "text/units.h"

/* How each set is made, and what it comes to. */
typedef struct way {
    bool is_possible;
    uint64_t planned_items;   /* -n of each set */
    double fp_rate;           /* -p */
    uint64_t size_bits;       /* of each, with its keys */
    uint64_t union_bits;      /* of the union, at most */
    double union_fp_rate;     /* at most */
    double otherwise_fp_rate; /* of the union, with sets made for n keys at p */
} way;

typedef struct ways {
    uint64_t set_count, items, union_items;
    double fp_rate;
    way grown, fixed;
} ways;

/* Each has a part of the rate. */
static int plan_grown(way *out, const seenset_plan *asked, uint64_t set_count)
{
    seenset_plan each = *asked;
    seenset_plan_growth growth;
    each.fp_rate = seenset_plan_source_rate(asked->fp_rate, set_count);
    int error = seenset_plan_grown(&each, asked->capacity_items, &growth,
                                   sizeof growth);
    if (error != 0)
        return error;
    *out = (way){
        .is_possible = set_count <= SEENSET_MAX_UNION_SETS &&
                       growth.size_bits <= SEENSET_MAX_SIZE_BITS / set_count,
        .planned_items = each.capacity_items,
        .fp_rate = each.fp_rate,
        .size_bits = growth.size_bits,
        .union_bits = growth.size_bits * set_count,
        .union_fp_rate = seenset_plan_union_rate(each.fp_rate, set_count),
        .otherwise_fp_rate =
            seenset_plan_union_rate(asked->fp_rate, set_count)};
    return 0;
}

/* Each is made for all keys. */
static int plan_fixed(way *out, const seenset_plan *asked, uint64_t union_items)
{
    seenset_plan each = *asked, small = *asked;
    each.capacity_items = union_items;
    int error = seenset_plan_solve(&each);
    if (error == 0)
        error = seenset_plan_solve(&small);
    if (error != 0)
        return error;
    *out = (way){.is_possible = true,
                 .planned_items = union_items,
                 .fp_rate = each.fp_rate,
                 .size_bits = each.size_bits,
                 .union_bits = each.size_bits,
                 .union_fp_rate = each.expected_fp_rate,
                 .otherwise_fp_rate =
                     seenset_plan_fp_rate(small.layout, union_items,
                                          small.size_bits, small.hash_count)};
    return 0;
}

/* 0, or the error of a set that cannot be planned either way. */
static int solve(ways *out, const seenset_plan *plan, uint64_t set_count)
{
    *out = (ways){.set_count = set_count,
                  .items = plan->capacity_items,
                  .fp_rate = plan->fp_rate};
    if (plan->capacity_items > SEENSET_MAX_SIZE_BITS / set_count)
        return SEENSET_ETOOBIG;
    out->union_items = plan->capacity_items * set_count;
    int of_grown = plan_grown(&out->grown, plan, set_count);
    int of_fixed = plan_fixed(&out->fixed, plan, out->union_items);
    return of_grown == 0 || of_fixed == 0 ? 0 : of_fixed;
}

/* ---- text ---- */

static units_text option_of(const way *of)
{
    units_text out = {"-"};
    if (of->is_possible)
        snprintf(out.text, sizeof out.text, "-n %llu -p %.6g",
                 (unsigned long long)of->planned_items, of->fp_rate);
    return out;
}

static units_text bytes_of(const way *of, uint64_t bits)
{
    return of->is_possible ? units_as_bytes((bits + 7) / 8) : (units_text){"-"};
}

static units_text rate_of(const way *of, double rate)
{
    return of->is_possible ? units_as_rate(rate) : (units_text){"-"};
}

static void print_row(const char *label, units_text grown, units_text fixed)
{
    printf("%-24s%-30s%s\n", label, grown.text, fixed.text);
}

static void print_advice(const ways *in)
{
    const way *grown = &in->grown, *fixed = &in->fixed;
    if (grown->is_possible)
        printf("In short: make each with 'seenset new -n %llu -p %.6g', and "
               "unite them with\n'seenset merge --strict -p %.6g'.\n",
               (unsigned long long)grown->planned_items, grown->fp_rate,
               in->fp_rate);
    else
        printf("In short: make each with 'seenset new --on-full degrade -n "
               "%llu -p %.6g'.\n%s",
               (unsigned long long)fixed->planned_items, fixed->fp_rate,
               in->set_count > SEENSET_MAX_UNION_SETS
                   ? "A list of sets that grow has 62 tables; with more sets "
                     "it folds, and its rate\nrises.\n"
                   : "");
}

static void print_text(const ways *in)
{
    const way *grown = &in->grown, *fixed = &in->fixed;
    printf("%-24s%s sets of different keys\n", "a union of",
           units_grouped(in->set_count).text);
    printf("%-24s%s\n", "keys of each", units_grouped(in->items).text);
    printf("%-24s%s\n", "keys of the union",
           units_grouped(in->union_items).text);
    printf("%-24s%s\n\n", "rate of the union", units_as_rate(in->fp_rate).text);
    print_row("", (units_text){"sets that grow"}, (units_text){"a fixed size"});
    print_row("make each with", option_of(grown), option_of(fixed));
    print_row("size of each", bytes_of(grown, grown->size_bits),
              bytes_of(fixed, fixed->size_bits));
    print_row("size of the union", bytes_of(grown, grown->union_bits),
              bytes_of(fixed, fixed->union_bits));
    print_row("its rate", rate_of(grown, grown->union_fp_rate),
              rate_of(fixed, fixed->union_fp_rate));
    print_row("its rate otherwise", rate_of(grown, grown->otherwise_fp_rate),
              rate_of(fixed, fixed->otherwise_fp_rate));
    printf("\nOtherwise: if each is made with -n %llu -p %.6g.\n",
           (unsigned long long)in->items, in->fp_rate);
    print_advice(in);
}

/* ---- JSON ---- */

static void print_figure(const char *name, double value)
{
    printf(", \"%s\": ", name);
    json_number(stdout, value);
}

static void json_way(const char *name, const way *of, const char *after)
{
    printf("  \"%s\": ", name);
    if (!of->is_possible) {
        printf("null%s\n", after);
        return;
    }
    printf("{\"capacity_items\": %llu", (unsigned long long)of->planned_items);
    print_figure("fp_rate", of->fp_rate);
    printf(", \"size_bits\": %llu, \"union_size_bits\": %llu",
           (unsigned long long)of->size_bits,
           (unsigned long long)of->union_bits);
    print_figure("union_fp_rate", of->union_fp_rate);
    print_figure("otherwise_fp_rate", of->otherwise_fp_rate);
    printf("}%s\n", after);
}

static void print_json(const ways *in)
{
    printf("{\n  \"set_count\": %llu, \"items\": %llu, "
           "\"union_items\": %llu",
           (unsigned long long)in->set_count, (unsigned long long)in->items,
           (unsigned long long)in->union_items);
    print_figure("fp_rate", in->fp_rate);
    fputs(",\n", stdout);
    json_way("grows", &in->grown, ",");
    json_way("fixed", &in->fixed, "");
    fputs("}\n", stdout);
}

int plan_unions_print(const seenset_plan *plan, uint64_t set_count,
                      bool wants_json)
{
    ways found;
    int error = solve(&found, plan, set_count);
    if (error == 0 && !found.grown.is_possible && !found.fixed.is_possible)
        error = SEENSET_ETOOBIG;
    if (error != 0) {
        setfile_complain("plan --union", error);
        return COMMAND_ERROR;
    }
    (wants_json ? print_json : print_text)(&found);
    return 0;
}
