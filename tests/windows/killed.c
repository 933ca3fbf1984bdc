/*
 * killed.c - a program that saves and appends without end, and one that kills
 * it at any moment and looks at the file: old or new, whole.
 *
 *     test_killed [ROUNDS]
 *
 * A round starts this program as a child, which replaces the file by a set with
 * more keys, again and again, or adds keys by the journal. The child tells
 * after each of these how many keys are safe, in a second file of 8 bytes. It
 * is terminated after 15 to 135 ms. Then the file must open, pass
 * seenset_verify and hold each key that was told. Where a set was replaced it
 * must hold the keys of one save: no fewer than were told, and no other but
 * those of the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "support.h"

enum {
    KEYS_AT_ONCE = 500,
    MOST_MS = 120,
    CAPACITY = 2000000,
    SAFE_BYTES = 8
};

static const char *const ways[] = {"save", "append"};

/* ---- the child ---- */

/* Over the same 8 bytes: no moment at which the file is empty. */
static void tell_parent(HANDLE safe, uint64_t keys)
{
    OVERLAPPED start = {0};
    DWORD written;
    uint8_t bytes[SAFE_BYTES];
    test_store(bytes, SAFE_BYTES, keys);
    (void)WriteFile(safe, bytes, SAFE_BYTES, &written, &start);
}

static HANDLE open_safe(const char *path)
{
    return CreateFileA(path, GENERIC_READ | GENERIC_WRITE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_ALWAYS,
                       FILE_ATTRIBUTE_NORMAL, NULL);
}

static bool add_keys(seenset *set, uint64_t *keys)
{
    uint64_t end = *keys + KEYS_AT_ONCE;
    for (; *keys < end; ++*keys)
        if (seenset_add(set, keys, sizeof *keys) < 0)
            return false;
    return true;
}

static int save_on(const char *path, HANDLE safe, uint64_t keys)
{
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    seenset *set;
    if (seenset_open(&set, path, &copy) != SEENSET_OK)
        return 2;
    while (add_keys(set, &keys) && seenset_save(set, path) == SEENSET_OK)
        tell_parent(safe, keys);
    return 3;
}

/* Opens the file, adds five keys and makes them durable. */
static int add_five(const char *path, uint32_t flags, uint64_t keys)
{
    const seenset_open_options options = {.flags = flags};
    bool is_append = flags == SEENSET_OPEN_APPEND;
    seenset *set;
    int error = seenset_open(&set, path, &options);
    if (error != SEENSET_OK)
        return error;
    for (uint64_t i = keys; i < keys + 5; i++)
        if (seenset_add(set, &i, sizeof i) < 0)
            error = SEENSET_EINVAL;
    if (error == SEENSET_OK)
        error = is_append ? seenset_append(set, path) : seenset_save(set, path);
    seenset_free(set);
    return error;
}

/* A journal that is full asks for a save, which this Windows may not do while
 * the set has the file open: SEENSET_EIO. */
static int append_on(const char *path, HANDLE safe, uint64_t keys)
{
    for (;; keys += 5) {
        int error = add_five(path, SEENSET_OPEN_APPEND, keys);
        if (error == SEENSET_EIO)
            error = add_five(path, SEENSET_OPEN_COPY, keys);
        if (error != SEENSET_OK)
            return 2;
        tell_parent(safe, keys + 5);
    }
}

/* ---- the parent ---- */

static uint64_t told(const char *path)
{
    uint8_t bytes[SAFE_BYTES] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, SAFE_BYTES, file), SAFE_BYTES);
    (void)fclose(file);
    return test_fetch(bytes, SAFE_BYTES);
}

/* Waits until the child has told of more keys, or has ended. */
static void wait_for_more(HANDLE child, const char *safe, uint64_t before)
{
    while (told(safe) == before &&
           WaitForSingleObject(child, 1) == WAIT_TIMEOUT)
        ;
}

/* Starts the child and ends it after so long, which begins at once or when it
 * has told of keys; true: it was at work till then. */
static bool kill_one(const char *program, const char *way, const char *path,
                     const char *safe, bool is_patient, DWORD ms)
{
    uint64_t before = told(safe);
    char line[1024];
    STARTUPINFOA start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    DWORD code = 0;
    snprintf(line, sizeof line, "\"%s\" %s \"%s\"", program, way, path);
    assert_true(CreateProcessA(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL,
                               &start, &child));
    if (is_patient)
        wait_for_more(child.hProcess, safe, before);
    bool is_at_work = WaitForSingleObject(child.hProcess, ms) == WAIT_TIMEOUT;
    (void)TerminateProcess(child.hProcess, 99);
    (void)WaitForSingleObject(child.hProcess, INFINITE);
    (void)GetExitCodeProcess(child.hProcess, &code);
    if (!is_at_work)
        print_message("%s ended by itself: %lu\n", way, (unsigned long)code);
    CloseHandle(child.hThread);
    CloseHandle(child.hProcess);
    return is_at_work;
}

/* Keys that were never added are few, so a file of another state shows. */
static void check(const char *path, uint64_t keys, uint64_t step)
{
    seenset *set;
    seenset_file_report report;
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    assert_int_equal(seenset_verify(path, &report), SEENSET_OK);
    assert_int_equal(seenset_open(&set, path, &copy), SEENSET_OK);
    for (uint64_t i = 0; i < keys; i++)
        assert_int_equal(seenset_has(set, &i, sizeof i), 1);
    uint64_t strangers = 0;
    for (uint64_t i = keys + step; i < keys + step + 1000; i++)
        strangers += seenset_has(set, &i, sizeof i) == 1;
    assert_true(strangers < 10);
    seenset_free(set);
}

static void begin(const char *path, const char *safe)
{
    seenset *set = test_make(
        (seenset_options){.capacity_items = CAPACITY / 10, .fp_rate = 1e-4});
    const uint8_t none[SAFE_BYTES] = {0};
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
    test_write_file(safe, none, sizeof none);
    seenset_free(set);
}

static const char *program;
static unsigned rounds = 20;

static void files_outlive_their_writers(void **state)
{
    test_random random = {.state = 34};
    unsigned at_work = 0;
    (void)state;
    for (size_t way = 0; way < TEST_COUNT(ways); way++) {
        test_folder folder;
        char path[TEST_PATH_BYTES], safe[TEST_PATH_BYTES];
        test_folder_make(&folder);
        uint64_t most = 0;
        begin(test_path(path, &folder, "set"),
              test_path(safe, &folder, "safe"));
        for (unsigned i = 0; i < rounds; i++) {
            DWORD ms = (DWORD)test_random_below(&random, MOST_MS) + 15;
            at_work += kill_one(program, ways[way], path, safe, i % 2 == 0, ms);
            check(path, told(safe), way == 0 ? KEYS_AT_ONCE : 5);
            if (told(safe) > most)
                most = told(safe);
            if (told(safe) > CAPACITY / 20)
                begin(path, safe);
        }
        print_message("%s: %u kills, at most %llu keys safe\n", ways[way],
                      rounds, (unsigned long long)most);
        assert_true(most > 0);
        test_folder_remove(&folder);
    }
    assert_true(at_work > rounds); /* more than half */
}

/* planted: a file that was cut is noticed, and one without a key that is told
 */
static void a_torn_file_is_noticed(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES], safe[TEST_PATH_BYTES];
    size_t length;
    seenset_file_report report;
    seenset *set;
    (void)state;
    test_folder_make(&folder);
    begin(test_path(path, &folder, "set"), test_path(safe, &folder, "safe"));
    assert_int_equal(seenset_open(&set, path, NULL), SEENSET_OK);
    uint64_t key = 0;
    assert_int_equal(seenset_has(set, &key, sizeof key), 0);
    seenset_free(set);
    uint8_t *bytes = test_read_file(path, &length);
    test_write_file(path, bytes, length / 2);
    assert_int_equal(seenset_verify(path, &report), SEENSET_ETRUNCATED);
    free(bytes);
    test_folder_remove(&folder);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        char safe[TEST_PATH_BYTES];
        const char *path = argv[2];
        snprintf(safe, sizeof safe, "%.*ssafe", (int)strlen(path) - 3, path);
        HANDLE handle = open_safe(safe);
        uint64_t keys = told(safe);
        return strcmp(argv[1], "save") == 0 ? save_on(path, handle, keys)
                                            : append_on(path, handle, keys);
    }
    program = argv[0];
    if (argc == 2)
        rounds = (unsigned)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torn_file_is_noticed),
        cmocka_unit_test(files_outlive_their_writers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
