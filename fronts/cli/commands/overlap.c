/*
 * overlap.c - what two set files have in common and what only one of them has.
 * `seenset diff` is the same command.
 *
 * A set does not know its keys, so overlap counts them and cannot list them.
 * Sets may differ in size and rate, and may have grown.
 */
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "commands/two_sets.h"
#include "report/figures_json.h"
#include "report/report.h"
#include "text/arguments.h"
#include "text/units.h"

static const command_syntax overlap_syntax = {
    .options = two_sets_options,
    .parser = two_sets_parse,
    .operands = "A B",
    .text = "Show how many keys are in both of two set files and how many are "
            "in one only, estimated from the bits, each with its standard "
            "error.\vThe sets must have one layout of bits and hash keys in "
            "the same way; their sizes and rates may differ, and they may have "
            "grown. 'seenset has -v A' lists the keys of a file that A lacks."};

/* Bits that show nothing of a number have an error without a bound. */
static units_text error_text(double error)
{
    units_text unknown = {"unknown"};
    return isfinite(error) ? units_grouped((uint64_t)llround(fmin(error, 1e18)))
                           : unknown;
}

static void print_items(const char *label, double items, double error)
{
    if (!isfinite(items))
        report_row(stdout, label, "cannot be estimated");
    else
        report_row(stdout, label, "about %s keys, +- %s",
                   units_grouped((uint64_t)llround(fmax(items, 0))).text,
                   error_text(error).text);
}

static void print_text(const seenset_overlap *found)
{
    print_items("A", found->a_items, found->a_items_error);
    print_items("B", found->b_items, found->b_items_error);
    print_items("in both", found->intersection_items,
                found->intersection_items_error);
    print_items("only in A", found->a_only_items, found->a_only_items_error);
    print_items("only in B", found->b_only_items, found->b_only_items_error);
    print_items("in either", found->union_items, found->union_items_error);
    if (isfinite(found->jaccard))
        report_row(stdout, "jaccard", "%.4f, +- %.2g", found->jaccard,
                   found->jaccard_error);
}

static void print_json(const two_sets *of, const seenset_overlap *found)
{
    json out = json_start(stdout, false);
    json_text(&out, "a_path", of->a_path);
    json_text(&out, "b_path", of->b_path);
    figures_json_overlap(&out, found);
    json_end(&out);
}

static int overlap(const two_sets *of)
{
    seenset_overlap found = {0};
    int error = seenset_get_overlap(of->a, of->b, &found, sizeof found);
    if (error != 0)
        return two_sets_complain(of, error);
    if (of->wants_json)
        print_json(of, &found);
    else
        print_text(&found);
    return COMMAND_DONE;
}

int command_overlap(int argc, char **argv)
{
    two_sets of = {0};
    arguments_parse(&overlap_syntax, argc, argv, &of);
    return two_sets_run(&of, overlap);
}
