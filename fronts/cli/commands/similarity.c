/*
 * similarity.c - the similarity of two set files, from their bits.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "command.h"
#include "commands/combine.h"
#include "report/report.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

typedef struct similarity_request {
    const char *a_path, *b_path;
    const char *secret_path;
    bool wants_json;
} similarity_request;

static const struct argp_option similarity_options[] = {
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object", 0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of keyed sets is in S (default: A.secret and B.secret)", 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    similarity_request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->wants_json = true;
        return 0;
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGP_KEY_ARG:
        if (request->a_path == NULL)
            request->a_path = text;
        else if (request->b_path == NULL)
            request->b_path = text;
        else
            argp_error(state, "two sets at a time, not also '%s'", text);
        return 0;
    case ARGP_KEY_END:
        if (request->b_path == NULL)
            argp_error(state, "two set files are needed, A and B");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp similarity_argp = {
    .options = similarity_options,
    .parser = parse_option,
    .args_doc = "A B",
    .doc =
        "Show how similar two set files are: of all keys in either, the part "
        "that is in both (the Jaccard index), with its standard error, and "
        "the numbers of keys. They must have been made with the same "
        "options, and not have grown."};

static void print_items(const char *label, double items)
{
    if (isfinite(items))
        report_row(stdout, label, "about %s keys",
                   units_grouped((uint64_t)llround(items)).text);
    else
        report_row(stdout, label, "cannot be estimated");
}

static void print_text(const seenset_similarity *found)
{
    report_row(stdout, "jaccard", "%.4f", found->jaccard);
    report_row(stdout, "standard error", "%.2g", found->jaccard_error);
    print_items("in both", found->intersection_items);
    print_items("in either", found->union_items);
}

static void print_json(const seenset_similarity *found)
{
    fputs("{\n  \"jaccard\": ", stdout);
    report_json_number(stdout, found->jaccard);
    fputs(",\n  \"jaccard_error\": ", stdout);
    report_json_number(stdout, found->jaccard_error);
    fputs(",\n  \"intersection_items\": ", stdout);
    report_json_number(stdout, found->intersection_items);
    fputs(",\n  \"union_items\": ", stdout);
    report_json_number(stdout, found->union_items);
    fputs("\n}\n", stdout);
}

static int compare(const similarity_request *request, const seenset *a,
                   const seenset *b)
{
    seenset_similarity found = {0};
    int error = seenset_compare(a, b, &found);
    if (error != 0) {
        combine_complain(error, request->a_path, a, request->b_path, b);
        return COMMAND_ERROR;
    }
    if (request->wants_json)
        print_json(&found);
    else
        print_text(&found);
    return COMMAND_DONE;
}

int command_similarity(int argc, char **argv)
{
    similarity_request request = {0};
    arguments_parse(&similarity_argp, argc, argv, &request);
    seenset *a = NULL;
    seenset *b = NULL;
    int status = combine_open(&a, request.a_path, request.secret_path);
    if (status == 0)
        status = combine_open(&b, request.b_path, request.secret_path);
    if (status == 0)
        status = compare(&request, a, b);
    seenset_free(a);
    seenset_free(b);
    return status;
}
