/*
 * plan.c - the size of a set for a number of keys and a rate.
 *
 * Some of keys (n), rate (p), size (m) and bits set by a key (k) are given, and
 * the library finds the others, for each layout, and for a set that grows and a
 * sealed one. The lower bound is printed beside them: no structure can be
 * smaller, so it shows at once that a billion URLs do not fit into 18 MB.
 */
#include "text/arguments.h"
#include <stdbool.h>

#include "command.h"
#include "plan/plot.h"
#include "plan/report.h"
#include "plan/table.h"
#include "plan/unions.h"
#include "report/complain.h"
#include "report/plot/plot.h"
#include "seenset/plan.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/layouts.h"
#include "text/options.h"
#include "text/schemes.h"
#include "text/units.h"

#define DEFAULT_CAPACITY_ITEMS UINT64_C(1000000)
#define DEFAULT_FP_RATE 0.01

typedef struct plan_request {
    seenset_plan given;
    uint64_t grows_to;      /* keys in the end; 0: not given */
    uint64_t first_items;   /* those planned for then, by -n */
    uint64_t union_sets;    /* that are to be merged; 0: not given */
    uint32_t counter_bits;  /* 0: not given */
    seenset_options hashed; /* its scheme and scheme_arguments alone */
    scheme_request scheme;
    bool wants_json, wants_table, wants_plot;
    const char *plot_path; /* NULL: the terminal */
} plan_request;

static const option_row plan_options[] = {
    OPTION_GROUP("What is given:"),
    {"capacity", 'n', "N", 0, "The number of different keys"},
    {"rate", 'p', "P", 0, "A false-positive rate of at most P"},
    {NULL, 'm', "SIZE", 0,
     "Table size in bytes (18MB, 64MiB), or in bits with suffix b (9585058b)"},
    {NULL, 'k', "K", 0, "Each key sets K bits"},
    {"grows-to", OPTION_GROWS_TO, "N", 0,
     "Sets of N keys, and beside them one that was planned for -n and grew"},
    {"union", OPTION_UNION, "SETS", 0,
     "How to make each of SETS sets of N different keys, so that their union "
     "keeps P; and what it comes to otherwise"},
    OPTION_GROUP("Kind of set:"),
    {"layout", OPTION_LAYOUT, "L", 0,
     "Only this layout: blocked, bloom, counting, fingerprint, sealed or "
     "split_block"},
    {"counter-bits", OPTION_COUNTER_BITS, "B", 0,
     "Counting: bits of each counter, 2 to 16 (default 4)"},
    {"scheme", OPTION_SCHEME, "S", 0,
     "Only this index scheme, as of new: not every SIZE and K is one of its "
     "own, and what is found is rounded to one that is"},
    {"seed", OPTION_SEED, "S", 0, "The seed of the hash, as of new"},
    {"seeds", OPTION_SEEDS, "LIST", 0,
     "Polynomial: the factors of its hashes, so that K is their number at "
     "most"},
    {"units", OPTION_UNITS, "BITS", 0,
     "Polynomial: a key is bytes (8) or UTF-16 units (16)"},
    OPTION_GROUP("Output:"),
    {"table", OPTION_TABLE, NULL, 0,
     "Print the rates by bits per key and k; with -k, only that column"},
    {"plot", OPTION_PLOT, "FILE", OPTION_VALUE_OPTIONAL,
     "Draw the rate by the number of keys, up to 2 N: in FILE, which is .svg "
     "or "
     ".png, or here"},
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object"},
    {0}};

static uint32_t parse_hash_count(arguments *state, const char *text)
{
    uint64_t value = options_count(state, "-k", text);
    if (value > SEENSET_MAX_HASH_COUNT)
        arguments_refuse(state, "-k '%s': it must be at most %u", text,
                         SEENSET_MAX_HASH_COUNT);
    return (uint32_t)value;
}

static void check_options(arguments *state, const seenset_plan *given,
                          uint32_t counter_bits)
{
    const char *wrong =
        layouts_wrong_hash_count(given->layout, given->hash_count);
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    wrong = layouts_wrong_counter_bits(given->layout, counter_bits);
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    wrong = layouts_words(given->layout)->not_sized;
    if (wrong != NULL && given->size_bits != 0)
        arguments_refuse(state, "%s", wrong);
}

/* What a scheme says of the numbers. */
static void check_scheme(arguments *state, const plan_request *request)
{
    seenset_options options = request->hashed;
    options.layout = request->given.layout;
    options.size_bits = request->given.size_bits;
    options.hash_count = request->given.hash_count;
    const char *wrong = schemes_conflict(&options, false, false);
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    if (options.scheme > SEENSET_SCHEME_CHAIN && request->wants_table)
        arguments_refuse(state,
                         "--table has sizes of its own, which a --scheme may "
                         "not have: leave out --scheme");
}

/* Of a set that grows, 'new' chooses the size. */
static void check_growth(arguments *state, const plan_request *request)
{
    const seenset_plan *given = &request->given;
    if (request->grows_to == 0)
        return;
    if (given->size_bits != 0 || given->hash_count != 0)
        arguments_refuse(state,
                         "--grows-to is not for -m or -k: a set of a given "
                         "size does not grow");
    if (request->hashed.scheme > SEENSET_SCHEME_CHAIN)
        arguments_refuse(state,
                         "--grows-to is not for --scheme: such a set does "
                         "not grow");
    if (!layouts_words(given->layout)->can_grow)
        arguments_refuse(state,
                         "--grows-to is not for --layout %s: such a set does "
                         "not grow; blocked, bloom and split_block do",
                         seenset_layout_name(given->layout));
    if (request->wants_table || request->wants_plot)
        arguments_refuse(state, "--grows-to is not for --table or --plot");
    uint64_t first = given->capacity_items != 0 ? given->capacity_items
                                                : DEFAULT_CAPACITY_ITEMS;
    if (request->grows_to < first)
        arguments_refuse(state, "--grows-to must be at least -n, here %s",
                         units_grouped(first).text);
}

/* Sets that are merged in the end. */
static void check_union(arguments *state, const plan_request *request)
{
    const seenset_plan *given = &request->given;
    if (request->union_sets == 0)
        return;
    if (given->size_bits != 0 || given->hash_count != 0)
        arguments_refuse(state,
                         "--union is not for -m or -k: it finds the sizes for "
                         "a rate; give -n and -p");
    if (!layouts_words(given->layout)->can_grow)
        arguments_refuse(
            state,
            "--union is not for --layout %s: sealed sets are not "
            "merged, and counts add up; blocked, bloom and split_block "
            "are",
            seenset_layout_name(given->layout));
    if (request->hashed.scheme > SEENSET_SCHEME_CHAIN)
        arguments_refuse(state, "--union is not for --scheme");
    if (request->grows_to != 0 || request->wants_table || request->wants_plot ||
        request->counter_bits != 0)
        arguments_refuse(state,
                         "--union is not for --grows-to, --table, --plot or "
                         "--counter-bits");
}

/* What is printed. */
static void check_output(arguments *state, const plan_request *request)
{
    const seenset_plan *given = &request->given;
    const char *path = request->plot_path;
    if (request->wants_table + request->wants_plot > 1 ||
        request->wants_json + request->wants_plot > 1)
        arguments_refuse(state, "--plot is not for --table or --json");
    if (path != NULL && !request->wants_plot)
        arguments_refuse(state, "'%s' is not an option; did you mean -n %s?",
                         path, path);
    if (path != NULL && !plot_is_name(path))
        arguments_refuse(
            state, "--plot '%s': the name must end in .svg or .png", path);
    if (request->counter_bits != 0 &&
        (request->wants_table || request->wants_plot))
        arguments_refuse(state,
                         "--counter-bits is not for --table or --plot: rates "
                         "are the same for all widths");
    if (request->wants_table && given->size_bits != 0)
        arguments_refuse(state, "--table has sizes of its own: leave out -m");
    if (request->wants_plot && given->capacity_items == 0 &&
        given->size_bits != 0 && given->layout == SEENSET_LAYOUT_DEFAULT)
        arguments_refuse(state,
                         "--plot of a size needs -n or --layout: each layout "
                         "holds another number of keys");
}

/* --plot FILE, where getopt_long only knows --plot=FILE. */
static void take_path(arguments *state, plan_request *request, const char *path)
{
    if (request->plot_path != NULL)
        arguments_refuse(state, "--plot writes one FILE, not also '%s'", path);
    request->plot_path = path;
}

static int parse_output_option(int key, char *text, arguments *state,
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
    case ARGUMENTS_WORD:
        take_path(state, request, text);
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

static int parse_option(int key, char *text, arguments *state)
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
    case OPTION_GROWS_TO:
        request->grows_to = options_count(state, "--grows-to", text);
        return 0;
    case OPTION_UNION:
        request->union_sets = options_count(state, "--union", text);
        return 0;
    case OPTION_COUNTER_BITS:
        request->counter_bits =
            options_small(state, "--counter-bits", text, 16);
        return 0;
    case ARGUMENTS_END:
        check_options(state, &request->given, request->counter_bits);
        check_scheme(state, request);
        check_growth(state, request);
        check_union(state, request);
        check_output(state, request);
        return 0;
    default:
        if (schemes_parse(key, text, state, &request->scheme,
                          &request->hashed) == 0)
            return 0;
        return parse_output_option(key, text, state, request);
    }
}

static const command_syntax plan_syntax = {
    .options = plan_options,
    .parser = parse_option,
    .text = "Find the size for a number of keys and a rate, or the keys that "
            "fit into a size, or the rate of a size and a number of keys."
            "\vWithout options: a million keys at 1 %. N: 5k, 10M, 1.5G. P: "
            "0.01, 1e-6, 1/1000, 1%."};

/* Sets are held against each other with as many keys as they get. */
static void take_growth(plan_request *request)
{
    if (request->grows_to == 0)
        return;
    request->first_items = request->given.capacity_items;
    request->given.capacity_items = request->grows_to;
}

/* Two of n, p and m are needed; these are the defaults of the missing ones. */
static void give_defaults(seenset_plan *given)
{
    bool has_rate = given->fp_rate > 0;
    if (given->capacity_items == 0 && given->size_bits == 0)
        given->capacity_items = DEFAULT_CAPACITY_ITEMS;
    if (!has_rate && (given->capacity_items == 0 || given->size_bits == 0))
        given->fp_rate = DEFAULT_FP_RATE;
}

static const seenset_layout both_layouts[PLAN_LAYOUTS] = {
    SEENSET_LAYOUT_BLOOM, SEENSET_LAYOUT_BLOCKED};

/* A scheme has one layout, unless another is given. */
static plan_columns solve(const plan_request *request)
{
    const seenset_options *hashed = &request->hashed;
    plan_columns out = {.counter_bits = request->counter_bits,
                        .scheme = hashed->scheme,
                        .arguments = request->scheme.arguments};
    bool is_one = request->given.layout != SEENSET_LAYOUT_DEFAULT ||
                  hashed->scheme > SEENSET_SCHEME_CHAIN;
    for (int i = 0; i < (is_one ? 1 : PLAN_LAYOUTS); i++) {
        seenset_plan plan = request->given;
        if (!is_one)
            plan.layout = both_layouts[i];
        out.errors[out.count] = seenset_plan_solve_scheme(
            &plan, hashed->scheme, hashed->scheme_arguments);
        out.plans[out.count++] = plan;
    }
    return out;
}

/* A set like the last plan that was made all at once, if there is one. */
static void solve_sealed(plan_columns *shown)
{
    const seenset_plan *like = &shown->plans[shown->count - 1];
    seenset_plan plan = {.layout = SEENSET_LAYOUT_SEALED,
                         .capacity_items = like->capacity_items,
                         .fp_rate = like->fp_rate};
    shown->has_sealed = shown->count > 1 && like->fp_rate < 1 &&
                        shown->errors[shown->count - 1] == 0 &&
                        seenset_plan_solve(&plan) == 0;
    shown->sealed = plan;
}

/* One that grows: planned for first_items, it has the keys of the last plan. */
static int solve_growth(plan_columns *shown, uint64_t first_items)
{
    seenset_plan plan = shown->plans[shown->count - 1];
    const uint64_t items = plan.capacity_items;
    int error =
        seenset_plan_grown(&plan, items, &shown->direct, sizeof shown->direct);
    plan.capacity_items = first_items;
    if (error == 0)
        error = seenset_plan_grown(&plan, items, &shown->growth,
                                   sizeof shown->growth);
    shown->has_growth = error == 0;
    return error;
}

/*
 * Beside all layouts: a set that 'new' makes of n and p, which grows, and a
 * sealed one. Beside one layout, what was asked for. Returns 0, or
 * COMMAND_ERROR after a message.
 */
static int solve_others(plan_columns *shown, const plan_request *request)
{
    const seenset_plan *given = &request->given;
    bool is_sized = given->size_bits != 0 || given->hash_count != 0;
    int error = 0;
    solve_sealed(shown);
    if (request->first_items != 0)
        error = solve_growth(shown, request->first_items);
    else if (shown->count > 1 && !is_sized)
        (void)solve_growth(shown, given->capacity_items);
    if (error == SEENSET_ERATE || error == SEENSET_ETOOBIG)
        complain("plan: a set planned for %s keys cannot keep the rate up to "
                 "--grows-to %s; choose a larger -n or -p",
                 units_in_words(request->first_items).text,
                 units_in_words(given->capacity_items).text);
    else if (error != 0)
        setfile_complain("plan --grows-to", error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

/* Returns 0 if a layout can do it, or COMMAND_ERROR after a message. */
static int check_solved(const plan_columns *shown)
{
    for (int i = 0; i < shown->count; i++)
        if (shown->errors[i] == 0)
            return 0;
    if (shown->errors[0] == SEENSET_ETOOBIG &&
        shown->scheme > SEENSET_SCHEME_CHAIN)
        complain("plan: the size asked for is over that of --scheme %s; choose "
                 "a smaller -n or a larger -p",
                 seenset_scheme_name(shown->scheme));
    else
        setfile_complain("plan", shown->errors[0]);
    return COMMAND_ERROR;
}

/* The plans that can be made. */
static int draw(const plan_request *request, const plan_columns *shown)
{
    seenset_plan plans[PLAN_LAYOUTS];
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
        plan_table_print(&request->given, layouts, is_one ? 1 : PLAN_LAYOUTS,
                         request->wants_json);
    if (status == 0 && !request->wants_json &&
        layouts_words(layouts[0])->is_classic)
        plan_report_whole_bits(request->given.fp_rate);
    return status;
}

/* Where the scheme's system does not keep the rate. */
static void say_rate(const plan_request *request, const plan_columns *shown)
{
    seenset_options asked = request->hashed;
    asked.fp_rate = request->given.fp_rate;
    schemes_say_rate("plan", &asked, shown->plans[0].fp_rate);
}

int command_plan(int argc, char **argv)
{
    plan_request request = {0};
    arguments_parse(&plan_syntax, argc, argv, &request);
    give_defaults(&request.given);
    take_growth(&request);
    if (request.union_sets != 0)
        return plan_unions_print(&request.given, request.union_sets,
                                 request.wants_json);
    if (request.wants_table)
        return print_tables(&request);
    plan_columns shown = solve(&request);
    int status = check_solved(&shown);
    if (status == 0)
        say_rate(&request, &shown);
    if (status == 0)
        status = solve_others(&shown, &request);
    if (status == 0 && request.wants_plot)
        status = draw(&request, &shown);
    else if (status == 0 && request.wants_json)
        plan_report_json(&shown);
    else if (status == 0)
        plan_report_text(&shown);
    return status;
}
