/*
 * uniformity.c - sets whose bits are spread by a good hash pass, and those of
 * a weak one fail.
 *
 * A thousand seeds make a thousand tables of one kind: the p-values have to be
 * uniform, so that a hundredth of them is below 0.01, within what chance
 * allows, and none is called skewed. A chance of 1e-9 each is 1e-6 for all.
 * Tables that keep a key's bits together are in skew.c.
 */
#include <stdio.h>

#include "support.h"

enum {
    SEEDS = 1000
};

static seenset_uniformity measure(const seenset *set)
{
    seenset_uniformity found;
    assert_int_equal(seenset_get_uniformity(set, &found, sizeof found), 0);
    assert_int_equal(test_stats_of(set).is_skewed, found.is_skewed);
    assert_int_equal(found.is_skewed, found.p_value < 1e-9);
    return found;
}

static void add_mixed(seenset *set, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
}

static void add_urls(seenset *set, unsigned count)
{
    char url[80];
    for (unsigned i = 0; i < count; i++) {
        int length = snprintf(url, sizeof url,
                              "http://www.example.com/path/page-%u.html", i);
        assert_true(seenset_add(set, url, (size_t)length) >= 0);
    }
}

/* ---- a good hash ---- */

/* Tables of all fills, and of counters. */
static const struct {
    seenset_options options;
    uint64_t items;
} shapes[] = {
    {{.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 30011, .hash_count = 7},
     3000},
    {{.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 30011, .hash_count = 3},
     400},
    {{.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 20000, .hash_count = 7},
     8000},
    {{.layout = SEENSET_LAYOUT_COUNTING, .size_bits = 15000, .hash_count = 5},
     2000},
};

static void chain_passes_with_every_seed(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < TEST_COUNT(shapes); shape++) {
        unsigned rare = 0, high = 0, planted = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            seenset_scheme_arguments arguments = {.seed = seed};
            seenset_options options = shapes[shape].options;
            options.scheme_arguments = &arguments;
            seenset *set = test_make(options);
            add_mixed(set, shapes[shape].items);
            seenset_uniformity found = measure(set);
            assert_true(found.slice_count >= 16 && !found.is_skewed);
            rare += found.p_value < 0.01;
            planted += found.p_value / 10 < 0.01; /* ten times too small */
            high += found.chi_square > found.degrees_of_freedom;
            seenset_free(set);
        }
        assert_true(test_is_binomial(rare, SEEDS, 0.01));
        assert_false(test_is_binomial(planted, SEEDS, 0.01));
        assert_in_range(high, SEEDS * 2 / 5, SEEDS * 3 / 5);
    }
}

static void strong_schemes_pass_with_urls(void **state)
{
    static const seenset_scheme strong[] = {
        SEENSET_SCHEME_MURMUR2A_FNV1A,       SEENSET_SCHEME_MURMUR3_128,
        SEENSET_SCHEME_MD5_DIVMOD,           SEENSET_SCHEME_ENHANCED_DOUBLE,
        SEENSET_SCHEME_CLICKHOUSE_BLOOM,     SEENSET_SCHEME_CLICKHOUSE_TOKENBF,
        SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(strong); i++) {
        seenset *set = test_make(
            (seenset_options){.capacity_items = 100000, .scheme = strong[i]});
        add_urls(set, 100000);
        seenset_uniformity found = measure(set);
        assert_true(found.slice_count > 1000 && !found.is_skewed);
        seenset_free(set);
    }
}

/* Of a set that has grown both tables are measured, each in its own way. */
static void grown_sets_are_measured_by_both_tables(void **state)
{
    const seenset_options small = {.layout = SEENSET_LAYOUT_BLOOM,
                                   .capacity_items = 2000};
    (void)state;
    seenset *set = test_make(small);
    add_mixed(set, 2000);
    seenset_table_info first = test_table_of(set, 0);
    seenset_uniformity full = measure(set);
    add_mixed(set, 20000);
    assert_int_equal(test_stats_of(set).table_count, 2);
    /* a few keys went to the first until it was full */
    assert_in_range(first.added_items, 1990, 2000);
    seenset_uniformity grown = measure(set);
    assert_true(full.slice_count > 0);
    assert_true(grown.slice_count > full.slice_count);
    assert_true(grown.degrees_of_freedom > full.degrees_of_freedom);
    assert_true(grown.chi_square > full.chi_square);
    assert_false(full.is_skewed || grown.is_skewed);
    seenset_free(set);
}

/* ---- a weak one ---- */

/* A polynomial of URLs that differ in their numbers: a quarter of the keys is
 * missing in the estimate. */
static void polynomial_fails_with_a_million_urls(void **state)
{
    seenset *set = test_make((seenset_options){
        .capacity_items = 1000000, .scheme = SEENSET_SCHEME_POLYNOMIAL});
    (void)state;
    add_urls(set, 1000000);
    seenset_stats stats = test_stats_of(set);
    assert_true(stats.estimated_items < 0.8 * 1000000);
    assert_int_equal(measure(set).is_skewed, 1);
    seenset_free(set);
}

/* How an index function goes wrong. */
typedef struct fault {
    uint64_t stride; /* only multiples of it */
    uint64_t run;    /* all places of a key in so many bits */
    uint64_t reach;  /* none past this */
} fault;

static void wrong_indices(void *context, const void *key, size_t key_len,
                          uint64_t size_bits, uint32_t hash_count,
                          uint64_t *indices)
{
    const fault *is = context;
    uint64_t first = test_mix(seenset_hash(key, key_len));
    for (uint32_t i = 0; i < hash_count; i++) {
        uint64_t place = test_mix(first + i + 1);
        if (is->run > 0)
            place = first / 2 + place % is->run;
        if (is->reach > 0)
            place %= is->reach;
        indices[i] = place % size_bits;
        indices[i] -= is->stride > 0 ? indices[i] % is->stride : 0;
    }
}

static seenset_uniformity measure_fault(fault is)
{
    seenset *set = test_make((seenset_options){.size_bits = 1000000,
                                               .hash_count = 5,
                                               .scheme = SEENSET_SCHEME_CALLER,
                                               .index_function = wrong_indices,
                                               .index_context = &is});
    add_mixed(set, 50000);
    seenset_uniformity found = measure(set);
    seenset_free(set);
    return found;
}

static void weak_hashes_fail(void **state)
{
    (void)state;
    assert_int_equal(measure_fault((fault){0}).is_skewed, 0);
    seenset_uniformity near = measure_fault((fault){.run = 100});
    assert_true(near.is_skewed && near.chi_square > near.degrees_of_freedom);
    seenset_uniformity few = measure_fault((fault){.stride = 3});
    assert_true(few.is_skewed && few.chi_square < few.degrees_of_freedom);
    assert_int_equal(measure_fault((fault){.reach = 900000}).is_skewed, 1);
}

/* ---- nothing to measure ---- */

static void few_bits_are_not_measured(void **state)
{
    (void)state;
    seenset *set = test_make((seenset_options){
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100000, .hash_count = 7});
    for (uint64_t i = 0; i < 30; i++) {
        seenset_uniformity found = measure(set);
        assert_true(found.slice_count == 0 && found.p_value == 1.0);
        assert_true(found.chi_square == 0.0 && !found.is_skewed);
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
    }
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_passes_with_every_seed),
        cmocka_unit_test(strong_schemes_pass_with_urls),
        cmocka_unit_test(grown_sets_are_measured_by_both_tables),
        cmocka_unit_test(polynomial_fails_with_a_million_urls),
        cmocka_unit_test(weak_hashes_fail),
        cmocka_unit_test(few_bits_are_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
