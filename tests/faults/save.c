/*
 * save.c - a save happens whole or not at all, whichever call fails: the
 * old file or the new one is there, never another, and nothing beside it.
 */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"
#include "faulty_io.h"
#include "support.h"

struct place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
    seenset *old; /* saved at path */
    seenset *new; /* large enough for several writes */
};

static seenset *make_set(uint64_t capacity_items, uint64_t count)
{
    seenset *set =
        test_make((seenset_options){.capacity_items = capacity_items});
    for (uint64_t i = 0; i < count; i++)
        assert_true(seenset_add_hash(set, test_mix(i)) >= 0);
    return set;
}

static int enter(void **state)
{
    struct place *place = malloc(sizeof *place);
    assert_non_null(place);
    test_folder_make(&place->folder);
    test_path(place->path, &place->folder, "set");
    place->old = test_golden_make(&test_goldens[0]);
    place->new = make_set(100000, 1000);
    assert_int_equal(seenset_save(place->old, place->path), SEENSET_OK);
    *state = place;
    return 0;
}

/* Two sets that grew: of a page or two, and of many. */
static int enter_grown(void **state)
{
    assert_int_equal(enter(state), 0);
    struct place *place = *state;
    seenset_free(place->old);
    seenset_free(place->new);
    place->old = make_set(20, 200);
    place->new = make_set(10000, 100000);
    assert_int_equal(seenset_save(place->old, place->path), SEENSET_OK);
    return 0;
}

static int leave(void **state)
{
    struct place *place = *state;
    seenset_free(place->old);
    seenset_free(place->new);
    test_folder_remove(&place->folder);
    free(place);
    return 0;
}

/* Saves with the call number `at` failing; true if there was such a call. */
static bool save_with_fault(struct place *place, size_t at, int error)
{
    test_io io;
    test_io_init(&io);
    io.fail_at = at;
    io.fail_to = at;
    io.error = error;
    errno = 0;
    int result = ss_file_save(&io.io, place->new, place->path);
    int result_errno = errno;
    assert_int_equal(test_folder_count(&place->folder), 1);
    assert_int_equal(io.open_files, 0);
    if (result == SEENSET_OK) {
        assert_true(test_holds(place->path, place->new));
    } else {
        assert_int_equal(result, SEENSET_EIO);
        assert_int_equal(result_errno, error);
        /* only past the rename, when the folder is synced, the new is there */
        bool is_new = test_holds(place->path, place->new);
        assert_true(is_new || test_holds(place->path, place->old));
        assert_true(!is_new || strcmp(io.failed, "open") == 0 ||
                    strcmp(io.failed, "sync") == 0);
    }
    assert_int_equal(seenset_save(place->old, place->path), SEENSET_OK);
    return io.failed != NULL;
}

static void save_is_whole_or_not_at_all(void **state)
{
    static const int errors[] = {EIO, ENOSPC, EDQUOT, EINTR, EROFS};
    for (size_t i = 0; i < TEST_COUNT(errors); i++) {
        size_t at = 1;
        while (save_with_fault(*state, at, errors[i]))
            at++;
        /* open, chunks, sums, header, sync, close, rename, open, sync, close */
        assert_true(at > 10);
    }
}

/* A save that is killed at its call number `at`; true if it has so many. */
static bool save_and_die(struct place *place, size_t at)
{
    int status;
    test_io io;
    test_io_init(&io);
    io.fault = TEST_KILL;
    io.fail_at = io.fail_to = at;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(ss_file_save(&io.io, place->new, place->path));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == SEENSET_OK);
    return WIFSIGNALED(status);
}

/* And what it left beside the file is gone with the next save. */
static void save_that_is_killed_leaves_one_set(void **state)
{
    struct place *place = *state;
    size_t at = 1, new_ones = 0;
    for (; save_and_die(place, at); at++) {
        bool is_new = test_holds(place->path, place->new);
        assert_true(is_new || test_holds(place->path, place->old));
        assert_int_equal(seenset_verify(place->path, NULL), SEENSET_OK);
        new_ones += is_new;
        assert_int_equal(seenset_save(place->old, place->path), SEENSET_OK);
        assert_int_equal(test_folder_count(&place->folder), 1);
    }
    assert_true(at > 10 && new_ones > 0 && new_ones < at / 2);
}

/* Planted: a save that writes in place would be seen as broken. */
static void save_oracle_sees_a_half_written_file(void **state)
{
    struct place *place = *state;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(place->new, &size_bytes);
    test_write_file(place->path, bytes, size_bytes / 2);
    assert_false(test_holds(place->path, place->new));
    assert_false(test_holds(place->path, place->old));
    free(bytes);
}

static void save_and_load_in_short_calls(void **state)
{
    struct place *place = *state;
    seenset *loaded = NULL;
    test_io io;
    test_io_init(&io);
    io.fault = TEST_SHORT;
    assert_int_equal(ss_file_save(&io.io, place->old, place->path), SEENSET_OK);
    assert_true(io.calls > 300 && test_holds(place->path, place->old));
    assert_int_equal(test_load(&io.io, NULL, false, &loaded, place->path),
                     SEENSET_OK);
    assert_int_equal(ss_file_verify(&io.io, place->path, NULL), SEENSET_OK);
    assert_int_equal(io.open_files, 0);
    seenset_free(loaded);
}

static void load_and_verify_report_each_fault(void **state)
{
    struct place *place = *state;
    static const int errors[] = {EIO, EINTR};
    for (size_t i = 0; i < 2 * TEST_COUNT(errors); i++) {
        bool is_load = i % 2 != 0;
        bool has_failed = true;
        for (size_t at = 1; has_failed; at++) {
            test_io io;
            seenset *set = NULL;
            test_io_init(&io);
            io.fail_at = io.fail_to = at;
            io.error = errors[i / 2];
            int error = is_load
                            ? test_load(&io.io, NULL, false, &set, place->path)
                            : ss_file_verify(&io.io, place->path, NULL);
            has_failed = io.failed != NULL;
            /* a close that fails after reading loses nothing */
            bool is_harmless =
                !has_failed || strcmp(io.failed, "close") == 0 ||
                (io.error == EINTR && strcmp(io.failed, "status") != 0);
            assert_int_equal(error, is_harmless ? SEENSET_OK : SEENSET_EIO);
            assert_true((set != NULL) == (is_load && error == SEENSET_OK));
            assert_int_equal(io.open_files, 0);
            seenset_free(set);
        }
    }
}

/* Write, sync, rename, close, and then the folder: open, sync, close. After all
 * that a journal is looked for, whose keys are in the new file. A rename before
 * the sync can leave half a file after a crash; after the close, nothing would
 * keep others from taking the file for left over. */
static void save_syncs_before_it_renames(void **state)
{
    struct place *place = *state;
    test_io io;
    test_io_init(&io);
    assert_int_equal(ss_file_save(&io.io, place->new, place->path), SEENSET_OK);
    const char *end = io.trail + sizeof io.trail - 1;
    assert_string_equal(end - strlen("wwsrcosco"), "wwsrcosco");
}

static void save_keeps_the_mode(void **state)
{
    struct place *place = *state;
    static const mode_t modes[] = {0600, 0640, 0444, 0777};
    struct stat status;
    for (size_t i = 0; i < TEST_COUNT(modes); i++) {
        assert_int_equal(chmod(place->path, modes[i]), 0);
        assert_int_equal(seenset_save(place->new, place->path), SEENSET_OK);
        assert_int_equal(stat(place->path, &status), 0);
        assert_int_equal(status.st_mode & 07777, modes[i]);
    }
    /* a new file gets what the caller's umask leaves */
    char path[TEST_PATH_BYTES];
    mode_t old_mask = umask(027);
    test_path(path, &place->folder, "fresh");
    assert_int_equal(seenset_save(place->new, path), SEENSET_OK);
    umask(old_mask);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
}

static bool has_no_modes;

/* The C library's own, unless the file system has no modes. */
int fchmod(int fd, mode_t mode)
{
    if (has_no_modes) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_fchmod, fd, mode);
}

/* Where a mode cannot be kept, the old file is. */
static void save_needs_to_keep_the_mode(void **state)
{
    struct place *place = *state;
    has_no_modes = true;
    int error = seenset_save(place->new, place->path);
    int error_errno = errno;
    has_no_modes = false;
    assert_int_equal(error, SEENSET_EIO);
    assert_int_equal(error_errno, EPERM);
    assert_true(test_holds(place->path, place->old));
    assert_int_equal(test_folder_count(&place->folder), 1);
}

static void save_follows_a_link(void **state)
{
    struct place *place = *state;
    char path[TEST_PATH_BYTES];
    struct stat status;
    test_path(path, &place->folder, "link");
    assert_int_equal(symlink("set", path), 0);
    assert_int_equal(seenset_save(place->new, path), SEENSET_OK);
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(test_holds(place->path, place->new));
    assert_int_equal(test_folder_count(&place->folder), 2);
}

/* Links to a file that is not there yet, relative, and one after another. */
static void save_follows_links_to_nothing(void **state)
{
    struct place *place = *state;
    char path[TEST_PATH_BYTES], target[TEST_PATH_BYTES];
    struct stat status;
    test_path(target, &place->folder, "target");
    assert_int_equal(symlink("target", test_path(path, &place->folder, "a")),
                     0);
    assert_int_equal(symlink("./../", test_path(path, &place->folder, "up")),
                     0);
    char text[TEST_PATH_BYTES];
    const char *folder = strrchr(place->folder.path, '/') + 1;
    (void)snprintf(text, sizeof text, "up/%s/a", folder);
    assert_int_equal(symlink(text, test_path(path, &place->folder, "b")), 0);
    assert_int_equal(seenset_save(place->new, path), SEENSET_OK);
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(target, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_true(test_holds(target, place->new));
    assert_int_equal(test_folder_count(&place->folder), 5);
    /* a circle leads nowhere */
    assert_int_equal(symlink("d", test_path(path, &place->folder, "c")), 0);
    assert_int_equal(symlink("c", test_path(path, &place->folder, "d")), 0);
    assert_int_equal(seenset_save(place->new, path), SEENSET_EIO);
    assert_int_equal(errno, ELOOP);
}

/* Forty links are followed, as the system does, and not one more. */
static void save_follows_as_many_links_as_the_system(void **state)
{
    struct place *place = *state;
    char path[TEST_PATH_BYTES], name[16], to[16] = "set";
    for (int i = 1; i <= 41; i++) {
        (void)snprintf(name, sizeof name, "link%d", i);
        test_path(path, &place->folder, name);
        assert_int_equal(symlink(to, path), 0);
        assert_int_equal(seenset_save(place->new, path),
                         i <= 40 ? SEENSET_OK : SEENSET_EIO);
        strcpy(to, name);
    }
    assert_int_equal(errno, ELOOP);
}

static void save_takes_every_name_there_can_be(void **state)
{
    struct place *place = *state;
    char path[TEST_PATH_BYTES], name[NAME_MAX + 1];
    for (size_t length = 1; length <= NAME_MAX; length++) {
        memset(name, 'n', length);
        name[length] = '\0';
        test_path(path, &place->folder, name);
        assert_int_equal(seenset_save(place->old, path), SEENSET_OK);
        assert_true(test_holds(path, place->old));
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(test_folder_count(&place->folder), 1);
}

static int die(void *context, int fd)
{
    (void)context;
    (void)fd;
    return raise(SIGKILL);
}

/* Killed at its last moment but one, again and again. */
static void save_removes_what_killed_ones_left(void **state)
{
    struct place *place = *state;
    ss_io io = ss_io_system;
    io.sync = die;
    for (int i = 0; i < 40; i++) {
        int status;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(ss_file_save(&io, place->new, place->path));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(test_folder_count(&place->folder), 2);
    }
    assert_true(test_holds(place->path, place->old));
    assert_int_equal(seenset_save(place->new, place->path), SEENSET_OK);
    assert_int_equal(test_folder_count(&place->folder), 1);
    assert_true(test_holds(place->path, place->new));
}

/* A device or a pipe must not be swept away by a rename over it. */
static void save_replaces_nothing_but_files(void **state)
{
    struct place *place = *state;
    char path[TEST_PATH_BYTES];
    struct stat status;
    test_path(path, &place->folder, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(seenset_save(place->new, path), SEENSET_EIO);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    test_path(path, &place->folder, "folder");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(seenset_save(place->new, path), SEENSET_EIO);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(test_folder_count(&place->folder), 3);
    assert_int_equal(
        seenset_save(place->new, test_path(path, &place->folder, "no/set")),
        SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(seenset_save(NULL, place->path), SEENSET_EINVAL);
    assert_int_equal(seenset_save(place->new, NULL), SEENSET_EINVAL);
}

/* Sets that still map the old file keep what they had. */
static void save_leaves_old_views_alone(void **state)
{
    struct place *place = *state;
    seenset *view = NULL;
    size_t a_bytes, b_bytes;
    assert_int_equal(seenset_open(&view, place->path, NULL), 0);
    assert_int_equal(seenset_save(place->new, place->path), SEENSET_OK);
    uint8_t *a = test_bytes_of(view, &a_bytes);
    uint8_t *b = test_bytes_of(place->old, &b_bytes);
    assert_int_equal(a_bytes, b_bytes);
    assert_memory_equal(a, b, a_bytes);
    free(a);
    free(b);
    seenset_free(view);
}

enum {
    FIRST_KEYS = 200, /* that a set has before it is saved */
    TRIALS = 40
};

/* Another thread adds keys at the moment when the first bytes are written. */
typedef struct adder {
    seenset *set;
    uint64_t first, end; /* of test_mix */
    bool has_added;
} adder;

static ssize_t add_and_write(void *context, int fd, const void *bytes,
                             size_t size_bytes, uint64_t offset)
{
    adder *other = context;
    if (!other->has_added)
        (void)test_add_stream(other->set, other->first, other->end);
    other->has_added = true;
    return pwrite(fd, bytes, size_bytes, (off_t)offset);
}

/* How many of the keys from `first` to `end`, which are added meanwhile, the
 * saved file counts; the set has FIRST_KEYS more. */
static uint64_t count_saved(const char *path, uint64_t capacity_items,
                            uint64_t first, uint64_t end)
{
    seenset *set =
        test_make((seenset_options){.capacity_items = capacity_items,
                                    .on_full = SEENSET_ON_FULL_DEGRADE,
                                    .flags = SEENSET_FLAG_SHARED});
    adder other = {.set = set, .first = first, .end = end};
    ss_io io = ss_io_system;
    seenset *saved = NULL;
    io.pwrite = add_and_write;
    io.context = &other;
    uint64_t before = test_add_stream(set, 0, FIRST_KEYS);
    assert_int_equal(ss_file_save(&io, set, path), SEENSET_OK);
    assert_int_equal(seenset_open(&saved, path, NULL), SEENSET_OK);
    assert_true(test_has_stream(saved, 0, FIRST_KEYS));
    uint64_t count = test_stats_of(saved).added_items;
    assert_in_range(count, before, test_stats_of(set).added_items);
    seenset_free(saved);
    seenset_free(set);
    return count - before;
}

/* As many as the bits that were read say. Of a small table all bits are read
 * before the keys come, and of a large one most after. */
static void save_counts_what_is_added_meanwhile(void **state)
{
    struct place *place = *state;
    uint64_t of_small = 0, of_large = 0;
    for (uint64_t i = 0; i < TRIALS; i++) {
        uint64_t first = FIRST_KEYS + 100 * i;
        of_small += count_saved(place->path, FIRST_KEYS + i, first, first + 20);
        of_large += count_saved(place->path, 1000000, first, first + 1);
    }
    assert_true(of_small < 20 * TRIALS / 2);
    assert_in_range(of_large, TRIALS / 2, TRIALS);
}

int main(void)
{
#define SAVE_TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
#define GROWN_TEST(f) cmocka_unit_test_setup_teardown(f, enter_grown, leave)
    const struct CMUnitTest tests[] = {
        SAVE_TEST(save_is_whole_or_not_at_all),
        GROWN_TEST(save_is_whole_or_not_at_all),
        SAVE_TEST(save_that_is_killed_leaves_one_set),
        GROWN_TEST(save_that_is_killed_leaves_one_set),
        SAVE_TEST(save_oracle_sees_a_half_written_file),
        SAVE_TEST(save_and_load_in_short_calls),
        GROWN_TEST(save_and_load_in_short_calls),
        SAVE_TEST(load_and_verify_report_each_fault),
        GROWN_TEST(load_and_verify_report_each_fault),
        SAVE_TEST(save_syncs_before_it_renames),
        SAVE_TEST(save_keeps_the_mode),
        SAVE_TEST(save_needs_to_keep_the_mode),
        SAVE_TEST(save_follows_a_link),
        SAVE_TEST(save_follows_links_to_nothing),
        SAVE_TEST(save_follows_as_many_links_as_the_system),
        SAVE_TEST(save_takes_every_name_there_can_be),
        SAVE_TEST(save_removes_what_killed_ones_left),
        SAVE_TEST(save_replaces_nothing_but_files),
        SAVE_TEST(save_leaves_old_views_alone),
        SAVE_TEST(save_counts_what_is_added_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
