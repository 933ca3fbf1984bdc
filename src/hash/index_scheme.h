/*
 * index_scheme.h - which bits of the classic layout a key stands for.
 *
 * An index scheme is a function from the bytes of a key to k indices below m.
 * The library's own is the chain of xxh3.h. The others are those of the
 * systems this library can stand in for: with the right scheme it sets the
 * same bits as they do, so their filters can be read, written and checked.
 *
 *     id  name                from                     m            k
 *      1  chain               XXH3-64 and its steps    any          any
 *      2  murmur2a+fnv1a      two 32-bit hashes        to 2^32      2
 *      3  murmur3-128         h1 + i h2                any          any
 *      4  polynomial          k seeds, 32 bits         2^0 .. 2^32  to 7, or
 *                                                                   the seeds
 *      5  md5-divmod          digits of an MD5 digest  any          any
 *      6  enhanced-double     a + i b + (i^3 - i) / 6  any          any
 *      7  caller              a function of the caller's own
 *      8  clickhouse-bloom    CityHash64, 15 seeds     bytes        to 15
 *      9  clickhouse-tokenbf  h1 + i h2 + i^2          bytes, 2^33  any
 *     10  murmur2a+fnv1a-signed   as 2, of signed char  to 2^32      2
 *     11  parquet             XXH64, a block of 256 bits             8
 *     12  dcso                FNV-1, multiplications   any          any
 *     13  guava-mitz-64       h1 + i h2, of 63 bits    any          any
 *     14  guava-mitz-32       a + i b, of 31 bits      to 2^31      any
 *     15  leveldb             h + i d, 32 bits         bytes, 2^32  to 30
 *     16  rocksdb-legacy      h + i d, in a line       lines, 2^35  to 127
 *     17  rocksdb             XXH3 of 2019, in a line  lines, 2^35  to 30
 *     18  bip37               k MurmurHash3 of 32 bits bytes, to    to 50
 *                                                      288,000
 *     19  redisbloom          a + i b, MurmurHash64A   any          any
 *
 * where any is 1 to 2^53 bits and 1 to 255 indices, bytes a multiple of 8, and
 * lines one of 512: all places of a key are in a line.
 * Every scheme reads a key as unsigned bytes, or 10 as signed ones, in an order
 * that is written down, so a key has the same indices on every machine and with
 * any compiler's idea of char.
 *
 * Parquet's makes no indices: it hashes a key to 64 bits, from which the layout
 * of split blocks takes its places as from any hash.
 *
 * A scheme is a row of facts. From them follow the tables that it can name
 * places of, and the arguments that it takes (scheme_arguments.c).
 *
 * An id is kept in files and never means anything else.
 *
 * Anyone who can choose keys can choose ones that collide, in each of them.
 */
#ifndef SS_HASH_INDEX_SCHEME_H
#define SS_HASH_INDEX_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/growth.h"
#include "hash/xxh3.h" /* SS_SCHEME_CHAIN = 1 */
#include "seenset/hash.h"
#include "seenset/plan.h"
#include "seenset/seenset.h"

enum {
    SS_SCHEME_MURMUR2A_FNV1A = 2,
    SS_SCHEME_MURMUR3_128 = 3,
    SS_SCHEME_POLYNOMIAL = 4,
    SS_SCHEME_MD5_DIVMOD = 5,
    SS_SCHEME_ENHANCED_DOUBLE = 6,
    SS_SCHEME_CALLER = 7,
    SS_SCHEME_CLICKHOUSE_BLOOM = 8,
    SS_SCHEME_CLICKHOUSE_TOKENBF = 9,
    SS_SCHEME_MURMUR2A_FNV1A_SIGNED = 10,
    SS_SCHEME_PARQUET = 11,
    SS_SCHEME_DCSO = 12,
    SS_SCHEME_GUAVA_MITZ_64 = 13,
    SS_SCHEME_GUAVA_MITZ_32 = 14,
    SS_SCHEME_LEVELDB = 15,
    SS_SCHEME_ROCKSDB_LEGACY = 16,
    SS_SCHEME_ROCKSDB = 17,
    SS_SCHEME_BIP37 = 18,
    SS_SCHEME_REDISBLOOM = 19
};

/* What "any" accepts: from 1 to these. */
#define SS_SCHEME_MAX_SIZE_BITS (UINT64_C(1) << 53)
#define SS_SCHEME_MAX_INDICES 255u

/*
 * The scheme "caller": its function, with a context of its own. What it stores
 * past the table's end is taken modulo size_bits, so that no function can make
 * a table reach outside its memory.
 */
typedef struct ss_scheme_caller {
    seenset_index_function *function;
    void *context;
} ss_scheme_caller;

/* What is the same for all keys of a set. All 0: the scheme without any. */
typedef struct ss_scheme_arguments {
    uint64_t seed;
    const uint32_t *seeds; /* seed_count of them; NULL and 0: its own */
    uint32_t seed_count;
    uint32_t unit_bits; /* of a key: 16, or 0 for bytes */
    ss_scheme_caller caller;
} ss_scheme_arguments;

/* The sizes that a scheme's tables have. */
typedef enum ss_scheme_size {
    SS_SCHEME_ANY_SIZE = 0,
    SS_SCHEME_WHOLE_BYTES,
    SS_SCHEME_POWER_OF_TWO,
    SS_SCHEME_WHOLE_LINES /* of 64 bytes, in one of which a key has its places
                           */
} ss_scheme_size;

typedef struct ss_scheme {
    uint32_t id;
    const char *name;
    uint32_t first_file_version; /* older formats do not have it */
    /* The tables that it makes indices for; where there are seeds, the most
     * indices are as many as those. */
    uint32_t min_hash_count;
    uint32_t max_hash_count;
    uint64_t max_size_bits;
    ss_scheme_size size_rule;
    /* Its tables are given m and k: for a rate, no formula here has them. */
    bool is_sized;
    /* The arguments that it takes: seeds up to that, or a list of them and
     * units; own_seeds are those that it has without. */
    uint64_t max_seed;
    const uint32_t *own_seeds;
    uint32_t own_seed_count;
    /* The bits per key and indices that its system takes for a rate, 0 < rate <
     * 1. NULL: it is told the size. */
    void (*parameters)(double rate, uint32_t *bits_per_key,
                       uint32_t *hash_count);
    /* Stores hash_count indices, each below size_bits, for a shape and
     * arguments that were accepted. key may be NULL when key_len is 0. Two
     * indices of a key may be equal. NULL: it makes a hash (key_hash.h),
     * for tables of one layout only: */
    void (*indices)(const ss_scheme_arguments *arguments, const void *key,
                    size_t key_len, uint64_t size_bits, uint32_t hash_count,
                    uint64_t *indices);
    seenset_layout hashed_layout;
    /* The same of many keys, hash_count of each, where what depends on the
     * size alone costs as much as a key. NULL: it does not. */
    void (*indices_of_many)(const ss_scheme_arguments *arguments,
                            const seenset_key *keys, size_t count,
                            uint64_t size_bits, uint32_t hash_count,
                            uint64_t *indices);
} ss_scheme;

/* NULL for an id that no scheme has. */
const ss_scheme *ss_scheme_find(uint32_t id);

/* ---- shapes ---- */

/* The seeds of a list, those of the arguments or its own; *count may be 0. */
const uint32_t *ss_scheme_seeds(const ss_scheme *scheme,
                                const ss_scheme_arguments *arguments,
                                uint32_t *count);

uint32_t ss_scheme_max_hash_count(const ss_scheme *scheme,
                                  const ss_scheme_arguments *arguments);

bool ss_scheme_is_size(const ss_scheme *scheme, uint64_t size_bits);

/* Can it make hash_count indices below size_bits? */
bool ss_scheme_accepts(const ss_scheme *scheme,
                       const ss_scheme_arguments *arguments, uint64_t size_bits,
                       uint32_t hash_count);

/* The least size that it can have and that is not below size_bits, 1 to 2^53;
 * 0 if there is none. */
uint64_t ss_scheme_round_up(const ss_scheme *scheme, uint64_t size_bits);

/* ---- arguments ---- */

/* Can they be read at all, whatever the scheme? Inline, as both libraries ask.
 */
static inline bool
ss_scheme_are_arguments_whole(const seenset_scheme_arguments *given)
{
    return SS_GROWTH_IS_UNUSED(given) &&
           (given->seeds == NULL) == (given->seed_count == 0) &&
           given->seed_count <= SS_SCHEME_MAX_INDICES;
}

/*
 * Reads what a caller gave, NULL for nothing. seeds still point to the
 * caller's. 0, or SEENSET_EINVAL for what the scheme does not take. Seeds that
 * are its own become none, so that equal places have equal arguments.
 */
int ss_scheme_read_arguments(ss_scheme_arguments *out, const ss_scheme *scheme,
                             const seenset_scheme_arguments *given);

/* Does the scheme take them, as they are written after reading? */
bool ss_scheme_takes(const ss_scheme *scheme,
                     const ss_scheme_arguments *arguments);

/* Is anything given, but for a function? */
bool ss_scheme_has_arguments(const ss_scheme_arguments *arguments);

bool ss_scheme_is_same(const ss_scheme_arguments *a,
                       const ss_scheme_arguments *b);

/* The rows that have files of their own. */
extern const ss_scheme ss_scheme_murmur2a_fnv1a;
extern const ss_scheme ss_scheme_murmur2a_fnv1a_signed;
extern const ss_scheme ss_scheme_murmur3_128;
extern const ss_scheme ss_scheme_polynomial;
extern const ss_scheme ss_scheme_md5_divmod;
extern const ss_scheme ss_scheme_clickhouse_bloom;
extern const ss_scheme ss_scheme_clickhouse_tokenbf;
extern const ss_scheme ss_scheme_dcso;
extern const ss_scheme ss_scheme_guava_mitz_64;
extern const ss_scheme ss_scheme_guava_mitz_32;
extern const ss_scheme ss_scheme_leveldb;
extern const ss_scheme ss_scheme_rocksdb_legacy;
extern const ss_scheme ss_scheme_rocksdb;
extern const ss_scheme ss_scheme_bip37;
extern const ss_scheme ss_scheme_redisbloom;

#endif
