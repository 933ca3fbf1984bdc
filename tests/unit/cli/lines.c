/*
 * lines.c - the reader gives back every line that was written, however
 * the bytes come: as a file, or through a pipe in pieces of any size.
 */
#define _GNU_SOURCE /* pipe, fork, setenv */
#include "support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seenset/hash.h"
#include "stream/lines.h"

typedef struct text {
    char *bytes;
    size_t size;
} text;

/* Lines of 0 to `longest` bytes, the last one unfinished. */
static text make_text(test_random *random, size_t size, uint64_t longest)
{
    text made = {malloc(size), size};
    assert_non_null(made.bytes);
    for (size_t at = 0; at < size;) {
        size_t len = (size_t)test_random_below(random, longest + 1);
        for (; len > 0 && at < size; len--) {
            char byte = (char)test_random_next(random);
            made.bytes[at++] = byte == '\n' ? 'n' : byte;
        }
        if (at < size)
            made.bytes[at++] = '\n';
    }
    made.bytes[size - 1] = '.';
    return made;
}

/* Whether the lines of the batch are what stands at *at, which moves on. */
static bool is_next(batch *some, const text *whole, size_t *at)
{
    const char *data = batch_text(some);
    assert_non_null(data);
    if (some->room > 2 * BATCH_LINE_BYTES)
        return false;
    for (size_t i = 0; i < some->count; i++) {
        const char *from = whole->bytes + *at;
        size_t left = whole->size - *at;
        const char *stop = left > 0 ? memchr(from, '\n', left) : NULL;
        size_t len = stop != NULL ? (size_t)(stop - from) : left;
        size_t start = batch_start(some, i);
        if (left == 0 || some->ends[i] - start != len ||
            memcmp(data + start, from, len) != 0 ||
            data[some->ends[i]] != '\n' ||
            some->hashes[i] != seenset_hash(from, len))
            return false;
        *at += len + (stop != NULL);
    }
    return true;
}

/* Puts the reader off every third time. */
static int wait_or_not(void *context, int fd)
{
    int *calls = context;
    (void)fd;
    return ++*calls % 3 == 0;
}

/* Reads all that the reader has open; whether it is the text. */
static bool reads_text(lines *reader, const text *whole)
{
    int calls = 0;
    reader->wait = wait_or_not;
    reader->wait_context = &calls;
    batch *some = batch_new();
    assert_non_null(some);
    size_t at = 0;
    uint64_t number = 1;
    bool is_same = true;
    int got;
    while ((got = lines_next(reader, some)) == 1 || got == LINES_LATER) {
        if (got == LINES_LATER)
            continue;
        batch_hash(some);
        is_same = is_same && some->first_number == number && some->count > 0 &&
                  is_next(some, whole, &at);
        number += some->count;
    }
    batch_free(some);
    assert_true(calls > 0);
    return got == 0 && is_same && at == whole->size;
}

static bool reads_file(const text *written, const text *wanted)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    test_folder_make(&folder);
    test_write_file(test_path(path, &folder, "lines"), written->bytes,
                    written->size);
    lines reader;
    assert_int_equal(lines_init(&reader, '\n'), 0);
    assert_int_equal(lines_open(&reader, path), 0);
    bool is_same = reads_text(&reader, wanted);
    lines_free(&reader);
    test_folder_remove(&folder);
    return is_same;
}

static void write_pieces(int to, const text *whole, test_random *random)
{
    for (size_t at = 0; at < whole->size;) {
        size_t piece = 1 + (size_t)test_random_below(random, 100000);
        if (piece > whole->size - at)
            piece = whole->size - at;
        ssize_t wrote = write(to, whole->bytes + at, piece);
        if (wrote < 0)
            _exit(1);
        at += (size_t)wrote;
    }
    _exit(0);
}

static bool reads_pipe(const text *whole, test_random *random)
{
    int ends[2];
    int status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        write_pieces(ends[1], whole, random);
    close(ends[1]);
    lines reader;
    assert_int_equal(lines_init(&reader, '\n'), 0);
    input_start(&reader.input, ends[0]);
    bool is_same = reads_text(&reader, whole);
    lines_free(&reader);
    assert_int_equal(waitpid(child, &status, 0), child);
    return is_same && status == 0;
}

static void check_texts(uint64_t longest, int rounds)
{
    test_random random = {longest};
    for (int i = 0; i < rounds; i++) {
        size_t most = longest < 2000000 ? 2000000 : (size_t)(2 * longest);
        size_t size = 1 + (size_t)test_random_below(&random, most);
        text whole = make_text(&random, size, longest);
        assert_true(reads_file(&whole, &whole));
        assert_true(reads_pipe(&whole, &random));
        free(whole.bytes);
    }
}

static void lines_of_urls(void **state)
{
    (void)state;
    check_texts(100, 10);
}

/* More of them than a batch has room for. */
static void lines_too_short_for_a_batch(void **state)
{
    (void)state;
    check_texts(2, 10);
}

/* Longer than a batch's bytes, several times. */
static void lines_too_long_for_a_batch(void **state)
{
    (void)state;
    check_texts(5 * BATCH_BYTES, 20);
}

/* Longer than what is held in memory. */
static void lines_too_long_for_memory(void **state)
{
    (void)state;
    check_texts(2 * BATCH_LINE_BYTES, 6);
}

static void lines_end_around_what_memory_holds(void **state)
{
    (void)state;
    for (size_t size = BATCH_LINE_BYTES - 1; size < BATCH_LINE_BYTES + 4;
         size++) {
        text whole = {malloc(size), size};
        assert_non_null(whole.bytes);
        memset(whole.bytes, 'x', size);
        assert_true(reads_file(&whole, &whole));
        whole.bytes[size - 1] = '\n';
        assert_true(reads_file(&whole, &whole));
        whole.bytes[size - 3] = '\n';
        assert_true(reads_file(&whole, &whole));
        free(whole.bytes);
    }
}

/* Only hashes are wanted: there is no file. */
static void lines_are_hashed_without_their_bytes(void **state)
{
    (void)state;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    size_t size = 3 * BATCH_LINE_BYTES + 7;
    char *bytes = malloc(size);
    batch *some = batch_new();
    assert_true(bytes != NULL && some != NULL);
    memset(bytes, 'x', size);
    test_folder_make(&folder);
    test_write_file(test_path(path, &folder, "lines"), bytes, size);
    lines reader;
    assert_int_equal(lines_init(&reader, '\n'), 0);
    reader.wants_bytes = false;
    assert_int_equal(lines_open(&reader, path), 0);
    assert_int_equal(lines_next(&reader, some), 1);
    batch_hash(some);
    assert_int_equal(some->hashes[0], seenset_hash(bytes, size));
    assert_null(batch_text(some));
    assert_int_equal(lines_next(&reader, some), 0);
    lines_free(&reader);
    batch_free(some);
    free(bytes);
    test_folder_remove(&folder);
}

/* A long line that cannot be kept is an error that names it. */
static void lines_need_a_place_for_a_long_one(void **state)
{
    (void)state;
    text whole = {malloc(2 * BATCH_LINE_BYTES), 2 * BATCH_LINE_BYTES};
    test_folder folder;
    char path[TEST_PATH_BYTES];
    batch *some = batch_new();
    assert_true(whole.bytes != NULL && some != NULL);
    memset(whole.bytes, 'x', whole.size);
    memcpy(whole.bytes, "a\nb\n", 4);
    test_folder_make(&folder);
    test_write_file(test_path(path, &folder, "lines"), whole.bytes, whole.size);
    lines reader;
    assert_int_equal(lines_init(&reader, '\n'), 0);
    assert_int_equal(lines_open(&reader, path), 0);
    assert_int_equal(setenv("TMPDIR", "/no/such/folder", 1), 0);
    assert_int_equal(lines_next(&reader, some), 1);
    assert_int_equal(some->count, 2);
    assert_int_equal(lines_next(&reader, some), -1);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_non_null(
        strstr(lines_error(&reader, ENOENT).text, "line 3 is over"));
    lines_free(&reader);
    batch_free(some);
    free(whole.bytes);
    test_folder_remove(&folder);
}

static void lines_end_at_every_border(void **state)
{
    (void)state;
    test_random random = {3};
    for (size_t size = BATCH_BYTES - 3; size < BATCH_BYTES + 4; size++) {
        text whole = make_text(&random, size, 50);
        assert_true(reads_file(&whole, &whole));
        whole.bytes[size - 1] = '\n';
        assert_true(reads_file(&whole, &whole));
        memset(whole.bytes, 'x', size);
        assert_true(reads_file(&whole, &whole));
        memset(whole.bytes, '\n', size);
        assert_true(reads_file(&whole, &whole));
        free(whole.bytes);
    }
}

static void lines_give_back_what_a_long_one_took(void **state)
{
    (void)state;
    batch *some = batch_new();
    assert_non_null(some);
    assert_int_equal(batch_reserve(some, 10 * BATCH_BYTES), 0);
    assert_true(some->room >= 10 * BATCH_BYTES);
    batch_clear(some);
    assert_int_equal(some->room, BATCH_BYTES);
    batch_free(some);
}

static void lines_check_can_fail(void **state)
{
    (void)state;
    test_random random = {4};
    text whole = make_text(&random, 500000, 80);
    text other = make_text(&random, 500000, 80);
    memcpy(other.bytes, whole.bytes, whole.size);
    other.bytes[400000] ^= 1;
    assert_false(reads_file(&whole, &other));
    other.bytes[400000] ^= 1;
    assert_true(reads_file(&whole, &other));
    other.size--;
    assert_false(reads_file(&whole, &other));
    free(other.bytes);
    free(whole.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_urls),
        cmocka_unit_test(lines_too_short_for_a_batch),
        cmocka_unit_test(lines_too_long_for_a_batch),
        cmocka_unit_test(lines_too_long_for_memory),
        cmocka_unit_test(lines_end_around_what_memory_holds),
        cmocka_unit_test(lines_are_hashed_without_their_bytes),
        cmocka_unit_test(lines_need_a_place_for_a_long_one),
        cmocka_unit_test(lines_end_at_every_border),
        cmocka_unit_test(lines_give_back_what_a_long_one_took),
        cmocka_unit_test(lines_check_can_fail),
    };
    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
