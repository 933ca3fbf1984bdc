/*
 * new.c - makes an empty set file.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <stdbool.h>

#include "command.h"
#include "report/complain.h"
#include "sets/lock.h"
#include "sets/new_secret.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct new_request {
    const char *path;
    bool is_forced;
    new_secret secret;
    bool has_window, is_window_bare; /* bare: without a unit */
    seenset_options window;          /* what --window makes of the options */
    seenset_options options;
} new_request;

static const struct argp_option new_options[] = {
    {NULL, 'n', "N", 0, "Plan for N different keys (default 1M)", 0},
    {NULL, 'p', "P", 0,
     "Take a new key for seen with a chance of at most P (default 1%)", 0},
    {"layout", OPTION_LAYOUT, "L", 0,
     "blocked: fast (default); bloom: the fewest bits; counting: keys can be "
     "removed and counted",
     0},
    {"counter-bits", OPTION_COUNTER_BITS, "B", 0,
     "Counting: 4 (default), 8 or 16 bits for each counter", 0},
    {"on-full", OPTION_ON_FULL, "W", 0,
     "Past N keys, grow: add tables and keep the rate (default); rotate: "
     "forget the oldest; refuse: add no more; degrade: keep adding at a rising "
     "rate (the default of counting, and with -m, -k or --scheme)",
     0},
    {"window", OPTION_WINDOW, "W", 0,
     "Rotate: remember the last W new keys, or each for a time W after it was "
     "new, such as 24h",
     0},
    {"sliding", OPTION_SLIDING, NULL, 0,
     "Rotate: a key that is seen again is remembered anew", 0},
    {"window-tables", OPTION_WINDOW_TABLES, "K", 0,
     "Rotate: forget in K - 1 steps (default 5)", 0},
    {NULL, 'm', "SIZE", 0, "So large: 18MB, 64MiB, or in bits 9585058b", 0},
    {NULL, 'k', "K", 0, "Each key sets K bits", 0},
    {"scheme", OPTION_SCHEME, "S", 0,
     "Set the bits that another system would: murmur2a+fnv1a, murmur3-128, "
     "polynomial, md5-divmod or enhanced-double",
     0},
    {"keyed", OPTION_KEYED, NULL, 0,
     "Hash under a secret, so that nobody can make keys that are taken for "
     "seen; it is made in FILE.secret",
     0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret is in S; with --keyed, it is made there", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace FILE if it exists", 0},
    {0}};

static const char *scheme_conflict(const seenset_options *options, bool is_list,
                                   bool is_keyed)
{
    uint64_t m = options->size_bits;
    if (options->scheme <= SEENSET_SCHEME_CHAIN)
        return NULL;
    if (options->on_full == SEENSET_ON_FULL_REFUSE || is_list)
        return "a set with a --scheme can only degrade";
    if (options->layout == SEENSET_LAYOUT_BLOCKED)
        return "a --scheme is for --layout bloom or counting";
    if (is_keyed)
        return "a --scheme hashes without a secret";
    if (options->scheme == SEENSET_SCHEME_MURMUR2A_FNV1A &&
        options->hash_count != 2)
        return "--scheme murmur2a+fnv1a sets 2 bits for each key: -k 2";
    if (options->scheme == SEENSET_SCHEME_POLYNOMIAL &&
        (m == 0 || (m & (m - 1)) != 0 || options->hash_count > 7))
        return "--scheme polynomial takes -m of a power of two bits, such as "
               "64Kibits, and -k of 7 at most";
    return NULL;
}

/* What the library would refuse without a reason. */
static const char *conflict(const seenset_options *options, bool is_keyed)
{
    bool is_list = options->on_full == SEENSET_ON_FULL_GROW ||
                   options->on_full == SEENSET_ON_FULL_ROTATE;
    bool is_sized = options->size_bits != 0 || options->hash_count != 0;
    uint32_t bits = options->counter_bits;
    if (bits != 0 && bits != 4 && bits != 8 && bits != 16)
        return "--counter-bits must be 4, 8 or 16";
    if (bits != 0 && options->layout != SEENSET_LAYOUT_COUNTING)
        return "--counter-bits is for --layout counting";
    if (options->layout == SEENSET_LAYOUT_COUNTING && is_list)
        return "a counting set cannot grow or rotate";
    if (is_sized && is_list)
        return "a set whose size is given (-m, -k) cannot grow or rotate";
    const char *wrong = scheme_conflict(options, is_list, is_keyed);
    if (wrong != NULL)
        return wrong;
    if (options->scheme == 0)
        wrong = options_wrong_hash_count(
            options->layout != 0 ? options->layout : SEENSET_LAYOUT_BLOCKED,
            options->hash_count);
    if (wrong != NULL)
        return wrong;
    if (options->window_generations == 1)
        return "--window-tables must be at least 2";
    if (options->window_generations != 0 &&
        options->on_full != SEENSET_ON_FULL_ROTATE)
        return "--window-tables is for --window or --on-full rotate";
    if (options->flags != 0 && options->on_full != SEENSET_ON_FULL_ROTATE)
        return "--sliding is for --window or --on-full rotate";
    return NULL;
}

/* Joins --window with the other options, whichever came first. */
static void apply_window(struct argp_state *state, new_request *request)
{
    seenset_options *options = &request->options;
    if (!request->has_window)
        return;
    if (options->on_full != SEENSET_ON_FULL_DEFAULT &&
        options->on_full != SEENSET_ON_FULL_ROTATE)
        argp_error(state, "--window is for sets that rotate");
    if (request->window.capacity_items != 0 && options->capacity_items != 0)
        argp_error(state, "-n and --window both say how many keys");
    options->on_full = SEENSET_ON_FULL_ROTATE;
    options->window_seconds = request->window.window_seconds;
    if (request->window.capacity_items != 0)
        options->capacity_items = request->window.capacity_items;
}

static void check_options(struct argp_state *state, new_request *request)
{
    apply_window(state, request);
    bool is_keyed =
        request->secret.is_keyed || request->secret.secret_path != NULL;
    const char *wrong = conflict(&request->options, is_keyed);
    if (wrong != NULL)
        argp_error(state, "%s", wrong);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    new_request *request = state->input;
    switch (key) {
    case 'n':
        request->options.capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        request->options.fp_rate = options_rate(state, "-p", text);
        return 0;
    case OPTION_LAYOUT:
        request->options.layout = options_new_layout(state, text);
        return 0;
    case OPTION_ON_FULL:
        request->options.on_full = options_policy(state, text);
        return 0;
    case OPTION_COUNTER_BITS:
        request->options.counter_bits =
            options_small(state, "--counter-bits", text, 16);
        return 0;
    case OPTION_WINDOW:
        request->has_window = true;
        request->is_window_bare = options_window(state, text, &request->window);
        return 0;
    case OPTION_SLIDING:
        request->options.flags = SEENSET_SLIDING;
        return 0;
    case OPTION_WINDOW_TABLES:
        request->options.window_generations =
            options_small(state, "--window-tables", text, 64);
        return 0;
    case 'm':
        request->options.size_bits = options_bits(state, "-m", text);
        return 0;
    case 'k':
        request->options.hash_count =
            options_small(state, "-k", text, SEENSET_MAX_HASH_COUNT);
        return 0;
    case OPTION_SCHEME:
        request->options.scheme = options_scheme(state, text);
        return 0;
    case OPTION_KEYED:
        request->secret.is_keyed = true;
        return 0;
    case OPTION_SECRET_FILE:
        request->secret.secret_path = text;
        return 0;
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case ARGP_KEY_END:
        check_options(state, request);
        return 0;
    default:
        return options_one_file(state, key, text, &request->path);
    }
}

static const struct argp new_argp = {
    .options = new_options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Make an empty set file.\vN may be 5k, 10M, 1.5G; P 0.01, 1e-6, "
           "1/1000, 1%; W 10k (keys), or 90s, 15m (minutes), 24h, 7d, 2w. An "
           "empty FILE, as mktemp makes it, becomes the set."};

static int make_file(new_request *request)
{
    if (!request->is_forced && !setfile_is_free(request->path)) {
        complain("%s: exists already; --force replaces it", request->path);
        return COMMAND_ERROR;
    }
    if (request->is_window_bare)
        options_say_window(request->path, request->options.capacity_items,
                           "keys");
    seenset *set = NULL;
    int status =
        new_secret_prepare(&request->secret, request->path, &request->options);
    if (status == 0)
        status = setfile_new(&set, &request->options, request->path);
    if (status == 0)
        status = setfile_save(set, request->path);
    new_secret_finish(&request->secret, status == 0);
    seenset_free(set);
    return status;
}

int command_new(int argc, char **argv)
{
    new_request request = {0};
    arguments_parse(&new_argp, argc, argv, &request);
    lock held = LOCK_FREE;
    int status = lock_take(&held, request.path);
    if (status == 0)
        status = make_file(&request);
    lock_release(&held);
    return status;
}
