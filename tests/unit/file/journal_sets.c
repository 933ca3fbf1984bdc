/*
 * journal_sets.c - what is in the way of who reads a set with its journal, or
 * appends to it: names, locks, older journals, files that are replaced.
 */
#undef _FORTIFY_SOURCE  /* which makes a function of its own of readlink */
#define _DEFAULT_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "file/append.h"
#include "file/file.h"
#include "file/open_parts.h"
#include "faulty_io.h"
#include "journal_place.h"
#include "set/view/remembered.h"

/* ---- what others do just when a link is read ---- */

/* A function that replaces another has no argument to keep this in. */
static struct {
    const char *new_set, *set; /* renamed, once */
    int error;                 /* errno of each call; 0: none */
} meanwhile;

__attribute__((visibility("default"))) ssize_t readlink(const char *path,
                                                        char *text, size_t room)
{
    if (meanwhile.new_set != NULL)
        (void)rename(meanwhile.new_set, meanwhile.set);
    meanwhile.new_set = NULL;
    if (meanwhile.error != 0) {
        errno = meanwhile.error;
        return -1;
    }
    return readlinkat(AT_FDCWD, path, text, room);
}

/* ---- sets ---- */

static const uint8_t secret[SEENSET_SECRET_BYTES] = "fifteen letters";

/* Over 1 MiB, so that it has a journal. */
static void save_set(const char *path, const uint8_t *with_secret)
{
    const seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                                     .capacity_items = 1000000,
                                     .fp_rate = 0.01,
                                     .secret = with_secret};
    seenset *set;
    assert_int_equal(seenset_new(&set, &options), 0);
    assert_int_equal(seenset_save(set, path), 0);
    seenset_free(set);
}

static seenset *open_set(const char *path)
{
    const seenset_open_options options = {.flags = SEENSET_OPEN_APPEND};
    seenset *set = NULL;
    assert_int_equal(seenset_open(&set, path, &options), 0);
    return set;
}

static void append_hash(const char *path, uint64_t hash)
{
    seenset *set = open_set(path);
    assert_int_equal(seenset_add_hash(set, hash), 1);
    assert_int_equal(seenset_append(set, path), 0);
    seenset_free(set);
}

static void append_says_what_is_in_its_way(void **state)
{
    const journal_place *at = *state;
    char nowhere[TEST_PATH_BYTES], long_path[SS_PATH_MAX + 32];
    save_set(at->path, NULL);
    seenset *set = open_set(at->path);
    assert_int_equal(seenset_add_hash(set, test_mix(1)), 1);
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(seenset_append(set, long_path), SEENSET_EIO);
    assert_int_equal(errno, ENAMETOOLONG);
    assert_int_equal(seenset_append(set, at->other_path), SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(
        seenset_append(set, test_path(nowhere, &at->folder, "none/set")),
        SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    meanwhile.error = EACCES;
    assert_int_equal(seenset_append(set, at->path), SEENSET_EIO);
    meanwhile.error = 0;
    assert_int_equal(errno, EACCES);
    int fd = open(at->log_path, O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(seenset_append(set, at->path), SEENSET_EINUSE);
    close(fd);
    assert_int_equal(seenset_append(set, at->path), 0);
    seenset_free(set);
}

static void append_keeps_to_the_journal_it_knows(void **state)
{
    const journal_place *at = *state;
    size_t size_bytes;
    save_set(at->path, NULL);
    append_hash(at->path, test_mix(1));
    uint8_t *old = test_read_file(at->log_path, &size_bytes);
    append_hash(at->path, test_mix(2));
    seenset *set = open_set(at->path);
    assert_int_equal(seenset_add_hash(set, test_mix(3)), 1);
    test_write_file(at->log_path, old, size_bytes);
    assert_int_equal(seenset_append(set, at->path), SEENSET_ETRUNCATED);
    test_write_file(at->log_path, "notes", 5);
    assert_int_equal(seenset_append(set, at->path), SEENSET_EIO);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(unlink(at->log_path), 0);
    assert_int_equal(mkdir(at->log_path, 0700), 0);
    assert_int_equal(seenset_append(set, at->path), SEENSET_EIO);
    assert_int_equal(errno, EISDIR);
    seenset_free(set);
    free(old);
}

/* A set's file is replaced just when its journal is looked for. */
static void readers_begin_again_with_a_new_file(void **state)
{
    static const unsigned ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_COPY,
                                    SEENSET_OPEN_APPEND};
    const journal_place *at = *state;
    for (size_t i = 0; i <= TEST_COUNT(ways); i++) {
        save_set(at->path, NULL);
        append_hash(at->path, test_mix(1));
        assert_int_equal(unlink(at->log_path), 0);
        assert_int_equal(seenset_verify(at->path, NULL), SEENSET_EJOURNAL);
        save_set(at->other_path, NULL);
        meanwhile.set = at->path;
        meanwhile.new_set = at->other_path;
        if (i == TEST_COUNT(ways)) {
            assert_int_equal(seenset_verify(at->path, NULL), 0);
            continue;
        }
        seenset *set = NULL;
        const seenset_open_options options = {.flags = ways[i]};
        assert_int_equal(seenset_open(&set, at->path, &options), 0);
        assert_int_equal(seenset_has_hash(set, test_mix(1)), 0);
        seenset_free(set);
    }
}

static void reader_says_why_it_finds_no_journal(void **state)
{
    const journal_place *at = *state;
    seenset_file_report report;
    save_set(at->path, NULL);
    append_hash(at->path, test_mix(1));
    meanwhile.error = EACCES;
    assert_int_equal(seenset_verify(at->path, &report), SEENSET_EIO);
    meanwhile.error = 0;
    assert_string_equal(report.reason, strerror(EACCES));
    assert_int_equal(unlink(at->log_path), 0);
    assert_int_equal(symlink("set.log", at->log_path), 0);
    assert_int_equal(seenset_verify(at->path, &report), SEENSET_EIO);
    assert_string_equal(report.reason, strerror(ELOOP));
}

/* The most hashes of a journal go by the file's length, and by what reading
 * them may cost. */
static void append_goes_by_the_file(void **state)
{
    enum {
        LENGTHS = 3,
        PLACES = 8 /* of a hash at 1 % */
    };
    static const uint64_t lengths[LENGTHS] = {1000, 100000000, 200000000};
    const seenset_open_options options = {0};
    const journal_place *at = *state;
    uint64_t most[LENGTHS];
    ss_header header;
    seenset_file_report report;
    int fd;
    save_set(at->path, NULL);
    assert_int_equal(
        ss_file_open(&ss_io_system, at->path, &fd, &header, &report), 0);
    close(fd);
    uint64_t file_bytes = ss_header_file_bytes(&header);
    for (size_t i = 0; i < LENGTHS; i++) {
        seenset *set = NULL;
        assert_int_equal(seenset_open(&set, at->path, NULL), 0);
        header.sums_offset += lengths[i];
        assert_int_equal(ss_append_start(set, &header, &options), 0);
        header.sums_offset -= lengths[i];
        most[i] = set->remembered->most_items;
        seenset_free(set);
    }
    assert_int_equal(most[0], (file_bytes + lengths[0]) / 8 / 24);
    assert_true(most[1] > most[0]);
    assert_int_equal(most[1], most[2]);
    assert_int_equal(most[2], (1 << 17) / PLACES);
}

/* A file of version 2 has no blocks: it is saved whole, as version 3. */
static void append_saves_an_old_file_whole(void **state)
{
    const journal_place *at = *state;
    size_t size_bytes;
    uint8_t *bytes = test_read_file(
        SEENSET_TEST_GOLDEN "/v2-bloom-grown.seenset", &size_bytes);
    test_write_file(at->path, bytes, size_bytes);
    free(bytes);
    append_hash(at->path, test_mix(12345));
    assert_int_not_equal(access(at->log_path, F_OK), 0);
    seenset *set = open_set(at->path);
    assert_int_equal(seenset_has_hash(set, test_mix(12345)), 1);
    seenset_free(set);
}

static void compact_says_what_is_wrong(void **state)
{
    const journal_place *at = *state;
    seenset_file_report report = {0};
    seenset_open_options options = {.report = &report};
    assert_int_equal(seenset_compact(NULL, &options), SEENSET_EINVAL);
    assert_int_equal(seenset_compact(at->path, &options), SEENSET_EIO);
    assert_string_equal(report.reason, strerror(ENOENT));
    save_set(at->path, secret);
    options.secret = secret;
    assert_int_equal(seenset_compact(at->path, NULL), 0); /* no journal yet */
    seenset *set;
    const seenset_open_options append = {.flags = SEENSET_OPEN_APPEND,
                                         .secret = secret};
    assert_int_equal(seenset_open(&set, at->path, &append), 0);
    assert_int_equal(seenset_add(set, "key", 3), 1);
    assert_int_equal(seenset_append(set, at->path), 0);
    seenset_free(set);
    assert_int_equal(seenset_compact(at->path, NULL), SEENSET_ESECRET);
    options.flags = SEENSET_OPEN_COPY;
    assert_int_equal(seenset_compact(at->path, &options), SEENSET_EINVAL);
    options.flags = 0;
    assert_int_equal(seenset_compact(at->path, &options), 0);
    assert_int_not_equal(access(at->log_path, F_OK), 0);
}

/* Sets that have no journal: keys that are no hash, small files. */
static void append_saves_what_has_no_journal(void **state)
{
    const journal_place *at = *state;
    const seenset_options md5 = {.layout = SEENSET_LAYOUT_BLOOM,
                                 .scheme = SEENSET_SCHEME_POLYNOMIAL,
                                 .size_bits = UINT64_C(1) << 24,
                                 .hash_count = 3,
                                 .on_full = SEENSET_ON_FULL_DEGRADE};
    seenset *set;
    assert_int_equal(seenset_new(&set, &md5), 0);
    assert_int_equal(seenset_save(set, at->path), 0);
    seenset_free(set);
    set = open_set(at->path);
    assert_int_equal(seenset_add(set, "key", 3), 1);
    assert_int_equal(seenset_append(set, at->path), 0);
    seenset_free(set);
    assert_int_not_equal(access(at->log_path, F_OK), 0);
    set = open_set(at->path);
    assert_int_equal(seenset_has(set, "key", 3), 1);
    seenset_free(set);
}

/* Wherever the link leads, the journal is beside the file. */
static void append_follows_a_link(void **state)
{
    const journal_place *at = *state;
    save_set(at->path, NULL);
    assert_int_equal(symlink(at->path, at->other_path), 0);
    append_hash(at->other_path, test_mix(1));
    assert_int_equal(access(at->log_path, F_OK), 0);
    assert_int_equal(seenset_verify(at->other_path, NULL), 0);
}

/* A set of another kind, or one with a journal, is not gone on with. */
static void journal_is_nothing_to_go_on_with(void **state)
{
    const seenset_options made = {.layout = SEENSET_LAYOUT_BLOOM,
                                  .capacity_items = 1000000,
                                  .fp_rate = 0.01};
    const journal_place *at = *state;
    seenset_file_report report;
    save_set(at->path, NULL);
    assert_int_equal(ss_file_verify_as(&ss_io_system, &made, at->path, &report),
                     0);
    append_hash(at->path, test_mix(1));
    assert_int_equal(ss_file_verify_as(&ss_io_system, &made, at->path, &report),
                     SEENSET_EMISMATCH);
}

/* ---- full journals, while memory or a disk ends ---- */

enum {
    FULL = 8 /* hashes; it would take thousands */
};

static uint64_t fill_journal(const char *path)
{
    seenset *set = open_set(path);
    for (uint64_t i = 0; i < FULL; i++)
        assert_int_equal(seenset_add_hash(set, test_mix(i)), 1);
    assert_int_equal(seenset_append(set, path), 0);
    seenset_free(set);
    return FULL;
}

static int open_with_memory(const journal_place *at, test_memory *memory,
                            size_t fail_at, seenset **out)
{
    const seenset_open_options options = {.flags = SEENSET_OPEN_APPEND,
                                          .allocator = &memory->allocator};
    test_memory_init(memory);
    memory->fail_at = fail_at;
    memory->is_lasting = true;
    int error = seenset_open(out, at->path, &options);
    if (error == 0)
        (*out)->remembered->most_items = FULL;
    return error;
}

static void full_journal_outlasts_the_end_of_memory(void **state)
{
    const journal_place *at = *state;
    int error = SEENSET_ENOMEM;
    save_set(at->path, NULL);
    uint64_t most = fill_journal(at->path);
    for (size_t fail_at = 1; error != 0; fail_at++) {
        test_memory memory;
        seenset *set;
        error = open_with_memory(at, &memory, fail_at, &set);
        if (error == 0) {
            error = seenset_add_hash(set, test_mix(most));
            if (error >= 0)
                error = seenset_append(set, at->path);
            seenset_free(set);
        }
        assert_true(error == 0 || error == SEENSET_ENOMEM);
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(access(at->log_path, F_OK) == 0, error != 0);
    }
}

static void compact_outlasts_the_end_of_memory(void **state)
{
    const journal_place *at = *state;
    int error = SEENSET_ENOMEM;
    save_set(at->path, NULL);
    append_hash(at->path, test_mix(1));
    for (size_t fail_at = 1; error != 0; fail_at++) {
        test_memory memory;
        const seenset_open_options options = {.allocator = &memory.allocator};
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        memory.is_lasting = true;
        error = seenset_compact(at->path, &options);
        assert_true(error == 0 || error == SEENSET_ENOMEM);
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(access(at->log_path, F_OK) == 0, error != 0);
    }
}

static void small_set_needs_memory_to_be_appended_to(void **state)
{
    const journal_place *at = *state;
    int error = SEENSET_ENOMEM;
    seenset *set = test_golden_make(&test_goldens[0]);
    assert_int_equal(seenset_save(set, at->path), 0);
    seenset_free(set);
    for (size_t fail_at = 1; error != 0; fail_at++) {
        test_memory memory;
        error = open_with_memory(at, &memory, fail_at, &set);
        assert_true(error == 0 || error == SEENSET_ENOMEM);
        if (error == 0)
            seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
    }
}

/* Each of two has what the journal takes, and the second one finds that there
 * is no room left. */
static void second_append_is_saved_whole(void **state)
{
    const journal_place *at = *state;
    test_memory memory;
    seenset *second;
    save_set(at->path, NULL);
    assert_int_equal(open_with_memory(at, &memory, 0, &second), 0);
    uint64_t most = fill_journal(at->path);
    for (uint64_t i = 0; i < most; i++)
        assert_int_equal(seenset_add_hash(second, test_mix(most + i)), 1);
    memory.fail_at = memory.calls + 1;
    assert_int_equal(seenset_append(second, at->path), SEENSET_ENOMEM);
    assert_int_equal(access(at->log_path, F_OK), 0);
    assert_int_equal(seenset_verify(at->path, NULL), 0);
    memory.fail_at = 0;
    assert_int_equal(seenset_append(second, at->path), 0);
    seenset_free(second);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_not_equal(access(at->log_path, F_OK), 0);
    seenset *set = open_set(at->path);
    assert_true(test_has_stream(set, 0, 2 * most));
    seenset_free(set);
}

/* More than a journal takes, to a set that has none: where saving fails, there
 * is none after it. */
static void failed_save_leaves_no_journal(void **state)
{
    const journal_place *at = *state;
    bool is_faulty = true;
    save_set(at->path, NULL);
    for (size_t fail_at = 1; is_faulty; fail_at++) {
        test_io io;
        seenset *set = open_set(at->path);
        uint64_t most = set->remembered->most_items;
        for (uint64_t i = 0; i <= 2 * most; i++)
            assert_true(seenset_add_hash(set, test_mix(i)) >= 0);
        test_io_init(&io);
        io.fail_at = fail_at;
        io.fail_to = fail_at;
        int error = ss_append_run(&io.io, set, at->path);
        is_faulty = io.calls >= fail_at;
        seenset_free(set);
        assert_int_equal(io.open_files, 0);
        assert_int_not_equal(access(at->log_path, F_OK), 0);
        assert_int_equal(seenset_verify(at->path, NULL), 0);
        if (error == 0)
            save_set(at->path, NULL);
    }
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, journal_place_enter,                 \
                                    journal_place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(append_says_what_is_in_its_way),
        TEST(append_keeps_to_the_journal_it_knows),
        TEST(readers_begin_again_with_a_new_file),
        TEST(reader_says_why_it_finds_no_journal),
        TEST(append_goes_by_the_file),
        TEST(append_saves_an_old_file_whole),
        TEST(compact_says_what_is_wrong),
        TEST(append_saves_what_has_no_journal),
        TEST(append_follows_a_link),
        TEST(journal_is_nothing_to_go_on_with),
        TEST(full_journal_outlasts_the_end_of_memory),
        TEST(compact_outlasts_the_end_of_memory),
        TEST(small_set_needs_memory_to_be_appended_to),
        TEST(second_append_is_saved_whole),
        TEST(failed_save_leaves_no_journal),
    };
    test_need_mapped_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
