/*
 * inline.c - seenset/extra/inline.h does what the calls do, bit for bit, in
 * every kind and state of a set. Built once for each instruction set that the
 * header makes use of; a processor without it skips the program.
 */
#include "seenset/extra/inline.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    MANY = 20000,
    CAPACITY = 5000 /* under MANY: sets grow, turn, refuse */
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen bytes...";
static const seenset_scheme_arguments seeded = {.seed = 99};

typedef struct kind {
    seenset_options options;
    bool is_inlined; /* at first */
} kind;

static const kind kinds[] = {
    {{.layout = SEENSET_LAYOUT_BLOCKED}, true},
    {{.on_full = SEENSET_ON_FULL_DEGRADE}, true},
    {{.on_full = SEENSET_ON_FULL_DEGRADE, .fp_rate = 1e-5}, true},
    {{.on_full = SEENSET_ON_FULL_DEGRADE, .fp_rate = 1e-9}, true},
    {{.on_full = SEENSET_ON_FULL_REFUSE}, true},
    {{.flags = SEENSET_FLAG_SHARED}, false},
    {{.on_full = SEENSET_ON_FULL_ROTATE}, true},
    {{.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 1u << 20}, false},
    {{.layout = SEENSET_LAYOUT_BLOOM}, false},
    {{.layout = SEENSET_LAYOUT_SPLIT_BLOCK}, true},
    {{.layout = SEENSET_LAYOUT_COUNTING}, false},
    {{.secret = secret}, false},
    {{.scheme_arguments = &seeded}, false},
    {{.layout = SEENSET_LAYOUT_BLOOM, .scheme = SEENSET_SCHEME_MURMUR3_128},
     false},
};

static seenset *make_kind(size_t i)
{
    seenset_options options = kinds[i].options;
    options.capacity_items = CAPACITY;
    return test_make(options);
}

static const seenset_view *view_of(seenset *set)
{
    const seenset_view *view = NULL;
    assert_int_equal(seenset_get_view(set, &view), 0);
    assert_non_null(view);
    return view;
}

static int add_bytes(seenset *set, uint64_t integer)
{
    uint8_t bytes[8];
    test_store(bytes, sizeof bytes, integer);
    return seenset_add(set, bytes, sizeof bytes);
}

static int has_bytes(const seenset *set, uint64_t integer)
{
    uint8_t bytes[8];
    test_store(bytes, sizeof bytes, integer);
    return seenset_has(set, bytes, sizeof bytes);
}

static void assert_same_info(const seenset *a, const seenset *b)
{
    seenset_info of_a, of_b;
    assert_int_equal(seenset_get_info(a, &of_a, sizeof of_a), 0);
    assert_int_equal(seenset_get_info(b, &of_b, sizeof of_b), 0);
    assert_int_equal(of_a.added_items, of_b.added_items);
    assert_int_equal(of_a.table_count, of_b.table_count);
    assert_int_equal(of_a.is_at_capacity, of_b.is_at_capacity);
}

/* Four ways in, in turn; the other set has the calls only. */
static void add_both(seenset *a, seenset *b, uint64_t i)
{
    const seenset_view *view = view_of(a);
    uint64_t x = test_mix(i % 3 == 2 ? i / 2 : i);
    if (i % 4 == 3)
        assert_int_equal(add_bytes(a, x), add_bytes(b, x));
    else if (i % 4 == 2)
        assert_int_equal(seenset_inline_add_hash(view, x),
                         seenset_add_hash(b, x));
    else
        assert_int_equal(seenset_inline_add_u64(view, x), add_bytes(b, x));
}

static void compare_has(const seenset_view *view, const seenset *b, uint64_t i)
{
    uint64_t x = test_mix(i);
    int has_key = has_bytes(b, x), has_hash = seenset_has_hash(b, x);
    seenset_inline_looker looker = seenset_inline_looker_start(view);
    assert_int_equal(seenset_inline_has_u64(view, x), has_key);
    assert_int_equal(seenset_inline_has_hash(view, x), has_hash);
    assert_int_equal(seenset_inline_looker_has_u64(&looker, x), has_key);
    assert_int_equal(seenset_inline_looker_has(&looker, x), has_hash);
}

static void inlined_code_does_what_the_calls_do(void **state)
{
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++) {
        seenset *a = make_kind(k), *b = make_kind(k);
        const seenset_view *view = view_of(a);
        assert_int_equal(view->words != NULL, kinds[k].is_inlined);
        for (uint64_t i = 0; i < MANY; i++) {
            add_both(a, b, i);
            if (i % 5 == 0)
                compare_has(view, b, i * 2);
        }
        assert_ptr_equal(view_of(a), view);
        assert_same_info(a, b);
        if (kinds[k].options.window_seconds == 0)
            assert_true(test_are_equal(a, b));
        for (uint64_t i = 0; i < MANY; i++)
            compare_has(view, b, i * 2);
        seenset_free(a);
        seenset_free(b);
    }
}

/* Runs of 0 to 96 adds, and the count after each. Returns the next key. */
static uint64_t run_both(seenset *a, seenset *b, uint64_t i)
{
    uint64_t end = i + test_mix(i) % 97;
    const seenset_view *view = view_of(a);
    seenset_inline_adder adder = seenset_inline_adder_start(view);
    for (; i < end; i++) {
        uint64_t x = test_mix(i % 3 == 2 ? i / 2 : i);
        if (i % 2 == 0)
            assert_int_equal(seenset_inline_adder_add(&adder, x),
                             seenset_add_hash(b, x));
        else
            assert_int_equal(seenset_inline_adder_add_u64(&adder, x),
                             add_bytes(b, x));
        if (i % 5 == 0)
            compare_has(view, b, i);
    }
    seenset_inline_adder_end(&adder);
    seenset_inline_adder_end(&adder); /* adds nothing again */
    assert_same_info(a, b);
    return end + 1;
}

static void runs_of_adds_do_what_the_calls_do(void **state)
{
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++) {
        seenset *a = make_kind(k), *b = make_kind(k);
        for (uint64_t i = 0; i < MANY;)
            i = run_both(a, b, i);
        if (kinds[k].options.window_seconds == 0)
            assert_true(test_are_equal(a, b));
        seenset_free(a);
        seenset_free(b);
    }
}

/* A run with another end, and then with no end, which the count shows. */
static void a_run_is_counted_at_its_end(void **state)
{
    (void)state;
    seenset *set = make_kind(1);
    seenset_info info;
    seenset_inline_adder adder = seenset_inline_adder_start(view_of(set));
    for (uint64_t i = 0; i < 100; i++)
        (void)seenset_inline_adder_add_u64(&adder, i);
    seenset_inline_adder_end(&adder);
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    uint64_t added = info.added_items;
    assert_in_range(added, 90, 100);
    for (uint64_t i = 100; i < 200; i++)
        (void)seenset_inline_adder_add_u64(&adder, i);
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    if (!SEENSET_INLINE_IS_CALL)
        assert_int_equal(info.added_items, added); /* planted: no end */
    seenset_inline_adder_end(&adder);
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    assert_in_range(info.added_items, added + 90, added + 100);
    seenset_free(set);
}

/* The view is right after whatever happens to the set. */
static void views_follow_their_sets(void **state)
{
    (void)state;
    seenset *set = make_kind(0), *other = make_kind(0);
    const seenset_view *view = view_of(set);
    assert_non_null(view->words);
    for (uint64_t i = 0; i < 2 * CAPACITY; i++)
        (void)seenset_inline_add_u64(view, i);
    assert_null(view->words); /* it has grown */
    assert_int_equal(view->full_items, 0);
    assert_int_equal(seenset_clear(set), 0);
    assert_non_null(view->words);
    assert_int_equal(seenset_inline_has_u64(view, 1), 0);
    for (uint64_t i = 0; i < CAPACITY / 2; i++)
        (void)seenset_inline_add_u64(view_of(other), ~i);
    assert_int_equal(seenset_merge(set, other), 0);
    for (uint64_t i = 0; i < CAPACITY / 2; i++)
        assert_int_equal(seenset_inline_has_u64(view, ~i), 1);
    seenset_free(set);
    seenset_free(other);
}

static void count_calls(void *context, const seenset *set)
{
    (void)set;
    ++*(int *)context;
}

static void the_watcher_is_told_once(void **state)
{
    int calls = 0;
    (void)state;
    seenset *set =
        test_make((seenset_options){.capacity_items = 100,
                                    .on_full = SEENSET_ON_FULL_REFUSE,
                                    .at_capacity = count_calls,
                                    .at_capacity_context = &calls});
    const seenset_view *view = view_of(set);
    uint64_t added = 0;
    for (uint64_t i = 0; added < 99; i++)
        added += (uint64_t)seenset_inline_add_u64(view, i);
    assert_int_equal(calls, 0);
    for (uint64_t i = 1000; added < 100; i++)
        added += (uint64_t)seenset_inline_add_u64(view, i);
    assert_int_equal(calls, 1);
    while (seenset_inline_add_u64(view, added++) == 0)
        ;
    assert_int_equal(seenset_inline_add_u64(view, added + 5000), SEENSET_EFULL);
    assert_int_equal(calls, 1);
    seenset_free(set);
}

static void check_damaged_view(const seenset_view *view)
{
    bool is_found = false;
    for (uint64_t i = 0; i < CAPACITY; i++) {
        int answer = seenset_inline_has_u64(view, i);
        assert_int_not_equal(answer, 0);
        is_found |= answer == SEENSET_ECORRUPT;
    }
    assert_true(is_found);
    assert_null(view->words);
}

/* A checked view's blocks are checked by calls; then it is asked directly. A
 * view is never written, a damaged one never trusted. */
static void files_are_asked_too(void **state)
{
    size_t size_bytes;
    seenset *set = make_kind(1), *opened;
    (void)state;
    for (uint64_t i = 0; i < CAPACITY; i++)
        assert_int_not_equal(add_bytes(set, i), -1);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes, NULL), 0);
    const seenset_view *view = view_of(opened);
    assert_true((view->words != NULL) == test_views_are_copies());
    for (uint64_t i = 0; i < CAPACITY; i++)
        assert_int_equal(seenset_inline_has_u64(view, i), 1);
    assert_non_null(view->words);
    for (uint64_t i = 0; i < CAPACITY; i++)
        assert_int_equal(seenset_inline_has_u64(view, i), 1);
    assert_int_equal(seenset_inline_add_u64(view, 1), SEENSET_EREADONLY);
    seenset_free(opened);
    bytes[test_header_bytes(bytes) + 100] ^= 1;
    int error = seenset_open_bytes(&opened, bytes, size_bytes, NULL);
    assert_int_equal(error, test_views_are_copies() ? SEENSET_ECORRUPT : 0);
    if (error == 0) {
        check_damaged_view(view_of(opened));
        seenset_free(opened);
    }
    free(bytes);
    seenset_free(set);
}

/* Of several tables the view never has the first, not even when all blocks are
 * checked: keys of the others would be missed. */
static void view_of_a_grown_set_is_left_to_the_calls(void **state)
{
    size_t size_bytes;
    seenset *set = make_kind(0), *opened;
    (void)state;
    for (uint64_t i = 0; i < 4 * CAPACITY; i++)
        assert_int_not_equal(add_bytes(set, i), -1);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes, NULL), 0);
    const seenset_view *view = view_of(opened);
    for (int twice = 0; twice < 2; twice++)
        for (uint64_t i = 0; i < 4 * CAPACITY; i++)
            assert_int_equal(seenset_inline_has_u64(view, i), 1);
    assert_null(view->words);
    seenset_free(opened);
    free(bytes);
    seenset_free(set);
}

/* Turns x ^= x >> shift back. */
static uint64_t unshift(uint64_t x, unsigned shift)
{
    uint64_t y = x;
    for (unsigned done = shift; done < 64; done += shift)
        y = x ^ y >> shift;
    return y;
}

static uint64_t unmultiply(uint64_t x, uint64_t by)
{
    uint64_t inverse = by; /* Newton's iteration, from 3 bits that are right */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - by * inverse;
    return x * inverse;
}

static uint64_t rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

/* x ^ rotate(x, 49) ^ rotate(x, 24) is a polynomial of the rotation by one;
 * modulo 2 its power of 64 is the identity, so its power of 63 undoes it. */
static uint64_t unrotate(uint64_t x)
{
    for (int i = 0; i < 63; i++)
        x ^= rotate(x, 49) ^ rotate(x, 24);
    return x;
}

static uint64_t unmix(uint64_t x)
{
    const uint64_t multiplier = UINT64_C(0x9FB21C651E98DF25);
    x = unmultiply(unshift(x, 28), multiplier);
    x ^= (x >> 35) + 8;
    x = unrotate(unmultiply(x, multiplier)) ^ UINT64_C(0xC73AB174C5ECD5A2);
    return rotate(x, 32);
}

static void the_mixer_is_the_hash_and_a_bijection(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t integer = i % 2 == 0 ? i : test_mix(i);
        uint8_t bytes[8];
        test_store(bytes, sizeof bytes, integer);
        uint64_t hash = seenset_inline_mix(integer);
        assert_int_equal(hash, seenset_hash(bytes, sizeof bytes));
        assert_int_equal(unmix(hash), integer);
    }
}

/* How often do the 64 x 64 pairs of bits go together? Each pair is a binomial
 * of its own; the bound is for all of them at once. */
static bool is_avalanche(uint64_t (*mix)(uint64_t), uint64_t first)
{
    enum {
        TRIALS = 4096
    };
    bool is_good = true;
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t flips[64] = {0};
        for (uint64_t i = 0; i < TRIALS; i++) {
            uint64_t change =
                mix(first + i) ^ mix((first + i) ^ UINT64_C(1) << bit);
            for (unsigned out = 0; out < 64; out++)
                flips[out] += change >> out & 1;
        }
        /* (TRIALS / 2) +- 8 standard deviations of 32: by Hoeffding each
         * passes with a chance over 1 - 2 exp(-128) */
        for (unsigned out = 0; out < 64; out++)
            is_good &=
                flips[out] > TRIALS / 2 - 256 && flips[out] < TRIALS / 2 + 256;
    }
    return is_good;
}

/* A multiplication only: no upper bit reaches a lower one. */
static uint64_t poor_mix(uint64_t x)
{
    return x * UINT64_C(0x9E3779B97F4A7C15);
}

static void each_bit_changes_each_bit(void **state)
{
    (void)state;
    assert_true(is_avalanche(seenset_inline_mix, 0)); /* a counter */
    assert_true(is_avalanche(seenset_inline_mix, test_mix(1)));
    assert_true(is_avalanche(seenset_inline_mix, UINT64_C(1) << 63));
    assert_false(is_avalanche(poor_mix, test_mix(1))); /* planted */
}

/* Planted: one bit less, or in another place, would be noticed. */
static void other_bits_are_told_apart(void **state)
{
    (void)state;
    seenset *a = make_kind(1), *b = make_kind(1);
    const seenset_view *view = view_of(a);
    assert_int_equal(seenset_inline_add_u64(view, 7), add_bytes(b, 7));
    assert_true(test_are_equal(a, b));
    for (uint64_t *word = view->words;; word++) {
        if (*word == 0)
            continue;
        *word ^= *word << 1;
        break;
    }
    assert_false(test_are_equal(a, b));
    seenset_free(a);
    seenset_free(b);
}

/* Can the processor run what this was compiled for? */
static bool is_runnable(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") != 0;
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return true;
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inlined_code_does_what_the_calls_do),
        cmocka_unit_test(runs_of_adds_do_what_the_calls_do),
        cmocka_unit_test(a_run_is_counted_at_its_end),
        cmocka_unit_test(views_follow_their_sets),
        cmocka_unit_test(the_watcher_is_told_once),
        cmocka_unit_test(files_are_asked_too),
        cmocka_unit_test(view_of_a_grown_set_is_left_to_the_calls),
        cmocka_unit_test(the_mixer_is_the_hash_and_a_bijection),
        cmocka_unit_test(each_bit_changes_each_bit),
        cmocka_unit_test(other_bits_are_told_apart),
    };
    if (!is_runnable())
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
