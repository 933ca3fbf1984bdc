/*
 * set.c - the handle: defaults, options that are refused, capacity and batches.
 * model.c does the same at random.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "seenset/extra/formulas.h"

static void set_defaults_are_a_million_at_one_percent(void **state)
{
    static const seenset_options zero;
    seenset *sets[2] = {NULL, NULL};
    (void)state;
    assert_int_equal(seenset_new(&sets[0], NULL), SEENSET_OK);
    assert_int_equal(seenset_new(&sets[1], &zero), SEENSET_OK);
    for (int i = 0; i < 2; i++) {
        seenset_stats stats = test_stats_of(sets[i]);
        assert_int_equal(stats.layout, SEENSET_LAYOUT_BLOCKED);
        assert_int_equal(stats.on_full, SEENSET_ON_FULL_GROW);
        assert_int_equal(stats.capacity_items, 1000000);
        assert_true(stats.fp_rate == 0.01);
        assert_int_equal(stats.table_count, 1);
        assert_int_equal(stats.added_items, 0);
        assert_int_equal(stats.set_bits, 0);
        assert_true(stats.fill == 0.0 && stats.current_fp_rate == 0.0);
        assert_true(stats.estimated_items == 0.0 && stats.wrong_items == 0.0);
        assert_true(stats.memory_bytes >= stats.size_bits / 8);
        assert_true(stats.memory_bytes < stats.size_bits / 8 + 4096);
        assert_int_equal(stats.is_read_only, 0);
        seenset_free(sets[i]);
    }
    assert_string_equal(seenset_version(), SEENSET_VERSION);
    assert_string_equal(seenset_on_full_name(SEENSET_ON_FULL_REFUSE), "refuse");
    assert_string_equal(seenset_on_full_name(SEENSET_ON_FULL_DEGRADE),
                        "degrade");
    assert_string_equal(seenset_on_full_name(SEENSET_ON_FULL_GROW), "grow");
    assert_string_equal(seenset_on_full_name(SEENSET_ON_FULL_ROTATE), "rotate");
    assert_string_equal(seenset_on_full_name((seenset_on_full)77), "unknown");
}

/* It grows unless something speaks against it. */
static void set_grows_by_default_where_it_can(void **state)
{
    const struct {
        seenset_options options;
        seenset_on_full on_full;
    } cases[] = {
        {{.layout = SEENSET_LAYOUT_BLOOM}, SEENSET_ON_FULL_GROW},
        {{.capacity_items = 5000, .fp_rate = 1e-4}, SEENSET_ON_FULL_GROW},
        {{.capacity_items = 5000, .hash_count = 16}, SEENSET_ON_FULL_DEGRADE},
        {{.size_bits = 1 << 16, .fp_rate = 0.1}, SEENSET_ON_FULL_DEGRADE},
        {{.layout = SEENSET_LAYOUT_COUNTING}, SEENSET_ON_FULL_DEGRADE},
        {{.flags = SEENSET_FLAG_SHARED}, SEENSET_ON_FULL_DEGRADE},
        {{.on_full = SEENSET_ON_FULL_REFUSE}, SEENSET_ON_FULL_REFUSE},
        {{.on_full = SEENSET_ON_FULL_ROTATE}, SEENSET_ON_FULL_ROTATE},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        seenset *set = test_make(cases[i].options);
        assert_int_equal(test_stats_of(set).on_full, cases[i].on_full);
        seenset_free(set);
    }
    /* a size alone is full at 1 %, with a count when half its bits are set */
    seenset *sized = test_make((seenset_options){.size_bits = 1 << 20});
    assert_true(test_stats_of(sized).fp_rate == 0.01);
    seenset_free(sized);
    sized = test_make((seenset_options){
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100, .hash_count = 3});
    assert_int_equal(test_stats_of(sized).capacity_items, 23);
    seenset_free(sized);
    /* half of the rate is left for the tables to come */
    seenset *grows = test_make((seenset_options){0});
    seenset_plan first = {.capacity_items = 1000000, .fp_rate = 0.005};
    assert_int_equal(seenset_plan_solve(&first), SEENSET_OK);
    assert_int_equal(test_stats_of(grows).size_bits, first.size_bits);
    seenset_free(grows);
}

static void set_new_refuses_bad_options(void **state)
{
    seenset *const mark = (seenset *)(uintptr_t)8, *set = mark;
    const struct {
        seenset_options options;
        int error;
    } cases[] = {
        {{.fp_rate = 1.0}, SEENSET_EINVAL},
        {{.fp_rate = (double)NAN}, SEENSET_EINVAL},
        {{.fp_rate = -1.0}, SEENSET_EINVAL},
        {{.hash_count = 7}, SEENSET_EINVAL},
        {{.layout = (seenset_layout)6}, SEENSET_EINVAL},
        {{.layout = SEENSET_LAYOUT_SEALED}, SEENSET_EINVAL},
        {{.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 1},
         SEENSET_EINVAL},
        {{.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 17},
         SEENSET_EINVAL},
        {{.counter_bits = 4}, SEENSET_EINVAL},
        {{.flags = 4}, SEENSET_EINVAL},
        {{.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 1},
         SEENSET_EINVAL},
        {{.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 65},
         SEENSET_EINVAL},
        {{.on_full = SEENSET_ON_FULL_GROW, .hash_count = 8}, SEENSET_EINVAL},
        {{.on_full = SEENSET_ON_FULL_ROTATE, .size_bits = 512, .fp_rate = 0.1},
         SEENSET_EINVAL},
        {{.on_full = SEENSET_ON_FULL_GROW, .layout = SEENSET_LAYOUT_COUNTING},
         SEENSET_EUNSUPPORTED},
        {{.on_full = SEENSET_ON_FULL_ROTATE, .layout = SEENSET_LAYOUT_COUNTING},
         SEENSET_EUNSUPPORTED},
        {{.on_full = SEENSET_ON_FULL_GROW, .flags = SEENSET_FLAG_SHARED},
         SEENSET_EUNSUPPORTED},
        {{.on_full = SEENSET_ON_FULL_ROTATE, .flags = SEENSET_FLAG_SHARED},
         SEENSET_EUNSUPPORTED},
        {{.layout = SEENSET_LAYOUT_COUNTING, .flags = SEENSET_FLAG_SHARED},
         SEENSET_EUNSUPPORTED},
        {{.scheme = SEENSET_SCHEME_MURMUR3_128,
          .on_full = SEENSET_ON_FULL_REFUSE},
         SEENSET_EUNSUPPORTED},
        {{.scheme = SEENSET_SCHEME_MURMUR3_128,
          .on_full = SEENSET_ON_FULL_GROW},
         SEENSET_EUNSUPPORTED},
        {{.scheme = SEENSET_SCHEME_MURMUR3_128, .flags = SEENSET_FLAG_SHARED},
         SEENSET_EUNSUPPORTED},
        {{.scheme = SEENSET_SCHEME_MURMUR3_128,
          .layout = SEENSET_LAYOUT_BLOCKED},
         SEENSET_EUNSUPPORTED},
        {{.on_full = (seenset_on_full)9}, SEENSET_EINVAL},
        {{.allocator = &(seenset_allocator){NULL, NULL, NULL}}, SEENSET_EINVAL},
        {{.capacity_items = UINT64_MAX}, SEENSET_ETOOBIG},
        {{.size_bits = UINT64_MAX, .fp_rate = 0.1}, SEENSET_ETOOBIG},
        {{.capacity_items = UINT64_C(1) << 52}, SEENSET_ETOOBIG},
        {{.capacity_items = UINT64_C(1) << 40, .fp_rate = 1e-9}, SEENSET_ERATE},
        {{.capacity_items = 1000, .size_bits = 5120, .fp_rate = 0.01},
         SEENSET_ERATE},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        assert_int_equal(seenset_new(&set, &cases[i].options), cases[i].error);
        assert_ptr_equal(set, mark);
    }
    assert_int_equal(seenset_new(NULL, NULL), SEENSET_EINVAL);
    seenset_free(NULL);
}

/* What was taken before the failure is given back. */
static void set_new_survives_every_failed_allocation(void **state)
{
    size_t fail_at = 0;
    int error;
    (void)state;
    do {
        test_memory memory;
        seenset *set = NULL;
        seenset_options options = {.allocator = &memory.allocator};
        test_memory_init(&memory);
        memory.fail_at = ++fail_at;
        error = seenset_new(&set, &options);
        assert_true(error == SEENSET_OK || error == SEENSET_ENOMEM);
        assert_true((set != NULL) == (error == SEENSET_OK));
        assert_true(error == SEENSET_OK || memory.live_blocks == 0);
        seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(memory.live_bytes, 0);
    } while (error != SEENSET_OK);
    assert_true(fail_at > 1); /* planted: the failures were felt */
}

static void set_knows_keys_of_any_bytes(void **state)
{
    seenset *set = test_make((seenset_options){.fp_rate = 1e-9});
    uint8_t key[300];
    (void)state;
    memset(key, 0, sizeof key);
    assert_int_equal(seenset_add(set, NULL, 0), 1);
    assert_int_equal(seenset_add(set, "", 0), 0);
    for (size_t len = 1; len <= sizeof key; len++) {
        assert_int_equal(seenset_has(set, key, len), 0);
        assert_int_equal(seenset_add(set, key, len), 1);
        assert_int_equal(seenset_add(set, key, len), 0);
    }
    for (int byte = 1; byte < 256; byte++) {
        uint8_t one = (uint8_t)byte;
        assert_int_equal(seenset_add(set, &one, 1), 1);
    }
    /* a key is its XXH3-64 */
    assert_int_equal(seenset_has_hash(set, seenset_hash("new", 3)), 0);
    assert_int_equal(seenset_add(set, "new", 3), 1);
    assert_int_equal(seenset_has_hash(set, seenset_hash("new", 3)), 1);
    assert_int_equal(seenset_add_hash(set, seenset_hash("new", 3)), 0);
    assert_int_equal(seenset_add(set, NULL, 1), SEENSET_EINVAL);
    assert_int_equal(seenset_has(set, NULL, 1), SEENSET_EINVAL);
    seenset_free(set);
}

static void set_batches_check_their_arguments(void **state)
{
    seenset *set = test_make((seenset_options){.fp_rate = 1e-9});
    seenset_key keys[3] = {{"a", 1}, {NULL, 1}, {"b", 1}};
    uint8_t answers[3] = {7, 7, 7};
    (void)state;
    assert_int_equal(seenset_add_many(set, keys, 3, answers), SEENSET_EINVAL);
    assert_int_equal(seenset_add_many(set, NULL, 1, answers), SEENSET_EINVAL);
    assert_int_equal(seenset_has_many(set, NULL, 1, answers), SEENSET_EINVAL);
    assert_int_equal(seenset_has_many(set, keys, 1, NULL), SEENSET_EINVAL);
    assert_int_equal(test_stats_of(set).added_items, 0);
    assert_true(answers[0] == 7 && answers[1] == 7 && answers[2] == 7);
    assert_int_equal(seenset_has_many(set, keys, 3, answers), SEENSET_EINVAL);
    assert_int_equal(seenset_add_many(set, NULL, 0, NULL), SEENSET_OK);
    assert_int_equal(seenset_has_many(set, NULL, 0, NULL), SEENSET_OK);
    assert_int_equal(seenset_has_hash_many(set, NULL, 0, NULL), SEENSET_OK);
    keys[1] = (seenset_key){"a", 1};
    assert_int_equal(seenset_add_many(set, keys, 3, answers), SEENSET_OK);
    assert_true(answers[0] == 1 && answers[1] == 0 && answers[2] == 1);
    keys[0] = (seenset_key){NULL, 0};
    assert_int_equal(seenset_add_many(set, keys, 3, NULL), SEENSET_OK);
    assert_int_equal(test_stats_of(set).added_items, 3);
    seenset_free(set);
}

/* At capacity nothing new gets in and nothing old is denied, in any batch. */
static void set_refuses_past_its_capacity(void **state)
{
    enum {
        CAPACITY = 1000,
        KEYS = 1500
    };
    static uint64_t numbers[KEYS];
    static seenset_key keys[KEYS];
    (void)state;
    for (size_t batch = 0; batch <= KEYS; batch += 299) {
        seenset *set =
            test_make((seenset_options){.capacity_items = CAPACITY,
                                        .fp_rate = 1e-9,
                                        .on_full = SEENSET_ON_FULL_REFUSE});
        uint8_t answers[KEYS];
        for (size_t i = 0; i < KEYS; i++) {
            numbers[i] = i;
            keys[i] = (seenset_key){&numbers[i], 8};
        }
        int error = seenset_add_many(set, keys, batch, answers);
        assert_int_equal(error, batch > CAPACITY ? SEENSET_EFULL : SEENSET_OK);
        for (size_t i = 0; i < batch; i++)
            assert_int_equal(answers[i],
                             i < CAPACITY ? 1 : SEENSET_ANSWER_REFUSED);
        for (size_t i = batch; i < KEYS; i++)
            assert_int_equal(seenset_add(set, &numbers[i], 8),
                             i < CAPACITY ? 1 : SEENSET_EFULL);
        for (size_t i = 0; i < KEYS; i++) {
            assert_int_equal(seenset_has(set, &numbers[i], 8), i < CAPACITY);
            assert_int_equal(seenset_add(set, &numbers[i], 8),
                             i < CAPACITY ? 0 : SEENSET_EFULL);
        }
        assert_int_equal(test_stats_of(set).added_items, CAPACITY);
        assert_true(test_stats_of(set).current_fp_rate < 4e-9);
        seenset_free(set);
    }
}

static void set_degrades_past_its_capacity(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset *set =
            test_make((seenset_options){.layout = layout,
                                        .on_full = SEENSET_ON_FULL_DEGRADE,
                                        .capacity_items = 10000});
        for (uint64_t i = 0; i < 40000; i++)
            assert_in_range(seenset_add(set, &i, 8), 0, 1);
        seenset_stats stats = test_stats_of(set);
        double formula = seenset_plan_fp_rate(
            stats.layout, 40000, stats.size_bits, stats.hash_count);
        assert_true(stats.current_fp_rate > 0.2);
        assert_true(test_is_near(stats.current_fp_rate, formula, 0.1));
        assert_true(test_is_near(stats.estimated_items, 40000, 0.02));
        double wrong = 40000.0 - (double)stats.added_items;
        assert_true(test_is_near(stats.wrong_items, wrong, 0.1));
        assert_true(test_is_near(
            stats.fill, (double)stats.set_bits / (double)stats.size_bits,
            1e-15));
        seenset_free(set);
    }
}

/* Such a set cannot find a key by its hash alone, so "never added" would be a
 * guess. */
static void check_takes_no_hashes(seenset_options options)
{
    const uint64_t hash = seenset_hash("key", 3);
    uint8_t answer = 7;
    seenset *set = test_make(options);
    assert_int_equal(seenset_add(set, "key", 3), 1);
    assert_int_equal(seenset_add_hash(set, hash), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_has_hash(set, hash), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_add_hash_many(set, &hash, 1, &answer),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_has_hash_many(set, &hash, 1, &answer),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(answer, 7);
    assert_true(test_stats_of(set).added_items == 1);
    seenset_free(set);
}

static void sets_that_need_the_key_take_no_hashes(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1, 2, 3};
    (void)state;
    check_takes_no_hashes((seenset_options){.secret = secret});
    check_takes_no_hashes(
        (seenset_options){.secret = secret, .flags = SEENSET_FLAG_SHARED});
    for (uint32_t scheme = SEENSET_SCHEME_MURMUR2A_FNV1A;
         scheme <= SEENSET_SCHEME_ENHANCED_DOUBLE; scheme++)
        check_takes_no_hashes((seenset_options){
            .scheme = scheme, .size_bits = 1 << 16, .hash_count = 2});
}

/* The default scheme may be named. */
static void schemes_may_be_the_default_one(void **state)
{
    (void)state;
    seenset *set = test_make((seenset_options){.scheme = SEENSET_SCHEME_CHAIN});
    assert_int_equal(test_stats_of(set).layout, SEENSET_LAYOUT_BLOCKED);
    seenset_free(set);
}

/* A size that so many keys do not fit in is refused, unless that is asked for;
 * what is there is opened. */
static void sets_that_cannot_work_are_refused(void **state)
{
    static const seenset_layout layouts[] = {
        SEENSET_LAYOUT_BLOCKED, SEENSET_LAYOUT_BLOOM, SEENSET_LAYOUT_COUNTING,
        SEENSET_LAYOUT_SPLIT_BLOCK, SEENSET_LAYOUT_FINGERPRINT};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(layouts); i++) {
        seenset *set = NULL;
        seenset_options options = {.layout = layouts[i],
                                   .capacity_items = 1000000,
                                   .size_bits = 153600};
        assert_int_equal(seenset_new(&set, &options), SEENSET_ERATE);
        assert_null(set);
        options.flags = SEENSET_FLAG_ANY_RATE;
        assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
        seenset_info info;
        assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
        assert_true(info.fp_rate > 0.5 && info.flags == 0);
        seenset_free(set);
        options.flags = 0;
        options.capacity_items = 5000;
        assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
        seenset_free(set);
    }
}

/* The rate that is at the limit, and one that is a key over it. */
static void sets_are_refused_from_a_tenth_on(void **state)
{
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                         .size_bits = 10000,
                         .hash_count = 3,
                         .fp_rate = SEENSET_MOST_RATE};
    seenset *set = NULL;
    (void)state;
    assert_int_equal(seenset_plan_solve(&plan), 0);
    seenset_options options = {.layout = plan.layout,
                               .size_bits = plan.size_bits,
                               .hash_count = plan.hash_count,
                               .capacity_items = plan.capacity_items};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    seenset_free(set);
    options.capacity_items++;
    assert_int_equal(seenset_new(&set, &options), SEENSET_ERATE);
    options.fp_rate = 0.5; /* is what is wanted */
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    seenset_free(set);
}

static void sets_that_cannot_work_are_opened(void **state)
{
    test_folder folder;
    const seenset_options options = {.capacity_items = 1000000,
                                     .size_bits = 51200,
                                     .flags = SEENSET_FLAG_ANY_RATE};
    seenset *set, *opened;
    (void)state;
    test_folder_make(&folder);
    char path[TEST_PATH_BYTES];
    test_path(path, &folder, "set");
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    assert_int_equal(seenset_add(set, "a", 1), 1);
    assert_int_equal(seenset_save(set, path), 0);
    assert_int_equal(seenset_open(&opened, path, NULL), 0);
    assert_int_equal(seenset_has(opened, "a", 1), 1);
    seenset_free(opened);
    seenset_free(set);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_defaults_are_a_million_at_one_percent),
        cmocka_unit_test(set_grows_by_default_where_it_can),
        cmocka_unit_test(set_new_refuses_bad_options),
        cmocka_unit_test(set_new_survives_every_failed_allocation),
        cmocka_unit_test(set_knows_keys_of_any_bytes),
        cmocka_unit_test(set_batches_check_their_arguments),
        cmocka_unit_test(set_refuses_past_its_capacity),
        cmocka_unit_test(set_degrades_past_its_capacity),
        cmocka_unit_test(sets_that_need_the_key_take_no_hashes),
        cmocka_unit_test(schemes_may_be_the_default_one),
        cmocka_unit_test(sets_that_cannot_work_are_refused),
        cmocka_unit_test(sets_are_refused_from_a_tenth_on),
        cmocka_unit_test(sets_that_cannot_work_are_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
