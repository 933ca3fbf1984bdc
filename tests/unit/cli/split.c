/*
 * split.c - every twin against a splitter too simple to be wrong.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "stream/split/split.h"

enum {
    MOST_BYTES = 4096,
    MARK = 77 /* what stands behind the room for ends, and must stay */
};

static size_t split_naively(const char *data, size_t size, char separator,
                            size_t *ends, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < size && count < room; i++)
        if (data[i] == separator)
            ends[count++] = i;
    return count;
}

/* The planted fault: what a vector loop with a careless end would do. */
static size_t split_carelessly(const char *data, size_t size, char separator,
                               size_t *ends, size_t room)
{
    return split_naively(data, size / 64 * 64, separator, ends, room);
}

static bool is_right(split_function *split, const char *data, size_t size,
                     char separator, size_t room)
{
    static size_t wanted[MOST_BYTES + 1], got[MOST_BYTES + 1];
    size_t count = split_naively(data, size, separator, wanted, room);
    got[room] = MARK;
    return split(data, size, separator, got, room) == count &&
           memcmp(wanted, got, count * sizeof *got) == 0 && got[room] == MARK;
}

/* Bytes of which one in `rarity` is the separator, in a block of just their
 * size, so that a sanitizer sees a byte too far. */
static char *make_bytes(test_random *random, size_t size, char separator,
                        uint64_t rarity)
{
    char *data = malloc(size + 1);
    assert_non_null(data);
    for (size_t i = 0; i < size; i++)
        data[i] = test_random_below(random, rarity) == 0
                      ? separator
                      : (char)test_random_next(random);
    return data;
}

static bool is_right_at_random(split_function *split, test_random *random)
{
    static const char separators[] = {'\n', '\0', (char)0xff, (char)0x80};
    static const uint64_t rarities[] = {1, 2, 10, 60, 100000};
    size_t size = (size_t)test_random_below(random, MOST_BYTES);
    size_t room = (size_t)test_random_below(random, MOST_BYTES);
    size_t skipped =
        (size_t)test_random_below(random, size < 64 ? size + 1 : 64);
    char separator = separators[test_random_below(random, 4)];
    char *data = make_bytes(random, size, separator,
                            rarities[test_random_below(random, 5)]);
    bool right =
        is_right(split, data + skipped, size - skipped, separator, room) &&
        is_right(split, data + skipped, size - skipped, separator, MOST_BYTES);
    free(data);
    return right;
}

static void split_equals_naive_at_random(void **state)
{
    (void)state;
    split_function *split;
    for (size_t i = 0; (split = split_kernel(i)) != NULL; i++) {
        test_random random = {1};
        for (int round = 0; round < 5000; round++)
            assert_true(is_right_at_random(split, &random));
    }
}

/* Each length around the widths, with a separator at each single place. */
static void split_finds_each_place(void **state)
{
    (void)state;
    static char data[200];
    split_function *split;
    for (size_t i = 0; (split = split_kernel(i)) != NULL; i++)
        for (size_t size = 0; size <= sizeof data; size++)
            for (size_t place = 0; place < size; place++) {
                memset(data, 'x', sizeof data);
                data[place] = '\n';
                assert_true(is_right(split, data, size, '\n', size));
                assert_true(is_right(split, data, size, '\n', 1));
            }
}

static void split_of_separators_only(void **state)
{
    (void)state;
    static char data[300];
    split_function *split;
    for (size_t i = 0; (split = split_kernel(i)) != NULL; i++)
        for (size_t size = 0; size <= sizeof data; size++)
            for (size_t room = 0; room <= size; room++)
                assert_true(is_right(split, data, size, '\0', room));
}

static void split_check_can_fail(void **state)
{
    (void)state;
    test_random random = {1};
    size_t wrong = 0;
    for (int round = 0; round < 100; round++)
        wrong += !is_right_at_random(split_carelessly, &random);
    assert_true(wrong > 10);
}

static void split_best_is_the_first_twin(void **state)
{
    (void)state;
    assert_ptr_equal(split_best(), split_kernel(0));
    size_t count = 0;
    while (split_kernel(count) != NULL)
        count++;
    assert_ptr_equal(split_kernel(count - 1), split_portable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_equals_naive_at_random),
        cmocka_unit_test(split_finds_each_place),
        cmocka_unit_test(split_of_separators_only),
        cmocka_unit_test(split_check_can_fail),
        cmocka_unit_test(split_best_is_the_first_twin),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
