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

typedef struct gauge {
    const char *name, *help;
    double (*value)(const prometheus_file *of);
    bool is_of_any;  /* of a file that cannot be read, too */
    bool is_labeled; /* with what the set is */
} gauge;

static const gauge gauges[] = {
    {"seenset_is_sound", "1: the file was read and every checksum is right.",
     sound, true, false},
    {"seenset_info", "What the set is.", one, false, true},
    {"seenset_capacity_items", "Distinct keys that it was planned for.",
     capacity, false, false},
    {"seenset_added_items", "Adds that were answered new.", added, false,
     false},
    {"seenset_estimated_items", "Distinct keys, estimated from the bits.",
     estimated, false, false},
    {"seenset_is_at_capacity", "1: the rate rises, or new keys are refused.",
     at_capacity, false, false},
    {"seenset_fp_rate", "False-positive rate promised at capacity.", promised,
     false, false},
    {"seenset_current_fp_rate", "False-positive rate of the bits as they are.",
     current, false, false},
    {"seenset_expected_false_positives",
     "New keys that were answered seen so far, expected.", wrong, false, false},
    {"seenset_fill", "Part of the bits, or counters, that are set.", fill,
     false, false},
    {"seenset_size_bits", "Bits, or counters, of all tables.", size, false,
     false},
    {"seenset_memory_bytes", "Memory that the set takes.", memory, false,
     false},
    {"seenset_file_bytes", "Length of the file.", file_bytes, false, false},
    {"seenset_table_count", "Tables that the set is made of.", tables, false,
     false},
    {"seenset_full_counters", "Counters that are full, and stay so.",
     full_counters, false, false},
    {"seenset_oldest_key_seconds",
     "Windows by age: age of the oldest key that is remembered, at most.",
     oldest, false, false},
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

static void print_sample(FILE *out, const gauge *what,
                         const prometheus_file *of)
{
    fprintf(out, "%s{file=\"", what->name);
    print_label(out, of->path);
    if (what->is_labeled)
        fprintf(out, "\",layout=\"%s\",on_full=\"%s\",scheme=\"%s",
                seenset_layout_name(of->stats.layout),
                seenset_on_full_name(of->stats.on_full),
                seenset_scheme_name(of->stats.scheme));
    fputs("\"} ", out);
    print_value(out, what->value(of));
}

/* The age is that of windows; a gauge without a sample is left out whole. */
static bool has_sample(const gauge *what, const prometheus_file *of)
{
    if (!of->is_open)
        return what->is_of_any;
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
