/*
 * foreign.c - a file of another system, filter by filter: what it promises and
 * what its bits show (measure.h).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "check/members.h"
#include "command.h"
#include "foreign/foreign_file.h"
#include "report/complain.h"
#include "report/report.h"
#include "text/units.h"

static bool is_wanted(const foreign_file *of,
                      const seenset_foreign_filter *filter)
{
    return of->column == NULL || strcmp(of->column, filter->column) == 0;
}

/* Measures a filter. 0, or COMMAND_ERROR after a message. */
static int measure(measured *out, const foreign_file *of, uint32_t number)
{
    *out = measure_filter(of->file, number);
    if (out->error == 0)
        return 0;
    complain("%s: the filter%s: %s (at byte %llu)", of->path,
             foreign_file_place(of, &out->filter).text, out->reason,
             (unsigned long long)out->reason_offset);
    return COMMAND_ERROR;
}

/* ---- text ---- */

/* Is there a row for each filter, as there may be many? */
static bool is_table(const foreign_file *of)
{
    return of->info.format == SEENSET_FORMAT_PARQUET ||
           of->info.format == SEENSET_FORMAT_LEVELDB ||
           (of->info.format == SEENSET_FORMAT_REDISBLOOM &&
            of->info.filter_count > 1);
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

static void print_coded(const measured *one)
{
    const verdict_figures *of = &one->figures;
    report_row(stdout, "layout", "Golomb-coded set");
    report_row(stdout, "size", "%s bits (%s)",
               units_grouped(of->size_bits).text,
               units_as_bytes(of->size_bits / 8).text);
    if (of->estimated_items > 0)
        report_row(stdout, "bits a key", "%.4g",
                   (double)of->size_bits / of->estimated_items);
    report_row(stdout, "rate promised", "%.4g", of->promised);
    report_row(stdout, "rate now", "%.4g", of->rate);
    report_row(stdout, "verdict", "%s", verdict_say(of, one->found).text);
}

static void print_alone(const measured *one)
{
    if (one->filter.added_items > 0)
        report_row(stdout, "keys, as it says", "%s",
                   units_grouped(one->filter.added_items).text);
    if (one->filter.seed > 0)
        report_row(stdout, "seed", "%" PRIu64, one->filter.seed);
    if (one->is_coded)
        print_coded(one);
    else
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

/* A chain is asked whole: a new key is seen if one of its filters has it. */
static void print_chain(const foreign_file *of, uint64_t items, double missing)
{
    if (of->info.format != SEENSET_FORMAT_REDISBLOOM || !is_table(of))
        return;
    putchar('\n');
    report_row(stdout, "keys, as it says", "%s", units_grouped(items).text);
    report_row(stdout, "rate now, of all", "%.4g", 1 - missing);
}

static int print_text(const foreign_file *of)
{
    bool has_rows = is_table(of) && of->info.filter_count > 0;
    int worst = COMMAND_DONE;
    uint64_t items = 0;
    double missing = 1; /* the chance that no filter has a new key */
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
        items += one.filter.added_items;
        missing *= 1 - one.figures.rate;
        if (status == 0)
            status = check_status(one.found);
        worst = status > worst ? status : worst;
    }
    print_chain(of, items, missing);
    return worst;
}

/* ---- JSON ---- */

static int print_json(json *out, const foreign_file *of)
{
    int worst = COMMAND_DONE;
    json_text(out, "path", of->path);
    members_of_file(out, &of->info);
    json_open(out, "filters", '[');
    for (uint32_t i = 0; i < of->info.filter_count; i++) {
        measured one = {.filter = foreign_file_filter(of, i)};
        if (!is_wanted(of, &one.filter))
            continue;
        int status = measure(&one, of, i);
        members_of_filter(out, &one);
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
