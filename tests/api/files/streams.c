/*
 * streams.c - sets written and read through functions of the caller's.
 *
 * A stream has the bytes that a file has, whatever the pieces; several sets can
 * follow each other in one; what is cut or damaged is refused with the error
 * and the report that a copy from memory has; and no second copy of the set is
 * in memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

enum {
    ITEMS = 1500
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen letters";

static const seenset_options kinds[] = {
    {.capacity_items = ITEMS},
    {.capacity_items = 50},       /* grows to several tables */
    {.capacity_items = ITEMS + 1, /* room for one that is new */
     .layout = SEENSET_LAYOUT_BLOOM,
     .on_full = SEENSET_ON_FULL_REFUSE},
    {.layout = SEENSET_LAYOUT_BLOOM, .flags = SEENSET_FLAG_SHARED},
    {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 16},
    {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 3},
    {.on_full = SEENSET_ON_FULL_ROTATE, .capacity_items = 700},
    {.on_full = SEENSET_ON_FULL_ROTATE,
     .flags = SEENSET_FLAG_SLIDING,
     .window_seconds = 1000000,
     .capacity_items = 300},
    {.secret = secret},
    {.layout = SEENSET_LAYOUT_BLOOM, .scheme = SEENSET_SCHEME_MD5_DIVMOD},
};

/* One more than there are kinds of options: the last is sealed. */
enum {
    KINDS = TEST_COUNT(kinds) + 1
};

static seenset_options options_of(size_t kind)
{
    seenset_options options =
        kind < TEST_COUNT(kinds) ? kinds[kind] : (seenset_options){0};
    if (options.capacity_items == 0)
        options.capacity_items = ITEMS;
    return options;
}

static seenset *make(size_t kind)
{
    seenset *set = NULL;
    uint64_t numbers[ITEMS];
    seenset_key keys[ITEMS];
    for (size_t i = 0; i < ITEMS; i++) {
        numbers[i] = i;
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    if (kind == TEST_COUNT(kinds)) {
        assert_int_equal(
            seenset_build_sealed(&set, NULL, keys, ITEMS, NULL, NULL),
            SEENSET_OK);
        return set;
    }
    set = test_make(options_of(kind));
    assert_int_equal(seenset_add_many(set, keys, ITEMS, NULL), SEENSET_OK);
    return set;
}

static seenset_open_options opening(size_t kind)
{
    return (seenset_open_options){.flags = SEENSET_OPEN_COPY,
                                  .secret = options_of(kind).secret};
}

static void must_write(const seenset *set, test_stream *stream)
{
    assert_int_equal(seenset_write(set, test_stream_write, stream), SEENSET_OK);
}

/* ---- the same bytes ---- */

static void streams_have_the_bytes_of_files(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        seenset *set = make(kind);
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        test_stream stream = {0};
        must_write(set, &stream);
        assert_int_equal(stream.size_bytes, size_bytes);
        assert_memory_equal(stream.bytes, bytes, size_bytes);
        assert_true(stream.most_bytes <= 64 << 10);
        test_stream_free(&stream);
        seenset_free(set);
        free(bytes);
    }
}

/* Writes the part, which is the same part of the bytes of the whole. */
static void check_part(const seenset *set, const test_stream *whole,
                       size_t first, size_t size_bytes)
{
    test_stream part = {0};
    assert_int_equal(
        seenset_write_part(set, first, size_bytes, test_stream_write, &part),
        SEENSET_OK);
    assert_int_equal(part.size_bytes, size_bytes);
    assert_int_equal(part.calls > 0, size_bytes > 0);
    if (size_bytes > 0)
        assert_memory_equal(part.bytes, whole->bytes + first, size_bytes);
    assert_true(part.most_bytes <= 64 << 10);
    test_stream_free(&part);
}

static void check_parts(seenset *set)
{
    test_stream whole = {0};
    must_write(set, &whole);
    size_t size_bytes = whole.size_bytes;
    for (size_t at = 0; at <= size_bytes; at += at < 600 ? 1 : 997) {
        check_part(set, &whole, at, at < size_bytes ? 1 : 0);
        check_part(set, &whole, at, 0);
        check_part(set, &whole, at, (size_bytes - at) / 2);
        check_part(set, &whole, at, size_bytes - at);
        check_part(set, &whole, size_bytes - at, at);
    }
    test_stream part = {0};
    assert_int_equal(
        seenset_write_part(set, 1, size_bytes, test_stream_write, &part),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_write_part(set, UINT64_MAX, 1, test_stream_write, &part),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_write_part(set, 1, SIZE_MAX, test_stream_write, &part),
        SEENSET_EINVAL);
    assert_int_equal(part.calls, 0);
    test_stream_free(&whole);
}

static void parts_have_the_bytes_of_the_whole(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        seenset *set = make(kind);
        check_parts(set);
        seenset_free(set);
    }
}

/* Tables that grow in place have pages of many segments, and words have many
 * blocks of sums. */
static void parts_of_large_sets_begin_anywhere(void **state)
{
    static const seenset_options large[] = {
        {.capacity_items = 1000, .fp_rate = 0.001},
        {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 3000000}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(large); i++) {
        seenset *set = test_make(large[i]);
        test_stream whole = {0};
        for (uint64_t n = 0; n < 1000000; n++)
            assert_true(seenset_add_hash(set, test_mix(n)) >= 0);
        must_write(set, &whole);
        assert_true(whole.size_bytes > 1 << 20);
        for (size_t n = 0; n < 500; n++) {
            size_t first = test_mix(n) % whole.size_bytes;
            size_t left = whole.size_bytes - first;
            check_part(set, &whole, first, left < 20000 ? left : 20000);
        }
        for (size_t back = 1; back < 20000; back += 61)
            check_part(set, &whole, whole.size_bytes - back, back);
        test_stream_free(&whole);
        seenset_free(set);
    }
}

static void pieces_may_be_of_any_size(void **state)
{
    static const size_t pieces[] = {1, 7, 64, 127, 129, 4095, 4097, 0};
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        seenset *set = make(kind);
        test_stream stream = {0};
        must_write(set, &stream);
        for (size_t i = 0; i < TEST_COUNT(pieces); i++) {
            seenset_open_options options = opening(kind);
            seenset *read = NULL;
            stream.at = 0;
            stream.piece_bytes = pieces[i];
            assert_int_equal(
                seenset_read(&read, test_stream_read, &stream, &options), 0);
            assert_int_equal(stream.at, stream.size_bytes);
            assert_true(test_are_equal(read, set));
            seenset_free(read);
        }
        test_stream_free(&stream);
        seenset_free(set);
    }
}

/* Every kind in one stream, and other bytes between them. */
static void sets_may_follow_each_other(void **state)
{
    test_stream stream = {0};
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        seenset *set = make(kind);
        must_write(set, &stream);
        assert_int_equal(test_stream_write(&stream, "between", 7), 0);
        seenset_free(set);
    }
    for (size_t kind = 0; kind < KINDS; kind++) {
        seenset_open_options options = opening(kind);
        seenset *read = NULL, *set = make(kind);
        char between[7];
        assert_int_equal(
            seenset_read(&read, test_stream_read, &stream, &options), 0);
        assert_true(test_are_equal(read, set));
        assert_int_equal(test_stream_read(&stream, between, 7), 7);
        assert_memory_equal(between, "between", 7);
        seenset_free(read);
        seenset_free(set);
    }
    assert_int_equal(stream.at, stream.size_bytes);
    test_stream_free(&stream);
}

/* Files of every format version, as they were written then. */
static void golden_files_are_read_as_streams(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        test_stream stream = {0};
        stream.bytes = test_golden_bytes(i, &stream.size_bytes);
        seenset *read = NULL, *opened = NULL;
        seenset_open_options options = {.flags = SEENSET_OPEN_COPY};
        int error = seenset_open_bytes(&opened, stream.bytes, stream.size_bytes,
                                       &options);
        assert_int_equal(
            seenset_read(&read, test_stream_read, &stream, &options), error);
        if (error == SEENSET_OK)
            assert_true(test_are_equal(read, opened));
        seenset_free(read);
        seenset_free(opened);
        test_stream_free(&stream);
    }
}

/* ---- refusals ---- */

static int read_bytes(const test_stream *from, size_t size_bytes,
                      seenset_file_report *report)
{
    test_stream stream = {.bytes = from->bytes, .size_bytes = size_bytes};
    seenset_open_options options = {.report = report};
    seenset *read = NULL;
    int error = seenset_read(&read, test_stream_read, &stream, &options);
    assert_true((read != NULL) == (error == SEENSET_OK));
    seenset_free(read);
    return error;
}

static void streams_that_end_early_are_refused(void **state)
{
    seenset *set = make(1);
    test_stream stream = {0};
    seenset_file_report report;
    (void)state;
    must_write(set, &stream);
    for (size_t size = 0; size < stream.size_bytes; size++) {
        assert_int_equal(read_bytes(&stream, size, &report),
                         SEENSET_ETRUNCATED);
        assert_string_not_equal(report.reason, "");
    }
    assert_int_equal(read_bytes(&stream, stream.size_bytes, &report), 0);
    assert_string_equal(report.reason, "");
    assert_int_equal(report.file_bytes, stream.size_bytes);
    test_stream_free(&stream);
    seenset_free(set);
}

/* Each bit of a stream: refused as a copy from memory is, for one reason. */
static void damaged_streams_are_refused_as_copies_are(void **state)
{
    seenset *set = make(1);
    test_stream stream = {0};
    (void)state;
    must_write(set, &stream);
    for (size_t bit = 0; bit < stream.size_bytes * 8; bit += 3) {
        seenset_file_report report, expected;
        seenset_open_options copying = {.flags = SEENSET_OPEN_COPY,
                                        .report = &expected};
        seenset *opened = NULL;
        stream.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        int error = seenset_open_bytes(&opened, stream.bytes, stream.size_bytes,
                                       &copying);
        assert_true(error < 0);
        assert_int_equal(read_bytes(&stream, stream.size_bytes, &report),
                         error);
        assert_string_equal(report.reason, expected.reason);
        assert_int_equal(report.offset, expected.offset);
        stream.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    test_stream_free(&stream);
    seenset_free(set);
}

static void functions_that_fail_end_the_call(void **state)
{
    seenset *set = make(1);
    test_stream whole = {0};
    (void)state;
    must_write(set, &whole);
    for (size_t i = 1; i <= whole.calls + 1; i++) {
        test_stream stream = {.failing = i};
        bool fails = i <= whole.calls;
        errno = 0;
        assert_int_equal(seenset_write(set, test_stream_write, &stream),
                         fails ? SEENSET_EIO : SEENSET_OK);
        assert_int_equal(errno, fails ? EPIPE : 0);
        assert_int_equal(stream.calls, fails ? i : whole.calls);
        test_stream_free(&stream);
    }
    for (size_t i = 1;; i++) {
        test_stream stream = {.bytes = whole.bytes,
                              .size_bytes = whole.size_bytes,
                              .piece_bytes = 100,
                              .failing = i};
        seenset *read = NULL;
        int error = seenset_read(&read, test_stream_read, &stream, NULL);
        seenset_free(read);
        if (error == SEENSET_OK) {
            assert_true(i > whole.size_bytes / 100);
            break;
        }
        assert_int_equal(error, SEENSET_EIO);
        assert_int_equal(errno, EPIPE);
        assert_null(read);
    }
    test_stream_free(&whole);
    seenset_free(set);
}

/* More than it was asked for. */
static int64_t boast(void *context, void *bytes, size_t size_bytes)
{
    int64_t got = test_stream_read(context, bytes, size_bytes);
    return got > 0 ? got + 1 : got;
}

static void functions_that_boast_are_not_believed(void **state)
{
    seenset *set = make(0), *read = NULL;
    test_stream stream = {0};
    seenset_file_report report;
    seenset_open_options options = {.report = &report};
    (void)state;
    must_write(set, &stream);
    assert_int_equal(seenset_read(&read, boast, &stream, &options),
                     SEENSET_EIO);
    assert_string_equal(report.reason, "the caller's function failed");
    assert_null(read);
    test_stream_free(&stream);
    seenset_free(set);
}

static void streams_are_never_views(void **state)
{
    static const unsigned bad[] = {SEENSET_OPEN_UNCHECKED, SEENSET_FLAG_SHARED,
                                   8};
    seenset *set = make(2), *read = NULL;
    test_stream stream = {0};
    (void)state;
    must_write(set, &stream);
    for (size_t i = 0; i < TEST_COUNT(bad); i++) {
        seenset_open_options options = {.flags = bad[i]};
        assert_int_equal(
            seenset_read(&read, test_stream_read, &stream, &options),
            SEENSET_EINVAL);
    }
    assert_int_equal(stream.at, 0); /* nothing was read */
    seenset_open_options shared = {.flags =
                                       SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED};
    assert_int_equal(seenset_read(&read, test_stream_read, &stream, &shared),
                     SEENSET_OK);
    assert_int_equal(seenset_add(read, "new", 3), 1);
    seenset_free(read);
    test_stream_free(&stream);
    seenset_free(set);
}

/* ---- memory ---- */

static int discard(void *context, const void *bytes, size_t size_bytes)
{
    (void)context;
    (void)bytes;
    (void)size_bytes;
    return 0;
}

static void no_second_copy_is_in_memory(void **state)
{
    test_memory memory;
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        test_memory_init(&memory);
        seenset *set = test_make(
            (seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                              .on_full = SEENSET_ON_FULL_DEGRADE,
                              .size_bits = 1 << 23,
                              .flags = shared ? SEENSET_FLAG_SHARED : 0,
                              .allocator = &memory.allocator});
        uint64_t calls = memory.calls;
        test_stream stream = {0};
        assert_int_equal(seenset_write(set, discard, NULL), SEENSET_OK);
        assert_int_equal(memory.calls > calls, shared);
        must_write(set, &stream);
        seenset_free(set);
        test_memory_init(&memory);
        seenset_open_options options = {.allocator = &memory.allocator};
        assert_int_equal(
            seenset_read(&set, test_stream_read, &stream, &options), 0);
        assert_int_equal(memory.calls, 3); /* handle, words, sums */
        seenset_free(set);
        assert_int_equal(memory.live_bytes, 0);
        test_stream_free(&stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_have_the_bytes_of_files),
        cmocka_unit_test(parts_have_the_bytes_of_the_whole),
        cmocka_unit_test(parts_of_large_sets_begin_anywhere),
        cmocka_unit_test(pieces_may_be_of_any_size),
        cmocka_unit_test(sets_may_follow_each_other),
        cmocka_unit_test(golden_files_are_read_as_streams),
        cmocka_unit_test(streams_that_end_early_are_refused),
        cmocka_unit_test(damaged_streams_are_refused_as_copies_are),
        cmocka_unit_test(functions_that_fail_end_the_call),
        cmocka_unit_test(functions_that_boast_are_not_believed),
        cmocka_unit_test(streams_are_never_views),
        cmocka_unit_test(no_second_copy_is_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
