/*
 * golden.c - the golden files, opened on Windows and written there again: the
 * same bytes, and no key lost.
 *
 * A file of an older version is written in today's, so it is compared with what
 * its own writing gives when it is opened and written once more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    AT_VERSION = 8,
    SAME = TEST_GOLDEN_COUNT - TEST_GOLDEN_OLD_COUNT /* of versions 3 on */
};

static void check_keys(const seenset *set)
{
    for (int i = 0; i < TEST_GOLDEN_KEYS; i++) {
        char key[16];
        int length = snprintf(key, sizeof key, "key %d", i);
        assert_int_equal(seenset_has(set, key, (size_t)length), 1);
    }
}

/* Saves it under another name; the bytes of that file, from malloc. */
static uint8_t *save(const seenset *set, const test_folder *folder,
                     size_t *size_bytes)
{
    char path[TEST_PATH_BYTES];
    assert_int_equal(seenset_save(set, test_path(path, folder, "s\xC3\xA9t")),
                     SEENSET_OK);
    seenset *again;
    assert_int_equal(seenset_open(&again, path, NULL), SEENSET_OK);
    uint8_t *bytes = test_bytes_of(again, size_bytes);
    check_keys(again);
    seenset_free(again);
    return bytes;
}

/* Is it of today's version, and were the bytes the same? */
static bool check_one(const char *path, uint32_t flags,
                      const test_folder *folder)
{
    size_t file_bytes, size_bytes;
    const seenset_open_options options = {.flags = flags};
    seenset *set;
    uint8_t *file = test_read_file(path, &file_bytes);
    assert_int_equal(seenset_open(&set, path, &options), SEENSET_OK);
    check_keys(set);
    uint8_t *bytes = save(set, folder, &size_bytes);
    seenset_free(set);
    bool is_same = file[AT_VERSION] == bytes[AT_VERSION];
    if (is_same) {
        assert_int_equal(size_bytes, file_bytes);
        assert_memory_equal(bytes, file, file_bytes);
    }
    free(file);
    free(bytes);
    return is_same;
}

static void golden_files_are_written_again(void **state)
{
    unsigned same = 0;
    test_folder folder;
    (void)state;
    test_folder_make(&folder);
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        char path[TEST_PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", SEENSET_TEST_GOLDEN,
                 test_goldens[i].name);
        same += check_one(path, SEENSET_OPEN_VIEW, &folder);
        (void)check_one(path, SEENSET_OPEN_COPY, &folder);
    }
    print_message("%u of %d golden files: the same bytes\n", same,
                  TEST_GOLDEN_COUNT);
    assert_int_equal(same, SAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_files_are_written_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
