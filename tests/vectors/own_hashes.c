/*
 * own_hashes.c - SipHash-2-4 and MD5 are ours. Here they are held against the
 * published vectors, and against libsodium and libmd on a million random
 * messages of 0 to 300 bytes, at any address. So is the XXH3 of RocksDB,
 * against what librocksdb 7.8.3 of Debian makes (rocksdb::Hash64).
 */
#include <md5.h>
#include <sodium.h>
#include <string.h>

#include "base/bits.h"
#include "hash/md5.h"
#include "hash/siphash.h"
#include "hash/stores/xxph3.h"
#include "support.h"

enum {
    MOST_BYTES = 300,
    ROUNDS = 1000000,
    PLANTED_ROUNDS = ROUNDS / 20
};

_Static_assert(SS_SIPHASH_SECRET_BYTES == crypto_shorthash_siphashx24_KEYBYTES,
               "both take secrets of one length");
_Static_assert(SS_MD5_DIGEST_BYTES == MD5_DIGEST_LENGTH,
               "both give digests of one length");

/* A message of random bytes, at a random address. */
typedef struct drawn_message {
    uint8_t room[MOST_BYTES + 8];
    const uint8_t *bytes;
    size_t size_bytes;
} drawn_message;

static void fill(test_random *random, uint8_t *bytes, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i += 8) {
        size_t count = size_bytes - i < 8 ? size_bytes - i : 8;
        ss_bits_store(bytes + i, (unsigned)count, test_random_next(random));
    }
}

static void draw(test_random *random, drawn_message *out)
{
    uint8_t *bytes = out->room + test_random_below(random, 8);
    out->size_bytes = test_random_below(random, MOST_BYTES + 1);
    out->bytes = bytes;
    fill(random, bytes, out->size_bytes);
}

/* What the planted functions get wrong: one message in two thousand. */
static bool is_rare(const uint8_t *bytes, size_t size_bytes)
{
    return size_bytes % 8 == 7 && bytes[0] == 0xFF;
}

/* ---- SipHash-2-4-128, its first half ---- */

typedef uint64_t siphash_function(const void *bytes, size_t size_bytes,
                                  const uint8_t *secret);

static uint64_t sodium_siphash(const void *bytes, size_t size_bytes,
                               const uint8_t *secret)
{
    uint8_t both[crypto_shorthash_siphashx24_BYTES];
    crypto_shorthash_siphashx24(both, bytes, size_bytes, secret);
    return ss_bits_load(both, 8);
}

static uint64_t wrong_siphash(const void *bytes, size_t size_bytes,
                              const uint8_t *secret)
{
    uint64_t hash = ss_siphash_2_4_128(bytes, size_bytes, secret);
    return hash ^ (uint64_t)is_rare(bytes, size_bytes) << 63;
}

/* Of the reference code: secret 0, 1, ... 15; message 0, 1, ... length - 1. */
static const struct {
    size_t length;
    uint8_t first_half[8];
} siphash_vectors[] = {
    {0, {0xA3, 0x81, 0x7F, 0x04, 0xBA, 0x25, 0xA8, 0xE6}},
    {1, {0xDA, 0x87, 0xC1, 0xD8, 0x6B, 0x99, 0xAF, 0x44}},
    {2, {0x81, 0x77, 0x22, 0x8D, 0xA4, 0xA4, 0x5D, 0xC7}},
    {3, {0x9C, 0x70, 0xB6, 0x0C, 0x52, 0x67, 0xA9, 0x4E}},
    {63, {0x51, 0x50, 0xD1, 0x77, 0x2F, 0x50, 0x83, 0x4A}},
};

static void siphash_gives_the_published_hashes(void **state)
{
    uint8_t counting[64];
    (void)state;
    for (uint8_t i = 0; i < sizeof counting; i++)
        counting[i] = i;
    for (size_t i = 0; i < TEST_COUNT(siphash_vectors); i++)
        assert_true(
            ss_siphash_2_4_128(counting, siphash_vectors[i].length, counting) ==
            ss_bits_load(siphash_vectors[i].first_half, 8));
    for (size_t i = 0; i <= sizeof counting; i++)
        assert_true(ss_siphash_2_4_128(counting, i, counting) ==
                    sodium_siphash(counting, i, counting));
    assert_true(ss_siphash_2_4_128(NULL, 0, counting) ==
                ss_siphash_2_4_128(counting, 0, counting));
}

static uint64_t sodium_siphash_64(const void *bytes, size_t size_bytes,
                                  const uint8_t *secret)
{
    uint8_t hash[crypto_shorthash_siphash24_BYTES];
    crypto_shorthash_siphash24(hash, bytes, size_bytes, secret);
    return ss_bits_load(hash, 8);
}

/* How many random messages have another hash than libsodium's. */
static int differ_from_sodium(siphash_function *siphash,
                              siphash_function *sodium, int rounds)
{
    test_random random = {13};
    int differing = 0;
    for (int i = 0; i < rounds; i++) {
        drawn_message drawn;
        uint8_t secret[SS_SIPHASH_SECRET_BYTES];
        draw(&random, &drawn);
        fill(&random, secret, sizeof secret);
        differing += siphash(drawn.bytes, drawn.size_bytes, secret) !=
                     sodium(drawn.bytes, drawn.size_bytes, secret);
    }
    return differing;
}

static void siphash_hashes_as_libsodium_does(void **state)
{
    (void)state;
    assert_int_equal(
        differ_from_sodium(ss_siphash_2_4_128, sodium_siphash, ROUNDS), 0);
    assert_int_equal(
        differ_from_sodium(ss_siphash_2_4, sodium_siphash_64, ROUNDS), 0);
    /* planted */
    assert_int_not_equal(
        differ_from_sodium(wrong_siphash, sodium_siphash, PLANTED_ROUNDS), 0);
    assert_int_not_equal(
        differ_from_sodium(ss_siphash_2_4_128, sodium_siphash_64, 10), 0);
}

/* ---- MD5 ---- */

typedef void md5_function(const void *bytes, size_t size_bytes,
                          test_random *random, uint8_t *digest);

/* The message in pieces of random lengths. */
static void own_md5(const void *bytes, size_t size_bytes, test_random *random,
                    uint8_t *digest)
{
    const uint8_t *next = bytes;
    ss_md5 text;
    ss_md5_start(&text);
    while (size_bytes > 0) {
        size_t count = test_random_below(random, size_bytes + 1);
        ss_md5_add(&text, next, count);
        next += count;
        size_bytes -= count;
    }
    ss_md5_end(&text, digest);
}

static void wrong_md5(const void *bytes, size_t size_bytes, test_random *random,
                      uint8_t *digest)
{
    own_md5(bytes, size_bytes, random, digest);
    digest[15] ^= is_rare(bytes, size_bytes);
}

static void libmd_md5(const void *bytes, size_t size_bytes, uint8_t *digest)
{
    MD5_CTX text;
    MD5Init(&text);
    MD5Update(&text, bytes, size_bytes);
    MD5Final(digest, &text);
}

/* RFC 1321, appendix A.5 */
static const struct {
    const char *text, *digest;
} md5_vectors[] = {
    {"", "d41d8cd98f00b204e9800998ecf8427e"},
    {"a", "0cc175b9c0f1b6a831c399e269772661"},
    {"abc", "900150983cd24fb0d6963f7d28e17f72"},
    {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
    {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
    {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
     "d174ab98d277d9f5a5611c2c9f419d9f"},
    {"1234567890123456789012345678901234567890123456789012345678901234567890123"
     "4567890",
     "57edf4a22be3c955ac49da2e2107b67a"},
};

static void md5_gives_the_published_digests(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(md5_vectors); i++) {
        uint8_t digest[SS_MD5_DIGEST_BYTES];
        char text[2 * SS_MD5_DIGEST_BYTES + 1];
        ss_md5 message;
        ss_md5_start(&message);
        ss_md5_add(&message, md5_vectors[i].text, strlen(md5_vectors[i].text));
        ss_md5_end(&message, digest);
        for (int j = 0; j < SS_MD5_DIGEST_BYTES; j++)
            snprintf(text + 2 * j, 3, "%02x", digest[j]);
        assert_string_equal(text, md5_vectors[i].digest);
    }
}

/* How many random messages have another digest than libmd's. */
static int differ_from_libmd(md5_function *md5, int rounds)
{
    test_random random = {14}, cuts = {15};
    int differing = 0;
    for (int i = 0; i < rounds; i++) {
        drawn_message drawn;
        uint8_t ours[SS_MD5_DIGEST_BYTES], theirs[MD5_DIGEST_LENGTH];
        draw(&random, &drawn);
        md5(drawn.bytes, drawn.size_bytes, &cuts, ours);
        libmd_md5(drawn.bytes, drawn.size_bytes, theirs);
        differing += memcmp(ours, theirs, sizeof ours) != 0;
    }
    return differing;
}

static void md5_digests_as_libmd_does(void **state)
{
    (void)state;
    assert_int_equal(differ_from_libmd(own_md5, ROUNDS), 0);
    /* planted */
    assert_int_not_equal(differ_from_libmd(wrong_md5, PLANTED_ROUNDS), 0);
}

/* A copy goes on from where the message was, and leaves it as it is. */
static void md5_may_be_copied_on_the_way(void **state)
{
    uint8_t first[SS_MD5_DIGEST_BYTES], second[SS_MD5_DIGEST_BYTES];
    ss_md5 message, copy;
    (void)state;
    ss_md5_start(&message);
    ss_md5_add(&message, "ab", 2);
    copy = message;
    ss_md5_add(&copy, "x", 1);
    ss_md5_end(&copy, first);
    ss_md5_add(&message, "c", 1);
    ss_md5_end(&message, second);
    libmd_md5("abx", 3, (uint8_t *)&copy);
    assert_memory_equal(first, &copy, sizeof first);
    libmd_md5("abc", 3, (uint8_t *)&copy);
    assert_memory_equal(second, &copy, sizeof second);
}

/* Of the bytes 255, 254, ..., as many as each row says: every way of hashing,
 * and the ends of each. */
static void xxph3_hashes_as_rocksdb_does(void **state)
{
    static const struct {
        size_t key_len;
        uint64_t hash;
    } known[] = {
        {0, UINT64_C(0x5342c3010fe1dd04)},
        {1, UINT64_C(0x9b5cd4aa7bd8ec28)},
        {2, UINT64_C(0x2e91f63bfb7d1119)},
        {3, UINT64_C(0x74a2ee6cdedd0f48)},
        {4, UINT64_C(0xfce34c1c01e28671)},
        {8, UINT64_C(0x273e3c8cf8fb0133)},
        {9, UINT64_C(0x94ed16d2d84dce9d)},
        {16, UINT64_C(0x91b3873b5dc78d3a)},
        {17, UINT64_C(0xe485d6dae009d0cf)},
        {32, UINT64_C(0x1bba8f6441916db3)},
        {33, UINT64_C(0x292f525f11b411b7)},
        {64, UINT64_C(0x7cdf1025dfcae7a2)},
        {65, UINT64_C(0x0ab5a8bae78dec1c)},
        {96, UINT64_C(0x7da1521557c5486b)},
        {97, UINT64_C(0xde5d859558fb0788)},
        {128, UINT64_C(0x01fc739883014d79)},
        {129, UINT64_C(0x6016fb2bb656e823)},
        {143, UINT64_C(0xc43c93ce777eaa41)},
        {144, UINT64_C(0xdb2570daa90e9945)},
        {240, UINT64_C(0x495c23f529d3fc2a)},
        {241, UINT64_C(0x063aacb641227adf)},
        {255, UINT64_C(0xb2b89c63da65fd43)},
        {256, UINT64_C(0x1749f78ed1392ca3)},
        {1023, UINT64_C(0x1ec88ea7e0b42aed)},
        {1024, UINT64_C(0x51337536a0f95c11)},
        {1025, UINT64_C(0xf7208264ba62890e)},
        {1200, UINT64_C(0xb78833c495eef581)},
    };
    uint8_t key[1201];
    (void)state;
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)(256 - i); /* from an odd address on */
    for (size_t i = 0; i < TEST_COUNT(known); i++) {
        assert_int_equal(ss_xxph3(key + 1, known[i].key_len), known[i].hash);
        assert_int_not_equal(ss_xxph3(key, known[i].key_len + 1),
                             known[i].hash); /* planted */
    }
    assert_int_equal(ss_xxph3(NULL, 0), known[0].hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siphash_gives_the_published_hashes),
        cmocka_unit_test(siphash_hashes_as_libsodium_does),
        cmocka_unit_test(xxph3_hashes_as_rocksdb_does),
        cmocka_unit_test(md5_gives_the_published_digests),
        cmocka_unit_test(md5_digests_as_libmd_does),
        cmocka_unit_test(md5_may_be_copied_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
