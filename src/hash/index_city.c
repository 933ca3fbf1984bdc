/*
 * index_city.c - the places of ClickHouse's skip indexes on strings.
 *
 * Facts from its source (src/Interpreters/BloomFilter.cpp, BloomFilterHash.h,
 * src/Storages/MergeTree/MergeTreeIndexBloomFilter.cpp; the same from 2019 to
 * 2025). Both kinds of index take CityHash64 1.0.2 and a table of whole bytes,
 * whose bit i is bit i mod 8 of byte i / 8.
 *
 * clickhouse-bloom: the index bloom_filter. The hash of the string is mixed
 * with one of 15 constants for each place. It hashes columns of numbers in
 * another way, which is not done here. Its size is whole bits per row, from a
 * table of rates.
 *
 * clickhouse-tokenbf: the indexes tokenbf_v1 and ngrambf_v1, whose keys are the
 * tokens or n-grams of strings. Two hashes from one seed, the last argument of
 * the index, make all places by h1 + i h2 + i^2. Its tables have at most 2^30
 * bytes.
 */
#include <math.h>

#include "hash/city.h"
#include "hash/index_scheme.h"

static const uint64_t bloom_seeds[] = {
    UINT64_C(13635471485423070496), UINT64_C(10336109063487487899),
    UINT64_C(17779957404565211594), UINT64_C(8988612159822229247),
    UINT64_C(4954614162757618085),  UINT64_C(12980113590177089081),
    UINT64_C(9263883436177860930),  UINT64_C(3656772712723269762),
    UINT64_C(10362091744962961274), UINT64_C(7582936617938287249),
    UINT64_C(15033938188484401405), UINT64_C(18286745649494826751),
    UINT64_C(6852245486148412312),  UINT64_C(8886056245089344681),
    UINT64_C(10151472371158292780)};

enum {
    BLOOM_SEEDS = sizeof bloom_seeds / sizeof bloom_seeds[0]
};

static void bloom_indices(const ss_scheme_arguments *arguments, const void *key,
                          size_t key_len, uint64_t size_bits,
                          uint32_t hash_count, uint64_t *indices)
{
    uint64_t hash = ss_city_64(key, key_len);
    (void)arguments;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = ss_city_mix(hash, bloom_seeds[i]) % size_bits;
}

/*
 * A cell of its table of rates, (1 - e^(-k/b))^k with three digits. One was
 * entered with two.
 */
static double rate_in_table(uint32_t bits, uint32_t k)
{
    if (bits == 5 && k == 3)
        return 0.092;
    double rate = pow(-expm1(-(double)k / bits), k);
    double scale = pow(10.0, 2.0 - floor(log10(rate)));
    return round(rate * scale) / scale;
}

/*
 * What the index bloom_filter(rate) has: the first row whose best k keeps the
 * rate, and in it the k after the last one that does not. Where all in the row
 * keep it, the next row is tried, until there is none: so a rate from 0.221 to
 * 0.237 has the parameters of the lowest ones (calculationBestPractices).
 */
static void bloom_parameters(double rate, uint32_t *bits_per_key,
                             uint32_t *hash_count)
{
    static const double ln_2 = 0.69314718055994530942;
    *bits_per_key = 2;
    *hash_count = 2;
    if (rate >= 0.283)
        return;
    for (uint32_t bits = 2; bits < 20; bits++) {
        uint32_t k = (uint32_t)(bits * ln_2 + 0.5);
        bool is_kept = rate_in_table(bits, k) <= rate;
        while (k > 0 && rate_in_table(bits, k) <= rate)
            k--;
        if (is_kept && k > 0) {
            *bits_per_key = bits;
            *hash_count = k + 1;
            return;
        }
    }
    *bits_per_key = 19;
    *hash_count = 13;
}

/* The seed of the second hash: its SEED_GEN_A and SEED_GEN_B. */
static uint64_t second_seed(uint64_t seed)
{
    return UINT64_C(845897321) * seed + UINT64_C(217728422);
}

static void tokenbf_indices(const ss_scheme_arguments *arguments,
                            const void *key, size_t key_len, uint64_t size_bits,
                            uint32_t hash_count, uint64_t *indices)
{
    uint64_t hash = ss_city_64(key, key_len);
    uint64_t first = ss_city_seeded(hash, arguments->seed);
    uint64_t second = ss_city_seeded(hash, second_seed(arguments->seed));
    for (uint64_t i = 0; i < hash_count; i++)
        indices[i] = (first + i * second + i * i) % size_bits;
}

const ss_scheme ss_scheme_clickhouse_bloom = {
    .id = SS_SCHEME_CLICKHOUSE_BLOOM,
    .name = "clickhouse-bloom",
    .first_file_version = 4,
    .min_hash_count = 1,
    .max_hash_count = BLOOM_SEEDS,
    .max_size_bits = SS_SCHEME_MAX_SIZE_BITS,
    .size_rule = SS_SCHEME_WHOLE_BYTES,
    .parameters = bloom_parameters,
    .indices = bloom_indices};

const ss_scheme ss_scheme_clickhouse_tokenbf = {
    .id = SS_SCHEME_CLICKHOUSE_TOKENBF,
    .name = "clickhouse-tokenbf",
    .first_file_version = 4,
    .min_hash_count = 1,
    .max_hash_count = SS_SCHEME_MAX_INDICES,
    .max_size_bits = UINT64_C(1) << 33,
    .size_rule = SS_SCHEME_WHOLE_BYTES,
    .max_seed = UINT64_MAX,
    .indices = tokenbf_indices};
