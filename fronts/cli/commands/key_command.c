/*
 * key_command.c - see key_command.h.
 */
#include "commands/key_command.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "report/complain.h"
#include "report/progress.h"
#include "sets/lock.h"
#include "sets/set_stream.h"
#include "sets/setfile.h"
#include "text/options.h"

static int parse_argument(key_command *work, char *text, arguments *state)
{
    if (work->path == NULL) {
        options_check_path(state, "FILE", text);
        work->path = text;
        return 0;
    }
    if (work->lines_path != NULL)
        arguments_refuse(state,
                         "'%s' is a KEY, and --from says that keys are lines "
                         "of %s; leave one out",
                         text, work->lines_path);
    work->are_words_quoted = state->are_quoted;
    work->words = options_rest(state);
    return 0;
}

/* Standard input is read once: it is the set, or the keys. */
static void check_stdin(const key_command *work, arguments *state)
{
    bool has_words = work->words != NULL && work->words[0] != NULL;
    const char *from = work->lines_path != NULL ? work->lines_path : "-";
    if (work->path != NULL && set_stream_is(work->path) && !has_words &&
        set_stream_is(from))
        arguments_refuse(state,
                         "standard input is the set, so it cannot be the keys "
                         "too; give them as KEYs, or in a file by --from");
}

int key_command_parse(int key, char *text, arguments *state)
{
    key_command *work = state->input;
    switch (key) {
    case '0':
        work->separator = '\0';
        return 0;
    case OPTION_FROM:
        work->lines_path = text;
        return 0;
    case OPTION_SECRET_FILE:
        work->secret_path = text;
        return 0;
    case OPTION_NORMALISE:
        work->normalises = options_normalise(state, text);
        return 0;
    case OPTION_SHARD:
        options_shard(state, text, &work->shard.index, &work->shard.count);
        return 0;
    case OPTION_STRICT:
        work->is_strict = true;
        return 0;
    case OPTION_FUNNEL:
        work->foreign.funnel = funnel_find(text);
        if (work->foreign.funnel == FUNNEL_NONE)
            arguments_refuse(state,
                             "--funnel '%s': it must be utf8, utf16, bytes, "
                             "int, long, hex or txid",
                             text);
        return 0;
    case ARGUMENTS_END:
        options_check_strict(state, work->is_strict, work->normalises);
        check_stdin(work, state);
        fields_check(state, &work->fields, work->separator,
                     work->words != NULL && work->words[0] != NULL);
        return 0;
    case ARGUMENTS_WORD:
        return parse_argument(work, text, state);
    case ARGUMENTS_NONE:
        return options_missing(state, "FILE");
    default:
        if (fields_parse(key, text, state, &work->fields) == 0)
            return 0;
        if (set_options_parse(key, text, state) == 0)
            return 0;
        return input_mode_parse(key, state, &work->mode);
    }
}

/* ---- keys that are names of files ---- */

/* Could it be read line by line? A folder could not. */
static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

/*
 * A key may be the name of a file: a script that remembers files means that,
 * and must not fail. But the user of "add SET urls.txt" may mean the lines of
 * the file. So a message is printed once, unless -- comes before the KEYs.
 */
static void warn_of_names(const key_command *work)
{
    bool is_unsure = work->words != NULL && !work->are_words_quoted;
    for (char **word = work->words; is_unsure && *word != NULL; word++) {
        bool is_stdin = strcmp(*word, "-") == 0;
        if (!is_stdin && !is_file(*word))
            continue;
        complain("'%s' is %s, and is taken as a key; --from %s reads its "
                 "lines; -- before the KEYs avoids this message",
                 *word, is_stdin ? "standard input elsewhere" : "a file",
                 *word);
        return;
    }
}

/* ---- opening and closing ---- */

static int call_with_batch(key_command *work, key_command_main *run,
                           bool prints)
{
    int status = COMMAND_ERROR;
    work->keys = batch_new();
    if (work->keys != NULL)
        work->keys->shard = work->shard;
    if (work->keys == NULL || (prints && output_init(&work->out) != 0))
        complain("%s: %s", work->path, strerror(errno));
    else
        status = run(work);
    status =
        left_out_finish(&work->left_out, work->path, work->is_strict, status);
    output_free(&work->out);
    batch_free(work->keys);
    return status;
}

static int call_with_source(key_command *work, key_command_main *run,
                            bool prints)
{
    warn_of_names(work);
    int status = key_source_init(&work->source, work->words, work->lines_path,
                                 work->separator, &work->fields);
    work->source.input.input.mode = work->mode;
    if (status == 0) {
        status = call_with_batch(work, run, prints);
        key_source_free(&work->source);
    }
    seenset_free(work->set);
    foreign_ask_close(&work->foreign);
    return status;
}

static int call_with_set(key_command *work, key_command_main *run, bool prints)
{
    uint32_t flags = prints              ? SEENSET_OPEN_VIEW
                     : work->is_appended ? SEENSET_OPEN_APPEND
                                         : SEENSET_OPEN_COPY;
    int status =
        set_stream_open(&work->set, work->path, flags, work->secret_path, NULL);
    return status == 0 ? call_with_source(work, run, prints) : status;
}

int key_command_query_foreign(void *request, key_command_main *run)
{
    key_command *work = request;
    if (work->secret_path != NULL) {
        complain("%s: a file of another system has no secret", work->path);
        return COMMAND_ERROR;
    }
    int status = foreign_ask_open(&work->foreign, work->path);
    return status == 0 ? call_with_source(work, run, true) : status;
}

/* Of a set, the file says how keys are hashed. */
static int check_funnel(const key_command *work)
{
    if (work->foreign.funnel == FUNNEL_NONE && !work->foreign.has_block)
        return 0;
    complain("%s: %s", work->path,
             work->foreign.has_block
                 ? "--block is for the filter of a block of Bitcoin"
                 : "--funnel is for files of Guava and Bitcoin");
    return COMMAND_ERROR;
}

/* A set of the file, to be added to. */
static int change_foreign(key_command *work, key_command_main *run)
{
    if (!work->is_appended) {
        complain("%s: a file of another system, from which no key is removed",
                 work->path);
        return COMMAND_ERROR;
    }
    work->foreign.is_changed = true;
    int status = foreign_ask_open(&work->foreign, work->path);
    if (status != 0)
        return status;
    status = foreign_file_set(&work->set, &work->foreign.of);
    work->foreign.set = work->set;
    if (status == 0)
        return call_with_source(work, run, false);
    foreign_ask_close(&work->foreign);
    return status;
}

static int change(key_command *work, key_command_main *run)
{
    if (!foreign_file_is(work->path)) {
        int status = check_funnel(work);
        return status == 0 ? call_with_set(work, run, false) : status;
    }
    if (work->secret_path == NULL)
        return change_foreign(work, run);
    complain("%s: a file of another system has no secret", work->path);
    return COMMAND_ERROR;
}

int key_command_query(void *request, key_command_main *run)
{
    int status = check_funnel(request);
    return status == 0 ? call_with_set(request, run, true) : status;
}

int key_command_change(void *request, key_command_main *run)
{
    key_command *work = request;
    lock held = LOCK_FREE;
    if (set_stream_is(work->path)) {
        complain("-: standard input is not a file that can be changed; name "
                 "the set's file (./- if it is called so)");
        return COMMAND_ERROR;
    }
    int status = lock_take(&held, work->path);
    if (status == 0)
        status = change(work, run);
    lock_release(&held);
    return status;
}

/* ---- batches ---- */

/* A line too long for memory is not a URL, and neither asked for nor
 * printed. */
void key_command_need(key_command *work, bool wants_keys, bool wants_bytes)
{
    work->prepare = set_batch_prepare(wants_keys, work->normalises);
    work->source.input.wants_bytes =
        fields_are_used(&work->fields) || (wants_bytes && !work->normalises);
}

bool key_command_each(void *request, key_command_step *step, bool prints_lines,
                      int *last)
{
    key_command *work = request;
    char stdin_path[] = "-";
    char *paths[] = {work->lines_path != NULL ? work->lines_path : stdin_path};
    int got = 1;
    *last = 0;
    work->is_paused = false;
    if (work->pause != NULL) {
        work->source.input.wait = read_pause_wait;
        work->source.input.wait_context = work->pause;
    }
    progress bar;
    progress_start(&bar, progress_total(paths, 1), prints_lines);
    while (*last == 0 && work->out.error == 0) {
        if (prints_lines && key_source_would_wait(&work->source) &&
            output_flush(&work->out) != 0)
            break;
        if ((got = key_source_next(&work->source, work->keys)) != 1)
            break;
        if (work->pause != NULL)
            work->pause->line_count += work->keys->count;
        work->prepare(work->keys);
        bool is_stopped = left_out_stop(work->keys, work->path);
        *last = step(request, work->keys);
        left_out_take(&work->left_out, work->keys);
        progress_advance(&bar, work->keys->input_bytes);
        if (is_stopped) {
            got = -1;
            break;
        }
    }
    progress_clear(&bar);
    work->is_paused = got == LINES_LATER;
    return got >= 0;
}

int key_command_finish(key_command *work, bool is_done, bool is_found)
{
    if (output_flush(&work->out) != 0)
        complain_of_output(&work->out, "the output is not complete");
    if (!is_done || work->out.error != 0)
        return COMMAND_ERROR;
    return is_found ? COMMAND_DONE : COMMAND_NOTHING;
}
