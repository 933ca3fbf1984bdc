/*
 * queue_options.c - what a queue is made of, what must agree when it is opened
 * again, and what it reports: the default rate of its set, the reserve of the
 * options, and outputs whose size the caller gives.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "seenset/queue.h"
#include "support.h"

enum {
    URLS = 3000
};

static int enter(void **state)
{
    static test_folder folder;
    test_folder_make(&folder);
    *state = &folder;
    return 0;
}

static int leave(void **state)
{
    test_folder_remove(*state);
    return 0;
}

static seenset_queue *open_with(const test_folder *folder,
                                const seenset_options *set)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {.set = set};
    assert_int_equal(seenset_queue_open(&queue, folder->path, &options), 0);
    return queue;
}

static seenset_stats set_stats_of(seenset_queue *queue)
{
    seenset_stats stats;
    assert_int_equal(seenset_queue_get_set_stats(queue, &stats, sizeof stats),
                     0);
    return stats;
}

/* ---- the rate ---- */

/* The rate of a new queue with this set. */
static double rate_of_new(const seenset_options *set)
{
    test_folder folder;
    test_folder_make(&folder);
    seenset_queue *queue = open_with(&folder, set);
    double rate = set_stats_of(queue).fp_rate;
    assert_int_equal(seenset_queue_close(queue), 0);
    test_folder_remove(&folder);
    return rate;
}

static void queue_drops_one_new_url_in_a_million(void **state)
{
    (void)state;
    assert_true(rate_of_new(NULL) == 1e-6);
    assert_true(rate_of_new(&(const seenset_options){0}) == 1e-6);
    assert_true(rate_of_new(&(const seenset_options){.capacity_items = 100}) ==
                1e-6);
    assert_true(rate_of_new(&(const seenset_options){
                    .layout = SEENSET_LAYOUT_BLOOM}) == 1e-6);
    /* a size alone is filled to that rate */
    assert_true(rate_of_new(&(const seenset_options){.size_bits = 1 << 16}) ==
                1e-6);
}

static void queue_keeps_a_rate_that_is_given(void **state)
{
    (void)state;
    assert_true(rate_of_new(&(const seenset_options){.fp_rate = 0.01}) == 0.01);
    /* or that follows from what is given: half the bits set, k = 8 */
    double rate = rate_of_new(
        &(const seenset_options){.size_bits = 65536, .hash_count = 8});
    assert_true(rate > 1e-3 && rate < 1e-2);
    rate = rate_of_new(
        &(const seenset_options){.size_bits = 65536, .capacity_items = 6000});
    assert_true(rate > 1e-3 && rate < 1e-2);
}

/* The report has the first option that differs, and both values. */
static void a_mismatch_names_the_option(void **state)
{
    const test_folder *folder = *state;
    const seenset_options made = {.capacity_items = 500,
                                  .fp_rate = 0.01,
                                  .on_full = SEENSET_ON_FULL_DEGRADE};
    const struct {
        seenset_options set;
        seenset_queue_options queue;
        const char *reason;
    } cases[] = {
        {{.capacity_items = 501}, {0}, "capacity_items: 500, not 501"},
        {{.fp_rate = 0.5}, {0}, "fp_rate: 0.01, not 0.5"},
        {{.on_full = SEENSET_ON_FULL_GROW}, {0}, "on_full: degrade, not grow"},
        {{.layout = SEENSET_LAYOUT_BLOOM}, {0}, "layout: none, not bloom"},
        {{.scheme = SEENSET_SCHEME_MURMUR3_128},
         {0},
         "scheme: chain, not murmur3-128"},
        {{.size_bits = 4096}, {0}, "size_bits: none, not 4096"},
        {{.hash_count = 3}, {0}, "hash_count: none, not 3"},
        {{.window_seconds = 60}, {0}, "window_seconds: none, not 60"},
        {{.flags = SEENSET_FLAG_SLIDING}, {0}, "sliding: none, not yes"},
        {{0}, {.flags = SEENSET_QUEUE_EXACT}, "exact: none, not yes"},
        {{0},
         {.normalise = SEENSET_QUEUE_NORMALISE_URL},
         "normalise: off, not url"},
        {{0}, {.segment_bytes = 4096}, "segment_bytes: 67108864, not 4096"}};
    assert_int_equal(seenset_queue_close(open_with(folder, &made)), 0);
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        seenset_queue *queue;
        seenset_queue_report report;
        seenset_queue_options options = cases[i].queue;
        options.set = &cases[i].set;
        options.report = &report;
        assert_int_equal(seenset_queue_open(&queue, folder->path, &options),
                         SEENSET_EMISMATCH);
        assert_string_equal(report.reason, cases[i].reason);
        assert_string_equal(report.file, "MANIFEST");
    }
}

/* What is not given agrees with any queue, and leaves it as it is. */
static void queue_opens_again_without_its_options(void **state)
{
    const test_folder *folder = *state;
    const seenset_options made = {.capacity_items = 500, .fp_rate = 0.01};
    const seenset_options sets[] = {
        {0}, {.capacity_items = 500}, {.fp_rate = 0.01}};
    seenset_queue *queue = open_with(folder, &made);
    uint64_t size_bits = set_stats_of(queue).size_bits;
    assert_int_equal(seenset_queue_close(queue), 0);
    for (size_t i = 0; i <= TEST_COUNT(sets); i++) {
        queue = open_with(folder, i == 0 ? NULL : &sets[i - 1]);
        seenset_stats stats = set_stats_of(queue);
        assert_true(stats.fp_rate == 0.01);
        assert_int_equal(stats.size_bits, size_bits);
        assert_int_equal(seenset_queue_close(queue), 0);
    }
    const seenset_options other = {.fp_rate = 1e-6};
    const seenset_queue_options options = {.set = &other};
    assert_int_equal(seenset_queue_open(&queue, folder->path, &options),
                     SEENSET_EMISMATCH);
    assert_int_equal(seenset_queue_verify(folder->path, &options),
                     SEENSET_EMISMATCH);
    assert_int_equal(seenset_queue_repair(folder->path, &options),
                     SEENSET_EMISMATCH);
    assert_int_equal(seenset_queue_verify(folder->path, NULL), SEENSET_OK);
}

/* ---- what cannot be ---- */

/* Nothing is made where options are wrong, or where a queue must be. */
static void queue_refuses_options_that_cannot_be(void **state)
{
    const seenset_queue_options bad[] = {
        {.durability = (seenset_queue_durability)9},
        {.normalise = (seenset_queue_normalise)7},
        {.interval_seconds = -1},
        {.lease_seconds = -1},
        {.segment_bytes = 5},
        {.segment_bytes = (UINT64_C(1) << 40) + 1},
        {.set = &(const seenset_options){.fp_rate = 2}}};
    const test_folder *folder = *state;
    seenset_queue *queue = NULL;
    char path[TEST_PATH_BYTES];
    const seenset_queue_options exists = {.flags = SEENSET_QUEUE_MUST_EXIST};
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_int_equal(seenset_queue_open(&queue, folder->path, &bad[i]),
                         SEENSET_EINVAL);
    assert_int_equal(seenset_queue_open(NULL, folder->path, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_open(&queue, NULL, &exists), SEENSET_EINVAL);
    test_path(path, folder, "nowhere");
    assert_int_equal(seenset_queue_open(&queue, path, &exists), SEENSET_EIO);
    for (int i = 0; i < 2; i++) { /* the second time the lock may be there */
        assert_int_equal(seenset_queue_open(&queue, folder->path, &exists),
                         SEENSET_EFORMAT);
        assert_true(test_folder_count(folder) <= 1);
    }
    assert_null(queue);
}

/* ---- the reserve ---- */

/* By each call that takes options, before it touches the folder. */
static void check_refused(const test_folder *folder,
                          const seenset_queue_options *options)
{
    const char *dir = folder->path;
    seenset_queue *queue = NULL;
    assert_int_equal(seenset_queue_open(&queue, dir, options), SEENSET_EINVAL);
    assert_null(queue);
    assert_int_equal(seenset_queue_verify(dir, options), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_repair(dir, options), SEENSET_EINVAL);
}

/* One that exists is opened, whatever its set is. */
static void queue_refuses_sets_that_cannot_work(void **state)
{
    const test_folder *folder = *state;
    seenset_options set = {.capacity_items = 1000000, .size_bits = 51200};
    const seenset_queue_options options = {.set = &set};
    seenset_queue *queue = NULL;
    assert_int_equal(seenset_queue_open(&queue, folder->path, &options),
                     SEENSET_ERATE);
    set.flags = SEENSET_FLAG_ANY_RATE;
    assert_int_equal(seenset_queue_close(open_with(folder, &set)), 0);
    assert_int_equal(seenset_queue_close(open_with(folder, &set)), 0);
    set.flags = 0;
    queue = open_with(folder, &set);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    queue = open_with(folder, NULL);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
}

static void queue_reserve_must_be_zero(void **state)
{
    const test_folder *folder = *state;
    for (size_t i = 0; i < 6; i++) {
        seenset_queue_options options = {0};
        options.reserved[i % TEST_COUNT(options.reserved)] = 1;
        check_refused(folder, &options);
        seenset_options set = {0};
        set.reserved[i % TEST_COUNT(set.reserved)] = 1;
        options = (seenset_queue_options){.set = &set};
        check_refused(folder, &options);
    }
    assert_int_equal(test_folder_count(folder), 0);
}

static void queue_allocator_must_be_whole(void **state)
{
    const test_folder *folder = *state;
    test_memory memory;
    test_memory_init(&memory);
    seenset_allocator half = memory.allocator;
    half.release = NULL;
    const seenset_options set = {.allocator = &half};
    check_refused(folder, &(const seenset_queue_options){.set = &set});
    assert_int_equal(memory.calls, 0);
    assert_int_equal(test_folder_count(folder), 0);
}

/* ---- outputs of a given size ---- */

/* A program built with an older library, which knows fewer fields, and one
 * with a newer, which knows more. */
static void queue_stats_fill_the_size_given(void **state)
{
    seenset_queue *queue = open_with(*state, NULL);
    struct {
        seenset_queue_stats stats;
        unsigned char more[16];
    } out;
    seenset_queue_stats whole;
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_get_stats(queue, &whole, sizeof whole), 0);
    memset(&out, 0xa5, sizeof out);
    size_t size_bytes = offsetof(seenset_queue_stats, acked_items);
    assert_int_equal(seenset_queue_get_stats(queue, &out.stats, size_bytes), 0);
    assert_int_equal(out.stats.pushed_items, 1);
    assert_true(out.stats.acked_items == UINT64_C(0xa5a5a5a5a5a5a5a5));
    assert_int_equal(seenset_queue_get_stats(queue, &out.stats, sizeof out), 0);
    assert_int_equal(out.stats.memory_bytes, whole.memory_bytes);
    for (size_t i = 0; i < sizeof out.more; i++)
        assert_int_equal(out.more[i], 0);
    assert_int_equal(seenset_queue_close(queue), 0);
}

static void queue_set_stats_fill_the_size_given(void **state)
{
    seenset_queue *queue = open_with(*state, NULL);
    struct {
        seenset_stats stats;
        unsigned char more[16];
    } out;
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    memset(&out, 0xa5, sizeof out);
    assert_int_equal(seenset_queue_get_set_stats(
                         queue, &out.stats, offsetof(seenset_stats, set_bits)),
                     0);
    assert_int_equal(out.stats.added_items, 1);
    assert_true(out.stats.set_bits == UINT64_C(0xa5a5a5a5a5a5a5a5));
    assert_int_equal(seenset_queue_get_set_stats(queue, &out.stats, sizeof out),
                     0);
    assert_int_equal(out.stats.set_bits, out.stats.hash_count);
    for (size_t i = 0; i < sizeof out.more; i++)
        assert_int_equal(out.more[i], 0);
    assert_int_equal(seenset_queue_close(queue), 0);
}

static void queue_outputs_may_not_be_missing(void **state)
{
    seenset_queue *queue = open_with(*state, NULL);
    seenset_queue_stats stats;
    seenset_stats set;
    seenset_estimate at_once;
    seenset_info info;
    const int errors[] = {
        seenset_queue_get_stats(NULL, &stats, sizeof stats),
        seenset_queue_get_stats(queue, NULL, sizeof stats),
        seenset_queue_get_stats(queue, &stats, 0),
        seenset_queue_get_set_stats(NULL, &set, sizeof set),
        seenset_queue_get_set_stats(queue, NULL, sizeof set),
        seenset_queue_get_set_stats(queue, &set, 0),
        seenset_queue_get_set_estimate(NULL, &at_once, sizeof at_once),
        seenset_queue_get_set_estimate(queue, NULL, sizeof at_once),
        seenset_queue_get_set_estimate(queue, &at_once, 0),
        seenset_queue_get_set_info(NULL, &info, sizeof info),
        seenset_queue_get_set_info(queue, NULL, sizeof info),
        seenset_queue_get_set_info(queue, &info, 0)};
    for (size_t i = 0; i < TEST_COUNT(errors); i++)
        assert_int_equal(errors[i], SEENSET_EINVAL);
    assert_int_equal(seenset_queue_close(queue), 0);
}

static void queue_set_estimate_is_that_of_its_set(void **state)
{
    seenset_queue *queue = open_with(*state, NULL);
    seenset_estimate at_once;
    seenset_stats audit;
    for (uint64_t i = 0; i < 500; i++)
        assert_int_equal(seenset_queue_push(queue, &i, sizeof i, NULL, 0), 1);
    assert_int_equal(
        seenset_queue_get_set_estimate(queue, &at_once, sizeof at_once), 0);
    assert_int_equal(seenset_queue_get_set_stats(queue, &audit, sizeof audit),
                     0);
    assert_int_equal(at_once.is_counted, 1);
    assert_int_equal(at_once.added_items, 500);
    assert_int_equal(at_once.set_bits, audit.set_bits);
    assert_true(at_once.current_fp_rate == audit.current_fp_rate);
    assert_true(at_once.wrong_items == audit.wrong_items);
    assert_int_equal(seenset_queue_close(queue), 0);
}

static void queue_set_info_is_that_of_its_set(void **state)
{
    const seenset_options set = {.on_full = SEENSET_ON_FULL_REFUSE,
                                 .capacity_items = 77,
                                 .fp_rate = 0.001};
    seenset_queue *queue = open_with(*state, &set);
    seenset_info info;
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_get_set_info(queue, &info, sizeof info), 0);
    assert_int_equal(info.on_full, SEENSET_ON_FULL_REFUSE);
    assert_int_equal(info.capacity_items, 77);
    assert_true(info.fp_rate == 0.001);
    assert_int_equal(info.added_items, 1);
    assert_int_equal(info.memory_bytes, set_stats_of(queue).memory_bytes);
    assert_int_equal(seenset_queue_close(queue), 0);
}

/* ---- what was dropped by mistake ---- */

/* The queue computes it from numbers of keys, the set from its bits. They
 * agree, also when the set has grown by several tables. */
static void queue_expects_as_many_mistakes_as_its_set(void **state)
{
    const seenset_options set = {.capacity_items = 1000, .fp_rate = 0.05};
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {
        .set = &set, .durability = SEENSET_QUEUE_DURABILITY_NONE};
    assert_int_equal(
        seenset_queue_open(&queue, ((test_folder *)*state)->path, &options), 0);
    for (int i = 0; i < URLS; i++) {
        char url[32];
        int length = snprintf(url, sizeof url, "url %d", i);
        assert_true(seenset_queue_push(queue, url, (size_t)length, NULL, 0) >=
                    0);
    }
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    seenset_stats own = set_stats_of(queue);
    assert_int_equal(own.table_count, 2);
    assert_true(own.wrong_items > 20);
    assert_true(fabs(stats.wrong_items - own.wrong_items) <
                0.1 * own.wrong_items); /* by chance: the tables are small */
    /* planted: all keys at the promised rate would be far off */
    double alone = (double)own.added_items * own.fp_rate;
    assert_true(fabs(alone - own.wrong_items) > 0.05 * own.wrong_items);
    assert_int_equal(seenset_queue_close(queue), 0);
}

/* ---- items ---- */

/* An item may be freed after its queue, from the allocator that it came from.
 */
static void item_outlives_its_queue(void **state)
{
    test_memory memory;
    test_memory_init(&memory);
    const seenset_options set = {.allocator = &memory.allocator};
    seenset_queue *queue = open_with(*state, &set);
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_push(queue, "url", 3, "data", 4), 1);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(memory.live_bytes, item.memory_bytes);
    assert_memory_equal(item.url, "url", 4); /* with a NUL */
    assert_memory_equal(item.data, "data", 5);
    seenset_queue_item_free(&item);
    assert_int_equal(memory.live_blocks, 0);
    assert_null(item.url);
    seenset_queue_item_free(&item);
    seenset_queue_item_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(queue_drops_one_new_url_in_a_million),
        TEST(queue_keeps_a_rate_that_is_given),
        TEST(queue_opens_again_without_its_options),
        TEST(a_mismatch_names_the_option),
        TEST(queue_refuses_options_that_cannot_be),
        TEST(queue_refuses_sets_that_cannot_work),
        TEST(queue_reserve_must_be_zero),
        TEST(queue_allocator_must_be_whole),
        TEST(queue_stats_fill_the_size_given),
        TEST(queue_set_stats_fill_the_size_given),
        TEST(queue_outputs_may_not_be_missing),
        TEST(queue_set_estimate_is_that_of_its_set),
        TEST(queue_set_info_is_that_of_its_set),
        TEST(queue_expects_as_many_mistakes_as_its_set),
        TEST(item_outlives_its_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
