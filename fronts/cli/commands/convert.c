/*
 * convert.c - the bits of one filter in the file of another system, or of
 * seenset: where both have the same bits for the same keys.
 *
 * That is so where the scheme is the same, which says what a key sets. Bits do
 * not show the keys, so nothing else can be converted without these.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "commands/combine.h"
#include "foreign/foreign_file.h"
#include "foreign/make.h"
#include "report/complain.h"
#include "sets/lock.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/layouts.h"
#include "text/options.h"

typedef struct convert_request {
    const char *in_path, *out_path;
    bool is_forced, is_set; /* is_set: OUT is a file of seenset */
    seenset_format format;  /* else of this */
    foreign_file from;      /* IN, if it is a file of another system */
} convert_request;

static const option_row convert_options[] = {
    {"format", OPTION_FORMAT, "F", 0,
     "What OUT is to be: seenset, dcso, guava or bip37"},
    {"force", OPTION_FORCE, NULL, 0, "Replace OUT if it exists"},
    SET_OPTIONS_WRITE,
    {0}};

static void parse_format(arguments *state, convert_request *request,
                         const char *text)
{
    request->is_set = strcmp(text, "seenset") == 0;
    request->format = foreign_make_find(text);
    if (!request->is_set && request->format == SEENSET_FORMAT_UNKNOWN)
        arguments_refuse(
            state, "--format '%s': it must be seenset, dcso, guava or bip37",
            text);
}

static int parse_option(int key, char *text, arguments *state)
{
    convert_request *request = state->input;
    switch (key) {
    case OPTION_FORMAT:
        parse_format(state, request, text);
        return 0;
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case ARGUMENTS_WORD:
        options_check_path(state, "name of a file", text);
        if (request->in_path == NULL)
            request->in_path = text;
        else if (request->out_path == NULL)
            request->out_path = text;
        else
            arguments_refuse(state, "IN and OUT, not also '%s'", text);
        return 0;
    case ARGUMENTS_END:
        if (request->out_path == NULL)
            arguments_refuse(state, "IN and OUT are needed");
        if (!request->is_set && request->format == SEENSET_FORMAT_UNKNOWN)
            arguments_refuse(state, "--format is needed: what OUT is to be");
        return 0;
    default:
        return set_options_parse(key, text, state);
    }
}

static const command_syntax convert_syntax = {
    .options = convert_options,
    .parser = parse_option,
    .operands = "IN OUT",
    .text =
        "Make OUT the filter of IN, in the file of another system or of "
        "seenset: the same bits, for the same keys.\vWhere the two systems "
        "hash keys differently, that cannot be done without the keys, and the "
        "exit status is 2."};

/* The set of the only filter that is named. */
static int open_foreign(convert_request *request, seenset **out)
{
    foreign_file *from = &request->from;
    int status = foreign_file_open(from, request->in_path);
    if (status == 0)
        status = foreign_file_choose(from);
    if (status != 0)
        return status;
    if (from->info.group_count == 1 && from->chosen_count == 1)
        return foreign_file_set(out, from);
    complain("%s: it has %u %s, and each has a filter of its own; only a file "
             "of one is converted",
             from->path, from->info.group_count,
             from->info.format == SEENSET_FORMAT_PARQUET ? "row groups"
                                                         : "parts");
    return COMMAND_ERROR;
}

static int complain_of_scheme(const convert_request *request,
                              const seenset_info *of)
{
    const char *name = seenset_format_name(request->format);
    complain("%s: a file of %s has other bits for the same keys (the scheme of "
             "this one is '%s'), and bits do not show keys: they are needed "
             "again; 'seenset new --format %s' makes a file to add them to",
             request->in_path, name, seenset_scheme_name(of->scheme), name);
    return COMMAND_ERROR;
}

static int complain_of_layout(const convert_request *request)
{
    const char *name = seenset_format_name(request->format);
    complain("%s: a file of %s is one table of the layout bloom, and this is "
             "not; the keys are needed: 'seenset new --format %s' makes a file "
             "to add them to",
             request->in_path, name, name);
    return COMMAND_ERROR;
}

/* An empty file of the format, of the set's size, is what OUT is to be like. */
static int save_like(const convert_request *request, const seenset *set,
                     const seenset_info *info)
{
    foreign_file like = {0};
    seenset_table_info table = {0};
    (void)seenset_get_table_info(set, 0, &table, sizeof table);
    const seenset_plan plan = {.capacity_items = info->capacity_items,
                               .fp_rate = info->fp_rate,
                               .size_bits = table.size_bits,
                               .hash_count = table.hash_count};
    int status = foreign_make_like(&like, request->out_path, request->format,
                                   info->scheme, &plan);
    if (status == 0)
        status = foreign_file_save(&like, set, request->out_path);
    foreign_file_close(&like);
    return status;
}

static bool is_of_format(seenset_format format, const seenset_info *info)
{
    if (format == SEENSET_FORMAT_GUAVA)
        return info->scheme == SEENSET_SCHEME_GUAVA_MITZ_64 ||
               info->scheme == SEENSET_SCHEME_GUAVA_MITZ_32;
    return info->scheme == (format == SEENSET_FORMAT_BIP37
                                ? SEENSET_SCHEME_BIP37
                                : SEENSET_SCHEME_DCSO);
}

static int save(const convert_request *request, const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    if (request->is_set)
        return setfile_save(set, request->out_path);
    if (!is_of_format(request->format, &info))
        return complain_of_scheme(request, &info);
    if (!layouts_words(info.layout)->is_classic || info.table_count != 1)
        return complain_of_layout(request);
    if (request->from.info.format == request->format)
        return foreign_file_save(&request->from, set, request->out_path);
    return save_like(request, set, &info);
}

static int convert_locked(convert_request *request)
{
    seenset *set = NULL;
    if (setfile_check_free(request->out_path, request->is_forced) != 0)
        return COMMAND_ERROR;
    int status = foreign_file_is(request->in_path)
                     ? open_foreign(request, &set)
                     : combine_open(&set, request->in_path, NULL);
    if (status == 0)
        status = save(request, set);
    seenset_free(set);
    foreign_file_close(&request->from);
    return status;
}

int command_convert(int argc, char **argv)
{
    convert_request request = {0};
    lock held = LOCK_FREE;
    arguments_parse(&convert_syntax, argc, argv, &request);
    int status = lock_take(&held, request.out_path);
    if (status == 0)
        status = convert_locked(&request);
    lock_release(&held);
    return status;
}
