/*
 * rekey.c - a set under a new secret, from the keys of another.
 *
 * Under another secret a key has other places, and a set does not know its
 * keys. So they have to come again, and what can be checked is:
 *
 *   - that each key is in OLD. One that is not was never added to it, and is
 *     left out and counted.
 *   - that about as many came as OLD had. If some are missing, NEW would forget
 *     them, so it is not made unless --partial accepts that. Keys are compared
 *     by their number: as many as either set may have taken for seen by
 *     mistake may differ.
 *
 * NEW is made as OLD was, so a set that is not keyed becomes one that is.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "commands/key_command.h"
#include "commands/new_file.h"
#include "report/complain.h"
#include "sets/secret.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/layouts.h"
#include "text/options.h"
#include "text/units.h"

typedef struct rekey_request {
    key_command work; /* its path is OLD */
    new_file file;    /* NEW */
    bool is_partial;
    seenset_info old;
    seenset *made;
    uint64_t absent_count; /* keys that were not in OLD */
} rekey_request;

static const option_row rekey_options[] = {
    {"partial", OPTION_PARTIAL, NULL, 0,
     "Make NEW even if keys of OLD are missing, which it then has not seen"},
    {"force", OPTION_FORCE, NULL, 0, "Replace NEW if it exists"},
    KEY_COMMAND_OPTIONS("Keys end with NUL instead of newline"),
    SET_OPTIONS_WAIT,
    {0}};

static int parse_argument(rekey_request *request, char *text, arguments *state)
{
    options_check_path(state, "name of a set file", text);
    if (request->work.path == NULL)
        request->work.path = text;
    else if (request->file.path == NULL)
        request->file.path = text;
    else
        arguments_refuse(
            state, "'%s': keys are lines of standard input, or of --from LINES",
            text);
    return 0;
}

static int parse_option(int key, char *text, arguments *state)
{
    rekey_request *request = state->input;
    switch (key) {
    case OPTION_PARTIAL:
        request->is_partial = true;
        return 0;
    case OPTION_FORCE:
        request->file.is_forced = true;
        return 0;
    case ARGUMENTS_WORD:
        return parse_argument(request, text, state);
    case ARGUMENTS_END:
        if (request->file.path == NULL)
            arguments_refuse(state, "OLD and NEW are needed");
        return key_command_parse(key, text, state);
    default:
        return key_command_parse(key, text, state);
    }
}

static const command_syntax rekey_syntax = {
    .options = rekey_options,
    .parser = parse_option,
    .operands = "OLD NEW",
    .text = "Make the set file NEW under a new secret, which is made in "
            "NEW.secret, with the keys of OLD: the lines of standard input, or "
            "of --from LINES.\vA set does not know its keys, so all of them "
            "have to come again. Those that OLD has not seen are left out; if "
            "keys of OLD are missing, NEW is not made. The exit status is 0, 1 "
            "if keys were left out, and 2 after an error. 'seenset rename "
            "--force NEW OLD' then puts NEW in the place of OLD."};

/* ---- as OLD was made ---- */

/* Why NEW cannot be made from keys alone, or NULL. */
static const char *wrong_kind(const seenset_info *old)
{
    if (layouts_words(old->layout)->is_built_once)
        return "a sealed set; 'seenset seal --keyed NEW KEYS' makes one under "
               "a new secret";
    if (old->on_full == SEENSET_ON_FULL_ROTATE)
        return "a window, and keys alone do not have the times at which they "
               "came; begin one with 'seenset new --keyed --window', and ask "
               "both until the old one has forgotten its keys";
    if (old->scheme > SEENSET_SCHEME_CHAIN)
        return "its index scheme is that of another system and takes no "
               "secret; 'seenset new --keyed' makes a set that does";
    return NULL;
}

/* A set that grew has one table again. Others keep their shape. */
static seenset_options options_of(const rekey_request *request)
{
    const seenset_info *old = &request->old;
    seenset_table_info table = {0};
    (void)seenset_get_table_info(request->work.set, 0, &table, sizeof table);
    seenset_options out = {.layout = old->layout,
                           .on_full = old->on_full,
                           .capacity_items = old->capacity_items,
                           .counter_bits = old->counter_bits};
    if (old->on_full == SEENSET_ON_FULL_GROW) {
        out.fp_rate = old->fp_rate;
    } else {
        out.size_bits = table.size_bits;
        out.hash_count = table.hash_count;
        out.flags |= SEENSET_FLAG_ANY_RATE; /* as OLD has it */
    }
    return out;
}

/* ---- the keys ---- */

/* Returns 0 or the library's error. */
static int take_key(rekey_request *request, const char *key, size_t len)
{
    int seen = seenset_has(request->work.set, key, len);
    request->absent_count += seen == 0;
    if (seen <= 0)
        return seen;
    int added = seenset_add(request->made, key, len);
    return added < 0 ? added : 0;
}

static int take_batch(void *context, batch *keys)
{
    rekey_request *request = context;
    batch_keys from = batch_keys_of(keys);
    int error = from.text == NULL ? SEENSET_EIO : 0;
    for (size_t i = 0; error == 0 && i < from.count; i++) {
        size_t start = batch_key_start(&from, i);
        error = take_key(request, from.text + start, from.ends[i] - start);
    }
    return error;
}

/* New keys that a set took for seen, with six standard deviations. */
static double mistakes_of(const seenset *set)
{
    seenset_estimate now = {0};
    (void)seenset_get_estimate(set, &now, sizeof now);
    if (now.is_wrong_at_least) /* any number */
        return INFINITY;
    return now.wrong_items + 6 * sqrt(now.wrong_items);
}

/* Did about as many keys come as OLD has? */
static int check_complete(const rekey_request *request)
{
    seenset_info now = {0};
    (void)seenset_get_info(request->made, &now, sizeof now);
    double slack = mistakes_of(request->made) + mistakes_of(request->work.set);
    double missing = (double)request->old.added_items - (double)now.added_items;
    if (!(missing > slack))
        return 0;
    complain("%s: %s keys of %s came, which has %s: it would not have seen the "
             "others%s",
             request->file.path, units_grouped(now.added_items).text,
             request->work.path, units_grouped(request->old.added_items).text,
             request->is_partial
                 ? ""
                 : "; give all of them, or --partial; nothing was written");
    return request->is_partial ? 0 : COMMAND_ERROR;
}

/* A secret that was in NEW.secret before may be that of OLD. */
static int check_secret(const rekey_request *request)
{
    uint8_t old[SEENSET_SECRET_BYTES];
    const char *given = request->work.secret_path;
    if (!request->old.is_keyed || request->file.secret.is_new)
        return 0;
    char *beside = secret_path_of(request->work.path);
    int status = beside == NULL ? COMMAND_ERROR
                                : secret_read(given == NULL ? beside : given,
                                              request->work.path, old);
    free(beside);
    if (status == 0 &&
        memcmp(old, request->file.secret.bytes, sizeof old) == 0) {
        complain("%s: has the secret of %s; remove it, and a new one is made",
                 request->file.secret.path, request->work.path);
        status = COMMAND_ERROR;
    }
    secret_wipe(old);
    return status;
}

static int make_set(void *context, seenset **out)
{
    rekey_request *request = context;
    seenset_options options = options_of(request);
    options.secret = request->file.secret.bytes;
    int error = 0;
    if (check_secret(request) != 0)
        return COMMAND_ERROR;
    if (setfile_new(out, &options, request->file.path) != 0)
        return COMMAND_ERROR;
    request->made = *out;
    key_command_need(&request->work, true, true);
    bool is_read = key_command_each(request, take_batch, false, &error);
    if (error != 0)
        setfile_complain(request->file.path, error);
    return error == 0 && is_read ? check_complete(request) : COMMAND_ERROR;
}

/* OLD is open. */
static int rekey(void *context)
{
    rekey_request *request = context;
    seenset_options unused = {0};
    (void)seenset_get_info(request->work.set, &request->old,
                           sizeof request->old);
    const char *wrong = wrong_kind(&request->old);
    if (wrong != NULL) {
        complain("%s: %s", request->work.path, wrong);
        return COMMAND_ERROR;
    }
    int status = new_file_run(&request->file, &unused, make_set, request);
    if (status != 0 || request->absent_count == 0)
        return status;
    complain("%s: %s of the keys were left out, since %s has not seen them",
             request->file.path, units_grouped(request->absent_count).text,
             request->work.path);
    return COMMAND_NOTHING;
}

int command_rekey(int argc, char **argv)
{
    rekey_request request = {.work.separator = '\n',
                             .file.secret.is_keyed = true};
    arguments_parse(&rekey_syntax, argc, argv, &request);
    if (setfile_is_same(request.work.path, request.file.path)) {
        complain("%s: OLD and NEW are one file; make NEW beside it, and put it "
                 "in its place with 'seenset rename --force'",
                 request.file.path);
        return COMMAND_ERROR;
    }
    return key_command_query(&request, rekey);
}
