/*
 * counting.c - the counting layout against an exact multiset: what was
 * added and not taken out is there, counts are never too low, full counters
 * stay, and the rate is that of the classic filter.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/formulas.h"

static seenset *make(seenset_options options)
{
    seenset *set = NULL;
    options.layout = SEENSET_LAYOUT_COUNTING;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

static uint64_t count_of(const seenset *set, uint32_t key)
{
    uint64_t count = UINT64_MAX;
    assert_int_equal(seenset_count(set, &key, sizeof key, &count), SEENSET_OK);
    return count;
}

/* ---- against a multiset ---- */

enum {
    UNIVERSE = 3000
};

/* Does a set of `kept` keep everything in `truth`? */
static bool forgets_nothing(const seenset *set, const uint32_t *truth,
                            uint64_t full)
{
    bool is_so = true;
    for (uint32_t key = 0; key < UNIVERSE; key++) {
        uint64_t least = truth[key] < full ? truth[key] : full;
        is_so &= count_of(set, key) >= least;
        is_so &= truth[key] == 0 || seenset_has(set, &key, sizeof key) == 1;
    }
    return is_so;
}

/* Adds more often than it removes or the other way round, in turns, and now
 * and then one key very often, so that counters fill and empty. */
static void step(seenset *set, uint32_t *truth, test_random *random, int i)
{
    uint32_t key = (uint32_t)test_random_below(random, UNIVERSE);
    bool is_adding = test_random_below(random, 8) < (i >> 17 & 1 ? 2u : 6u);
    if (i % 1000 < 40)
        key = (uint32_t)(i / 1000 % 50);
    if (is_adding) {
        int is_new = seenset_add(set, &key, sizeof key);
        assert_true(is_new == 0 || (is_new == 1 && truth[key] == 0));
        truth[key]++;
    } else if (truth[key] > 0) {
        assert_int_equal(seenset_remove(set, &key, sizeof key), 1);
        truth[key]--;
    }
    assert_true(truth[key] == 0 || seenset_has(set, &key, sizeof key) == 1);
}

static void check_model(uint32_t counter_bits, uint64_t capacity_items,
                        int steps)
{
    uint32_t truth[UNIVERSE] = {0};
    uint64_t full = (UINT64_C(1) << counter_bits) - 1;
    test_random random = {counter_bits};
    seenset *set = make((seenset_options){.counter_bits = counter_bits,
                                          .capacity_items = capacity_items});
    for (int i = 0; i < steps; i++) {
        step(set, truth, &random, i);
        if (i % 250000 == 0)
            assert_true(forgets_nothing(set, truth, full));
    }
    assert_true(forgets_nothing(set, truth, full));
    /* and when all is taken out again, only full counters stay */
    for (uint32_t key = 0; key < UNIVERSE; key++) {
        for (; truth[key] > 0; truth[key]--)
            assert_int_equal(seenset_remove(set, &key, sizeof key), 1);
    }
    seenset_stats stats = test_stats_of(set);
    assert_int_equal(stats.set_bits, stats.full_counters);
    if (counter_bits <= 4)
        assert_true(stats.full_counters > 0);
    /* who was there by mistake was not counted, and may be taken out last */
    if (stats.full_counters == 0)
        assert_in_range(stats.added_items, 0, 20);
    assert_true(counter_bits < 16 || stats.full_counters == 0);
    seenset_free(set);
}

static void counting_agrees_with_a_multiset(void **state)
{
    (void)state;
    for (uint32_t bits = 4; bits <= 16; bits *= 2) {
        check_model(bits, 100000, 1500000);
        if (bits > 4)
            check_model(bits, UNIVERSE, 1500000);
    }
}

static void counting_agrees_with_a_multiset_at_any_width(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 16; bits += TEST_STEP > 1 ? 7 : 1)
        check_model(bits, bits < 8 ? 100000 : UNIVERSE, 300000);
}

/* In a table so small that all counters are full, nothing is ever lost. */
static void counting_forgets_nothing_when_full(void **state)
{
    uint32_t truth[UNIVERSE] = {0};
    test_random random = {77};
    seenset *set = make((seenset_options){.capacity_items = 100});
    (void)state;
    for (int i = 0; i < 1000000; i++)
        step(set, truth, &random, i);
    assert_true(test_stats_of(set).full_counters > 900);
    assert_true(forgets_nothing(set, truth, 15));
    seenset_free(set);
}

/* Planted: a copy more than was added, and a key that was not. */
static void counting_lost_copies_are_caught(void **state)
{
    uint32_t truth[UNIVERSE] = {0};
    seenset *set = make((seenset_options){.capacity_items = 100000});
    (void)state;
    for (uint32_t key = 7; truth[key] < 10; truth[key]++)
        (void)seenset_add(set, &key, sizeof key);
    assert_true(forgets_nothing(set, truth, 15));
    truth[7]++;
    assert_false(forgets_nothing(set, truth, 15));
    truth[7]--;
    truth[8]++;
    assert_false(forgets_nothing(set, truth, 15));
    seenset_free(set);
}

/* ---- saturation ---- */

static void counting_counts_until_it_is_full(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 16; bits++) {
        uint64_t full = (UINT64_C(1) << bits) - 1;
        seenset *set = make(
            (seenset_options){.counter_bits = bits, .capacity_items = 1000});
        assert_int_equal(test_stats_of(set).counter_bits, bits);
        assert_int_equal(count_of(set, 1), 0);
        for (uint64_t i = 1; i <= full + 5; i++) {
            uint32_t key = 1;
            assert_int_equal(seenset_add(set, &key, sizeof key), i == 1);
            if (i <= 20 || i + 5 >= full)
                assert_int_equal(count_of(set, 1), i < full ? i : full);
            if (i == full - 1)
                assert_int_equal(test_stats_of(set).full_counters, 0);
        }
        seenset_stats stats = test_stats_of(set);
        assert_int_equal(stats.full_counters, stats.set_bits);
        assert_int_equal(stats.added_items, 1);
        for (uint64_t i = 0; i < full + 100; i++) {
            uint32_t key = 1;
            assert_int_equal(seenset_remove(set, &key, sizeof key), 1);
        }
        assert_int_equal(count_of(set, 1), full);
        seenset_free(set);
    }
}

/* m (e n k / (J m))^J at the value where a counter is full and stays so. */
static void counting_overflow_bound_is_for_full_counters(void **state)
{
    (void)state;
    for (uint32_t bits = 3; bits <= 8; bits++) {
        seenset *set = make(
            (seenset_options){.counter_bits = bits, .capacity_items = 1000});
        assert_true(test_stats_of(set).overflow_bound == 0.0);
        for (uint64_t i = 0; i < 1000; i++)
            (void)seenset_add_hash(set, test_mix(i));
        seenset_stats stats = test_stats_of(set);
        double m = (double)stats.size_bits, full = exp2(bits) - 1.0;
        double load = (double)stats.added_items * stats.hash_count / m;
        double bound = fmin(m * pow(exp(1.0) * load / full, full), 1.0);
        assert_true(test_is_near(stats.overflow_bound, bound, 1e-9));
        assert_true(stats.overflow_bound ==
                    seenset_plan_overflow_bound(stats.added_items,
                                                stats.size_bits,
                                                stats.hash_count, bits));
        seenset_free(set);
    }
}

/* ---- capacity, batches, merging ---- */

/* A full set that refuses still counts what it has, alone or in a batch. */
static void counting_counts_when_it_refuses(void **state)
{
    (void)state;
    for (int is_batch = 0; is_batch <= 1; is_batch++) {
        seenset *set =
            make((seenset_options){.capacity_items = 2,
                                   .fp_rate = 1e-6,
                                   .on_full = SEENSET_ON_FULL_REFUSE});
        uint32_t numbers[4] = {1, 2, 1, 3};
        uint8_t answers[4];
        seenset_key keys[4];
        for (int i = 0; i < 4; i++)
            keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
        if (is_batch) {
            assert_int_equal(seenset_add_many(set, keys, 4, answers),
                             SEENSET_EFULL);
            assert_memory_equal(answers, "\1\1\0\2", 4);
        } else {
            static const int expected[] = {1, 1, 0, SEENSET_EFULL};
            for (int i = 0; i < 4; i++)
                assert_int_equal(seenset_add(set, keys[i].data, keys[i].len),
                                 expected[i]);
        }
        assert_int_equal(count_of(set, 1), 2);
        assert_int_equal(seenset_remove(set, &numbers[0], 4), 1);
        assert_int_equal(seenset_has(set, &numbers[0], 4), 1);
        assert_int_equal(seenset_add(set, &numbers[3], 4), SEENSET_EFULL);
        /* the last copy makes room */
        assert_int_equal(seenset_remove(set, &numbers[0], 4), 1);
        assert_int_equal(seenset_remove(set, &numbers[0], 4), 0);
        assert_int_equal(seenset_add(set, &numbers[3], 4), 1);
        assert_int_equal(seenset_add(set, &numbers[0], 4), SEENSET_EFULL);
        seenset_free(set);
    }
}

static void counting_batches_equal_singles(void **state)
{
    enum {
        KEYS = 5000
    };
    static uint64_t hashes[KEYS];
    static uint8_t answers[KEYS], seen[KEYS];
    test_random random = {5};
    seenset *one = make((seenset_options){.capacity_items = 2000});
    seenset *other = make((seenset_options){.capacity_items = 2000});
    (void)state;
    for (int i = 0; i < KEYS; i++)
        hashes[i] = test_mix(test_random_below(&random, 3000));
    assert_int_equal(seenset_add_hash_many(one, hashes, KEYS, answers), 0);
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(seenset_add_hash(other, hashes[i]), answers[i]);
    assert_true(test_are_equal(one, other));
    assert_int_equal(seenset_has_hash_many(one, hashes, KEYS, seen), 0);
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(seen[i], 1);
    seenset_free(one);
    seenset_free(other);
}

static void counting_merge_adds_up(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 16; bits++) {
        uint64_t full = (UINT64_C(1) << bits) - 1;
        seenset_options options = {
            .counter_bits = bits, .capacity_items = 1000, .fp_rate = 1e-9};
        seenset *a = make(options), *b = make(options);
        for (uint32_t key = 0; key < 40; key++) {
            for (uint32_t i = 0; i < key % 8; i++)
                (void)seenset_add(a, &key, sizeof key);
            for (uint32_t i = 0; i < key / 2; i++)
                (void)seenset_add(b, &key, sizeof key);
        }
        assert_int_equal(seenset_merge(a, b), SEENSET_OK);
        for (uint32_t key = 0; key < 40; key++) {
            uint64_t sum = key % 8 + key / 2;
            assert_int_equal(count_of(a, key), sum < full ? sum : full);
        }
        seenset_free(b);
        options.counter_bits = bits == 4 ? 8 : 4;
        b = make(options);
        assert_int_equal(seenset_merge(a, b), SEENSET_EMISMATCH);
        seenset_free(a);
        seenset_free(b);
    }
}

/* ---- who may ---- */

static void counting_refuses_what_it_cannot(void **state)
{
    seenset *set = make((seenset_options){0}), *view = NULL, *bits = NULL;
    uint64_t count = 77;
    size_t size_bytes;
    (void)state;
    assert_int_equal(seenset_add(set, "a", 1), 1);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    assert_int_equal(seenset_remove(view, "a", 1), SEENSET_EREADONLY);
    assert_int_equal(seenset_clear(view), SEENSET_EREADONLY);
    assert_int_equal(seenset_count(view, "a", 1, &count), SEENSET_OK);
    assert_int_equal(count, 1);
    assert_int_equal(seenset_remove(set, NULL, 1), SEENSET_EINVAL);
    assert_int_equal(seenset_count(set, NULL, 1, &count), SEENSET_EINVAL);
    assert_int_equal(seenset_count(set, "a", 1, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_remove(set, "b", 1), 0);
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset_options options = {.layout = layout};
        assert_int_equal(seenset_new(&bits, &options), SEENSET_OK);
        assert_int_equal(seenset_remove(bits, "a", 1), SEENSET_EUNSUPPORTED);
        assert_int_equal(seenset_count(bits, "a", 1, &count),
                         SEENSET_EUNSUPPORTED);
        assert_int_equal(count, 1);
        seenset_free(bits);
    }
    seenset_free(view);
    seenset_free(set);
    free(bytes);
}

/* Keys and their hashes are the same, for both layouts. */
static void counting_takes_hashes(void **state)
{
    const uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    uint64_t hash = seenset_hash("a", 1), count = 77;
    (void)state;
    for (int i = 0; i < 4; i++) {
        seenset *set = NULL;
        seenset_options options = {.layout = i % 2 == 0
                                                 ? SEENSET_LAYOUT_COUNTING
                                                 : SEENSET_LAYOUT_FINGERPRINT,
                                   .secret = i < 2 ? NULL : secret};
        assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
        assert_int_equal(seenset_add(set, "a", 1), 1);
        int error = i < 2 ? SEENSET_OK : SEENSET_EUNSUPPORTED;
        assert_int_equal(seenset_count_hash(set, hash, &count), error);
        assert_int_equal(seenset_remove_hash(set, hash), i < 2 ? 1 : error);
        assert_int_equal(seenset_has(set, "a", 1), i < 2 ? 0 : 1);
        assert_int_equal(count, i < 2 ? 1 : 77);
        seenset_free(set);
        count = 77;
    }
}

/* What is taken out by its hash makes room for another key. */
static void counting_makes_room_by_hash(void **state)
{
    seenset *set = make((seenset_options){.capacity_items = 2,
                                          .on_full = SEENSET_ON_FULL_REFUSE});
    (void)state;
    assert_int_equal(seenset_add_hash(set, test_mix(1)), 1);
    assert_int_equal(seenset_add_hash(set, test_mix(2)), 1);
    assert_int_equal(seenset_add_hash(set, test_mix(3)), SEENSET_EFULL);
    assert_int_equal(seenset_remove_hash(set, test_mix(4)), 0);
    assert_int_equal(seenset_remove_hash(set, test_mix(1)), 1);
    assert_int_equal(seenset_add_hash(set, test_mix(3)), 1);
    seenset_free(set);
}

/* m = 100, k = 3: "0" to "9" in, "3" out. */
static void counting_keeps_the_others(void **state)
{
    seenset *set = make((seenset_options){
        .capacity_items = 10, .size_bits = 100, .hash_count = 3});
    (void)state;
    for (char digit = '0'; digit <= '9'; digit++)
        assert_true(seenset_add(set, &digit, 1) >= 0);
    assert_int_equal(seenset_remove(set, "3", 1), 1);
    for (char digit = '0'; digit <= '9'; digit++)
        assert_true(digit == '3' || seenset_has(set, &digit, 1) == 1);
    seenset_free(set);
}

/* The set bits of n k throws are held by McDiarmid's bound, and the questions
 * are binomial with the table's own rate; as in measured.c. */
static void counting_keeps_the_rate(void **state)
{
    (void)state;
    for (uint64_t n = 100000; n <= 1000000; n *= 10) {
        seenset *set = make((seenset_options){.capacity_items = n});
        uint64_t hits = 0, questions = 2000000;
        for (uint64_t i = 0; i < n; i++)
            (void)seenset_add_hash(set, test_mix(i));
        for (uint64_t i = n; i < n + questions; i++)
            hits += (uint64_t)seenset_has_hash(set, test_mix(i));
        seenset_stats stats = test_stats_of(set);
        double m = (double)stats.size_bits, k = stats.hash_count;
        double throws = (double)n * k;
        double expected = -m * expm1(throws * log1p(-1.0 / m));
        double bound = sqrt(throws * log(2.0 / TEST_ALARM) / 2.0);
        assert_true(fabs((double)stats.set_bits - expected) <= bound);
        assert_true(test_is_binomial(hits, questions, stats.current_fp_rate));
        assert_false(
            test_is_binomial(hits, questions, stats.current_fp_rate * 1.1));
        assert_true(stats.current_fp_rate < 0.0102);
        seenset_free(set);
    }
}

/* A counter that ran over, or stopped and was decremented, forgot other keys:
 * fastfilter_java#16 and #20. All copies but one are taken out again. */
static void full_counters_keep_their_keys(void **state)
{
    (void)state;
    seenset *set =
        test_make((seenset_options){.layout = SEENSET_LAYOUT_COUNTING,
                                    .counter_bits = 4,
                                    .capacity_items = 100});
    for (int i = 0; i < 100; i++)
        (void)seenset_add(set, "a", 1);
    for (int i = 0; i < 99; i++)
        assert_int_equal(seenset_remove(set, "a", 1), 1);
    assert_int_equal(seenset_has(set, "a", 1), 1);
    seenset_free(set);
}

/* A full set of fingerprints still takes copies, for which it cuts slots, and
 * then sees keys that were not added: a batch sees no more than single keys. */
static void full_fingerprints_take_batches_like_singles(void **state)
{
    enum {
        CAPACITY = 100,
        COUNT = 500,
        FRESH = 450 /* of those, the first */
    };
    (void)state;
    seenset *sets[2];
    test_random random = {1};
    uint64_t hashes[COUNT], fresh = CAPACITY, refused = 0, falsely = 0;
    uint8_t answers[COUNT];
    for (int i = 0; i < 2; i++) {
        sets[i] =
            test_make((seenset_options){.layout = SEENSET_LAYOUT_FINGERPRINT,
                                        .capacity_items = CAPACITY,
                                        .on_full = SEENSET_ON_FULL_REFUSE});
        for (uint64_t key = 0; test_stats_of(sets[i]).added_items < CAPACITY;)
            (void)seenset_add_hash(sets[i], test_mix(key++));
    }
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < COUNT; i++)
            hashes[i] = test_mix(i < FRESH ? 1000 + fresh++
                                           : test_random_below(&random, 100));
        (void)seenset_add_hash_many(sets[0], hashes, COUNT, answers);
        for (int i = 0; i < COUNT; i++) {
            int one = seenset_add_hash(sets[1], hashes[i]);
            int many = answers[i] == SEENSET_ANSWER_REFUSED ? SEENSET_EFULL
                                                            : answers[i];
            assert_int_equal(many, one);
            refused += one == SEENSET_EFULL;
            falsely += one == 0 && i < FRESH;
        }
    }
    assert_true(refused > 1000 && falsely > 50);
    assert_true(test_stats_of(sets[0]).full_counters > 0);
    seenset_free(sets[0]);
    seenset_free(sets[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting_agrees_with_a_multiset),
        cmocka_unit_test(counting_agrees_with_a_multiset_at_any_width),
        cmocka_unit_test(counting_forgets_nothing_when_full),
        cmocka_unit_test(counting_lost_copies_are_caught),
        cmocka_unit_test(counting_counts_until_it_is_full),
        cmocka_unit_test(counting_overflow_bound_is_for_full_counters),
        cmocka_unit_test(counting_counts_when_it_refuses),
        cmocka_unit_test(counting_batches_equal_singles),
        cmocka_unit_test(counting_merge_adds_up),
        cmocka_unit_test(counting_refuses_what_it_cannot),
        cmocka_unit_test(counting_takes_hashes),
        cmocka_unit_test(counting_makes_room_by_hash),
        cmocka_unit_test(counting_keeps_the_others),
        cmocka_unit_test(counting_keeps_the_rate),
        cmocka_unit_test(full_counters_keep_their_keys),
        cmocka_unit_test(full_fingerprints_take_batches_like_singles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
