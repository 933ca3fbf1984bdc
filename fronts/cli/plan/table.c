/*
 * table.c - see table.h.
 *
 * A row is a whole number of bits per key, a column a number k of bits that a
 * key sets, and a cell the rate that the planner expects of them, for the given
 * number of keys. In each row the best k has a star:
 *
 *     m/n    k = 1    k = 2    k = 3
 *       4   0.221    0.155    0.147*
 *
 * A sealed set's size is not chosen but follows from its rate. So its rows are
 * rates, and its cells bits per key.
 */
#include "plan/table.h"

#include <math.h>
#include <stdio.h>

#include "command.h"
#include "report/report.h"
#include "sets/setfile.h"
#include "text/layouts.h"
#include "text/units.h"

enum {
    MOST_BITS = 20, /* per key; at 20 the best k is 14 */
    MOST_COLUMNS = 14,
    LAST_TRIED = 24, /* the largest k of a column */
    AT_ONCE = 7      /* columns that fit into a line of 80 */
};

/* Of one layout. */
typedef struct table {
    seenset_layout layout;
    uint64_t capacity_items;
    int column_count;
    uint32_t hash_counts[MOST_COLUMNS];
    double rates[MOST_BITS][MOST_COLUMNS]; /* NaN: this cannot be made */
} table;

static double rate_of(const table *in, uint32_t bits, uint32_t hash_count)
{
    seenset_plan plan = {.layout = in->layout,
                         .capacity_items = in->capacity_items,
                         .size_bits = in->capacity_items * bits,
                         .hash_count = hash_count};
    return seenset_plan_solve(&plan) == 0 ? plan.expected_fp_rate : NAN;
}

/* Which k the layout has; only that of `given`, if it has one. */
static void find_columns(table *out, uint32_t given)
{
    uint32_t last = given != 0 ? given : LAST_TRIED;
    for (uint32_t k = given != 0 ? given : 1;
         k <= last && out->column_count < MOST_COLUMNS; k++)
        if (!isnan(rate_of(out, MOST_BITS, k)))
            out->hash_counts[out->column_count++] = k;
}

static void fill(table *out)
{
    for (uint32_t bits = 1; bits <= MOST_BITS; bits++)
        for (int i = 0; i < out->column_count; i++)
            out->rates[bits - 1][i] = rate_of(out, bits, out->hash_counts[i]);
}

/* The column of the lowest rate in a row, the first of equals. */
static int best_of(const table *in, uint32_t bits)
{
    int best = 0;
    for (int i = 1; i < in->column_count; i++)
        if (in->rates[bits - 1][i] < in->rates[bits - 1][best])
            best = i;
    return best;
}

/* ---- text ---- */

static void print_cell(double rate, const char *after)
{
    char text[16] = "-";
    if (rate >= 0.0001)
        snprintf(text, sizeof text, "%#.3g", rate);
    else if (!isnan(rate))
        snprintf(text, sizeof text, "%.2e", rate);
    printf(" %8s%s", text, after);
}

static void print_columns(const table *in, int first)
{
    int end = first + AT_ONCE;
    if (end > in->column_count)
        end = in->column_count;
    printf("\n m/n");
    for (int i = first; i < end; i++)
        printf("%s    k =%2u", i > first ? " " : "", in->hash_counts[i]);
    putchar('\n');
    for (uint32_t bits = 1; bits <= MOST_BITS; bits++) {
        int best = in->column_count > 1 ? best_of(in, bits) : -1;
        printf("%4u", bits);
        for (int i = first; i < end; i++)
            print_cell(in->rates[bits - 1][i], i == best     ? "*"
                                               : i < end - 1 ? " "
                                                             : "");
        putchar('\n');
    }
}

static void print_table(const table *in)
{
    const char *cells =
        layouts_words(in->layout)->has_counters ? "counters" : "bits";
    printf("%s: the rate by %s per key (m/n) and %s a key sets (k), for "
           "%s keys\n",
           seenset_layout_name(in->layout), cells, cells,
           units_in_words(in->capacity_items).text);
    if (in->column_count == 0)
        printf("\nnone: %s\n", layouts_words(in->layout)->hash_counts);
    for (int first = 0; first < in->column_count; first += AT_ONCE)
        print_columns(in, first);
}

/* ---- JSON ---- */

static void json_cell(const char **before, double bits_per_key,
                      uint32_t hash_count, double rate, bool is_best)
{
    printf("%s      {\"bits_per_key\": ", *before);
    json_number(stdout, bits_per_key);
    printf(", \"hash_count\": %u, \"fp_rate\": ", hash_count);
    json_number(stdout, rate);
    printf(", \"is_best\": %s}", is_best ? "true" : "false");
    *before = ",\n";
}

static void json_cells(const table *in)
{
    const char *before = "";
    for (uint32_t bits = 1; bits <= MOST_BITS; bits++) {
        int best = best_of(in, bits);
        for (int i = 0; i < in->column_count; i++)
            if (!isnan(in->rates[bits - 1][i]))
                json_cell(&before, bits, in->hash_counts[i],
                          in->rates[bits - 1][i], i == best);
    }
}

/* ---- sealed sets ---- */

/* The fingerprints that there are, for rates of 2^-bits. */
enum {
    LEAST_FINGERPRINT = 4,
    MOST_FINGERPRINT = 32
};

/* The rate asked for is a little more, for keys with one hash. */
static int solve_sealed(const seenset_plan *given, seenset_layout layout,
                        int bits, uint32_t hash_count, seenset_plan *out)
{
    *out = (seenset_plan){.layout = layout,
                          .capacity_items = given->capacity_items,
                          .fp_rate = ldexp(1.01, -bits),
                          .hash_count = hash_count};
    return seenset_plan_solve(out);
}

static bool is_wanted(const seenset_plan *given, uint32_t hash_count)
{
    return given->hash_count == 0 || given->hash_count == hash_count;
}

static void print_sealed(const seenset_plan *given, seenset_layout layout)
{
    printf("%s: bits per key by the rate and the places of a key (k), for %s "
           "keys\n\n     rate",
           seenset_layout_name(layout),
           units_in_words(given->capacity_items).text);
    for (uint32_t k = 3; k <= 4; k++)
        if (is_wanted(given, k))
            printf("   k =%3u", k);
    putchar('\n');
    for (int bits = LEAST_FINGERPRINT; bits <= MOST_FINGERPRINT; bits++) {
        printf("%9.3g", ldexp(1, -bits));
        for (uint32_t k = 3; k <= 4; k++) {
            seenset_plan plan;
            if (!is_wanted(given, k))
                continue;
            if (solve_sealed(given, layout, bits, k, &plan) == 0)
                printf(" %8.2f", plan.bits_per_key);
            else
                printf(" %8s", "-");
        }
        putchar('\n');
    }
}

static void json_sealed(const seenset_plan *given, seenset_layout layout)
{
    const char *before = "";
    for (int bits = LEAST_FINGERPRINT; bits <= MOST_FINGERPRINT; bits++)
        for (uint32_t k = 3; k <= 4; k++) {
            seenset_plan plan;
            if (is_wanted(given, k) &&
                solve_sealed(given, layout, bits, k, &plan) == 0)
                json_cell(&before, plan.bits_per_key, k, plan.expected_fp_rate,
                          k == 4);
        }
}

/* ---- all of it ---- */

static void print_layout(const seenset_plan *given, seenset_layout layout,
                         bool wants_json)
{
    bool is_sealed = layouts_words(layout)->not_sized != NULL;
    table shown = {.layout = layout, .capacity_items = given->capacity_items};
    if (is_sealed && wants_json) {
        json_sealed(given, layout);
    } else if (is_sealed) {
        print_sealed(given, layout);
    } else {
        find_columns(&shown, given->hash_count);
        fill(&shown);
        if (wants_json)
            json_cells(&shown);
        else
            print_table(&shown);
    }
}

/* The largest size of the table; also asked of a sealed set. */
static int check_size(const seenset_plan *given)
{
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                         .capacity_items = given->capacity_items,
                         .size_bits = given->capacity_items * MOST_BITS};
    int error = seenset_plan_solve(&plan);
    if (error != 0)
        setfile_complain("plan --table", error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

int plan_table_print(const seenset_plan *given, const seenset_layout *layouts,
                     int layout_count, bool wants_json)
{
    if (check_size(given) != 0)
        return COMMAND_ERROR;
    if (wants_json)
        printf("{\n  \"capacity_items\": %llu,\n  \"tables\": [\n",
               (unsigned long long)given->capacity_items);
    for (int i = 0; i < layout_count; i++) {
        if (wants_json)
            printf("    {\"layout\": \"%s\", \"cells\": [\n",
                   seenset_layout_name(layouts[i]));
        else if (i > 0)
            putchar('\n');
        print_layout(given, layouts[i], wants_json);
        if (wants_json)
            printf("]}%s\n", i + 1 < layout_count ? "," : "");
    }
    if (wants_json)
        puts("  ]\n}");
    return COMMAND_DONE;
}
