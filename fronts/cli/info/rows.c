/* rows.c - see rows.h */
#include "info/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "text/units.h"

/* Keys and capacity are right-aligned, to be compared. */
#define ROW "%15s %15s  %-9s  %-9s  %-9s  %-11s  %s\n"

void rows_print_titles(void)
{
    printf(ROW, "added keys", "capacity", "rate now", "promised", "memory",
           "layout", "file");
}

/* A queue that keeps the URLs themselves has no tables, and no rates. */
void rows_print_queue(const char *path, const seenset_stats *stats)
{
    if (stats->table_count > 0) {
        rows_print(path, stats);
        return;
    }
    bool has_capacity = stats->on_full == SEENSET_ON_FULL_REFUSE;
    printf(ROW, units_grouped(stats->added_items).text,
           has_capacity ? units_grouped(stats->capacity_items).text : "none",
           "exact", "exact", units_as_bytes(stats->memory_bytes).text, "exact",
           path);
}

void rows_print(const char *path, const seenset_stats *stats)
{
    char now[16];
    char promised[16];
    snprintf(now, sizeof now, "%.3g", fabs(stats->current_fp_rate));
    snprintf(promised, sizeof promised, "%.3g", stats->fp_rate);
    printf(ROW, units_grouped(stats->added_items).text,
           units_grouped(stats->capacity_items).text, now, promised,
           units_as_bytes(stats->memory_bytes).text,
           seenset_layout_name(stats->layout), path);
}
