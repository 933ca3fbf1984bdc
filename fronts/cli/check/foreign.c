/*
 * foreign.c - a file of another system, filter by filter: what it promises and
 * what its bits show.
 *
 * A filter becomes a set for as long as it is measured, one after the other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "command.h"
#include "foreign/foreign_file.h"
#include "report/complain.h"
#include "report/report.h"
#include "text/units.h"

/* A filter, measured. */
typedef struct measured {
    seenset_foreign_filter filter;
    verdict_figures figures;
    verdict found;
} measured;

static bool is_wanted(const foreign_file *of,
                      const seenset_foreign_filter *filter)
{
    return of->column == NULL || strcmp(of->column, filter->column) == 0;
}

static void complain_of_filter(const foreign_file *of, uint32_t number,
                               const char *reason, uint64_t offset)
{
    seenset_foreign_filter filter = foreign_file_filter(of, number);
    complain("%s: the filter%s: %s (at byte %llu)", of->path,
             foreign_file_place(of, &filter).text, reason,
             (unsigned long long)offset);
}

/* 0, or COMMAND_ERROR after a message. */
static int measure(measured *out, const foreign_file *of, uint32_t number)
{
    seenset_stats stats = {0};
    seenset *set = NULL;
    *out = (measured){.filter = foreign_file_filter(of, number)};
    int error = out->filter.error;
    if (error != 0) {
        complain_of_filter(of, number, out->filter.reason,
                           out->filter.reason_offset);
        return COMMAND_ERROR;
    }
    error = seenset_foreign_set(&set, of->file, number);
    if (error == 0)
        error = seenset_get_stats(set, &stats, sizeof stats);
    seenset_free(set);
    if (error != 0) {
        complain_of_filter(of, number, seenset_strerror(error),
                           out->filter.bits_offset);
        return COMMAND_ERROR;
    }
    out->figures = verdict_of_set(&stats);
    out->figures.capacity_items = out->filter.capacity_items;
    out->figures.promised = out->filter.fp_rate;
    out->found = verdict_find(&out->figures);
    return 0;
}

/* ---- text ---- */

/* Is there a row for each filter, as there may be many? */
static bool is_table(const foreign_file *of)
{
    return of->info.format == SEENSET_FORMAT_PARQUET ||
           of->info.format == SEENSET_FORMAT_LEVELDB;
}

static void print_head(const foreign_file *of)
{
    const seenset_foreign_info *info = &of->info;
    report_row(stdout, "file", "%s", of->path);
    report_row(stdout, "format", "%s", seenset_format_name(info->format));
    bool is_parquet = info->format == SEENSET_FORMAT_PARQUET;
    if (is_parquet || info->row_count > 0)
        report_row(stdout, is_parquet ? "rows" : "entries", "%s",
                   units_grouped(info->row_count).text);
    if (is_parquet)
        report_row(stdout, "row groups", "%s",
                   units_grouped(info->group_count).text);
    if (is_table(of))
        report_row(stdout, "filters", "%s",
                   units_grouped(info->filter_count).text);
}

static void print_alone(const measured *one)
{
    if (one->filter.added_items > 0)
        report_row(stdout, "keys, as it says", "%s",
                   units_grouped(one->filter.added_items).text);
    if (one->filter.seed > 0)
        report_row(stdout, "seed", "%" PRIu64, one->filter.seed);
    check_print_figures(&one->figures, one->found);
}

static void print_titles(const foreign_file *of)
{
    if (of->info.format == SEENSET_FORMAT_PARQUET)
        printf("\n%9s  %13s  %10s  %13s  %7s  %-9s  %-20s  %s\n", "row group",
               "values", "filter", "keys", "fill", "rate now", "column",
               "verdict");
    else
        printf("\n%9s  %10s  %4s  %13s  %7s  %-9s  %s\n", "part", "filter", "k",
               "keys", "fill", "rate now", "verdict");
}

/* Where the filter is, and how large. */
static void print_place(const foreign_file *of, const measured *one)
{
    const seenset_foreign_filter *filter = &one->filter;
    units_text size = units_as_bytes(one->figures.size_bits / 8);
    if (of->info.format == SEENSET_FORMAT_PARQUET)
        printf("%9u  %13s  %10s  ", filter->group,
               units_grouped(filter->value_count).text, size.text);
    else
        printf("%9u  %10s  %4u  ", filter->group, size.text,
               filter->hash_count);
}

static void print_row(const foreign_file *in, const measured *one)
{
    const verdict_figures *of = &one->figures;
    double keys = of->estimated_items;
    print_place(in, one);
    printf("%13s  %6.2f%%  %-9.3g  ",
           keys < 0x1p53 ? units_grouped((uint64_t)(keys + 0.5)).text : "?",
           100 * (double)of->set_bits / (double)of->size_bits, of->rate);
    if (in->info.format == SEENSET_FORMAT_PARQUET)
        printf("%-20s  ", one->filter.column);
    printf("%s\n", verdict_say(of, one->found).text);
}

/* Is any filter of the column there? Damage apart, that is an error. */
static int find_column(const foreign_file *of)
{
    for (uint32_t i = 0; i < of->info.filter_count; i++) {
        seenset_foreign_filter filter = foreign_file_filter(of, i);
        if (is_wanted(of, &filter))
            return 0;
    }
    if (of->column == NULL)
        return 0;
    complain("%s: it has no Bloom filter of '%s'; without a column, all are "
             "shown",
             of->path, of->column);
    return COMMAND_ERROR;
}

static int print_text(const foreign_file *of)
{
    bool has_rows = is_table(of) && of->info.filter_count > 0;
    int worst = COMMAND_DONE;
    print_head(of);
    if (has_rows)
        print_titles(of);
    for (uint32_t i = 0; i < of->info.filter_count; i++) {
        measured one = {.filter = foreign_file_filter(of, i)};
        if (!is_wanted(of, &one.filter))
            continue;
        int status = measure(&one, of, i);
        if (status == 0 && has_rows)
            print_row(of, &one);
        else if (status == 0)
            print_alone(&one);
        if (status == 0)
            status = check_status(one.found);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* ---- JSON ---- */

static void json_filter(json *out, const measured *one, int status)
{
    const seenset_foreign_filter *filter = &one->filter;
    json_open(out, NULL, '{');
    json_text(out, "column", filter->column);
    json_count(out, "row_group", filter->group);
    json_text(out, "type", seenset_value_type_name(filter->value_type));
    json_count(out, "value_count", filter->value_count);
    json_count(out, "bits_offset", filter->bits_offset);
    json_text(out, "scheme", seenset_scheme_name(filter->scheme));
    if (filter->scheme == SEENSET_SCHEME_BIP37)
        json_count(out, "seed", filter->seed);
    if (status == 0)
        check_json_figures(out, &one->figures, one->found);
    else
        json_text(out, "verdict",
                  filter->error == SEENSET_EUNSUPPORTED ? "unsupported"
                                                        : "damaged");
    if (filter->error != 0) {
        json_text(out, "because", filter->reason);
        json_count(out, "reason_offset", filter->reason_offset);
    }
    json_close(out, '}');
}

static int print_json(json *out, const foreign_file *of)
{
    int worst = COMMAND_DONE;
    json_text(out, "path", of->path);
    json_text(out, "format", seenset_format_name(of->info.format));
    json_count(out, "file_bytes", of->info.file_bytes);
    json_count(out, "row_count", of->info.row_count);
    json_count(out, "row_groups", of->info.group_count);
    json_open(out, "filters", '[');
    for (uint32_t i = 0; i < of->info.filter_count; i++) {
        measured one = {.filter = foreign_file_filter(of, i)};
        if (!is_wanted(of, &one.filter))
            continue;
        int status = measure(&one, of, i);
        json_filter(out, &one, status);
        if (status == 0)
            status = check_status(one.found);
        worst = status > worst ? status : worst;
    }
    json_close(out, ']');
    return worst;
}

int check_foreign_at(const char *name, bool wants_json, bool is_line)
{
    foreign_file of;
    int status = foreign_file_open(&of, name);
    if (status != 0)
        return status;
    status = find_column(&of);
    if (status != 0) {
        foreign_file_close(&of);
        return status;
    }
    if (wants_json) {
        json out = json_start(stdout, is_line);
        status = print_json(&out, &of);
        json_end(&out);
    } else {
        status = print_text(&of);
    }
    foreign_file_close(&of);
    return status;
}
