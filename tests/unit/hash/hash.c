/* hash.c - the hash, its chain, and the range, against slow arithmetic */
#include "hash/xxh3.h"
#include "support.h"

/* The upper half of x * range, a bit of range at a time. */
static uint64_t slow_range(uint64_t x, uint64_t range)
{
    uint64_t high = 0, low = 0;
    for (int bit = 63; bit >= 0; bit--) {
        high = high << 1 | low >> 63;
        low <<= 1;
        if (range >> bit & 1) {
            low += x;
            high += low < x;
        }
    }
    return high;
}

static void hash_range_is_the_upper_half(void **state)
{
    static const uint64_t edges[] = {0,          1,
                                     2,          63,
                                     UINT32_MAX, 1ULL << 32,
                                     1ULL << 53, 959,
                                     UINT64_MAX, UINT64_MAX - 1,
                                     1ULL << 63, 0x123456789ABCDEFULL};
    test_random random = {1};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(edges); i++) {
        for (size_t j = 0; j < TEST_COUNT(edges); j++)
            assert_true(ss_hash_range(edges[i], edges[j]) ==
                        slow_range(edges[i], edges[j]));
    }
    for (int i = 0; i < 100000; i++) {
        uint64_t x = test_random_next(&random);
        uint64_t range = test_random_next(&random) >> (i % 64);
        uint64_t got = ss_hash_range(x, range);
        assert_true(got == slow_range(x, range));
        assert_true(range == 0 || got < range);
    }
}

/* Multiplying by STEP's inverse and unfolding leads back: nothing is lost. */
static void hash_step_is_a_bijection(void **state)
{
    uint64_t inverse = SS_HASH_STEP; /* Newton: doubles the right bits */
    test_random random = {2};
    (void)state;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - SS_HASH_STEP * inverse;
    assert_true(inverse * SS_HASH_STEP == 1);
    for (int i = 0; i < 100000; i++) {
        uint64_t x = test_random_next(&random);
        uint64_t folded = ss_hash_step(x) * inverse;
        assert_true((folded ^ folded >> 32) == x);
    }
}

/* Pinned: a file depends on these for ever. The first two are published with
 * XXH3, the others are hashes of keys in vectors/golden/ and docs/format.md. */
static void hash_of_key_is_xxh3(void **state)
{
    (void)state;
    assert_true(ss_hash_key("", 0) == UINT64_C(0x2D06800538D394C2));
    assert_true(ss_hash_key(NULL, 0) == UINT64_C(0x2D06800538D394C2));
    assert_true(ss_hash_key("key 0", 5) == UINT64_C(0xE852470096310729));
    assert_true(ss_hash_key("http://example.com/", 19) ==
                UINT64_C(0xB97A010E03AF1E2B));
    assert_true(ss_hash_step(1) == SS_HASH_STEP);
    assert_true(ss_hash_step(UINT64_C(1) << 32) ==
                (SS_HASH_STEP << 32) + SS_HASH_STEP);
}

/*
 * The bit fields of the blocked layout: each of the 8 must be uniform over 64
 * values, for hashes of counters and for hashes in one line of a table.
 */
static void check_fields(uint64_t fixed_top, unsigned fixed_bits, bool is_bad)
{
    enum {
        DRAWS = 200000
    };
    for (unsigned w = 0; w < 8; w++) {
        uint32_t counts[64] = {0};
        for (uint64_t i = 0; i < DRAWS; i++) {
            uint64_t x = ss_hash_key(&i, sizeof i);
            x = x >> fixed_bits | fixed_top << (64 - fixed_bits);
            uint64_t y = is_bad ? x : ss_hash_step(x);
            counts[y >> (16 + 6 * w) & 63]++;
        }
        double chi = 0.0;
        for (int v = 0; v < 64; v++) {
            double off = counts[v] - DRAWS / 64.0;
            chi += off * off / (DRAWS / 64.0);
        }
        /* planted: without the step, words 6 and 7 of a line are not */
        assert_true(test_is_chi_square(chi, 63) != (is_bad && w >= 6));
    }
}

static void hash_fields_are_uniform(void **state)
{
    (void)state;
    check_fields(0x155, 10, false);
    check_fields(0xABCDE, 20, false);
    check_fields(0x155, 10, true);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_range_is_the_upper_half),
        cmocka_unit_test(hash_step_is_a_bijection),
        cmocka_unit_test(hash_of_key_is_xxh3),
        cmocka_unit_test(hash_fields_are_uniform),
        cmocka_unit_test(bytes_over_127_hash_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
