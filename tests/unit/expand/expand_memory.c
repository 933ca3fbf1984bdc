/*
 * expand_memory.c - the memory of a table that grows in place. Where it ends
 * the table stays whole, and a copy or an empty table is made or not. Huge
 * pages come in long batches only.
 */
#include "growing.h"

#include <stdlib.h>

/* At each allocation that fails the table stays whole, and goes on when there
 * is memory again. */
static void expand_stays_whole_without_memory(void **state)
{
    (void)state;
    const uint64_t count = 60000;
    for (size_t fail_at = 1;; fail_at++) {
        test_memory memory;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        ss_expand *expand = NULL;
        ss_expand_options options = {.widths = {14},
                                     .allocator = &memory.allocator};
        int rc = ss_expand_new(&expand, &options);
        if (rc != SEENSET_OK) {
            assert_int_equal(rc, SEENSET_ENOMEM);
            assert_int_equal(memory.live_blocks, 0);
            continue;
        }
        int failures = 0;
        for (uint64_t i = 0; i < count; i++) {
            int is_new = ss_expand_add(expand, test_mix(i));
            if (is_new >= 0)
                continue;
            assert_int_equal(is_new, SEENSET_ENOMEM);
            failures++;
            check_has(expand, i, 0);
            check_whole(expand);
            assert_true(ss_expand_add(expand, test_mix(i)) >= 0);
        }
        check_has(expand, count, 0);
        assert_true(ss_expand_bytes(expand) >= memory.live_bytes);
        ss_expand_free(expand);
        assert_int_equal(memory.live_blocks, 0);
        assert_true(failures <= 1);
        if (failures == 0)
            return;
    }
}

static void check_same_slots(const ss_expand *one, const ss_expand *other)
{
    assert_true(one->stored == other->stored);
    assert_true(ss_expand_rate(one) == ss_expand_rate(other));
    check_same_lines(one, other);
}

/* A copy is equal, and neither knows of what is added to the other; at each
 * allocation that fails there is none. */
static void expand_copies_are_apart(void **state)
{
    (void)state;
    const uint64_t counts[] = {0, 500, 50000, 300000};
    for (size_t i = 0; i < TEST_COUNT(counts); i++) {
        ss_expand *from = make((ss_expand_options){.widths = {14}});
        for (uint64_t j = 0; j < counts[i]; j++)
            assert_true(ss_expand_add(from, test_mix(j)) >= 0);
        test_memory memory;
        test_memory_init(&memory);
        ss_expand *copy = NULL;
        for (size_t fail_at = 1; copy == NULL; fail_at++) {
            memory.fail_at = memory.calls + fail_at;
            int rc = ss_expand_copy(&copy, from, &memory.allocator);
            assert_int_equal(rc, copy == NULL ? SEENSET_ENOMEM : SEENSET_OK);
            assert_true(copy != NULL || memory.live_blocks == 0);
        }
        memory.fail_at = 0;
        check_same_slots(from, copy);
        check_whole(copy);
        for (uint64_t j = 0; j < 2 * counts[i]; j++)
            assert_true(ss_expand_add(copy, test_mix(j)) >= 0);
        check_has(copy, 2 * counts[i], 0);
        check_whole(copy);
        ss_expand_free(copy);
        assert_int_equal(memory.live_blocks, 0);
        check_has(from, counts[i], 0);
        check_whole(from);
        ss_expand_free(from);
    }
}

static void expand_is_new_after_clear(void **state)
{
    (void)state;
    test_memory memory;
    test_memory_init(&memory);
    ss_expand_options options = {
        .widths = {14}, .first_items = 2000, .allocator = &memory.allocator};
    ss_expand *expand = make(options), *fresh = make(options);
    for (uint64_t i = 0; i < 100000; i++)
        assert_true(ss_expand_add(expand, test_mix(i)) >= 0);
    memory.fail_at = memory.calls + 1;
    for (int rc = -1; rc != SEENSET_OK;) {
        check_has(expand, 100000, 0);
        check_whole(expand);
        rc = ss_expand_clear(expand);
    }
    check_same_slots(expand, fresh);
    check_whole(expand);
    assert_true(ss_expand_bytes(expand) == ss_expand_bytes(fresh));
    assert_int_equal(ss_expand_has(expand, test_mix(0)), 0);
    for (uint64_t i = 0; i < 100000; i++)
        assert_int_equal(ss_expand_add(expand, test_mix(i)),
                         ss_expand_add(fresh, test_mix(i)));
    check_same_slots(expand, fresh);
    ss_expand_free(expand);
    ss_expand_free(fresh);
    assert_int_equal(memory.live_blocks, 0);
}

/* Full extents become huge pages in long batches, one in each, and what is in
 * them stays; short ones, and single adds, do not wait for that. */
static void expand_joins_pages_in_long_batches(void **state)
{
    enum {
        LONG = 256,
        SHORT = 255,
        COUNT = 4000 * LONG
    };
    (void)state;
    ss_expand_options options = {.widths = {21}};
    ss_expand *by_long = make(options), *by_short = make(options);
    uint8_t is_new[LONG];
    uint64_t *hashes = malloc(COUNT * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < COUNT; i++)
        hashes[i] = test_mix(i);
    for (size_t i = 0, done; i < COUNT; i += done)
        assert_int_equal(
            ss_expand_add_many(by_long, hashes + i, LONG, is_new, &done), 0);
    for (size_t i = 0, done; i < COUNT; i += done) {
        size_t count = COUNT - i < SHORT ? COUNT - i : SHORT;
        assert_int_equal(
            ss_expand_add_many(by_short, hashes + i, count, is_new, &done), 0);
    }
    assert_true(by_long->pool.extent_count > 1 || !by_long->pool.is_lazy);
    assert_int_equal(by_long->pool.joined,
                     by_long->pool.is_lazy
                         ? by_long->pool.fresh / by_long->pool.extent_pages
                         : 0);
    assert_int_equal(by_short->pool.joined, 0);
    check_has(by_long, COUNT, 0);
    check_same_lines(by_long, by_short);
    free(hashes);
    ss_expand_free(by_long);
    ss_expand_free(by_short);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expand_stays_whole_without_memory),
        cmocka_unit_test(expand_copies_are_apart),
        cmocka_unit_test(expand_is_new_after_clear),
        cmocka_unit_test(expand_joins_pages_in_long_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
