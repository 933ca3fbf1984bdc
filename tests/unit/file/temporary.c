/*
 * temporary.c - the file that a save writes first, the file that a name leads
 * to, and the journal's name: what others do to a name between two steps, and
 * names that lead nowhere or are long.
 */
#define _DEFAULT_SOURCE /* getentropy, symlink */
#include "file/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/journal/journal.h"
#include "file/target.h"
#include "support.h"

/* What happens to the name of the file that is being locked. */
typedef enum meddling {
    NOTHING,
    IS_SWEPT,    /* another process holds the lock, and will remove the file */
    WAS_SWEPT,   /* it was removed just before the lock was had */
    IS_REPLACED, /* and a file of another was made in its place */
    INTERRUPTED  /* a signal comes, twice */
} meddling;

typedef struct place {
    ss_io io; /* which has the place as its context */
    test_folder folder;
    char target[TEST_PATH_BYTES];
    char first[SS_PATH_MAX]; /* the first name that is tried */
    meddling event;
    int locks; /* calls of lock */
    int opens; /* calls of open */
} place;

static int open_and_count(void *context, const char *path, int flags,
                          mode_t mode)
{
    place *at = context;
    at->opens++;
    return ss_io_system.open(NULL, path, flags, mode);
}

/* The first lock, which is that of the first new file, meets the event. */
static int lock_with_event(void *context, int fd)
{
    place *at = context;
    bool is_first = at->locks++ == 0;
    if (at->event == INTERRUPTED && at->locks <= 2) {
        errno = EINTR;
        return -1;
    }
    if (is_first && at->event == IS_SWEPT) {
        errno = EWOULDBLOCK;
        return -1;
    }
    if (is_first && (at->event == WAS_SWEPT || at->event == IS_REPLACED))
        assert_int_equal(unlink(at->first), 0);
    if (is_first && at->event == IS_REPLACED)
        test_write_file(at->first, "another's", 9);
    return ss_io_system.lock(NULL, fd);
}

static void enter(place *at, meddling event)
{
    *at = (place){.io = ss_io_system, .event = event};
    at->io.open = open_and_count;
    at->io.lock = lock_with_event;
    at->io.context = at;
    test_folder_make(&at->folder);
    test_path(at->target, &at->folder, "set");
    ss_target_beside(at->first, at->target, "-0");
}

static bool is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Its name is its own, and its lock is held. */
static void check_made(const ss_temporary *made)
{
    int again = open(made->path, O_RDWR);
    assert_true(again >= 0);
    assert_int_equal(ss_io_is_name_of(&ss_io_system, made->path, made->fd), 1);
    assert_int_equal(ss_io_system.lock(NULL, again), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    close(again);
}

/* ---- names that others take ---- */

/* Two saves at once: neither takes the other's file for left over. */
static void temporary_of_another_save_is_left_alone(void **state)
{
    place at;
    ss_temporary one, two;
    (void)state;
    enter(&at, NOTHING);
    assert_true(ss_temporary_open(&at.io, &one, at.target, 0600));
    assert_true(ss_temporary_open(&at.io, &two, at.target, 0600));
    assert_string_equal(one.path, at.first);
    assert_string_not_equal(two.path, at.first);
    check_made(&one);
    check_made(&two);
    ss_temporary_drop(&at.io, &one);
    check_made(&two);
    /* planted: one that nobody holds is removed, and its name is free again */
    test_write_file(at.first, "left over", 9);
    assert_true(ss_temporary_open(&at.io, &one, at.target, 0600));
    assert_string_equal(one.path, at.first);
    ss_temporary_drop(&at.io, &one);
    ss_temporary_drop(&at.io, &two);
    assert_int_equal(test_folder_count(&at.folder), 0);
    test_folder_remove(&at.folder);
}

/* Whatever comes between making a file and locking it, the one that is given
 * is locked and has its name, and nobody else's is removed. */
static void temporary_is_locked_under_its_own_name(void **state)
{
    (void)state;
    for (meddling event = NOTHING; event <= INTERRUPTED; event++) {
        bool is_first = event == NOTHING || event == INTERRUPTED;
        bool stays = event != WAS_SWEPT;
        place at;
        ss_temporary made;
        enter(&at, event);
        assert_true(ss_temporary_open(&at.io, &made, at.target, 0600));
        check_made(&made);
        assert_int_equal(strcmp(made.path, at.first) == 0, is_first);
        assert_int_equal(is_there(at.first), stays);
        ss_temporary_drop(&at.io, &made);
        assert_int_equal(test_folder_count(&at.folder), !is_first && stays);
        test_folder_remove(&at.folder);
    }
}

/* ---- names drawn at random ---- */

static bool has_no_entropy;

/* The C library's own, unless a test says that the kernel has none. */
int getentropy(void *bytes, size_t size_bytes)
{
    if (has_no_entropy) {
        errno = ENOSYS;
        return -1;
    }
    int fd = open("/dev/urandom", O_RDONLY);
    ssize_t got = read(fd, bytes, (unsigned)size_bytes);
    close(fd);
    return got == (ssize_t)size_bytes ? 0 : -1;
}

enum {
    LOOKS = 32 /* at the 16 names: one to sweep it, one to make it */
};

/* All names are taken, and then the folder may not be written to. */
static int open_as_told(void *context, const char *path, int flags, mode_t mode)
{
    place *at = context;
    (void)path, (void)flags, (void)mode;
    errno = at->opens++ < LOOKS ? EEXIST : EACCES;
    return -1;
}

static void temporary_needs_a_name_at_random_to_be_had(void **state)
{
    place at;
    ss_temporary made;
    (void)state;
    enter(&at, NOTHING);
    at.io.open = open_as_told;
    assert_false(ss_temporary_open(&at.io, &made, at.target, 0600));
    assert_int_equal(errno, EACCES);
    assert_int_equal(at.opens, LOOKS + 1);
    at.opens = 0;
    has_no_entropy = true;
    bool is_made = ss_temporary_open(&at.io, &made, at.target, 0600);
    has_no_entropy = false;
    assert_false(is_made);
    assert_int_equal(at.opens, LOOKS);
    test_folder_remove(&at.folder);
}

/* ---- where a name leads ---- */

static void target_is_at_the_end_of_links(void **state)
{
    place at;
    char link[TEST_PATH_BYTES], found[SS_PATH_MAX];
    (void)state;
    enter(&at, NOTHING);
    assert_true(ss_target_find(found, at.target));
    assert_string_equal(found, at.target);
    test_path(link, &at.folder, "link");
    assert_int_equal(symlink("set", link), 0);
    assert_true(ss_target_find(found, link));
    assert_string_equal(found, at.target);
    test_folder_remove(&at.folder);
}

/* Asserts that it leads nowhere, and that nothing is given then. */
static void check_nowhere(const char *path, int error)
{
    char found[SS_PATH_MAX] = "as it was";
    errno = 0;
    assert_false(ss_target_find(found, path));
    assert_int_equal(errno, error);
    assert_string_equal(found, "as it was");
}

static void target_of_a_circle_is_refused(void **state)
{
    place at;
    char here[TEST_PATH_BYTES], there[TEST_PATH_BYTES];
    (void)state;
    enter(&at, NOTHING);
    assert_int_equal(symlink("b", test_path(here, &at.folder, "a")), 0);
    assert_int_equal(symlink("a", test_path(there, &at.folder, "b")), 0);
    check_nowhere(here, ELOOP);
    assert_int_equal(unlink(there), 0);
    test_write_file(there, "", 0);
    char below[TEST_PATH_BYTES + 8];
    (void)snprintf(below, sizeof below, "%s/set", there);
    check_nowhere(below, ENOTDIR);
    test_folder_remove(&at.folder);
}

/* A path that is too long as it is given, or once a link is followed. */
static void target_is_no_longer_than_a_path(void **state)
{
    place at;
    char text[SS_PATH_MAX + 1], link[TEST_PATH_BYTES];
    (void)state;
    enter(&at, NOTHING);
    memset(text, 'a', SS_PATH_MAX);
    text[SS_PATH_MAX] = '\0';
    check_nowhere(text, ENAMETOOLONG);
    text[400] = '\0';
    assert_int_equal(symlink(text, test_path(link, &at.folder, "link")), 0);
    size_t folder_length = strlen(at.folder.path);
    memcpy(text, at.folder.path, folder_length);
    memset(text + folder_length, '/', SS_PATH_MAX - 100);
    strcpy(text + SS_PATH_MAX - 100, "link");
    check_nowhere(text, ENAMETOOLONG);
    test_folder_remove(&at.folder);
}

static void journal_of_a_long_name_has_a_short_one(void **state)
{
    enum {
        LONGEST = 255
    };
    char target[SS_PATH_MAX], path[SS_PATH_MAX];
    (void)state;
    for (size_t length = LONGEST - 6; length <= LONGEST; length++) {
        memset(target, 'x', length);
        target[length] = '\0';
        ss_journal_path(path, target);
        assert_true(strlen(path) <= LONGEST);
        assert_int_equal(path[0] == 'x', length + 4 <= LONGEST);
    }
    for (size_t length = SS_PATH_MAX - 8; length < SS_PATH_MAX; length++) {
        memset(target, '/', length);
        memset(target + length - 200, 'x', 200);
        target[length] = '\0';
        ss_journal_path(path, target);
        assert_true(strlen(path) < SS_PATH_MAX);
        assert_int_equal(path[length - 200] == 'x', length + 4 < SS_PATH_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temporary_of_another_save_is_left_alone),
        cmocka_unit_test(temporary_is_locked_under_its_own_name),
        cmocka_unit_test(temporary_needs_a_name_at_random_to_be_had),
        cmocka_unit_test(target_is_at_the_end_of_links),
        cmocka_unit_test(target_of_a_circle_is_refused),
        cmocka_unit_test(target_is_no_longer_than_a_path),
        cmocka_unit_test(journal_of_a_long_name_has_a_short_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
