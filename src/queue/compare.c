/*
 * compare.c - do the options of an open name what the queue was made with?
 *
 * One row for each option: what is stored, and what is asked for, as text, for
 * the report of the first that differs. 0 means that the caller leaves it to
 * the queue; in the manifest, that its maker did.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hash/key_hash.h"
#include "queue/folder/manifest.h"
#include "queue/report.h"

typedef struct row {
    const char *name; /* of the field of the options */
    uint64_t stored, asked;
    const char *(*word)(uint64_t value); /* NULL: a number */
} row;

/* ---- values as words ---- */

static const char *layout_word(uint64_t value)
{
    return seenset_layout_name((seenset_layout)value);
}

static const char *policy_word(uint64_t value)
{
    return seenset_on_full_name((seenset_on_full)value);
}

static const char *scheme_word(uint64_t value)
{
    return seenset_scheme_name((seenset_scheme)value);
}

static const char *spelling_word(uint64_t value)
{
    return value == SEENSET_QUEUE_NORMALISE_URL ? "url" : "off";
}

static const char *yes_word(uint64_t value)
{
    (void)value;
    return "yes";
}

/* ---- the report ---- */

static int refuse(seenset_queue_report *report, const char *name,
                  const char *stored, const char *asked)
{
    char reason[sizeof report->reason];
    snprintf(reason, sizeof reason, "%s: %s, not %s", name, stored, asked);
    return ss_report_refuse(report, SEENSET_EMISMATCH, SS_FOLDER_MANIFEST, 0,
                            reason);
}

static void write_value(const row *of, uint64_t value, char text[24])
{
    if (value == 0)
        snprintf(text, 24, "none");
    else if (of->word != NULL)
        snprintf(text, 24, "%s", of->word(value));
    else
        snprintf(text, 24, "%" PRIu64, value);
}

static int compare_rows(const row *rows, size_t count,
                        seenset_queue_report *report)
{
    char stored[24], asked[24];
    for (size_t i = 0; i < count; i++) {
        const row *of = &rows[i];
        if (of->asked == 0 || of->asked == of->stored)
            continue;
        write_value(of, of->stored, stored);
        write_value(of, of->asked, asked);
        return refuse(report, of->name, stored, asked);
    }
    return SEENSET_OK;
}

static int compare_rate(double stored, double asked,
                        seenset_queue_report *report)
{
    char texts[2][24];
    if (asked == 0.0 || asked == stored)
        return SEENSET_OK;
    snprintf(texts[0], sizeof texts[0], stored > 0.0 ? "%g" : "none", stored);
    snprintf(texts[1], sizeof texts[1], "%g", asked);
    return refuse(report, "fp_rate", texts[0], texts[1]);
}

/* ---- the seeds of a scheme ---- */

enum {
    LIST_BYTES = 52, /* two of them fit into a reason */
    NUMBER_BYTES = 12
};

/* Writes "31 131 1313" or, without some, "... 131 1313 ...". Returns whether
 * all are there. */
static bool write_seeds(char text[LIST_BYTES], const uint32_t *seeds,
                        uint32_t count, uint32_t first)
{
    static const size_t mark_bytes = sizeof " ...";
    size_t length = 0;
    uint32_t i = first;
    text[0] = '\0';
    if (first > 0)
        length = (size_t)snprintf(text, LIST_BYTES, "...");
    for (; i < count && length + NUMBER_BYTES + mark_bytes < LIST_BYTES; i++)
        length +=
            (size_t)snprintf(text + length, LIST_BYTES - length, "%s%" PRIu32,
                             length > 0 ? " " : "", seeds[i]);
    if (i < count)
        snprintf(text + length, LIST_BYTES - length, " ...");
    return first == 0 && i == count;
}

/* A list that is too long for a report is shown from the first that differs. */
static int refuse_seeds(seenset_queue_report *report,
                        const ss_arguments *stored,
                        const seenset_scheme_arguments *asked)
{
    char had[LIST_BYTES], wanted[LIST_BYTES];
    uint32_t first = 0;
    if (stored->seed_count == 0)
        snprintf(had, sizeof had, "none");
    bool is_short = write_seeds(wanted, asked->seeds, asked->seed_count, 0);
    if (stored->seed_count > 0)
        is_short &= write_seeds(had, stored->seeds, stored->seed_count, 0);
    if (!is_short && stored->seed_count > 0) {
        while (first < stored->seed_count && first < asked->seed_count &&
               stored->seeds[first] == asked->seeds[first])
            first++;
        write_seeds(had, stored->seeds, stored->seed_count, first);
        write_seeds(wanted, asked->seeds, asked->seed_count, first);
    }
    return refuse(report, "seeds", had, wanted);
}

/* Are they the scheme's own? Those are no argument (ss_scheme_takes). */
static bool are_own_seeds(const seenset_scheme_arguments *asked)
{
    ss_key_hash identity;
    const ss_scheme_arguments list = {.seeds = asked->seeds,
                                      .seed_count = asked->seed_count};
    return ss_key_hash_make(&identity, SEENSET_SCHEME_POLYNOMIAL, NULL,
                            &list) != SEENSET_OK;
}

static bool are_seeds_same(const ss_manifest *manifest,
                           const seenset_scheme_arguments *asked)
{
    const ss_arguments *stored = &manifest->arguments;
    if (manifest->set.scheme != SEENSET_SCHEME_POLYNOMIAL)
        return false;
    if (stored->seed_count == 0)
        return are_own_seeds(asked);
    return stored->seed_count == asked->seed_count &&
           memcmp(stored->seeds, asked->seeds,
                  asked->seed_count * sizeof *asked->seeds) == 0;
}

/* ---- the options ---- */

/* The bits of a unit, which only this scheme has. */
static uint64_t unit_bits_of(const ss_manifest *manifest)
{
    if (manifest->set.scheme != SEENSET_SCHEME_POLYNOMIAL)
        return 0;
    return manifest->arguments.unit_bits == 16 ? 16 : 8;
}

static int compare_arguments(const ss_manifest *manifest,
                             const seenset_scheme_arguments *asked,
                             seenset_queue_report *report)
{
    if (asked == NULL)
        return SEENSET_OK;
    const row rows[] = {
        {"seed", manifest->arguments.seed, asked->seed, NULL},
        {"unit_bits", unit_bits_of(manifest), asked->unit_bits, NULL}};
    int error = compare_rows(rows, sizeof rows / sizeof rows[0], report);
    if (error != SEENSET_OK || asked->seeds == NULL ||
        are_seeds_same(manifest, asked))
        return error;
    return refuse_seeds(report, &manifest->arguments, asked);
}

/* Their secrets and functions have been compared. */
static int compare_set(const seenset_options *stored,
                       const seenset_options *asked,
                       seenset_queue_report *report)
{
    const row rows[] = {
        {"on_full", (uint64_t)stored->on_full, (uint64_t)asked->on_full,
         policy_word},
        {"window_seconds", stored->window_seconds, asked->window_seconds, NULL},
        {"window_generations", stored->window_generations,
         asked->window_generations, NULL},
        {"sliding", stored->flags & SEENSET_FLAG_SLIDING,
         asked->flags & SEENSET_FLAG_SLIDING, yes_word},
        {"flags", 0,
         asked->flags & ~(SEENSET_FLAG_SLIDING | SEENSET_FLAG_ZEROED |
                          SEENSET_FLAG_ANY_RATE),
         NULL},
        {"layout", (uint64_t)stored->layout, (uint64_t)asked->layout,
         layout_word},
        {"scheme", ss_manifest_scheme(stored),
         asked->scheme == 0 ? 0 : ss_manifest_scheme(asked), scheme_word},
        {"counter_bits", stored->counter_bits, asked->counter_bits, NULL},
        {"capacity_items", stored->capacity_items, asked->capacity_items, NULL},
        {"size_bits", stored->size_bits, asked->size_bits, NULL},
        {"hash_count", stored->hash_count, asked->hash_count, NULL}};
    int error = compare_rows(rows, sizeof rows / sizeof rows[0], report);
    return error == SEENSET_OK
               ? compare_rate(stored->fp_rate, asked->fp_rate, report)
               : error;
}

static int compare_politeness(const ss_manifest *manifest,
                              const seenset_queue_politeness *asked,
                              seenset_queue_report *report)
{
    char reason[sizeof report->reason];
    if (asked == NULL)
        return SEENSET_OK;
    if (!manifest->is_polite)
        return refuse(report, "politeness", "none", "this");
    if (!ss_rules_differ(&manifest->rules, asked, reason, sizeof reason))
        return SEENSET_OK;
    return ss_report_refuse(report, SEENSET_EMISMATCH, SS_FOLDER_MANIFEST, 0,
                            reason);
}

int ss_manifest_compare(const ss_manifest *manifest,
                        const seenset_queue_options *options)
{
    const row rows[] = {{"exact", manifest->is_exact,
                         (options->flags & SEENSET_QUEUE_EXACT) != 0, yes_word},
                        {"normalise", (uint64_t)manifest->normalise,
                         (uint64_t)options->normalise, spelling_word},
                        {"segment_bytes", manifest->segment_bytes,
                         options->segment_bytes, NULL}};
    int error =
        compare_rows(rows, sizeof rows / sizeof rows[0], options->report);
    const seenset_options *set = options->set;
    if (error == SEENSET_OK && set != NULL)
        error = compare_set(&manifest->set, set, options->report);
    if (error == SEENSET_OK && set != NULL)
        error =
            compare_arguments(manifest, set->scheme_arguments, options->report);
    if (error == SEENSET_OK)
        error =
            compare_politeness(manifest, options->politeness, options->report);
    return error;
}
