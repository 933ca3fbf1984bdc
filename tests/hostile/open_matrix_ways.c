/* open_matrix_ways.c - the ways to open; the idea is in open_matrix.h */
#include "open_matrix.h"
#include "stream.h"

static const uint8_t other_secret[SEENSET_SECRET_BYTES] = "another";

static int by_path(seenset **out, const matrix_file *from,
                   const seenset_open_options *options)
{
    return seenset_open(out, from->path, options);
}

static int by_bytes(seenset **out, const matrix_file *from,
                    const seenset_open_options *options)
{
    return seenset_open_bytes(out, from->bytes, from->size_bytes, options);
}

/* In pieces of an odd size; what follows the set is not read. */
static int by_stream(seenset **out, const matrix_file *from,
                     const seenset_open_options *options)
{
    test_stream stream = {.bytes = from->bytes,
                          .size_bytes = from->size_bytes,
                          .piece_bytes = 1777};
    int error = seenset_read(out, test_stream_read, &stream, options);
    if (error == SEENSET_OK)
        assert_int_equal(stream.at, from->size_bytes);
    return error;
}

matrix_opener *const matrix_openers[] = {by_path, by_bytes, by_stream};
const size_t matrix_opener_count = TEST_COUNT(matrix_openers);

const unsigned matrix_ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                SEENSET_OPEN_COPY,
                                SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED};
const size_t matrix_way_count = TEST_COUNT(matrix_ways);

/* A stream is always copied. */
bool matrix_is_copy(matrix_opener *open, uint32_t flags)
{
    return open == by_stream || (flags & SEENSET_OPEN_COPY) != 0;
}

/* ---- what opening answers ---- */

/* What opening has to answer; 1: any error that a header can have. */
static int expected_of(const matrix_file *from, matrix_opener *open,
                       uint32_t flags)
{
    bool is_copy = matrix_is_copy(open, flags) || test_views_are_copies();
    bool is_shared = (flags & SEENSET_FLAG_SHARED) != 0;
    if (open == by_stream && flags == SEENSET_OPEN_UNCHECKED)
        return SEENSET_EINVAL;
    if (from->how == MATRIX_HEADER)
        return 1;
    /* of a stream the header is read before its end is seen */
    bool is_cut_late = open == by_stream && from->how == MATRIX_CUT;
    if (from->how >= MATRIX_CUT &&
        !(is_cut_late && is_shared && !from->of->can_share))
        return SEENSET_ETRUNCATED;
    if (is_shared && !from->of->can_share)
        return SEENSET_EUNSUPPORTED;
    /* the last block is the directory of a table that grows in place */
    bool is_directory = from->how == MATRIX_SUMS && from->version == 6 &&
                        !matrix_has_slots(from->of) &&
                        (flags & SEENSET_OPEN_UNCHECKED) == 0;
    return is_directory || (is_copy && from->how != MATRIX_SOUND)
               ? SEENSET_ECORRUPT
               : SEENSET_OK;
}

static bool is_header_error(int error)
{
    return error == SEENSET_EFORMAT || error == SEENSET_EVERSION ||
           error == SEENSET_ETRUNCATED || error == SEENSET_ECORRUPT ||
           error == SEENSET_EHASH || error == SEENSET_ESECRET ||
           error == SEENSET_EJOURNAL;
}

const char *matrix_judge_open(const matrix_file *from, matrix_opener *open,
                              uint32_t flags, int *error)
{
    seenset_open_options options = matrix_options_for(from->of, flags);
    seenset *set = NULL;
    seenset_file_report report = {.reason = "untouched"};
    options.report = &report;
    *error = open(&set, from, &options);
    int expected = expected_of(from, open, flags);
    bool is_it = expected == 1 ? is_header_error(*error) : *error == expected;
    seenset_free(set);
    if (!is_it || (set != NULL) != (*error == 0))
        return "opening answered what it must not";
    if ((report.reason[0] == '\0') != (*error == 0) ||
        (open != by_stream && (report.file_bytes != from->size_bytes ||
                               report.offset > from->size_bytes)))
        return "the report is wrong";
    return NULL;
}

const char *matrix_judge_wrong_ways(const matrix_file *from,
                                    matrix_opener *open)
{
    static const uint32_t bad_flags[] = {
        SEENSET_FLAG_SHARED,
        SEENSET_FLAG_SLIDING,
        SEENSET_OPEN_COPY | SEENSET_OPEN_UNCHECKED,
        SEENSET_OPEN_COPY | SEENSET_OPEN_APPEND,
        SEENSET_OPEN_APPEND | SEENSET_FLAG_SHARED,
        UINT32_C(1) << 31,
        ~UINT32_C(0)};
    const matrix_kind *of = from->of;
    int marker;
    seenset *set = NULL;
    for (size_t i = 0; i < TEST_COUNT(bad_flags); i++) {
        seenset_open_options options = matrix_options_for(of, bad_flags[i]);
        if (open(&set, from, &options) != SEENSET_EINVAL)
            return "bad flags were taken";
    }
    seenset_open_options options = matrix_options_for(of, 0);
    options.reserved[TEST_COUNT(options.reserved) - 1] = 1;
    if (open(&set, from, &options) != SEENSET_EINVAL)
        return "a reserved field was taken";
    for (size_t i = 0; i < matrix_way_count; i++) {
        if (open == by_stream && matrix_ways[i] == SEENSET_OPEN_UNCHECKED)
            continue;
        options = matrix_options_for(of, matrix_ways[i]);
        options.secret = of->is_keyed ? NULL : matrix_secret;
        if (open(&set, from, &options) != SEENSET_ESECRET)
            return "a secret too few or too many was taken";
        options.secret = other_secret;
        if (open(&set, from, &options) != SEENSET_ESECRET)
            return "another secret was taken";
        options = matrix_options_for(of, matrix_ways[i]);
        options.index_function = of->is_caller ? NULL : matrix_index_key;
        if (open(&set, from, &options) != SEENSET_EHASH)
            return "a function too few or too many was taken";
        options.index_function = matrix_index_key;
        options.index_context = &marker;
        if (open(&set, from, &options) != SEENSET_EHASH)
            return "another function was taken";
    }
    return set == NULL ? NULL : "a set was stored after an error";
}
