/*
 * fuse_build.c - a build that fails, tries again, or has no memory: it
 * says so, leaks nothing and loses no hash. What it builds: fuse.c.
 */
#include <stdlib.h>
#include <string.h>

#include "fuse_support.h"
#include "base/sort.h"

enum {
    MILLION = 1000000
};

typedef struct told {
    uint64_t last;
    unsigned attempts;
    size_t calls;
} told;

static void tell(void *context, uint64_t done, uint64_t total, unsigned attempt)
{
    told *seen = context;
    assert_true(done <= total);
    assert_true(attempt + 1 >= seen->attempts);
    if (attempt + 1 == seen->attempts)
        assert_true(done >= seen->last);
    seen->last = done;
    seen->attempts = attempt + 1;
    seen->calls++;
}

/* Many sets that fail at their first seed: they are built with another, and
 * nothing is lost on the way. */
static void fuse_build_tries_again(void **state)
{
    size_t again = 0;
    ss_memory memory = own_memory();
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        uint64_t hashes[15];
        ss_fuse fuse;
        told seen = {0, 0, 0};
        ss_fuse_progress progress = {tell, &seen};
        for (uint64_t k = 0; k < 15; k++)
            hashes[k] = test_mix(i * 15 + k);
        assert_int_equal(
            ss_fuse_build(&memory, hashes, 15, 3, 32, &progress, &fuse),
            SEENSET_OK);
        assert_int_equal(seen.attempts, fuse.shape.seed + 1);
        assert_int_equal(seen.last, 45);
        assert_int_equal(count_found(&fuse, i * 15, 15), 15);
        again += fuse.shape.seed > 0;
        drop(&fuse);
    }
    assert_in_range(again, 3, 150);
}

/* Is every hash of the stream still in the array, whatever the order? */
static void check_unharmed(uint64_t *hashes, uint64_t count)
{
    uint64_t *expected = make_hashes(count);
    ss_sort_numbers(expected, count);
    ss_sort_numbers(hashes, count);
    assert_memory_equal(hashes, expected, count * sizeof *hashes);
    free(expected);
}

static void fuse_build_without_memory_says_so(void **state)
{
    enum {
        COUNT = 20000
    };
    (void)state;
    size_t calls = 1;
    for (size_t fail_at = 1; fail_at <= calls + 1; fail_at++) {
        test_memory counted;
        ss_memory memory;
        ss_fuse fuse = {.key_count = 77};
        uint64_t *hashes = make_hashes(COUNT);
        test_memory_init(&counted);
        counted.fail_at = fail_at;
        assert_int_equal(ss_memory_init(&memory, &counted.allocator), 0);
        int error = ss_fuse_build(&memory, hashes, COUNT, 3, 8, NULL, &fuse);
        calls = counted.calls > calls ? counted.calls : calls;
        if (fail_at <= counted.calls) {
            assert_int_equal(error, SEENSET_ENOMEM);
            assert_int_equal(fuse.key_count, 77);
        } else {
            assert_int_equal(error, SEENSET_OK);
            assert_int_equal(counted.live_blocks, 1);
            assert_int_equal(counted.live_bytes,
                             ss_fuse_word_count(&fuse.shape) * 8);
            ss_memory_free(&memory, fuse.words, ss_fuse_word_count(&fuse.shape),
                           8);
        }
        assert_int_equal(counted.live_blocks, 0);
        check_unharmed(hashes, COUNT);
        free(hashes);
    }
    assert_true(calls >= 7);
}

/* The build of a large table holds the table and little more. */
static void fuse_build_builds_in_little_memory(void **state)
{
    test_memory counted;
    ss_memory memory;
    ss_fuse fuse;
    (void)state;
    uint64_t *hashes = make_hashes(2 * MILLION);
    test_memory_init(&counted);
    assert_int_equal(ss_memory_init(&memory, &counted.allocator), 0);
    assert_int_equal(
        ss_fuse_build(&memory, hashes, 2 * MILLION, 4, 8, NULL, &fuse),
        SEENSET_OK);
    /* the table is the largest block, so the window's are smaller */
    assert_int_equal(counted.largest_bytes,
                     ss_fuse_word_count(&fuse.shape) * 8);
    ss_memory_free(&memory, fuse.words, ss_fuse_word_count(&fuse.shape), 8);
    assert_int_equal(counted.live_blocks, 0);
    free(hashes);
}

static void fuse_build_refuses_bad_arguments(void **state)
{
    ss_memory memory = own_memory();
    uint64_t hash = 5;
    ss_fuse fuse = {.key_count = 77};
    (void)state;
    assert_int_equal(ss_fuse_build(&memory, &hash, 1, 2, 8, NULL, &fuse),
                     SEENSET_EINVAL);
    assert_int_equal(ss_fuse_build(&memory, &hash, 1, 3, 33, NULL, &fuse),
                     SEENSET_EINVAL);
    assert_int_equal(hash, 5);
    assert_int_equal(fuse.key_count, 77);
}

/* The remix of a seed, undone with arithmetic of its own. */
static uint64_t unmix(uint64_t x, uint64_t seed)
{
    uint64_t factor = 1; /* STEP^(2^63 - 1) = STEP^-1: odd numbers' order */
    uint64_t power = UINT64_C(0x9E3779B97F4A7C15);
    for (int bit = 0; bit < 63; bit++) {
        factor *= power;
        power *= power;
    }
    for (int i = 0; i < 2; i++) {
        x *= factor;
        x ^= x >> 32;
    }
    return x - seed * UINT64_C(0x9E3779B97F4A7C15);
}

/* A number over x whose slots, as a remixed hash, are those of x. */
static uint64_t find_twin(const ss_fuse_shape *shape, uint64_t x)
{
    uint64_t first_slots = ss_fuse_first_slots(shape);
    uint64_t wanted[SS_FUSE_MAX_ARITY], places[SS_FUSE_MAX_ARITY];
    ss_fuse_places(x, 3, shape->segment_length, first_slots, wanted);
    for (uint64_t twin = x + 1;; twin++) {
        ss_fuse_places(twin, 3, shape->segment_length, first_slots, places);
        if (memcmp(places, wanted, 3 * sizeof *places) == 0)
            return twin;
    }
}

/* Made-up hashes: for each seed two that it gives the same slots. Nothing is
 * built, and nothing lost. */
static void fuse_build_gives_up_on_made_up_hashes(void **state)
{
    uint64_t hashes[2 * SS_FUSE_ATTEMPTS], before[2 * SS_FUSE_ATTEMPTS];
    ss_memory memory = own_memory();
    ss_fuse_shape shape;
    ss_fuse fuse = {.key_count = 77};
    told seen = {0, 0, 0};
    ss_fuse_progress progress = {tell, &seen};
    (void)state;
    assert_true(ss_fuse_shape_for(TEST_COUNT(hashes), 3, 8, 0, &shape));
    for (uint64_t i = 0; i < SS_FUSE_ATTEMPTS; i++) {
        hashes[2 * i] = unmix(test_mix(i), i);
        hashes[2 * i + 1] = unmix(find_twin(&shape, test_mix(i)), i);
        assert_int_equal(ss_fuse_mix(hashes[2 * i], i), test_mix(i));
    }
    memcpy(before, hashes, sizeof hashes);
    assert_int_equal(ss_fuse_build(&memory, hashes, TEST_COUNT(hashes), 3, 8,
                                   &progress, &fuse),
                     SEENSET_ERATE);
    assert_int_equal(seen.attempts, SS_FUSE_ATTEMPTS);
    assert_int_equal(fuse.key_count, 77);
    ss_sort_numbers(before, TEST_COUNT(before));
    ss_sort_numbers(hashes, TEST_COUNT(hashes));
    assert_memory_equal(hashes, before, sizeof hashes);
}

/* Two hashes at the front that can't be peeled would have the window grow over
 * the whole table: the attempt ends instead, and the next one succeeds. */
static void fuse_build_outgrows_no_window(void **state)
{
    enum {
        COUNT = 700000
    };
    uint64_t *hashes = make_hashes(COUNT), front = 12345;
    ss_memory memory = own_memory();
    ss_fuse_shape shape;
    ss_fuse fuse;
    told seen = {0, 0, 0};
    ss_fuse_progress progress = {tell, &seen};
    (void)state;
    assert_true(ss_fuse_shape_for(COUNT, 3, 8, 0, &shape));
    assert_true(shape.segment_count > SS_FUSE_MOST_WINDOW);
    uint64_t pair[] = {unmix(front, 0), unmix(find_twin(&shape, front), 0)};
    memcpy(hashes, pair, sizeof pair);
    assert_int_equal(
        ss_fuse_build(&memory, hashes, COUNT, 3, 8, &progress, &fuse),
        SEENSET_OK);
    assert_int_equal(seen.attempts, 2);
    assert_int_equal(fuse.shape.seed, 1);
    assert_int_equal(count_found(&fuse, 2, COUNT - 2), COUNT - 2);
    for (size_t i = 0; i < TEST_COUNT(pair); i++)
        assert_true(fuse_has(&fuse.shape, fuse.words, pair[i]));
    drop(&fuse);
    free(hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fuse_build_tries_again),
        cmocka_unit_test(fuse_build_without_memory_says_so),
        cmocka_unit_test(fuse_build_builds_in_little_memory),
        cmocka_unit_test(fuse_build_refuses_bad_arguments),
        cmocka_unit_test(fuse_build_gives_up_on_made_up_hashes),
        cmocka_unit_test(fuse_build_outgrows_no_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
