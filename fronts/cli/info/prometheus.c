/*
 * prometheus.c - see prometheus.h.
 */
#include "info/prometheus.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "figures/figures.h"
#include "report/json.h"
#include "text/utf8.h"

/* Which files have a gauge. */
typedef enum subject {
    ALL,
    FILTERS, /* not queues that keep the URLs themselves */
    FILES,   /* not queues */
    QUEUES
} subject;

/* What its value is, at an offset in prometheus_file. */
typedef enum kind {
    ONE, /* with what the set is as labels */
    BOOL,
    U32,
    U64,
    REAL,
    SLIDING, /* a bit of flags */
    SHARED
} kind;

typedef struct gauge {
    const char *name, *meaning;
    kind kind;
    size_t offset;
    subject of;
    bool is_of_any; /* of a file that cannot be read, too */
} gauge;

#define AT(member) offsetof(prometheus_file, member)

/* The rows of figures.h that are numbers. */
#define GAUGE(prefix, name, meaning, kind, member, of)                         \
    {prefix #name, meaning, kind, AT(member), of, false},
#define SET_GAUGE(kind, member, name, python, redis, meaning)                  \
    GAUGE_##kind("seenset_", name, meaning, stats.member, FILTERS)
#define INFO_GAUGE(kind, member, name, python, redis, meaning)                 \
    GAUGE_##kind("seenset_", name, meaning, info.member, FILES)
#define QUEUE_GAUGE(kind, member, name, python, redis, meaning)                \
    GAUGE_##kind("seenset_queue_", name, meaning, queue.member, QUEUES)
#define GAUGE_U32(prefix, name, meaning, member, of)                           \
    GAUGE(prefix, name, meaning, U32, member, of)
#define GAUGE_U64(prefix, name, meaning, member, of)                           \
    GAUGE(prefix, name, meaning, U64, member, of)
#define GAUGE_REAL(prefix, name, meaning, member, of)                          \
    GAUGE(prefix, name, meaning, REAL, member, of)
#define GAUGE_FLAG(prefix, name, meaning, member, of)                          \
    GAUGE(prefix, name, meaning, BOOL, member, of)
#define GAUGE_SLIDING(prefix, name, meaning, member, of)                       \
    GAUGE(prefix, name, meaning, SLIDING, member, of)
#define GAUGE_SHARED(prefix, name, meaning, member, of)                        \
    GAUGE(prefix, name, meaning, SHARED, member, of)
#define GAUGE_LAYOUT(...)
#define GAUGE_ON_FULL(...)
#define GAUGE_SCHEME(...)
#define GAUGE_NORMALISE(...)
#define GAUGE_SITE(...)
#define GAUGE_SEED(...)
#define GAUGE_SEEDS(...)
#define GAUGE_QUEUE_SEEDS(...)
#define GAUGE_PRIORITIES(...)
#define GAUGE_WRONG(...) /* two gauges of their own */

static const gauge gauges[] = {
    {"seenset_is_sound", "1: the file was read and every checksum is right",
     BOOL, AT(is_sound), FILES, true},
    {"seenset_info", "what the set is", ONE, 0, ALL, false},
    {"seenset_expected_false_positives",
     "new keys that were answered seen so far, expected; +Inf: not known", REAL,
     AT(expected_false_positives), ALL, false},
    {"seenset_least_false_positives",
     "the same: so many as expected, or if that is not known, at least", REAL,
     AT(stats.wrong_items), ALL, false},
    {"seenset_file_bytes", "length of the file", U64, AT(file_bytes), FILES,
     false},
    {"seenset_oldest_key_seconds",
     "windows by age: age of the oldest key that is remembered, at most", REAL,
     AT(oldest_key_seconds), FILES, false},
    {"seenset_queue_is_readable", "1: the queue's files could be read", BOOL,
     AT(is_open), QUEUES, true},
    FIGURES_STATS(SET_GAUGE) FIGURES_INFO_ONLY(INFO_GAUGE)
        FIGURES_QUEUE_COUNTS(QUEUE_GAUGE) FIGURES_QUEUE_FILES(QUEUE_GAUGE)};

#define GAUGE_COUNT (sizeof gauges / sizeof gauges[0])

static double value_of(const gauge *what, const prometheus_file *of)
{
    const char *at = (const char *)of + what->offset;
    uint32_t narrow = 0;
    uint64_t wide = 0;
    double real = 0;
    switch (what->kind) {
    case BOOL:
        return *at != 0;
    case U64:
        memcpy(&wide, at, sizeof wide);
        return (double)wide;
    case REAL:
        memcpy(&real, at, sizeof real);
        return real + 0.0; /* no -0 */
    case ONE:
        return 1;
    default:
        memcpy(&narrow, at, sizeof narrow);
        if (what->kind == SLIDING)
            return (narrow & SEENSET_FLAG_SLIDING) != 0;
        if (what->kind == SHARED)
            return (narrow & SEENSET_FLAG_SHARED) != 0;
        return narrow;
    }
}

/* ---- the text ---- */

static void print_label(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length = utf8_length(text, UTF8_MOST_BYTES);
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
    if (what->kind == ONE)
        fprintf(out, "\",layout=\"%s\",on_full=\"%s\",scheme=\"%s",
                is_exact(of) ? "exact" : seenset_layout_name(of->stats.layout),
                seenset_on_full_name(of->stats.on_full),
                is_exact(of) ? "none" : seenset_scheme_name(of->stats.scheme));
    fputs("\"} ", out);
    print_value(out, value_of(what, of));
}

/* What there is of URLs that are kept themselves, without bits. */
static bool is_of_exact(const gauge *what)
{
    static const size_t offsets[] = {
        AT(stats.capacity_items), AT(stats.added_items),
        AT(stats.estimated_items), AT(stats.memory_bytes), AT(stats.is_keyed)};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        if (what->offset == offsets[i])
            return true;
    return false;
}

static bool has_subject(const gauge *what, const prometheus_file *of)
{
    switch (what->of) {
    case FILTERS:
        return !is_exact(of) || is_of_exact(what);
    case FILES:
        return !of->is_queue || what->offset == AT(info.is_at_capacity);
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
    if (!has_subject(what, of))
        return false;
    if (!of->is_open)
        return what->is_of_any;
    if (what->offset == AT(queue.seconds_to_due))
        return isfinite(of->queue.seconds_to_due);
    if (what->offset == AT(queue.seconds_to_next))
        return isfinite(of->queue.seconds_to_next);
    if (what->offset == AT(stats.capacity_items) && is_exact(of))
        return of->stats.on_full == SEENSET_ON_FULL_REFUSE;
    return what->offset != AT(oldest_key_seconds) ||
           !isnan(of->oldest_key_seconds);
}

/* A sentence. */
static void print_help(FILE *out, const gauge *what)
{
    fprintf(out, "# HELP %s %c%s.\n", what->name,
            toupper((unsigned char)what->meaning[0]), what->meaning + 1);
}

static void print_gauge(FILE *out, const gauge *what,
                        const prometheus_file *files, size_t count)
{
    bool is_begun = false;
    for (size_t i = 0; i < count; i++) {
        if (!has_sample(what, &files[i]))
            continue;
        if (!is_begun) {
            print_help(out, what);
            fprintf(out, "# TYPE %s gauge\n", what->name);
        }
        is_begun = true;
        print_sample(out, what, &files[i]);
    }
}

void prometheus_print(FILE *out, const prometheus_file *files, size_t count)
{
    for (size_t i = 0; i < GAUGE_COUNT; i++)
        print_gauge(out, &gauges[i], files, count);
}
