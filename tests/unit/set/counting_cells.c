/*
 * counting_cells.c - the counting layout, where its cells or its number of keys
 * have to be set. tests/api/counting.c has what can be seen from outside.
 */
#include "set/set.h"
#include "support.h"

static seenset *make(seenset_options options)
{
    options.layout = SEENSET_LAYOUT_COUNTING;
    return test_make(options);
}

/* Planted: counters that are full and decremented all the same. */
static void unstick(seenset *set)
{
    ss_table *table = &set->generations[0].table;
    uint64_t word_count = ss_table_word_count(table);
    for (uint64_t i = 0; i < word_count; i++) {
        for (unsigned at = 0; at < 64; at += 4) {
            if ((table->words[i] >> at & 15) == 15)
                table->words[i] -= UINT64_C(1) << at;
        }
    }
}

static void counting_decrement_of_full_counters_is_caught(void **state)
{
    (void)state;
    for (int is_planted = 0; is_planted <= 1; is_planted++) {
        seenset *set = make((seenset_options){.capacity_items = 100000});
        uint32_t key = 7, copies = 0;
        uint64_t count = 0;
        for (; copies < 40; copies++)
            (void)seenset_add(set, &key, sizeof key);
        for (; copies > 2; copies--) {
            (void)seenset_remove(set, &key, sizeof key);
            if (is_planted)
                unstick(set);
        }
        assert_int_equal(seenset_count(set, &key, sizeof key, &count), 0);
        assert_int_equal(count >= copies, !is_planted);
        seenset_free(set);
    }
}

/* The share of tables of distinct keys in which a counter is full is no
 * higher than the bound, and the bound is none for ever. */
static void counting_overflow_is_bounded(void **state)
{
    enum {
        TABLES = 3000 / TEST_STEP
    };
    (void)state;
    for (uint64_t keys = 100; keys <= 1600; keys *= 2) {
        double bound = 0.0;
        uint64_t full_tables = 0;
        seenset *set =
            make((seenset_options){.capacity_items = 200, .fp_rate = 0.05});
        for (uint64_t t = 0; t < TABLES; t++) {
            assert_int_equal(seenset_clear(set), SEENSET_OK);
            for (uint64_t i = 0; i < keys; i++)
                (void)seenset_add_hash(set, test_mix(t * 10000 + i));
            set->generations[0].added_items = keys;
            if (t == 0)
                bound = test_stats_of(set).overflow_bound;
            full_tables += test_stats_of(set).full_counters > 0;
        }
        double part = (double)full_tables / TABLES;
        assert_true(bound > 0.0 && bound <= 1.0);
        assert_true(part <= bound ||
                    test_is_binomial(full_tables, TABLES, bound));
        if (keys == 100)
            assert_true(bound < 1e-6);
        if (keys == 1600)
            assert_true(part > 0.1); /* planted: it does happen */
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting_decrement_of_full_counters_is_caught),
        cmocka_unit_test(counting_overflow_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
