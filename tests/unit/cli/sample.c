/*
 * sample.c - how many lines a file is said to have, from a few pieces of it:
 * about as many as it has, whatever their lengths, and no more than there is
 * memory for.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seenset/plan.h"
#include "sets/sample.h"

#define FILE_BYTES ((uint64_t)48 << 20)

/* `count` lines of `bytes` bytes with the line end; then of the next kind. */
typedef struct line_kind {
    unsigned count;
    size_t bytes;
} line_kind;

static const line_kind mixtures[][2] = {
    {{1, 8}, {1, 8}},        {{1, 100}, {1, 2000}}, {{1, 8}, {1, 30000}},
    {{1, 8}, {1, 70000}},    {{1, 8}, {1, 100000}}, {{1, 8}, {1, 250000}},
    {{20, 12}, {1, 100000}}, {{1, 60000}, {3, 20}},
};

/* A line that is like no other: its number, filled up. */
static void write_line(FILE *to, uint64_t number, size_t bytes)
{
    static char fill[1 << 18];
    if (fill[0] == '\0')
        (void)memset(fill, 'x', sizeof fill);
    assert_int_equal(fprintf(to, "%07llu", (unsigned long long)number), 7);
    assert_int_equal(fwrite(fill, 1, bytes - 8, to), bytes - 8);
    assert_int_equal(putc('\n', to), '\n');
}

static uint64_t write_mixture(const char *path, const line_kind kinds[2])
{
    FILE *to = fopen(path, "we");
    uint64_t lines = 0;
    assert_non_null(to);
    for (uint64_t bytes = 0; bytes < FILE_BYTES;)
        for (unsigned kind = 0; kind < 2; kind++)
            for (unsigned i = 0; i < kinds[kind].count; i++) {
                write_line(to, lines++, kinds[kind].bytes);
                bytes += kinds[kind].bytes;
            }
    assert_int_equal(fclose(to), 0);
    return lines;
}

static uint64_t estimated(char *path, double fp_rate)
{
    return sample_different_lines(&path, 1, '\n', INPUT_AS_IS, 1, fp_rate);
}

/* All lines are different, so that the middle of what is possible is theirs,
 * but for the sample's error. */
static void lines_of_all_lengths_count_alike(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;
    test_folder_make(&folder);
    (void)test_path(path, &folder, "lines");
    for (size_t i = 0; i < sizeof mixtures / sizeof mixtures[0]; i++) {
        uint64_t lines = write_mixture(path, mixtures[i]);
        uint64_t found = estimated(path, 0.01);
        print_message("%zu: %llu lines, %llu found\n", i,
                      (unsigned long long)lines, (unsigned long long)found);
        assert_in_range(found, lines / 2, lines * 2);
    }
    (void)unlink(path);
    test_folder_remove(&folder);
}

static uint64_t memory_of(uint64_t items, double fp_rate)
{
    seenset_plan plan = {.capacity_items = items, .fp_rate = fp_rate};
    seenset_plan_growth made;
    assert_int_equal(seenset_plan_solve(&plan), 0);
    assert_int_equal(seenset_plan_grown(&plan, items, &made, sizeof made), 0);
    return made.memory_bytes;
}

static void plans_stay_within_memory(void **state)
{
    static const double rates[] = {0.1, 0.01, 1e-6, 1e-9};
    const uint64_t asked = UINT64_C(1) << 33, most = UINT64_C(1) << 30;
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        uint64_t items = sample_within(asked, rates[i], most);
        assert_in_range(memory_of(items, rates[i]), most / 2, most + most / 20);
        assert_int_equal(sample_within(items / 2, rates[i], most), items / 2);
    }
    assert_int_equal(sample_within(0, 0.01, most), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_all_lengths_count_alike),
        cmocka_unit_test(plans_stay_within_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
