/*
 * index_leveldb.c - the schemes of the key-value stores: LevelDB's filters, and
 * both kinds that RocksDB's tables have.
 *
 * LevelDB, and RocksDB before format_version 5, have a hash of 32 bits, like
 * MurmurHash, with the seed 0xbc9f1d34. Places step by one number:
 *
 *     h = hash      place i = (h + i d) mod m      d = h rotated right by 17
 *
 * with sums modulo 2^32. RocksDB's are in a line of 512 bits, and its hash
 * takes the last one to three bytes of a key as -128 to 127:
 *
 *     line = h mod (m / 512)      place i = 512 line + (h + i d) mod 512
 *
 * From format_version 5 on, RocksDB has a hash of 64 bits (xxph3.h). Its lower
 * half l chooses the line, and its upper half u the places in it:
 *
 *     line = floor(l (m / 512) / 2^32)     u[0] = u     u[i+1] = u[i] g mod
 * 2^32 place i = 512 line + floor(u[i] / 2^23)           g = 0x9e3779b9
 *
 * A hash of 32 bits meets that of one of n other keys with the chance n / 2^32,
 * and lines are not as full as each other. So the classic filter's formulas
 * promise less than these filters do.
 */
#include "hash/index_scheme.h"
#include "hash/stores/xxph3.h"

enum {
    LINE_BITS = 512
};

static const uint32_t seed = 0xbc9f1d34;
static const uint32_t factor = 0xc6a4a793;

/* The bytes after the last four, of which a C compiler made numbers. */
static uint32_t add_tail(uint32_t hash, const uint8_t *tail, size_t count,
                         bool is_signed)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t byte = tail[i];
        if (is_signed && byte > 127)
            byte -= 256;
        hash += byte << 8 * i;
    }
    hash *= factor;
    return hash ^ hash >> 24;
}

static uint32_t hash_32(const uint8_t *key, size_t key_len, bool is_signed)
{
    uint32_t hash = seed ^ (uint32_t)key_len * factor;
    size_t whole = key_len / 4 * 4;
    for (size_t i = 0; i < whole; i += 4) {
        hash = (hash + XXH_readLE32(key + i)) * factor;
        hash ^= hash >> 16;
    }
    return whole == key_len
               ? hash
               : add_tail(hash, key + whole, key_len - whole, is_signed);
}

static uint32_t step_of(uint32_t hash)
{
    return hash >> 17 | hash << 15;
}

static void leveldb_indices(const ss_scheme_arguments *arguments,
                            const void *key, size_t key_len, uint64_t size_bits,
                            uint32_t hash_count, uint64_t *indices)
{
    uint32_t hash = hash_32(key, key_len, false), step = step_of(hash);
    (void)arguments;
    for (uint32_t i = 0; i < hash_count; i++, hash += step)
        indices[i] = hash % size_bits;
}

static void legacy_indices(const ss_scheme_arguments *arguments,
                           const void *key, size_t key_len, uint64_t size_bits,
                           uint32_t hash_count, uint64_t *indices)
{
    uint32_t hash = hash_32(key, key_len, true), step = step_of(hash);
    uint64_t first = hash % (size_bits / LINE_BITS) * LINE_BITS;
    (void)arguments;
    for (uint32_t i = 0; i < hash_count; i++, hash += step)
        indices[i] = first + hash % LINE_BITS;
}

static void rocksdb_indices(const ss_scheme_arguments *arguments,
                            const void *key, size_t key_len, uint64_t size_bits,
                            uint32_t hash_count, uint64_t *indices)
{
    uint64_t hash = ss_xxph3(key, key_len);
    uint64_t lines = size_bits / LINE_BITS;
    uint64_t first = ((hash & UINT32_MAX) * lines >> 32) * LINE_BITS;
    uint32_t upper = (uint32_t)(hash >> 32);
    (void)arguments;
    for (uint32_t i = 0; i < hash_count; i++, upper *= 0x9e3779b9)
        indices[i] = first + (upper >> 23);
}

const ss_scheme ss_scheme_leveldb = {.id = SS_SCHEME_LEVELDB,
                                     .name = "leveldb",
                                     .first_file_version = 4,
                                     .min_hash_count = 1,
                                     .max_hash_count = 30,
                                     .max_size_bits = UINT64_C(1) << 32,
                                     .size_rule = SS_SCHEME_WHOLE_BYTES,
                                     .is_sized = true,
                                     .indices = leveldb_indices};

const ss_scheme ss_scheme_rocksdb_legacy = {.id = SS_SCHEME_ROCKSDB_LEGACY,
                                            .name = "rocksdb-legacy",
                                            .first_file_version = 4,
                                            .min_hash_count = 1,
                                            .max_hash_count = 127,
                                            .max_size_bits = UINT64_C(1) << 35,
                                            .size_rule = SS_SCHEME_WHOLE_LINES,
                                            .is_sized = true,
                                            .indices = legacy_indices};

const ss_scheme ss_scheme_rocksdb = {.id = SS_SCHEME_ROCKSDB,
                                     .name = "rocksdb",
                                     .first_file_version = 4,
                                     .min_hash_count = 1,
                                     .max_hash_count = 30,
                                     .max_size_bits = UINT64_C(1) << 35,
                                     .size_rule = SS_SCHEME_WHOLE_LINES,
                                     .is_sized = true,
                                     .indices = rocksdb_indices};
