/*
 * report.c - see report.h.
 *
 * A plan alone has the width of a line. Several are side by side: those of each
 * layout, that of a set that grows, and that of a sealed set. Four fit into a
 * line of 80.
 */
#include "plan/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/counting.h"
#include "plan/growth.h"
#include "plan/sentence.h"
#include "seenset/extra/formulas.h"
#include "text/layouts.h"
#include "text/units.h"

/* One of the sets that are side by side. */
typedef struct column {
    seenset_plan plan; /* of a set that grows: of all its tables */
    bool is_possible;
    const char *kind;
    uint64_t planned_items; /* for how many keys it is made */
    uint32_t table_count;
    uint32_t place_count; /* that a lookup reads at most */
    bool has_slots;       /* keys of its newest table take a slot each */
    size_t room;          /* characters of a cell */
} column;

typedef struct columns {
    int label_width, width;
    int count;
    column at[PLAN_LAYOUTS + 2];
} columns;

/* ---- cells ---- */

static units_text layout_alone(const column *of)
{
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, "%s%s",
             seenset_layout_name(of->plan.layout),
             layouts_words(of->plan.layout)->title);
    return out;
}

static units_text layout(const column *of)
{
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, "%s",
             seenset_layout_name(of->plan.layout));
    return out;
}

static units_text kind(const column *of)
{
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, "%s", of->kind);
    return out;
}

/* All of its digits, if there is room. */
static units_text number(const column *of, uint64_t value)
{
    units_text exact = units_grouped(value);
    return strlen(exact.text) <= of->room ? exact : units_in_words(value);
}

static units_text keys_exact(const column *of)
{
    return number(of, of->plan.capacity_items);
}

static units_text keys_in_words(const column *of)
{
    return units_in_words(of->plan.capacity_items);
}

static units_text keys_planned(const column *of)
{
    return units_in_words(of->planned_items);
}

static units_text table_count(const column *of)
{
    return units_grouped(of->table_count);
}

static units_text places(const column *of)
{
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, "%u place%s", of->place_count,
             of->place_count == 1 ? "" : "s");
    return out;
}

static units_text size_in_words(const column *of)
{
    return units_as_bytes((of->plan.size_bits + 7) / 8);
}

/*
 * -n ln p / ln(2)^2, the figure of the textbooks: what the classic filter would
 * need if k could be a fraction. k is a whole number, so the real size is
 * larger.
 */
static units_text size_in_books(const column *of)
{
    const seenset_plan *plan = &of->plan;
    if (!layouts_words(plan->layout)->is_classic || !(plan->fp_rate < 1))
        return (units_text){"-"};
    double bits =
        -(double)plan->capacity_items * log(plan->fp_rate) / (log(2) * log(2));
    return units_as_bytes((uint64_t)(bits / 8));
}

static units_text size_in_bits(const column *of)
{
    return number(of, of->plan.size_bits);
}

static units_text bits_per_key(const column *of)
{
    double bits = of->plan.bits_per_key;
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, bits >= 1 ? "%.2f" : "%.3g", bits);
    return out;
}

static units_text hash_count(const column *of)
{
    if (of->has_slots)
        return (units_text){"1 slot"};
    return units_grouped(of->plan.hash_count);
}

static units_text rate(const column *of)
{
    return units_as_rate(of->plan.expected_fp_rate);
}

/* "0.01 (1 in 100)" in two cells: 0.01, and 100. */
static units_text rate_as_number(const column *of)
{
    units_text out = rate(of);
    out.text[strcspn(out.text, " ")] = '\0';
    return out;
}

static units_text rate_as_one_in(const column *of)
{
    units_text out = {"-"}, both = rate(of);
    const char *found = strstr(both.text, "(1 in ");
    if (found != NULL)
        snprintf(out.text, sizeof out.text, "%.*s",
                 (int)strcspn(found + 6, ")"), found + 6);
    return out;
}

/* The fewest bytes that any set with this rate needs; "-" where that is less
 * than a bit, as with a rate of 1. */
static units_text floor_in_words(const column *of)
{
    if (!(of->plan.floor_bits >= 1))
        return (units_text){"-"};
    return units_as_bytes((uint64_t)(of->plan.floor_bits / 8));
}

static units_text above_floor(const column *of)
{
    const seenset_plan *plan = &of->plan;
    if (!(plan->floor_bits >= 1))
        return (units_text){"-"};
    units_text out = {{0}};
    snprintf(out.text, sizeof out.text, "%.1f %%",
             100 * ((double)plan->size_bits / plan->floor_bits - 1));
    return out;
}

/* ---- columns ---- */

/* Places that a lookup reads. */
static uint32_t places_of(const seenset_plan *plan)
{
    uint32_t bits = layouts_words(plan->layout)->bits_per_place;
    return (plan->hash_count + bits - 1) / bits;
}

static column *add_column(columns *to, const seenset_plan *plan,
                          const char *kind_of_it)
{
    column *added = &to->at[to->count++];
    *added = (column){.plan = *plan,
                      .is_possible = true,
                      .kind = kind_of_it,
                      .planned_items = plan->capacity_items,
                      .table_count = 1,
                      .place_count = places_of(plan)};
    return added;
}

static void add_growth(columns *to, const seenset_plan_growth *growth)
{
    const seenset_plan whole = {.layout = growth->layout,
                                .hash_count = growth->hash_count,
                                .capacity_items = growth->added_items,
                                .fp_rate = growth->fp_rate,
                                .size_bits = growth->size_bits,
                                .expected_fp_rate = growth->expected_fp_rate,
                                .bits_per_key = growth->bits_per_key,
                                .floor_bits = growth->floor_bits};
    column *added = add_column(to, &whole, "grows");
    added->planned_items = growth->first_capacity_items;
    added->table_count = growth->table_count;
    added->place_count = growth->probe_count;
    added->has_slots = growth->expanded_items > 0;
}

static columns columns_of(const plan_columns *shown)
{
    columns out = {0};
    for (int i = 0; i < shown->count; i++) {
        const seenset_plan *plan = &shown->plans[i];
        bool is_classic = layouts_words(plan->layout)->is_classic;
        add_column(&out, plan, is_classic ? "classic" : "fixed size")
            ->is_possible = shown->errors[i] == 0;
    }
    if (shown->has_growth)
        add_growth(&out, &shown->growth);
    if (shown->has_sealed)
        add_column(&out, &shown->sealed, "built once");
    out.label_width = out.count > 1 ? 20 : 24;
    out.width = out.count > 1 ? (80 - out.label_width) / out.count : 56;
    for (int i = 0; i < out.count; i++)
        out.at[i].room = (size_t)out.width - 1;
    return out;
}

static void print_row(const columns *in, const char *label,
                      units_text (*cell)(const column *of))
{
    printf("%-*s", in->label_width, label);
    for (int i = 0; i < in->count; i++) {
        units_text text = {"-"};
        if (in->at[i].is_possible || cell == layout)
            text = cell(&in->at[i]);
        printf("%-*s", i == in->count - 1 ? 0 : in->width, text.text);
    }
    putchar('\n');
}

/* ---- all of it ---- */

void plan_report_whole_bits(double fp_rate)
{
    uint32_t bits = 0;
    uint32_t hashes = 0;
    if (seenset_plan_whole_bits(fp_rate, &bits, &hashes) == 0)
        printf("\nIn whole numbers a classic filter keeps %.4g with %u bits "
               "per key and k = %u.\n",
               fp_rate, bits, hashes);
}

double plan_report_rate(const plan_columns *shown)
{
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] == 0)
            return shown->plans[i].fp_rate;
    return 0;
}

void plan_report_seeds(const seenset_scheme_arguments *given,
                       const char *between)
{
    for (uint32_t i = 0; i < given->seed_count; i++)
        printf("%s%u", i == 0 ? "" : between, given->seeds[i]);
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
        plan_report_seeds(given, " ");
        putchar('\n');
    }
}

/* Of a counting set, which is a plan alone. */
static void print_counting(const plan_columns *shown, const columns *in)
{
    print_row(in, "counters (m)", size_in_bits);
    print_row(in, "counters per key (m/n)", bits_per_key);
    print_row(in, "counters of a key (k)", hash_count);
    print_row(in, "expected rate (p)", rate);
    plan_counting_print(&shown->plans[0], shown->counter_bits);
}

static void print_alone(const columns *in)
{
    bool has_slots = layouts_words(in->at[0].plan.layout)->has_slots;
    print_row(in, "size (m)", size_in_words);
    print_row(in, "  in bits", size_in_bits);
    print_row(in, "  textbook, k not whole", size_in_books);
    print_row(in, "bits per key (m/n)", bits_per_key);
    print_row(in, has_slots ? "bits of a slot (k)" : "bits a key sets (k)",
              hash_count);
    print_row(in, "expected rate (p)", rate);
}

static void print_side_by_side(const columns *in)
{
    print_row(in, "size (m)", size_in_words);
    print_row(in, "  in bits", size_in_bits);
    print_row(in, "  textbook", size_in_books);
    print_row(in, "bits per key (m/n)", bits_per_key);
    print_row(in, "bits a key sets (k)", hash_count);
    print_row(in, "tables", table_count);
    print_row(in, "a lookup reads", places);
    print_row(in, "expected rate (p)", rate_as_number);
    print_row(in, "  1 in", rate_as_one_in);
}

void plan_report_text(const plan_columns *shown)
{
    const columns in = columns_of(shown);
    bool is_alone = in.count == 1;
    print_row(&in, "layout", is_alone ? layout_alone : layout);
    if (!is_alone)
        print_row(&in, "", kind);
    print_scheme(shown);
    print_row(&in, "keys (n)", keys_exact);
    print_row(&in, "", keys_in_words);
    if (layouts_words(shown->plans[0].layout)->has_counters) {
        print_counting(shown, &in);
        return;
    }
    if (shown->has_growth &&
        shown->growth.added_items != shown->growth.first_capacity_items)
        print_row(&in, "  planned for", keys_planned);
    (is_alone ? print_alone : print_side_by_side)(&in);
    print_row(&in, "floor, n log2(1/p)", floor_in_words);
    print_row(&in, "  above the floor", above_floor);
    plan_report_whole_bits(plan_report_rate(shown));
    plan_growth_print(shown);
    plan_sentence_print(shown);
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] != 0)
            printf("\n%s cannot do this: %s.\n",
                   seenset_layout_name(shown->plans[i].layout),
                   seenset_strerror(shown->errors[i]));
}
