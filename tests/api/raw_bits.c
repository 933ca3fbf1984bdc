/* raw_bits.c - the bits of a table alone, out of a set and made a set again */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/raw.h"

enum {
    ITEMS = 3000
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = {3};
static const seenset_scheme_arguments seed = {.seed = 5},
                                      text = {.unit_bits = 16};

static const seenset_options kinds[] = {
    {.on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_BLOOM, .on_full = SEENSET_ON_FULL_REFUSE},
    {.layout = SEENSET_LAYOUT_BLOOM,
     .on_full = SEENSET_ON_FULL_DEGRADE,
     .scheme_arguments = &seed},
    {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_COUNTING},
    {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 16},
    {.flags = SEENSET_FLAG_SHARED, .secret = secret},
    {.scheme = SEENSET_SCHEME_MD5_DIVMOD},
    {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &text},
    {.scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM},
};

static uint8_t *bits_of(const seenset *set, size_t *size_bytes)
{
    *size_bytes = 0;
    assert_int_equal(seenset_to_bits(set, NULL, size_bytes), SEENSET_ESPACE);
    uint8_t *bytes = malloc(*size_bytes);
    assert_non_null(bytes);
    assert_int_equal(seenset_to_bits(set, bytes, size_bytes), SEENSET_OK);
    return bytes;
}

/* What the bits of a set have to be told to be one again. */
static seenset_options options_of(const seenset *set,
                                  const seenset_options *made)
{
    seenset_table_info table = test_table_of(set, 0);
    seenset_options options = *made;
    options.capacity_items = table.capacity_items;
    options.fp_rate = table.fp_rate;
    options.size_bits = table.size_bits;
    options.hash_count = table.hash_count;
    return options;
}

static void check_kind(const seenset_options *kind)
{
    seenset_options options = *kind;
    seenset *again = NULL;
    size_t size_bytes, other_bytes;
    options.capacity_items = 2 * ITEMS;
    seenset *set = test_make(options);
    for (uint64_t i = 0; i < ITEMS; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
    uint8_t *bytes = bits_of(set, &size_bytes);
    options = options_of(set, &options);
    assert_int_equal(seenset_from_bits(&again, &options, bytes, size_bytes), 0);
    for (uint64_t i = 0; i < ITEMS; i++)
        assert_int_equal(seenset_has(again, &i, sizeof i), 1);
    uint8_t *others = bits_of(again, &other_bytes);
    assert_int_equal(other_bytes, size_bytes);
    assert_memory_equal(others, bytes, size_bytes);
    assert_int_equal(test_stats_of(again).set_bits,
                     test_stats_of(set).set_bits);
    seenset_free(again);
    seenset_free(set);
    free(others);
    free(bytes);
}

static void bits_make_the_same_set_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++)
        check_kind(&kinds[i]);
}

/* As get_bits tells them, least significant first. */
static void bits_are_in_order(void **state)
{
    seenset *set = test_make((seenset_options){
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 1003, .hash_count = 7});
    uint8_t single[1003];
    size_t size_bytes;
    (void)state;
    test_add_numbers(set, 0, 20);
    uint8_t *bytes = bits_of(set, &size_bytes);
    assert_int_equal(size_bytes, 126);
    assert_int_equal(seenset_get_bits(set, 0, 0, 1003, single), SEENSET_OK);
    for (size_t i = 0; i < TEST_COUNT(single); i++)
        assert_int_equal(bytes[i / 8] >> (i % 8) & 1, single[i]);
    assert_int_equal(bytes[125] >> 3, 0);
    free(bytes);
    seenset_free(set);
}

/* The places of docs/format.md, set by hand in another system's bytes. */
static void filters_of_clickhouse_are_read(void **state)
{
    static const uint16_t places[] = {198, 380, 540, 712, 719};
    const seenset_options options = {.scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM,
                                     .hash_count = TEST_COUNT(places)};
    uint8_t filter[128] = {0};
    seenset *set = NULL;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(places); i++)
        filter[places[i] / 8] |= (uint8_t)(1u << (places[i] % 8));
    assert_int_equal(seenset_from_bits(&set, &options, filter, sizeof filter),
                     SEENSET_OK);
    assert_int_equal(seenset_has(set, "http://example.com/", 19), 1);
    assert_int_equal(seenset_has(set, "http://example.com", 18), 0);
    assert_int_equal(test_stats_of(set).added_items, 1);
    assert_int_equal(test_table_of(set, 0).size_bits, 1024);
    seenset_free(set);
}

static uint64_t added_of(const void *bytes, size_t size_bytes)
{
    const seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                                     .hash_count = 7};
    seenset *set = NULL;
    assert_int_equal(seenset_from_bits(&set, &options, bytes, size_bytes), 0);
    uint64_t added = test_stats_of(set).added_items;
    seenset_free(set);
    return added;
}

static void keys_are_estimated_from_the_bits(void **state)
{
    static uint8_t none[4096], full[4096];
    size_t size_bytes;
    (void)state;
    seenset *set = test_make((seenset_options){
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 800000, .hash_count = 7});
    for (uint64_t i = 0; i < 50000; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
    uint8_t *bytes = bits_of(set, &size_bytes);
    uint64_t added = added_of(bytes, size_bytes);
    assert_in_range(added, 49500, 50500);
    assert_int_equal(added_of(none, sizeof none), 0);
    /* more than of a table with one bit unset: m ln m / k, and not infinite */
    memset(full, 0xFF, sizeof full);
    assert_in_range(added_of(full, sizeof full), 48600, 48700);
    free(bytes);
    seenset_free(set);
}

static int from(seenset_options options, size_t size_bytes)
{
    static uint8_t bytes[1024];
    seenset *set = NULL;
    int error = seenset_from_bits(&set, &options, bytes, size_bytes);
    assert_true((set != NULL) == (error == SEENSET_OK));
    seenset_free(set);
    return error;
}

#define BLOOM .layout = SEENSET_LAYOUT_BLOOM

static void bits_that_are_no_table_are_refused(void **state)
{
    static const seenset_options refused[] = {
        {BLOOM},
        {BLOOM, .hash_count = 256},
        {BLOOM, .hash_count = 3, .size_bits = 511 * 8},
        {BLOOM, .hash_count = 3, .size_bits = 512 * 8 + 1},
        {BLOOM, .hash_count = 3, .on_full = SEENSET_ON_FULL_GROW},
        {BLOOM, .hash_count = 3, .capacity_items = 10, .reserved = {1}},
        {.hash_count = 7},
        {.hash_count = 24}, /* whose sizes are multiples of 1536 bits */
        {.layout = SEENSET_LAYOUT_SEALED, .hash_count = 3},
        {.layout = (seenset_layout)9, .hash_count = 3},
        {.scheme = SEENSET_SCHEME_POLYNOMIAL, .hash_count = 8}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(refused); i++)
        assert_int_equal(from(refused[i], 512), SEENSET_EINVAL);
    assert_int_equal(from((seenset_options){BLOOM, .hash_count = 3}, 0),
                     SEENSET_EINVAL);
    assert_int_equal(from((seenset_options){BLOOM, .hash_count = 3}, 512), 0);
    assert_int_equal(from((seenset_options){.hash_count = 8}, 512), 0);
    assert_int_equal(from((seenset_options){.layout = SEENSET_LAYOUT_COUNTING,
                                            .scheme = SEENSET_SCHEME_POLYNOMIAL,
                                            .counter_bits = 8,
                                            .hash_count = 2},
                          512),
                     0);
}

static void bits_past_the_end_are_refused(void **state)
{
    seenset_options options = {BLOOM, .hash_count = 3, .size_bits = 13};
    uint8_t bytes[2] = {0xFF, 0x1F};
    seenset *set = NULL;
    (void)state;
    assert_int_equal(seenset_from_bits(&set, &options, bytes, 2), SEENSET_OK);
    assert_int_equal(seenset_has(set, "any", 3), 1);
    seenset_free(set);
    bytes[1] = 0x3F;
    set = NULL;
    assert_int_equal(seenset_from_bits(&set, &options, bytes, 2),
                     SEENSET_EINVAL);
    assert_null(set);
}

static void sets_without_one_table_have_no_bits(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 10});
    uint8_t bytes[64] = {7};
    size_t size_bytes = 0;
    (void)state;
    assert_int_equal(seenset_to_bits(set, bytes, &size_bytes), SEENSET_ESPACE);
    assert_int_equal(size_bytes, 64);
    assert_int_equal(bytes[0], 7);
    assert_int_equal(seenset_to_bits(set, bytes, &size_bytes), SEENSET_OK);
    test_add_numbers(set, 0, 11);
    assert_int_equal(seenset_to_bits(set, bytes, &size_bytes),
                     SEENSET_EUNSUPPORTED);
    seenset_free(set);
    assert_int_equal(seenset_build_sealed(&set, NULL, NULL, 0, NULL, NULL), 0);
    assert_int_equal(seenset_to_bits(set, bytes, &size_bytes),
                     SEENSET_EUNSUPPORTED);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_make_the_same_set_again),
        cmocka_unit_test(bits_are_in_order),
        cmocka_unit_test(filters_of_clickhouse_are_read),
        cmocka_unit_test(keys_are_estimated_from_the_bits),
        cmocka_unit_test(bits_that_are_no_table_are_refused),
        cmocka_unit_test(bits_past_the_end_are_refused),
        cmocka_unit_test(sets_without_one_table_have_no_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
