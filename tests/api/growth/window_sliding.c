/*
 * window_sliding.c - windows in which a key that is seen again stays.
 */
#include <stdlib.h>

#include "window_support.h"

static uint32_t flags_of(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), SEENSET_OK);
    return info.flags;
}

static void windows_slide_by_age(void **state)
{
    (void)state;
    for (uint32_t tables = 2; tables <= 64; tables *= 2) {
        clock_seconds = 1700000000;
        seenset_options options = {.window_generations = tables,
                                   .window_seconds = 3600};
        seenset *fixed = window_make(options);
        options.flags = SEENSET_FLAG_SLIDING;
        seenset *sliding = window_make(options);
        assert_int_equal(flags_of(fixed), 0);
        assert_int_equal(flags_of(sliding), SEENSET_FLAG_SLIDING);
        uint64_t news[2] = {0, 0};
        for (int i = 0; i < 60; i++, clock_seconds += 600) { /* 10 hours */
            news[0] += seenset_add(fixed, "K", 1) == 1;
            news[1] += seenset_add(sliding, "K", 1) == 1;
        }
        assert_true(news[0] > 4);
        assert_int_equal(news[1], 1);
        clock_seconds += 3600 - 600;
        assert_int_equal(seenset_has(sliding, "K", 1), 1);
        clock_seconds += 3600 / (tables - 1) + 1;
        assert_int_equal(seenset_has(sliding, "K", 1), 0);
        seenset_free(fixed);
        seenset_free(sliding);
    }
}

/*
 * Random keys of a few against the truth: a key is there while it is among the
 * last n added, repeats included, or was added within W. Single keys and
 * batches, a copy from a file now and then. `lag` is planted: it asks for more.
 */
static bool slides(bool is_by_age, uint32_t tables, uint64_t lag)
{
    enum {
        FEW = 600
    };
    uint64_t last[FEW] = {0}, now = 0;
    test_random random = {tables};
    clock_seconds = 1700000000;
    seenset_options options = {.capacity_items = is_by_age ? 50 : 300,
                               .fp_rate = 1e-9,
                               .flags = SEENSET_FLAG_SLIDING,
                               .window_generations = tables,
                               .window_seconds = is_by_age ? 300 : 0};
    seenset *one = window_make(options), *batched = window_make(options);
    bool is_so = true;
    for (int step = 0; step < 1000; step++) {
        uint64_t hashes[80], most = 1 + test_random_below(&random, 80);
        uint8_t answers[80];
        uint64_t range = 1 + test_random_below(&random, FEW);
        clock_seconds += test_random_below(&random, 20);
        for (uint64_t i = 0; i < most; i++) {
            uint64_t key = test_random_below(&random, range);
            uint64_t stamp = is_by_age ? clock_seconds : ++now;
            bool is_owed = last[key] > 0 && stamp - last[key] <= 300 + lag;
            hashes[i] = test_mix(key);
            answers[i] = (uint8_t)seenset_add_hash(one, hashes[i]);
            is_so &= !is_owed || answers[i] == 0;
            is_so &= last[key] > 0 || answers[i] == 1;
            last[key] = stamp;
        }
        uint8_t batch_answers[80];
        assert_int_equal(
            seenset_add_hash_many(batched, hashes, most, batch_answers), 0);
        assert_memory_equal(answers, batch_answers, most);
        if (step % 100 != 0)
            continue;
        assert_true(test_are_equal(one, batched));
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(one, &size_bytes);
        seenset_free(one);
        assert_int_equal(seenset_open_bytes(&one, bytes, size_bytes,
                                            &(seenset_open_options){
                                                .flags = SEENSET_OPEN_COPY}),
                         0);
        window_use_clock(one);
        assert_int_equal(flags_of(one), SEENSET_FLAG_SLIDING);
        free(bytes);
    }
    seenset_free(one);
    seenset_free(batched);
    return is_so;
}

static void windows_slide_as_the_last_keys_come(void **state)
{
    (void)state;
    for (uint32_t tables = 2; tables <= 50 / TEST_STEP + 1;
         tables = tables * 3 - 1) {
        assert_true(slides(false, tables, 0));
        assert_true(slides(true, tables, 0));
    }
    assert_false(slides(false, 5, 200)); /* planted */
    assert_false(slides(true, 5, 200));
}

static void only_windows_slide(void **state)
{
    (void)state;
    for (int policy = 0; policy < SEENSET_ON_FULL_ROTATE; policy++) {
        seenset *set = NULL;
        seenset_options options = {.on_full = (seenset_on_full)policy,
                                   .window_seconds = 5,
                                   .flags = SEENSET_FLAG_SLIDING};
        assert_int_equal(seenset_new(&set, &options), SEENSET_EINVAL);
        assert_null(set);
    }
}

/* A key that cannot be renewed, for want of memory, is an error as well. */
static void windows_that_cannot_renew_say_so(void **state)
{
    test_memory memory;
    (void)state;
    for (int is_by_age = 0; is_by_age < 2; is_by_age++) {
        test_memory_init(&memory);
        clock_seconds = 1000000;
        seenset *set =
            window_make((seenset_options){.capacity_items = 40,
                                          .flags = SEENSET_FLAG_SLIDING,
                                          .window_seconds = is_by_age ? 400 : 0,
                                          .allocator = &memory.allocator});
        uint64_t hash = test_mix(0);
        uint8_t answer;
        (void)window_add_stream(set, 0, 10);
        clock_seconds += 100;
        assert_int_equal(window_add_stream(set, 10, 10), 10);
        clock_seconds += is_by_age ? 100 : 0;
        memory.most_bytes = 0;
        assert_int_equal(seenset_add_hash(set, hash), SEENSET_ENOMEM);
        assert_int_equal(seenset_add_hash_many(set, &hash, 1, &answer),
                         SEENSET_ENOMEM);
        assert_int_equal(answer, SEENSET_ANSWER_REFUSED);
        assert_true(window_has_stream(set, 0, 20));
        memory.most_bytes = SIZE_MAX;
        assert_int_equal(seenset_add_hash(set, hash), 0);
        assert_int_equal(test_stats_of(set).added_items, 21);
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_slide_by_age),
        cmocka_unit_test(windows_slide_as_the_last_keys_come),
        cmocka_unit_test(only_windows_slide),
        cmocka_unit_test(windows_that_cannot_renew_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
