/*
 * extent.c - pieces of a file that are read later: all lines come once, in
 * order, whatever their lengths, and whatever becomes of the file meanwhile.
 */
#define _GNU_SOURCE /* pipe, ftruncate */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/batch.h"
#include "stream/lines.h"

typedef struct file {
    test_folder folder;
    char path[TEST_PATH_BYTES];
    char *bytes;
    size_t size;
    int fd;
} file;

/* Lines of 0 to `longest` bytes; the last has no separator. */
static void file_make(file *made, size_t size, uint64_t longest)
{
    test_random random = {longest};
    test_folder_make(&made->folder);
    (void)test_path(made->path, &made->folder, "lines");
    made->size = size;
    made->bytes = malloc(size);
    assert_non_null(made->bytes);
    for (size_t at = 0; at < size;) {
        uint64_t len = test_random_below(&random, longest + 1);
        for (; len > 0 && at < size; len--)
            made->bytes[at++] = (char)('a' + test_random_below(&random, 26));
        if (at < size)
            made->bytes[at++] = '\n';
    }
    made->bytes[size - 1] = '.';
    test_write_file(made->path, made->bytes, size);
    made->fd = open(made->path, O_RDWR);
    assert_true(made->fd >= 0);
}

static void file_end(file *made)
{
    close(made->fd);
    free(made->bytes);
    (void)unlink(made->path);
    test_folder_remove(&made->folder);
}

/* Are the lines of the batch the next bytes? Moves *at on. */
static bool is_next(const batch *some, const file *from, size_t *at)
{
    size_t bytes = batch_start(some, some->count);
    size_t left = from->size - *at;
    size_t same = bytes < left ? bytes : left;
    bool is_same = memcmp(some->data, from->bytes + *at, same) == 0 &&
                   bytes <= left + 1; /* the last line gets a separator */
    for (size_t i = 0; i < some->count; i++)
        is_same = is_same && some->data[some->ends[i]] == '\n' &&
                  memchr(some->data + batch_start(some, i), '\n',
                         some->ends[i] - batch_start(some, i)) == NULL;
    *at += same;
    return is_same;
}

/* Reads all of it through a reader, and progress adds up to its size. Stores
 * how many batches were cut, and of how many parts. */
static bool reads_all(const file *from, size_t *cuts, size_t *parts)
{
    lines reader;
    batch *some = batch_new();
    size_t at = 0;
    uint64_t input_bytes = 0;
    bool is_right = true;
    assert_int_equal(lines_init(&reader, '\n'), 0);
    reader.may_cut = true;
    assert_int_equal(lines_open(&reader, from->path), 0);
    *cuts = *parts = 0;
    while (lines_next(&reader, some) == 1) {
        *cuts += some->source.bytes > 0;
        *parts += some->source.bytes > 0;
        batch_load(some);
        is_right = is_right && is_next(some, from, &at);
        input_bytes += some->input_bytes;
        while (batch_has_more(some)) {
            ++*parts;
            batch_load(some);
            is_right = is_right && is_next(some, from, &at);
            input_bytes += some->input_bytes;
        }
    }
    lines_free(&reader);
    batch_free(some);
    /* the last line got a separator */
    return is_right && at == from->size && input_bytes == from->size + 1;
}

static void pieces_are_all_of_a_file(void **state)
{
    static const struct {
        uint64_t longest;
        bool is_cut, has_parts;
    } cases[] = {{0, true, true},       {1, true, true},
                 {3, true, true},       {100, true, false},
                 {3000, true, false},   {9000, true, false},
                 {400000, false, false}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        file from;
        size_t cuts, parts;
        file_make(&from, 3000001, cases[i].longest);
        assert_true(reads_all(&from, &cuts, &parts));
        assert_true(cuts > 0 || !cases[i].is_cut);
        assert_int_equal(parts > cuts, cases[i].has_parts);
        from.bytes[2000000] ^= 1; /* planted: another byte */
        assert_false(reads_all(&from, &cuts, &parts));
        file_end(&from);
    }
}

static void only_what_is_there_is_cut(void **state)
{
    extent piece;
    file from;
    int ends[2];
    (void)state;
    file_make(&from, BATCH_BYTES + 100, 100);
    assert_true(extent_cut(&piece, from.fd, 0, BATCH_BYTES, '\n'));
    assert_true(piece.bytes <= BATCH_BYTES);
    assert_int_equal(from.bytes[piece.bytes - 1], '\n');
    assert_true(extent_cut(&piece, from.fd, 100, BATCH_BYTES, '\n'));
    assert_int_equal(piece.offset, 100);
    assert_false(extent_cut(&piece, from.fd, 101, BATCH_BYTES, '\n'));
    assert_false(extent_cut(&piece, from.fd, UINT64_MAX, BATCH_BYTES, '\n'));
    assert_false(extent_cut(&piece, from.fd, 0, BATCH_BYTES, '\t'));
    assert_int_equal(pipe(ends), 0);
    assert_false(extent_cut(&piece, ends[0], 0, BATCH_BYTES, '\n'));
    close(ends[0]);
    close(ends[1]);
    file_end(&from);
}

static batch *cut_one(const file *from)
{
    batch *some = batch_new();
    assert_non_null(some);
    assert_true(extent_cut(&some->source, from->fd, 0, BATCH_BYTES, '\n'));
    some->source.split = split_portable;
    return some;
}

/* The file shrinks after the cut: the lines end where it does. */
static void shrunken_files_end_early(void **state)
{
    static const off_t sizes[] = {0, 1, 1000, BATCH_BYTES / 2};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        file from;
        size_t at = 0;
        file_make(&from, 2 * BATCH_BYTES, 100);
        batch *some = cut_one(&from);
        assert_int_equal(ftruncate(from.fd, sizes[i]), 0);
        from.size = (size_t)sizes[i];
        batch_load(some);
        assert_int_equal(some->error, 0);
        assert_true(is_next(some, &from, &at));
        assert_int_equal(at, sizes[i]);
        assert_false(batch_has_more(some));
        batch_free(some);
        file_end(&from);
    }
}

static void unreadable_pieces_are_errors(void **state)
{
    file from;
    (void)state;
    file_make(&from, 2 * BATCH_BYTES, 100);
    batch *some = cut_one(&from);
    some->source.fd = -1;
    batch_load(some);
    assert_true(some->source.has_failed);
    assert_int_equal(some->error, EBADF);
    assert_int_equal(some->count, 0);
    assert_false(batch_has_more(some));
    batch_clear(some);
    assert_int_equal(some->error, 0);
    batch_free(some);
    file_end(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_all_of_a_file),
        cmocka_unit_test(only_what_is_there_is_cut),
        cmocka_unit_test(shrunken_files_end_early),
        cmocka_unit_test(unreadable_pieces_are_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
