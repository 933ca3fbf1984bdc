/*
 * stat.c - the figures of a queue.
 */
#define _GNU_SOURCE /* argp */
#include <stdio.h>

#include "command.h"
#include "queue/access.h"
#include "queue/look.h"
#include "queue/queue.h"
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

/* Needs no lock: others may have the queue open. */
int queue_stat(int argc, char **argv)
{
    request from = {0};
    queue_look now;
    arguments_parse(&stat_argp, argc, argv, &from);
    if (queue_look_at(&now, &from.access) != 0)
        return COMMAND_ERROR;
    print_stats(&now.stats, &now.set, from.is_json);
    return COMMAND_DONE;
}
