/*
 * forged_sizes.c - sizes, counts and offsets that a file made up, its checksum
 * right: nothing is allocated, multiplied, divided or shifted by them.
 *
 * Each has brought other filters down. Links are given as project#number of
 * the issue or the change that tells; what is not about files is tested beside
 * the object that it is about (counting, hash, add, plan).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "queue/state.h"
#include "set/set.h"
#include "support.h"

/* A file's bytes, its header's fields changed: at, size in bytes, value. */
typedef struct change {
    unsigned at, size_bytes;
    uint64_t value;
} change;

/* The error of opening those bytes, as a view and as a copy alike. Nothing
 * may be taken from memory on the way to it. */
static int error_of(const uint8_t *good, size_t size_bytes,
                    const change *changes, size_t count)
{
    int errors[2];
    uint8_t *bytes = malloc(size_bytes);
    assert_non_null(bytes);
    for (unsigned flags = 0; flags <= SEENSET_OPEN_COPY; flags++) {
        test_memory memory;
        seenset *set = NULL;
        memcpy(bytes, good, size_bytes);
        for (size_t i = 0; i < count; i++)
            ss_bits_store(bytes + changes[i].at, changes[i].size_bytes,
                          changes[i].value);
        if (test_header_bytes(bytes) <= size_bytes)
            test_repair_header(bytes, test_header_bytes(bytes));
        test_memory_init(&memory);
        seenset_open_options options = {.flags = flags,
                                        .allocator = &memory.allocator};
        errors[flags] = seenset_open_bytes(&set, bytes, size_bytes, &options);
        assert_true((errors[flags] == SEENSET_OK) == (set != NULL));
        assert_true(set != NULL || memory.calls == 0);
        seenset_free(set);
    }
    free(bytes);
    assert_int_equal(errors[0], errors[1]);
    return errors[0];
}

/* The same for a set, which is freed. */
static int error_of_set(seenset *set, const change *changes, size_t count)
{
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    /* planted: unchanged they open, so it is the changes that are refused */
    assert_int_equal(error_of(bytes, size_bytes, NULL, 0), SEENSET_OK);
    int error = error_of(bytes, size_bytes, changes, count);
    free(bytes);
    seenset_free(set);
    return error;
}

static seenset *seal_some(void)
{
    uint64_t hashes[100];
    for (uint64_t i = 0; i < 100; i++)
        hashes[i] = test_mix(i);
    seenset_options options = {.hash_count = 3};
    seenset *set = NULL;
    assert_int_equal(
        seenset_build_sealed_hashes(&set, &options, hashes, 100, NULL),
        SEENSET_OK);
    return set;
}

/* ---- sizes ---- */

/* width * depth wrapped around to a small block that was then written past:
 * RedisBloom#1054, a sketch restored from a forged dump. */
static void products_of_sizes_do_not_wrap(void **state)
{
    (void)state;
    /* m counters of 16 bits: all of it is asked for, or nothing */
    test_memory memory;
    seenset *set = NULL;
    test_memory_init(&memory);
    memory.most_bytes = 1 << 20;
    seenset_options options = {.layout = SEENSET_LAYOUT_COUNTING,
                               .counter_bits = 16,
                               .size_bits = SEENSET_MAX_SIZE_BITS,
                               .hash_count = 1,
                               .capacity_items = 1,
                               .allocator = &memory.allocator};
    assert_int_equal(seenset_new(&set, &options), SEENSET_ENOMEM);
    assert_true(memory.largest_bytes == SEENSET_MAX_SIZE_BITS * 2);
    assert_int_equal(memory.live_blocks, 0);
    /* a count of segments that makes the right product modulo 2^64 */
    seenset *sealed = seal_some();
    ss_fuse_shape shape = sealed->generations[0].table.fuse;
    uint64_t wraps =
        shape.segment_count + (UINT64_MAX / shape.segment_length + 1);
    assert_true((wraps + 2) * shape.segment_length == shape.slot_count);
    change forged = {216, 8, wraps};
    assert_int_equal(error_of_set(sealed, &forged, 1), SEENSET_ECORRUPT);
}

/* ---- files ---- */

/* Chunks were copied to wherever their cursor said: RedisBloom#726. Here the
 * second of several tables is said to lie before, on or behind the first. */
static void offsets_are_checked(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        seenset *set = test_golden_make(&test_goldens[3]);
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        uint64_t first = ss_bits_load(bytes + 168, 8);
        uint64_t second = ss_bits_load(bytes + 296, 8);
        assert_true(second == first + ss_bits_load(bytes + 176, 8));
        free(bytes);
        const uint64_t offsets[] = {
            0, 128, first, second - 8, second + 8, size_bytes, UINT64_MAX - 63};
        change forged = {296, 8, offsets[i]};
        assert_int_equal(error_of_set(set, &forged, 1), SEENSET_ECORRUPT);
    }
}

/* Six bytes made a reader allocate 17 GB: guava#8463. A length of a list was
 * multiplied before it was compared: RedisBloom#1027. */
static void counts_are_compared_before_they_are_used(void **state)
{
    (void)state;
    const uint64_t m = UINT64_C(1) << 50;
    size_t size_bytes;
    uint8_t *bytes = test_golden_bytes(0, &size_bytes);
    const change huge[] = {{128, 8, m}, {176, 8, m / 8}, {16, 8, 192 + m / 8}};
    assert_int_equal(error_of(bytes, 192, huge, 3), SEENSET_ETRUNCATED);
    free(bytes);
    /* 2^59 entries of 32 bytes are 0 bytes modulo 2^64 */
    test_memory counted;
    ss_memory memory;
    uint8_t list[120 + 4];
    ss_state out, empty = {.position = 100, .next_item = 1};
    test_memory_init(&counted);
    assert_int_equal(ss_memory_init(&memory, &counted.allocator), SEENSET_OK);
    assert_int_equal(ss_state_bytes(0, 0), sizeof list);
    ss_state_encode(&empty, 7, list);
    assert_int_equal(ss_state_decode(&out, &memory, 7, list, sizeof list),
                     SEENSET_OK);
    for (unsigned at = 72; at <= 80; at += 8) {
        ss_state_encode(&empty, 7, list);
        ss_bits_store(list + at, 8, UINT64_C(1) << (at == 72 ? 59 : 60));
        ss_bits_store(list + 120, 4, ss_crc32c(list, 120));
        assert_int_equal(ss_state_decode(&out, &memory, 7, list, sizeof list),
                         SEENSET_EDAMAGED);
    }
    assert_int_equal(counted.calls, 0);
}

/* A chain that a file said had no filter was indexed at -1: RedisBloom, named
 * in redis/docs#2333; or could be written and not read: dragonfly#8104. */
static void empty_chains_are_refused(void **state)
{
    static const change none[] = {{48, 4, 0}, {12, 4, 128}, {16, 8, 128}};
    (void)state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        size_t size_bytes;
        uint8_t *bytes = test_golden_bytes(i, &size_bytes);
        assert_int_equal(error_of(bytes, 128, none, 3), SEENSET_ECORRUPT);
        free(bytes);
    }
}

/* ---- arithmetic ---- */

/* hash % size with a size of 0, from a peer's message or an empty list:
 * CVE-2013-5700 (Bitcoin), bits-and-blooms/bloom#32, redisson#739. */
static void nothing_is_divided_by_zero(void **state)
{
    static const change empty[] = {{128, 8, 0}, {176, 8, 0}, {16, 8, 192}};
    static const change window[] = {{56, 4, 1}, {64, 8, 10}};
    (void)state;
    seenset *set = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_golden_bytes(0, &size_bytes);
    assert_int_equal(error_of(bytes, 192, empty, 3), SEENSET_ECORRUPT);
    free(bytes);
    /* a window of one table: spans are divided by one less */
    assert_int_equal(
        error_of_set(test_golden_make(&test_goldens[5]), window, 2),
        SEENSET_ECORRUPT);
    seenset_options options = {.on_full = SEENSET_ON_FULL_ROTATE,
                               .window_generations = 1};
    set = NULL;
    assert_int_equal(seenset_new(&set, &options), SEENSET_EINVAL);
    /* what is empty is told in numbers */
    for (int layout = SEENSET_LAYOUT_BLOCKED; layout <= SEENSET_LAYOUT_COUNTING;
         layout++) {
        set = test_make((seenset_options){.layout = (seenset_layout)layout,
                                          .on_full = SEENSET_ON_FULL_DEGRADE});
        seenset_stats stats = test_stats_of(set);
        seenset_similarity likeness;
        assert_true(fabs(stats.fill) + fabs(stats.current_fp_rate) +
                        fabs(stats.estimated_items) + fabs(stats.wrong_items) ==
                    0.0);
        if (layout != SEENSET_LAYOUT_COUNTING) {
            assert_int_equal(seenset_compare(set, set, &likeness), SEENSET_OK);
            assert_true(likeness.jaccard + likeness.jaccard_error == 0.0);
        }
        seenset_free(set);
    }
}

/* 1 << n2 for an n2 out of a file: RedisBloom#996. The widths that a shift
 * here takes from outside; the undefined-behaviour sanitizer looks on. */
static void shifts_stay_below_64(void **state)
{
    static const uint32_t widths[] = {0, 1, 2, 31, 63, 64, 65, 128, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(widths); i++) {
        seenset_options options = {.layout = SEENSET_LAYOUT_COUNTING,
                                   .counter_bits = widths[i]};
        seenset *set = NULL;
        if (widths[i] != 0)
            assert_int_equal(seenset_new(&set, &options), SEENSET_EINVAL);
        change places = {52, 4, widths[i]}, fingerprint = {200, 4, widths[i]};
        change length = {208, 8, UINT64_C(1) << (widths[i] % 64)};
        assert_int_equal(
            error_of_set(test_golden_make(&test_goldens[4]), &places, 1),
            SEENSET_ECORRUPT);
        assert_int_equal(error_of_set(seal_some(), &fingerprint, 1),
                         SEENSET_ECORRUPT);
        assert_int_equal(error_of_set(seal_some(), &length, 1),
                         SEENSET_ECORRUPT);
    }
}

/* Two files that claim 2^53 keys each, in a few hundred bits. */
static seenset *open_forged_count(size_t golden)
{
    seenset *set = test_golden_make(&test_goldens[golden]);
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    seenset_free(set);
    ss_bits_store(bytes + 160, 8, SEENSET_MAX_SIZE_BITS);
    test_repair_header(bytes, test_header_bytes(bytes));
    assert_int_equal(
        seenset_open_bytes(&set, bytes, size_bytes,
                           &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        SEENSET_OK);
    free(bytes);
    return set;
}

/* Sums of counts that files made up stay countable, and what is made of them
 * can be saved and opened. */
static void forged_counts_are_clamped(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        seenset *a = open_forged_count(i), *b = open_forged_count(i);
        bool is_sealed =
            test_goldens[i].options.layout == SEENSET_LAYOUT_SEALED;
        assert_int_equal(seenset_merge(a, b),
                         is_sealed ? SEENSET_EUNSUPPORTED : SEENSET_OK);
        for (uint32_t g = 0; g < a->generation_count; g++)
            assert_true(a->generations[g].added_items <= SEENSET_MAX_SIZE_BITS);
        for (uint64_t key = 0; key < 50; key++)
            (void)seenset_add(a, &key, sizeof key);
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(a, &size_bytes);
        seenset_free(b);
        assert_int_equal(seenset_open_bytes(&b, bytes, size_bytes,
                                            &(seenset_open_options){
                                                .flags = SEENSET_OPEN_COPY}),
                         SEENSET_OK);
        free(bytes);
        seenset_free(a);
        seenset_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_sizes_do_not_wrap),
        cmocka_unit_test(offsets_are_checked),
        cmocka_unit_test(counts_are_compared_before_they_are_used),
        cmocka_unit_test(empty_chains_are_refused),
        cmocka_unit_test(nothing_is_divided_by_zero),
        cmocka_unit_test(shifts_stay_below_64),
        cmocka_unit_test(forged_counts_are_clamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
