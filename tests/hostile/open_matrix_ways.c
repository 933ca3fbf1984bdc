/* open_matrix_ways.c - the ways to open; the idea is in open_matrix.h */
#include "open_matrix.h"

static const uint8_t other_secret[SEENSET_SECRET_BYTES] = "another";

static int by_path_report(seenset **out, const matrix_file *from,
                          const seenset_open_options *options,
                          seenset_file_report *report)
{
    return seenset_open_report(out, from->path, options, report);
}

static int by_path_with(seenset **out, const matrix_file *from,
                        const seenset_open_options *options,
                        seenset_file_report *report)
{
    (void)report;
    return seenset_open_with(out, from->path, options);
}

static int by_path(seenset **out, const matrix_file *from,
                   const seenset_open_options *options,
                   seenset_file_report *report)
{
    (void)report;
    return seenset_open(out, from->path, options->flags);
}

static int by_bytes_report(seenset **out, const matrix_file *from,
                           const seenset_open_options *options,
                           seenset_file_report *report)
{
    return seenset_open_bytes_report(out, from->bytes, from->size_bytes,
                                     options, report);
}

static int by_bytes_with(seenset **out, const matrix_file *from,
                         const seenset_open_options *options,
                         seenset_file_report *report)
{
    (void)report;
    return seenset_open_bytes_with(out, from->bytes, from->size_bytes, options);
}

static int by_bytes(seenset **out, const matrix_file *from,
                    const seenset_open_options *options,
                    seenset_file_report *report)
{
    (void)report;
    return seenset_open_bytes(out, from->bytes, from->size_bytes,
                              options->flags);
}

matrix_opener *const matrix_openers[] = {by_path_report, by_path_with,
                                         by_path,        by_bytes_report,
                                         by_bytes_with,  by_bytes};
const size_t matrix_opener_count = TEST_COUNT(matrix_openers);

const unsigned matrix_ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                SEENSET_OPEN_COPY,
                                SEENSET_OPEN_COPY | SEENSET_SHARED};
const size_t matrix_way_count = TEST_COUNT(matrix_ways);

/* by_path and by_bytes can give neither secret nor function. */
bool matrix_can_open(matrix_opener *open, const matrix_kind *of)
{
    return (open != by_path && open != by_bytes) ||
           (!of->is_keyed && !of->is_caller);
}

/* ---- what opening answers ---- */

/* What opening has to answer; 1: any error that a header can have. */
static int expected_of(const matrix_file *from, unsigned flags)
{
    bool is_copy = (flags & SEENSET_OPEN_COPY) != 0;
    bool is_shared = (flags & SEENSET_SHARED) != 0;
    if (from->how == MATRIX_HEADER)
        return 1;
    if (from->how >= MATRIX_CUT)
        return SEENSET_ETRUNCATED;
    if (is_shared && !from->of->can_share)
        return SEENSET_EUNSUPPORTED;
    return is_copy && from->how != MATRIX_SOUND ? SEENSET_ECORRUPT : SEENSET_OK;
}

static bool is_header_error(int error)
{
    return error == SEENSET_EFORMAT || error == SEENSET_EVERSION ||
           error == SEENSET_ETRUNCATED || error == SEENSET_ECORRUPT ||
           error == SEENSET_EHASH || error == SEENSET_ESECRET;
}

const char *matrix_judge_open(const matrix_file *from, matrix_opener *open,
                              unsigned flags, int *error)
{
    seenset_open_options options = matrix_options_for(from->of, flags);
    seenset *set = NULL;
    seenset_file_report report = {.reason = "untouched"};
    *error = open(&set, from, &options, &report);
    int expected = expected_of(from, flags);
    bool is_it = expected == 1 ? is_header_error(*error) : *error == expected;
    bool is_reporting = open == by_path_report || open == by_bytes_report;
    seenset_free(set);
    if (!is_it || (set != NULL) != (*error == 0))
        return "opening answered what it must not";
    if (is_reporting && ((report.reason[0] == '\0') != (*error == 0) ||
                         report.file_bytes != from->size_bytes ||
                         report.offset > from->size_bytes))
        return "the report is wrong";
    return NULL;
}

const char *matrix_judge_wrong_ways(const matrix_file *from,
                                    matrix_opener *open)
{
    static const unsigned bad_flags[] = {SEENSET_SHARED, 5, 6, 8, 1024, ~0u};
    const matrix_kind *of = from->of;
    int marker;
    seenset *set = NULL;
    seenset_file_report report;
    for (size_t i = 0; i < TEST_COUNT(bad_flags); i++) {
        seenset_open_options options = matrix_options_for(of, bad_flags[i]);
        if (open(&set, from, &options, &report) != SEENSET_EINVAL)
            return "bad flags were taken";
    }
    if (open == by_path || open == by_bytes)
        return NULL;
    for (size_t i = 0; i < matrix_way_count; i++) {
        seenset_open_options options = matrix_options_for(of, matrix_ways[i]);
        options.secret = of->is_keyed ? NULL : matrix_secret;
        if (open(&set, from, &options, &report) != SEENSET_ESECRET)
            return "a secret too few or too many was taken";
        options.secret = other_secret;
        if (open(&set, from, &options, &report) != SEENSET_ESECRET)
            return "another secret was taken";
        options = matrix_options_for(of, matrix_ways[i]);
        options.index_function = of->is_caller ? NULL : matrix_index_key;
        if (open(&set, from, &options, &report) != SEENSET_EHASH)
            return "a function too few or too many was taken";
        options.index_function = matrix_index_key;
        options.index_context = &marker;
        if (open(&set, from, &options, &report) != SEENSET_EHASH)
            return "another function was taken";
    }
    return set == NULL ? NULL : "a set was stored after an error";
}
