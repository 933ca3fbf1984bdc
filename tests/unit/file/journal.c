/*
 * journal.c - journals that hardly ever happen: damaged in more than one place,
 * shrinking while they are read, replaced or taken while they are opened.
 */
#define _GNU_SOURCE /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faulty_io.h"
#include "file/header/fields.h"
#include "file/journal/fields.h"
#include "journal_place.h"

#define CHECKSUM UINT64_C(0x1234567890ABCDEF) /* of no set */

enum {
    RECORD_BYTES = SS_JOURNAL_RECORD_BYTES + 8,
    TWO_RECORDS = SS_JOURNAL_HEADER_BYTES + 2 * RECORD_BYTES
};

/* ---- damage ---- */

/* A journal of two records, as bytes. */
static uint8_t *make_journal(const journal_place *at)
{
    const ss_path_found nothing = {.kind = SS_PATH_NOTHING};
    const uint64_t hashes[] = {1, 2};
    ss_journal journal;
    size_t size_bytes;
    int fd;
    assert_int_equal(ss_journal_open(&ss_io_system, at->path, &nothing, &fd),
                     0);
    assert_true(
        ss_journal_begin(&ss_io_system, fd, at->path, CHECKSUM, &journal));
    for (int i = 0; i < 2; i++)
        assert_true(ss_journal_append(&ss_io_system, fd, &journal, CHECKSUM,
                                      hashes + i, 1));
    close(fd);
    uint8_t *bytes = test_read_file(at->log_path, &size_bytes);
    assert_int_equal(size_bytes, TWO_RECORDS);
    return bytes;
}

static int read_with(const ss_io *io, const journal_place *at, uint64_t from,
                     ss_journal *out, seenset_file_report *report)
{
    int fd = open(at->log_path, O_RDWR);
    assert_true(fd >= 0);
    *report = (seenset_file_report){.reason = ""};
    *out = (ss_journal){.most_items = UINT64_MAX};
    int error = ss_journal_read(io, fd, CHECKSUM, from, NULL, out, report);
    close(fd);
    return error;
}

static void check_reading(const journal_place *at, uint64_t from, int wanted,
                          const char *reason)
{
    ss_journal journal;
    seenset_file_report report;
    assert_int_equal(read_with(&ss_io_system, at, from, &journal, &report),
                     wanted);
    assert_string_equal(report.reason, reason);
    if (wanted == SEENSET_OK)
        assert_int_equal(journal.items, from < TWO_RECORDS ? 2 : 0);
}

static void seal_header(uint8_t *bytes)
{
    ss_bits_store(bytes + AT_JOURNAL_CHECKSUM, 8,
                  ss_journal_header_checksum(bytes));
}

static void journal_names_its_damage(void **state)
{
    static const struct {
        size_t at, size_bytes;
        uint64_t value;
        int error;
        const char *reason;
    } bad[] = {
        {AT_JOURNAL_VERSION, 4, 2, SEENSET_EVERSION,
         "in its journal: the version is not 1"},
        {AT_JOURNAL_SET, 8, 7, SEENSET_EJOURNAL,
         "its journal is of another set"},
        {SS_JOURNAL_HEADER_BYTES + OF_RECORD_COUNT, 4, 0, SEENSET_ECORRUPT,
         "in its journal: a record is damaged"},
        {SS_JOURNAL_HEADER_BYTES + OF_RECORD_COUNT, 4, 4097, SEENSET_ECORRUPT,
         "in its journal: a record is damaged"},
        {SS_JOURNAL_HEADER_BYTES + OF_RECORD_COUNT, 4, 4096, SEENSET_ECORRUPT,
         "in its journal: a record is damaged"},
        {SS_JOURNAL_HEADER_BYTES + OF_RECORD_RESERVED, 4, 1, SEENSET_ECORRUPT,
         "in its journal: a record is damaged"},
    };
    const journal_place *at = *state;
    uint8_t *sound = make_journal(at), bytes[TWO_RECORDS];
    check_reading(at, SS_JOURNAL_HEADER_BYTES, SEENSET_OK, "");
    for (size_t i = 0; i < TEST_COUNT(bad); i++) {
        memcpy(bytes, sound, TWO_RECORDS);
        ss_bits_store(bytes + bad[i].at, (unsigned)bad[i].size_bytes,
                      bad[i].value);
        seal_header(bytes);
        test_write_file(at->log_path, bytes, TWO_RECORDS);
        check_reading(at, SS_JOURNAL_HEADER_BYTES, bad[i].error, bad[i].reason);
    }
    memcpy(bytes, sound, TWO_RECORDS);
    memset(bytes + AT_JOURNAL_SLOTS, 0, SLOT_COUNT * SLOT_BYTES);
    test_write_file(at->log_path, bytes, TWO_RECORDS);
    check_reading(at, SS_JOURNAL_HEADER_BYTES, SEENSET_ECORRUPT,
                  "in its journal: the length is damaged");
    test_write_file(at->log_path, sound, TWO_RECORDS);
    check_reading(at, TWO_RECORDS, SEENSET_OK, "");
    check_reading(at, TWO_RECORDS + 1, SEENSET_ETRUNCATED,
                  "in its journal: it ends before its records");
    free(sound);
}

/* A file that is cut off to `left` bytes when it is measured or read for the
 * call number `cut_at`. */
typedef struct cutting {
    ss_io io;
    int measured, cut_at;
    off_t left;
    bool is_cut_later; /* after it was measured */
} cutting;

static int status_and_cut(void *context, int fd, struct stat *out)
{
    cutting *with = context;
    bool is_now = ++with->measured == with->cut_at;
    if (is_now && !with->is_cut_later)
        assert_int_equal(ftruncate(fd, with->left), 0);
    int result = ss_io_system.status(NULL, fd, out);
    if (is_now && with->is_cut_later)
        assert_int_equal(ftruncate(fd, with->left), 0);
    return result;
}

static void reader_notices_a_journal_that_shrinks(void **state)
{
    static const struct {
        int cut_at;
        off_t left;
        bool is_cut_later;
        int error;
    } cuts[] = {
        {1, SS_JOURNAL_HEADER_BYTES - 1, false, SEENSET_ETRUNCATED},
        {1, SS_JOURNAL_HEADER_BYTES - 1, true, SEENSET_ETRUNCATED},
        {2, SS_JOURNAL_HEADER_BYTES - 1, false, SEENSET_ETRUNCATED},
        {2, TWO_RECORDS - 1, false, SEENSET_ETRUNCATED},
        {2, TWO_RECORDS - 1, true, SEENSET_ECORRUPT},
        {3, 0, false, SEENSET_OK}, /* planted: it is measured twice */
    };
    const journal_place *at = *state;
    uint8_t *sound = make_journal(at);
    for (size_t i = 0; i < TEST_COUNT(cuts); i++) {
        cutting with = {.io = ss_io_system,
                        .cut_at = cuts[i].cut_at,
                        .left = cuts[i].left,
                        .is_cut_later = cuts[i].is_cut_later};
        ss_journal journal;
        seenset_file_report report;
        with.io.status = status_and_cut;
        with.io.context = &with;
        test_write_file(at->log_path, sound, TWO_RECORDS);
        assert_int_equal(
            read_with(&with.io, at, SS_JOURNAL_HEADER_BYTES, &journal, &report),
            cuts[i].error);
    }
    free(sound);
}

/* A journal of several pieces, of which any cannot be read. */
static void reader_reports_a_piece_that_it_cannot_read(void **state)
{
    static const uint64_t hashes[SS_JOURNAL_MOST_HASHES];
    const journal_place *at = *state;
    ss_journal journal;
    seenset_file_report report;
    bool is_faulty = true;
    free(make_journal(at));
    assert_int_equal(read_with(&ss_io_system, at, SS_JOURNAL_HEADER_BYTES,
                               &journal, &report),
                     SEENSET_OK);
    int fd = open(at->log_path, O_RDWR);
    for (int i = 0; i < 5; i++)
        assert_true(ss_journal_append(&ss_io_system, fd, &journal, CHECKSUM,
                                      hashes, SS_JOURNAL_MOST_HASHES));
    close(fd);
    for (size_t fail_at = 1; is_faulty; fail_at++) {
        test_io io;
        test_io_init(&io);
        io.fail_at = io.fail_to = fail_at;
        int error =
            read_with(&io.io, at, SS_JOURNAL_HEADER_BYTES, &journal, &report);
        is_faulty = io.failed != NULL;
        assert_int_equal(error, is_faulty ? SEENSET_EIO : SEENSET_OK);
    }
}

/* Nothing follows a torn record that cannot be cut off. */
static void torn_record_is_cut_off_or_nothing_is_added(void **state)
{
    const journal_place *at = *state;
    const uint64_t hash = 3;
    ss_journal journal;
    seenset_file_report report;
    test_io io;
    free(make_journal(at));
    assert_int_equal(truncate(at->log_path, TWO_RECORDS + 5), 0);
    assert_int_equal(read_with(&ss_io_system, at, SS_JOURNAL_HEADER_BYTES,
                               &journal, &report),
                     0);
    int fd = open(at->log_path, O_RDWR);
    test_io_init(&io);
    io.fail_at = io.fail_to = 1;
    assert_false(ss_journal_append(&io.io, fd, &journal, CHECKSUM, &hash, 1));
    assert_string_equal(io.failed, "truncate");
    check_reading(at, SS_JOURNAL_HEADER_BYTES, SEENSET_OK, "");
    assert_true(ss_journal_append(&io.io, fd, &journal, CHECKSUM, &hash, 1));
    assert_int_equal(lseek(fd, 0, SEEK_END), TWO_RECORDS + RECORD_BYTES);
    close(fd);
}

/* ---- opened to be written ---- */

static int open_journal(const ss_io *io, const journal_place *at)
{
    const ss_path_found set = {.kind = SS_PATH_FILE, .mode = 0640};
    int fd = -1;
    errno = 0;
    int error = ss_journal_open(io, at->path, &set, &fd);
    int kept = errno;
    if (error == SEENSET_OK)
        close(fd);
    else
        assert_int_equal(fd, -1);
    errno = kept;
    return error;
}

static void journal_replaces_nothing_but_journals(void **state)
{
    enum {
        LONG = SS_JOURNAL_HEADER_BYTES + 1
    };
    static const struct {
        char text[LONG];
        size_t size_bytes;
        bool is_journal;
    } files[] = {
        {"", 0, true},
        {"\0\0\0", 3, true},
        {"", LONG - 1, true},
        {"", LONG, false},
        {"notes", 5, false},
        {"longer notes", 12, false},
        {"notes that are long", LONG, false},
    };
    const journal_place *at = *state;
    for (size_t i = 0; i < TEST_COUNT(files); i++) {
        size_t size_bytes;
        test_write_file(at->log_path, files[i].text, files[i].size_bytes);
        int error = open_journal(&ss_io_system, at);
        assert_int_equal(error, files[i].is_journal ? SEENSET_OK : SEENSET_EIO);
        assert_true(files[i].is_journal || errno == EEXIST);
        uint8_t *bytes = test_read_file(at->log_path, &size_bytes);
        assert_int_equal(size_bytes, files[i].size_bytes);
        assert_memory_equal(bytes, files[i].text, size_bytes);
        free(bytes);
    }
}

/* Others, who take or remove the name while it is opened. */
typedef struct rival {
    ss_io io;
    const char *log_path;
    int takes;   /* how often it makes the file before us */
    int removes; /* how often it removes the file that we opened */
    int lock_error;
    bool is_path_only; /* what is made cannot be given a mode */
} rival;

static int open_after_rival(void *context, const char *path, int flags,
                            mode_t mode)
{
    rival *with = context;
    if ((flags & O_CREAT) == 0)
        return ss_io_system.open(NULL, path, flags, mode);
    if (with->takes > 0) {
        with->takes--;
        errno = EEXIST;
        return -1;
    }
    int fd = ss_io_system.open(NULL, path, flags, mode);
    if (!with->is_path_only)
        return fd;
    close(fd);
    return open(path, O_PATH);
}

static int lock_after_rival(void *context, int fd)
{
    rival *with = context;
    if (with->lock_error != 0) {
        errno = with->lock_error;
        return -1;
    }
    if (with->removes > 0) {
        with->removes--;
        assert_int_equal(unlink(with->log_path), 0);
    }
    return ss_io_system.lock(NULL, fd);
}

static void journal_is_opened_beside_others(void **state)
{
    static const struct {
        rival others;
        int error, error_number;
    } cases[] = {
        {{.takes = 3}, SEENSET_OK, 0},
        {{.removes = 3}, SEENSET_OK, 0},
        {{.takes = INT_MAX}, SEENSET_EINUSE, EEXIST},
        {{.lock_error = EWOULDBLOCK}, SEENSET_EINUSE, EWOULDBLOCK},
        {{.lock_error = ENOLCK}, SEENSET_EIO, ENOLCK},
        {{.is_path_only = true}, SEENSET_EIO, EBADF},
    };
    const journal_place *at = *state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        rival with = cases[i].others;
        with.io = ss_io_system;
        with.io.open = open_after_rival;
        with.io.lock = lock_after_rival;
        with.io.context = &with;
        with.log_path = at->log_path;
        assert_int_equal(open_journal(&with.io, at), cases[i].error);
        if (cases[i].error != SEENSET_OK)
            assert_int_equal(errno, cases[i].error_number);
        assert_true(access(at->log_path, F_OK) != 0 ||
                    unlink(at->log_path) == 0);
    }
}

/* ---- the set's file ---- */

static void another_file_is_not_the_set(void **state)
{
    const journal_place *at = *state;
    uint8_t bytes[SS_HEADER_FIXED_BYTES] = {0};
    bool is_marked;
    ss_bits_store(bytes + AT_CHECKSUM, 8, CHECKSUM);
    for (int is_set = 0; is_set <= 1; is_set++) {
        for (size_t cut = 0; cut <= 1; cut++) {
            test_write_file(at->path, bytes, sizeof bytes - cut);
            int fd = open(at->path, O_RDONLY);
            errno = 0;
            bool is_found =
                ss_journal_look_at_set(&ss_io_system, fd, CHECKSUM, &is_marked);
            assert_int_equal(is_found, is_set && cut == 0);
            assert_true(is_found || errno == ESTALE);
            assert_false(ss_journal_look_at_set(&ss_io_system, fd, CHECKSUM + 1,
                                                &is_marked));
            assert_int_equal(errno, ESTALE);
            close(fd);
        }
        memcpy(bytes, ss_header_magic, sizeof ss_header_magic);
    }
}

/* Only versions 3 and 4 can have the mark: no other number has it by chance. */
static void mark_is_that_of_its_versions(void **state)
{
    static const struct {
        uint8_t version[4];
        bool is_marked;
    } files[] = {{{3, 0, 0, JOURNAL_MARK}, true},
                 {{4, 0, 0, JOURNAL_MARK}, true},
                 {{3, 0, 0, 0}, false},
                 {{2, 0, 0, JOURNAL_MARK}, false},
                 {{5, 0, 0, JOURNAL_MARK}, true},
                 {{6, 0, 0, JOURNAL_MARK}, true},
                 {{7, 0, 0, JOURNAL_MARK}, true},
                 {{8, 0, 0, JOURNAL_MARK}, false},
                 {{3, 1, 0, JOURNAL_MARK}, false},
                 {{3, 0, 1, JOURNAL_MARK}, false}};
    const journal_place *at = *state;
    uint8_t bytes[SS_HEADER_FIXED_BYTES] = {0};
    memcpy(bytes, ss_header_magic, sizeof ss_header_magic);
    ss_bits_store(bytes + AT_CHECKSUM, 8, CHECKSUM);
    for (size_t i = 0; i < TEST_COUNT(files); i++) {
        bool is_marked = !files[i].is_marked;
        memcpy(bytes + AT_VERSION, files[i].version, 4);
        test_write_file(at->path, bytes, sizeof bytes);
        int fd = open(at->path, O_RDONLY);
        assert_true(
            ss_journal_look_at_set(&ss_io_system, fd, CHECKSUM, &is_marked));
        assert_int_equal(is_marked, files[i].is_marked);
        close(fd);
    }
}

static bool is_swept(const journal_place *at)
{
    const ss_journal_owner replaced = {.is_there = true,
                                       .set_checksum = CHECKSUM};
    ss_journal_sweep(&ss_io_system, at->path, &replaced);
    return access(at->log_path, F_OK) != 0;
}

static void only_a_journal_of_nobody_is_swept(void **state)
{
    const journal_place *at = *state;
    uint8_t set_bytes[SS_HEADER_FIXED_BYTES] = {0};
    assert_true(is_swept(at)); /* nothing is there */
    free(make_journal(at));
    assert_false(is_swept(at)); /* there is no set to look at */
    test_write_file(at->path, set_bytes, AT_JOURNAL_MARK);
    assert_false(is_swept(at));
    set_bytes[AT_VERSION] = 3;
    set_bytes[AT_JOURNAL_MARK] = JOURNAL_MARK;
    test_write_file(at->path, set_bytes, sizeof set_bytes);
    assert_false(is_swept(at));
    set_bytes[AT_JOURNAL_MARK] = 0;
    test_write_file(at->path, set_bytes, sizeof set_bytes);
    int fd = open(at->log_path, O_RDWR);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_false(is_swept(at));
    close(fd);
    assert_true(is_swept(at));
    test_write_file(at->log_path, "notes", 5);
    assert_false(is_swept(at));
}

static void only_an_empty_journal_is_swept_unseen(void **state)
{
    const journal_place *at = *state;
    bool is_faulty = true;
    for (size_t fail_at = 1; is_faulty; fail_at++) {
        test_io io;
        test_io_init(&io);
        io.fail_at = io.fail_to = fail_at;
        test_write_file(at->log_path, "", 0);
        errno = ESTALE;
        ss_journal_sweep_empty(&io.io, at->path);
        assert_int_equal(errno, ESTALE);
        assert_int_equal(io.open_files, 0);
        is_faulty = io.failed != NULL;
        assert_int_equal(access(at->log_path, F_OK) == 0,
                         is_faulty && strcmp(io.failed, "close") != 0);
    }
    test_write_file(at->log_path, "", 1); /* of a zero */
    ss_journal_sweep_empty(&ss_io_system, at->path);
    int fd = open(at->log_path, O_RDWR | O_TRUNC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    ss_journal_sweep_empty(&ss_io_system, at->path);
    close(fd);
    assert_int_equal(unlink(at->log_path), 0);
    assert_int_equal(mkfifo(at->log_path, 0600), 0);
    ss_journal_sweep_empty(&ss_io_system, at->path);
    assert_int_equal(unlink(at->log_path), 0);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, journal_place_enter,                 \
                                    journal_place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(journal_names_its_damage),
        TEST(reader_notices_a_journal_that_shrinks),
        TEST(reader_reports_a_piece_that_it_cannot_read),
        TEST(torn_record_is_cut_off_or_nothing_is_added),
        TEST(journal_replaces_nothing_but_journals),
        TEST(journal_is_opened_beside_others),
        TEST(another_file_is_not_the_set),
        TEST(mark_is_that_of_its_versions),
        TEST(only_a_journal_of_nobody_is_swept),
        TEST(only_an_empty_journal_is_swept_unseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
