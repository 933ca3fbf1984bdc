/*
 * scratch.c - pages of which few are in memory, against all of them there.
 *
 * The file fails at any call, and is not what was written to it.
 */
#define _XOPEN_SOURCE 700 /* pread */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "faulty_io.h"
#include "frontier/scratch.h"

enum {
    PAGES = 64,
    FRAMES = 5
};

typedef struct place {
    test_folder folder;
    test_io io;
    ss_memory memory;
    ss_scratch scratch;
    uint32_t pages[PAGES]; /* by the test's number, or SS_PAGE_NONE */
    uint32_t kept[PAGES];  /* what is on each */
    int file;              /* a second descriptor of the file */
    bool is_refused;       /* the file cannot be made */
} place;

static int open_file(void *context)
{
    char path[TEST_PATH_BYTES];
    place *at = context;
    if (at->is_refused) {
        errno = EACCES;
        return -1;
    }
    test_path(path, &at->folder, "scratch");
    int fd = ss_io_open_new(&at->io.io, path, 0600);
    if (fd < 0)
        return -1;
    at->file = open(path, O_RDWR);
    unlink(path);
    return fd;
}

static void begin(place *at, bool is_optional)
{
    *at = (place){.file = -1};
    test_folder_make(&at->folder);
    test_io_init(&at->io);
    const ss_scratch_file file = {&at->io.io, open_file, at, is_optional};
    assert_int_equal(ss_memory_init(&at->memory, NULL), SEENSET_OK);
    ss_scratch_init(&at->scratch, &at->memory, &file);
    at->scratch.most_frames = FRAMES;
    for (int i = 0; i < PAGES; i++)
        at->pages[i] = SS_PAGE_NONE;
}

static void end(place *at)
{
    ss_scratch_free(&at->scratch);
    assert_int_equal(at->io.open_files, 0);
    if (at->file >= 0)
        close(at->file);
    test_folder_remove(&at->folder);
}

/* What is on a page: the number all over it. */
static void fill(void *bytes, uint32_t number)
{
    uint32_t *words = bytes;
    for (size_t i = 0; i < SS_PAGE_BYTES / sizeof *words; i++)
        words[i] = number;
}

static bool is_full_of(const void *bytes, uint32_t number)
{
    const uint32_t *words = bytes;
    for (size_t i = 0; i < SS_PAGE_BYTES / sizeof *words; i++)
        if (words[i] != number)
            return false;
    return true;
}

/* A page comes, is read, written to, or goes. Returns 0 or the error, after
 * which nothing may have changed. */
static int step(place *at, test_random *random)
{
    void *bytes;
    int i = (int)test_random_below(random, PAGES), error = SEENSET_OK;
    uint32_t number = (uint32_t)test_random_next(random);
    bool changes = number % 2 == 0;
    if (at->pages[i] == SS_PAGE_NONE) {
        uint32_t page;
        error = ss_scratch_add(&at->scratch, &page);
        if (error != SEENSET_OK)
            return error;
        at->pages[i] = page;
        at->kept[i] = 0;
        bytes = ss_scratch_kept(&at->scratch);
        changes = true;
    } else if (number % 8 == 1) {
        ss_scratch_remove(&at->scratch, at->pages[i]);
        at->pages[i] = SS_PAGE_NONE;
        return SEENSET_OK;
    } else {
        error = ss_scratch_get(&at->scratch, at->pages[i], changes, &bytes);
    }
    if (error != SEENSET_OK)
        return error;
    assert_true(is_full_of(bytes, at->kept[i]));
    if (changes)
        fill(bytes, at->kept[i] = number);
    return SEENSET_OK;
}

static void check_all(place *at)
{
    void *bytes;
    for (int i = 0; i < PAGES; i++) {
        if (at->pages[i] == SS_PAGE_NONE)
            continue;
        assert_int_equal(
            ss_scratch_get(&at->scratch, at->pages[i], false, &bytes),
            SEENSET_OK);
        assert_true(is_full_of(bytes, at->kept[i]));
    }
}

static void few_frames_hold_all_pages(void **state)
{
    place at;
    test_random random = {5};
    (void)state;
    begin(&at, false);
    for (int i = 0; i < 20000; i++)
        assert_int_equal(step(&at, &random), SEENSET_OK);
    check_all(&at);
    assert_int_equal(at.scratch.frames_in_use, FRAMES);
    assert_true(at.scratch.page_count <= PAGES);
    assert_true(at.scratch.reads > 5000 && at.scratch.writes > 1000);
    end(&at);
}

/* A call that fails changes nothing, and the next goes on. */
static void the_file_fails_at_any_call(void **state)
{
    int failures = 0;
    (void)state;
    for (size_t fail_at = 1; fail_at < 300; fail_at += 1 + fail_at / 20) {
        place at;
        test_random random = {7};
        begin(&at, false);
        at.io.fail_at = at.io.fail_to = fail_at;
        at.io.error = ENOSPC;
        for (int i = 0; i < 400; i++) {
            int error = step(&at, &random);
            assert_true(error == SEENSET_OK || error == SEENSET_EIO);
            failures += error != SEENSET_OK;
            if (error != SEENSET_OK)
                assert_int_equal(errno, ENOSPC);
        }
        check_all(&at);
        end(&at);
    }
    assert_true(failures > 50);
}

/* Bytes that were not written so are an error, whichever changed. */
static void a_page_that_changed_is_refused(void **state)
{
    place at;
    test_random random = {9};
    int refused = 0;
    (void)state;
    begin(&at, false);
    while (at.scratch.writes < 40)
        assert_int_equal(step(&at, &random), SEENSET_OK);
    for (uint32_t page = 0; page < at.scratch.page_count; page++) {
        uint8_t byte;
        off_t offset = (off_t)page * SS_PAGE_BYTES +
                       (off_t)test_random_below(&random, SS_PAGE_BYTES);
        if (pread(at.file, &byte, 1, offset) != 1)
            continue;
        byte ^= 1;
        assert_int_equal(pwrite(at.file, &byte, 1, offset), 1);
    }
    for (int i = 0; i < PAGES; i++) {
        void *bytes;
        if (at.pages[i] == SS_PAGE_NONE)
            continue;
        int error = ss_scratch_get(&at.scratch, at.pages[i], false, &bytes);
        assert_true(error == SEENSET_EIO || is_full_of(bytes, at.kept[i]));
        refused += error == SEENSET_EIO;
    }
    assert_true(refused > 10);
    end(&at);
}

/* Where there may be no file all pages stay in memory. */
static void a_file_may_be_optional(void **state)
{
    (void)state;
    for (int is_optional = 0; is_optional < 2; is_optional++) {
        place at;
        int failures = 0;
        test_random random = {11};
        begin(&at, is_optional);
        at.is_refused = true;
        for (int i = 0; i < 400; i++)
            failures += step(&at, &random) != SEENSET_OK;
        check_all(&at);
        assert_int_equal(failures == 0, is_optional);
        assert_int_equal(at.scratch.frames_in_use > FRAMES, is_optional);
        end(&at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_frames_hold_all_pages),
        cmocka_unit_test(the_file_fails_at_any_call),
        cmocka_unit_test(a_page_that_changed_is_refused),
        cmocka_unit_test(a_file_may_be_optional)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
