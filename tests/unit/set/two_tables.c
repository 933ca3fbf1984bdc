/*
 * two_tables.c - sets that went on in a table that grows in place: merged, out
 * of memory, past hashes that somebody chose, forgotten with their span.
 */
#include <math.h>
#include <string.h>

#include "expand/expand.h"
#include "set/promise.h"
#include "set/set.h"
#include "support.h"

static ss_expand *expand_of(const seenset *set)
{
    assert_true(ss_set_is_expanded(set));
    return ss_set_newest(set)->table.expand;
}

static seenset *grown(uint64_t capacity_items, double fp_rate, uint64_t first,
                      uint64_t end)
{
    seenset *set = test_make((seenset_options){.capacity_items = capacity_items,
                                               .fp_rate = fp_rate});
    test_add_stream(set, first, end);
    return set;
}

/* ---- the promise ---- */

/* Sets of all first capacities, as large as ten to ten thousand times that:
 * one in 200 may be over what was promised. */
static void sets_keep_their_rates(void **state)
{
    static const double rates[] = {0.3, 0.01, 1e-4, 1e-6};
    uint64_t sets = 0, over = 0;
    (void)state;
    test_leave_to_real_machines();
    for (uint64_t n = 10; n <= 10000; n *= 10) {
        for (size_t i = 0; i < TEST_COUNT(rates); i++) {
            for (uint64_t round = 0; round < 13; round++) {
                uint64_t first = (sets + 1) << 32;
                uint64_t most = n < 100 ? 10000 * n : 1000000 / n * n;
                seenset *set = grown(n, rates[i], first,
                                     first + (most / 10 >> round % 4) + n);
                seenset_stats stats = test_stats_of(set);
                assert_int_equal(stats.table_count, 2);
                over += !(stats.current_fp_rate <= rates[i]);
                sets++;
                seenset_free(set);
            }
        }
    }
    assert_true(sets >= 200);
    assert_true(over <= sets / 200 || test_is_binomial(over, sets, 1 / 200.0));
}

/* Planted: a second table that takes no account of the first. */
static void a_rate_that_is_not_shared_is_caught(void **state)
{
    uint64_t over = 0;
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        seenset *set = test_make(
            (seenset_options){.capacity_items = 1000, .fp_rate = 0.01});
        test_add_stream(set, i << 32, (i << 32) + 1000);
        set->fp_rate *= 16.0;
        test_add_stream(set, (i << 32) + 1000, (i << 32) + 60000);
        over += !(test_stats_of(set).current_fp_rate <= 0.01);
        seenset_free(set);
    }
    assert_false(over <= 20 / 200 || test_is_binomial(over, 20, 1 / 200.0));
}

/* ---- merged ---- */

/* Both ways round, however differently they grew. */
static void check_merge(uint64_t a_first, uint64_t a_keys, uint64_t b_first,
                        uint64_t b_keys, double b_rate)
{
    for (int way = 0; way < 2; way++) {
        seenset *a = grown(a_first, 0.01, 0, a_keys);
        seenset *b = grown(b_first, b_rate, a_keys / 2, a_keys / 2 + b_keys);
        seenset *into = way == 0 ? a : b, *from = way == 0 ? b : a;
        double most =
            test_stats_of(a).current_fp_rate + test_stats_of(b).current_fp_rate;
        uint64_t end = a_keys / 2 + b_keys;
        assert_int_equal(seenset_merge(into, from), SEENSET_OK);
        assert_true(test_has_stream(into, 0, end));
        assert_null(ss_expand_verify(expand_of(into)));
        assert_true(test_stats_of(into).current_fp_rate <= most * 1.01);
        test_add_stream(into, end, end + 20000);
        assert_true(test_has_stream(into, 0, end + 20000));
        assert_null(ss_expand_verify(expand_of(into)));
        seenset_free(a);
        seenset_free(b);
    }
}

static void merged_sets_have_all_keys(void **state)
{
    (void)state;
    check_merge(100, 50000, 100, 40000, 0.01);
    check_merge(100, 100000, 10000, 12000, 0.01);
    check_merge(1000, 2000, 50, 150000, 0.01);
    check_merge(1000, 60000, 1000, 30000, 1e-5);
    check_merge(10, 1000, 10, 1000, 0.3);
}

/* A key that is in both is one key. */
static void merged_keys_are_counted_once(void **state)
{
    seenset *a = grown(100, 0.001, 0, 60000);
    seenset *b = grown(100, 0.001, 20000, 80000);
    (void)state;
    assert_int_equal(seenset_merge(a, b), SEENSET_OK);
    assert_int_equal(a->generation_count, 3); /* two full ones of 100 keys */
    assert_true(
        test_is_near((double)test_stats_of(a).added_items, 80000, 0.01));
    seenset_free(a);
    seenset_free(b);
}

/* Each allocation of a merge fails once, and then nothing has changed. */
static void failed_merges_change_nothing(void **state)
{
    test_memory memory;
    int error = SEENSET_ENOMEM;
    size_t failures = 0;
    (void)state;
    test_memory_init(&memory);
    seenset *from = grown(1000, 0.01, 5000, 30000);
    seenset *into = test_make((seenset_options){
        .capacity_items = 1000, .allocator = &memory.allocator});
    test_add_stream(into, 0, 9000);
    for (size_t fail_at = 1; error != SEENSET_OK; fail_at++) {
        seenset_stats before = test_stats_of(into);
        size_t blocks = memory.live_blocks;
        memory.calls = 0;
        memory.fail_at = fail_at;
        error = seenset_merge(into, from);
        if (error == SEENSET_OK)
            break;
        failures++;
        seenset_stats after = test_stats_of(into);
        assert_int_equal(error, SEENSET_ENOMEM);
        after.memory_bytes = before.memory_bytes; /* its list has more room */
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(memory.live_blocks, blocks);
        assert_true(test_has_stream(into, 0, 9000));
    }
    assert_true(failures >= 5);
    assert_true(test_has_stream(into, 0, 30000));
    seenset_free(into);
    seenset_free(from);
    assert_int_equal(memory.live_blocks, 0);
}

/* ---- chosen hashes ---- */

/* Hashes that share their upper bits: none is forgotten, memory follows their
 * number, and the rate is told. */
static void chosen_hashes_are_kept(void **state)
{
    enum {
        KEYS = 50000
    };
    (void)state;
    for (unsigned shared = 8; shared <= 56; shared += 16) {
        seenset *set = test_make((seenset_options){.capacity_items = 100});
        for (uint64_t i = 0; i < KEYS; i++)
            assert_true(seenset_add_hash(set, test_mix(i) >> shared) >= 0);
        for (uint64_t i = 0; i < KEYS; i++)
            assert_int_equal(seenset_has_hash(set, test_mix(i) >> shared), 1);
        assert_null(ss_expand_verify(expand_of(set)));
        assert_true(test_stats_of(set).memory_bytes < 64 * KEYS);
        seenset_free(set);
    }
}

/* ---- removed ---- */

/* A set that is cleared is one table again, and grows again. */
static void cleared_sets_begin_again(void **state)
{
    seenset *set = grown(100, 0.01, 0, 10000);
    (void)state;
    assert_int_equal(seenset_clear(set), SEENSET_OK);
    assert_int_equal(test_stats_of(set).table_count, 1);
    assert_int_equal(test_count_stream(set, 0, 10000), 0);
    test_add_stream(set, 0, 10000);
    assert_int_equal(test_stats_of(set).table_count, 2);
    assert_true(test_has_stream(set, 0, 10000));
    seenset_free(set);
}

/* As in a forged window, whose tables of a span disagree on its start. */
static void a_set_whose_first_table_grows_is_cleared(void **state)
{
    seenset *set = grown(100, 0.01, 0, 10000);
    (void)state;
    ss_generation first = set->generations[0];
    set->generations[0] = set->generations[1];
    set->generations[1] = first;
    ss_set_choose_kind(set);
    assert_int_equal(test_count_stream(set, 0, 10000), 10000);
    assert_int_equal(seenset_clear(set), SEENSET_OK);
    assert_int_equal(test_stats_of(set).table_count, 1);
    assert_int_equal(test_count_stream(set, 0, 10000), 0);
    seenset_free(set);
}

/* The budget is what the first table leaves, and never more than all. */
static void the_second_table_has_what_is_left(void **state)
{
    (void)state;
    for (double rate = 0.3; rate > 1e-6; rate /= 7) {
        seenset *set = grown(500, rate, 0, 600);
        double first = fmax(ss_promise_of(&set->generations[0]),
                            set->generations[0].fp_rate);
        double second = ss_promise_of(&set->generations[1]);
        assert_true(test_is_near(first + second, rate, 1e-9));
        assert_true(second >= 0.375 * rate);
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_keep_their_rates),
        cmocka_unit_test(a_rate_that_is_not_shared_is_caught),
        cmocka_unit_test(merged_sets_have_all_keys),
        cmocka_unit_test(merged_keys_are_counted_once),
        cmocka_unit_test(failed_merges_change_nothing),
        cmocka_unit_test(chosen_hashes_are_kept),
        cmocka_unit_test(cleared_sets_begin_again),
        cmocka_unit_test(a_set_whose_first_table_grows_is_cleared),
        cmocka_unit_test(the_second_table_has_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
