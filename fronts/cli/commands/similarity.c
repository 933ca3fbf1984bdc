/*
 * similarity.c - the similarity of two set files, from their bits.
 */
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "commands/two_sets.h"
#include "report/json.h"
#include "report/report.h"
#include "text/arguments.h"
#include "text/units.h"

static const command_syntax similarity_syntax = {
    .options = two_sets_options,
    .parser = two_sets_parse,
    .operands = "A B",
    .text =
        "Show how similar two set files are: of all keys in either, the part "
        "that is in both (the Jaccard index), with its standard error, and "
        "the numbers of keys. They must have one layout of bits and hash keys "
        "in the same way; their sizes and rates may differ, and they may have "
        "grown."};

static void print_items(const char *label, double items)
{
    if (isfinite(items))
        report_row(stdout, label, "about %s keys",
                   units_grouped((uint64_t)llround(items)).text);
    else
        report_row(stdout, label, "cannot be estimated");
}

static void print_text(const seenset_overlap *found)
{
    if (isfinite(found->jaccard))
        report_row(stdout, "jaccard", "%.4f", found->jaccard);
    else
        report_row(stdout, "jaccard", "cannot be estimated");
    report_row(stdout, "standard error", "%.2g", found->jaccard_error);
    print_items("in both", found->intersection_items);
    print_items("in either", found->union_items);
}

static void print_json(const seenset_overlap *found)
{
    json out = json_start(stdout, false);
    json_real(&out, "jaccard", found->jaccard);
    json_real(&out, "jaccard_error", found->jaccard_error);
    json_real(&out, "intersection_items", found->intersection_items);
    json_real(&out, "union_items", found->union_items);
    json_end(&out);
}

static int show(const two_sets *of)
{
    seenset_overlap found = {0};
    int error = seenset_get_overlap(of->a, of->b, &found, sizeof found);
    if (error != 0)
        return two_sets_complain(of, error);
    if (of->wants_json)
        print_json(&found);
    else
        print_text(&found);
    return COMMAND_DONE;
}

int command_similarity(int argc, char **argv)
{
    two_sets of = {0};
    arguments_parse(&similarity_syntax, argc, argv, &of);
    return two_sets_run(&of, show);
}
