/*
 * stat.c - the figures of a queue, and its repair: stat, verify, repair.
 */
#define _GNU_SOURCE /* argp */
#include <stdio.h>

#include "command.h"
#include "queue/access.h"
#include "queue/queue.h"
#include "queue/wait.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

typedef struct request {
    queue_access access;
    bool is_json;
} request;

static const struct argp_option stat_options[] = {
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print one line of JSON", 0},
    QUEUE_SECRET_ROW,
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    request *to = state->input;
    switch (key) {
    case QUEUE_OPTION_JSON:
        to->is_json = true;
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const struct argp stat_argp = {.options = stat_options,
                                      .parser = parse_option,
                                      .args_doc = "DIR",
                                      .doc = "Show the figures of the queue in "
                                             "DIR, also while others use it."};
static const struct argp_option wait_options[] = {
    QUEUE_SECRET_ROW, QUEUE_WAIT_ROW, {0}};

static const struct argp verify_argp = {
    .options = wait_options,
    .parser = parse_option,
    .args_doc = "DIR",
    .doc = "Check every byte of the queue in DIR. The exit status is 0 if it "
           "is sound, else 2."};
static const struct argp repair_argp = {
    .options = wait_options,
    .parser = parse_option,
    .args_doc = "DIR",
    .doc = "Make the damaged queue in DIR usable again. What is damaged is "
           "lost; a sound queue is not changed."};

/* ---- stat ---- */

typedef struct figure {
    const char *name;
    uint64_t value;
} figure;

/* Are the URLs themselves kept? Such a set has no tables. */
static bool is_exact(const seenset_stats *set)
{
    return set->table_count == 0;
}

/* An exact set takes any number of URLs unless it refuses some. */
static bool has_capacity(const seenset_stats *set)
{
    return !is_exact(set) || set->on_full == SEENSET_ON_FULL_REFUSE;
}

static const uint64_t no_number = UINT64_MAX;

static void print_figure(const figure *it, bool is_first, bool is_json)
{
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)it->value);
    if (is_json)
        printf("%s\"%s\":%s", is_first ? "{" : ",", it->name,
               it->value == no_number ? "null" : number);
    else
        printf("%-16s %s\n", it->name,
               it->value == no_number ? "none" : units_grouped(it->value).text);
}

static void print_counts(const seenset_queue_stats *stats,
                         const seenset_stats *set, bool is_json)
{
    const figure figures[] = {
        {"pending", stats->pending_items},
        {"leased", stats->leased_items},
        {"pushed", stats->pushed_items},
        {"acked", stats->acked_items},
        {"dropped_as_seen", stats->dropped_items},
        {"refused", stats->refused_items},
        {"not_url", stats->not_url_items},
        {"capacity", has_capacity(set) ? set->capacity_items : no_number},
        {"log_bytes", stats->log_bytes},
        {"segments", stats->segment_count},
        {"set_bytes", set->memory_bytes},
        {"torn_bytes", stats->torn_bytes}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        print_figure(&figures[i], i == 0, is_json);
}

/* Has the set as many URLs as it was planned for, and does not grow? */
static bool is_at_capacity(const seenset_stats *set)
{
    return set->added_items >= set->capacity_items &&
           (set->on_full == SEENSET_ON_FULL_DEGRADE ||
            set->on_full == SEENSET_ON_FULL_REFUSE);
}

static const char *capacity_word(const seenset_stats *set)
{
    if (!is_at_capacity(set))
        return "no";
    return set->on_full == SEENSET_ON_FULL_REFUSE ? "yes: new URLs are refused"
                                                  : "yes: the rate rises";
}

static void print_json(const seenset_queue_stats *stats,
                       const seenset_stats *set, const char *normalise)
{
    printf(",\"at_capacity\":%s,\"exact\":%s,\"fill\":%.6g,"
           "\"promised_rate\":%.6g,\"current_rate\":%.6g,"
           "\"wrongly_dropped\":%.6g,\"normalise\":\"%s\"}\n",
           is_at_capacity(set) ? "true" : "false",
           is_exact(set) ? "true" : "false", set->fill, set->fp_rate,
           set->current_fp_rate, stats->wrong_items, normalise);
}

/* An exact set makes no mistakes: it has no bits and no rate. */
static void print_rates(const seenset_stats *set)
{
    if (is_exact(set))
        printf("%-16s exact\n%-16s exact\n", "promised_rate", "current_rate");
    else
        printf("%-16s %.4f\n%-16s %s\n%-16s %s\n", "fill", set->fill,
               "promised_rate", units_as_rate(set->fp_rate).text,
               "current_rate", units_as_rate(set->current_fp_rate).text);
}

static void print_stats(const seenset_queue_stats *stats,
                        const seenset_stats *set, bool is_json)
{
    const char *normalise =
        stats->normalise == SEENSET_QUEUE_NORMALISE_URL ? "url" : "off";
    print_counts(stats, set, is_json);
    if (is_json) {
        print_json(stats, set, normalise);
        return;
    }
    printf("%-16s %s\n", "at_capacity", capacity_word(set));
    print_rates(set);
    printf("%-16s %.1f\n%-16s %s\n", "wrongly_dropped", stats->wrong_items,
           "normalise", normalise);
}

/* A look at the queue. */
typedef struct look {
    const char *dir;
    seenset_queue_stats stats;
    seenset_stats set;
    seenset_queue_report report;
} look;

static int look_with(void *context, const seenset_options *set)
{
    look *now = context;
    const seenset_queue_options options = {
        .set = set, .report = &now->report, .set_at_once = 1};
    return seenset_queue_look_with(now->dir, &options, &now->stats,
                                   sizeof now->stats, &now->set,
                                   sizeof now->set);
}

/* Needs no lock: others may have the queue open. */
int queue_stat(int argc, char **argv)
{
    request from = {0};
    arguments_parse(&stat_argp, argc, argv, &from);
    const queue_access *access = &from.access;
    look now = {.dir = access->dir};
    int error = queue_secret_run(&access->secret, access->dir, &access->set,
                                 look_with, &now);
    if (error != SEENSET_OK)
        return queue_complain_opening(access->dir, error, &now.report);
    print_stats(&now.stats, &now.set, from.is_json);
    return COMMAND_DONE;
}

/* ---- verify and repair ---- */

static void print_log(const char *dir, const seenset_queue_report *report,
                      const char *verdict)
{
    printf("%s: %s, %s records in %s bytes of log", dir, verdict,
           units_grouped(report->record_count).text,
           units_grouped(report->log_bytes).text);
    if (report->torn_bytes > 0)
        printf(", and %s unfinished bytes at the end",
               units_grouped(report->torn_bytes).text);
    putchar('\n');
}

/* What verify and repair do once the queue is free. */
typedef struct inspection {
    const queue_access *access;
    int (*inspect)(const char *dir, const seenset_queue_options *options);
    seenset_queue_report report;
} inspection;

static int inspect_with(void *context, const seenset_options *set)
{
    inspection *now = context;
    const seenset_queue_options options = {.set = set, .report = &now->report};
    return now->inspect(now->access->dir, &options);
}

static int try_to_inspect(void *context)
{
    inspection *now = context;
    const queue_access *access = now->access;
    return queue_secret_run(&access->secret, access->dir, &access->set,
                            inspect_with, now);
}

/* Did the machine fail, whatever had been found before? */
static bool is_of_machine(int error)
{
    return error == SEENSET_EIO || error == SEENSET_ENOMEM;
}

int queue_verify(int argc, char **argv)
{
    request from = {.access.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    const char *dir;
    arguments_parse(&verify_argp, argc, argv, &from);
    dir = from.access.dir;
    inspection now = {.access = &from.access,
                      .inspect = seenset_queue_verify_with};
    int error = queue_wait(dir, from.access.wait_seconds, try_to_inspect, &now);
    if (error == SEENSET_OK) {
        print_log(dir, &now.report, "sound");
        return COMMAND_DONE;
    }
    if (error == SEENSET_EINUSE)
        return queue_complain_in_use(dir, from.access.wait_seconds);
    if (error > 0 || error == SEENSET_ESECRET)
        return queue_complain_opening(dir, error, &now.report);
    if (now.report.reason[0] == '\0')
        return queue_complain(dir, error);
    queue_complain_report(dir, &now.report, "");
    return COMMAND_ERROR;
}

int queue_repair(int argc, char **argv)
{
    request from = {.access.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    const char *dir;
    arguments_parse(&repair_argp, argc, argv, &from);
    dir = from.access.dir;
    inspection now = {.access = &from.access,
                      .inspect = seenset_queue_repair_with};
    int error = queue_wait(dir, from.access.wait_seconds, try_to_inspect, &now);
    const seenset_queue_report report = now.report;
    if (error == SEENSET_EINUSE)
        return queue_complain_in_use(dir, from.access.wait_seconds);
    if (error > 0 || error == SEENSET_ESECRET)
        return queue_complain_opening(dir, error, &report);
    if (report.reason[0] != '\0')
        queue_complain_report(dir, &report, "");
    if (error != SEENSET_OK)
        return report.reason[0] == '\0' || is_of_machine(error)
                   ? queue_complain(dir, error)
                   : COMMAND_ERROR;
    print_log(dir, &report, "sound now");
    if (report.damage_count > 0)
        printf("%s: %s damaged bytes are skipped, %s items are lost\n", dir,
               units_grouped(report.damaged_bytes).text,
               units_grouped(report.lost_items).text);
    return COMMAND_DONE;
}
