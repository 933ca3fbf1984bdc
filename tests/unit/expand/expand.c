/*
 * expand.c - the table that grows in place, against what was added to it:
 * nothing is forgotten, the rate is what it reports, its slots are those of
 * the keys, whichever twin runs.
 *
 *     test_expand [keys]     so many for the widest runs, 10^6 if not given
 */
#include <math.h>
#include <stdlib.h>

#include "lines/line.h"
#include "expand/kernel/kernels.h"
#include "growing.h"

static uint64_t most_keys = 1000000;

static const char *const twins[] = {"portable", "avx2", "vbmi"};
static const uint8_t widths[] = {8, 10, 14, 15, 16, 21, 26, 32, 33, 45, 56};

/* Adds keys one by one; each answer is that of a lookup before it. */
static void grow(ss_expand *expand, uint64_t count, uint32_t shared)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t hash = hash_of(i, shared);
        int is_seen = ss_expand_has(expand, hash);
        assert_int_equal(ss_expand_add(expand, hash), !is_seen);
        assert_int_equal(ss_expand_has(expand, hash), 1);
        if ((i & (i - 1)) == 0) {
            check_has(expand, i + 1, shared);
            check_whole(expand);
        }
    }
    check_has(expand, count, shared);
    check_whole(expand);
}

/* The part of random hashes that are seen is what the table reports. */
static void check_rate(const ss_expand *expand)
{
    const uint64_t trials = 300000;
    uint64_t hits = 0;
    for (uint64_t i = 0; i < trials; i++)
        hits += (uint64_t)ss_expand_has(expand, test_mix(~i));
    assert_true(test_is_binomial(hits, trials, ss_expand_rate(expand)));
}

static void expand_never_forgets(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(widths); i++) {
        bool is_usual = widths[i] == 14;
        ss_expand *expand = make((ss_expand_options){.widths = {widths[i]}});
        grow(expand, is_usual ? most_keys : most_keys / 8, 0);
        check_rate(expand);
        ss_expand_free(expand);
    }
}

/* First hashes from everywhere, then those of one prefix: deep segments beside
 * shallow ones, chunks that part, a top that doubles. */
static void expand_goes_deep(void **state)
{
    (void)state;
    ss_expand *expand = make((ss_expand_options){.widths = {14}});
    for (uint64_t i = 0; i < most_keys / 2; i++)
        assert_true(ss_expand_add(expand, test_mix(i)) >= 0);
    for (uint32_t shared = 4; shared <= 8; shared += 2)
        grow(expand, most_keys / 4, shared);
    assert_true(expand->directory.top_bits > 0);
    check_has(expand, most_keys / 2, 0);
    check_rate(expand);
    ss_expand_free(expand);
}

/* Hashes that differ in few bits only: chosen by an attacker. */
static void expand_outlives_an_attack(void **state)
{
    (void)state;
    for (uint32_t shared = 30; shared <= 58; shared += 7) {
        ss_expand *expand = make((ss_expand_options){.widths = {14}});
        for (uint64_t i = 0; i < 20000; i++)
            assert_true(ss_expand_add(expand, hash_of(i, shared)) >= 0);
        check_has(expand, 20000, shared);
        check_whole(expand);
        assert_true(ss_expand_bytes(expand) < 4 << 20);
        ss_expand_free(expand);
    }
}

/* A segment parts once for each crowd of hashes in the lower half of the one
 * before: the directory follows the number of keys, not the deepest prefix. */
static void expand_outlives_crowds_in_crowds(void **state)
{
    (void)state;
    ss_expand *expand = make((ss_expand_options){.widths = {14}});
    for (uint32_t shared = 0; shared <= 40; shared++)
        for (uint64_t i = 0; i < 16000; i++)
            assert_true(ss_expand_add(expand, hash_of(i, shared)) >= 0);
    for (uint32_t shared = 0; shared <= 40; shared++)
        check_has(expand, 16000, shared);
    check_whole(expand);
    assert_true(ss_expand_bytes(expand) < 8 << 20);
    ss_expand_free(expand);
}

/* Hashes of a little more than half of the units, the last ones: the first half
 * of a segment's lines are empty, and yet it grows by pages. */
static void expand_grows_half_empty(void **state)
{
    (void)state;
    const uint64_t first = UINT64_C(0x7800000000000000);
    ss_expand *expand = make((ss_expand_options){.widths = {14}});
    for (uint64_t i = 0; i < 60000; i++)
        assert_true(ss_expand_add(expand, first + hash_of(i, 1)) >= 0);
    for (uint64_t i = 0; i < 60000; i++)
        assert_int_equal(ss_expand_has(expand, first + hash_of(i, 1)), 1);
    check_whole(expand);
    ss_expand_free(expand);
}

/* p(n) = s L 2^-F (g / 2 + n / N_g): expand.h. */
static void expand_rate_is_the_formula(void **state)
{
    (void)state;
    ss_expand *expand = make((ss_expand_options){.widths = {14}});
    double covered = 0.0;
    for (uint64_t i = 0; i < most_keys; i++) {
        int is_new = ss_expand_add(expand, test_mix(i));
        const ss_entry *entry =
            ss_directory_find(&expand->directory, test_mix(i));
        int bits = (int)(ss_entry_depth(entry) + expand->unit_bits) + 13;
        covered += is_new ? ldexp(1.0, -bits) : 0.0;
    }
    assert_true(test_is_near(ss_expand_rate(expand), covered, 1e-9));
    check_rate(expand);
    ss_expand_free(expand);
}

/* ---- the slots ---- */

typedef struct listing {
    ss_prefix *prefixes;
    size_t count, room;
} listing;

static bool append(void *context, ss_prefix prefix)
{
    listing *to = context;
    assert_true(to->count < to->room);
    to->prefixes[to->count++] = prefix;
    return true;
}

static listing list(const ss_expand *expand)
{
    size_t room = (size_t)expand->stored + 1;
    listing to = {malloc(room * sizeof *to.prefixes), 0, room};
    assert_non_null(to.prefixes);
    assert_true(ss_expand_visit(expand, append, &to));
    assert_int_equal(to.count, expand->stored);
    return to;
}

static bool covers(ss_prefix prefix, uint64_t hash)
{
    return prefix.bits == 0 ||
           (hash ^ prefix.prefix) >> (64 - prefix.bits) == 0;
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Slots come in order, no two cover one hash, each covers a key, and
 * each key has one. */
static void expand_lists_its_slots_in_order(void **state)
{
    (void)state;
    const size_t count = most_keys / 8;
    uint64_t *hashes = malloc(count * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t w = 0; w < TEST_COUNT(widths); w++) {
        ss_expand *expand = make((ss_expand_options){.widths = {widths[w]}});
        for (size_t i = 0; i < count; i++) {
            hashes[i] = test_mix(i);
            assert_true(ss_expand_add(expand, hashes[i]) >= 0);
        }
        qsort(hashes, count, sizeof *hashes, compare_hashes);
        listing slots = list(expand);
        size_t key = 0;
        for (size_t i = 0; i < slots.count; i++) {
            assert_true(key < count);
            assert_true(covers(slots.prefixes[i], hashes[key]));
            while (key < count && covers(slots.prefixes[i], hashes[key]))
                key++;
        }
        assert_int_equal(key, count);
        free(slots.prefixes);
        ss_expand_free(expand);
    }
    free(hashes);
}

/* ---- twins ---- */

/* Slots are cut, and get wider where units part, among those that are moved as
 * numbers of 32 bits and of 64. */
static ss_expand_options wide_to_short(void)
{
    ss_expand_options options = {.widths = {56}};
    options.widths[9] = 40;
    options.widths[10] = 31;
    options.widths[11] = 37;
    options.widths[12] = 32;
    options.widths[13] = 40;
    options.widths[14] = 49;
    return options;
}

static ss_expand *make_twin(ss_expand_options options, const char *twin,
                            uint64_t count)
{
    options.kernel = twin;
    ss_expand *made = make(options);
    for (uint64_t i = 0; i < count; i++)
        assert_true(ss_expand_add(made, test_mix(i)) >= 0);
    check_whole(made);
    return made;
}

static void check_twins(ss_expand_options options)
{
    const uint64_t count = 30000;
    ss_expand *one = make_twin(options, twins[0], count);
    check_has(one, count, 0);
    for (size_t t = 1; t < TEST_COUNT(twins); t++) {
        if (ss_expand_kernel_find(twins[t]) == NULL)
            continue;
        ss_expand *other = make_twin(options, twins[t], count);
        for (uint64_t i = 0; i < 2 * count; i++)
            assert_int_equal(ss_expand_has(one, test_mix(i)),
                             ss_expand_has(other, test_mix(i)));
        check_same_lines(one, other);
        ss_expand_free(other);
    }
    ss_expand_free(one);
}

static void expand_twins_are_equal(void **state)
{
    (void)state;
    for (uint32_t width = SS_WIDTH_MIN; width <= SS_WIDTH_MAX; width++)
        check_twins((ss_expand_options){.widths = {(uint8_t)width}});
    /* from wide slots to short ones, and back, and cut at once */
    check_twins(wide_to_short());
}

/* ---- merging ---- */

static void expand_merges_what_grew_differently(void **state)
{
    (void)state;
    uint64_t counts[] = {100, 3000, 50000, 200000};
    for (size_t i = 0; i < TEST_COUNT(counts) * TEST_COUNT(counts); i++) {
        uint64_t a = counts[i / TEST_COUNT(counts)];
        uint64_t b = counts[i % TEST_COUNT(counts)];
        ss_expand *into = make((ss_expand_options){.widths = {10}});
        ss_expand *from =
            make((ss_expand_options){.widths = {14}, .first_items = b / 2});
        for (uint64_t key = 0; key < a; key++)
            assert_true(ss_expand_add(into, test_mix(key)) >= 0);
        for (uint64_t key = a / 2; key < a / 2 + b; key++)
            assert_true(ss_expand_add(from, test_mix(key)) >= 0);
        assert_int_equal(ss_expand_merge(into, from), SEENSET_OK);
        check_has(into, a > a / 2 + b ? a : a / 2 + b, 0);
        check_whole(into);
        ss_expand_free(into);
        ss_expand_free(from);
    }
}

/* ---- widths that change ---- */

static void expand_changes_its_widths(void **state)
{
    (void)state;
    ss_expand_options options = {.widths = {21}};
    options.widths[14] = 14; /* cut: 64 K keys are generation 0 again */
    options.widths[16] = 15;
    options.widths[17] = 16;
    options.widths[18] = 17;
    ss_expand *expand = make(options);
    grow(expand, most_keys / 2, 0);
    check_rate(expand);
    ss_expand_free(expand);
}

static void expand_refuses_widths_that_cannot_be(void **state)
{
    (void)state;
    ss_expand *expand = NULL;
    ss_expand_options wrong[] = {{.widths = {7}},
                                 {.widths = {57}},
                                 {.widths = {0}},
                                 {.widths = {14, 28}},
                                 {.widths = {14}, .load = 255},
                                 {.widths = {14}, .load = 1},
                                 {.widths = {14}, .kernel = "none"}};
    for (size_t i = 0; i < TEST_COUNT(wrong); i++)
        assert_int_equal(ss_expand_new(&expand, &wrong[i]), SEENSET_EINVAL);
    assert_null(expand);
}

/* ---- memory ---- */

/* At most 21 bits a key from 10^5 keys on, all memory counted. */
static void expand_takes_little_memory(void **state)
{
    (void)state;
    ss_expand *expand = make((ss_expand_options){.widths = {14}});
    for (uint64_t i = 0; i < most_keys; i++) {
        assert_true(ss_expand_add(expand, test_mix(i)) >= 0);
        if (i > 300000 && i % 1000 == 0)
            assert_true((double)ss_expand_bytes(expand) * 8.0 <
                        21.0 * (double)i);
    }
    ss_expand_free(expand);
}

/* ---- the checker ---- */

static void flip(ss_expand *expand, uint32_t line, uint32_t bit)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, 0);
    ss_place_line(&expand->pool, entry, line)[bit / 64] ^= UINT64_C(1)
                                                           << bit % 64;
}

static void expand_verify_finds_faults(void **state)
{
    (void)state;
    ss_expand *expand = make((ss_expand_options){.widths = {14}});
    for (uint64_t i = 0; i < 100000; i++)
        assert_true(ss_expand_add(expand, test_mix(i)) >= 0);
    check_whole(expand);
    for (uint32_t line = 0; line < 600; line += 37) {
        /* where the line begins, where it ends, the spare bit */
        for (uint32_t bit = 448; bit < 512; bit += bit == 454 ? 50 : 1) {
            flip(expand, line, bit);
            assert_non_null(ss_expand_verify(expand));
            flip(expand, line, bit);
        }
        flip(expand, line, 0); /* one slot's length */
        assert_non_null(ss_expand_verify(expand));
        flip(expand, line, 0);
    }
    expand->stored++;
    assert_non_null(ss_expand_verify(expand));
    expand->stored--;
    expand->covered++;
    assert_non_null(ss_expand_verify(expand));
    expand->covered--;
    expand->records[1].stored--;
    assert_non_null(ss_expand_verify(expand));
    expand->records[1].stored++;
    expand->pool.fresh++;
    assert_non_null(ss_expand_verify(expand));
    expand->pool.fresh--;
    check_whole(expand);
    ss_expand_free(expand);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        most_keys = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expand_never_forgets),
        cmocka_unit_test(expand_goes_deep),
        cmocka_unit_test(expand_outlives_an_attack),
        cmocka_unit_test(expand_outlives_crowds_in_crowds),
        cmocka_unit_test(expand_grows_half_empty),
        cmocka_unit_test(expand_rate_is_the_formula),
        cmocka_unit_test(expand_lists_its_slots_in_order),
        cmocka_unit_test(expand_twins_are_equal),
        cmocka_unit_test(expand_merges_what_grew_differently),
        cmocka_unit_test(expand_changes_its_widths),
        cmocka_unit_test(expand_refuses_widths_that_cannot_be),
        cmocka_unit_test(expand_takes_little_memory),
        cmocka_unit_test(expand_verify_finds_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
