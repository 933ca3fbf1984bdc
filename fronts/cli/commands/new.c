/*
 * new.c - makes an empty set file.
 */
#include "text/arguments.h"
#include <stdbool.h>

#include "command.h"
#include "commands/new_bits.h"
#include "commands/new_file.h"
#include "foreign/make.h"
#include "report/audit.h"
#include "sets/set_options.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/layouts.h"
#include "text/options.h"
#include "text/schemes.h"

typedef struct new_request {
    new_file file;
    audit_request audit;
    bool has_window, is_window_bare; /* bare: a number without a unit */
    seenset_options window;          /* the options that --window implies */
    scheme_request scheme;
    const char *bits_path; /* --bits, or NULL */
    seenset_format format; /* --format, or SEENSET_FORMAT_UNKNOWN */
    seenset_options options;
} new_request;

static const option_row new_options[] = {
    OPTION_GROUP("Size and rate:"),
    {"capacity", 'n', "N", 0, "Plan for N different keys (default 1M)"},
    {"rate", 'p', "P", 0,
     "False-positive rate: report a new key as seen with a chance of at most P "
     "(default 1%)"},
    {NULL, 'm', "SIZE", 0,
     "Table size in bytes (18MB, 64MiB), or in bits with suffix b (9585058b)"},
    {NULL, 'k', "K", 0, "Each key sets K bits"},
    OPTION_GROUP("Kind of set:"),
    {"layout", OPTION_LAYOUT, "L", 0,
     "blocked: the fastest (default); bloom: the fewest bits; counting: keys "
     "can be removed and counted; fingerprint: the same in a third of the "
     "memory; split_block: quicker for single keys than blocked, 4 % more "
     "memory at 1 %, and the blocks of Parquet's filters"},
    {"counter-bits", OPTION_COUNTER_BITS, "B", 0,
     "Counting: bits of each counter, 2 to 16 (default 4)"},
    {"on-full", OPTION_ON_FULL, "W", 0,
     "After N keys, grow: add a table that grows, and keep the rate (default); "
     "rotate: "
     "forget the oldest keys; refuse: add no more keys; degrade: add keys "
     "while "
     "the rate rises (the default of counting and fingerprint, and with -m, -k "
     "or --scheme)"},
    {"window", OPTION_WINDOW, "W", 0,
     "Rotate: remember the last W new keys, or each key for the time W, such "
     "as 24h, after it was new"},
    {"sliding", OPTION_SLIDING, NULL, 0,
     "Rotate: the time of a key starts again whenever the key is seen"},
    {"window-tables", OPTION_WINDOW_TABLES, "K", 0,
     "Rotate: forget old keys in K - 1 steps (default K is 5)"},
    OPTION_GROUP("How keys are hashed:"),
    {"keyed", OPTION_KEYED, NULL, 0,
     "Hash under a secret, so that an attacker cannot craft keys that are "
     "reported as seen; the secret is made in FILE.secret"},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret is in S; with --keyed, it is made there"},
    {"seed", OPTION_SEED, "S", 0,
     "The seed of the hash, with or without --scheme; it is kept in FILE"},
    {"scheme", OPTION_SCHEME, "S", 0,
     "Set the same bits as another system: murmur2a+fnv1a, "
     "murmur2a+fnv1a-signed (of a C program with a signed char, which differs "
     "beyond ASCII), murmur3-128, polynomial, md5-divmod, enhanced-double, "
     "clickhouse-bloom, clickhouse-tokenbf, parquet, dcso, guava-mitz-64, "
     "guava-mitz-32 or bip37"},
    {"seeds", OPTION_SEEDS, "LIST", 0,
     "Polynomial: the factors of its hashes, such as 31,131,1313"},
    {"units", OPTION_UNITS, "BITS", 0,
     "Polynomial: 8, a key is bytes (default), or 16, a text of UTF-16 units, "
     "as Java has it"},
    {"bits", OPTION_BITS, "BITS", 0,
     "Make the set of the filter in the file BITS: bit i is bit i mod 8 of "
     "byte i / 8; needs -k"},
    OPTION_GROUP("Other:"),
    {"format", OPTION_FORMAT, "F", 0,
     "Make a file of another system: dcso, guava or bip37 (Bitcoin); of the "
     "size that it takes for -n and -p, which alone go with it; and with bip37 "
     "--seed, the tweak"},
    {"audit", OPTION_AUDIT, "SEED", OPTION_VALUE_OPTIONAL,
     "First fill a second such set, in memory, with N keys, look up a million "
     "others, made from SEED (default: random), and print the rate measured "
     "beside the rate promised"},
    {"force", OPTION_FORCE, NULL, 0,
     "Replace FILE if it exists; with -n and -m, make the set even if its rate "
     "is over 10% with N keys"},
    SET_OPTIONS_WAIT,
    {0}};

static const char *window_conflict(const seenset_options *options)
{
    bool rotates = options->on_full == SEENSET_ON_FULL_ROTATE;
    if (options->window_generations == 1)
        return "--window-tables must be at least 2";
    if (options->window_generations != 0 && !rotates)
        return "--window-tables is for --window or --on-full rotate";
    if ((options->flags & SEENSET_FLAG_SLIDING) != 0 && !rotates)
        return "--sliding is for --window or --on-full rotate";
    return NULL;
}

/* Options that the library would refuse without a reason. */
static const char *conflict(const seenset_options *options, bool is_keyed)
{
    bool is_list = options->on_full == SEENSET_ON_FULL_GROW ||
                   options->on_full == SEENSET_ON_FULL_ROTATE;
    bool is_sized = options->size_bits != 0 || options->hash_count != 0;
    seenset_layout layout = SEENSET_LAYOUT_BLOCKED; /* the default */
    if (options->layout != SEENSET_LAYOUT_DEFAULT)
        layout = options->layout;
    const char *wrong =
        layouts_wrong_counter_bits(layout, options->counter_bits);
    if (wrong != NULL)
        return wrong;
    if (layouts_words(layout)->has_counters && is_list)
        return "a counting set cannot grow or rotate";
    if (layouts_words(layout)->has_slots && is_list)
        return "a set of fingerprints cannot grow or rotate";
    if (is_sized && is_list)
        return "a set whose size is given (-m, -k) cannot grow or rotate";
    wrong = schemes_conflict(options, is_list, is_keyed);
    if (wrong != NULL)
        return wrong;
    if (options->scheme == 0)
        wrong = layouts_wrong_hash_count(layout, options->hash_count);
    if (wrong != NULL)
        return wrong;
    return window_conflict(options);
}

/* Joins --window with the other options, in whichever order they came. */
static void apply_window(arguments *state, new_request *request)
{
    seenset_options *options = &request->options;
    if (!request->has_window)
        return;
    if (options->on_full != SEENSET_ON_FULL_DEFAULT &&
        options->on_full != SEENSET_ON_FULL_ROTATE)
        arguments_refuse(state, "--window is for sets that rotate");
    if (request->window.capacity_items != 0 && options->capacity_items != 0)
        arguments_refuse(state, "-n and --window both say how many keys");
    options->on_full = SEENSET_ON_FULL_ROTATE;
    options->window_seconds = request->window.window_seconds;
    if (request->window.capacity_items != 0)
        options->capacity_items = request->window.capacity_items;
}

/* A tweak, which is all that a file of Bitcoin can be given. */
static bool is_seed(const new_request *request)
{
    const seenset_scheme_arguments *given = &request->scheme.arguments;
    return request->format == SEENSET_FORMAT_BIP37 &&
           given->seed <= UINT32_MAX && given->seeds == NULL &&
           given->unit_bits == 0;
}

/* A file of another system has the size that its programs would choose. */
static void check_format(arguments *state, const new_request *request)
{
    const seenset_options *given = &request->options;
    bool is_other = given->layout != SEENSET_LAYOUT_DEFAULT ||
                    given->scheme != 0 ||
                    (given->scheme_arguments != NULL && !is_seed(request)) ||
                    given->size_bits != 0 || given->hash_count != 0 ||
                    given->on_full != 0 || given->counter_bits != 0 ||
                    given->flags != 0 || given->window_generations != 0 ||
                    request->has_window || request->file.secret.is_keyed ||
                    request->file.secret.secret_path != NULL ||
                    request->bits_path != NULL || request->audit.is_wanted;
    if (request->format != SEENSET_FORMAT_UNKNOWN && is_other)
        arguments_refuse(state, "with --format go -n, -p, --force and --wait "
                                "only, and with bip37 --seed below 2^32");
}

static void check_options(arguments *state, new_request *request)
{
    check_format(state, request);
    apply_window(state, request);
    bool is_keyed = request->file.secret.is_keyed ||
                    request->file.secret.secret_path != NULL;
    const char *wrong = conflict(&request->options, is_keyed);
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    if (request->bits_path != NULL && request->options.hash_count == 0)
        arguments_refuse(state,
                         "--bits needs -k: the bits do not show how many of "
                         "them a key sets");
    if (request->bits_path != NULL && request->audit.is_wanted)
        arguments_refuse(state,
                         "--audit fills an empty set, and --bits makes a full "
                         "one; see 'seenset info --audit'");
}

/* What the set is made of. */
static int parse_table_option(int key, char *text, arguments *state,
                              seenset_options *options)
{
    switch (key) {
    case OPTION_LAYOUT:
        options->layout = options_new_layout(state, text);
        return 0;
    case OPTION_COUNTER_BITS:
        options->counter_bits =
            options_small(state, "--counter-bits", text, 16);
        return 0;
    case 'm':
        options->size_bits = options_bits(state, "-m", text);
        return 0;
    case 'k':
        options->hash_count =
            options_small(state, "-k", text, SEENSET_MAX_HASH_COUNT);
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

/* What the set promises, and what happens when it is full. */
static int parse_promise_option(int key, char *text, arguments *state,
                                new_request *request)
{
    seenset_options *options = &request->options;
    switch (key) {
    case 'n':
        options->capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        options->fp_rate = options_rate(state, "-p", text);
        return 0;
    case OPTION_ON_FULL:
        options->on_full = options_policy(state, text);
        return 0;
    case OPTION_WINDOW:
        request->has_window = true;
        request->is_window_bare = options_window(state, text, &request->window);
        return 0;
    case OPTION_SLIDING:
        options->flags = SEENSET_FLAG_SLIDING;
        return 0;
    case OPTION_WINDOW_TABLES:
        options->window_generations =
            options_small(state, "--window-tables", text, 64);
        return 0;
    default:
        return parse_table_option(key, text, state, options);
    }
}

static int parse_option(int key, char *text, arguments *state)
{
    new_request *request = state->input;
    if (key == ARGUMENTS_END) {
        check_options(state, request);
        return 0;
    }
    if (key == OPTION_BITS) {
        request->bits_path = text;
        return 0;
    }
    if (key == OPTION_FORMAT) {
        request->format = foreign_make_find(text);
        if (request->format == SEENSET_FORMAT_UNKNOWN)
            arguments_refuse(
                state, "--format '%s': it must be dcso, guava or bip37", text);
        return 0;
    }
    if (key == OPTION_AUDIT) {
        audit_parse(&request->audit, state, text);
        return 0;
    }
    if (parse_promise_option(key, text, state, request) == 0 ||
        schemes_parse(key, text, state, &request->scheme, &request->options) ==
            0 ||
        new_file_parse(key, text, &request->file) == 0 ||
        set_options_parse(key, text, state) == 0)
        return 0;
    return options_one_file(state, key, text, &request->file.path);
}

static const command_syntax new_syntax = {
    .options = new_options,
    .parser = parse_option,
    .operands = "FILE",
    .text =
        "Make an empty set file.\vN: 5k, 10M, 1.5G. P: 0.01, 1e-6, 1/1000, "
        "1%. W: 10k (keys), or 90s, 15m (minutes), 24h, 7d, 2w. A FILE that "
        "exists and is empty, as mktemp makes it, becomes the set."};

/* An empty set keeps any promise: a second one is filled. */
static int rehearse(const new_request *request)
{
    const char *name = request->file.path;
    seenset *trial = NULL;
    if (!request->audit.is_wanted)
        return 0;
    int status = setfile_new(&trial, &request->options, name);
    if (status == 0)
        status = audit_fill(trial, name);
    if (status == 0)
        status = audit_report(&request->audit, trial, name);
    seenset_free(trial);
    return status;
}

static int make_set(void *context, seenset **out)
{
    new_request *request = context;
    if (request->is_window_bare)
        options_say_window(request->file.path, request->options.capacity_items,
                           "keys");
    if (rehearse(request) != 0)
        return COMMAND_ERROR;
    int status = request->bits_path != NULL
                     ? new_bits_read(out, &request->options, request->bits_path,
                                     request->file.path)
                     : setfile_new(out, &request->options, request->file.path);
    seenset_info info;
    if (status == 0 && seenset_get_info(*out, &info, sizeof info) == 0)
        schemes_say_rate(request->file.path, &request->options, info.fp_rate);
    return status;
}

int command_new(int argc, char **argv)
{
    new_request request = {0};
    arguments_parse(&new_syntax, argc, argv, &request);
    if (request.format != SEENSET_FORMAT_UNKNOWN)
        return foreign_make_new(request.file.path, request.file.is_forced,
                                request.format, &request.options);
    if (request.file.is_forced)
        request.options.flags |= SEENSET_FLAG_ANY_RATE;
    return new_file_run(&request.file, &request.options, make_set, &request);
}
