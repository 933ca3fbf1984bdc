/* io.c - the loops around short and broken calls lose nothing */
#define _XOPEN_SOURCE 700
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faulty_io.h"
#include "support.h"

static const char text[] = "a set on disk: whole or not at all";

static void io_moves_all_bytes_in_short_calls(void **state)
{
    test_folder folder;
    test_io io;
    char path[TEST_PATH_BYTES], back[100];
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "short");
    for (int fault = TEST_FAIL; fault <= TEST_SHORT; fault++) {
        test_io_init(&io);
        io.fault = (test_fault)fault;
        int fd = ss_io_open(&io.io, path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        assert_true(fd >= 0);
        assert_true(ss_io_write_all(&io.io, fd, text, sizeof text));
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        memset(back, 0, sizeof back);
        assert_int_equal(ss_io_read_all(&io.io, fd, back, sizeof back),
                         sizeof text);
        assert_string_equal(back, text);
        assert_int_equal(ss_io_read_all(&io.io, fd, back, sizeof back), 0);
        ss_io_close_quietly(&io.io, fd);
        assert_int_equal(io.open_files, 0);
        /* the fault was there: a call for each byte and one for the end */
        assert_true(fault == TEST_FAIL || io.calls > 2 * sizeof text);
    }
    test_folder_remove(&folder);
}

/* A signal at any call: tried again, with nothing lost or written twice. */
static void io_tries_again_after_a_signal(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "signal");
    for (size_t at = 1; at <= 3; at++) {
        test_io io;
        char back[100] = "";
        test_io_init(&io);
        io.error = EINTR;
        io.fail_at = at;
        io.fail_to = at + 2;
        int fd = ss_io_open(&io.io, path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        assert_true(fd >= 0);
        assert_true(ss_io_write_all(&io.io, fd, text, sizeof text));
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        assert_int_equal(ss_io_read_all(&io.io, fd, back, sizeof back),
                         sizeof text);
        assert_string_equal(back, text);
        assert_non_null(io.failed);
        ss_io_close_quietly(&io.io, fd);
    }
    test_folder_remove(&folder);
}

static void io_reports_failures(void **state)
{
    test_io io;
    char back[8];
    (void)state;
    for (int error = 1; error < 40; error++) {
        if (error == EINTR)
            continue;
        test_io_init(&io);
        io.fail_at = 1;
        io.fail_to = SIZE_MAX;
        io.error = error;
        errno = 0;
        assert_false(ss_io_write_all(&io.io, 0, text, sizeof text));
        assert_int_equal(errno, error);
        assert_int_equal(ss_io_read_all(&io.io, 0, back, sizeof back), -1);
        assert_int_equal(errno, error);
        assert_int_equal(ss_io_open(&io.io, "/", O_RDONLY, 0), -1);
        assert_false(ss_io_sync_folder_of(&io.io, "/tmp/x"));
    }
}

static void io_quiet_calls_keep_errno(void **state)
{
    (void)state;
    errno = ENOSPC;
    ss_io_close_quietly(&ss_io_system, -1);
    assert_int_equal(errno, ENOSPC);
    ss_io_unlink_quietly(&ss_io_system, "/nonexistent/file");
    assert_int_equal(errno, ENOSPC);
}

/* Which folder is synced for a path. */
static int open_root_only(void *context, const char *path, int flags,
                          mode_t mode)
{
    (void)flags, (void)mode;
    strncpy(context, path, TEST_PATH_BYTES - 1);
    errno = EACCES;
    return -1;
}

static void io_syncs_the_folder_of_a_path(void **state)
{
    static const char *const cases[][2] = {{"set", "."},   {"/set", "/"},
                                           {"a/set", "a"}, {"/a/b/set", "/a/b"},
                                           {"./set", "."}, {"../set", ".."}};
    char opened[TEST_PATH_BYTES];
    ss_io io = ss_io_system;
    (void)state;
    io.open = open_root_only;
    io.context = opened;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        memset(opened, 0, sizeof opened);
        assert_false(ss_io_sync_folder_of(&io, cases[i][0]));
        assert_string_equal(opened, cases[i][1]);
    }
    char *long_path = malloc(100000);
    assert_non_null(long_path);
    memset(long_path, 'a', 99999);
    memcpy(long_path + 99990, "/a", 3);
    assert_false(ss_io_sync_folder_of(&ss_io_system, long_path));
    assert_int_equal(errno, ENAMETOOLONG);
    free(long_path);
}

/* Interrupts every other call, and moves one byte in the rest. */
static ssize_t pwrite_haltingly(void *context, int fd, const void *bytes,
                                size_t size_bytes, uint64_t offset)
{
    size_t *calls = context;
    (void)size_bytes;
    errno = EINTR;
    return (*calls)++ % 2 == 0 ? -1 : pwrite(fd, bytes, 1, (off_t)offset);
}

static ssize_t pread_haltingly(void *context, int fd, void *bytes,
                               size_t size_bytes, uint64_t offset)
{
    size_t *calls = context;
    (void)size_bytes;
    errno = EINTR;
    return (*calls)++ % 2 == 0 ? -1 : pread(fd, bytes, 1, (off_t)offset);
}

/* What is said of calls in order holds of those at an offset. */
static void io_moves_all_bytes_at_an_offset(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES], back[100] = "";
    size_t calls = 0;
    ss_io io = ss_io_system;
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "offset");
    int fd = ss_io_open(&io, path, O_RDWR | O_CREAT, 0600);
    io.context = &calls;
    io.pwrite = pwrite_haltingly;
    io.pread = pread_haltingly;
    assert_true(ss_io_pwrite_all(&io, fd, text, sizeof text, 10));
    assert_int_equal(calls, 2 * sizeof text);
    assert_int_equal(ss_io_pread_all(&io, fd, back, sizeof back, 10),
                     sizeof text);
    assert_string_equal(back, text);
    assert_int_equal(ss_io_system.truncate(NULL, fd, 12), 0);
    assert_int_equal(ss_io_pread_all(&ss_io_system, fd, back, 100, 10), 2);
    ss_io_close_quietly(&ss_io_system, fd);
    assert_false(ss_io_pwrite_all(&ss_io_system, fd, text, 1, 0));
    assert_int_equal(ss_io_pread_all(&ss_io_system, fd, back, 1, 0), -1);
    assert_int_equal(errno, EBADF);
    test_folder_remove(&folder);
}

/* Moves nothing, once, with an errno that is left from another call. */
static ssize_t nothing(size_t *calls)
{
    assert_int_equal((*calls)++, 0);
    errno = EINTR;
    return 0;
}

static ssize_t read_nothing(void *context, int fd, void *bytes, size_t size)
{
    (void)fd, (void)bytes, (void)size;
    return nothing(context);
}

static ssize_t write_nothing(void *context, int fd, const void *bytes,
                             size_t size)
{
    (void)fd, (void)bytes, (void)size;
    return nothing(context);
}

static ssize_t pread_nothing(void *context, int fd, void *bytes, size_t size,
                             uint64_t offset)
{
    (void)fd, (void)bytes, (void)size, (void)offset;
    return nothing(context);
}

static ssize_t pwrite_nothing(void *context, int fd, const void *bytes,
                              size_t size, uint64_t offset)
{
    (void)fd, (void)bytes, (void)size, (void)offset;
    return nothing(context);
}

/* A write that writes nothing is not tried for ever; to read nothing is to be
 * at the end. */
static void io_tries_nothing_twice(void **state)
{
    size_t calls;
    char back[8];
    const ss_io io = {.context = &calls,
                      .read = read_nothing,
                      .write = write_nothing,
                      .pread = pread_nothing,
                      .pwrite = pwrite_nothing};
    (void)state;
    for (int at_offset = 0; at_offset <= 1; at_offset++) {
        calls = 0;
        assert_false(at_offset ? ss_io_pwrite_all(&io, 0, text, sizeof text, 10)
                               : ss_io_write_all(&io, 0, text, sizeof text));
        assert_int_equal(errno, EIO);
        calls = 0;
        assert_int_equal(at_offset
                             ? ss_io_pread_all(&io, 0, back, sizeof back, 10)
                             : ss_io_read_all(&io, 0, back, sizeof back),
                         0);
    }
}

/* Visits as many names as *context says. */
static int visit_some(void *context, const char *name)
{
    size_t *left = context;
    assert_string_equal(name, "name");
    return (*left)-- > 0 ? 0 : -1;
}

static void io_lists_until_the_visitor_stops(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;
    test_folder_make(&folder);
    test_write_file(test_path(path, &folder, "name"), text, 1);
    for (size_t most = 0; most <= 1; most++) {
        size_t left = most;
        int result = ss_io_system.list(NULL, folder.path, visit_some, &left);
        assert_int_equal(result, most == 1 ? 0 : -1);
    }
    test_folder_remove(&folder);
    assert_int_equal(ss_io_system.list(NULL, folder.path, visit_some, NULL),
                     -1);
    assert_int_equal(errno, ENOENT);
}

static int sync_says(void *context, int fd)
{
    (void)fd;
    errno = *(const int *)context;
    return -1;
}

/* Some file systems have nothing to sync in a folder. */
static void io_needs_no_sync_where_there_is_none(void **state)
{
    ss_io io = ss_io_system;
    int error = EINVAL;
    (void)state;
    io.sync = sync_says;
    io.context = &error;
    assert_true(ss_io_sync_folder(&io, "/"));
    error = EIO;
    assert_false(ss_io_sync_folder(&io, "/"));
    assert_int_equal(errno, EIO);
}

/* 0 or 1 as io.h says, -1 with EIO where call number fail_at fails. */
static int is_name_of(const char *path, int fd, size_t fail_at)
{
    test_io io;
    test_io_init(&io);
    io.fail_at = io.fail_to = fail_at;
    io.error = EIO;
    errno = 0;
    int answer = ss_io_is_name_of(&io.io, path, fd);
    assert_int_equal(errno, answer == -1 ? io.error : errno);
    return answer;
}

/* A name is that of an open file if it leads to the same file, and not to one
 * like it: a link to it, another file, one with its number on another disk. */
static void io_knows_the_name_of_a_file(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES], other[TEST_PATH_BYTES];
    (void)state;
    test_folder_make(&folder);
    test_write_file(test_path(path, &folder, "name"), text, 1);
    int fd = ss_io_open(&ss_io_system, path, O_RDONLY, 0);
    assert_int_equal(is_name_of(path, fd, 0), 1);
    assert_int_equal(is_name_of("/dev/null", fd, 0), 0);
    test_path(other, &folder, "other");
    assert_int_equal(is_name_of(other, fd, 0), 0);
    test_write_file(other, text, 1);
    assert_int_equal(is_name_of(other, fd, 0), 0);
    assert_int_equal(unlink(other), 0);
    assert_int_equal(symlink("name", other), 0);
    assert_int_equal(is_name_of(other, fd, 0), 0);
    for (size_t at = 1; at <= 3; at++)
        assert_int_equal(is_name_of(path, fd, at), -1);
    ss_io_close_quietly(&ss_io_system, fd);
    fd = ss_io_open(&ss_io_system, folder.path, O_RDONLY, 0);
    assert_int_equal(is_name_of(folder.path, fd, 0), 0);
    ss_io_close_quietly(&ss_io_system, fd);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(io_moves_all_bytes_in_short_calls),
        cmocka_unit_test(io_tries_again_after_a_signal),
        cmocka_unit_test(io_reports_failures),
        cmocka_unit_test(io_quiet_calls_keep_errno),
        cmocka_unit_test(io_syncs_the_folder_of_a_path),
        cmocka_unit_test(io_moves_all_bytes_at_an_offset),
        cmocka_unit_test(io_tries_nothing_twice),
        cmocka_unit_test(io_lists_until_the_visitor_stops),
        cmocka_unit_test(io_needs_no_sync_where_there_is_none),
        cmocka_unit_test(io_knows_the_name_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
