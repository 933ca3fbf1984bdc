/*
 * report.c - see report.h.
 */
#include "dedup/report.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "command.h"
#include "report/json.h"
#include "report/figures_json.h"
#include "report/report.h"
#include "report/stdout.h"
#include "text/units.h"

int dedup_print_counts(const add_stage *into)
{
    uint64_t other_count = into->left_out.others.count;
    uint64_t missing_count = into->left_out.missing.count;
    printf("lines     %llu\nnew       %llu\nrepeated  %llu\n",
           (unsigned long long)(into->key_count + other_count + missing_count),
           (unsigned long long)into->new_count,
           (unsigned long long)(into->key_count - into->new_count));
    if (other_count > 0)
        printf("left out  %llu\n", (unsigned long long)other_count);
    if (missing_count > 0)
        printf("no key    %llu\n", (unsigned long long)missing_count);
    return stdout_flush();
}

/*
 * How many new lines were probably dropped as repeats. The library expects that
 * from the set alone; one that was filled in this run cannot have dropped more
 * lines than there were repeats.
 */
static double wrong_lines(const add_stage *into, const seenset_stats *stats)
{
    double repeated = (double)(into->key_count - into->new_count);
    bool is_all_of_it = into->added_items == into->new_count;
    if (is_all_of_it && !(stats->wrong_items <= repeated))
        return repeated;
    return stats->wrong_items;
}

/* With --exact nothing is dropped wrongly. */
static void print_wrong(const dedup *work, const seenset_stats *stats)
{
    if (work->exact.is_wanted)
        report_row(stderr, "wrongly dropped", "0; printed last: %s",
                   units_grouped(work->exact.late_count).text);
    else
        report_row(stderr, "wrongly dropped", "%s%s",
                   report_wrong_items(wrong_lines(&work->into, stats),
                                      stats->is_wrong_at_least, "")
                       .text,
                   work->set_path != NULL ? " in all runs together" : "");
}

static void print_text(const dedup *work, const seenset_stats *from)
{
    const add_stage *into = &work->into;
    seenset_stats stats = *from;
    uint64_t other_count = into->left_out.others.count;
    uint64_t missing_count = into->left_out.missing.count;
    report_row(
        stderr, "lines", "%s",
        units_grouped(into->key_count + other_count + missing_count).text);
    report_row(stderr, "new", "%s", units_grouped(into->new_count).text);
    report_row(stderr, "repeated", "%s",
               units_grouped(into->key_count - into->new_count).text);
    if (other_count > 0)
        report_row(stderr, "left out, not URLs", "%s",
                   units_grouped(other_count).text);
    if (missing_count > 0)
        report_row(stderr, "without a key", "%s",
                   units_grouped(missing_count).text);
    print_wrong(work, &stats);
    units_text size = units_as_bytes((stats.size_bits + 7) / 8);
    units_text capacity = units_grouped(stats.capacity_items);
    if (stats.window_seconds != 0) /* its tables follow the lines */
        report_row(stderr, "set", "%s in %u tables, planned for %s in W",
                   size.text, stats.table_count, capacity.text);
    else
        report_row(stderr, "set", "%s, %.2f bits per key of %s", size.text,
                   (double)stats.size_bits / (double)stats.capacity_items,
                   capacity.text);
    report_row(stderr, "fill", "%.4g %%", 100 * stats.fill);
    report_row(stderr, "rate now", "%s (planned: %.4g)",
               units_as_rate(stats.current_fp_rate).text, stats.fp_rate);
}

/* The bytes of the set file, or 0 if there is none. */
static uint64_t file_bytes(const char *path)
{
    struct stat status;
    if (path == NULL || stat(path, &status) != 0)
        return 0;
    return (uint64_t)status.st_size;
}

/* The names are those of docs/json.md. */
static void print_json(const dedup *work, const seenset_stats *stats)
{
    const add_stage *into = &work->into;
    const char *set_path = work->set_path;
    uint64_t other_count =
        into->left_out.others.count + into->left_out.missing.count;
    json to = json_start(stderr, true);
    json_count(&to, "line_count", into->key_count + other_count);
    json_count(&to, "new_count", into->new_count);
    json_count(&to, "seen_count", into->key_count - into->new_count);
    json_count(&to, "left_out_count", other_count);
    if (work->exact.is_wanted) {
        figures_json_wrong(&to, 0, false);
        json_count(&to, "late_count", work->exact.late_count);
    } else {
        figures_json_wrong(&to, wrong_lines(into, stats),
                           stats->is_wrong_at_least);
    }
    if (set_path != NULL)
        json_text(&to, "path", set_path);
    else
        json_null(&to, "path");
    json_text(&to, "layout", seenset_layout_name(stats->layout));
    json_count(&to, "capacity_items", stats->capacity_items);
    json_count(&to, "added_items", stats->added_items);
    json_real(&to, "fp_rate", stats->fp_rate);
    json_real(&to, "current_fp_rate", fabs(stats->current_fp_rate));
    json_real(&to, "fill", stats->fill);
    json_count(&to, "size_bits", stats->size_bits);
    json_count(&to, "table_count", stats->table_count);
    json_count(&to, "counter_bits", stats->counter_bits);
    json_count(&to, "memory_bytes", stats->memory_bytes);
    json_count(&to, "file_bytes", file_bytes(set_path));
    json_end(&to);
}

void dedup_print_stats(const dedup *work)
{
    seenset_stats stats = {0};
    (void)seenset_get_stats(work->into.set, &stats, sizeof stats);
    stats.wrong_items += work->into.wrong_before;
    if (work->wants_json)
        print_json(work, &stats);
    else
        print_text(work, &stats);
}
