/*
 * seal.c - makes a sealed set file of all its keys at once.
 *
 * All keys must be known before the first bit is set. Only the hash of each is
 * kept, 8 bytes. Keys of a set that is keyed or has a seed are kept whole,
 * since only the library hashes so.
 */
#include "text/arguments.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "commands/new_file.h"
#include "input/mode.h"
#include "fields/options.h"
#include "report/complain.h"
#include "report/left_out.h"
#include "report/progress.h"
#include "sets/set_batch.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "stream/batch.h"
#include "stream/lines.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/schemes.h"
#include "text/units.h"

typedef struct seal_request {
    new_file file;
    char **inputs;   /* NULL: standard input */
    char *from_path; /* the one input, by --from; or NULL */
    int input_count;
    char separator;
    input_mode mode;
    fields fields; /* which part of a line is its key */
    bool normalises, is_strict;
    left_out left_out;
    scheme_request scheme;
    seenset_options options;
} seal_request;

/* What was read: hashes; or keys, one after the other, and their ends. */
typedef struct harvest {
    bool wants_keys, wants_bytes; /* of long lines */
    set_batch_preparer *prepare;
    left_out *left_out;
    const char *name; /* of the set, in messages */
    size_t count, room;
    uint64_t *values; /* the hash, or the end in data */
    char *data;
    size_t used, data_room;
} harvest;

static const option_row seal_options[] = {
    OPTION_GROUP("The set:"),
    {"rate", 'p', "P", 0,
     "False-positive rate: report a new key as seen with a chance of at most P "
     "(default 1%); it becomes the next of 2^-4, 2^-5, ..., 2^-32"},
    {NULL, 'k', "K", 0, "4: the smallest set (default); 3: a faster one"},
    {"seed", OPTION_SEED, "S", 0, "The seed of the hash; it is kept in OUT"},
    {"keyed", OPTION_KEYED, NULL, 0,
     "Hash under a secret; the secret is made in OUT.secret"},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret is in S; with --keyed, it is made there"},
    {"force", OPTION_FORCE, NULL, 0, "Replace OUT if it exists"},
    SET_OPTIONS_WAIT,
    OPTION_GROUP("Keys:"),
    {"from", OPTION_FROM, "LINES", 0, "The same as the argument LINES"},
    {"null", '0', NULL, 0, "Keys end with NUL instead of newline"},
    INPUT_MODE_OPTIONS,
    {"normalise", OPTION_NORMALISE, "HOW", 0, OPTION_NORMALISE_HELP},
    {"strict", OPTION_STRICT, NULL, 0, OPTION_STRICT_HELP},
    FIELDS_OPTIONS,
    {0}};

/* --from LINES is the option of `add`; it means the same here. */
static void take_from(arguments *state, seal_request *request)
{
    if (request->from_path == NULL)
        return;
    if (request->inputs != NULL)
        arguments_refuse(state,
                         "--from names one FILE, and '%s' is another; give "
                         "all of them as arguments",
                         request->inputs[0]);
    request->inputs = &request->from_path;
    request->input_count = 1;
}

static uint32_t parse_hash_count(arguments *state, const char *text)
{
    if (strcmp(text, "3") != 0 && strcmp(text, "4") != 0)
        arguments_refuse(state, "-k '%s': it must be 3 or 4", text);
    return (uint32_t)(text[0] - '0');
}

/* OUT first, then the FILEs. */
static void parse_argument(arguments *state, seal_request *request, char *text)
{
    if (request->file.path != NULL) {
        request->input_count = state->argc - state->next + 1;
        request->inputs = options_rest(state);
        return;
    }
    options_check_path(state, "OUT", text);
    request->file.path = text;
}

/* All options are read. */
static void check_options(arguments *state, seal_request *request)
{
    const new_secret *secret = &request->file.secret;
    const char *wrong =
        schemes_conflict(&request->options, false,
                         secret->is_keyed || secret->secret_path != NULL);
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    take_from(state, request);
    options_check_strict(state, request->is_strict, request->normalises);
    fields_check(state, &request->fields, request->separator, false);
}

static int parse_key_option(int key, char *text, arguments *state,
                            seal_request *request)
{
    switch (key) {
    case OPTION_SEED:
        return schemes_parse(key, text, state, &request->scheme,
                             &request->options);
    case OPTION_NORMALISE:
        request->normalises = options_normalise(state, text);
        return 0;
    case OPTION_STRICT:
        request->is_strict = true;
        return 0;
    case 'z':
    case OPTION_NO_DECOMPRESS:
        return input_mode_parse(key, state, &request->mode);
    default:
        if (fields_parse(key, text, state, &request->fields) == 0 ||
            set_options_parse(key, text, state) == 0)
            return 0;
        return new_file_parse(key, text, &request->file);
    }
}

static int parse_option(int key, char *text, arguments *state)
{
    seal_request *request = state->input;
    switch (key) {
    case 'p':
        request->options.fp_rate = options_rate(state, "-p", text);
        return 0;
    case 'k':
        request->options.hash_count = parse_hash_count(state, text);
        return 0;
    case '0':
        request->separator = '\0';
        return 0;
    case OPTION_FROM:
        request->from_path = text;
        return 0;
    case ARGUMENTS_WORD:
        parse_argument(state, request, text);
        return 0;
    case ARGUMENTS_NONE:
        return options_missing(state, "OUT");
    case ARGUMENTS_END:
        check_options(state, request);
        return 0;
    default:
        return parse_key_option(key, text, state, request);
    }
}

static const command_syntax seal_syntax = {
    .options = seal_options,
    .parser = parse_option,
    .operands = "OUT [FILE...]",
    .text = "Make a sealed set of all its keys at once: the lines of the FILEs "
            "or, without any, of standard input. It is the smallest kind of "
            "set; no key can be added later.\vWhile it works it takes 8 bytes "
            "of memory a key besides the set; for a set that is keyed or has a "
            "seed, "
            "also the keys."};

/* ---- reading ---- */

/* Makes room for `more` elements after `used`. Returns 0, or -1 and errno. */
static int reserve(void **memory, size_t *room, size_t used, size_t more,
                   size_t element_bytes)
{
    if (more <= *room - used)
        return 0;
    size_t wanted = *room + *room / 2;
    if (wanted < used + more)
        wanted = used + more;
    if (wanted > SIZE_MAX / element_bytes) {
        errno = ENOMEM;
        return -1;
    }
    void *grown = realloc(*memory, wanted * element_bytes);
    if (grown == NULL)
        return -1;
    *memory = grown;
    *room = wanted;
    return 0;
}

/* Of the keys, each with a separator. */
static size_t count_bytes(const batch_keys *from)
{
    size_t bytes = 0;
    for (size_t i = 0; i < from->count; i++)
        bytes += from->ends[i] - batch_key_start(from, i) + 1;
    return bytes;
}

static int keep_keys(harvest *into, const batch_keys *from)
{
    void *data = into->data;
    int error =
        reserve(&data, &into->data_room, into->used, count_bytes(from), 1);
    into->data = data;
    if (error != 0)
        return -1;
    for (size_t i = 0; i < from->count; i++) {
        size_t start = batch_key_start(from, i);
        size_t len = from->ends[i] - start;
        if (len > 0)
            memcpy(into->data + into->used, from->text + start, len);
        into->used += len;
        into->data[into->used] = '\0';
        into->values[into->count + i] = into->used++;
    }
    return 0;
}

/* Returns 0; -1 and errno; or -2 after a message. */
static int keep_batch(harvest *into, batch *keys)
{
    into->prepare(keys);
    errno = keys->error;
    if (keys->error != 0)
        return -1;
    if (left_out_stop(keys, into->name))
        return -2;
    void *values = into->values;
    size_t count = batch_key_count(keys);
    int error =
        reserve(&values, &into->room, into->count, count, sizeof *into->values);
    into->values = values;
    if (error != 0)
        return -1;
    if (into->wants_keys) {
        batch_keys from = batch_keys_of(keys);
        if (from.text == NULL || keep_keys(into, &from) != 0)
            return -1;
    } else {
        memcpy(into->values + into->count, keys->hashes,
               count * sizeof *keys->hashes);
    }
    into->count += count;
    left_out_take(into->left_out, keys);
    return 0;
}

static const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Returns as keep_batch. */
static int read_file(harvest *into, lines *reader, const char *path,
                     batch *keys, progress *bar)
{
    if (lines_open(reader, path) != 0)
        return -1;
    reader->wants_bytes = into->wants_bytes;
    int got;
    while ((got = lines_next(reader, keys)) == 1) {
        keys->input = input_name(path);
        int error = keep_batch(into, keys);
        if (error != 0)
            return error;
        progress_advance(bar, keys->input_bytes);
    }
    return got;
}

static int read_files(seal_request *request, harvest *into, lines *reader,
                      batch *keys)
{
    char stdin_path[] = "-";
    char *stdin_paths[] = {stdin_path};
    bool is_stdin = request->inputs == NULL;
    char **paths = is_stdin ? stdin_paths : request->inputs;
    int path_count = is_stdin ? 1 : request->input_count;
    progress bar;
    progress_start(&bar, progress_total(paths, path_count), false);
    reader->input.mode = request->mode;
    int status = 0;
    for (int i = 0; status == 0 && i < path_count; i++) {
        int read = read_file(into, reader, paths[i], keys, &bar);
        if (read == 0)
            continue;
        int error = errno;
        progress_clear(&bar);
        if (read == -1)
            complain("%s: %s", input_name(paths[i]),
                     lines_error(reader, error).text);
        status = COMMAND_ERROR;
    }
    progress_clear(&bar);
    return status;
}

static int read_all(seal_request *request, harvest *into)
{
    lines reader = {0};
    batch *keys = batch_new();
    int status = COMMAND_ERROR;
    if (keys == NULL || lines_init(&reader, request->separator) != 0 ||
        fields_attach(&request->fields, &reader) != 0)
        complain("%s: %s", request->file.path, strerror(errno));
    else
        status = read_files(request, into, &reader, keys);
    lines_free(&reader);
    batch_free(keys);
    fields_free(&request->fields);
    return status;
}

/* ---- building ---- */

/* The library reports how far it is: done of total. */
static void advance(void *context, uint64_t done, uint64_t total,
                    unsigned attempt)
{
    progress *bar = context;
    (void)attempt;
    bar->total_bytes = total;
    bar->done_bytes = done;
    progress_advance(bar, 0);
}

/* Where each key is. Call when all keys were read, since reading moves data.
 * NULL: errno. */
static seenset_key *list_keys(const harvest *from)
{
    seenset_key *list = calloc(from->count + 1, sizeof *list);
    size_t start = 0;
    for (size_t i = 0; list != NULL && i < from->count; i++) {
        list[i].data = from->data + start;
        list[i].len = (size_t)from->values[i] - start;
        start = (size_t)from->values[i] + 1; /* the separator */
    }
    return list;
}

static int build(const seal_request *request, harvest *from, seenset **out)
{
    progress bar;
    progress_start_steps(&bar, "sealing", 1);
    int error = SEENSET_ENOMEM;
    seenset_key *list = from->wants_keys ? list_keys(from) : NULL;
    if (list != NULL)
        error = seenset_build_sealed(out, &request->options, list, from->count,
                                     advance, &bar);
    else if (!from->wants_keys)
        error = seenset_build_sealed_hashes(
            out, &request->options, from->values, from->count, advance, &bar);
    free(list);
    progress_clear(&bar);
    if (error == SEENSET_ENOMEM)
        complain("%s: out of memory for %s keys; seal them in parts",
                 request->file.path, units_grouped(from->count).text);
    else if (error == SEENSET_ERATE)
        complain("%s: a sealed set keeps a rate of 2^-32 (2.4e-10) at best; "
                 "choose a larger -p",
                 request->file.path);
    else if (error != 0)
        setfile_complain(request->file.path, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

static bool is_input(const seal_request *request)
{
    for (int i = 0; i < request->input_count; i++)
        if (setfile_is_same(request->file.path, request->inputs[i]))
            return true;
    return false;
}

/* The library itself says whether it takes hashes: it is asked to seal none. */
static bool takes_no_hashes(const seenset_options *options)
{
    seenset *none = NULL;
    int error =
        seenset_build_sealed_hashes(&none, options, NULL, 0, NULL, NULL);
    seenset_free(none);
    return error == SEENSET_EUNSUPPORTED;
}

/* Fingerprints have 4 bits at least. Reported where the rate asked for is over
 * twice that of the file, so that fewer would have done. */
static void report_rounding(const seal_request *request, const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    double kept = ldexp(1, -(int)info.fingerprint_bits);
    if (request->options.fp_rate > 2 * kept)
        complain("%s: its rate is %s: any -p over %.3g makes a set of this "
                 "size",
                 request->file.path, units_as_rate(kept).text, kept);
}

static int make_set(void *context, seenset **out)
{
    seal_request *request = context;
    bool wants_keys = takes_no_hashes(&request->options);
    harvest read = {.wants_keys = wants_keys,
                    .wants_bytes = fields_are_used(&request->fields) ||
                                   (wants_keys && !request->normalises),
                    .prepare =
                        set_batch_prepare(wants_keys, request->normalises),
                    .left_out = &request->left_out,
                    .name = request->file.path};
    int status = read_all(request, &read);
    if (status == 0)
        status = build(request, &read, out);
    if (status == 0)
        report_rounding(request, *out);
    free(read.values);
    free(read.data);
    return status;
}

int command_seal(int argc, char **argv)
{
    seal_request request = {.separator = '\n'};
    arguments_parse(&seal_syntax, argc, argv, &request);
    if (is_input(&request)) {
        complain("%s: cannot be both the set and its keys; the first argument "
                 "is the set's file",
                 request.file.path);
        return COMMAND_ERROR;
    }
    int status =
        new_file_run(&request.file, &request.options, make_set, &request);
    return left_out_finish(&request.left_out, request.file.path,
                           request.is_strict, status);
}
