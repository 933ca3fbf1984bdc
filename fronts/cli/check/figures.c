/* figures.c - the figures of one filter or set, in rows */
#include <stdio.h>

#include "check/check.h"
#include "command.h"
#include "report/report.h"
#include "text/units.h"

int check_status(verdict found)
{
    return found == VERDICT_TOO_FULL ? COMMAND_NOTHING : COMMAND_DONE;
}

void check_print_figures(const verdict_figures *of, verdict found)
{
    report_row(stdout, "layout", "%s, %u bits for a key",
               seenset_layout_name(of->layout), of->hash_count);
    report_row(stdout, "size", "%s bits (%s)",
               units_grouped(of->size_bits).text,
               units_as_bytes((of->size_bits + 7) / 8).text);
    if (of->capacity_items > 0)
        report_row(stdout, "sized for", "%s keys",
                   units_grouped(of->capacity_items).text);
    if (of->promised > 0)
        report_row(stdout, "rate promised", "%.4g", of->promised);
    report_row(stdout, "bits set", "%s (%.4g %% of all)",
               units_grouped(of->set_bits).text,
               100 * (double)of->set_bits / (double)of->size_bits);
    report_row(stdout, "distinct, estimated", "%.0f", of->estimated_items);
    report_row(stdout, "rate now", "%.4g", of->rate);
    report_row(stdout, "verdict", "%s", verdict_say(of, found).text);
}
