/*
 * slot_lines.c - lines in any state, asked and filled by each kernel: what one
 * compares and shifts in registers gives the answers and the bits that the
 * portable one gives slot by slot.
 *
 * A table is made by the portable kernel: random keys, so that lines are from
 * empty to full; then keys that share their upper bits, so that units go on for
 * many lines, and voids are made; then slots are taken out at random. Such
 * tables are asked by each kernel, and copies of them are filled by each.
 */
#include <stdlib.h>

#include "expand/kernel/kernels.h"
#include "expand/rebuild.h"
#include "expand/unit.h"
#include "growing.h"

enum {
    CROWD = 3000,
    CROWD_BITS = 20, /* that a crowd's hashes share */
    QUERIES = 20000,
    ADDS = 4000,
    BATCH = 333 /* no multiple of what a kernel takes at once */
};

#define CROWD_PREFIX UINT64_C(0x5EED500000000000)

static const char *const twins[] = {"avx2", "vbmi"};

/* Hash i of those that share their upper bits. */
static uint64_t crowded(uint64_t i)
{
    return CROWD_PREFIX | hash_of(i, CROWD_BITS);
}

/* ---- tables ---- */

/* Takes out some slot of a hash's unit, if it has one. */
static void take_out(ss_expand *expand, uint64_t hash, test_random *random)
{
    uint64_t slots[SS_END_MAX];
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    ss_place place = ss_place_of(expand, entry, hash);
    uint32_t count = ss_unit_read(&expand->pool, entry, place, slots);
    if (count == 0)
        return;
    uint32_t at = (uint32_t)test_random_below(random, count);
    uint32_t bits = ss_place_unit_bits(expand, ss_entry_depth(entry)) +
                    ss_slot_length(slots[at], place.width);
    ss_unit_delete(&expand->pool, entry, place, at);
    ss_place_uncover(expand, ss_place_covers(bits));
    expand->records[ss_entry_id(entry)].stored--;
    expand->stored--;
}

static ss_expand *make_mixed(ss_expand_options options, uint64_t count,
                             test_random *random)
{
    options.kernel = "portable";
    ss_expand *made = make(options);
    for (uint64_t i = 0; i < count; i++)
        assert_true(ss_expand_add(made, test_mix(i)) >= 0);
    for (uint64_t i = 0; i < CROWD; i++)
        assert_true(ss_expand_add(made, crowded(i)) >= 0);
    for (uint64_t i = 0; i < count / 8; i++)
        take_out(made, i % 8 == 0 ? crowded(i) : test_random_next(random),
                 random);
    check_whole(made);
    return made;
}

/* Keys that may be there, those of the crowd, and others. */
static void draw(uint64_t *hashes, size_t count, uint64_t keys,
                 test_random *random)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t x = test_random_next(random);
        hashes[i] = i % 3 == 0   ? test_mix(x % (2 * keys))
                    : i % 3 == 1 ? crowded(x % (2 * CROWD))
                                 : x;
    }
}

/* ---- what is compared ---- */

/* Answers of a kernel, one by one and in batches, that differ from those of the
 * portable one. */
static size_t count_other_answers(ss_expand *expand,
                                  const ss_expand_kernel *kernel,
                                  const uint64_t *hashes, size_t count)
{
    uint8_t batch[BATCH];
    size_t other = 0;
    for (size_t i = 0; i < count; i += BATCH) {
        size_t here = count - i < BATCH ? count - i : BATCH, seen = 0;
        size_t said = kernel->has_many(expand, hashes + i, here, batch);
        for (size_t j = 0; j < here; j++) {
            int truth = ss_expand_portable.has(expand, hashes[i + j]);
            other += kernel->has(expand, hashes[i + j]) != truth;
            other += batch[j] != truth;
            seen += batch[j];
        }
        other += said != seen;
    }
    return other;
}

/* Adds by a kernel, by turns one key and a batch; returns the answers' sum,
 * each with a factor of its own. */
static uint64_t fill(ss_expand *expand, const ss_expand_kernel *kernel,
                     const uint64_t *hashes, size_t count)
{
    uint8_t is_new[BATCH];
    uint64_t sum = 0;
    expand->kernel = kernel;
    for (size_t i = 0, here; i < count; i += here) {
        size_t done;
        here = i / BATCH % 2 == 0 ? BATCH : 1;
        here = count - i < here ? count - i : here;
        assert_int_equal(
            ss_expand_add_many(expand, hashes + i, here, is_new, &done), 0);
        assert_int_equal(done, here);
        for (size_t j = 0; j < here; j++)
            sum += is_new[j] * test_mix(i + j);
    }
    return sum;
}

static void check_filled_alike(const ss_expand *from,
                               const ss_expand_kernel *kernel,
                               const uint64_t *hashes, size_t count)
{
    ss_expand *one, *other;
    assert_int_equal(ss_expand_copy(&one, from, NULL), 0);
    assert_int_equal(ss_expand_copy(&other, from, NULL), 0);
    assert_true(fill(one, &ss_expand_portable, hashes, count) ==
                fill(other, kernel, hashes, count));
    check_whole(other);
    check_same_lines(one, other);
    assert_int_equal(count_other_answers(other, kernel, hashes, count), 0);
    ss_expand_free(one);
    ss_expand_free(other);
}

static void check_table(ss_expand_options options, uint64_t count,
                        test_random *random)
{
    uint64_t *hashes = malloc(QUERIES * sizeof *hashes);
    assert_non_null(hashes);
    ss_expand *mixed = make_mixed(options, count, random);
    draw(hashes, QUERIES, count, random);
    for (size_t t = 0; t < TEST_COUNT(twins); t++) {
        const ss_expand_kernel *kernel = ss_expand_kernel_find(twins[t]);
        if (kernel == NULL)
            continue;
        assert_int_equal(count_other_answers(mixed, kernel, hashes, QUERIES),
                         0);
        check_filled_alike(mixed, kernel, hashes, ADDS);
    }
    ss_expand_free(mixed);
    free(hashes);
}

/* ---- the tests ---- */

static void slot_lines_of_every_width_are_alike(void **state)
{
    (void)state;
    test_random random = {1};
    for (uint32_t width = SS_WIDTH_MIN; width <= SS_WIDTH_MAX; width++)
        check_table((ss_expand_options){.widths = {(uint8_t)width}}, 20000,
                    &random);
}

/* A thousand times its first size, with the widths of a set at 1 %: 16 bits,
 * then all are cut to 14. */
static void slot_lines_are_alike_after_much_growth(void **state)
{
    (void)state;
    test_random random = {2};
    ss_expand_options options = {.widths = {16}};
    options.widths[18] = 14;
    check_table(options, 500000, &random);
    options.widths[18] = 15;
    check_table(options, 500000, &random);
}

/* Small tables, jammed in their few lines. */
static void slot_lines_are_alike_in_small_tables(void **state)
{
    (void)state;
    test_random random = {3};
    for (uint64_t count = 8; count <= 4096; count *= 2)
        for (uint8_t width = 13; width <= 17; width++)
            check_table((ss_expand_options){.widths = {width}}, count, &random);
}

/* ---- and that it can fail ---- */

static int has_but_not_beyond(const ss_expand *expand, uint64_t hash)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    ss_place place = ss_place_of(expand, entry, hash);
    const uint64_t *line = ss_place_line(&expand->pool, entry, place.line);
    uint32_t end = ss_line_end(line[SS_SLOT_WORDS], place.unit + 1);
    return end <= ss_line_slots(place.width) &&
           ss_expand_portable.has(expand, hash);
}

static void slot_lines_of_a_wrong_kernel_are_told_apart(void **state)
{
    (void)state;
    test_random random = {4};
    uint64_t hashes[ADDS];
    ss_expand_kernel wrong = ss_expand_portable;
    wrong.has = has_but_not_beyond;
    ss_expand *mixed =
        make_mixed((ss_expand_options){.widths = {14}}, 20000, &random);
    draw(hashes, ADDS, 20000, &random);
    assert_int_equal(
        count_other_answers(mixed, &ss_expand_portable, hashes, ADDS), 0);
    assert_true(count_other_answers(mixed, &wrong, hashes, ADDS) > 0);
    ss_expand_free(mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slot_lines_of_every_width_are_alike),
        cmocka_unit_test(slot_lines_are_alike_after_much_growth),
        cmocka_unit_test(slot_lines_are_alike_in_small_tables),
        cmocka_unit_test(slot_lines_of_a_wrong_kernel_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
