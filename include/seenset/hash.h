/*
 * seenset/hash.h - how a key becomes places in a table.
 *
 * By default a key is hashed with XXH3-64, and its places follow from that one
 * number. A keyed set hashes with SipHash-2-4 under a secret instead, and XXH3
 * can have a seed. And a set can be made with the places of another system (a
 * scheme), so that its filters can be read, written and checked.
 */
#ifndef SEENSET_HASH_H
#define SEENSET_HASH_H

#include "seenset/base.h"
#include "seenset/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The hash of the key_len bytes at key in a set without a secret: 64-bit XXH3
 * with seed 0. What seenset_add does with a key, seenset_add_hash does with
 * this number. key may be NULL when key_len is 0; if it is NULL and key_len is
 * not 0, the hash is that of the empty key. Cannot fail.
 * Cost: some nanoseconds for a short key. Threads: any time.
 *
 * To divide keys among sets, threads or machines, call seenset_shard. Do not
 * use bits of the hash for that, least of all the upper ones: every layout
 * chooses blocks by them, so a set whose keys have upper bits in common answers
 * "seen" for nearly every other key that has them.
 */
SEENSET_API uint64_t seenset_hash(const void *key, size_t key_len);

/*
 * Which of `shards` shards a hash belongs to: 0 to shards - 1. All are equally
 * likely: over all 2^64 hashes, two shards differ by one at most. The shard
 * depends on all bits of the hash, and differently from the places in a table,
 * so a set of one shard's keys is as good as a set of any keys. The answer is
 * the same in every version, on every machine and in every language. shards is
 * at least 1; 0 counts as 1.
 *
 * The hash is that of seenset_add_hash, or seenset_hash of the key, also for
 * sets with a secret, a seed or a scheme. But seenset_hash is public: anyone
 * who can choose keys can send all of them to one shard. Cannot fail. Cost: a
 * nanosecond. Threads: any time.
 */
SEENSET_API uint32_t seenset_shard(uint64_t hash, uint32_t shards);

/* ---- keyed sets ---- */

/*
 * The length of the secret of a keyed set. Its keys are hashed with SipHash-2-4
 * under the secret, so only those who know the secret can choose keys that
 * collide. For sets whose keys an adversary may choose. Hashing a short key
 * takes about three times as long.
 */
#define SEENSET_SECRET_BYTES 16

/*
 * Fills in a secret with random bytes from the operating system.
 * Returns 0, SEENSET_EINVAL (secret is NULL) or SEENSET_EIO (errno).
 * Threads: any time.
 */
SEENSET_API int seenset_make_secret(uint8_t secret[SEENSET_SECRET_BYTES]);

/* ---- schemes ---- */

/*
 * How a key becomes k places in a table of SEENSET_LAYOUT_BLOOM or
 * SEENSET_LAYOUT_COUNTING, or a block (PARQUET). The default is this library's
 * own. The others set the same bits as the systems that they come from. They
 * need the key itself, so calls that take hashes return SEENSET_EUNSUPPORTED;
 * and their sets neither grow nor can be shared. docs/format.md has the
 * arithmetic of each.
 *
 * MURMUR2A_FNV1A takes the bytes of a key as 0 to 255. A C program that passes
 * them to its FNV-1a as plain char has -128 to 127 where char is signed, as on
 * x86, so for keys with bytes from 128 on, such as UTF-8 beyond ASCII, it sets
 * other bits: those of MURMUR2A_FNV1A_SIGNED. Keys of ASCII have the same bits
 * in both. Choose the one that the other program uses: with the wrong one, its
 * filter would answer "never added" for its keys.
 */
typedef enum seenset_scheme {
    SEENSET_SCHEME_DEFAULT = 0,        /* SEENSET_SCHEME_CHAIN */
    SEENSET_SCHEME_CHAIN = 1,          /* this library's own */
    SEENSET_SCHEME_MURMUR2A_FNV1A = 2, /* k = 2, m up to 2^32 */
    SEENSET_SCHEME_MURMUR3_128 = 3,    /* h1 + i h2 of 128-bit MurmurHash3 */
    SEENSET_SCHEME_POLYNOMIAL = 4,     /* k up to 7, or one for each seed of the
                                          caller's; m a power of two to 2^32 */
    SEENSET_SCHEME_MD5_DIVMOD = 5,     /* digits of an MD5 digest to base m */
    SEENSET_SCHEME_ENHANCED_DOUBLE = 6, /* Dillinger & Manolios; for study */
    SEENSET_SCHEME_CALLER = 7,          /* a seenset_index_function */
    /* ClickHouse's skip indexes on strings; m whole bytes. bloom_filter: k up
     * to 15. tokenbf_v1 and ngrambf_v1: m up to 2^33, and a seed. */
    SEENSET_SCHEME_CLICKHOUSE_BLOOM = 8,
    SEENSET_SCHEME_CLICKHOUSE_TOKENBF = 9,
    /* as MURMUR2A_FNV1A, with bytes of -128 to 127 in FNV-1a */
    SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED = 10,
    /* Apache Parquet's: XXH64 with seed 0. SEENSET_LAYOUT_SPLIT_BLOCK only,
     * which is its default; the key is the plain-encoded value. */
    SEENSET_SCHEME_PARQUET = 11,
    SEENSET_SCHEME_DCSO = 12, /* DCSO's bloom: FNV-1 and multiplications */
    /* Guava's BloomFilter, of MurmurHash3: MURMUR128_MITZ_64, which it makes
     * today; and MURMUR128_MITZ_32, m up to 2^31. The key is the bytes that a
     * funnel makes of it (docs/formats/guava.md). */
    SEENSET_SCHEME_GUAVA_MITZ_64 = 13,
    SEENSET_SCHEME_GUAVA_MITZ_32 = 14,
    /* LevelDB's filters (m whole bytes, up to 2^32; k up to 30), and those of
     * RocksDB's tables (m a multiple of 512, up to 2^35): before format_version
     * 5 (k up to 127), and from it on (k up to 30). size_bits and hash_count
     * must be given: the rate that they promise is that of a classic filter,
     * and these have a higher one. */
    SEENSET_SCHEME_LEVELDB = 15,
    SEENSET_SCHEME_ROCKSDB_LEGACY = 16,
    SEENSET_SCHEME_ROCKSDB = 17,
    /* Bitcoin's filters, of BIP-37: m whole bytes, up to 36,000; k up to 50;
     * and a seed, which is called the tweak there. */
    SEENSET_SCHEME_BIP37 = 18,
    SEENSET_SCHEME_REDISBLOOM = 19 /* RedisBloom's, of MurmurHash64A */
} seenset_scheme;

/*
 * The name of a scheme: "chain", "murmur2a+fnv1a", "murmur3-128", "polynomial",
 * "md5-divmod", "enhanced-double", "caller", "clickhouse-bloom",
 * "clickhouse-tokenbf", "murmur2a+fnv1a-signed", "parquet", "dcso",
 * "guava-mitz-64", "guava-mitz-32", "leveldb", "rocksdb-legacy", "rocksdb",
 * "bip37" or "redisbloom"; "unknown" for other numbers. Never NULL; the text is
 * static. Threads: any time.
 */
SEENSET_API const char *seenset_scheme_name(seenset_scheme scheme);

/*
 * The parameters of a scheme (seenset_options.scheme_arguments). All of them 0,
 * or no arguments at all, is the scheme without parameters. They are copied
 * into the set and stored in its file: a seed is not a secret.
 *
 * seed: of XXH3-64 for SEENSET_SCHEME_CHAIN, in every layout and policy. Such a
 *     set hashes its keys differently from seenset_hash, so calls that take
 *     hashes return SEENSET_EUNSUPPORTED, as for a keyed set, and it cannot
 *     have a secret as well. Of XXH3-128 for ENHANCED_DOUBLE; of both hashes of
 *     CLICKHOUSE_TOKENBF; up to 2^32 - 1 of the MurmurHash of MURMUR2A_FNV1A,
 *     MURMUR2A_FNV1A_SIGNED, MURMUR3_128 and BIP37. Other schemes take none.
 *
 * seeds, seed_count, unit_bits: SEENSET_SCHEME_POLYNOMIAL only. Place i is made
 *     with factor seeds[i], so there are as many as k at least, and 255 at
 *     most; NULL and 0: 5 7 11 13 31 37 61.
 *
 *     unit_bits is the size of the units that it adds up: 8 (or 0), the bytes
 *     of the key; 16, the UTF-16 code units of the text whose UTF-8 the key is,
 *     as Java and JavaScript see a string. A byte b that begins no well-formed
 *     UTF-8 sequence is the unit 0xDC00 + b, a lone surrogate; so keys that are
 *     not UTF-8 are keys too, and no two keys have the same units.
 */
typedef struct seenset_scheme_arguments {
    uint64_t seed;
    const uint32_t *seeds;
    uint32_t seed_count;
    uint32_t unit_bits;
    uint64_t reserved[4]; /* must be 0 */
} seenset_scheme_arguments;

/*
 * The caller's own scheme, for SEENSET_SCHEME_CALLER. Stores hash_count indices
 * for the key_len bytes at key, each below size_bits; a larger one is taken
 * modulo size_bits. The same key must always give the same indices. context is
 * the index_context of the options. It is called in the thread that calls the
 * set, so by several threads at once if they ask a set at once.
 */
typedef void seenset_index_function(void *context, const void *key,
                                    size_t key_len, uint64_t size_bits,
                                    uint32_t hash_count, uint64_t *indices);

#ifdef __cplusplus
}
#endif
#endif
