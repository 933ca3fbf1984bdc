/*
 * info.c - what a set says of itself, in structs of any size; bits and cells of
 * each table; and options whose reserved fields are used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/raw.h"

enum {
    ITEMS = 1000
};

static seenset_info info_of(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), SEENSET_OK);
    return info;
}

static seenset_table_info table_of(const seenset *set, uint32_t table)
{
    seenset_table_info info;
    assert_int_equal(seenset_get_table_info(set, table, &info, sizeof info),
                     SEENSET_OK);
    return info;
}

static void add_items(seenset *set, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
}

static seenset *seal_items(void)
{
    seenset *set = NULL;
    uint64_t hashes[ITEMS];
    for (uint64_t i = 0; i < ITEMS; i++)
        hashes[i] = test_mix(i);
    assert_int_equal(
        seenset_build_sealed_hashes(&set, NULL, hashes, ITEMS, NULL, NULL),
        SEENSET_OK);
    return set;
}

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen letters";

static const seenset_options kinds[] = {
    {.capacity_items = 100}, /* grows */
    {.layout = SEENSET_LAYOUT_BLOOM,
     .flags = SEENSET_FLAG_SHARED,
     .capacity_items = ITEMS},
    {.layout = SEENSET_LAYOUT_COUNTING,
     .counter_bits = 8,
     .capacity_items = ITEMS},
    {.layout = SEENSET_LAYOUT_COUNTING,
     .counter_bits = 7,
     .capacity_items = ITEMS},
    {.on_full = SEENSET_ON_FULL_ROTATE,
     .flags = SEENSET_FLAG_SLIDING,
     .window_seconds = 1000,
     .capacity_items = 500},
    {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .capacity_items = 300},
    {.secret = secret, .capacity_items = ITEMS},
    {.layout = SEENSET_LAYOUT_BLOOM,
     .scheme = SEENSET_SCHEME_MURMUR3_128,
     .capacity_items = ITEMS},
};

/* ---- the set ---- */

static void info_has_what_was_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = test_make(kinds[i]);
        add_items(set, ITEMS);
        seenset_info info = info_of(set);
        assert_int_equal(info.flags, kinds[i].flags);
        assert_int_equal(info.is_keyed, kinds[i].secret != NULL);
        assert_int_equal(info.scheme, kinds[i].scheme != 0
                                          ? kinds[i].scheme
                                          : SEENSET_SCHEME_CHAIN);
        assert_int_equal(info.counter_bits, kinds[i].counter_bits);
        assert_int_equal(info.window_seconds, kinds[i].window_seconds);
        assert_int_equal(info.format_version, 0);
        assert_int_equal(info.is_read_only, 0);
        assert_true(info.added_items > ITEMS * 9 / 10);
        seenset_free(set);
    }
}

/* What both have is the same, and so is the memory that was taken. */
static void info_agrees_with_stats(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = test_make(kinds[i]);
        add_items(set, ITEMS);
        seenset_info info = info_of(set);
        seenset_stats stats = test_stats_of(set);
        assert_int_equal(info.layout, stats.layout);
        assert_int_equal(info.on_full, stats.on_full);
        assert_int_equal(info.table_count, stats.table_count);
        assert_int_equal(info.capacity_items, stats.capacity_items);
        assert_int_equal(info.added_items, stats.added_items);
        assert_true(info.fp_rate == stats.fp_rate);
        assert_int_equal(info.memory_bytes, stats.memory_bytes);
        assert_int_equal(info.window_generations, stats.window_generations);
        assert_true(info.memory_bytes * 8 > stats.size_bits);
        seenset_free(set);
    }
}

static void info_of_views_has_their_file(void **state)
{
    seenset *set = test_make(kinds[0]), *view = NULL;
    size_t size_bytes;
    seenset_open_options unchecked = {.flags = SEENSET_OPEN_UNCHECKED};
    (void)state;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    assert_int_equal(info_of(view).format_version, 3);
    assert_int_equal(info_of(view).is_read_only, 1);
    assert_int_equal(info_of(view).is_checked, !test_views_are_copies());
    assert_int_equal(info_of(view).is_copied, test_views_are_copies());
    seenset_free(view);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, &unchecked),
                     0);
    assert_int_equal(info_of(view).is_checked, 0);
    seenset_free(view);
    seenset_free(set);
    free(bytes);
}

/* ---- its tables ---- */

static uint32_t block_bits_of(seenset_layout layout)
{
    bool is_lines =
        layout == SEENSET_LAYOUT_BLOCKED || layout == SEENSET_LAYOUT_EXPANDABLE;
    return is_lines ? 512 : layout == SEENSET_LAYOUT_SPLIT_BLOCK ? 256 : 0;
}

static void tables_add_up_to_the_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = test_make(kinds[i]);
        add_items(set, ITEMS);
        seenset_stats stats = test_stats_of(set);
        uint64_t size_bits = 0, added_items = 0, set_cells = 0;
        bool is_all_cells = true;
        for (uint32_t t = 0; t < stats.table_count; t++) {
            seenset_table_info table = table_of(set, t);
            uint64_t found = 0, none = 0;
            bool has_cells = table.layout != SEENSET_LAYOUT_EXPANDABLE;
            assert_int_equal(
                seenset_count_cells(set, t, 0, table.cell_count, &found), 0);
            assert_int_equal(seenset_count_cells(set, t, 0, 1, &none),
                             has_cells ? 0 : SEENSET_EUNSUPPORTED);
            is_all_cells = is_all_cells && has_cells;
            size_bits += table.size_bits;
            added_items += table.added_items;
            set_cells += found;
            assert_int_equal(table.block_bits, block_bits_of(table.layout));
            assert_int_equal(table.started_seconds > 0,
                             kinds[i].window_seconds > 0);
            assert_int_equal(table.is_expired, 0);
        }
        assert_int_equal(size_bits, stats.size_bits);
        assert_int_equal(added_items, stats.added_items);
        assert_true(is_all_cells ? set_cells == stats.set_bits
                                 : set_cells < stats.set_bits);
        seenset_table_info none = {.size_bits = 7};
        assert_int_equal(
            seenset_get_table_info(set, stats.table_count, &none, sizeof none),
            SEENSET_EINVAL);
        assert_int_equal(none.size_bits, 7);
        seenset_free(set);
    }
}

/* Any range of cells: as many as get_bits finds. */
static void cells_are_counted_in_any_range(void **state)
{
    uint8_t bits[400];
    test_random random = {5};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = test_make(kinds[i]);
        add_items(set, ITEMS);
        uint64_t cells = table_of(set, 0).cell_count;
        for (int round = 0; round < 500; round++) {
            uint64_t count = test_random_below(&random, sizeof bits + 1);
            uint64_t first = test_random_below(&random, cells - count + 1);
            uint64_t expected = 0, found = 99;
            assert_int_equal(seenset_get_bits(set, 0, first, count, bits), 0);
            for (uint64_t b = 0; b < count; b++)
                expected += bits[b];
            assert_int_equal(seenset_count_cells(set, 0, first, count, &found),
                             0);
            assert_int_equal(found, expected);
        }
        seenset_free(set);
    }
}

/* A cell of a sealed set is a fingerprint, one in 2^bits of which is 0. */
static void cells_of_sealed_sets_are_fingerprints(void **state)
{
    seenset *set = seal_items();
    seenset_table_info table = table_of(set, 0);
    uint64_t expected = 0, found;
    (void)state;
    assert_int_equal(info_of(set).fingerprint_bits, table.cell_bits);
    /* slots of 7 bits, and the spare bits after them */
    assert_int_equal(table.cell_bits, 7);
    assert_int_equal(table.cell_count * table.cell_bits + 56, table.size_bits);
    uint8_t *bits = malloc(table.size_bits);
    assert_non_null(bits);
    assert_int_equal(seenset_get_bits(set, 0, 0, table.size_bits, bits), 0);
    for (uint64_t cell = 0; cell < table.cell_count; cell++)
        expected +=
            memchr(bits + cell * table.cell_bits, 1, table.cell_bits) != NULL;
    assert_int_equal(seenset_count_cells(set, 0, 0, table.cell_count, &found),
                     0);
    assert_int_equal(found, expected);
    assert_true(expected > table.cell_count / 2);
    free(bits);
    seenset_free(set);
}

static void cells_past_the_end_are_refused(void **state)
{
    seenset *set = test_make(kinds[1]);
    uint64_t cells = table_of(set, 0).cell_count, found = 99;
    (void)state;
    assert_int_equal(seenset_count_cells(set, 0, cells, 1, &found),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_count_cells(set, 0, 1, cells, &found),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_count_cells(set, 0, UINT64_MAX, 2, &found),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_count_cells(set, 1, 0, 0, &found), SEENSET_EINVAL);
    assert_int_equal(found, 99);
    assert_int_equal(seenset_count_cells(set, 0, cells, 0, &found), 0);
    assert_int_equal(found, 0);
    seenset_free(set);
}

/* ---- structs that grow ---- */

typedef int getter(const seenset *set, void *out, size_t out_bytes);

static int get_info(const seenset *set, void *out, size_t out_bytes)
{
    return seenset_get_info(set, out, out_bytes);
}

static int get_table_info(const seenset *set, void *out, size_t out_bytes)
{
    return seenset_get_table_info(set, 0, out, out_bytes);
}

static int get_stats(const seenset *set, void *out, size_t out_bytes)
{
    return seenset_get_stats(set, out, out_bytes);
}

static int get_estimate(const seenset *set, void *out, size_t out_bytes)
{
    return seenset_get_estimate(set, out, out_bytes);
}

static int get_uniformity(const seenset *set, void *out, size_t out_bytes)
{
    return seenset_get_uniformity(set, out, out_bytes);
}

/* An older caller's struct: nothing is written past its end. A newer one's: the
 * fields that this library does not know are 0. */
static void check_growth(getter *get, const seenset *set, size_t known_bytes)
{
    uint64_t whole[64], out[64];
    const uint8_t *bytes = (const uint8_t *)out;
    assert_true(known_bytes + 64 <= sizeof out);
    assert_int_equal(get(set, whole, known_bytes), SEENSET_OK);
    for (size_t size = 1; size <= sizeof out; size++) {
        size_t common = size < known_bytes ? size : known_bytes;
        memset(out, 0xAB, sizeof out);
        assert_int_equal(get(set, out, size), SEENSET_OK);
        assert_memory_equal(out, whole, common);
        for (size_t i = common; i < sizeof out; i++)
            assert_int_equal(bytes[i], i < size ? 0 : 0xAB);
    }
}

static void structs_may_be_older_or_newer(void **state)
{
    seenset *set = test_make(kinds[2]);
    (void)state;
    add_items(set, ITEMS);
    check_growth(get_info, set, sizeof(seenset_info));
    check_growth(get_table_info, set, sizeof(seenset_table_info));
    check_growth(get_stats, set, sizeof(seenset_stats));
    check_growth(get_estimate, set, sizeof(seenset_estimate));
    check_growth(get_uniformity, set, sizeof(seenset_uniformity));
    seenset_free(set);
}

static void reserved_fields_must_be_zero(void **state)
{
    seenset *set = NULL;
    const size_t count = TEST_COUNT(((seenset_options *)NULL)->reserved);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        seenset_options options = {.capacity_items = 100};
        options.reserved[i] = UINT64_C(1) << (10 * i);
        assert_int_equal(seenset_new(&set, &options), SEENSET_EINVAL);
        options.capacity_items = 0;
        assert_int_equal(
            seenset_build_sealed(&set, &options, NULL, 0, NULL, NULL),
            SEENSET_EINVAL);
    }
    assert_null(set);
}

/* ---- names and numbers ---- */

static void names_and_numbers_are_those_of_the_headers(void **state)
{
    char text[32];
    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", SEENSET_VERSION_MAJOR,
             SEENSET_VERSION_MINOR, SEENSET_VERSION_PATCH);
    assert_string_equal(text, SEENSET_VERSION);
    assert_string_equal(text, seenset_version());
    assert_int_equal(seenset_version_number(), SEENSET_VERSION_NUMBER);
    assert_string_equal(seenset_scheme_name(SEENSET_SCHEME_MD5_DIVMOD),
                        "md5-divmod");
    assert_string_equal(seenset_scheme_name(SEENSET_SCHEME_CALLER), "caller");
    assert_string_equal(seenset_scheme_name((seenset_scheme)0), "unknown");
    assert_string_equal(seenset_scheme_name((seenset_scheme)1000), "unknown");
}

/* Shards are numbered from 0, and a shard of one is all. */
static void a_shard_is_one_of_so_many(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < ITEMS; i++) {
        uint64_t hash = seenset_hash(&i, sizeof i);
        assert_true(seenset_shard(hash, 10) < 10);
        assert_int_equal(seenset_shard(hash, 1), 0);
        assert_int_equal(seenset_shard(hash, 0), 0);
    }
}

/* A key is its hash; and the hash of nothing is the one that XXH3 gives. */
static void a_key_is_its_hash(void **state)
{
    seenset *set = test_make(kinds[0]);
    (void)state;
    for (uint64_t i = 0; i < ITEMS; i++) {
        uint64_t hash = seenset_hash(&i, i % 8 + 1);
        int is_new = seenset_add(set, &i, i % 8 + 1);
        assert_int_equal(seenset_has_hash(set, hash), 1);
        assert_int_equal(seenset_add_hash(set, hash), 0);
        (void)is_new;
    }
    assert_true(seenset_hash("", 0) == UINT64_C(0x2D06800538D394C2));
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_has_what_was_asked_for),
        cmocka_unit_test(info_agrees_with_stats),
        cmocka_unit_test(info_of_views_has_their_file),
        cmocka_unit_test(tables_add_up_to_the_set),
        cmocka_unit_test(cells_are_counted_in_any_range),
        cmocka_unit_test(cells_of_sealed_sets_are_fingerprints),
        cmocka_unit_test(cells_past_the_end_are_refused),
        cmocka_unit_test(structs_may_be_older_or_newer),
        cmocka_unit_test(reserved_fields_must_be_zero),
        cmocka_unit_test(names_and_numbers_are_those_of_the_headers),
        cmocka_unit_test(a_key_is_its_hash),
        cmocka_unit_test(a_shard_is_one_of_so_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
