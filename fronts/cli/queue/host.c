/*
 * host.c - one host of a polite queue: what holds for it, shown or set.
 */
#define _GNU_SOURCE /* asprintf */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "queue/text/host.h"
#include "report/complain.h"
#include "report/stdout.h"
#include "seenset/url.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct request {
    queue_access access;
    const char *host;
    seenset_queue_host_settings settings;
    bool is_json;
} request;

static const option_row host_options[] = {
    {"delay", QUEUE_OPTION_DELAY, "TIME", 0,
     "Ask it again TIME after its last URL was done, as Crawl-delay says"},
    {"block", QUEUE_OPTION_BLOCK, "TIME", 0,
     "Do not ask it for TIME from now, as Retry-After says; 0: end that"},
    {"budget", QUEUE_OPTION_BUDGET, "N", 0,
     "Take up to N URLs of it, ever, and refuse others; any: all of them"},
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print one line of JSON"},
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
    {0}};

static double read_delay(arguments *state, const char *text)
{
    double seconds = queue_seconds(state, "--delay", text);
    if (!(seconds <= SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS))
        arguments_refuse(state, "--delay is at most 366d, not '%s'", text);
    return seconds;
}

/* What is left after the folder is the host. */
static int take_word(arguments *state, char *text, request *to)
{
    if (to->access.dir == NULL || queue_take_wait_argument(&to->access, text))
        return queue_parse_access(state, ARGUMENTS_WORD, text, &to->access);
    if (to->host != NULL)
        arguments_refuse(state, "one HOST only");
    to->host = text;
    return 0;
}

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case QUEUE_OPTION_DELAY:
        to->settings.flags |= SEENSET_QUEUE_HOST_DELAY;
        to->settings.delay_seconds = read_delay(state, text);
        return 0;
    case QUEUE_OPTION_BLOCK:
        to->settings.flags |= SEENSET_QUEUE_HOST_BLOCK;
        to->settings.block_seconds = queue_seconds(state, "--block", text);
        return 0;
    case QUEUE_OPTION_BUDGET:
        to->settings.flags |= SEENSET_QUEUE_HOST_BUDGET;
        to->settings.budget = strcmp(text, "any") == 0
                                  ? SEENSET_QUEUE_ANY_BUDGET
                                  : options_count(state, "--budget", text);
        return 0;
    case QUEUE_OPTION_JSON:
        to->is_json = true;
        return 0;
    case ARGUMENTS_WORD:
        return take_word(state, text, to);
    case ARGUMENTS_END:
        queue_settle_wait(state, &to->access);
        if (to->host == NULL)
            arguments_refuse(state, "which HOST?");
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax host_syntax = {
    .options = host_options,
    .parser = parse_option,
    .operands = "DIR HOST",
    .text = "Show what the polite queue in DIR has of HOST and what holds for "
            "it, or set that.\vA setting lasts until it is set again. HOST is "
            "what 'seenset queue pop --host' prints. The exit status is 0; 1 "
            "if nothing is set and the queue does not know the host; 2 after "
            "an error."};

static int complain_of(const request *from, int error)
{
    if (error == SEENSET_EUNSUPPORTED)
        return host_complain_not_polite(from->access.dir);
    return queue_complain(from->access.dir, error);
}

/* A part of the name that was given. */
typedef struct part {
    const char *at;
    size_t len;
} part;

/* What of the name is the host of the URL that it is, or else of the URL
 * SCHEME://NAME. Returns 0 or an error. */
static int find_host(const part *name, const char *scheme,
                     seenset_url_site_kind by, part *host)
{
    char *url = NULL;
    size_t start = 0;
    int url_len = asprintf(&url, "%s%.*s", scheme, (int)name->len, name->at);
    if (url_len < 0)
        return SEENSET_ENOMEM;
    const char *given = url + strlen(scheme);
    const char *whole = strstr(given, "//") != NULL ? given : url;
    int error = seenset_url_site(whole, strlen(whole), by, &start, &host->len);
    if (error == SEENSET_OK && host->len > 0)
        host->at = name->at + (whole + start - given);
    free(url);
    return error;
}

/* A name that is not the host of its http URL or of its https URL is not what
 * is meant: of "a.example:443", nearly all URLs are of the host "a.example".
 * Returns 1, 0 and the host of that URL, or an error. */
static int is_host(const part *name, seenset_url_site_kind by, part *host)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        *host = (part){name->at, 0};
        int error = find_host(name, schemes[i], by, host);
        if (error == SEENSET_ENOMEM)
            return error;
        if (error == SEENSET_OK && (host->len == 0 || host->len != name->len))
            return 0;
    }
    return 1;
}

/* What would be refused as this name is must not be advised. */
static void complain_of_kind(const request *from, seenset_url_site_kind by,
                             const part *host, bool is_known)
{
    static const char *const kinds[] = {
        "names without a port",
        "names with their port, unless it is the port of the URL's scheme",
        "domains"};
    const char *before = "", *after = "";
    part other;
    if (host->len > 0 && (is_known || is_host(host, by, &other) > 0)) {
        before = "; please name ";
    } else if (host->len > 0) {
        before = "; ";
        after = " can be set once a URL has brought it";
    }
    complain("'%s' is none of the hosts of %s, which are %s%s%.*s%s",
             from->host, from->access.dir, kinds[by], before, (int)host->len,
             host->at, after);
}

static int complain_of_name(const request *from, seenset_queue *queue)
{
    const part name = {from->host, strlen(from->host)};
    seenset_queue_stats stats = {0};
    seenset_queue_host known;
    part host;
    (void)seenset_queue_get_stats(queue, &stats, sizeof stats);
    int found = is_host(&name, stats.hosts_by, &host);
    if (found < 0)
        return queue_complain(from->access.dir, found);
    if (found > 0)
        return COMMAND_DONE;
    complain_of_kind(from, stats.hosts_by, &host,
                     seenset_queue_get_host(queue, host.at, host.len, &known,
                                            sizeof known) == 1);
    return COMMAND_ERROR;
}

/* A host that is known may be an item that is not a URL. *is_known becomes
 * whether it is. */
static int find(const request *from, seenset_queue *queue,
                seenset_queue_host *host, bool *is_known)
{
    int result = seenset_queue_get_host(queue, from->host, strlen(from->host),
                                        host, sizeof *host);
    *is_known = result == 1;
    if (result == 0 || result == SEENSET_EINVAL)
        return complain_of_name(from, queue);
    return result < 0 ? complain_of(from, result) : COMMAND_DONE;
}

static int set(const request *from, seenset_queue *queue)
{
    int error = seenset_queue_set_host(queue, from->host, strlen(from->host),
                                       &from->settings);
    return error == SEENSET_OK ? COMMAND_DONE : complain_of(from, error);
}

static int show(const request *from, const seenset_queue_host *host,
                bool is_known)
{
    if (from->is_json)
        host_print_json(host);
    else
        host_print(host);
    int status = stdout_flush();
    return status == 0 && !is_known ? COMMAND_NOTHING : status;
}

int queue_host(int argc, char **argv)
{
    request from = {.access = {.options.flags = SEENSET_QUEUE_MUST_EXIST,
                               .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS}};
    seenset_queue *queue;
    seenset_queue_host host = {0};
    bool is_known;
    arguments_parse(&host_syntax, argc, argv, &from);
    if (queue_open(&queue, &from.access, NULL) != 0)
        return COMMAND_ERROR;
    int status = find(&from, queue, &host, &is_known);
    if (status == COMMAND_DONE)
        status = from.settings.flags != 0 ? set(&from, queue)
                                          : show(&from, &host, is_known);
    return queue_close(queue, from.access.dir, status);
}
