/*
 * kinds.c - which row a set has (set/kinds/kind.h): as it was made, and after
 * each change that makes it a set of another kind.
 */
#include <stdlib.h>

#include "set/kinds/kind.h"
#include "support.h"

static void assert_kind(const seenset *set, const char *kind,
                        const char *tables)
{
    assert_string_equal(set->kind->name, kind);
    assert_string_equal(set->tables->name, tables);
}

/* ---- as they were made ---- */

static void a_new_set_has_the_row_of_its_options(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    static const struct {
        const char *name;
        seenset_options options;
    } made[] = {
        {"list", {.capacity_items = 100}},
        {"list", {.capacity_items = 100, .secret = secret}},
        {"single", {.on_full = SEENSET_ON_FULL_REFUSE, .capacity_items = 100}},
        {"single", {.on_full = SEENSET_ON_FULL_DEGRADE, .capacity_items = 100}},
        {"shared", {.flags = SEENSET_FLAG_SHARED, .capacity_items = 100}},
        {"scheme",
         {.layout = SEENSET_LAYOUT_BLOOM,
          .scheme = SEENSET_SCHEME_MURMUR3_128,
          .capacity_items = 100}},
        {"window_by_number",
         {.on_full = SEENSET_ON_FULL_ROTATE, .capacity_items = 100}},
        {"window_by_age",
         {.on_full = SEENSET_ON_FULL_ROTATE,
          .capacity_items = 100,
          .window_seconds = 60}},
        {"sliding_by_number",
         {.on_full = SEENSET_ON_FULL_ROTATE,
          .capacity_items = 100,
          .flags = SEENSET_FLAG_SLIDING}},
        {"sliding_by_age",
         {.on_full = SEENSET_ON_FULL_ROTATE,
          .capacity_items = 100,
          .window_seconds = 60,
          .flags = SEENSET_FLAG_SLIDING}},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(made); i++) {
        seenset *set = test_make(made[i].options);
        assert_kind(set, made[i].name, made[i].name);
        assert_int_equal(set->tables->flags, made[i].options.flags);
        seenset_free(set);
    }
}

static void a_sealed_set_has_a_row_that_refuses(void **state)
{
    seenset *set;
    const seenset_key key = {"a", 1};
    (void)state;
    assert_int_equal(seenset_build_sealed(&set, NULL, &key, 1, NULL, NULL), 0);
    assert_kind(set, "sealed", "sealed");
    assert_int_equal(set->kind->add_error, SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_add(set, "b", 1), SEENSET_EUNSUPPORTED);
    seenset_free(set);
}

/* ---- as they change ---- */

static void a_set_that_grows_becomes_a_pair_and_a_list_again(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 100});
    (void)state;
    assert_non_null(set->direct);
    test_add_stream(set, 0, 1000);
    assert_kind(set, "pair", "pair");
    assert_null(set->direct);
    assert_int_equal(seenset_clear(set), 0);
    assert_kind(set, "list", "list");
    assert_ptr_equal(set->direct, set->generations[0].table.layout);
    seenset_free(set);
}

/* The vector kernels ask two tables at a time, past the row. */
static void a_set_that_was_told_asks_both(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    (void)state;
    for (int is_keyed = 0; is_keyed < 2; is_keyed++) {
        seenset *set = test_make((seenset_options){
            .capacity_items = 100, .secret = is_keyed ? secret : NULL});
        const ss_layout *both = set->generations[0].table.layout->both;
        const char *name = both != NULL ? "both" : "pair";
        assert_int_equal(seenset_expect(set, 1000), 0);
        for (uint64_t i = 0; i < 500; i++)
            assert_true(seenset_add(set, &i, sizeof i) >= 0);
        assert_kind(set, name, name);
        assert_ptr_equal(set->direct, is_keyed ? NULL : both);
        for (uint64_t i = 0; i < 500; i++)
            assert_int_equal(seenset_has(set, &i, sizeof i), 1);
        for (uint64_t i = 500; i < 2000; i++)
            assert_true(seenset_add(set, &i, sizeof i) >= 0);
        assert_kind(set, "list", "list");
        assert_null(set->direct);
        seenset_free(set);
    }
}

static void a_view_has_its_own_row_and_that_of_its_tables(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 100}), *view;
    size_t size_bytes;
    (void)state;
    test_add_stream(set, 0, 1000);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    assert_kind(view, "mapped", "pair");
    assert_true(view->kind->is_read_only);
    assert_int_equal(seenset_add(view, "b", 1), SEENSET_EREADONLY);
    assert_int_equal(test_count_stream(view, 0, 1000), 1000);
    seenset_free(view);
    seenset_free(set);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_set_has_the_row_of_its_options),
        cmocka_unit_test(a_sealed_set_has_a_row_that_refuses),
        cmocka_unit_test(a_set_that_grows_becomes_a_pair_and_a_list_again),
        cmocka_unit_test(a_set_that_was_told_asks_both),
        cmocka_unit_test(a_view_has_its_own_row_and_that_of_its_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
