/*
 * nulls.c - each pointer of each call is NULL, one at a time.
 *
 * Where the headers do not allow it the answer is SEENSET_EINVAL, and set and
 * results are what they were; where they do, the call works as without. For
 * the queue's calls see queue_wrong_drops.c.
 */
#include <stdlib.h>
#include <string.h>

#include "foreign_files.h"
#include "seenset/extra/formulas.h"
#include "seenset/extra/raw.h"
#include "seenset/seenset.h"
#include "support.h"

enum {
    COUNT = 3,
    MANY = 3 << 20 /* so many that threads share them */
};

#define REFUSED(call) assert_int_equal((call), SEENSET_EINVAL)
#define DONE(call) assert_int_equal((call), SEENSET_OK)

static const uint64_t hashes[COUNT] = {11, 22, 33};
static const seenset_key keys[COUNT] = {{"a", 1}, {"b", 1}, {"c", 1}};
static const seenset_key no_key[COUNT] = {{"a", 1}, {NULL, 1}, {"c", 1}};

/* A set, the bytes that it must keep, and a place for answers. */
typedef struct scene {
    seenset *set;
    uint8_t *bytes;
    size_t size_bytes;
    uint8_t answers[COUNT];
} scene;

static scene enter(seenset_options options)
{
    scene at = {.answers = {7, 7, 7}};
    options.capacity_items = 1000;
    at.set = test_make(options);
    assert_int_equal(seenset_add(at.set, "old", 3), 1);
    at.bytes = test_bytes_of(at.set, &at.size_bytes);
    return at;
}

static void check_unchanged(const scene *at)
{
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(at->set, &size_bytes);
    assert_int_equal(size_bytes, at->size_bytes);
    assert_memory_equal(bytes, at->bytes, size_bytes);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(at->answers[i], 7);
    free(bytes);
}

static void leave(scene *at)
{
    seenset_free(at->set);
    free(at->bytes);
}

static const seenset_options kinds[] = {
    {.layout = SEENSET_LAYOUT_BLOCKED},
    {.layout = SEENSET_LAYOUT_BLOCKED, .on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_BLOOM, .flags = SEENSET_FLAG_SHARED},
    {.layout = SEENSET_LAYOUT_COUNTING},
    {.on_full = SEENSET_ON_FULL_ROTATE},
    {.layout = SEENSET_LAYOUT_BLOOM, .scheme = SEENSET_SCHEME_MURMUR3_128},
};

/* ---- keys ---- */

static void keys_may_not_be_null(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        scene at = enter(kinds[i]);
        uint64_t count = 99;
        REFUSED(seenset_add(at.set, NULL, 1));
        REFUSED(seenset_has(at.set, NULL, 1));
        REFUSED(seenset_remove(at.set, NULL, 1));
        REFUSED(seenset_count(at.set, NULL, 1, &count));
        REFUSED(seenset_count(at.set, "a", 1, NULL));
        REFUSED(seenset_count_hash(at.set, 1, NULL));
        assert_int_equal(count, 99);
        REFUSED(seenset_get_bits(at.set, 0, 0, COUNT, NULL));
        check_unchanged(&at);
        leave(&at);
    }
}

/* A set that is NULL is refused by every call for keys. */
static void keys_need_a_set(void **state)
{
    uint64_t count;
    uint8_t answers[COUNT] = {7, 7, 7};
    (void)state;
    REFUSED(seenset_add(NULL, "a", 1));
    REFUSED(seenset_has(NULL, "a", 1));
    REFUSED(seenset_add_hash(NULL, 1));
    REFUSED(seenset_has_hash(NULL, 1));
    REFUSED(seenset_add_many(NULL, keys, COUNT, answers));
    REFUSED(seenset_has_many(NULL, keys, COUNT, answers));
    REFUSED(seenset_add_hash_many(NULL, hashes, COUNT, answers));
    REFUSED(seenset_has_hash_many(NULL, hashes, COUNT, answers));
    REFUSED(seenset_add_u64_many(NULL, hashes, COUNT, answers));
    REFUSED(seenset_has_u64_many(NULL, hashes, COUNT, answers));
    REFUSED(seenset_add_parallel(NULL, keys, COUNT, 2));
    REFUSED(seenset_add_hash_parallel(NULL, hashes, COUNT, 2));
    REFUSED(seenset_add_many(NULL, NULL, 0, NULL));
    REFUSED(seenset_has_many(NULL, NULL, 0, NULL));
    REFUSED(seenset_add_hash_many(NULL, NULL, 0, NULL));
    REFUSED(seenset_has_hash_many(NULL, NULL, 0, NULL));
    REFUSED(seenset_add_u64_many(NULL, NULL, 0, NULL));
    REFUSED(seenset_has_u64_many(NULL, NULL, 0, NULL));
    REFUSED(seenset_add_parallel(NULL, NULL, MANY, 2));
    REFUSED(seenset_add_hash_parallel(NULL, NULL, MANY, 2));
    REFUSED(seenset_remove(NULL, "a", 1));
    REFUSED(seenset_count(NULL, "a", 1, &count));
    REFUSED(seenset_remove_hash(NULL, 1));
    REFUSED(seenset_count_hash(NULL, 1, &count));
    REFUSED(seenset_get_bits(NULL, 0, 0, 1, answers));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(answers[i], 7);
}

static void views_need_a_set(void **state)
{
    const seenset_view *view = NULL;
    scene at = enter(kinds[0]);
    (void)state;
    REFUSED(seenset_get_view(NULL, &view));
    REFUSED(seenset_get_view(at.set, NULL));
    assert_null(view);
    check_unchanged(&at);
    leave(&at);
}

static void arrays_may_not_be_null(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        scene at = enter(kinds[i]);
        uint8_t any[COUNT];
        REFUSED(seenset_add_many(at.set, NULL, COUNT, at.answers));
        REFUSED(seenset_add_many(at.set, no_key, COUNT, at.answers));
        REFUSED(seenset_has_many(at.set, NULL, COUNT, at.answers));
        REFUSED(seenset_has_many(at.set, no_key, COUNT, any));
        REFUSED(seenset_has_many(at.set, keys, COUNT, NULL));
        REFUSED(seenset_add_hash_many(at.set, NULL, COUNT, at.answers));
        REFUSED(seenset_has_hash_many(at.set, NULL, COUNT, at.answers));
        REFUSED(seenset_has_hash_many(at.set, hashes, COUNT, NULL));
        REFUSED(seenset_add_u64_many(at.set, NULL, COUNT, at.answers));
        REFUSED(seenset_has_u64_many(at.set, NULL, COUNT, at.answers));
        REFUSED(seenset_has_u64_many(at.set, hashes, COUNT, NULL));
        for (int is_many = 0; is_many <= 1; is_many++) {
            size_t count = is_many ? MANY : COUNT;
            REFUSED(seenset_add_parallel(at.set, NULL, count, 2));
            REFUSED(seenset_add_hash_parallel(at.set, NULL, count, 2));
        }
        REFUSED(seenset_add_parallel(at.set, no_key, COUNT, 2));
        check_unchanged(&at);
        leave(&at);
    }
}

static void what_is_empty_may_be_null(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        scene at = enter(kinds[i]);
        DONE(seenset_add_many(at.set, NULL, 0, NULL));
        DONE(seenset_has_many(at.set, NULL, 0, NULL));
        DONE(seenset_add_parallel(at.set, NULL, 0, 2));
        assert_int_equal(seenset_has(at.set, NULL, 0), 0);
        check_unchanged(&at);
        assert_int_equal(seenset_add(at.set, NULL, 0), 1);
        assert_int_equal(seenset_has(at.set, "", 0), 1);
        leave(&at);
    }
    seenset_free(NULL);
}

/* ---- sets, and files of them ---- */

static void sets_may_not_be_null(void **state)
{
    scene at = enter(kinds[1]);
    seenset *out = NULL;
    uint64_t count;
    seenset_info info;
    seenset_table_info table;
    seenset_stats stats;
    seenset_estimate estimate;
    bool contains;
    (void)state;
    uint16_t counters[1];
    REFUSED(seenset_new(NULL, NULL));
    REFUSED(seenset_get_info(NULL, &info, sizeof info));
    REFUSED(seenset_get_info(at.set, NULL, sizeof info));
    REFUSED(seenset_get_info(at.set, &info, 0));
    REFUSED(seenset_get_table_info(NULL, 0, &table, sizeof table));
    REFUSED(seenset_get_table_info(at.set, 0, NULL, sizeof table));
    REFUSED(seenset_get_table_info(at.set, 0, &table, 0));
    REFUSED(seenset_count_cells(NULL, 0, 0, 1, &count));
    REFUSED(seenset_count_cells(at.set, 0, 0, 1, NULL));
    REFUSED(seenset_get_estimate(at.set, &estimate, 0));
    REFUSED(seenset_get_estimate(NULL, &estimate, sizeof estimate));
    REFUSED(seenset_get_estimate(at.set, NULL, sizeof(seenset_estimate)));
    REFUSED(seenset_get_counters(NULL, 0, 0, 1, counters));
    REFUSED(seenset_get_counters(at.set, 0, 0, 1, NULL));
    seenset_uniformity found;
    REFUSED(seenset_get_uniformity(at.set, &found, 0));
    REFUSED(seenset_get_uniformity(NULL, &found, sizeof found));
    REFUSED(seenset_get_uniformity(at.set, NULL, sizeof found));
    REFUSED(seenset_get_stats(at.set, &stats, 0));
    REFUSED(seenset_get_stats(NULL, &stats, sizeof stats));
    REFUSED(seenset_get_stats(at.set, NULL, sizeof(seenset_stats)));
    REFUSED(seenset_clear(NULL));
    REFUSED(seenset_expect(NULL, 1));
    REFUSED(seenset_set_time(NULL, 1));
    REFUSED(seenset_copy(NULL, at.set));
    REFUSED(seenset_copy(&out, NULL));
    REFUSED(seenset_merge(NULL, at.set));
    REFUSED(seenset_merge(at.set, NULL));
    REFUSED(seenset_intersect(NULL, at.set));
    REFUSED(seenset_intersect(at.set, NULL));
    REFUSED(seenset_is_superset(NULL, at.set, &contains));
    REFUSED(seenset_is_superset(at.set, NULL, &contains));
    REFUSED(seenset_is_superset(at.set, at.set, NULL));
    seenset_overlap overlap;
    REFUSED(seenset_get_overlap(NULL, at.set, &overlap, sizeof overlap));
    REFUSED(seenset_get_overlap(at.set, NULL, &overlap, sizeof overlap));
    REFUSED(seenset_get_overlap(at.set, at.set, NULL, sizeof overlap));
    REFUSED(seenset_get_overlap(at.set, at.set, &overlap, 0));
    assert_null(out);
    check_unchanged(&at);
    leave(&at);
}

/* Never called. */
static int write_nothing(void *context, const void *bytes, size_t size_bytes)
{
    (void)context;
    (void)bytes;
    (void)size_bytes;
    fail();
    return 0;
}

static int64_t read_nothing(void *context, void *bytes, size_t size_bytes)
{
    (void)context;
    (void)bytes;
    (void)size_bytes;
    fail();
    return 0;
}

static void files_may_not_be_null(void **state)
{
    scene at = enter(kinds[1]);
    seenset *out = NULL;
    seenset_file_report report;
    (void)state;
    REFUSED(seenset_save(NULL, "a"));
    REFUSED(seenset_save(at.set, NULL));
    REFUSED(seenset_write_bytes(NULL, NULL, &at.size_bytes));
    REFUSED(seenset_write_bytes(at.set, at.bytes, NULL));
    REFUSED(seenset_to_bits(NULL, at.bytes, &at.size_bytes));
    REFUSED(seenset_to_bits(at.set, at.bytes, NULL));
    const seenset_options bloom = {.layout = SEENSET_LAYOUT_BLOOM,
                                   .hash_count = 1};
    REFUSED(seenset_from_bits(NULL, &bloom, "a", 1));
    REFUSED(seenset_from_bits(&out, NULL, "a", 1));
    REFUSED(seenset_from_bits(&out, &bloom, NULL, 1));
    REFUSED(seenset_plan_solve_scheme(NULL, SEENSET_SCHEME_CHAIN, NULL));
    REFUSED(seenset_verify(NULL, &report));
    REFUSED(seenset_append(NULL, "a"));
    REFUSED(seenset_append(at.set, NULL));
    REFUSED(seenset_compact(NULL, NULL));
    for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
         flags += SEENSET_OPEN_COPY) {
        const seenset_open_options options = {.flags = flags};
        REFUSED(seenset_open(NULL, "a", &options));
        REFUSED(seenset_open(&out, NULL, &options));
        REFUSED(seenset_open_bytes(NULL, at.bytes, at.size_bytes, &options));
        REFUSED(seenset_open_bytes(&out, NULL, at.size_bytes, &options));
        REFUSED(seenset_read(NULL, read_nothing, NULL, &options));
        REFUSED(seenset_read(&out, NULL, NULL, &options));
    }
    REFUSED(seenset_open(NULL, "a", NULL));
    REFUSED(seenset_open(&out, NULL, NULL));
    REFUSED(seenset_open_bytes(NULL, at.bytes, at.size_bytes, NULL));
    REFUSED(seenset_open_bytes(&out, NULL, at.size_bytes, NULL));
    REFUSED(seenset_read(NULL, read_nothing, NULL, NULL));
    REFUSED(seenset_read(&out, NULL, NULL, NULL));
    REFUSED(seenset_write(NULL, write_nothing, NULL));
    REFUSED(seenset_write(at.set, NULL, NULL));
    REFUSED(seenset_write_part(NULL, 0, 1, write_nothing, NULL));
    REFUSED(seenset_write_part(at.set, 0, 1, NULL, NULL));
    assert_null(out);
    check_unchanged(&at);
    leave(&at);
}

static void what_is_sealed_may_not_be_null(void **state)
{
    seenset *out = NULL;
    uint64_t own[COUNT] = {11, 22, 33};
    (void)state;
    REFUSED(seenset_build_sealed(NULL, NULL, keys, COUNT, NULL, NULL));
    REFUSED(seenset_build_sealed(&out, NULL, NULL, COUNT, NULL, NULL));
    REFUSED(seenset_build_sealed(&out, NULL, no_key, COUNT, NULL, NULL));
    REFUSED(seenset_build_sealed_hashes(NULL, NULL, own, COUNT, NULL, NULL));
    REFUSED(seenset_build_sealed_hashes(&out, NULL, NULL, COUNT, NULL, NULL));
    assert_null(out);
    DONE(seenset_build_sealed(&out, NULL, NULL, 0, NULL, NULL));
    seenset_free(out);
    DONE(seenset_build_sealed_hashes(&out, NULL, NULL, 0, NULL, NULL));
    seenset_free(out);
}

static void plans_may_not_be_null(void **state)
{
    uint32_t any = 7;
    (void)state;
    REFUSED(seenset_plan_solve(NULL));
    REFUSED(seenset_plan_whole_bits(0.1, NULL, &any));
    REFUSED(seenset_plan_whole_bits(0.1, &any, NULL));
    assert_int_equal(any, 7);
    const seenset_plan first = {.capacity_items = 10, .fp_rate = 0.1};
    seenset_plan_growth growth;
    REFUSED(seenset_plan_grown(NULL, 10, &growth, sizeof growth));
    REFUSED(seenset_plan_grown(&first, 10, NULL, sizeof growth));
    REFUSED(seenset_make_secret(NULL));
    assert_true(seenset_hash(NULL, 0) == seenset_hash("", 0));
    assert_true(seenset_hash(NULL, 5) == seenset_hash("", 0));
}

static void files_of_other_systems_may_not_be_null(void **state)
{
    seenset_foreign *file = NULL;
    seenset_foreign_info info;
    seenset_foreign_filter filter;
    seenset *set = NULL;
    size_t size_bytes;
    uint8_t *bytes = foreign_dcso_make(&size_bytes);
    (void)state;
    REFUSED(seenset_foreign_open_bytes(NULL, bytes, size_bytes, NULL));
    REFUSED(seenset_foreign_open_bytes(&file, NULL, size_bytes, NULL));
    REFUSED(seenset_foreign_open(NULL, "a", NULL));
    REFUSED(seenset_foreign_open(&file, NULL, NULL));
    assert_null(file);
    DONE(seenset_foreign_open_bytes(&file, bytes, size_bytes, NULL));
    REFUSED(seenset_foreign_get_info(NULL, &info, sizeof info));
    REFUSED(seenset_foreign_get_info(file, NULL, sizeof info));
    REFUSED(seenset_foreign_get_filter(NULL, 0, &filter, sizeof filter));
    REFUSED(seenset_foreign_get_filter(file, 0, NULL, sizeof filter));
    REFUSED(seenset_foreign_has(NULL, 0, "a", 1));
    REFUSED(seenset_foreign_has(file, 0, NULL, 1));
    REFUSED(seenset_foreign_set(NULL, file, 0));
    REFUSED(seenset_foreign_set(&set, NULL, 0));
    assert_null(set);
    DONE(seenset_foreign_set(&set, file, 0));
    REFUSED(seenset_foreign_write_bytes(NULL, set, bytes, &size_bytes));
    REFUSED(seenset_foreign_write_bytes(file, NULL, bytes, &size_bytes));
    REFUSED(seenset_foreign_write_bytes(file, set, bytes, NULL));
    const seenset_plan plan = {.capacity_items = 1, .fp_rate = 0.5};
    REFUSED(seenset_foreign_new_bytes(SEENSET_FORMAT_DCSO, 0, NULL, bytes,
                                      &size_bytes));
    REFUSED(
        seenset_foreign_new_bytes(SEENSET_FORMAT_DCSO, 0, &plan, bytes, NULL));
    REFUSED(seenset_foreign_save(NULL, set, "a"));
    REFUSED(seenset_foreign_save(file, NULL, "a"));
    REFUSED(seenset_foreign_save(file, set, NULL));
    seenset_free(set);
    seenset_foreign_free(file);
    seenset_foreign_free(NULL);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_may_not_be_null),
        cmocka_unit_test(keys_need_a_set),
        cmocka_unit_test(views_need_a_set),
        cmocka_unit_test(arrays_may_not_be_null),
        cmocka_unit_test(what_is_empty_may_be_null),
        cmocka_unit_test(sets_may_not_be_null),
        cmocka_unit_test(files_may_not_be_null),
        cmocka_unit_test(what_is_sealed_may_not_be_null),
        cmocka_unit_test(plans_may_not_be_null),
        cmocka_unit_test(files_of_other_systems_may_not_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
