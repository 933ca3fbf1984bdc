/*
 * figures.c - see figures.h.
 */
#include "queue/text/figures.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "report/figures_json.h"
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

static void print_counts(const seenset_queue_stats *stats,
                         const seenset_stats *set)
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
        printf("%-16s %s\n", figures[i].name,
               figures[i].value == no_number
                   ? "none"
                   : units_grouped(figures[i].value).text);
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

/* A queue that is not polite has no hosts. */
static const char *kind_of_hosts(const seenset_queue_stats *stats)
{
    static const char *const names[] = {"host", "host-port", "domain"};
    return names[stats->hosts_by];
}

static void print_hosts(const seenset_queue_stats *stats)
{
    if (stats->host_leases == 0)
        return;
    printf("%-16s %g s, by %s, %s at a time\n", "host_delay",
           stats->delay_seconds, kind_of_hosts(stats),
           units_grouped(stats->host_leases).text);
    printf("%-16s %s\n", "host_budget",
           stats->budget == 0 ? "any" : units_grouped(stats->budget).text);
    printf("%-16s %s\n%-16s %s\n", "hosts",
           units_grouped(stats->host_count).text, "over_budget",
           units_grouped(stats->over_budget_items).text);
    if (!isfinite(stats->seconds_to_next))
        printf("%-16s never\n", "next_item");
    else if (stats->seconds_to_next > 0)
        printf("%-16s in %s\n", "next_item",
               units_as_seconds(stats->seconds_to_next).text);
    else
        printf("%-16s now\n", "next_item");
}

void figures_print(const queue_look *seen)
{
    const seenset_queue_stats *stats = &seen->stats;
    print_counts(stats, &seen->set);
    printf("%-16s %s\n", "at_capacity", capacity_word(&seen->set));
    print_rates(&seen->set);
    printf("%-16s %s%.1f\n%-16s %s\n", "wrongly_dropped",
           stats->is_wrong_at_least ? "unknown, at least " : "",
           stats->wrong_items, "normalise", normalise_word(stats));
    print_kind(stats, &seen->set);
    print_due(stats);
    print_hosts(stats);
}

/* ---- JSON ---- */

static void json_capacity(json *out, const char *name, const seenset_stats *set)
{
    if (has_capacity(set))
        json_count(out, name, set->capacity_items);
    else
        json_null(out, name);
}

/* The names that these figures had before those of docs/json.md. */
static void json_older_names(json *out, const seenset_queue_stats *stats,
                             const seenset_stats *set)
{
    json_capacity(out, "capacity", set);
    json_count(out, "set_bytes", set->memory_bytes);
    json_bool(out, "at_capacity", figures_is_at_capacity(set));
    json_bool(out, "exact", is_exact(set));
    json_rounded(out, "promised_rate", set->fp_rate);
    json_rounded(out, "current_rate", set->current_fp_rate);
    if (stats->is_wrong_at_least)
        json_null(out, "wrongly_dropped");
    else
        json_rounded(out, "wrongly_dropped", stats->wrong_items);
}

/* The URLs themselves have no bits, and no rate. */
static void json_exact(json *out, const seenset_stats *set)
{
    json_text(out, "layout", "exact");
    json_text(out, "scheme", "none");
    json_text(out, "on_full", seenset_on_full_name(set->on_full));
    json_bool(out, "is_keyed", set->is_keyed);
    json_capacity(out, "capacity_items", set);
    json_count(out, "added_items", set->added_items);
    json_real(out, "estimated_items", set->estimated_items);
    json_null(out, "fp_rate");
    json_null(out, "current_fp_rate");
    json_real(out, "fill", set->fill);
    json_bool(out, "is_skewed", set->is_skewed);
    figures_json_wrong(out, set->wrong_items, set->is_wrong_at_least);
    json_count(out, "table_count", set->table_count);
    json_count(out, "size_bits", set->size_bits);
    json_count(out, "memory_bytes", set->memory_bytes);
}

/* Of a queue, each push is counted, so its own number of URLs that were wrongly
 * dropped is the better one. */
static void json_set(json *out, const queue_look *seen)
{
    seenset_stats set = seen->set;
    set.wrong_items = seen->stats.wrong_items;
    set.is_wrong_at_least = seen->stats.is_wrong_at_least;
    json_bool(out, "is_at_capacity", figures_is_at_capacity(&set));
    if (is_exact(&set))
        json_exact(out, &set);
    else
        figures_json_stats(out, &set);
}

void figures_print_json(const char *dir, const queue_look *seen,
                        const figures_rates *rates)
{
    json out = json_start(stdout, true);
    out.is_tight = true;
    figures_json_queue(&out, &seen->stats);
    json_older_names(&out, &seen->stats, &seen->set);
    json_text(&out, "path", dir);
    json_text(&out, "format", "seenset-queue");
    json_text(&out, "version", seenset_version());
    json_set(&out, seen);
    if (rates != NULL) {
        json_real(&out, "pushed_per_second", rates->pushed);
        json_real(&out, "popped_per_second", rates->popped);
        json_real(&out, "acked_per_second", rates->acked);
    }
    json_end(&out);
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
