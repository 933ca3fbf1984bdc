/*
 * push.c - lines of standard input into the queue.
 *
 * The lines of one read(2) are one batch, with one wait for the disk. So a slow
 * writer gets an answer to each line, and a fast one waits once for thousands.
 * While there is no input, others may have the queue (session.h).
 *
 * A line that is too long or not a URL is left out, counted, and reported at
 * the end: it must not stop those after it. A new URL that a full set refuses
 * is an error, since it would be lost.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "input/mode.h"
#include "queue/access/access.h"
#include "queue/access/new_queue.h"
#include "queue/access/polite.h"
#include "queue/access/session.h"
#include "queue/access/wait.h"
#include "queue/crawl/access.h"
#include "queue/queue.h"
#include "report/complain.h"
#include "report/stdout.h"
#include "sets/rate_watch.h"
#include "sets/sample.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

enum {
    PUSHES_AT_ONCE = 4096,
    SHOWN_BYTES = 100 /* of a line that is too long, with -v */
};

/* What a queue's set is for, where nothing is said (seenset/queue.h). */
#define DEFAULT_CAPACITY_ITEMS UINT64_C(1000000)
#define DEFAULT_FP_RATE 1e-6

/* An answer beside those of seenset_queue_push_many. */
#define TOO_LONG 5

typedef struct request {
    queue_access access;
    bool has_data, is_verbose, is_strict;
    input_mode mode; /* of compressed input */
    seenset_queue_push_options how;
    new_queue made; /* if there is none */
} request;

static const option_row push_options[] = {
    {"data", QUEUE_OPTION_DATA, NULL, 0,
     "What follows the first TAB of a line is data, handed out with the URL"},
    {"priority", QUEUE_OPTION_PRIORITY, "P", 0,
     "0 (default) to 9; items of a higher priority are handed out first"},
    {"again", QUEUE_OPTION_AGAIN, NULL, 0,
     "Also append lines that were seen: to visit them again"},
    {"seen-only", QUEUE_OPTION_SEEN_ONLY, NULL, 0,
     "Only remember the lines as seen, and hand none of them out"},
    {"verbose", 'v', NULL, 0,
     "Print NEW, SEEN, NOTURL, TOOLONG or REFUSED, a TAB and the URL"},
    {"strict", QUEUE_OPTION_STRICT, NULL, 0,
     "Exit with status 2 also if lines were left out"},
    {"durability", QUEUE_OPTION_DURABILITY, "WHEN", 0,
     "When to sync: each batch (default), interval, or none"},
    QUEUE_WAIT_ROW,
    QUEUE_SECRET_ROW,
    OPTION_GROUP("Input:"),
    INPUT_MODE_OPTIONS,
    QUEUE_NEW_ROWS("DIR"),
    OPTION_GROUP("Hosts, of a new queue or crawl:"),
    QUEUE_POLITE_ROWS,
    OPTION_GROUP("A crawl in Redis:"),
    {"partitions", QUEUE_OPTION_PARTITIONS, "P", 0,
     "A new crawl: keys that share it (default 1024)"},
    QUEUE_REPLICAS_ROW,
    QUEUE_TLS_ROWS,
    {0}};

static void check_seen_only(arguments *state, const request *to)
{
    bool is_again = (to->how.flags & SEENSET_QUEUE_AGAIN) != 0;
    if ((to->how.flags & SEENSET_QUEUE_SEEN_ONLY) != 0 &&
        (is_again || to->how.priority != 0 || to->has_data))
        arguments_refuse(state, "--seen-only makes no items, so it is not for "
                                "--again, --priority and --data");
}

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    if (new_queue_parse(key, text, state, &to->made) == 0 ||
        queue_polite_parse(key, text, state, &to->access.rules) == 0)
        return 0;
    switch (key) {
    case ARGUMENTS_END:
        new_queue_check(state, &to->made);
        queue_polite_check(state, &to->access.rules);
        check_seen_only(state, to);
        return 0;
    case QUEUE_OPTION_DURABILITY:
        to->access.options.durability = queue_durability(state, text);
        return 0;
    case QUEUE_OPTION_DATA:
        to->has_data = true;
        return 0;
    case QUEUE_OPTION_PRIORITY:
        to->how.priority = queue_priority(state, text);
        return 0;
    case QUEUE_OPTION_AGAIN:
        to->how.flags |= SEENSET_QUEUE_AGAIN;
        return 0;
    case QUEUE_OPTION_SEEN_ONLY:
        to->how.flags |= SEENSET_QUEUE_SEEN_ONLY;
        return 0;
    case 'v':
        to->is_verbose = true;
        return 0;
    case QUEUE_OPTION_STRICT:
        to->is_strict = true;
        return 0;
    default:
        if (input_mode_parse(key, state, &to->mode) == 0)
            return 0;
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax push_syntax = {
    .options = push_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Append the lines of standard input that were never seen to the "
            "queue in DIR, which is made if there is none." QUEUE_CRAWL_HELP
            "\vLines longer than "
            "1 MiB, and lines that are not URLs if the queue normalises URLs, "
            "are left out and counted on standard error. The exit status is 0, "
            "or 2 after an error: then push all again."};

/* The line as a URL and, if asked for, data. */
static seenset_queue_entry split(const request *from, const char *line,
                                 size_t length)
{
    seenset_queue_entry push = {.url = line, .url_len = length};
    const char *tab = from->has_data ? memchr(line, '\t', length) : NULL;
    if (tab != NULL) {
        push.url_len = (size_t)(tab - line);
        push.data = tab + 1;
        push.data_len = length - push.url_len - 1;
    }
    return push;
}

/* What was done with the lines, and how many were left out. */
typedef struct pushing {
    const request *from;
    crawl *crawl; /* NULL: the queue is in a folder */
    queue_session session;
    queue_lines lines;
    unsigned long long full, not_url, too_long, spent;
    bool is_warned; /* that the set is at its capacity */
    rate_watch rate;
    double pushed_count;
} pushing;

static void print_answer(const seenset_queue_entry *push, uint8_t answer)
{
    static const char *const names[] = {"SEEN",   "NEW",     "REFUSED",
                                        "NOTURL", "REFUSED", "TOOLONG"};
    size_t length = push->url_len;
    if (answer == TOO_LONG && length > SHOWN_BYTES)
        length = SHOWN_BYTES;
    printf("%s\t", names[answer]);
    fwrite(push->url, 1, length, stdout);
    putchar('\n');
}

static int take_answers(pushing *now, const seenset_queue_entry *pushes,
                        const uint8_t *answers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        now->full += answers[i] == SEENSET_ANSWER_REFUSED;
        now->not_url += answers[i] == SEENSET_ANSWER_NOT_A_URL;
        now->too_long += answers[i] == TOO_LONG;
        now->spent += answers[i] == SEENSET_ANSWER_OVER_BUDGET;
        if (now->from->is_verbose)
            print_answer(&pushes[i], answers[i]);
    }
    return now->from->is_verbose ? stdout_flush() : 0;
}

/* Does answers[] say what became of each? */
static bool are_answered(int error)
{
    return error == SEENSET_OK || error == SEENSET_EFULL ||
           error == SEENSET_EBUDGET || error == SEENSET_EURL;
}

/* Pushes them one by one, if the normal form of one is too long. */
static int push_each(const pushing *now, const seenset_queue_entry *pushes,
                     size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++) {
        int error = seenset_queue_push_many(now->session.queue, &pushes[i], 1,
                                            &now->from->how, &answers[i]);
        if (error == SEENSET_EINVAL)
            answers[i] = TOO_LONG;
        else if (!are_answered(error))
            return error;
    }
    return SEENSET_OK;
}

/* Once, when the set has taken as many URLs as it was planned for, and does not
 * keep its promise from then on. */
static void warn_at_capacity(pushing *now)
{
    const char *dir = now->from->access.dir;
    seenset_queue *queue = now->session.queue;
    seenset_info info = {0};
    seenset_estimate set = {0};
    (void)seenset_queue_get_set_info(queue, &info, sizeof info);
    if (now->is_warned || info.is_at_capacity == 0)
        return;
    now->is_warned = true;
    if (info.on_full == SEENSET_ON_FULL_REFUSE) {
        complain("%s: at its capacity of %s URLs: new ones are refused", dir,
                 units_grouped(info.capacity_items).text);
        return;
    }
    (void)seenset_queue_get_set_estimate(queue, &set, sizeof set);
    complain("%s: at its capacity of %s URLs: the chance that a new one is "
             "dropped as seen is now %s, and rising (planned: %.4g)",
             dir, units_grouped(info.capacity_items).text,
             units_as_rate(set.current_fp_rate).text, info.fp_rate);
    now->rate.is_told |= rate_watch_is_high(&set);
}

/* Once, when the set drops too many, whatever its capacity is. */
static void warn_if_useless(pushing *now, size_t count)
{
    seenset_queue *queue = now->session.queue;
    seenset_info info = {0};
    seenset_estimate set = {0};
    now->pushed_count += (double)count;
    (void)seenset_queue_get_set_info(queue, &info, sizeof info);
    if (info.table_count == 0 || /* exact */
        !rate_watch_is_due(&now->rate, &info, now->pushed_count))
        return;
    (void)seenset_queue_get_set_estimate(queue, &set, sizeof set);
    rate_watch_tell(&now->rate, now->from->access.dir, "URL", &set);
}

/* ---- how many lines there are ---- */

/* Is nothing said about the set of a new queue but its rate, and is a line a
 * URL, as it is? */
static bool is_left_to_queue(const request *from)
{
    const new_queue *made = &from->made;
    seenset_options set = made->set;
    bool grows = set.on_full == SEENSET_ON_FULL_DEFAULT ||
                 set.on_full == SEENSET_ON_FULL_GROW;
    return grows && set.capacity_items == 0 && set.size_bits == 0 &&
           set.hash_count == 0 && set.layout == SEENSET_LAYOUT_DEFAULT &&
           set.scheme == 0 && !made->is_exact && !made->has_window &&
           made->normalise == 0 && !from->has_data;
}

/* About how many different lines standard input has, if it is a file and these
 * are more than a new queue is for; 0: not known. Nothing is read of it. */
static uint64_t expected_items(const request *from)
{
    char path[] = "-";
    char *paths[] = {path, NULL};
    double fp_rate = from->made.set.fp_rate;
    if (!is_left_to_queue(from))
        return 0;
    uint64_t expected = sample_different_lines(
        paths, 1, '\n', from->mode, DEFAULT_CAPACITY_ITEMS,
        fp_rate > 0 ? fp_rate : DEFAULT_FP_RATE);
    return expected > DEFAULT_CAPACITY_ITEMS ? expected : 0;
}

static int push_batch(pushing *now, const seenset_queue_entry *pushes,
                      size_t count)
{
    uint8_t answers[PUSHES_AT_ONCE];
    if (count == 0)
        return 0;
    int status = now->crawl != NULL
                     ? crawl_push(now->crawl, pushes, count, answers)
                     : queue_session_open(&now->session);
    if (status != 0)
        return status;
    if (now->crawl != NULL)
        return take_answers(now, pushes, answers, count);
    int error = seenset_queue_push_many(now->session.queue, pushes, count,
                                        &now->from->how, answers);
    if (error == SEENSET_EINVAL)
        error = push_each(now, pushes, count, answers);
    if (!are_answered(error))
        return queue_complain(now->from->access.dir, error);
    warn_at_capacity(now);
    warn_if_useless(now, count);
    return take_answers(now, pushes, answers, count);
}

static bool is_long(const queue_line *line, const seenset_queue_entry *push)
{
    return line->is_cut ||
           push->url_len + push->data_len > SEENSET_QUEUE_MAX_ITEM_BYTES;
}

/* Pushes the lines that were read; answers come in their order. */
static int push_lines(pushing *now)
{
    static const uint8_t too_long = TOO_LONG;
    seenset_queue_entry pushes[PUSHES_AT_ONCE];
    size_t count = 0;
    int status = 0;
    queue_line line;
    while (status == 0 && queue_lines_next(&now->lines, &line)) {
        seenset_queue_entry push = split(now->from, line.bytes, line.length);
        bool is_left_out = is_long(&line, &push);
        if (!is_left_out)
            pushes[count++] = push;
        if (is_left_out || count == PUSHES_AT_ONCE) {
            status = push_batch(now, pushes, count);
            count = 0;
        }
        if (status == 0 && is_left_out)
            status = take_answers(now, &push, &too_long, 1);
    }
    return status == 0 ? push_batch(now, pushes, count) : status;
}

/* Reads to the end. A new queue is made even if there is no input. */
static int push_all(pushing *now)
{
    int status = 0;
    while (status == 0 && !now->lines.is_at_end) {
        status = queue_session_rest(&now->session, &now->lines);
        if (status == 0)
            status = queue_lines_read(&now->lines);
        if (status == 0)
            status = push_lines(now);
    }
    if (status == 0 && !now->session.was_open && now->crawl == NULL)
        status = queue_session_open(&now->session);
    return queue_session_close(&now->session, status);
}

/* Reports "DIR: 7 lines ...", unless there are none. */
static void complain_count(const char *dir, unsigned long long count,
                           const char *what, const char *whats)
{
    if (count > 0)
        complain("%s: %llu %s", dir, count, count == 1 ? what : whats);
}

static int run(pushing *now)
{
    const char *dir = now->from->access.dir;
    if (queue_lines_init(&now->lines, now->from->mode) != 0)
        return queue_complain(dir, SEENSET_ENOMEM);
    int status = push_all(now);
    queue_lines_free(&now->lines);
    complain_count(dir, now->too_long, "line longer than 1 MiB was left out",
                   "lines longer than 1 MiB were left out");
    complain_count(dir, now->not_url, "line that is not a URL was left out",
                   "lines that are not URLs were left out");
    if (now->crawl != NULL)
        complain_count(dir, now->full,
                       "URL was refused: its partition is at its limit",
                       "URLs were refused: their partitions are at the limit");
    else
        complain_count(dir, now->full, "new URL was refused: the set is full",
                       "new URLs were refused: the set is full");
    complain_count(dir, now->spent,
                   "URL was refused: its host has all that it may have",
                   "URLs were refused: their hosts have all that they may "
                   "have");
    bool is_short = now->too_long + now->not_url + now->spent > 0;
    return now->full > 0 || (now->from->is_strict && is_short) ? COMMAND_ERROR
                                                               : status;
}

/* Options of a push that a crawl in Redis does not have. */
static const char *find_refused(const seenset_queue_push_options *how)
{
    if (how->priority != 0)
        return "--priority";
    if ((how->flags & SEENSET_QUEUE_AGAIN) != 0)
        return "--again";
    return (how->flags & SEENSET_QUEUE_SEEN_ONLY) != 0 ? "--seen-only" : NULL;
}

static int run_in_crawl(pushing *now)
{
    const request *from = now->from;
    const char *refused = find_refused(&from->how);
    if (refused != NULL)
        return queue_complain_folders_only(refused);
    int status = queue_crawl_open(&now->crawl, &from->access, &from->made);
    if (status == 0)
        status = run(now);
    crawl_close(now->crawl);
    return status;
}

int queue_push(int argc, char **argv)
{
    request from = {.access.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    arguments_parse(&push_syntax, argc, argv, &from);
    from.access.set = from.made.set;
    if (from.made.is_exact)
        from.access.options.flags |= SEENSET_QUEUE_EXACT;
    from.access.options.normalise = from.made.normalise;
    from.access.secret.is_keyed = from.made.is_keyed;
    seenset_queue_politeness politeness;
    from.access.options.politeness =
        queue_polite_options(&from.access.rules, &politeness);
    new_queue_say(from.access.dir, &from.made);
    pushing now = {.from = &from, .session.access = from.access};
    if (crawl_is_address(from.access.dir))
        return run_in_crawl(&now);
    if (queue_crawl_refuse(&from.access) != 0)
        return COMMAND_ERROR;
    now.session.access.expected_items = expected_items(&from);
    return run(&now);
}
