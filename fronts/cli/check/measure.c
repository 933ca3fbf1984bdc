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

/* The file itself says all of a Golomb-coded set. */
static void take_coded(measured *out)
{
    const seenset_foreign_filter *filter = &out->filter;
    bool is_empty = filter->added_items == 0;
    out->figures =
        (verdict_figures){.size_bits = filter->size_bits,
                          .promised = filter->fp_rate,
                          .estimated_items = (double)filter->added_items,
                          .rate = is_empty ? 0 : filter->fp_rate};
    out->found = is_empty ? VERDICT_EMPTY : VERDICT_SOUND;
}

static bool is_coded(const seenset_foreign *file)
{
    seenset_foreign_info info = {0};
    (void)seenset_foreign_get_info(file, &info, sizeof info);
    return info.format == SEENSET_FORMAT_BIP158;
}

measured measure_filter(const seenset_foreign *file, uint32_t number)
{
    measured out = {.filter = {.column = "", .reason = ""}, .reason = ""};
    (void)seenset_foreign_get_filter(file, number, &out.filter,
                                     sizeof out.filter);
    out.is_coded = is_coded(file);
    out.error = out.filter.error;
    out.reason = out.filter.reason;
    out.reason_offset = out.filter.reason_offset;
    if (out.error != 0)
        return out;
    if (out.is_coded) {
        take_coded(&out);
        return out;
    }
    out.error = count_bits(&out, file, number);
    if (out.error != 0) {
        out.reason = seenset_strerror(out.error);
        out.reason_offset = out.filter.bits_offset;
    }
    return out;
}
