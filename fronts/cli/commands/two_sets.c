/* two_sets.c - see two_sets.h */
#include "commands/two_sets.h"

#include "command.h"
#include "commands/combine.h"
#include "report/complain.h"
#include "sets/set_stream.h"
#include "sets/setfile.h"
#include "sets/set_options.h"
#include "text/layouts.h"
#include "text/options.h"

const option_row two_sets_options[] = {
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object"},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of keyed sets is in S (default: A.secret and B.secret)"},
    SET_OPTIONS_READ,
    {0}};

/* Standard input is read once. */
static void check_stdin(const two_sets *of, arguments *state)
{
    if (set_stream_is(of->a_path) && set_stream_is(of->b_path))
        arguments_refuse(state, "standard input is read once, so - is A or B");
}

int two_sets_parse(int key, char *text, arguments *state)
{
    two_sets *of = state->input;
    switch (key) {
    case OPTION_JSON:
        of->wants_json = true;
        return 0;
    case OPTION_SECRET_FILE:
        of->secret_path = text;
        return 0;
    case ARGUMENTS_WORD:
        if (of->a_path == NULL)
            of->a_path = text;
        else if (of->b_path == NULL)
            of->b_path = text;
        else
            arguments_refuse(state, "two sets at a time, not also '%s'", text);
        return 0;
    case ARGUMENTS_END:
        if (of->b_path == NULL)
            arguments_refuse(state, "two set files are needed, A and B");
        check_stdin(of, state);
        return 0;
    default:
        return set_options_parse(key, text, state);
    }
}

int two_sets_run(two_sets *of, int (*run)(const two_sets *of))
{
    int status = combine_open(&of->a, of->a_path, of->secret_path);
    if (status == 0)
        status = combine_open(&of->b, of->b_path, of->secret_path);
    if (status == 0)
        status = run(of);
    seenset_free(of->a);
    seenset_free(of->b);
    return status;
}

static bool is_sliding(const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    return (info.flags & SEENSET_FLAG_SLIDING) != 0;
}

static bool has_bits(const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    return info.counter_bits == 0 && info.fingerprint_bits == 0;
}

/* Which of the two is of a kind that cannot be compared. */
static void complain_of_kind(const two_sets *of)
{
    bool is_first = !has_bits(of->a) || (is_sliding(of->a) && has_bits(of->b));
    const char *path = is_first ? of->a_path : of->b_path;
    const seenset *odd = is_first ? of->a : of->b;
    seenset_info info = {0};
    (void)seenset_get_info(odd, &info, sizeof info);
    if (layouts_words(info.layout)->has_slots)
        complain("%s: a set of fingerprints cannot do this; make it with "
                 "--layout blocked or bloom",
                 path);
    else if (info.fingerprint_bits != 0)
        complain("%s: a sealed set, whose places depend on all of its keys at "
                 "once; ask for keys of the one in the other with 'seenset "
                 "has'",
                 path);
    else if (info.counter_bits != 0)
        complain("%s: a counting set cannot do this; make it with --layout "
                 "blocked or bloom",
                 path);
    else
        complain("%s: a sliding window may have a key several times, so they "
                 "cannot be counted; make it without --sliding",
                 path);
}

int two_sets_complain(const two_sets *of, int error)
{
    if (error == SEENSET_EUNSUPPORTED)
        complain_of_kind(of);
    else
        combine_complain(error, of->a_path, of->a, of->b_path, of->b);
    return COMMAND_ERROR;
}
