/*
 * moves.c - all blocks of a set are given another place again and again, and it
 * stays what a set that was left alone is, to the bit.
 */
#include <stdlib.h>

#include "expand/expand.h"
#include "expand/move.h"
#include "moving.h"
#include "seenset/extra/inline.h"
#include "set/move.h"
#include "set/set.h"

enum {
    ROUNDS = 40,
    MOST_KEYS = 20000,
    TOLD_AT = 700 /* a capacity: the set is told of all keys, so it has two
                     tables that are asked together */
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = {1, 2, 3};
static const uint32_t seeds[] = {31, 37, 41};
static const seenset_scheme_arguments by_seeds = {.seeds = seeds,
                                                  .seed_count = 3};

/* All that a set can be made of; the last has seeds. */
static const seenset_options kinds[] = {
    {.capacity_items = 100},
    {.capacity_items = 1000},
    {.capacity_items = 6000},
    {.capacity_items = MOST_KEYS},
    {.capacity_items = TOLD_AT},
    {.capacity_items = 3000, .fp_rate = 1e-9},
    {.capacity_items = 1000, .layout = SEENSET_LAYOUT_BLOOM},
    {.capacity_items = 1000, .layout = SEENSET_LAYOUT_SPLIT_BLOCK},
    {.capacity_items = MOST_KEYS, .layout = SEENSET_LAYOUT_COUNTING},
    {.capacity_items = MOST_KEYS, .layout = SEENSET_LAYOUT_FINGERPRINT},
    {.capacity_items = 500, .secret = secret},
    {.capacity_items = 3000, .on_full = SEENSET_ON_FULL_ROTATE},
    {.capacity_items = 500,
     .on_full = SEENSET_ON_FULL_ROTATE,
     .window_seconds = 1000000},
    {.capacity_items = MOST_KEYS,
     .layout = SEENSET_LAYOUT_BLOOM,
     .scheme = SEENSET_SCHEME_MURMUR3_128},
    {.capacity_items = MOST_KEYS,
     .layout = SEENSET_LAYOUT_BLOOM,
     .scheme = SEENSET_SCHEME_POLYNOMIAL,
     .hash_count = 3,
     .size_bits = 1 << 18,
     .fp_rate = 0,
     .scheme_arguments = &by_seeds}};

static seenset *make(size_t kind, test_memory *memory)
{
    seenset_options options = kinds[kind];
    if (options.fp_rate == 0 && options.size_bits == 0)
        options.fp_rate = 0.01;
    if (options.size_bits != 0)
        options.capacity_items = 0;
    options.allocator = &memory->allocator;
    seenset *set = test_make(options);
    if (options.capacity_items == TOLD_AT)
        assert_int_equal(seenset_expect(set, MOST_KEYS), SEENSET_OK);
    return set;
}

/* Each answer of both; the number of those that differ. */
static uint64_t add(seenset *set, seenset *alone, uint64_t first, uint64_t end)
{
    uint64_t differ = 0;
    for (uint64_t i = first; i < end; i++) {
        uint64_t key = test_mix(i), other = test_mix(i + MOST_KEYS);
        differ += seenset_add(set, &key, sizeof key) !=
                  seenset_add(alone, &key, sizeof key);
        differ += seenset_has(set, &other, sizeof other) !=
                  seenset_has(alone, &other, sizeof other);
    }
    return differ;
}

static bool are_equal(const seenset *set, const seenset *alone)
{
    size_t len = 0, other_len = 0;
    (void)seenset_write_bytes(set, NULL, &len);
    (void)seenset_write_bytes(alone, NULL, &other_len);
    if (len != other_len)
        return false;
    unsigned char *bytes = malloc(len), *others = malloc(len);
    assert_true(bytes != NULL && others != NULL);
    assert_int_equal(seenset_write_bytes(set, bytes, &len), SEENSET_OK);
    assert_int_equal(seenset_write_bytes(alone, others, &len), SEENSET_OK);
    bool are = memcmp(bytes, others, len) == 0;
    free(bytes);
    free(others);
    return are;
}

/* What callers look at past all calls is where the set is. */
static void check_view(seenset *set)
{
    const seenset_view *view = NULL;
    assert_int_equal(seenset_get_view(set, &view), SEENSET_OK);
    assert_ptr_equal(view->set, set);
    if (view->words != NULL)
        assert_ptr_equal(view->words, set->generations[0].table.words);
}

/* Keys are added, and it is moved, in turns. */
static void sets_stay_what_they_are(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < TEST_COUNT(kinds); kind++) {
        test_memory memory, other;
        test_memory_init(&memory);
        test_memory_init(&other);
        test_mover mover = {.memory = &memory};
        seenset *set = make(kind, &memory), *alone = make(kind, &other);
        for (uint64_t i = 0; i < ROUNDS; i++) {
            seenset *before = set;
            const uint64_t step = MOST_KEYS / ROUNDS;
            assert_true(add(set, alone, i * step, (i + 1) * step) == 0);
            ss_set_move(&set, test_move, &mover);
            assert_true((set == before) == (kinds[kind].secret != NULL));
            check_view(set);
            assert_int_equal(memory.live_blocks, other.live_blocks);
            assert_int_equal(memory.live_bytes, other.live_bytes);
        }
        assert_true(are_equal(set, alone));
        assert_true(mover.moved > ROUNDS);
        seenset_free(set);
        seenset_free(alone);
        assert_int_equal(memory.live_blocks, 0);
    }
}

/* Those that grew have tables whose pages are blocks, and larger ones. */
static void tables_of_all_sizes_are_among_them(void **state)
{
    bool is_small = false, is_large = false;
    (void)state;
    for (size_t kind = 0; kind < 4; kind++) {
        test_memory memory;
        test_memory_init(&memory);
        seenset *set = make(kind, &memory);
        for (uint64_t i = 0; i < MOST_KEYS; i += 1000) {
            test_add_stream(set, i, i + 1000);
            const ss_expand *expand = ss_set_newest(set)->table.expand;
            is_small |= expand != NULL && expand->pool.extent_pages == 1;
            is_large |= expand != NULL && expand->pool.extent_pages > 1;
        }
        seenset_free(set);
    }
    assert_true(is_small);
    assert_true(is_large);
}

/* Pages that a table gave back are a list through themselves. */
static void free_pages_move_too(void **state)
{
    test_memory memory;
    ss_expand *expand = NULL;
    uint64_t *pages[3];
    (void)state;
    test_memory_init(&memory);
    test_mover mover = {.memory = &memory};
    ss_expand_options options = {.widths = {14},
                                 .allocator = &memory.allocator};
    assert_int_equal(ss_expand_new(&expand, &options), SEENSET_OK);
    assert_int_equal(expand->pool.extent_pages, 1);
    assert_true(ss_pool_ensure(&expand->pool, TEST_COUNT(pages)));
    for (size_t i = 0; i < TEST_COUNT(pages); i++)
        pages[i] = ss_pool_take(&expand->pool);
    for (size_t i = 0; i < TEST_COUNT(pages); i++)
        ss_pool_give(&expand->pool, pages[i]);
    expand = ss_expand_move(expand, test_move, &mover);
    for (uint64_t i = 0; i < MOST_KEYS; i++)
        assert_true(ss_expand_add(expand, test_mix(i)) >= 0);
    for (uint64_t i = 0; i < MOST_KEYS; i++)
        assert_int_equal(ss_expand_has(expand, test_mix(i)), 1);
    assert_null(ss_expand_verify(expand));
    ss_expand_free(expand);
    assert_int_equal(memory.live_blocks, 0);
}

/* Planted: of the words, the second block of a set, the set is not told. */
static void a_block_that_is_left_is_found(void **state)
{
    test_memory memory, other;
    (void)state;
    test_memory_init(&memory);
    test_memory_init(&other);
    test_mover mover = {.memory = &memory, .left_at = 2};
    seenset *set = make(3, &memory), *alone = make(3, &other);
    assert_true(add(set, alone, 0, 1000) == 0);
    ss_set_move(&set, test_move, &mover);
    assert_false(are_equal(set, alone));
    seenset_free(set);
    seenset_free(alone);
    assert_int_equal(memory.live_blocks, 0);
}

/* A view's words are in bytes that the caller has. */
static void views_stay(void **state)
{
    test_memory memory;
    seenset *set, *view = NULL;
    size_t len = 0;
    (void)state;
    test_memory_init(&memory);
    test_mover mover = {.memory = &memory};
    set = make(0, &memory);
    (void)seenset_write_bytes(set, NULL, &len);
    unsigned char *bytes = malloc(len);
    assert_non_null(bytes);
    assert_int_equal(seenset_write_bytes(set, bytes, &len), SEENSET_OK);
    assert_int_equal(seenset_open_bytes(&view, bytes, len, NULL), SEENSET_OK);
    seenset *before = view;
    ss_set_move(&view, test_move, &mover);
    assert_ptr_equal(view, before);
    assert_int_equal(mover.moved, 0);
    seenset_free(view);
    seenset_free(set);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_stay_what_they_are),
        cmocka_unit_test(tables_of_all_sizes_are_among_them),
        cmocka_unit_test(free_pages_move_too),
        cmocka_unit_test(a_block_that_is_left_is_found),
        cmocka_unit_test(views_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
