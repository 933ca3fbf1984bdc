/* measure.c - see measure.h */
#include "check/measure.h"

/* The figures of its bits. 0, or the library's error. */
static int count_bits(measured *out, const seenset_foreign *file,
                      uint32_t number)
{
    seenset_stats stats = {0};
    seenset *set = NULL;
    int error = seenset_foreign_set(&set, file, number);
    if (error == 0)
        error = seenset_get_stats(set, &stats, sizeof stats);
    seenset_free(set);
    if (error != 0)
        return error;
    out->figures = verdict_of_set(&stats);
    out->figures.capacity_items = out->filter.capacity_items;
    out->figures.promised = out->filter.fp_rate;
    out->found = verdict_find(&out->figures);
    return 0;
}

measured measure_filter(const seenset_foreign *file, uint32_t number)
{
    measured out = {.filter = {.column = "", .reason = ""}, .reason = ""};
    (void)seenset_foreign_get_filter(file, number, &out.filter,
                                     sizeof out.filter);
    out.error = out.filter.error;
    out.reason = out.filter.reason;
    out.reason_offset = out.filter.reason_offset;
    if (out.error != 0)
        return out;
    out.error = count_bits(&out, file, number);
    if (out.error != 0) {
        out.reason = seenset_strerror(out.error);
        out.reason_offset = out.filter.bits_offset;
    }
    return out;
}
