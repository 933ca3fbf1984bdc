/*
 * prometheus.c - see prometheus.h.
 */
#include "info/prometheus.h"

#include <math.h>

#include "report/json.h"

/* ---- the figures ---- */

static double sound(const prometheus_file *of)
{
    return of->is_sound;
}

static double one(const prometheus_file *of)
{
    (void)of;
    return 1;
}

static double capacity(const prometheus_file *of)
{
    return (double)of->stats.capacity_items;
}

static double added(const prometheus_file *of)
{
    return (double)of->stats.added_items;
}

static double estimated(const prometheus_file *of)
{
    return of->stats.estimated_items;
}

static double at_capacity(const prometheus_file *of)
{
    return of->is_at_capacity;
}

static double promised(const prometheus_file *of)
{
    return of->stats.fp_rate;
}

static double current(const prometheus_file *of)
{
    return fabs(of->stats.current_fp_rate);
}

static double wrong(const prometheus_file *of)
{
    return of->stats.is_wrong_at_least ? INFINITY : of->stats.wrong_items;
}

static double least_wrong(const prometheus_file *of)
{
    return of->stats.wrong_items;
}

static double fill(const prometheus_file *of)
{
    return of->stats.fill;
}

static double size(const prometheus_file *of)
{
    return (double)of->stats.size_bits;
}

static double memory(const prometheus_file *of)
{
    return (double)of->stats.memory_bytes;
}

static double file_bytes(const prometheus_file *of)
{
    return (double)of->file_bytes;
}

static double tables(const prometheus_file *of)
{
    return of->stats.table_count;
}

static double full_counters(const prometheus_file *of)
{
    return (double)of->stats.full_counters;
}

static double oldest(const prometheus_file *of)
{
    return of->oldest_key_seconds;
}

static double skewed(const prometheus_file *of)
{
    return of->stats.is_skewed;
}

/* ---- of queues ---- */

static double readable(const prometheus_file *of)
{
    return of->is_open;
}

static double pending(const prometheus_file *of)
{
    return (double)of->queue.pending_items;
}

static double leased(const prometheus_file *of)
{
    return (double)of->queue.leased_items;
}

static double delayed(const prometheus_file *of)
{
    return (double)of->queue.delayed_items;
}

static double pushed(const prometheus_file *of)
{
    return (double)of->queue.pushed_items;
}

static double acked(const prometheus_file *of)
{
    return (double)of->queue.acked_items;
}

static double dropped(const prometheus_file *of)
{
    return (double)of->queue.dropped_items;
}

static double refused(const prometheus_file *of)
{
    return (double)of->queue.refused_items;
}

static double not_url(const prometheus_file *of)
{
    return (double)of->queue.not_url_items;
}

static double forgotten(const prometheus_file *of)
{
    return (double)of->queue.forgotten_items;
}

static double seconds_to_due(const prometheus_file *of)
{
    return of->queue.seconds_to_due;
}

static double log_bytes(const prometheus_file *of)
{
    return (double)of->queue.log_bytes;
}

static double segments(const prometheus_file *of)
{
    return (double)of->queue.segment_count;
}

static double torn_bytes(const prometheus_file *of)
{
    return (double)of->queue.torn_bytes;
}

/* ---- the list of them ---- */

/* Which files have it. */
typedef enum subject {
    ALL,
    FILTERS, /* not queues that keep the URLs themselves */
    FILES,   /* not queues */
    QUEUES
} subject;

typedef struct gauge {
    const char *name, *help;
    double (*value)(const prometheus_file *of);
    subject of;
    bool is_of_any; /* of a file that cannot be read, too */
} gauge;

static const gauge gauges[] = {
    {"seenset_is_sound", "1: the file was read and every checksum is right.",
     sound, FILES, true},
    {"seenset_info", "What the set is.", one, ALL, false},
    {"seenset_capacity_items", "Distinct keys that it was planned for.",
     capacity, ALL, false},
    {"seenset_added_items", "Adds that were answered new.", added, ALL, false},
    {"seenset_estimated_items", "Distinct keys, estimated from the bits.",
     estimated, ALL, false},
    {"seenset_is_at_capacity", "1: the rate rises, or new keys are refused.",
     at_capacity, ALL, false},
    {"seenset_fp_rate", "False-positive rate promised at capacity.", promised,
     FILTERS, false},
    {"seenset_current_fp_rate", "False-positive rate of the bits as they are.",
     current, FILTERS, false},
    {"seenset_expected_false_positives",
     "New keys that were answered seen so far, expected; +Inf: not known.",
     wrong, ALL, false},
    {"seenset_least_false_positives",
     "The same: so many as expected, or if that is not known, at least.",
     least_wrong, ALL, false},
    {"seenset_is_skewed",
     "1: the hash is too weak for the keys, and the rates are not to be "
     "trusted.",
     skewed, FILTERS, false},
    {"seenset_fill", "Part of the bits, or counters, that are set.", fill,
     FILTERS, false},
    {"seenset_size_bits", "Bits, or counters, of all tables.", size, FILTERS,
     false},
    {"seenset_memory_bytes", "Memory that the set takes.", memory, ALL, false},
    {"seenset_file_bytes", "Length of the file.", file_bytes, FILES, false},
    {"seenset_table_count", "Tables that the set is made of.", tables, FILTERS,
     false},
    {"seenset_full_counters", "Counters that are full, and stay so.",
     full_counters, FILES, false},
    {"seenset_oldest_key_seconds",
     "Windows by age: age of the oldest key that is remembered, at most.",
     oldest, FILES, false},
    {"seenset_queue_is_readable", "1: the queue's files could be read.",
     readable, QUEUES, true},
    {"seenset_queue_pending", "Items not acked, and not under a lease now.",
     pending, QUEUES, false},
    {"seenset_queue_leased", "Items under a lease that has not ended.", leased,
     QUEUES, false},
    {"seenset_queue_delayed", "Pending items whose delay has not ended.",
     delayed, QUEUES, false},
    {"seenset_queue_pushed", "Items that were ever pushed.", pushed, QUEUES,
     false},
    {"seenset_queue_acked", "Items that were ever acked.", acked, QUEUES,
     false},
    {"seenset_queue_dropped_as_seen", "URLs that were dropped as seen.",
     dropped, QUEUES, false},
    {"seenset_queue_refused", "New URLs that a full set refused.", refused,
     QUEUES, false},
    {"seenset_queue_not_url", "Lines that were not URLs.", not_url, QUEUES,
     false},
    {"seenset_queue_forgotten", "URLs forgotten, and not pushed since.",
     forgotten, QUEUES, false},
    {"seenset_queue_seconds_to_due", "Until the next lease or delay ends.",
     seconds_to_due, QUEUES, false},
    {"seenset_queue_log_bytes", "Length of the log files.", log_bytes, QUEUES,
     false},
    {"seenset_queue_segments", "Log files.", segments, QUEUES, false},
    {"seenset_queue_torn_bytes", "Unfinished bytes at the log's end.",
     torn_bytes, QUEUES, false},
};

#define GAUGE_COUNT (sizeof gauges / sizeof gauges[0])

/* ---- the text ---- */

static void print_label(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length = json_utf8_length(text);
        if (length == 0)
            fputs("\xef\xbf\xbd", out); /* U+FFFD */
        else if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            fwrite(text, 1, length, out);
        text += length == 0 ? 1 : length;
    }
}

static void print_value(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g\n", value);
    else
        fputs(isnan(value) ? "NaN\n" : value > 0 ? "+Inf\n" : "-Inf\n", out);
}

/* Does the queue keep the URLs themselves? */
static bool is_exact(const prometheus_file *of)
{
    return of->is_queue && of->stats.table_count == 0;
}

static void print_sample(FILE *out, const gauge *what,
                         const prometheus_file *of)
{
    fprintf(out, "%s{file=\"", what->name);
    print_label(out, of->path);
    if (what->value == one)
        fprintf(out, "\",layout=\"%s\",on_full=\"%s\",scheme=\"%s",
                is_exact(of) ? "exact" : seenset_layout_name(of->stats.layout),
                seenset_on_full_name(of->stats.on_full),
                is_exact(of) ? "none" : seenset_scheme_name(of->stats.scheme));
    fputs("\"} ", out);
    print_value(out, what->value(of));
}

static bool has_subject(subject wanted, const prometheus_file *of)
{
    switch (wanted) {
    case FILTERS:
        return !is_exact(of);
    case FILES:
        return !of->is_queue;
    case QUEUES:
        return of->is_queue;
    default:
        return true;
    }
}

/* An age is that of windows; only sets that fill up have a capacity; nothing is
 * due without a lease. A gauge without a sample is left out whole. */
static bool has_sample(const gauge *what, const prometheus_file *of)
{
    if (!has_subject(what->of, of))
        return false;
    if (!of->is_open)
        return what->is_of_any;
    if (what->value == seconds_to_due)
        return isfinite(of->queue.seconds_to_due);
    if (what->value == capacity && is_exact(of))
        return of->stats.on_full == SEENSET_ON_FULL_REFUSE;
    return what->value != oldest || !isnan(of->oldest_key_seconds);
}

static void print_gauge(FILE *out, const gauge *what,
                        const prometheus_file *files, size_t count)
{
    bool is_begun = false;
    for (size_t i = 0; i < count; i++) {
        if (!has_sample(what, &files[i]))
            continue;
        if (!is_begun)
            fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", what->name,
                    what->help, what->name);
        is_begun = true;
        print_sample(out, what, &files[i]);
    }
}

void prometheus_print(FILE *out, const prometheus_file *files, size_t count)
{
    for (size_t i = 0; i < GAUGE_COUNT; i++)
        print_gauge(out, &gauges[i], files, count);
}
