/*
 * copy.c - a copy is a set of its own: it holds the same, and goes on
 * alone; and clear makes a set what it was when it was new.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void copies_are_sets_of_their_own(void **state)
{
    const seenset_options kinds[] = {
        {.capacity_items = 100},
        {.capacity_items = 100, .layout = SEENSET_LAYOUT_BLOOM},
        {.capacity_items = 100, .on_full = SEENSET_ON_FULL_ROTATE},
        {.capacity_items = 1000, .layout = SEENSET_LAYOUT_COUNTING},
        {.capacity_items = 1000, .on_full = SEENSET_ON_FULL_REFUSE},
        {.capacity_items = 1000, .flags = SEENSET_FLAG_SHARED}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = test_make(kinds[i]), *copy = NULL,
                *fresh = test_make(kinds[i]);
        test_add_stream(set, 0, 900);
        assert_int_equal(seenset_copy(&copy, set), SEENSET_OK);
        assert_true(test_are_equal(copy, set));
        test_add_stream(copy, 900, 950);
        assert_false(test_are_equal(copy, set));
        test_add_stream(set, 900, 950);
        assert_true(test_are_equal(copy, set));
        assert_int_equal(seenset_clear(set), SEENSET_OK);
        assert_true(test_are_equal(set, fresh));
        assert_true(test_has_stream(copy, 900, 950));
        test_add_stream(set, 0, 950);
        assert_true(test_are_equal(copy, set));
        /* of a view: one that can be changed */
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        seenset *view = NULL, *other = NULL;
        assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
        assert_int_equal(seenset_copy(&other, view), SEENSET_OK);
        seenset_free(view);
        free(bytes);
        assert_true(test_are_equal(other, set));
        assert_int_equal(seenset_clear(other), SEENSET_OK);
        assert_int_equal(seenset_add(other, "a", 1), 1);
        seenset_free(other);
        seenset_free(set);
        seenset_free(copy);
        seenset_free(fresh);
    }
}

static void copies_survive_every_failed_allocation(void **state)
{
    test_memory memory;
    int error = SEENSET_ENOMEM;
    (void)state;
    test_memory_init(&memory);
    seenset *set = test_make((seenset_options){.capacity_items = 10,
                                               .allocator = &memory.allocator});
    test_add_stream(set, 0, 100);
    size_t blocks = memory.live_blocks;
    for (size_t fail_at = 1; error != SEENSET_OK; fail_at++) {
        seenset *copy = NULL;
        memory.calls = 0;
        memory.fail_at = fail_at;
        error = seenset_copy(&copy, set);
        assert_true(error == SEENSET_OK || error == SEENSET_ENOMEM);
        assert_int_equal(error == SEENSET_ENOMEM, fail_at <= memory.calls);
        seenset_free(copy);
        assert_int_equal(memory.live_blocks, blocks);
    }
    seenset_free(set);
    assert_int_equal(memory.live_blocks, 0);
}

/* Copies a view of fingerprints of which one line was written over. */
static int copy_of_forged(uint8_t *bytes, size_t size_bytes, uint8_t value)
{
    enum {
        IN_THE_TABLE = 64 << 10,
        A_LINE = 64
    };
    const seenset_open_options options = {.flags = SEENSET_OPEN_UNCHECKED};
    seenset *view = NULL, *copy = NULL;
    memset(bytes + IN_THE_TABLE, value, A_LINE);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, &options), 0);
    int error = seenset_copy(&copy, view);
    seenset_free(copy);
    seenset_free(view);
    return error;
}

/* Planted: a line of zeros is one of a table, where its neighbours fit. */
static void copies_are_not_made_of_what_is_no_table(void **state)
{
    size_t size_bytes = 0;
    (void)state;
    if (test_views_are_copies())
        skip(); /* such a file is refused when it is opened */
    seenset *set = test_make((seenset_options){
        .layout = SEENSET_LAYOUT_FINGERPRINT, .capacity_items = 100000});
    assert_int_equal(seenset_write_bytes(set, NULL, &size_bytes),
                     SEENSET_ESPACE);
    uint8_t *bytes = malloc(size_bytes);
    assert_non_null(bytes);
    assert_int_equal(seenset_write_bytes(set, bytes, &size_bytes), 0);
    assert_int_equal(copy_of_forged(bytes, size_bytes, 0), 0);
    assert_int_equal(copy_of_forged(bytes, size_bytes, 0xFF), SEENSET_ECORRUPT);
    free(bytes);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_sets_of_their_own),
        cmocka_unit_test(copies_are_not_made_of_what_is_no_table),
        cmocka_unit_test(copies_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
