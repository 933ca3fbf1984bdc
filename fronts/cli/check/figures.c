/* figures.c - the figures of one filter or set, in rows and as JSON */
#include <stdio.h>

#include "check/check.h"
#include "command.h"
#include "report/report.h"
#include "text/units.h"

int check_status(verdict found)
{
    return found == VERDICT_TOO_FULL ? COMMAND_NOTHING : COMMAND_DONE;
}

void check_json_figures(json *out, const verdict_figures *of, verdict found)
{
    json_text(out, "layout", seenset_layout_name(of->layout));
    json_count(out, "size_bits", of->size_bits);
    json_count(out, "hash_count", of->hash_count);
    if (of->capacity_items > 0)
        json_count(out, "capacity_items", of->capacity_items);
    else
        json_null(out, "capacity_items");
    if (of->promised > 0)
        json_real(out, "fp_rate", of->promised);
    else
        json_null(out, "fp_rate");
    json_count(out, "set_bits", of->set_bits);
    json_real(out, "estimated_items", of->estimated_items);
    json_real(out, "current_fp_rate", of->rate);
    uint64_t needed = verdict_needed_bytes(of);
    if (needed > 0)
        json_count(out, "needed_bytes", needed);
    else
        json_null(out, "needed_bytes");
    json_text(out, "verdict", verdict_name(found));
    json_text(out, "because", verdict_say(of, found).text);
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
