/*
 * forget.c - URLs that are to be new again.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/session.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "report/complain.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct request {
    queue_access access;
    char **words; /* URLs; NULL: from standard input */
    bool is_verbose;
} request;

static const option_row forget_options[] = {
    {"verbose", 'v', NULL, 0,
     "Print FORGOTTEN, UNSEEN, NOTURL or TOOLONG, a TAB and the URL"},
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case 'v':
        to->is_verbose = true;
        return 0;
    case ARGUMENTS_WORD:
        to->words = queue_take_words(state, text, &to->access);
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax forget_syntax = {
    .options = forget_options,
    .parser = parse_option,
    .operands = "DIR [URL...]",
    .text = "Forget URLs: the next push of each is new. Items of them that are "
            "not acked stay. The URLs are the arguments or, without any, the "
            "lines of standard input.\vThe exit status is 0 if all had been "
            "seen, 1 if one had not, and 2 after an error."};

typedef struct forgetting {
    const request *from;
    queue_session session;
    unsigned long long unseen, not_url, too_long;
} forgetting;

/* Returns 0, or COMMAND_ERROR after a message. */
static int forget(forgetting *now, const char *url, size_t length, bool is_cut)
{
    const char *word = "FORGOTTEN";
    int result = SEENSET_EINVAL;
    if (!is_cut && queue_session_open(&now->session) != 0)
        return COMMAND_ERROR;
    if (!is_cut && length <= SEENSET_QUEUE_MAX_ITEM_BYTES)
        result = seenset_queue_forget(now->session.queue, url, length);
    if (result == SEENSET_EINVAL) {
        word = "TOOLONG";
        now->too_long++;
    } else if (result == SEENSET_EURL) {
        word = "NOTURL";
        now->not_url++;
    } else if (result < 0)
        return queue_complain(now->from->access.dir, result);
    else if (result == 0) {
        word = "UNSEEN";
        now->unseen++;
    }
    if (now->from->is_verbose)
        printf("%s\t%.*s\n", word, length > 1000 ? 1000 : (int)length, url);
    return 0;
}

static int forget_lines(forgetting *now)
{
    queue_lines lines;
    queue_line line;
    int status = 0;
    if (queue_lines_init(&lines, INPUT_AS_IS) != 0)
        return queue_complain(now->from->access.dir, SEENSET_ENOMEM);
    while (status == 0 && !lines.is_at_end) {
        status = queue_session_rest(&now->session, &lines);
        if (status == 0)
            status = queue_lines_read(&lines);
        while (status == 0 && queue_lines_next(&lines, &line))
            status = forget(now, line.bytes, line.length, line.is_cut);
    }
    queue_lines_free(&lines);
    return status;
}

static int forget_words(forgetting *now)
{
    int status = 0;
    for (char **word = now->from->words; status == 0 && *word != NULL; word++)
        status = forget(now, *word, strlen(*word), false);
    return status;
}

static int run(forgetting *now)
{
    const char *dir = now->from->access.dir;
    int status =
        now->from->words != NULL ? forget_words(now) : forget_lines(now);
    if (status == 0 && !now->session.was_open)
        status = queue_session_open(&now->session);
    status = queue_session_close(&now->session, status);
    if (now->too_long > 0)
        complain("%s: lines longer than 1 MiB were left out: %llu", dir,
                 now->too_long);
    if (now->not_url > 0)
        complain("%s: lines that are not URLs were left out: %llu", dir,
                 now->not_url);
    if (status != 0 || now->too_long + now->not_url > 0)
        return COMMAND_ERROR;
    return now->unseen > 0 ? COMMAND_NOTHING : COMMAND_DONE;
}

int queue_forget(int argc, char **argv)
{
    request from = {.access = {.options.flags = SEENSET_QUEUE_MUST_EXIST,
                               .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS}};
    arguments_parse(&forget_syntax, argc, argv, &from);
    forgetting now = {.from = &from, .session.access = from.access};
    return run(&now);
}
