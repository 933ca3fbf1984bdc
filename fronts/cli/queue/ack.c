/*
 * ack.c - ending leases: ack and nack. What is acked to be visited again after
 * a time is given back as visited.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/session.h"
#include "queue/access/wait.h"
#include "queue/crawl/access.h"
#include "queue/give_up.h"
#include "queue/host_delay.h"
#include "queue/queue.h"
#include "report/complain.h"
#include "text/arguments.h"
#include "text/options.h"

enum {
    LEASES_AT_ONCE = 1024,
    DIGITS_ROOM = 24
};

typedef struct request {
    queue_access access;
    char **words; /* leases; NULL: from standard input */
    seenset_queue_nack_options nack;
    bool delays_hosts;
    double host_seconds; /* of --host-delay */
    give_up give_up;
} request;

/* Are they two names of one folder? */
static bool is_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static void check_give_up(arguments *state, request *to)
{
    const char *into = to->give_up.into.dir;
    if ((into != NULL) != (to->give_up.after != 0))
        arguments_refuse(state, "--after and --to belong together");
    if (into != NULL && (to->nack.flags & SEENSET_QUEUE_UNTRIED) != 0)
        arguments_refuse(state,
                         "--untried and --after do not go together: what was "
                         "not tried is not given up");
    if (into != NULL && to->access.dir != NULL && is_same(to->access.dir, into))
        arguments_refuse(state, "--to '%s': it must be another queue", into);
    to->give_up.into.wait_seconds = to->access.wait_seconds;
}

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case QUEUE_OPTION_DELAY:
        to->nack.delay_seconds = queue_seconds(state, "--delay", text);
        return 0;
    case QUEUE_OPTION_HOST_DELAY:
        to->delays_hosts = true;
        to->host_seconds = queue_seconds(state, "--host-delay", text);
        return 0;
    case QUEUE_OPTION_UNTRIED:
        to->nack.flags |= SEENSET_QUEUE_UNTRIED;
        return 0;
    case QUEUE_OPTION_AGAIN_AFTER:
        to->nack.flags |= SEENSET_QUEUE_VISITED;
        to->nack.delay_seconds = queue_seconds(state, "--again-after", text);
        return 0;
    case QUEUE_OPTION_AFTER:
        to->give_up.after = options_count(state, "--after", text);
        return 0;
    case QUEUE_OPTION_TO:
        to->give_up.into.dir = text;
        return 0;
    case ARGUMENTS_END:
        queue_settle_wait(state, &to->access);
        check_give_up(state, to);
        return 0;
    case ARGUMENTS_WORD:
        to->words = queue_take_words(state, text, &to->access);
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const option_row ack_options[] = {
    {"again-after", QUEUE_OPTION_AGAIN_AFTER, "TIME", 0,
     "They are to be visited again, TIME from now: hand them out again then"},
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
    QUEUE_REPLICAS_ROW,
    QUEUE_TLS_ROWS,
    {0}};

static const command_syntax ack_syntax = {
    .options = ack_options,
    .parser = parse_option,
    .operands = "DIR [LEASE...]",
    .text =
        "End leases: their items are done and never handed out again, unless "
        "--again-after says when. The leases are the arguments or, without "
        "any, the numbers at the start of the lines of standard "
        "input." QUEUE_CRAWL_HELP};

static const option_row nack_options[] = {
    {"delay", QUEUE_OPTION_DELAY, "SECONDS", 0,
     "Wait SECONDS before that, or a time such as 15m or 2h (default 0)"},
    {"untried", QUEUE_OPTION_UNTRIED, NULL, 0,
     "They were not tried, so this does not count as a delivery"},
    {"host-delay", QUEUE_OPTION_HOST_DELAY, "TIME", 0,
     "Of a polite queue: ask the hosts of these items TIME from now at the "
     "earliest, as Retry-After says"},
    {"after", QUEUE_OPTION_AFTER, "N", 0,
     "Give up items that were handed out N times or more: they go to the queue "
     "of --to"},
    {"to", QUEUE_OPTION_TO, "DEAD", 0,
     "With --after: the folder of that queue, which is made if it is missing"},
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
    QUEUE_REPLICAS_ROW,
    QUEUE_TLS_ROWS,
    {0}};

static const command_syntax nack_syntax = {
    .options = nack_options,
    .parser = parse_option,
    .operands = "DIR [LEASE...]",
    .text =
        "Give leases back: their items are handed out again. The leases "
        "are the arguments or, without any, the numbers at the start of the "
        "lines of standard input." QUEUE_CRAWL_HELP};

/* ---- ending leases ---- */

typedef struct ending {
    const request *from;
    queue_session session;
    crawl *crawl; /* in Redis; else in a folder */
    int (*end)(struct ending *now);
    uint64_t leases[LEASES_AT_ONCE];
    size_t count;
    bool is_over; /* the queue cannot be opened */
} ending;

static int ack_leases(ending *now)
{
    int error =
        seenset_queue_ack_many(now->session.queue, now->leases, now->count);
    return error == SEENSET_OK ? 0
                               : queue_complain(now->from->access.dir, error);
}

static int nack_leases(ending *now)
{
    const char *dir = now->from->access.dir;
    int status = 0;
    if (now->from->delays_hosts)
        status = host_delay_leases(now->session.queue, dir, now->leases,
                                   now->count, now->from->host_seconds);
    if (status != 0)
        return status;
    if (now->from->give_up.after != 0)
        status = give_up_leases(&now->from->give_up, now->session.queue, dir,
                                now->leases, &now->count);
    for (size_t i = 0; i < now->count; i++) {
        int error = seenset_queue_nack(now->session.queue, now->leases[i],
                                       &now->from->nack);
        if (error != SEENSET_OK)
            status = queue_complain(dir, error);
    }
    return status;
}

static int end_in_crawl(ending *now, bool is_ack)
{
    size_t missing;
    const seenset_queue_nack_options *nack = &now->from->nack;
    const crawl_back how = {
        .delay_ms = (uint64_t)(nack->delay_seconds * 1e3),
        .is_untried = (nack->flags & SEENSET_QUEUE_UNTRIED) != 0,
        .is_visited = (nack->flags & SEENSET_QUEUE_VISITED) != 0};
    int status =
        is_ack
            ? crawl_ack(now->crawl, now->leases, now->count, &how, &missing)
            : crawl_nack(now->crawl, now->leases, now->count, &how, &missing);
    return status == 0 && missing > 0
               ? queue_complain(now->from->access.dir, SEENSET_ELEASE)
               : status;
}

static int ack_in_crawl(ending *now)
{
    return end_in_crawl(now, true);
}

static int nack_in_crawl(ending *now)
{
    return end_in_crawl(now, false);
}

/* Opens the queue, unless it is open. */
static int open_queue(ending *now)
{
    const queue_access *access = &now->from->access;
    if (!crawl_is_address(access->dir))
        return queue_session_open(&now->session);
    return now->crawl != NULL ? 0 : queue_crawl_open(&now->crawl, access, NULL);
}

/* Ends the leases that were gathered. After most errors others go on. */
static int end_gathered(ending *now)
{
    if (now->count == 0)
        return 0;
    now->is_over = open_queue(now) != 0;
    int status = now->is_over ? COMMAND_ERROR : now->end(now);
    now->count = 0;
    return status;
}

/* Reads a number, up to the end or a TAB. */
static int read_lease(const char *text, size_t length, uint64_t *lease)
{
    char digits[DIGITS_ROOM] = "", *end;
    const char *tab = memchr(text, '\t', length);
    size_t size = tab == NULL ? length : (size_t)(tab - text);
    size_t kept = size < sizeof digits ? size : sizeof digits - 1;
    memcpy(digits, text, kept);
    errno = 0;
    unsigned long long value = strtoull(digits, &end, 10);
    if (errno == 0 && digits[0] >= '0' && digits[0] <= '9' &&
        end == digits + size) {
        *lease = value;
        return 0;
    }
    complain("'%s' is not a lease", digits);
    return COMMAND_ERROR;
}

/* Gathers a lease. When there are enough, ends all that were gathered. */
static int take(ending *now, const char *text, size_t length)
{
    if (read_lease(text, length, &now->leases[now->count]) != 0)
        return COMMAND_ERROR;
    now->count++;
    return now->count == LEASES_AT_ONCE ? end_gathered(now) : 0;
}

static int end_words(ending *now)
{
    int status = 0;
    for (char **word = now->from->words; *word != NULL && !now->is_over; word++)
        if (take(now, *word, strlen(*word)) != 0)
            status = COMMAND_ERROR;
    return end_gathered(now) == 0 ? status : COMMAND_ERROR;
}

/* The lines of one read are one batch, with one wait for the disk. */
static int end_lines(ending *now)
{
    queue_lines lines;
    queue_line line;
    int status = 0, failed = 0;
    if (queue_lines_init(&lines, INPUT_AS_IS) != 0)
        return queue_complain(now->from->access.dir, SEENSET_ENOMEM);
    while (failed == 0 && !lines.is_at_end && !now->is_over) {
        failed = queue_session_rest(&now->session, &lines);
        if (failed == 0)
            failed = queue_lines_read(&lines);
        while (failed == 0 && queue_lines_next(&lines, &line))
            if (take(now, line.bytes, line.length) != 0)
                status = COMMAND_ERROR;
        if (end_gathered(now) != 0)
            status = COMMAND_ERROR;
    }
    queue_lines_free(&lines);
    return failed == 0 ? status : failed;
}

/* ---- the commands ---- */

/* A missing queue is an error even if there is no lease to end. */
static int run(ending *now)
{
    int status = now->from->words != NULL ? end_words(now) : end_lines(now);
    if (!now->session.was_open && !now->is_over && open_queue(now) != 0)
        status = COMMAND_ERROR;
    crawl_close(now->crawl);
    return queue_session_close(&now->session, status);
}

/* The queue is in a folder, or in Redis. */
static int run_there(ending *now, int in_crawl(ending *now))
{
    const request *from = now->from;
    if (!crawl_is_address(from->access.dir))
        return queue_crawl_refuse(&from->access) == 0 ? run(now)
                                                      : COMMAND_ERROR;
    now->end = in_crawl;
    if (from->delays_hosts)
        return queue_complain_folders_only("--host-delay");
    return from->give_up.after == 0 ? run(now)
                                    : queue_complain_folders_only("--after");
}

int queue_ack(int argc, char **argv)
{
    request from = {.access = {.options.flags = SEENSET_QUEUE_MUST_EXIST,
                               .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS}};
    arguments_parse(&ack_syntax, argc, argv, &from);
    bool is_again = (from.nack.flags & SEENSET_QUEUE_VISITED) != 0;
    ending now = {.from = &from,
                  .session.access = from.access,
                  .end = is_again ? nack_leases : ack_leases};
    return run_there(&now, ack_in_crawl);
}

int queue_nack(int argc, char **argv)
{
    request from = {.access = {.options.flags = SEENSET_QUEUE_MUST_EXIST,
                               .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS}};
    arguments_parse(&nack_syntax, argc, argv, &from);
    ending now = {
        .from = &from, .session.access = from.access, .end = nack_leases};
    return run_there(&now, nack_in_crawl);
}
