/*
 * scheme.c - keys to indices, against vectors that other programs made.
 *
 * Built three times: as the library is, with signed and with unsigned char; the
 * last without a 128-bit type besides. All must agree with one list.
 */
#include "hash/index_scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hash/key_hash.h"
#include "hash/murmur.h"
#include "scheme_named.h"
#include "support.h"

enum {
    MOST = 255,
    ALL_BYTES = 1280
};

typedef struct vector {
    const char *scheme;
    const char *key;
    uint64_t size_bits;
    uint32_t hash_count;
    uint64_t indices[7];
} vector;

/* All of these schemes as they are without arguments. */
static const ss_scheme_arguments none = {0};

static void indices_of(const char *scheme, const void *key, size_t key_len,
                       uint64_t size_bits, uint32_t hash_count,
                       uint64_t indices[MOST])
{
    const ss_scheme *row = scheme_named(scheme);
    assert_non_null(row);
    assert_true(ss_scheme_accepts(row, &none, size_bits, hash_count));
    row->indices(&none, key, key_len, size_bits, hash_count, indices);
    for (uint32_t i = 0; i < hash_count; i++)
        assert_true(indices[i] < size_bits);
}

static bool is_as_said(const vector *v)
{
    uint64_t indices[MOST];
    indices_of(v->scheme, v->key, strlen(v->key), v->size_bits, v->hash_count,
               indices);
    return memcmp(indices, v->indices, v->hash_count * sizeof *indices) == 0;
}

/* "Блум" and a URL of a Cyrillic host, in UTF-8: bytes >= 0x80 */
#define BLOOM "\xD0\x91\xD0\xBB\xD1\x83\xD0\xBC"
#define CYRILLIC                                                               \
    "http://"                                                                  \
    "\xD0\xBF\xD1\x80\xD0\xB8\xD0\xBC\xD0\xB5\xD1\x80.\xD1\x80\xD1\x84/"

static const vector vectors[] = {
    /* row A */
    {"murmur2a+fnv1a", "Holland", 8192, 2, {7720, 3193}},
    {"murmur2a+fnv1a", "Russia", 8192, 2, {6114, 6732}},
    {"murmur2a+fnv1a", "Canada", 8192, 2, {2464, 3067}},
    {"murmur2a+fnv1a", "Holland", 1ULL << 32, 2, {1231707688, 1019300985}},
    {"murmur2a+fnv1a", "Russia", 1ULL << 32, 2, {4058978274, 1141905996}},
    {"murmur2a+fnv1a", "Canada", 1ULL << 32, 2, {1526376864, 1559301115}},
    {"murmur2a+fnv1a", "China", 1ULL << 32, 2, {388168413, 2497348400}},
    {"murmur2a+fnv1a", "", 1ULL << 32, 2, {0, 2166136261}},
    {"murmur2a+fnv1a", BLOOM, 1ULL << 32, 2, {3102078160, 3209655303}},
    {"murmur2a+fnv1a", CYRILLIC, 1ULL << 32, 2, {2467715211, 1608789346}},
    /* row A as gcc makes it on x86, with a signed char */
    {"murmur2a+fnv1a-signed", "Holland", 8192, 2, {7720, 3193}},
    {"murmur2a+fnv1a-signed", "China", 1ULL << 32, 2, {388168413, 2497348400}},
    {"murmur2a+fnv1a-signed", "", 1ULL << 32, 2, {0, 2166136261}},
    {"murmur2a+fnv1a-signed", "\x7F", 1ULL << 32, 2, {4191874582, 4195109838}},
    {"murmur2a+fnv1a-signed", "\x80", 1ULL << 32, 2, {2621409273, 83079839}},
    {"murmur2a+fnv1a-signed", "\xFF", 1ULL << 32, 2, {1907077438, 4193493326}},
    {"murmur2a+fnv1a-signed", BLOOM, 1ULL << 32, 2, {3102078160, 1771988487}},
    {"murmur2a+fnv1a-signed", CYRILLIC, 1ULL << 32, 2, {2467715211, 21239138}},
    /* row B */
    {"murmur3-128",
     "http://example.com/",
     9585058,
     7,
     {5329510, 7624621, 334674, 2629785, 8552214, 1262267, 3557378}},
    {"murmur3-128",
     "https://www.rust-lang.org/",
     9585058,
     7,
     {8534035, 4727555, 4548393, 4369231, 562751, 383589, 6162167}},
    {"murmur3-128",
     BLOOM,
     9585058,
     7,
     {3258152, 3315753, 9331094, 5761377, 5818978, 2249261, 2306862}},
    {"murmur3-128", "", 9585058, 7, {0, 0, 0, 0, 0, 0, 0}},
    /* row C */
    {"polynomial",
     "hello",
     1 << 25,
     7,
     {80976, 290506, 1671462, 3212008, 32053458, 32408496, 20460536}},
    {"polynomial",
     CYRILLIC,
     1 << 25,
     7,
     {28469353, 2900799, 22507075, 15308369, 15588983, 10811145, 11036225}},
    {"polynomial", "", 1 << 25, 7, {0, 0, 0, 0, 0, 0, 0}},
    /* row D */
    {"md5-divmod", "a", 100, 3, {53, 38, 81}},
    {"md5-divmod", "b", 100, 3, {10, 90, 56}},
    {"md5-divmod", "c", 100, 3, {26, 61, 90}},
    {"md5-divmod", "3", 100, 3, {30, 27, 37}},
    {"md5-divmod", "0", 100, 3, {96, 61, 94}},
    /* DCSO's bloom: python3-flor 1.1.3 */
    {"dcso",
     "",
     9585058,
     7,
     {6428491, 8479407, 7463035, 4981085, 3759289, 7325017, 8889487}},
    {"dcso",
     "http://example.com/",
     9585058,
     7,
     {7924535, 5066695, 5277561, 6698567, 152049, 6853061, 2998339}},
    {"dcso",
     BLOOM,
     9585058,
     7,
     {1716377, 7880419, 5774533, 3383273, 5263529, 2447089, 9571207}},
    {"dcso",
     "http://example.com/",
     (UINT64_C(1) << 53) - 111,
     3,
     {3246845984670967, 4198853574890711, 1815588153090370}},
    /* LevelDB's filters; RocksDB's, of the hashes of librocksdb 7.8.3 */
    {"leveldb", "", 9584, 6, {3348, 8499, 7186, 2753, 1440, 6591}},
    {"leveldb",
     "http://example.com/",
     9584,
     6,
     {501, 5326, 3687, 8512, 6873, 2114}},
    {"leveldb", BLOOM, 9584, 6, {9362, 7633, 9024, 7295, 5566, 6957}},
    {"leveldb", "ab\xFF", 9584, 6, {1608, 2928, 7368, 8688, 3544, 4864}},
    {"rocksdb-legacy", "", 10240, 6, {4404, 4483, 4562, 4129, 4208, 4287}},
    {"rocksdb-legacy",
     "http://example.com/",
     10240,
     6,
     {6661, 6830, 6999, 6656, 6825, 6994}},
    {"rocksdb-legacy", BLOOM, 10240, 6, {1314, 1201, 1088, 1487, 1374, 1261}},
    {"rocksdb-legacy",
     "ab\xFF",
     10240,
     6,
     {9125, 9117, 9109, 9101, 9093, 9085}},
    {"rocksdb", "", 10240, 6, {678, 633, 981, 964, 743, 661}},
    {"rocksdb",
     "http://example.com/",
     10240,
     6,
     {5023, 4781, 4993, 5002, 4629, 4624}},
    {"rocksdb", BLOOM, 10240, 6, {2789, 2793, 2943, 2804, 2593, 2974}},
    {"rocksdb", "ab\xFF", 10240, 6, {1894, 1689, 1894, 1674, 1827, 1852}},
    /* by python3-bitcoinlib 0.11.2, without a tweak */
    {"bip37", "", 9584, 6, {0, 4072, 4808, 9343, 1172, 56}},
    {"bip37",
     "http://example.com/",
     9584,
     6,
     {7926, 6363, 8526, 870, 8267, 1962}},
    {"bip37", BLOOM, 9584, 6, {2112, 4746, 9093, 1465, 5274, 804}},
    {"bip37", "ab\xFF", 9584, 6, {5928, 5174, 8410, 4141, 4138, 6186}},
    /* computed apart, in Python; the bits that RedisBloom
     * 8.2.0 sets for 50 items are these places (foreign_redisbloom) */
    {"redisbloom", "", 9585, 6, {8925, 7665, 1709, 5338, 8967, 7707}},
    {"redisbloom",
     "http://example.com/",
     9585,
     6,
     {717, 4584, 3755, 2926, 2097, 5964}},
    {"redisbloom", BLOOM, 9585, 6, {3259, 2351, 1443, 535, 9212, 3415}},
    {"redisbloom", "ab\xFF", 9585, 6, {3653, 8455, 8561, 8667, 3884, 3990}},
    /* Guava 31.1 of Debian (Funnels.stringFunnel) sets these bits */
    {"guava-mitz-64", "", 960, 7, {0, 0, 0, 0, 0, 0, 0}},
    {"guava-mitz-32", "", 960, 7, {0, 0, 0, 0, 0, 0, 0}},
    {"guava-mitz-64",
     "http://example.com/",
     960,
     7,
     {760, 341, 754, 207, 748, 201, 742}},
    {"guava-mitz-32",
     "http://example.com/",
     960,
     7,
     {957, 755, 662, 95, 362, 564, 193}},
    {"guava-mitz-64",
     "abcdefghijklmnop",
     960,
     7,
     {611, 253, 23, 625, 395, 37, 767}},
    {"guava-mitz-32",
     "abcdefghijklmnop",
     960,
     7,
     {761, 726, 524, 559, 365, 330, 295}},
    {"guava-mitz-64",
     "The quick brown fox jumps over the lazy dog",
     960,
     7,
     {620, 563, 506, 449, 392, 335, 278}},
    {"guava-mitz-32",
     "The quick brown fox jumps over the lazy dog",
     960,
     7,
     {408, 861, 861, 408, 915, 462, 950}},
};

static void vectors_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(vectors); i++) {
        vector planted = vectors[i];
        assert_true(is_as_said(&vectors[i]));
        planted.indices[planted.hash_count - 1] ^= 1;
        assert_false(is_as_said(&planted));
        planted = vectors[i];
        planted.key = "another key";
        assert_false(is_as_said(&planted));
    }
}

/* Every byte value five times over: many blocks and no character. */
static void bytes_are_unsigned(void **state)
{
    static const uint64_t murmur3[] = {4877080, 4689035, 873672, 6643367,
                                       2828004, 8597699, 4782336};
    static const uint64_t polynomial[] = {
        14845312, 25277056, 31919744, 26680704, 5964416, 4007296, 13340032};
    static const uint64_t two[] = {1423466891, 1475291013};
    uint64_t indices[MOST];
    size_t long_len = 100000;
    uint8_t key[ALL_BYTES], *long_key = malloc(long_len);
    (void)state;
    assert_non_null(long_key);
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    for (size_t i = 0; i < long_len; i++)
        long_key[i] = (uint8_t)(i * 7 + 3);
    indices_of("murmur3-128", key, sizeof key, 9585058, 7, indices);
    assert_memory_equal(indices, murmur3, sizeof murmur3);
    indices_of("polynomial", key, sizeof key, 1 << 25, 7, indices);
    assert_memory_equal(indices, polynomial, sizeof polynomial);
    indices_of("murmur2a+fnv1a", long_key, long_len, UINT64_C(1) << 32, 2,
               indices);
    assert_memory_equal(indices, two, sizeof two);
    key[200] ^= 128; /* planted: a sign bit lost */
    indices_of("murmur3-128", key, sizeof key, 9585058, 7, indices);
    assert_memory_not_equal(indices, murmur3, sizeof murmur3);
    free(long_key);
}

/* Eighty digits of base 9 are more than 250 bits: the digest of two dots, and
 * of three. Made by an independent program. */
static void md5_digests_again(void **state)
{
    static const uint64_t all_bytes[] = {
        7, 7, 2, 6, 5, 8, 0, 5, 1, 2, 1, 4, 8, 8, 8, 6, 0, 3, 6, 6,
        1, 5, 7, 3, 1, 4, 8, 6, 5, 5, 0, 1, 3, 6, 5, 3, 3, 3, 1, 7,
        3, 8, 8, 8, 6, 5, 6, 3, 3, 8, 0, 7, 6, 8, 4, 0, 7, 4, 6, 6,
        2, 2, 8, 2, 8, 6, 8, 2, 6, 5, 4, 1, 3, 4, 2, 0, 7, 1, 2, 0};
    static const uint64_t bloom[] = {
        5, 2, 8, 5, 0, 1, 4, 1, 5, 5, 4, 2, 6, 1, 4, 5, 1, 8, 4, 5,
        5, 2, 8, 5, 8, 4, 1, 0, 8, 0, 7, 7, 0, 2, 1, 1, 3, 7, 2, 7,
        2, 2, 0, 4, 2, 7, 0, 0, 4, 7, 7, 8, 7, 3, 1, 6, 1, 4, 0, 3,
        3, 5, 7, 5, 1, 5, 5, 6, 8, 6, 8, 7, 6, 1, 4, 8, 3, 8, 7, 8};
    static const uint64_t largest[] = {603206238080498, 5553261939238106,
                                       5686260643728293};
    static const uint64_t middle[] = {10378429321, 6805968281, 8772212274,
                                      1402250246, 7000426014};
    uint64_t indices[MOST];
    uint8_t key[ALL_BYTES], long_key[100000];
    (void)state;
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof long_key; i++)
        long_key[i] = (uint8_t)(i * 7 + 3);
    indices_of("md5-divmod", key, sizeof key, 9, 80, indices);
    assert_memory_equal(indices, all_bytes, sizeof all_bytes);
    indices_of("md5-divmod", BLOOM, strlen(BLOOM), 9, 80, indices);
    assert_memory_equal(indices, bloom, sizeof bloom);
    indices_of("md5-divmod", long_key, sizeof long_key, (UINT64_C(1) << 53) - 1,
               6, indices);
    assert_memory_equal(indices + 3, largest, sizeof largest);
    indices_of("md5-divmod", long_key, sizeof long_key, 12345678901, 8,
               indices);
    assert_memory_equal(indices + 3, middle, sizeof middle);
    indices_of("md5-divmod", long_key, sizeof long_key, 1, 255, indices);
}

/*
 * The check that Appleby published with his hashes: keys 0 1 2 ... of every
 * length to 255 with seeds 256 - length, and the hash of all those hashes.
 */
static void murmur_agrees_with_its_author(void **state)
{
    uint8_t key[256], words_2a[256 * 4], words_3[256 * 16], words_64[256 * 8];
    (void)state;
    for (unsigned n = 0; n < 256; n++) {
        key[n] = (uint8_t)n;
        uint32_t hash = ss_murmur_2a(key, n, 256 - n);
        ss_murmur_pair pair = ss_murmur_3_128(key, n, 256 - n);
        test_store(words_64 + 8 * n, 8, ss_murmur_64a(key, n, 256 - n));
        for (unsigned i = 0; i < 4; i++)
            words_2a[4 * n + i] = (uint8_t)(hash >> 8 * i);
        for (unsigned i = 0; i < 8; i++) {
            words_3[16 * n + i] = (uint8_t)(pair.first >> 8 * i);
            words_3[16 * n + 8 + i] = (uint8_t)(pair.second >> 8 * i);
        }
    }
    assert_int_equal(ss_murmur_2a(words_2a, sizeof words_2a, 0), 0x7FBD4396);
    assert_int_equal((uint32_t)ss_murmur_64a(words_64, sizeof words_64, 0),
                     0x1F0D3804);
    assert_int_equal(
        (uint32_t)ss_murmur_3_128(words_3, sizeof words_3, 0).first,
        0x6384BA69);
    words_2a[500] ^= 1; /* planted */
    assert_int_not_equal(ss_murmur_2a(words_2a, sizeof words_2a, 0),
                         0x7FBD4396);
}

/* Keys of every length at every alignment, nothing read past their end (a
 * sanitizer tells), and the empty key by NULL. */
static void keys_may_lie_anywhere(void **state)
{
    static const struct {
        const char *name;
        uint64_t size_bits;
        uint32_t hash_count;
    } shapes[] = {{"chain", 1000, 20},
                  {"murmur2a+fnv1a", 8192, 2},
                  {"murmur2a+fnv1a-signed", 8192, 2},
                  {"murmur3-128", 1000, 20},
                  {"polynomial", 1024, 7},
                  {"md5-divmod", 1000, 20},
                  {"enhanced-double", 1000, 20},
                  {"clickhouse-bloom", 1000, 15},
                  {"clickhouse-tokenbf", 1000, 20},
                  {"dcso", 1000, 20},
                  {"guava-mitz-64", 1000, 20},
                  {"guava-mitz-32", 1000, 20},
                  {"leveldb", 1000, 20},
                  {"rocksdb-legacy", 1024, 20},
                  {"rocksdb", 1024, 20},
                  {"bip37", 1000, 20},
                  {"redisbloom", 1000, 20}};
    uint64_t expected[MOST], got[MOST];
    uint8_t key[70];
    (void)state;
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)(255 - i);
    for (size_t i = 0; i < TEST_COUNT(shapes) * sizeof key; i++) {
        size_t shape = i / sizeof key, len = i % sizeof key;
        uint32_t k = shapes[shape].hash_count;
        indices_of(shapes[shape].name, key, len, shapes[shape].size_bits, k,
                   expected);
        for (size_t shift = 0; shift < 8; shift++) {
            uint8_t *copy = malloc(len + shift + 1);
            assert_non_null(copy);
            memcpy(copy + shift + 1, key, len);
            indices_of(shapes[shape].name, copy + shift + 1, len,
                       shapes[shape].size_bits, k, got);
            assert_memory_equal(got, expected, k * sizeof *got);
            free(copy);
        }
        if (len == 0) {
            indices_of(shapes[shape].name, NULL, 0, shapes[shape].size_bits, k,
                       got);
            assert_memory_equal(got, expected, k * sizeof *got);
        }
    }
}

static bool accepts(uint32_t id, uint64_t size_bits, uint32_t hash_count)
{
    return ss_scheme_accepts(ss_scheme_find(id), &none, size_bits, hash_count);
}

static void schemes_refuse_what_they_cannot_do(void **state)
{
    static const uint32_t any[] = {1, 3, 5, 6, 7, 12};
    const uint64_t bytes = UINT64_C(1) << 33;
    const uint64_t most = UINT64_C(1) << 53, reach = UINT64_C(1) << 32;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(any); i++) {
        assert_true(accepts(any[i], 1, 1) && accepts(any[i], most, 255));
        assert_false(accepts(any[i], 0, 1) || accepts(any[i], most + 1, 1));
        assert_false(accepts(any[i], 1, 0) || accepts(any[i], 1, 256));
    }
    for (uint32_t id = 2; id <= 10; id += 8) {
        assert_true(accepts(id, 1, 2) && accepts(id, 8191, 2) &&
                    accepts(id, reach, 2));
        assert_false(accepts(id, 0, 2) || accepts(id, reach + 1, 2));
        assert_false(accepts(id, 8192, 1) || accepts(id, 8192, 3));
    }
    assert_true(accepts(4, 1, 1) && accepts(4, 1 << 25, 7) &&
                accepts(4, reach, 7));
    assert_false(accepts(4, 0, 7) || accepts(4, 2 * reach, 7));
    assert_false(accepts(4, 1 << 25, 0) || accepts(4, 1 << 25, 8));
    assert_false(accepts(4, (1 << 25) - 1, 7) || accepts(4, 3, 1));
    assert_true(accepts(8, 8, 1) && accepts(8, most, 15));
    assert_false(accepts(8, 0, 1) || accepts(8, 9, 1) || accepts(8, 8, 16));
    assert_true(accepts(9, 8, 255) && accepts(9, bytes, 1));
    assert_false(accepts(9, 12, 1) || accepts(9, bytes + 8, 1));
}

static void schemes_have_ids_and_names(void **state)
{
    static const char *const names[] = {"chain",
                                        "murmur2a+fnv1a",
                                        "murmur3-128",
                                        "polynomial",
                                        "md5-divmod",
                                        "enhanced-double",
                                        "caller",
                                        "clickhouse-bloom",
                                        "clickhouse-tokenbf",
                                        "murmur2a+fnv1a-signed",
                                        "parquet",
                                        "dcso",
                                        "guava-mitz-64",
                                        "guava-mitz-32",
                                        "leveldb",
                                        "rocksdb-legacy",
                                        "rocksdb",
                                        "bip37",
                                        "redisbloom"};
    (void)state;
    for (uint32_t id = 1; id <= TEST_COUNT(names); id++) {
        const ss_scheme *scheme = ss_scheme_find(id);
        assert_non_null(scheme);
        assert_int_equal(scheme->id, id);
        assert_string_equal(scheme->name, names[id - 1]);
    }
    assert_null(ss_scheme_find(0));
    assert_null(ss_scheme_find(TEST_COUNT(names) + 1));
    assert_null(ss_scheme_find(UINT32_MAX));
}

/* The published values of XXH64 with seed 0. */
static void parquet_hashes_by_xxh64(void **state)
{
    static const struct {
        const char *key;
        uint64_t hash;
    } known[] = {{"", UINT64_C(0xEF46DB3751D8E999)},
                 {"a", UINT64_C(0xD24EC4F1A98C6E5B)},
                 {"abc", UINT64_C(0x44BC2CF5AD770999)}};
    ss_key_hash identity;
    (void)state;
    assert_int_equal(
        ss_key_hash_make(&identity, SS_SCHEME_PARQUET, NULL, &none), 0);
    for (size_t i = 0; i < TEST_COUNT(known); i++)
        assert_true(ss_key_hash_of(&identity, known[i].key,
                                   strlen(known[i].key)) == known[i].hash);
    assert_false(ss_key_hash_of(&identity, "b", 1) == known[1].hash);
}

/* Many at once are hashed as each is, of eight bytes and of others. */
static void parquet_hashes_many_as_one(void **state)
{
    enum {
        KEYS = 1000
    };
    seenset_key keys[KEYS];
    uint64_t hashes[KEYS], bytes[KEYS + 4];
    ss_key_hash identity;
    (void)state;
    assert_int_equal(
        ss_key_hash_make(&identity, SS_SCHEME_PARQUET, NULL, &none), 0);
    for (uint64_t i = 0; i < KEYS + 4; i++)
        bytes[i] = test_mix(i);
    for (size_t i = 0; i < KEYS; i++)
        keys[i] =
            (seenset_key){.data = &bytes[i], .len = i % 3 == 0 ? i % 33 : 8};
    ss_key_hash_many(&identity, keys, KEYS, hashes);
    for (size_t i = 0; i < KEYS; i++)
        assert_true(hashes[i] ==
                    ss_key_hash_of(&identity, keys[i].data, keys[i].len));
    assert_false(hashes[1] == ss_key_hash_of(&identity, &bytes[1], 7));
}

/* The same as the classic layout computes on its own. */
static void chain_is_the_layouts_own(void **state)
{
    uint64_t indices[MOST], x = ss_hash_key("a key", 5);
    (void)state;
    indices_of("chain", "a key", 5, 100003, 255, indices);
    for (size_t i = 0; i < MOST; i++) {
        assert_true(indices[i] == ss_hash_range(x, 100003));
        x = ss_hash_step(x);
    }
}

/* The closed form: a + i b + (i^3 - i) / 6 */
static void enhanced_is_a_cubic(void **state)
{
    static const uint64_t sizes[] = {1, 2, 3, 200, 4294967311};
    (void)state;
    for (size_t size = 0; size < TEST_COUNT(sizes); size++) {
        uint64_t indices[MOST], m = sizes[size];
        XXH128_hash_t hash = XXH3_128bits("a key", 5);
        uint64_t a = ss_hash_range(hash.low64, m);
        uint64_t b = ss_hash_range(hash.high64, m);
        indices_of("enhanced-double", "a key", 5, m, MOST, indices);
        for (uint64_t i = 0; i < MOST; i++)
            assert_true(indices[i] == (a + i * b + (i * i * i - i) / 6) % m);
    }
}

/* Writes past the range on purpose, and leaves every third index out. */
static void wild_function(void *context, const void *key, size_t key_len,
                          uint64_t size_bits, uint32_t hash_count,
                          uint64_t *indices)
{
    const uint64_t *start = context;
    assert_string_equal(key, "key");
    assert_true(key_len == 3 && size_bits == 1000);
    for (uint32_t i = 0; i < hash_count; i++) {
        if (i % 3 != 2)
            indices[i] = *start + i * size_bits;
    }
}

static void caller_cannot_leave_the_table(void **state)
{
    uint64_t start = 123, indices[8];
    ss_scheme_arguments arguments = {.caller = {wild_function, &start}};
    (void)state;
    memset(indices, 0xAA, sizeof indices);
    ss_scheme_find(SS_SCHEME_CALLER)
        ->indices(&arguments, "key", 3, 1000, TEST_COUNT(indices), indices);
    for (size_t i = 0; i < TEST_COUNT(indices); i++)
        assert_int_equal(indices[i], i % 3 == 2 ? 0 : 123);
}

/*
 * The false positives among fresh keys of a filter of n = 100 keys planned
 * for 1e-6 at k = 20. The chain keeps to the fill of the filter; enhanced
 * double hashing, with m^2 classes of keys, is over ten times above it.
 */
static uint64_t count_false(const char *scheme, uint64_t trials, double *rate)
{
    enum {
        KEYS = 100,
        BITS = 2876,
        HASHES = 20
    };
    bool bits[BITS] = {false};
    uint64_t indices[MOST], set_bits = 0, wrong = 0;
    const ss_scheme *row = scheme_named(scheme);
    for (uint64_t key = 0; key < KEYS + trials; key++) {
        bool is_seen = true;
        row->indices(&none, &key, sizeof key, BITS, HASHES, indices);
        for (uint32_t i = 0; i < HASHES; i++) {
            is_seen = is_seen && bits[indices[i]];
            set_bits += key < KEYS && !bits[indices[i]];
            bits[indices[i]] = bits[indices[i]] || key < KEYS;
        }
        wrong += key >= KEYS && is_seen;
    }
    *rate = pow((double)set_bits / BITS, HASHES);
    return wrong;
}

static void chain_keeps_the_rate_and_enhanced_does_not(void **state)
{
    enum {
        TRIALS = 8000000
    };
    double rate;
    (void)state;
    uint64_t wrong = count_false("chain", TRIALS, &rate);
    assert_true(test_is_binomial(wrong, TRIALS, rate));
    wrong = count_false("enhanced-double", TRIALS, &rate);
    assert_false(test_is_binomial(wrong, TRIALS, rate));
    assert_true((double)wrong > 5 * TRIALS * rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_hold),
        cmocka_unit_test(bytes_are_unsigned),
        cmocka_unit_test(md5_digests_again),
        cmocka_unit_test(murmur_agrees_with_its_author),
        cmocka_unit_test(keys_may_lie_anywhere),
        cmocka_unit_test(schemes_refuse_what_they_cannot_do),
        cmocka_unit_test(schemes_have_ids_and_names),
        cmocka_unit_test(parquet_hashes_by_xxh64),
        cmocka_unit_test(parquet_hashes_many_as_one),
        cmocka_unit_test(chain_is_the_layouts_own),
        cmocka_unit_test(enhanced_is_a_cubic),
        cmocka_unit_test(caller_cannot_leave_the_table),
        cmocka_unit_test(chain_keeps_the_rate_and_enhanced_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
