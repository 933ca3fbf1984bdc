/*
 * add_parallel.c - a set that threads filled together holds exactly the bits of
 * one that was added to, whatever the layout, the threads, and however uneven
 * the keys.
 *
 *     test_add_parallel [KEYS]      1,200,000 keys: the threads work in rounds,
 *                                   of at least 2^18 keys
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    LINE_BITS = 512,
    LEAST_KEYS = 1 << 18 /* fewer are not shared out */
};

static size_t key_count = 1200000;

typedef enum key_kind {
    FRESH,
    REPEATED,
    EQUAL
} key_kind;

static uint64_t *make_hashes(key_kind kind)
{
    test_random random = {.state = 99 + kind};
    uint64_t *hashes = malloc(key_count * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < key_count; i++) {
        hashes[i] = test_random_next(&random);
        if (kind == REPEATED && i % 2 == 1)
            hashes[i] = hashes[i / 2];
        if (kind == EQUAL && i > 0)
            hashes[i] = hashes[0];
    }
    return hashes;
}

/* A table of whole megabytes. */
static seenset *make(seenset_layout layout, uint32_t k, unsigned megabytes)
{
    seenset *set = NULL;
    seenset_options options = {.layout = layout,
                               .capacity_items = key_count,
                               .size_bits = (uint64_t)megabytes << 23,
                               .hash_count = k};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

/* The same bits in tables that are alike: each has all of the other's. */
static bool is_same(const seenset *a, const seenset *b)
{
    return test_is_superset(a, b) == 1 && test_is_superset(b, a) == 1;
}

static void check(seenset_layout layout, uint32_t k, unsigned megabytes,
                  key_kind kind, unsigned threads)
{
    uint64_t *hashes = make_hashes(kind);
    seenset *added = make(layout, k, megabytes);
    seenset *built = make(layout, k, megabytes);
    seenset_add_hash(added, 12345);
    seenset_add_hash(built, 12345);
    assert_int_equal(seenset_add_hash_many(added, hashes, key_count, NULL),
                     SEENSET_OK);
    assert_int_equal(
        seenset_add_hash_parallel(built, hashes, key_count, threads),
        SEENSET_OK);
    assert_true(is_same(added, built));
    seenset_stats a, b;
    seenset_get_stats(added, &a, sizeof a);
    seenset_get_stats(built, &b, sizeof b);
    if (k == 8)
        assert_int_equal(a.added_items, b.added_items);
    else
        assert_true(
            test_is_near((double)b.added_items, a.estimated_items, 1e-5) ||
            b.added_items == a.added_items);
    seenset_free(added);
    seenset_free(built);
    free(hashes);
}

static void add_parallel_equals_adding(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 3; threads++) {
        check(SEENSET_LAYOUT_BLOCKED, 8, 33, FRESH, threads);
        check(SEENSET_LAYOUT_BLOCKED, 24, 9, REPEATED, threads);
        check(SEENSET_LAYOUT_BLOOM, 5, 9, FRESH, threads);
    }
    check(SEENSET_LAYOUT_BLOCKED, 8, 9, EQUAL, 2);
    check(SEENSET_LAYOUT_BLOCKED, 16, 33, EQUAL, 64);
    check(SEENSET_LAYOUT_BLOCKED, 8, 9, FRESH, 1000000);
    check(SEENSET_LAYOUT_BLOOM, 3, 1, FRESH, 7);
}

/* Fewer lines than threads: most have nothing to add. */
static void add_parallel_fills_a_tiny_table(void **state)
{
    (void)state;
    uint64_t *hashes = make_hashes(FRESH);
    for (uint64_t lines = 1; lines <= 100; lines += 33) {
        seenset *sets[2];
        seenset_options options = {.size_bits = lines * LINE_BITS,
                                   .hash_count = 8};
        for (int i = 0; i < 2; i++)
            assert_int_equal(seenset_new(&sets[i], &options), SEENSET_OK);
        seenset_add_hash_many(sets[0], hashes, key_count, NULL);
        assert_int_equal(
            seenset_add_hash_parallel(sets[1], hashes, key_count, 64),
            SEENSET_OK);
        assert_true(is_same(sets[0], sets[1]));
        seenset_free(sets[0]);
        seenset_free(sets[1]);
    }
    free(hashes);
}

/* What can't be shared out is added, or refused, as ever; what is saved of
 * both sets is the same, but that adding knows better how many were new, which
 * the header has. */
static void check_kind(const char *name, const seenset_options *options,
                       const seenset_key *keys, const uint64_t *hashes)
{
    for (int by_hash = 0; by_hash <= 1; by_hash++) {
        seenset *sets[2];
        int errors[2];
        size_t sizes[2];
        uint8_t *bytes[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(seenset_new(&sets[i], options), SEENSET_OK);
        if (by_hash) {
            errors[0] = seenset_add_hash_many(sets[0], hashes, key_count, NULL);
            errors[1] =
                seenset_add_hash_parallel(sets[1], hashes, key_count, 2);
        } else {
            errors[0] = seenset_add_many(sets[0], keys, key_count, NULL);
            errors[1] = seenset_add_parallel(sets[1], keys, key_count, 2);
        }
        print_message("%s: %s\n", name, seenset_error_name(errors[0]));
        assert_int_equal(errors[0], errors[1]);
        for (int i = 0; i < 2; i++) {
            bytes[i] = test_bytes_of(sets[i], &sizes[i]);
            seenset_free(sets[i]);
        }
        bool is_estimate = options->on_full == SEENSET_ON_FULL_DEGRADE;
        size_t skipped = is_estimate ? test_header_bytes(bytes[0]) : 0;
        assert_int_equal(sizes[0], sizes[1]);
        assert_true(sizes[0] > skipped + 1000);
        assert_memory_equal(bytes[0] + skipped, bytes[1] + skipped,
                            sizes[0] - skipped);
        free(bytes[0]);
        free(bytes[1]);
    }
}

static void add_parallel_is_adding_for_every_kind_of_set(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1, 2, 3};
    const struct {
        const char *name;
        seenset_options options;
    } kinds[] = {
        {"blocked, shared",
         {.on_full = SEENSET_ON_FULL_DEGRADE, .flags = SEENSET_FLAG_SHARED}},
        {"classic, shared",
         {.layout = SEENSET_LAYOUT_BLOOM,
          .on_full = SEENSET_ON_FULL_DEGRADE,
          .flags = SEENSET_FLAG_SHARED}},
        {"classic",
         {.layout = SEENSET_LAYOUT_BLOOM, .on_full = SEENSET_ON_FULL_DEGRADE}},
        {"counting",
         {.layout = SEENSET_LAYOUT_COUNTING,
          .on_full = SEENSET_ON_FULL_DEGRADE}},
        {"keyed", {.on_full = SEENSET_ON_FULL_DEGRADE, .secret = secret}},
        {"of another scheme",
         {.layout = SEENSET_LAYOUT_BLOOM,
          .scheme = SEENSET_SCHEME_MURMUR3_128}},
        {"growing", {.capacity_items = 1000, .on_full = SEENSET_ON_FULL_GROW}},
        {"a window",
         {.capacity_items = 1000, .on_full = SEENSET_ON_FULL_ROTATE}},
        {"refusing",
         {.capacity_items = 1000, .on_full = SEENSET_ON_FULL_REFUSE}},
    };
    (void)state;
    uint64_t *hashes = make_hashes(REPEATED);
    seenset_key *keys = malloc(key_count * sizeof *keys);
    assert_non_null(keys);
    for (size_t i = 0; i < key_count; i++)
        keys[i] = (seenset_key){.data = &hashes[i], .len = 8};
    for (size_t i = 0; i < TEST_COUNT(kinds); i++)
        check_kind(kinds[i].name, &kinds[i].options, keys, hashes);
    free(keys);
    free(hashes);
}

static void add_parallel_hashes_keys(void **state)
{
    (void)state;
    uint64_t *numbers = make_hashes(REPEATED);
    seenset_key *keys = malloc(key_count * sizeof *keys);
    assert_non_null(keys);
    for (size_t i = 0; i < key_count; i++)
        keys[i] = (seenset_key){.data = &numbers[i], .len = i % 9};
    seenset *added = make(SEENSET_LAYOUT_BLOCKED, 8, 9);
    seenset *built = make(SEENSET_LAYOUT_BLOCKED, 8, 9);
    assert_int_equal(seenset_add_many(added, keys, key_count, NULL),
                     SEENSET_OK);
    assert_int_equal(seenset_add_parallel(built, keys, key_count, 2),
                     SEENSET_OK);
    assert_true(is_same(added, built));
    keys[key_count - 1] = (seenset_key){.data = NULL, .len = 1};
    assert_int_equal(seenset_add_parallel(built, keys, key_count, 2),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_add_parallel(built, keys, 10, 2), SEENSET_OK);
    seenset_free(added);
    seenset_free(built);
    free(keys);
    free(numbers);
}

static void add_parallel_that_misses_a_key_is_found(void **state)
{
    (void)state;
    uint64_t *hashes = make_hashes(FRESH);
    seenset *added = make(SEENSET_LAYOUT_BLOCKED, 8, 9);
    seenset *built = make(SEENSET_LAYOUT_BLOCKED, 8, 9);
    seenset_add_hash_many(added, hashes, key_count, NULL);
    assert_int_equal(seenset_add_hash_parallel(built, hashes, key_count - 1, 2),
                     SEENSET_OK);
    assert_false(is_same(added, built));
    seenset_free(added);
    seenset_free(built);
    free(hashes);
}

static void add_parallel_refuses_at_capacity(void **state)
{
    (void)state;
    uint64_t *hashes = make_hashes(FRESH);
    seenset_options options = {.capacity_items = 1000,
                               .on_full = SEENSET_ON_FULL_REFUSE};
    seenset *set;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    assert_int_equal(seenset_add_hash_parallel(set, hashes, key_count, 2),
                     SEENSET_EFULL);
    seenset_stats stats;
    seenset_get_stats(set, &stats, sizeof stats);
    assert_int_equal(stats.added_items, 1000);
    seenset_free(set);
    free(hashes);
}

/* Out of memory at any allocation: an error, the set as it was, no leak. */
static void add_parallel_survives_lack_of_memory(void **state)
{
    (void)state;
    uint64_t *hashes = make_hashes(FRESH);
    test_memory memory;
    test_memory_init(&memory);
    seenset_options options = {.size_bits = UINT64_C(9) << 23,
                               .capacity_items = key_count,
                               .allocator = &memory.allocator};
    seenset *set;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    size_t blocks = memory.live_blocks;
    size_t calls = memory.calls;
    int failures = 0;
    for (;; failures++) {
        memory.fail_at = calls + 1 + (size_t)failures;
        memory.calls = calls;
        int error = seenset_add_hash_parallel(set, hashes, key_count, 2);
        assert_int_equal(memory.live_blocks, blocks);
        if (error == SEENSET_OK)
            break;
        assert_int_equal(error, SEENSET_ENOMEM);
        seenset_stats stats;
        seenset_get_stats(set, &stats, sizeof stats);
        assert_int_equal(stats.set_bits, 0);
    }
    assert_true(failures >= 3); /* the builder, each thread's lists */
    seenset_free(set);
    free(hashes);
}

/* The lists hold an eighth of what the table does; of a small one a little. */
static void add_parallel_lists_are_short(void **state)
{
    enum {
        LISTS_BYTES = 2 << 20, /* of 2^18 keys: no fewer are listed */
        SLACK_BYTES = 1 << 20  /* a group for each of the parts */
    };
    (void)state;
    uint64_t *hashes = make_hashes(FRESH);
    for (unsigned megabytes = 1; megabytes <= 32; megabytes *= 2) {
        test_memory memory;
        test_memory_init(&memory);
        seenset_options options = {.size_bits = (uint64_t)megabytes << 23,
                                   .capacity_items = key_count,
                                   .allocator = &memory.allocator};
        seenset *set;
        assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
        size_t table_bytes = memory.largest_bytes, calls = memory.calls;
        memory.largest_bytes = 0;
        assert_int_equal(seenset_add_hash_parallel(set, hashes, key_count, 2),
                         SEENSET_OK);
        assert_true(memory.calls > calls);
        assert_in_range(
            memory.largest_bytes, 1,
            (table_bytes / 8 > LISTS_BYTES ? table_bytes / 8 : LISTS_BYTES) +
                SLACK_BYTES);
        seenset_free(set);
    }
    free(hashes);
}

/* ---- sets that threads can't fill together ---- */

static void add_many(seenset *set, int wanted)
{
    static uint64_t numbers[LEAST_KEYS];
    static seenset_key keys[LEAST_KEYS];
    for (uint64_t i = 0; i < LEAST_KEYS; i++) {
        numbers[i] = i;
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    assert_int_equal(seenset_add_parallel(set, keys, LEAST_KEYS, 2), wanted);
    for (uint64_t i = 0; wanted == SEENSET_OK && i < LEAST_KEYS; i++)
        assert_int_equal(seenset_has(set, &i, sizeof i), 1);
}

/* They are filled all the same, by one, and as what they are. */
static void add_parallel_leaves_to_one_what_many_cannot(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    static const seenset_options kinds[] = {
        {.capacity_items = LEAST_KEYS, .secret = secret},
        {.capacity_items = LEAST_KEYS, .layout = SEENSET_LAYOUT_COUNTING},
        {.capacity_items = LEAST_KEYS, .on_full = SEENSET_ON_FULL_ROTATE}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = test_make(kinds[i]);
        add_many(set, SEENSET_OK);
        uint64_t key = 7, count = 0;
        if (kinds[i].layout == SEENSET_LAYOUT_COUNTING) {
            assert_int_equal(seenset_count(set, &key, sizeof key, &count), 0);
            assert_int_equal(count, 1);
        }
        if (kinds[i].on_full == SEENSET_ON_FULL_ROTATE)
            assert_true(test_stats_of(set).table_count > 1);
        seenset_free(set);
    }
}

static void add_parallel_writes_to_no_view(void **state)
{
    seenset *set =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    seenset *view = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    (void)state;
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    add_many(view, SEENSET_EREADONLY);
    assert_true(test_stats_of(view).set_bits == 0);
    seenset_free(view);
    free(bytes);
    assert_int_equal(seenset_add_hash_parallel(set, NULL, LEAST_KEYS, 2),
                     SEENSET_EINVAL);
    seenset_free(set);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_parallel_equals_adding),
        cmocka_unit_test(add_parallel_fills_a_tiny_table),
        cmocka_unit_test(add_parallel_is_adding_for_every_kind_of_set),
        cmocka_unit_test(add_parallel_hashes_keys),
        cmocka_unit_test(add_parallel_that_misses_a_key_is_found),
        cmocka_unit_test(add_parallel_refuses_at_capacity),
        cmocka_unit_test(add_parallel_survives_lack_of_memory),
        cmocka_unit_test(add_parallel_lists_are_short),
        cmocka_unit_test(add_parallel_leaves_to_one_what_many_cannot),
        cmocka_unit_test(add_parallel_writes_to_no_view),
    };
    if (argc > 1)
        key_count = strtoul(argv[1], NULL, 10);
    return key_count <= LEAST_KEYS ? 1
                                   : cmocka_run_group_tests(tests, NULL, NULL);
}
