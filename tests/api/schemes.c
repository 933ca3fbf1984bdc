/*
 * schemes.c - index schemes and what they are given, as a program sees them:
 * which options go together, what a set reports of them, and that a file keeps
 * them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    ITEMS = 500
};

static const uint32_t factors[] = {31, 131, 1313, 13131};

static const seenset_scheme_arguments seed = {.seed = 77},
                                      other_seed = {.seed = 78},
                                      list = {.seeds = factors,
                                              .seed_count = 4},
                                      text = {.unit_bits = 16},
                                      both = {.seeds = factors,
                                              .seed_count = 4,
                                              .unit_bits = 16};

/* Every scheme with arguments, and those that came with them. */
static const seenset_options kinds[] = {
    {.scheme_arguments = &seed},
    {.layout = SEENSET_LAYOUT_BLOOM, .scheme_arguments = &seed},
    {.layout = SEENSET_LAYOUT_COUNTING, .scheme_arguments = &seed},
    {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .scheme_arguments = &seed},
    {.flags = SEENSET_FLAG_SHARED, .scheme_arguments = &seed},
    {.on_full = SEENSET_ON_FULL_ROTATE, .scheme_arguments = &seed},
    {.scheme = SEENSET_SCHEME_MURMUR2A_FNV1A, .scheme_arguments = &seed},
    {.scheme = SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED},
    {.scheme = SEENSET_SCHEME_MURMUR3_128, .scheme_arguments = &seed},
    {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &list},
    {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &text},
    {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &both},
    {.scheme = SEENSET_SCHEME_ENHANCED_DOUBLE, .scheme_arguments = &seed},
    {.scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM},
    {.scheme = SEENSET_SCHEME_CLICKHOUSE_TOKENBF},
    {.scheme = SEENSET_SCHEME_CLICKHOUSE_TOKENBF, .scheme_arguments = &seed},
    {.layout = SEENSET_LAYOUT_COUNTING,
     .scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM},
    {.scheme = SEENSET_SCHEME_PARQUET},
    {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .scheme = SEENSET_SCHEME_PARQUET},
    {.scheme = SEENSET_SCHEME_DCSO},
    {.layout = SEENSET_LAYOUT_COUNTING, .scheme = SEENSET_SCHEME_DCSO},
    {.scheme = SEENSET_SCHEME_GUAVA_MITZ_64},
    {.layout = SEENSET_LAYOUT_COUNTING, .scheme = SEENSET_SCHEME_GUAVA_MITZ_32},
    {.scheme = SEENSET_SCHEME_LEVELDB, .size_bits = 1 << 14, .hash_count = 6},
    {.scheme = SEENSET_SCHEME_ROCKSDB_LEGACY,
     .size_bits = 1 << 14,
     .hash_count = 6},
    {.scheme = SEENSET_SCHEME_ROCKSDB, .size_bits = 1 << 14, .hash_count = 6},
    {.scheme = SEENSET_SCHEME_BIP37, .scheme_arguments = &seed},
    {.scheme = SEENSET_SCHEME_REDISBLOOM},
};

static seenset *make(seenset_options options)
{
    options.capacity_items = 2 * ITEMS;
    return test_make(options);
}

static seenset_info info_of(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), SEENSET_OK);
    return info;
}

/* Keys of 8 bytes. A false positive among them is no fault. */
static void add_all(seenset *set)
{
    for (uint64_t i = 0; i < ITEMS; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
}

static bool has_all(const seenset *set)
{
    uint64_t seen = 0;
    for (uint64_t i = 0; i < ITEMS; i++)
        seen += seenset_has(set, &i, sizeof i) == 1;
    return seen == ITEMS;
}

/* Its keys stay, through batches, copies, files, views and merges. */
static void check_kind(seenset_options options)
{
    seenset *set = make(options), *other = make(options), *copy, *view, *loaded;
    seenset_open_options as_copy = {.flags = SEENSET_OPEN_COPY};
    size_t size_bytes;
    add_all(set);
    assert_true(has_all(set));
    assert_int_equal(seenset_copy(&copy, set), SEENSET_OK);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    assert_int_equal(seenset_open_bytes(&loaded, bytes, size_bytes, &as_copy),
                     SEENSET_OK);
    assert_int_equal(info_of(view).format_version, 4);
    assert_true(has_all(copy) && has_all(view) && has_all(loaded));
    assert_int_equal(seenset_add(loaded, "one more", 8), 1);
    assert_int_equal(seenset_merge(other, set), SEENSET_OK);
    assert_true(has_all(other));
    seenset_free(loaded);
    seenset_free(view);
    seenset_free(copy);
    seenset_free(other);
    seenset_free(set);
    free(bytes);
}

static void sets_with_arguments_never_forget(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++)
        check_kind(kinds[i]);
}

/* These sets cannot use a hash that the caller made: no answer is "never". */
static void sets_with_arguments_take_no_hashes(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = make(kinds[i]);
        uint64_t hash = seenset_hash("key", 3);
        uint8_t answer = 7;
        assert_int_equal(seenset_add(set, "key", 3), 1);
        assert_int_equal(seenset_has_hash(set, hash), SEENSET_EUNSUPPORTED);
        assert_int_equal(seenset_add_hash(set, hash), SEENSET_EUNSUPPORTED);
        assert_int_equal(seenset_has_hash_many(set, &hash, 1, &answer),
                         SEENSET_EUNSUPPORTED);
        assert_int_equal(seenset_add_hash_many(set, &hash, 1, &answer),
                         SEENSET_EUNSUPPORTED);
        assert_int_equal(seenset_add_hash_parallel(set, &hash, 1, 2),
                         SEENSET_EUNSUPPORTED);
        assert_int_equal(answer, 7);
        seenset_free(set);
    }
}

static void info_tells_the_arguments(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        const seenset_scheme_arguments *given = kinds[i].scheme_arguments;
        seenset *set = make(kinds[i]);
        seenset_info info = info_of(set);
        bool is_polynomial = kinds[i].scheme == SEENSET_SCHEME_POLYNOMIAL;
        uint32_t bits = is_polynomial && given->unit_bits == 16 ? 16 : 8;
        assert_true(info.seed == (given == NULL ? 0 : given->seed));
        assert_int_equal(info.unit_bits, is_polynomial ? bits : 0);
        assert_true((info.seeds != NULL) == is_polynomial);
        if (is_polynomial && given->seeds != NULL)
            assert_memory_equal(info.seeds, factors, sizeof factors);
        assert_int_equal(info.seed_count, !is_polynomial         ? 0
                                          : given->seeds != NULL ? 4
                                                                 : 7);
        seenset_free(set);
    }
}

/* They are the set's own: what was given may go. */
static void arguments_are_copied(void **state)
{
    uint32_t mine[] = {3, 5, 7};
    seenset_scheme_arguments arguments = {.seeds = mine, .seed_count = 3};
    (void)state;
    seenset *set = make((seenset_options){.scheme = SEENSET_SCHEME_POLYNOMIAL,
                                          .scheme_arguments = &arguments});
    assert_int_equal(seenset_add(set, "key", 3), 1);
    memset(mine, 0xFF, sizeof mine);
    arguments = (seenset_scheme_arguments){.seed = 1};
    assert_int_equal(seenset_has(set, "key", 3), 1);
    assert_int_equal(info_of(set).seeds[1], 5);
    seenset_free(set);
}

/* Own seeds and bytes are what the scheme has without them: the same file, in
 * the version that every library reads. */
static void defaults_are_no_arguments(void **state)
{
    static const uint32_t own[] = {5, 7, 11, 13, 31, 37, 61};
    static const seenset_scheme_arguments zero = {0},
                                          spelled = {.seeds = own,
                                                     .seed_count = 7,
                                                     .unit_bits = 8};
    seenset_options options = {.scheme = SEENSET_SCHEME_POLYNOMIAL,
                               .size_bits = 4096,
                               .hash_count = 5};
    const seenset_scheme_arguments *const given[] = {&zero, &spelled};
    size_t size_bytes, other_bytes;
    (void)state;
    seenset *set = test_make(options);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(bytes[8], 3);
    for (size_t i = 0; i < TEST_COUNT(given); i++) {
        options.scheme_arguments = given[i];
        seenset *other = test_make(options);
        uint8_t *others = test_bytes_of(other, &other_bytes);
        assert_int_equal(other_bytes, size_bytes);
        assert_memory_equal(others, bytes, size_bytes);
        assert_int_equal(seenset_merge(set, other), SEENSET_OK);
        seenset_free(other);
        free(others);
    }
    seenset_free(set);
    free(bytes);
}

static int new_with(seenset_options options)
{
    seenset *set = NULL;
    int error = seenset_new(&set, &options);
    assert_true((set != NULL) == (error == SEENSET_OK));
    seenset_free(set);
    return error;
}

static void options_that_do_not_go_together_are_refused(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    static const seenset_scheme_arguments large = {.seed = UINT64_C(1) << 32},
                                          bad = {.seed = 1, .reserved = {1}};
    static const seenset_options refused[] = {
        {.scheme_arguments = &seed, .secret = secret},
        {.scheme_arguments = &list},
        {.scheme_arguments = &text},
        {.scheme_arguments = &bad},
        {.scheme = SEENSET_SCHEME_MD5_DIVMOD, .scheme_arguments = &seed},
        {.scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM, .scheme_arguments = &seed},
        {.scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM, .size_bits = 1001},
        {.scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM, .hash_count = 16},
        {.scheme = SEENSET_SCHEME_MURMUR3_128, .scheme_arguments = &large},
        {.scheme = SEENSET_SCHEME_MURMUR2A_FNV1A, .scheme_arguments = &large},
        {.scheme = SEENSET_SCHEME_MURMUR2A_FNV1A, .hash_count = 3},
        {.scheme = SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED, .hash_count = 3},
        {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &seed},
        {.scheme = SEENSET_SCHEME_POLYNOMIAL,
         .scheme_arguments = &list,
         .hash_count = 5},
        {.scheme = SEENSET_SCHEME_POLYNOMIAL, .size_bits = 1000},
        {.scheme = (seenset_scheme)1000}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(refused); i++)
        assert_int_equal(new_with(refused[i]), SEENSET_EINVAL);
    assert_int_equal(
        new_with((seenset_options){.layout = SEENSET_LAYOUT_BLOCKED,
                                   .scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM}),
        SEENSET_EUNSUPPORTED);
    /* a polynomial of 32 bits reaches no more places */
    assert_int_equal(
        new_with((seenset_options){.scheme = SEENSET_SCHEME_POLYNOMIAL,
                                   .capacity_items = UINT64_C(1) << 33}),
        SEENSET_ETOOBIG);
}

static void other_arguments_are_another_kind(void **state)
{
    seenset_options options = {.scheme_arguments = &seed};
    (void)state;
    seenset *set = make(options);
    options.scheme_arguments = &other_seed;
    seenset *other = make(options);
    options.scheme_arguments = NULL;
    seenset *plain = make(options);
    assert_int_equal(seenset_merge(set, other), SEENSET_EMISMATCH);
    assert_int_equal(seenset_merge(plain, set), SEENSET_EMISMATCH);
    assert_int_equal(test_is_superset(set, other), SEENSET_EMISMATCH);
    seenset_free(plain);
    seenset_free(other);
    seenset_free(set);
}

static void sealed_sets_take_a_seed(void **state)
{
    static const seenset_key keys[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    seenset_options options = {.scheme_arguments = &seed};
    seenset *set = NULL, *view = NULL;
    uint64_t hash = 1;
    size_t size_bytes;
    (void)state;
    assert_int_equal(seenset_build_sealed(&set, &options, keys, 3, NULL, NULL),
                     0);
    assert_true(info_of(set).seed == 77);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    for (size_t i = 0; i < TEST_COUNT(keys); i++)
        assert_int_equal(seenset_has(view, keys[i].data, keys[i].len), 1);
    seenset_free(view);
    seenset_free(set);
    free(bytes);
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL),
        SEENSET_EUNSUPPORTED);
    options.scheme_arguments = &text;
    assert_int_equal(seenset_build_sealed(&set, &options, keys, 3, NULL, NULL),
                     SEENSET_EINVAL);
}

/* What a set is made with is what the plan says. */
static void sets_are_made_as_planned(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        if (kinds[i].scheme == 0 || kinds[i].size_bits != 0)
            continue;
        seenset_options options = kinds[i];
        options.capacity_items = 12345;
        options.fp_rate = 0.003;
        seenset *set = test_make(options);
        seenset_plan plan = {.layout = options.layout,
                             .capacity_items = 12345,
                             .fp_rate = 0.003};
        assert_int_equal(seenset_plan_solve_scheme(&plan, options.scheme,
                                                   options.scheme_arguments),
                         SEENSET_OK);
        seenset_table_info table;
        assert_int_equal(seenset_get_table_info(set, 0, &table, sizeof table),
                         SEENSET_OK);
        assert_int_equal(table.size_bits, plan.size_bits);
        assert_int_equal(table.hash_count, plan.hash_count);
        seenset_free(set);
    }
}

/* Many keys in one call are those of as many calls, whatever number of places
 * a key has: they are taken in groups. Half of the keys come twice. */
static void many_keys_are_those_of_many_calls(void **state)
{
    static const uint32_t hash_counts[] = {1, 17, 255};
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(hash_counts); k++) {
        const seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                                         .scheme = SEENSET_SCHEME_GUAVA_MITZ_64,
                                         .size_bits = 40000,
                                         .hash_count = hash_counts[k]};
        seenset *one = test_make(options), *many = test_make(options);
        char texts[ITEMS][16];
        seenset_key keys[ITEMS];
        uint8_t is_new[ITEMS], is_seen[ITEMS];
        for (int i = 0; i < ITEMS; i++) {
            int length = snprintf(texts[i], sizeof texts[i], "key %d", i / 2);
            keys[i] = (seenset_key){texts[i], (size_t)length};
        }
        assert_int_equal(seenset_add_many(many, keys, ITEMS / 2, is_new), 0);
        for (int i = 0; i < ITEMS / 2; i++)
            assert_int_equal(seenset_add(one, keys[i].data, keys[i].len),
                             is_new[i]);
        assert_int_equal(seenset_has_many(many, keys, ITEMS, is_seen), 0);
        for (int i = 0; i < ITEMS; i++) {
            assert_int_equal(seenset_has(one, keys[i].data, keys[i].len),
                             is_seen[i]);
            assert_true(is_seen[i] == 1 || i >= ITEMS / 2);
        }
        assert_int_equal(test_stats_of(one).set_bits,
                         test_stats_of(many).set_bits);
        seenset_free(one);
        seenset_free(many);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_with_arguments_never_forget),
        cmocka_unit_test(sets_with_arguments_take_no_hashes),
        cmocka_unit_test(info_tells_the_arguments),
        cmocka_unit_test(arguments_are_copied),
        cmocka_unit_test(defaults_are_no_arguments),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
        cmocka_unit_test(other_arguments_are_another_kind),
        cmocka_unit_test(sealed_sets_take_a_seed),
        cmocka_unit_test(sets_are_made_as_planned),
        cmocka_unit_test(many_keys_are_those_of_many_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
