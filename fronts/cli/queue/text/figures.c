/*
 * figures.c - see figures.h.
 */
#include "queue/text/figures.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/text/json.h"
#include "text/units.h"

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

/* The name of the scheme by which a filter places URLs. */
static const char *scheme_of(const seenset_stats *set)
{
    return is_exact(set) ? "none" : seenset_scheme_name(set->scheme);
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

bool figures_is_at_capacity(const seenset_stats *set)
{
    return set->added_items >= set->capacity_items &&
           (set->on_full == SEENSET_ON_FULL_DEGRADE ||
            set->on_full == SEENSET_ON_FULL_REFUSE);
}

static const char *capacity_word(const seenset_stats *set)
{
    if (!figures_is_at_capacity(set))
        return "no";
    return set->on_full == SEENSET_ON_FULL_REFUSE ? "yes: new URLs are refused"
                                                  : "yes: the rate rises";
}

/* The older names; the same figures follow under those of docs/json.md. */
static void print_json(const seenset_queue_stats *stats,
                       const seenset_stats *set, const char *normalise)
{
    printf(",\"at_capacity\":%s,\"exact\":%s,\"fill\":%.17g,"
           "\"promised_rate\":%.6g,\"current_rate\":%.6g,"
           "\"normalise\":\"%s\"",
           figures_is_at_capacity(set) ? "true" : "false",
           is_exact(set) ? "true" : "false", set->fill, set->fp_rate,
           set->current_fp_rate, normalise);
    if (stats->is_wrong_at_least)
        fputs(",\"wrongly_dropped\":null", stdout);
    else
        printf(",\"wrongly_dropped\":%.6g", stats->wrong_items);
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

/* What the scheme was given, where it was. */
static void print_arguments(const seenset_queue_stats *stats)
{
    if (stats->seed != 0)
        printf("%-16s %llu\n", "seed", (unsigned long long)stats->seed);
    if (stats->seed_count == 0)
        return;
    printf("%-16s", "seeds");
    for (uint32_t i = 0; i < stats->seed_count; i++)
        printf(" %lu", (unsigned long)stats->seeds[i]);
    printf(", over %s\n", stats->unit_bits == 16 ? "UTF-16 units" : "bytes");
}

/* What the URLs are remembered in. */
static void print_kind(const seenset_queue_stats *stats,
                       const seenset_stats *set)
{
    printf("%-16s %s\n%-16s %s\n", "layout",
           is_exact(set) ? "exact" : seenset_layout_name(set->layout), "scheme",
           scheme_of(set));
    print_arguments(stats);
    printf("%-16s %s\n%-16s %s\n", "exact", is_exact(set) ? "yes" : "no",
           "keyed", set->is_keyed ? "yes" : "no");
    if (set->is_skewed)
        printf("%-16s %s\n", "bits_spread",
               "unevenly, the hash is too weak for the URLs: the rates and "
               "wrongly_dropped are not to be trusted");
}

static const char *normalise_word(const seenset_queue_stats *stats)
{
    return stats->normalise == SEENSET_QUEUE_NORMALISE_URL ? "url" : "off";
}

static void print_real(const char *name, double value, bool exists)
{
    if (exists && isfinite(value))
        printf(",\"%s\":%.17g", name, value);
    else
        printf(",\"%s\":null", name);
}

static void print_path(const char *path)
{
    size_t length = strlen(path);
    char *text = malloc(length * JSON_TEXT_MOST_PER_BYTE + 8);
    if (text == NULL)
        return;
    length = json_text_escape(text, path, length);
    printf(",\"path\":\"%.*s\"", (int)length, text);
    free(text);
}

static void print_arguments_json(const seenset_queue_stats *stats)
{
    printf(",\"seed\":%llu,\"seeds\":[", (unsigned long long)stats->seed);
    for (uint32_t i = 0; i < stats->seed_count; i++)
        printf("%s%lu", i == 0 ? "" : ",", (unsigned long)stats->seeds[i]);
    printf("],\"unit_bits\":%lu", (unsigned long)stats->unit_bits);
}

/* The names of docs/json.md. */
static void print_vocabulary(const char *dir, const seenset_queue_stats *stats,
                             const seenset_stats *set)
{
    bool is_filter = !is_exact(set);
    print_path(dir);
    printf(",\"format\":\"seenset-queue\",\"version\":\"%s\"",
           seenset_version());
    printf(",\"layout\":\"%s\",\"on_full\":\"%s\",\"is_keyed\":%s",
           is_filter ? seenset_layout_name(set->layout) : "exact",
           seenset_on_full_name(set->on_full),
           set->is_keyed ? "true" : "false");
    printf(",\"scheme\":\"%s\",\"is_skewed\":%s", scheme_of(set),
           set->is_skewed ? "true" : "false");
    print_arguments_json(stats);
    print_real("capacity_items", (double)set->capacity_items,
               has_capacity(set));
    printf(",\"added_items\":%llu,\"is_at_capacity\":%s",
           (unsigned long long)set->added_items,
           figures_is_at_capacity(set) ? "true" : "false");
    print_real("fp_rate", set->fp_rate, is_filter);
    print_real("current_fp_rate", set->current_fp_rate, is_filter);
    print_real("estimated_items", set->estimated_items, true);
    print_real("expected_false_positives", stats->wrong_items,
               !stats->is_wrong_at_least);
    print_real("least_false_positives", stats->wrong_items, true);
    printf(",\"table_count\":%lu,\"size_bits\":%llu",
           (unsigned long)set->table_count, (unsigned long long)set->size_bits);
    printf(",\"memory_bytes\":%llu", (unsigned long long)set->memory_bytes);
}

/* Leases and delays, and how many items each priority has. */
static void print_due_json(const seenset_queue_stats *stats)
{
    printf(",\"delayed\":%llu,\"forgotten\":%llu",
           (unsigned long long)stats->delayed_items,
           (unsigned long long)stats->forgotten_items);
    print_real("seconds_to_due", stats->seconds_to_due, true);
    fputs(",\"priorities\":[", stdout);
    for (size_t i = 0; i < SEENSET_QUEUE_PRIORITIES; i++)
        printf("%s%llu", i == 0 ? "" : ",",
               (unsigned long long)stats->priority_items[i]);
    putchar(']');
}

static void print_due(const seenset_queue_stats *stats)
{
    printf("%-16s %s\n%-16s %s\n", "delayed",
           units_grouped(stats->delayed_items).text, "forgotten",
           units_grouped(stats->forgotten_items).text);
    if (isfinite(stats->seconds_to_due))
        printf("%-16s in %s\n", "next_due",
               units_as_seconds(stats->seconds_to_due).text);
    else
        printf("%-16s never\n", "next_due");
    for (size_t i = SEENSET_QUEUE_PRIORITIES; i-- > 1;)
        if (stats->priority_items[i] > 0)
            printf("priority_%-7zu %s\n", i,
                   units_grouped(stats->priority_items[i]).text);
}

void figures_print(const queue_look *seen)
{
    const seenset_queue_stats *stats = &seen->stats;
    print_counts(stats, &seen->set, false);
    printf("%-16s %s\n", "at_capacity", capacity_word(&seen->set));
    print_rates(&seen->set);
    printf("%-16s %s%.1f\n%-16s %s\n", "wrongly_dropped",
           stats->is_wrong_at_least ? "unknown, at least " : "",
           stats->wrong_items, "normalise", normalise_word(stats));
    print_kind(stats, &seen->set);
    print_due(stats);
}

void figures_print_json(const char *dir, const queue_look *seen,
                        const figures_rates *rates)
{
    const seenset_queue_stats *stats = &seen->stats;
    print_counts(stats, &seen->set, true);
    print_json(stats, &seen->set, normalise_word(stats));
    print_vocabulary(dir, stats, &seen->set);
    print_due_json(stats);
    if (rates != NULL) {
        print_real("pushed_per_second", rates->pushed, true);
        print_real("popped_per_second", rates->popped, true);
        print_real("acked_per_second", rates->acked, true);
    }
    fputs("}\n", stdout);
}

/* ---- one line of a watch ---- */

figures_rates figures_between(const queue_look *before, const queue_look *after,
                              double seconds)
{
    const seenset_queue_stats *a = &before->stats, *b = &after->stats;
    double pushed = (double)b->pushed_items - (double)a->pushed_items;
    double pending = (double)b->pending_items - (double)a->pending_items;
    double acked = (double)b->acked_items - (double)a->acked_items;
    return (figures_rates){.pushed = pushed / seconds,
                           .popped = (pushed - pending) / seconds,
                           .acked = acked / seconds};
}

void figures_print_line(const queue_look *seen, const figures_rates *rates)
{
    const seenset_queue_stats *stats = &seen->stats;
    printf("pending %s  leased %s", units_grouped(stats->pending_items).text,
           units_grouped(stats->leased_items).text);
    if (isfinite(rates->pushed))
        printf("  pushed %.1f/s  popped %.1f/s  acked %.1f/s", rates->pushed,
               rates->popped, rates->acked);
    if (isfinite(stats->seconds_to_due))
        printf("  due in %s", units_as_seconds(stats->seconds_to_due).text);
}
