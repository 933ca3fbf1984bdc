/*
 * algebra.c - two sets together, where the clock or single bits have to be set.
 */
#include <math.h>

#include <string.h>

#include "set/set.h"
#include "support.h"

static uint64_t clock_seconds;

static uint64_t test_now(void *context)
{
    (void)context;
    return clock_seconds;
}

static const ss_clock test_clock = {.wall_seconds = test_now};

/* A set that slept takes in keys of now, and keeps them for their time. */
static void merge_of_windows_keeps_time(void **state)
{
    (void)state;
    clock_seconds = 1000000;
    seenset_options options = {.on_full = SEENSET_ON_FULL_ROTATE,
                               .window_seconds = 1000};
    seenset *into = test_make(options), *from = test_make(options);
    into->clock = from->clock = &test_clock;
    into->generations[0].started_seconds = clock_seconds;
    from->generations[0].started_seconds = clock_seconds;
    assert_int_equal(seenset_add(into, "old", 3), 1);
    clock_seconds += 5000;
    assert_int_equal(seenset_add(from, "now", 3), 1);
    assert_int_equal(seenset_merge(into, from), SEENSET_OK);
    assert_int_equal(seenset_has(into, "now", 3), 1);
    clock_seconds += 999;
    assert_int_equal(seenset_has(into, "now", 3), 1);
    assert_int_equal(seenset_add(into, "new", 3), 1);
    assert_int_equal(seenset_has(into, "now", 3), 1);
    clock_seconds += 300;
    assert_int_equal(seenset_has(into, "now", 3), 0);
    seenset_free(into);
    seenset_free(from);
}

/* All bits set: how much is shared is not known. */
static void similarity_of_full_tables_is_uncertain(void **state)
{
    seenset_options options = {.capacity_items = 5000};
    seenset *a = test_make(options), *b = test_make(options);
    seenset_overlap similarity;
    (void)state;
    for (uint64_t i = 0; i < 3000; i++)
        assert_true(seenset_add_hash(b, test_mix(i)) >= 0);
    ss_generation *full = a->generations;
    memset(full->table.words, 0xFF, ss_set_word_count(full) * 8);
    assert_int_equal(seenset_get_overlap(a, b, &similarity, sizeof similarity),
                     SEENSET_OK);
    assert_true(isnan(similarity.jaccard));
    assert_true(similarity.jaccard_error == 1.0);
    seenset_free(a);
    seenset_free(b);
}

/* Two bits that are missing must not add up to none. */
static void containment_does_not_add_up(void **state)
{
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = 1000};
    seenset *set = test_make(options), *other = test_make(options);
    (void)state;
    assert_int_equal(test_is_superset(set, other), 1);
    for (int i = 0; i < 2; i++) {
        other->generations[0].table.words[i] = UINT64_C(1) << 63;
        assert_int_equal(test_is_superset(set, other), 0);
        assert_int_equal(test_is_superset(other, set), 1);
    }
    seenset_free(set);
    seenset_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merge_of_windows_keeps_time),
        cmocka_unit_test(similarity_of_full_tables_is_uncertain),
        cmocka_unit_test(containment_does_not_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
