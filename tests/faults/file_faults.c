/*
 * file_faults.c - every file operation of a set fails, once and for good.
 *
 * A table of calls against a table of faults. Whatever fails, the file under
 * its name is the old set or the new one, whole; a call says EIO and which
 * errno; no descriptor stays open. A temporary file stays only where nothing
 * can be unlinked any more.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "faulty_io.h"
#include "support.h"

typedef struct place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
    seenset *old, *new; /* the old one is saved at path */
    uint64_t fail_from; /* test_io.from */
} place;

typedef struct fault {
    int error; /* 0: every read and write moves one byte */
    bool is_lasting;
} fault;

/* What is interrupted for ever is tried for ever, so EINTR comes once. */
static const fault faults[] = {{EIO, false},   {EIO, true},    {ENOSPC, false},
                               {ENOSPC, true}, {EINTR, false}, {0, true}};

static int call_save(const place *at, const ss_io *io)
{
    return ss_file_save(io, at->new, at->path);
}

static int load(const ss_io *io, const char *path)
{
    seenset *set = NULL;
    int error = test_load(io, NULL, false, &set, path);
    assert_int_equal(set != NULL, error == SEENSET_OK);
    seenset_free(set);
    return error;
}

static int call_load(const place *at, const ss_io *io)
{
    return load(io, at->path);
}

static int call_load_version_1(const place *at, const ss_io *io)
{
    (void)at;
    return load(io, SEENSET_TEST_GOLDEN "/v1-blocked.seenset");
}

static int call_verify(const place *at, const ss_io *io)
{
    return ss_file_verify(io, at->path, NULL);
}

static int call_verify_version_1(const place *at, const ss_io *io)
{
    (void)at;
    return ss_file_verify(io, SEENSET_TEST_GOLDEN "/v1-bloom.seenset", NULL);
}

static int (*const calls[])(const place *at, const ss_io *io) = {
    call_save, call_load, call_load_version_1, call_verify,
    call_verify_version_1};

/* ---- the place ---- */

static seenset *make_grown(uint64_t keys)
{
    seenset_options options = {.capacity_items = 500};
    seenset *set = NULL;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    for (uint64_t i = 0; i < keys; i++)
        assert_true(seenset_add_hash(set, test_mix(i)) >= 0);
    return set;
}

static void enter(place *at)
{
    test_folder_make(&at->folder);
    test_path(at->path, &at->folder, "set");
    at->fail_from = 0;
    at->old = make_grown(800);
    at->new = make_grown(4000);
    assert_int_equal(seenset_save(at->old, at->path), SEENSET_OK);
}

static void leave(place *at)
{
    seenset_free(at->old);
    seenset_free(at->new);
    test_folder_remove(&at->folder);
}

/* Sets whose sums are read and written in more than one piece, and faults of
 * those. */
static void enter_large(place *at)
{
    seenset_options options = {.size_bits = UINT64_C(5) << 22,
                               .hash_count = 8,
                               .on_full = SEENSET_ON_FULL_DEGRADE};
    test_folder_make(&at->folder);
    test_path(at->path, &at->folder, "set");
    at->fail_from = options.size_bits / 8;
    at->old = test_make(options);
    at->new = test_make(options);
    (void)seenset_add_hash(at->new, test_mix(1));
    assert_int_equal(seenset_save(at->old, at->path), SEENSET_OK);
}

/* ---- one call, one fault ---- */

/* NULL, or what is wrong after a call that answered `error`. */
static const char *wrong_after(const place *at, const test_io *io, fault with,
                               int error, int error_errno)
{
    bool is_sound =
        test_holds(at->path, at->old) || test_holds(at->path, at->new);
    if (!is_sound || seenset_verify(at->path, NULL) != SEENSET_OK)
        return "the file is neither the old set nor the new one";
    if (io->open_files != 0)
        return "a descriptor stays open";
    if (test_folder_count(&at->folder) != 1 && !with.is_lasting)
        return "a temporary file stays";
    if (error == SEENSET_OK)
        return NULL;
    if (io->failed == NULL || error != SEENSET_EIO)
        return "the error is not SEENSET_EIO";
    return error_errno == with.error ? NULL : "errno is another";
}

typedef void enter_function(place *at);

/* Makes the call with its operation number `n` failing; true if it has one. */
static bool fail_at(enter_function *make, size_t call, fault with, size_t n)
{
    test_io io;
    place at;
    make(&at);
    test_io_init(&io);
    io.from = at.fail_from;
    io.fault = with.error == 0 ? TEST_SHORT : TEST_FAIL;
    io.fail_at = with.error == 0 ? 0 : n;
    io.fail_to = with.is_lasting ? SIZE_MAX : n;
    io.fail_to = with.error == 0 ? 0 : io.fail_to;
    io.error = with.error;
    errno = 0;
    int error = calls[call](&at, &io.io);
    const char *wrong = wrong_after(&at, &io, with, error, errno);
    if (wrong == NULL && error != SEENSET_OK && with.error == 0)
        wrong = "short calls are not gone on with";
    if (wrong == NULL && calls[call](&at, &ss_io_system) != SEENSET_OK)
        wrong = "it fails afterwards, too";
    if (wrong != NULL)
        fail_msg("call %zu, errno %d%s, operation %zu: %s", call, with.error,
                 with.is_lasting ? " for ever" : "", n, wrong);
    leave(&at);
    return io.failed != NULL;
}

static void files_survive_every_fault(void **state)
{
    size_t count = 0;
    (void)state;
    for (size_t call = 0; call < TEST_COUNT(calls); call++) {
        for (size_t i = 0; i < TEST_COUNT(faults); i++) {
            size_t n = 1;
            while (fail_at(enter, call, faults[i], n))
                n++;
            assert_true(faults[i].error == 0 || n > 3);
            count += n;
        }
    }
    printf("%zu operations failed\n", count);
}

/* A table of sums that is moved in pieces, of which each fails. */
static void long_sums_survive_every_fault(void **state)
{
    static const size_t with_sums[] = {0, 1, 3}; /* of the calls */
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(with_sums); i++) {
        size_t n = 1;
        while (fail_at(enter_large, with_sums[i], faults[0], n))
            n++;
        assert_true(n > 2);
    }
}

/* The header is opened, asked for and read in two parts: its offset is 0. */
static void reports_say_where_it_failed(void **state)
{
    place at;
    (void)state;
    enter(&at);
    for (size_t call = 1; call <= 4; call++) {
        test_io io;
        seenset_file_report report = {.offset = 99};
        test_io_init(&io);
        io.fail_at = io.fail_to = call;
        io.error = EIO;
        assert_int_equal(ss_file_verify(&io.io, at.path, &report), SEENSET_EIO);
        assert_int_equal(report.offset, 0);
        assert_string_equal(report.reason, strerror(EIO));
    }
    leave(&at);
}

/* Planted: a file written in place and cut short, and a forgotten errno. */
static void wrong_files_are_seen(void **state)
{
    (void)state;
    place at;
    test_io io;
    size_t size_bytes;
    enter(&at);
    test_io_init(&io);
    io.failed = "write";
    assert_null(wrong_after(&at, &io, faults[0], SEENSET_EIO, EIO));
    assert_non_null(wrong_after(&at, &io, faults[0], SEENSET_EIO, 0));
    io.open_files = 1;
    assert_non_null(wrong_after(&at, &io, faults[0], SEENSET_EIO, EIO));
    io.open_files = 0;
    uint8_t *bytes = test_bytes_of(at.new, &size_bytes);
    test_write_file(at.path, bytes, size_bytes / 2);
    assert_non_null(wrong_after(&at, &io, faults[0], SEENSET_EIO, EIO));
    free(bytes);
    leave(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_survive_every_fault),
        cmocka_unit_test(long_sums_survive_every_fault),
        cmocka_unit_test(reports_say_where_it_failed),
        cmocka_unit_test(wrong_files_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
