/*
 * queue_stat.c - the figures of a queue, and its repair: stat, verify, repair.
 */
#define _GNU_SOURCE /* argp */
#include <stdio.h>

#include "command.h"
#include "commands/queue.h"
#include "commands/queue_wait.h"
#include "text/arguments.h"
#include "text/units.h"

typedef struct request {
    const char *dir;
    double wait_seconds;
    bool is_json;
} request;

static const struct argp_option stat_options[] = {
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print one line of JSON", 0}, {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    request *to = state->input;
    switch (key) {
    case QUEUE_OPTION_JSON:
        to->is_json = true;
        return 0;
    case QUEUE_OPTION_WAIT:
        to->wait_seconds = queue_wait_seconds(state, text);
        return 0;
    default:
        return queue_one_dir(state, key, text, &to->dir);
    }
}

static const struct argp stat_argp = {.options = stat_options,
                                      .parser = parse_option,
                                      .args_doc = "DIR",
                                      .doc = "Show the figures of the queue in "
                                             "DIR, also while others use it."};
static const struct argp_option wait_options[] = {QUEUE_WAIT_ROW, {0}};

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

static void print_counts(const seenset_queue_stats *stats,
                         const seenset_stats *set, bool is_json)
{
    const figure figures[] = {{"pending", stats->pending_items},
                              {"leased", stats->leased_items},
                              {"pushed", stats->pushed_items},
                              {"acked", stats->acked_items},
                              {"dropped_as_seen", stats->dropped_items},
                              {"refused", stats->refused_items},
                              {"not_url", stats->not_url_items},
                              {"capacity", set->capacity_items},
                              {"log_bytes", stats->log_bytes},
                              {"segments", stats->segment_count},
                              {"set_bytes", set->memory_bytes},
                              {"torn_bytes", stats->torn_bytes}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (is_json)
            printf("%s\"%s\":%llu", i == 0 ? "{" : ",", figures[i].name,
                   (unsigned long long)figures[i].value);
        else
            printf("%-16s %s\n", figures[i].name,
                   units_grouped(figures[i].value).text);
    }
}

static void print_stats(const seenset_queue_stats *stats,
                        const seenset_stats *set, bool is_json)
{
    const char *normalise =
        stats->normalise == SEENSET_QUEUE_NORMALISE_URL ? "url" : "off";
    print_counts(stats, set, is_json);
    if (is_json)
        printf(",\"fill\":%.6g,\"promised_rate\":%.6g,\"current_rate\":%.6g,"
               "\"wrongly_dropped\":%.6g,\"normalise\":\"%s\"}\n",
               set->fill, set->fp_rate, set->current_fp_rate,
               stats->wrong_items, normalise);
    else
        printf("%-16s %.4f\n%-16s %s\n%-16s %s\n%-16s %.1f\n%-16s %s\n", "fill",
               set->fill, "promised_rate", units_as_rate(set->fp_rate).text,
               "current_rate", units_as_rate(set->current_fp_rate).text,
               "wrongly_dropped", stats->wrong_items, "normalise", normalise);
}

/* Needs no lock: others may have the queue open. */
int queue_stat(int argc, char **argv)
{
    request from = {0};
    seenset_queue_stats stats;
    seenset_stats set;
    seenset_queue_report report;
    arguments_parse(&stat_argp, argc, argv, &from);
    int error = seenset_queue_look(from.dir, &stats, sizeof stats, &set,
                                   sizeof set, &report);
    if (error != SEENSET_OK)
        return queue_complain_opening(from.dir, error, &report);
    print_stats(&stats, &set, from.is_json);
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
    const char *dir;
    int (*inspect)(const char *dir, seenset_queue_report *report);
    seenset_queue_report report;
} inspection;

static int try_to_inspect(void *context)
{
    inspection *now = context;
    return now->inspect(now->dir, &now->report);
}

/* Did the machine fail, whatever had been found before? */
static bool is_of_machine(int error)
{
    return error == SEENSET_EIO || error == SEENSET_ENOMEM;
}

int queue_verify(int argc, char **argv)
{
    request from = {.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    arguments_parse(&verify_argp, argc, argv, &from);
    inspection now = {.dir = from.dir, .inspect = seenset_queue_verify};
    int error = queue_wait(from.dir, from.wait_seconds, try_to_inspect, &now);
    if (error == SEENSET_OK) {
        print_log(from.dir, &now.report, "sound");
        return COMMAND_DONE;
    }
    if (error == SEENSET_EINUSE)
        return queue_complain_in_use(from.dir, from.wait_seconds);
    if (now.report.reason[0] == '\0')
        return queue_complain(from.dir, error);
    queue_complain_report(from.dir, &now.report, "");
    return COMMAND_ERROR;
}

int queue_repair(int argc, char **argv)
{
    request from = {.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    arguments_parse(&repair_argp, argc, argv, &from);
    inspection now = {.dir = from.dir, .inspect = seenset_queue_repair};
    int error = queue_wait(from.dir, from.wait_seconds, try_to_inspect, &now);
    const seenset_queue_report report = now.report;
    if (error == SEENSET_EINUSE)
        return queue_complain_in_use(from.dir, from.wait_seconds);
    if (report.reason[0] != '\0')
        queue_complain_report(from.dir, &report, "");
    if (error != SEENSET_OK)
        return report.reason[0] == '\0' || is_of_machine(error)
                   ? queue_complain(from.dir, error)
                   : COMMAND_ERROR;
    print_log(from.dir, &report, "sound now");
    if (report.damage_count > 0)
        printf("%s: %s damaged bytes are skipped, %s items are lost\n",
               from.dir, units_grouped(report.damaged_bytes).text,
               units_grouped(report.lost_items).text);
    return COMMAND_DONE;
}
