/*
 * access.c - see access.h.
 */
#include "queue/access/access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "crawl/address.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "report/complain.h"
#include "sets/setfile.h"
#include "stream/clock.h"
#include "text/options.h"
#include "text/units.h"

int queue_complain(const char *dir, int error)
{
    if (error == SEENSET_EIO && crawl_is_address(dir))
        complain("%s: this subcommand is for folders; of a crawl in Redis "
                 "there are push, pop, ack, nack and stat",
                 dir);
    else if (error == SEENSET_EIO && errno == ENOENT)
        complain("%s: %s; 'seenset queue push' makes a queue, in a "
                 "folder that exists",
                 dir, strerror(errno));
    else if (error == SEENSET_EIO)
        complain("%s: %s", dir, strerror(errno));
    else
        complain("%s: %s", dir, seenset_strerror(error));
    return COMMAND_ERROR;
}

static bool is_log(const seenset_queue_report *report)
{
    return strncmp(report->file, "log-", 4) == 0;
}

/* Reports the offset in a log, which is long, or where there is one. */
void queue_complain_report(const char *dir, const seenset_queue_report *report,
                           const char *advice)
{
    if (is_log(report) || report->offset > 0)
        complain("%s/%s: offset %llu: %s%s", dir, report->file,
                 (unsigned long long)report->offset, report->reason, advice);
    else
        complain("%s/%s: %s%s", dir, report->file, report->reason, advice);
}

/* The option of this command by which that one of the library is given. */
static const char *option_of(const char *name, const char *asked)
{
    static const char *const options[][2] = {{"capacity_items", "-n"},
                                             {"fp_rate", "-p"},
                                             {"size_bits", "-m"},
                                             {"hash_count", "-k"},
                                             {"window_seconds", "--window"},
                                             {"layout", "--layout"},
                                             {"scheme", "--scheme"},
                                             {"seed", "--seed"},
                                             {"seeds", "--seeds"},
                                             {"unit_bits", "--units"},
                                             {"sliding", "--sliding"},
                                             {"exact", "--exact"},
                                             {"normalise", "--normalise"},
                                             {"politeness", "--polite"},
                                             {"delay_seconds", "--polite"},
                                             {"delay_from", "--from-start"},
                                             {"host_leases", "--per-host"},
                                             {"by", "--by"},
                                             {"budget", "--host-budget"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strcmp(name, options[i][0]) == 0)
            return options[i][1];
    return strcmp(asked, "rotate") == 0 ? "--window" : "--on-full";
}

/* A list of seeds has spaces in a report, and commas in an option. */
static void write_as_option(char *value)
{
    for (; *value != '\0'; value++)
        *value = *value == ' ' ? ',' : *value;
}

/* The report has "name: what the queue has, not what was asked for". */
static int complain_of_options(const char *dir,
                               const seenset_queue_report *report)
{
    char name[32] = "", had[64] = "", asked[64] = "";
    (void)sscanf(report->reason, "%31[^:]: %63[^,], not %63[^\n]", name, had,
                 asked);
    write_as_option(had);
    write_as_option(asked);
    const char *option = option_of(name, asked);
    bool is_window = strcmp(option, "--window") == 0;
    bool is_size = strcmp(option, "-m") == 0;
    const char *unit = is_window ? "s" : is_size ? "b" : "";
    if (strcmp(name, "delay_from") == 0 && strcmp(had, "start") == 0)
        complain("%s: the queue was made with %s; give it as well, leave out "
                 "--polite, or give another folder",
                 dir, option);
    else if (strcmp(had, "none") == 0 || (is_window && asked[0] == 'r') ||
             strcmp(name, "delay_from") == 0)
        complain("%s: the queue was made without %s; leave it out, or give "
                 "another folder",
                 dir, option);
    else
        complain("%s: the queue was made with %s %s%s, not %s%s; leave out %s, "
                 "or give another folder",
                 dir, option, had, unit, asked, unit, option);
    return COMMAND_ERROR;
}

int queue_complain_opening(const char *dir, int error,
                           const seenset_queue_report *report)
{
    const char *advice = "";
    if (error > 0) /* it was complained of: the secret cannot be read */
        return COMMAND_ERROR;
    if (report->reason[0] == '\0')
        return queue_complain(dir, error);
    if (error == SEENSET_EMISMATCH)
        return complain_of_options(dir, report);
    if (error == SEENSET_ESECRET) {
        bool is_keyed = strstr(report->reason, "not keyed") == NULL;
        complain("%s: %s; %s", dir, report->reason,
                 is_keyed ? "name the right file with --secret-file"
                          : "leave out --keyed and --secret-file");
        return COMMAND_ERROR;
    }
    if (is_log(report))
        advice = "; 'seenset queue repair' skips what is damaged";
    else if (error == SEENSET_EFORMAT && strcmp(report->file, "MANIFEST") == 0)
        advice = "; is this the folder of a queue?";
    else if (strcmp(report->file, "REPAIR") == 0)
        advice = "; 'seenset queue repair' does it again";
    queue_complain_report(dir, report, advice);
    return COMMAND_ERROR;
}

/* One attempt to open a queue. */
typedef struct opening {
    seenset_queue **out;
    const queue_access *access;
    seenset_queue_options options;
    double took_seconds;
} opening;

static int open_with(void *context, const seenset_options *set)
{
    opening *now = context;
    seenset_queue_options options = now->options;
    options.set = set;
    return seenset_queue_open(now->out, now->access->dir, &options);
}

static int open_for(opening *now, const seenset_options *set)
{
    const queue_access *access = now->access;
    return queue_secret_run(&access->secret, access->dir, set, open_with, now);
}

/* Another command may make the queue while this one does, and then its set is
 * the other's. */
static int open_or_make(opening *now)
{
    const queue_access *access = now->access;
    seenset_options set = access->set;
    if (access->expected_items != 0 && !queue_is_at(access->dir)) {
        set.capacity_items = access->expected_items;
        int error = open_for(now, &set);
        if (error != SEENSET_EMISMATCH)
            return error;
    }
    return open_for(now, &access->set);
}

static int try_to_open(void *context)
{
    opening *now = context;
    double start = clock_steady_seconds();
    int error = open_or_make(now);
    now->took_seconds = clock_steady_seconds() - start;
    return error;
}

int queue_open_within(seenset_queue **out, const queue_access *access,
                      double seconds, double *took_seconds)
{
    const char *dir = access->dir;
    seenset_queue_report report;
    opening now = {out, access, access->options, 0};
    now.options.flags |= SEENSET_QUEUE_KEEP_LEASES;
    now.options.report = &report;
    int error = queue_wait(dir, seconds, try_to_open, &now);
    if (took_seconds != NULL)
        *took_seconds = now.took_seconds;
    if (error == SEENSET_OK)
        return 0;
    if (error == SEENSET_EINUSE)
        return COMMAND_NOTHING;
    if (error == SEENSET_ERATE &&
        setfile_complain_of_rate(dir, &access->set, ""))
        return COMMAND_ERROR;
    return queue_complain_opening(dir, error, &report);
}

int queue_open(seenset_queue **out, const queue_access *access,
               double *took_seconds)
{
    double seconds = access->wait_seconds;
    int status = queue_open_within(out, access, seconds, took_seconds);
    if (status == COMMAND_NOTHING)
        return queue_complain_in_use(access->dir, seconds);
    return status;
}

int queue_close(seenset_queue *queue, const char *dir, int status)
{
    int error = seenset_queue_close(queue);
    return error == SEENSET_OK ? status : queue_complain(dir, error);
}

static uint64_t count_up_to(arguments *state, const char *option,
                            const char *text, uint64_t most)
{
    uint64_t count = options_count(state, option, text);
    if (count > most)
        arguments_refuse(state, "%s is at most %llu, not '%s'", option,
                         (unsigned long long)most, text);
    return count;
}

/* What the parser of a subcommand with one DIR does with keys that are not its
 * own options. */
static int parse_one_dir(arguments *state, int key, char *text,
                         const char **dir)
{
    switch (key) {
    case ARGUMENTS_WORD:
        if (*dir != NULL)
            arguments_refuse(state, "one DIR only");
        *dir = text;
        return 0;
    case ARGUMENTS_NONE:
        arguments_refuse(state, "which DIR?");
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

int queue_parse_access(arguments *state, int key, char *text, queue_access *to)
{
    switch (key) {
    case QUEUE_OPTION_WAIT:
        queue_take_wait(state, text, to);
        return 0;
    case ARGUMENTS_GOOD:
        queue_settle_wait(state, to);
        return 0;
    case ARGUMENTS_WORD:
        if (queue_take_wait_argument(to, text))
            return 0;
        return parse_one_dir(state, key, text, &to->dir);
    case OPTION_SECRET_FILE:
        to->secret.path = text;
        return 0;
    case QUEUE_OPTION_PARTITIONS:
        to->partitions = count_up_to(state, "--partitions", text, 16384);
        return 0;
    case QUEUE_OPTION_REPLICAS:
        to->replicas = count_up_to(state, "--replicas", text, 1000);
        return 0;
    case QUEUE_OPTION_TLS_CA:
        to->tls.authority = text;
        return 0;
    case QUEUE_OPTION_TLS_CERT:
        to->tls.certificate = text;
        return 0;
    case QUEUE_OPTION_TLS_KEY:
        to->tls.key = text;
        return 0;
    case QUEUE_OPTION_TLS_NAME:
        to->tls.name = text;
        return 0;
    default:
        return parse_one_dir(state, key, text, &to->dir);
    }
}

seenset_queue_durability queue_durability(arguments *state, const char *text)
{
    if (strcmp(text, "each") == 0)
        return SEENSET_QUEUE_DURABILITY_EACH;
    if (strcmp(text, "interval") == 0)
        return SEENSET_QUEUE_DURABILITY_INTERVAL;
    if (strcmp(text, "none") != 0)
        arguments_refuse(
            state, "--durability is each, interval or none, not '%s'", text);
    return SEENSET_QUEUE_DURABILITY_NONE;
}

double queue_seconds(arguments *state, const char *option, const char *text)
{
    double seconds = 0;
    if (units_read_time(text, &seconds) != NULL || !(seconds <= 1e9))
        arguments_refuse(
            state,
            "%s takes seconds, 0 to 1e9, or a time such as 90s, 15m "
            "(minutes), 24h, 7d or 2w, not '%s'",
            option, text);
    return seconds;
}

void queue_take_wait(arguments *state, const char *text, queue_access *to)
{
    bool has_next = text == NULL && state->next < state->argc;
    to->after_wait = has_next ? state->argv[state->next] : NULL;
    to->wait_seconds = text == NULL ? QUEUE_WAIT_FOR_EVER
                                    : queue_seconds(state, "--wait", text);
}

/* The words are sorted when they are parsed, but not copied. */
bool queue_take_wait_argument(queue_access *to, const char *text)
{
    double seconds;
    if (text != to->after_wait || units_read_real(text, &seconds) != NULL)
        return false;
    to->its_seconds = text;
    to->after_wait = NULL;
    return true;
}

char **queue_take_words(arguments *state, char *text, queue_access *to)
{
    if (to->dir != NULL)
        return options_rest(state);
    if (!queue_take_wait_argument(to, text))
        to->dir = text;
    return NULL;
}

bool queue_take_column(int key, item_form *form)
{
    switch (key) {
    case QUEUE_OPTION_DATA:
        return form->has_data = true;
    case QUEUE_OPTION_DELIVERIES:
        return form->has_deliveries = true;
    case QUEUE_OPTION_HOST:
        return form->has_host = true;
    case QUEUE_OPTION_JSON:
        return form->is_json = true;
    default:
        return false;
    }
}

void queue_settle_wait(arguments *state, queue_access *to)
{
    if (to->its_seconds != NULL && to->dir == NULL)
        to->dir = to->its_seconds; /* a folder whose name is a number */
    else if (to->its_seconds != NULL)
        to->wait_seconds = queue_seconds(state, "--wait", to->its_seconds);
    to->its_seconds = NULL;
}

uint32_t queue_priority(arguments *state, const char *text)
{
    if (text[0] < '0' || text[0] > '9' || text[1] != '\0')
        arguments_refuse(state, "--priority is 0 to 9, not '%s'", text);
    return (uint32_t)(text[0] - '0');
}
