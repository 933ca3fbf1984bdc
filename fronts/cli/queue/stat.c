/*
 * stat.c - the figures of a queue, once or again and again.
 */
#define _GNU_SOURCE /* poll */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/look.h"
#include "queue/access/wait.h"
#include "queue/crawl/access.h"
#include "queue/queue.h"
#include "queue/text/figures.h"
#include "report/complain.h"
#include "report/stdout.h"
#include "stream/clock.h"
#include "stream/stop.h"
#include "text/arguments.h"
#include "text/options.h"

#define WATCH_SECONDS 2.0
#define LEAST_WATCH_SECONDS 0.01

typedef struct request {
    queue_access access;
    bool is_json, is_watch;
    double seconds; /* of --watch */
    uint64_t count; /* of looks; 0: no end */
} request;

static const option_row stat_options[] = {
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print one line of JSON"},
    {"watch", QUEUE_OPTION_WATCH, "SECONDS", OPTION_VALUE_OPTIONAL,
     "Look every SECONDS (default 2) and print one line each time, with what "
     "is pushed, popped and acked by the second; a terminal shows the last"},
    {"count", 'n', "COUNT", 0, "With --watch: look COUNT times, then end"},
    {"wait", QUEUE_OPTION_WAIT, "SECONDS", OPTION_VALUE_OPTIONAL,
     "In Redis: wait up to SECONDS while servers are away (default 30)"},
    QUEUE_SECRET_ROW,
    QUEUE_TLS_ROWS,
    {0}};

static double read_seconds(arguments *state, const char *text)
{
    double seconds =
        text == NULL ? WATCH_SECONDS : queue_seconds(state, "--watch", text);
    if (!(seconds >= LEAST_WATCH_SECONDS))
        arguments_refuse(state, "--watch takes %g seconds or more, not '%s'",
                         LEAST_WATCH_SECONDS, text);
    return seconds;
}

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case QUEUE_OPTION_JSON:
        to->is_json = true;
        return 0;
    case QUEUE_OPTION_WATCH:
        to->is_watch = true;
        to->seconds = read_seconds(state, text);
        return 0;
    case 'n':
        to->count = options_count(state, "-n", text);
        return 0;
    case ARGUMENTS_END:
        if (to->count != 0 && !to->is_watch)
            arguments_refuse(state, "-n is for --watch");
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax stat_syntax = {
    .options = stat_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Show the figures of the queue in DIR, also while others use "
            "it." QUEUE_CRAWL_HELP};

/* ---- again and again ---- */

typedef struct watch {
    const request *from;
    bool is_drawn; /* on a terminal, a line is written over the last */
    queue_look last;
    double last_seconds; /* by the steady clock; NaN: none yet */
} watch;

static int show(watch *now)
{
    queue_look seen;
    double time = clock_steady_seconds();
    const char *dir = now->from->access.dir;
    if (queue_look_at(&seen, &now->from->access) != 0)
        return COMMAND_ERROR;
    double passed = time - now->last_seconds;
    const figures_rates none = {NAN, NAN, NAN};
    figures_rates rates =
        passed > 0 ? figures_between(&now->last, &seen, passed) : none;
    if (now->from->is_json)
        figures_print_json(dir, &seen, &rates);
    else {
        fputs(now->is_drawn ? "\r" : "", stdout);
        figures_print_line(&seen, &rates);
        fputs(now->is_drawn ? "\033[K" : "\n", stdout);
    }
    now->last = seen;
    now->last_seconds = time;
    return stdout_flush();
}

/* Sleeps. Returns false if a signal came. */
static bool rest(double until)
{
    struct pollfd stop = {.fd = stop_fd(), .events = POLLIN};
    double left;
    while (stop_signal() == 0 && (left = until - clock_steady_seconds()) > 0)
        (void)poll(&stop, 1, left < 60 ? (int)(left * 1e3) + 1 : 60000);
    return stop_signal() == 0;
}

static int look_on(watch *now)
{
    const request *from = now->from;
    double start = clock_steady_seconds();
    int status = 0;
    for (uint64_t i = 1; status == 0; i++) {
        status = show(now);
        if (status != 0 || i == from->count ||
            !rest(start + (double)i * from->seconds))
            break;
    }
    return status;
}

static int run_watch(const request *from)
{
    bool is_drawn = !from->is_json && isatty(STDOUT_FILENO);
    watch now = {.from = from, .is_drawn = is_drawn, .last_seconds = NAN};
    if (stop_arm() != 0) {
        complain("%s: %s", from->access.dir, strerror(errno));
        return COMMAND_ERROR;
    }
    int status = look_on(&now);
    if (now.is_drawn && !isnan(now.last_seconds))
        putchar('\n');
    if (stop_signal() == 0)
        return status;
    (void)stdout_flush();
    return stop_die();
}

/* Needs no lock: others may have the queue open. */
static int run(const request *from)
{
    queue_look seen;
    if (queue_look_at(&seen, &from->access) != 0)
        return COMMAND_ERROR;
    if (from->is_json)
        figures_print_json(from->access.dir, &seen, NULL);
    else
        figures_print(&seen);
    return COMMAND_DONE;
}

int queue_stat(int argc, char **argv)
{
    request from = {.access.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    arguments_parse(&stat_syntax, argc, argv, &from);
    if (crawl_is_address(from.access.dir))
        return from.is_watch ? queue_complain_folders_only("--watch")
                             : queue_stat_crawl(&from.access, from.is_json);
    if (queue_crawl_refuse(&from.access) != 0)
        return COMMAND_ERROR;
    return from.is_watch ? run_watch(&from) : run(&from);
}
