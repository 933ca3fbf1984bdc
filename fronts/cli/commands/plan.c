/*
 * plan.c - the size of a set for a number of keys and a rate.
 *
 * Some of keys (n), rate (p), size (m) and bits set by a key (k) are given, and
 * the library finds the others, for each layout. The lower bound is printed
 * beside them: no structure can be smaller, so it shows at once that a billion
 * URLs do not fit into 18 MB.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "command.h"
#include "commands/plan_counting.h"
#include "commands/plan_plot.h"
#include "commands/plan_table.h"
#include "report/plot.h"
#include "report/report.h"
#include "seenset/plan.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/layouts.h"
#include "text/options.h"
#include "text/units.h"

#define DEFAULT_CAPACITY_ITEMS UINT64_C(1000000)
#define DEFAULT_FP_RATE 0.01
#define MAX_COLUMNS 2

typedef struct plan_request {
    seenset_plan given;
    uint32_t counter_bits; /* 0: not given */
    bool wants_json, wants_table, wants_plot;
    const char *plot_path; /* NULL: the terminal */
} plan_request;

/* The plans that are shown, side by side. */
typedef struct columns {
    int count;
    seenset_plan plans[MAX_COLUMNS];
    int errors[MAX_COLUMNS]; /* 0, or why this layout cannot do it */
    uint32_t counter_bits;   /* 0: not given */
} columns;

static const struct argp_option plan_options[] = {
    {NULL, 'n', "N", 0, "The number of different keys", 0},
    {NULL, 'p', "P", 0, "A false-positive rate of at most P", 0},
    {NULL, 'm', "SIZE", 0,
     "Table size in bytes (18MB, 64MiB), or in bits with suffix b (9585058b)",
     0},
    {NULL, 'k', "K", 0, "Each key sets K bits", 0},
    {"layout", OPTION_LAYOUT, "L", 0,
     "Only this layout: blocked, bloom, counting, sealed or split_block", 0},
    {"counter-bits", OPTION_COUNTER_BITS, "B", 0,
     "Counting: bits of each counter, 2 to 16 (default 4)", 0},
    {"table", OPTION_TABLE, NULL, 0,
     "Print the rates by bits per key and k; with -k, only that column", 0},
    {"plot", OPTION_PLOT, "FILE", OPTION_ARG_OPTIONAL,
     "Draw the rate by the number of keys, up to 2 N: in FILE, which is .svg "
     "or "
     ".png, or here",
     0},
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object", 0},
    {0}};

static uint32_t parse_hash_count(struct argp_state *state, const char *text)
{
    uint64_t value = options_count(state, "-k", text);
    if (value > SEENSET_MAX_HASH_COUNT)
        argp_error(state, "-k '%s': it must be at most %u", text,
                   SEENSET_MAX_HASH_COUNT);
    return (uint32_t)value;
}

static void check_options(struct argp_state *state, const seenset_plan *given,
                          uint32_t counter_bits)
{
    const char *wrong =
        layouts_wrong_hash_count(given->layout, given->hash_count);
    if (wrong != NULL)
        argp_error(state, "%s", wrong);
    wrong = layouts_wrong_counter_bits(given->layout, counter_bits);
    if (wrong != NULL)
        argp_error(state, "%s", wrong);
    wrong = layouts_words(given->layout)->not_sized;
    if (wrong != NULL && given->size_bits != 0)
        argp_error(state, "%s", wrong);
}

/* What is printed. */
static void check_output(struct argp_state *state, const plan_request *request)
{
    const seenset_plan *given = &request->given;
    const char *path = request->plot_path;
    if (request->wants_table + request->wants_plot > 1 ||
        request->wants_json + request->wants_plot > 1)
        argp_error(state, "--plot is not for --table or --json");
    if (path != NULL && !request->wants_plot)
        argp_error(state, "'%s' is not an option; did you mean -n %s?", path,
                   path);
    if (path != NULL && !plot_is_name(path))
        argp_error(state, "--plot '%s': the name must end in .svg or .png",
                   path);
    if (request->counter_bits != 0 &&
        (request->wants_table || request->wants_plot))
        argp_error(state, "--counter-bits is not for --table or --plot: rates "
                          "are the same for all widths");
    if (request->wants_table && given->size_bits != 0)
        argp_error(state, "--table has sizes of its own: leave out -m");
    if (request->wants_plot && given->capacity_items == 0 &&
        given->size_bits != 0 && given->layout == SEENSET_LAYOUT_DEFAULT)
        argp_error(state, "--plot of a size needs -n or --layout: each layout "
                          "holds another number of keys");
}

/* --plot FILE, where argp only knows --plot=FILE. */
static void take_path(struct argp_state *state, plan_request *request,
                      const char *path)
{
    if (request->plot_path != NULL)
        argp_error(state, "--plot writes one FILE, not also '%s'", path);
    request->plot_path = path;
}

static error_t parse_output_option(int key, char *text,
                                   struct argp_state *state,
                                   plan_request *request)
{
    switch (key) {
    case OPTION_JSON:
        request->wants_json = true;
        return 0;
    case OPTION_TABLE:
        request->wants_table = true;
        return 0;
    case OPTION_PLOT:
        request->wants_plot = true;
        if (text != NULL)
            take_path(state, request, text);
        return 0;
    case ARGP_KEY_ARG:
        take_path(state, request, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    plan_request *request = state->input;
    switch (key) {
    case 'n':
        request->given.capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        request->given.fp_rate = options_rate(state, "-p", text);
        return 0;
    case 'm':
        request->given.size_bits = options_bits(state, "-m", text);
        return 0;
    case 'k':
        request->given.hash_count = parse_hash_count(state, text);
        return 0;
    case OPTION_LAYOUT:
        request->given.layout = options_planned_layout(state, text);
        return 0;
    case OPTION_COUNTER_BITS:
        request->counter_bits =
            options_small(state, "--counter-bits", text, 16);
        return 0;
    case ARGP_KEY_END:
        check_options(state, &request->given, request->counter_bits);
        check_output(state, request);
        return 0;
    default:
        return parse_output_option(key, text, state, request);
    }
}

static const struct argp plan_argp = {
    .options = plan_options,
    .parser = parse_option,
    .doc = "Find the size for a number of keys and a rate, or the keys that "
           "fit into a size, or the rate of a size and a number of keys."
           "\vWithout options: a million keys at 1 %. N: 5k, 10M, 1.5G. P: "
           "0.01, 1e-6, 1/1000, 1%."};

/* Two of n, p and m are needed; these are the defaults of the missing ones. */
static void give_defaults(seenset_plan *given)
{
    bool has_rate = given->fp_rate > 0;
    if (given->capacity_items == 0 && given->size_bits == 0)
        given->capacity_items = DEFAULT_CAPACITY_ITEMS;
    if (!has_rate && (given->capacity_items == 0 || given->size_bits == 0))
        given->fp_rate = DEFAULT_FP_RATE;
}

static const seenset_layout both_layouts[MAX_COLUMNS] = {
    SEENSET_LAYOUT_BLOOM, SEENSET_LAYOUT_BLOCKED};

static columns solve(const seenset_plan *given)
{
    columns out = {0};
    bool is_one = given->layout != SEENSET_LAYOUT_DEFAULT;
    for (int i = 0; i < (is_one ? 1 : MAX_COLUMNS); i++) {
        seenset_plan plan = *given;
        if (!is_one)
            plan.layout = both_layouts[i];
        out.errors[out.count] = seenset_plan_solve(&plan);
        out.plans[out.count++] = plan;
    }
    return out;
}

/* Returns 0 if a layout can do it, or COMMAND_ERROR after a message. */
static int check_solved(const columns *shown)
{
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] == 0)
            return 0;
    setfile_complain("plan", shown->errors[0]);
    return COMMAND_ERROR;
}

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

/* A rate of 1 needs no bits: then there is no lower bound to show. */
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

static void print_row(const columns *shown, const char *label,
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

static void print_whole_bits(double fp_rate)
{
    uint32_t bits = 0;
    uint32_t hashes = 0;
    if (seenset_plan_whole_bits(fp_rate, &bits, &hashes) == 0)
        printf("\nIn whole numbers a classic filter keeps %.4g with %u bits "
               "per key and k = %u.\n",
               fp_rate, bits, hashes);
}

static double rate_of(const columns *shown)
{
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] == 0)
            return shown->plans[i].fp_rate;
    return 0;
}

/* Of a counting set, which is a plan alone. */
static void print_counting(const columns *shown)
{
    print_row(shown, "counters (m)", size_in_bits);
    print_row(shown, "counters per key (m/n)", bits_per_key);
    print_row(shown, "counters of a key (k)", hash_count);
    print_row(shown, "expected rate (p)", rate_expected);
    plan_counting_print(&shown->plans[0], shown->counter_bits);
}

static void print_text(const columns *shown)
{
    print_row(shown, "layout", layout_title);
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
    print_whole_bits(rate_of(shown));
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

static void json_plan(const seenset_plan *plan, uint32_t counter_bits)
{
    printf("    {\"layout\": \"%s\", \"hash_count\": %u, "
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
    fputs(", \"bits_per_key\": ", stdout);
    report_json_number(stdout, plan->bits_per_key);
    fputs(", \"floor_bits\": ", stdout);
    report_json_number(stdout, plan->floor_bits);
    json_counters(plan, counter_bits);
    putchar('}');
}

static void print_json(const columns *shown)
{
    const char *before = "";
    uint32_t bits = 0;
    uint32_t hashes = 0;
    fputs("{\n  \"plans\": [\n", stdout);
    for (int i = 0; i < shown->count; i++) {
        if (shown->errors[i] != 0)
            continue;
        fputs(before, stdout);
        json_plan(&shown->plans[i], shown->counter_bits);
        before = ",\n";
    }
    fputs("\n  ],\n  \"whole_bits\": ", stdout);
    if (seenset_plan_whole_bits(rate_of(shown), &bits, &hashes) == 0)
        printf("{\"bits_per_key\": %u, \"hash_count\": %u}\n}\n", bits, hashes);
    else
        fputs("null\n}\n", stdout);
}

/* The plans that can be made. */
static int draw(const plan_request *request, const columns *shown)
{
    seenset_plan plans[MAX_COLUMNS];
    int count = 0;
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] == 0)
            plans[count++] = shown->plans[i];
    return plan_plot_draw(plans, count, request->given.fp_rate,
                          request->plot_path);
}

static int print_tables(const plan_request *request)
{
    const seenset_layout *layouts = both_layouts;
    bool is_one = request->given.layout != SEENSET_LAYOUT_DEFAULT;
    if (is_one)
        layouts = &request->given.layout;
    int status =
        plan_table_print(&request->given, layouts, is_one ? 1 : MAX_COLUMNS,
                         request->wants_json);
    if (status == 0 && !request->wants_json &&
        layouts_words(layouts[0])->is_classic)
        print_whole_bits(request->given.fp_rate);
    return status;
}

int command_plan(int argc, char **argv)
{
    plan_request request = {0};
    arguments_parse(&plan_argp, argc, argv, &request);
    give_defaults(&request.given);
    if (request.wants_table)
        return print_tables(&request);
    columns shown = solve(&request.given);
    shown.counter_bits = request.counter_bits;
    int status = check_solved(&shown);
    if (status == 0 && request.wants_plot)
        status = draw(&request, &shown);
    else if (status == 0 && request.wants_json)
        print_json(&shown);
    else if (status == 0)
        print_text(&shown);
    return status;
}
