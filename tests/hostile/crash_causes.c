/*
 * crash_causes.c - what has really brought other filters down, each as a
 * test of its own.
 *
 *     cause                             where it is tested besides here
 *     a product of sizes that wraps     test_memory, test_fuse, test_plan
 *     64 bits narrowed to 32            test_big, test_large, test_fuse
 *     offsets that are not checked      test_header_extremes
 *     counts trusted before lengths     test_header, test_queue_extremes
 *     an empty chain of tables          -
 *     modulo by zero                    test_plan
 *     shifts by 64 or more              test_header_extremes
 *     signed characters in a hash       test_scheme, built with either char
 *     a full counter is decremented     test_counting (with its planted fault)
 *     += where OR was meant             -
 *     a rate near 1 that asks no bits   test_plan
 *     forged counts that are summed     test_header_extremes
 *     sealed sets of next to no keys    test_sealed only
 *
 * Links are given as project#number of the issue or the change that tells.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "hash/xxh3.h"
#include "queue/state.h"
#include "set/set.h"
#include "support.h"

static void add_keys(seenset *set, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
}

static void assert_has_keys(const seenset *set, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(seenset_has(set, &i, sizeof i), 1);
}

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

/* Positions and counts were ints: guava#1119 and guava#1067 (only 2^31 bits
 * were ever used), fastfilter_cpp#7 (sizes overflowed at 500 million keys). */
static void arguments_are_not_narrowed(void **state)
{
    (void)state;
    const uint64_t over = (UINT64_C(1) << 32) + 1;
    uint8_t bits[8] = {0};
    seenset_plan plan = {.capacity_items = over, .fp_rate = 0.01};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items == over && plan.size_bits > 9 * over);
    plan = (seenset_plan){.size_bits = over * 512, .fp_rate = 0.01};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items > over);
    seenset *set =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    assert_int_equal(seenset_get_bits(set, 0, 0, 8, bits), SEENSET_OK);
    assert_int_equal(seenset_get_bits(set, 0, over - 1, 1, bits),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_bits(set, 0, 0, over, bits), SEENSET_EINVAL);
    assert_int_equal(seenset_get_bits(set, 0, UINT64_MAX, 2, bits),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_get_bits(set, 0, 8, UINT64_MAX - 4, bits),
                     SEENSET_EINVAL);
    seenset_free(set);
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
        set = test_make((seenset_options){.layout = layout,
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

/* A hash over `char` gave other values on ARM than on x86, and databases that
 * were copied lost keys: leveldb#243. */
static void bytes_over_127_hash_alike(void **state)
{
    (void)state;
    const char with_sign[] = "\xFF\x80\x81\xFE\xC3";
    const unsigned char without[] = {0xFF, 0x80, 0x81, 0xFE, 0xC3};
    seenset *set = test_make((seenset_options){0});
    assert_int_equal(seenset_add(set, with_sign, 5), 1);
    assert_int_equal(seenset_has(set, without, 5), 1);
    assert_int_equal(seenset_has_hash(set, UINT64_C(0x625CB3226665A053)), 1);
    assert_int_equal(seenset_has_hash(set, UINT64_C(0x625CB3226665A053) ^ 1),
                     0);
    seenset_free(set);
}

/* A counter that ran over, or stopped and was decremented, forgot other keys:
 * fastfilter_java#16 and #20. All copies but one are taken out again. */
static void full_counters_keep_their_keys(void **state)
{
    (void)state;
    seenset *set =
        test_make((seenset_options){.layout = SEENSET_LAYOUT_COUNTING,
                                    .counter_bits = 4,
                                    .capacity_items = 100});
    for (int i = 0; i < 100; i++)
        (void)seenset_add(set, "a", 1);
    for (int i = 0; i < 99; i++)
        assert_int_equal(seenset_remove(set, "a", 1), 1);
    assert_int_equal(seenset_has(set, "a", 1), 1);
    seenset_free(set);
}

/* Do the keys' bits stay what they are when the keys are added again? */
static bool is_unchanged_by(seenset *set, bool is_planted)
{
    size_t before_bytes, after_bytes;
    uint8_t *before = test_bytes_of(set, &before_bytes);
    add_keys(set, 500);
    uint64_t *word = set->generations[0].table.words;
    while (is_planted && *word == 0)
        word++;
    if (is_planted)
        *word += *word & -*word; /* the lowest bit once more, by += */
    uint8_t *after = test_bytes_of(set, &after_bytes);
    assert_int_equal(before_bytes, after_bytes);
    bool is_same = memcmp(before, after, before_bytes) == 0;
    free(before);
    free(after);
    return is_same;
}

/* table[i] += bit for a bit that was set moved it on, and keys vanished:
 * bloomfilter-rb#26. */
static void bits_are_set_by_or(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        for (int flags = 0; flags <= 2; flags += 2) {
            seenset *set =
                test_make((seenset_options){.layout = layout,
                                            .on_full = SEENSET_ON_FULL_DEGRADE,
                                            .capacity_items = 1000,
                                            .flags = (uint32_t)flags});
            add_keys(set, 500);
            assert_true(is_unchanged_by(set, false));
            assert_has_keys(set, 500);
            assert_false(is_unchanged_by(set, true));
            seenset_free(set);
        }
    }
}

/* -n ln p / ln(2)^2 rounds to 0 bits, or 0 hashes: pybloomfiltermmap#52. */
static void rates_near_one_get_bits(void **state)
{
    const double rates[] = {0.5, 0.9, 0.999, 0.9999999, nextafter(1.0, 0.0)};
    static const uint64_t counts[] = {1, 2, 3, 100, 100000};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rates) * TEST_COUNT(counts); i++) {
        uint64_t count = counts[i / TEST_COUNT(rates)];
        for (int layout = SEENSET_LAYOUT_BLOCKED;
             layout <= SEENSET_LAYOUT_COUNTING; layout++) {
            seenset *set = test_make(
                (seenset_options){.layout = layout,
                                  .capacity_items = count,
                                  .fp_rate = rates[i % TEST_COUNT(rates)]});
            seenset_stats stats = test_stats_of(set);
            assert_true(stats.size_bits >= 1 && stats.hash_count >= 1);
            add_keys(set, count);
            assert_has_keys(set, count);
            stats = test_stats_of(set);
            assert_true(stats.current_fp_rate <= 1.0);
            seenset_free(set);
        }
    }
}

/* ---- our own corners ---- */

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
        cmocka_unit_test(arguments_are_not_narrowed),
        cmocka_unit_test(offsets_are_checked),
        cmocka_unit_test(counts_are_compared_before_they_are_used),
        cmocka_unit_test(empty_chains_are_refused),
        cmocka_unit_test(nothing_is_divided_by_zero),
        cmocka_unit_test(shifts_stay_below_64),
        cmocka_unit_test(bytes_over_127_hash_alike),
        cmocka_unit_test(full_counters_keep_their_keys),
        cmocka_unit_test(bits_are_set_by_or),
        cmocka_unit_test(rates_near_one_get_bits),
        cmocka_unit_test(forged_counts_are_clamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
