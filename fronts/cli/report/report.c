/*
 * report.c - see report.h.
 */
#include "report/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "report/figures_json.h"
#include "stream/clock.h"
#include "text/layouts.h"
#include "text/units.h"

#define LABEL_WIDTH 20

void report_row(FILE *out, const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(out, "%-*s  ", LABEL_WIDTH, label);
    vfprintf(out, format, arguments);
    fputc('\n', out);
    va_end(arguments);
}

/* After an estimate from bits that a weak hash has set. */
static const char *trust(const seenset_stats *stats)
{
    return stats->is_skewed ? ", not to be trusted" : "";
}

report_wrong report_wrong_items(double wrong_items, int is_at_least,
                                const char *unit)
{
    report_wrong to;
    if (is_at_least)
        snprintf(to.text, sizeof to.text, "unknown, at least %.0f%s",
                 floor(wrong_items), unit);
    else
        snprintf(to.text, sizeof to.text, "%.3g%s, expected", wrong_items,
                 unit);
    return to;
}

/* What is said of a set that has as many keys as it was planned for, and keeps
 * its promise no more or refuses others. */
static const char *capacity_word(const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    if (info.is_at_capacity == 0)
        return "";
    return info.on_full == SEENSET_ON_FULL_REFUSE
               ? ", reached: new keys are refused"
               : ", reached: the rate rises";
}

static void report_journal(FILE *out, const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    if (info.journal_bytes > 0)
        report_row(out, "journal", "%s of the keys, %s",
                   units_grouped(info.journal_items).text,
                   units_as_bytes(info.journal_bytes).text);
}

static void report_keys(FILE *out, const seenset *set,
                        const seenset_stats *stats)
{
    report_row(out, "capacity", "%s keys%s",
               units_grouped(stats->capacity_items).text, capacity_word(set));
    report_row(out, "added", "%s keys (%.4g %% of capacity)",
               units_grouped(stats->added_items).text,
               100 * (double)stats->added_items /
                   (double)stats->capacity_items);
    if (isfinite(stats->estimated_items))
        report_row(out, "distinct, estimated", "%s keys%s",
                   units_grouped((uint64_t)(stats->estimated_items + 0.5)).text,
                   trust(stats));
    else
        report_row(out, "distinct, estimated", "too many to estimate");
    if (!layouts_words(stats->layout)->is_built_once)
        report_row(out, "wrongly dropped", "%s%s",
                   report_wrong_items(stats->wrong_items,
                                      stats->is_wrong_at_least, " keys")
                       .text,
                   trust(stats));
    report_journal(out, set);
}

static seenset_table_info table_of(const seenset *set, uint32_t number)
{
    seenset_table_info table = {0};
    (void)seenset_get_table_info(set, number, &table, sizeof table);
    return table;
}

/* A set that grew has a table of another kind last. */
static void report_bits(FILE *out, const seenset *set,
                        const seenset_stats *stats)
{
    bool has_grown =
        table_of(set, stats->table_count - 1).layout != stats->layout;
    report_row(out, "layout", "%s, %u bits set by a key%s",
               seenset_layout_name(stats->layout), table_of(set, 0).hash_count,
               has_grown ? ", 1 slot since it grew" : "");
}

static void report_layout(FILE *out, const seenset *set,
                          const seenset_stats *stats)
{
    const char *name = seenset_layout_name(stats->layout);
    if (layouts_words(stats->layout)->has_slots)
        report_row(out, "layout", "%s, %u bits in a slot for each add", name,
                   stats->fingerprint_bits);
    else if (stats->fingerprint_bits != 0)
        report_row(out, "layout", "%s, %u-bit fingerprints in %u places", name,
                   stats->fingerprint_bits, stats->hash_count);
    else if (stats->counter_bits != 0)
        report_row(out, "layout", "%s, %u counters of %u bits for a key", name,
                   stats->hash_count, stats->counter_bits);
    else
        report_bits(out, set, stats);
}

static void report_seeds(FILE *out, const seenset_info *info)
{
    char list[16 * SEENSET_MAX_HASH_COUNT] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < info->seed_count; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%u",
                                   i == 0 ? "" : " ", info->seeds[i]);
    report_row(out, "seeds", "%s, over %s", list,
               info->unit_bits == 16 ? "UTF-16 units" : "bytes");
}

/* The scheme, if it is that of another system, and what it was given. */
static void report_scheme(FILE *out, const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    if (info.scheme > SEENSET_SCHEME_CHAIN)
        report_row(out, "index scheme", "%s", seenset_scheme_name(info.scheme));
    if (info.seed != 0)
        report_row(out, "seed", "%llu", (unsigned long long)info.seed);
    if (info.seeds != NULL)
        report_seeds(out, &info);
}

/* How evenly the bits are spread: for schemes, whose hash can be a weak one,
 * and wherever they are not. */
static void report_uniformity(FILE *out, const seenset *set,
                              const seenset_stats *stats)
{
    seenset_uniformity found = {0};
    (void)seenset_get_uniformity(set, &found, sizeof found);
    if (stats->scheme <= SEENSET_SCHEME_CHAIN && !found.is_skewed)
        return;
    const char *uneven = stats->scheme <= SEENSET_SCHEME_CHAIN
                             ? "unevenly, hashes have bits in common"
                             : "unevenly, the hash is too weak for the keys";
    if (found.slice_count == 0)
        report_row(out, "bits spread", "too few to measure");
    else
        report_row(out, "bits spread", "%s (chi-square %.0f, expected %.0f)",
                   found.is_skewed ? uneven : "evenly", found.chi_square,
                   found.degrees_of_freedom);
}

static void report_window(FILE *out, const seenset_stats *stats)
{
    if (stats->window_seconds != 0)
        report_row(out, "window", "%s, forgotten in %u steps",
                   units_as_seconds((double)stats->window_seconds).text,
                   stats->window_generations - 1);
    else
        report_row(out, "window", "the last %s keys, forgotten in %u steps",
                   units_grouped(stats->capacity_items).text,
                   stats->window_generations - 1);
}

static bool is_sliding(const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    return (info.flags & SEENSET_FLAG_SLIDING) != 0;
}

/* Keys are forgotten table by table, so the oldest may be as old as the oldest
 * table that is remembered. */
double report_oldest_key_seconds(const seenset *set)
{
    seenset_info info = {0};
    double started = 0;
    (void)seenset_get_info(set, &info, sizeof info);
    for (uint32_t i = 0; i < info.table_count; i++) {
        seenset_table_info table = table_of(set, i);
        double at = (double)table.started_seconds;
        if (table.is_expired || table.added_items == 0 || !(at > 0))
            continue;
        if (!(started > 0) || at < started)
            started = at;
    }
    return started > 0 ? fmax(clock_wall_seconds() - started, 0) : NAN;
}

static void report_policy(FILE *out, const seenset *set,
                          const seenset_stats *stats)
{
    if (layouts_words(stats->layout)->is_built_once)
        report_row(out, "when full", "nothing can be added");
    else
        report_row(out, "when full", "%s",
                   seenset_on_full_name(stats->on_full));
    if (stats->on_full != SEENSET_ON_FULL_ROTATE)
        return;
    report_window(out, stats);
    report_row(out, "seen again",
               is_sliding(set) ? "renewed (sliding)" : "not renewed");
}

/* Of slots, how many there are and how many stay for ever. */
static void report_slots(FILE *out, const seenset_stats *stats)
{
    report_row(out, "slots used", "%.4g %%", 100 * stats->fill);
    report_row(out, "slots cut", "%s (their keys cannot be removed)",
               units_grouped(stats->full_counters).text);
}

/* The size counts bits or counters. */
static void report_size(FILE *out, const seenset_stats *stats)
{
    bool is_counting = stats->counter_bits != 0;
    uint64_t cell_bits = is_counting ? stats->counter_bits : 1;
    double bits = (double)stats->size_bits * (double)cell_bits;
    units_text size = units_grouped(stats->size_bits);
    units_text bytes = units_as_bytes((stats->size_bits * cell_bits + 7) / 8);
    if (stats->window_seconds != 0) /* its tables follow the keys */
        report_row(out, "size", "%s bits (%s)", size.text, bytes.text);
    else
        report_row(out, "size", "%s %s (%s), %.2f bits per key", size.text,
                   is_counting ? "counters" : "bits", bytes.text,
                   bits / (double)stats->capacity_items);
    if (layouts_words(stats->layout)->has_slots)
        report_slots(out, stats);
    if (stats->fingerprint_bits == 0)
        report_row(out, is_counting ? "counters in use" : "bits set",
                   "%s (%.4g %% of all)", units_grouped(stats->set_bits).text,
                   100 * stats->fill);
    if (is_counting)
        report_row(out, "counters full",
                   "%s (different keys: any, by a chance of %.2g)",
                   units_grouped(stats->full_counters).text,
                   stats->overflow_bound);
}

void report_text(FILE *out, const seenset *set, const seenset_stats *stats)
{
    report_layout(out, set, stats);
    report_scheme(out, set);
    if (stats->is_keyed)
        report_row(out, "keyed", "yes, hashed under a secret");
    report_policy(out, set, stats);
    report_keys(out, set, stats);
    report_row(out, "rate promised", "%s", units_as_rate(stats->fp_rate).text);
    report_row(out, "rate now", "%s%s",
               units_as_rate(fabs(stats->current_fp_rate)).text, trust(stats));
    report_size(out, stats);
    report_uniformity(out, set, stats);
    report_row(out, "memory", "%s bytes (%s)",
               units_grouped(stats->memory_bytes).text,
               units_as_bytes(stats->memory_bytes).text);
    report_row(out, "tables", "%u", stats->table_count);
}

static void json_uniformity(json *out, const seenset *set)
{
    seenset_uniformity found = {0};
    (void)seenset_get_uniformity(set, &found, sizeof found);
    json_real(out, "chi_square", found.chi_square);
    json_real(out, "chi_square_expected", found.degrees_of_freedom);
    json_real(out, "chi_square_p_value", found.p_value);
    json_open(out, "uniformity", '{');
    out->is_tight = true; /* so that sed finds the set's is_skewed */
    figures_json_uniformity(out, &found);
    out->is_tight = false;
    json_close(out, '}');
}

static void json_tables(json *out, const seenset *set, uint32_t count)
{
    json_open(out, "tables", '[');
    for (uint32_t i = 0; i < count; i++) {
        seenset_table_info table = table_of(set, i);
        json_open(out, NULL, '{');
        figures_json_table(out, &table);
        json_close(out, '}');
    }
    json_close(out, ']');
}

void report_json(json *out, const char *path, const seenset *set,
                 const seenset_stats *stats)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    json_text(out, "path", path);
    json_text(out, "format", "seenset");
    json_text(out, "version", seenset_version());
    figures_json_stats(out, stats);
    figures_json_info(out, &info);
    json_count(out, "generation_count", stats->table_count);
    json_real(out, "oldest_key_seconds", report_oldest_key_seconds(set));
    json_uniformity(out, set);
    json_tables(out, set, stats->table_count);
}
