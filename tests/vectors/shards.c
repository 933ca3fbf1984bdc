/*
 * shards.c - which shard a hash belongs to: the same for ever, each shard as
 * likely as each other, and nothing of the hash's bits left in it.
 *
 * The vectors were computed from the formula in src/hash/shard.c by another
 * program, in integers of any length.
 */
#include "support.h"

enum {
    COUNTS = 6,
    DRAWN = 1 << 20
};

static const uint32_t counts[COUNTS] = {2, 3, 16, 256, 1000003, UINT32_MAX};

static const struct {
    uint64_t hash;
    uint32_t shards[COUNTS];
} golden[] = {
    {0x0000000000000000, {0, 0, 0, 0, 0, 0}},
    {0x0000000000000001, {0, 0, 3, 60, 234416, 1006807623}},
    {0x0000000000000002, {1, 1, 9, 148, 579820, 2490304619}},
    {0x2D06800538D394C2, {0, 0, 0, 0, 3288, 14123004}},
    {0x8000000000000000, {1, 1, 9, 150, 587350, 2522642503}},
    {0xFFFFFFFFFFFFFFFF, {0, 1, 7, 120, 471336, 2024367721}},
    {0x9E3779B97F4A7C15, {1, 2, 11, 183, 715085, 3071259339}},
    {0x0123456789ABCDEF, {0, 1, 6, 109, 428089, 1838624862}},
    {0xFEDCBA9876543210, {1, 2, 14, 234, 916935, 3938197795}},
    {0x3000000000000000, {0, 0, 4, 75, 293272, 1259591846}},
};

static void shards_are_the_same_for_ever(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(golden); i++) {
        uint64_t hash = golden[i].hash;
        for (size_t j = 0; j < COUNTS; j++)
            assert_int_equal(seenset_shard(hash, counts[j]),
                             golden[i].shards[j]);
        assert_int_equal(seenset_shard(hash, 0), 0);
        assert_int_equal(seenset_shard(hash, 1), 0);
    }
    assert_int_equal(seenset_hash("", 0), golden[3].hash);
}

/* The hash of number i, of some kind, for a sharder to judge. */
typedef uint64_t hash_function(uint64_t i);

static uint64_t hash_of_key(uint64_t i)
{
    return seenset_hash(&i, sizeof i);
}

static uint64_t counted(uint64_t i)
{
    return i;
}

static uint64_t counted_above(uint64_t i)
{
    return i << 40;
}

/* All hashes share their upper four bits. */
static uint64_t of_one_prefix(uint64_t i)
{
    return UINT64_C(3) << 60 | test_mix(i) >> 4;
}

/* And their lower ones. */
static uint64_t of_one_suffix(uint64_t i)
{
    return test_mix(i) << 4 | 3;
}

typedef uint32_t sharder(uint64_t hash, uint32_t shards);

static uint32_t by_upper_bits(uint64_t hash, uint32_t shards)
{
    return (uint32_t)test_range(hash, shards);
}

/* Chi-square of 2^20 hashes in so many shards. */
static bool is_even(hash_function *hash, sharder *shard, uint32_t shards)
{
    static uint32_t found[1024];
    double mean = (double)DRAWN / shards, sum = 0.0;
    for (uint32_t i = 0; i < shards; i++)
        found[i] = 0;
    for (uint64_t i = 0; i < DRAWN; i++)
        found[shard(hash(i), shards)]++;
    for (uint32_t i = 0; i < shards; i++)
        sum += (found[i] - mean) * (found[i] - mean) / mean;
    return test_is_chi_square(sum, shards - 1);
}

static void shards_are_even_whatever_the_hashes_share(void **state)
{
    hash_function *const kinds[] = {hash_of_key, counted, counted_above,
                                    of_one_prefix, of_one_suffix};
    static const uint32_t some[] = {2, 3, 16, 100, 1024};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++)
        for (size_t j = 0; j < TEST_COUNT(some); j++)
            assert_true(is_even(kinds[i], seenset_shard, some[j]));
    /* planted: the upper bits themselves */
    assert_true(is_even(hash_of_key, by_upper_bits, 16));
    assert_false(is_even(of_one_prefix, by_upper_bits, 16));
}

/* In one shard of 16, each bit of the hash is as often 1 as 0. */
static bool are_bits_free(sharder *shard)
{
    uint64_t ones[64] = {0}, members = 0;
    for (uint64_t i = 0; i < DRAWN; i++) {
        uint64_t hash = hash_of_key(i);
        if (shard(hash, 16) != 3)
            continue;
        members++;
        for (unsigned bit = 0; bit < 64; bit++)
            ones[bit] += hash >> bit & 1;
    }
    bool is_free = true;
    for (unsigned bit = 0; bit < 64; bit++)
        is_free &= test_is_binomial(ones[bit], members, 0.5);
    return is_free;
}

static void shards_leave_every_bit_of_the_hash_free(void **state)
{
    (void)state;
    assert_true(are_bits_free(seenset_shard));
    assert_false(are_bits_free(by_upper_bits)); /* planted */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_are_the_same_for_ever),
        cmocka_unit_test(shards_are_even_whatever_the_hashes_share),
        cmocka_unit_test(shards_leave_every_bit_of_the_hash_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
