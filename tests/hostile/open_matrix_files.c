/*
 * open_matrix_files.c - a file of each kind, version and damage; the idea is
 * in open_matrix.h
 */
#include "open_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "halving.h"
#include "set/set.h"

enum {
    CAPACITY = 9000 /* some blocks in each table */
};

/* ---- kinds of sets ---- */

const uint8_t matrix_secret[SEENSET_SECRET_BYTES] = "the right one";

void matrix_index_key(void *context, const void *key, size_t key_len,
                      uint64_t size_bits, uint32_t hash_count,
                      uint64_t *indices)
{
    uint64_t seed = context == NULL ? 0 : 1;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = XXH3_64bits_withSeed(key, key_len, seed + i) % size_bits;
}

#define SCHEME(id)                                                             \
    .options.scheme = (id), .options.layout = SEENSET_LAYOUT_BLOOM

static const uint32_t factors[] = {3, 5, 7, 9};
static const seenset_scheme_arguments seed = {.seed = 7},
                                      words = {.seeds = factors,
                                               .seed_count = 4,
                                               .unit_bits = 16};

const matrix_kind matrix_kinds[] = {
    {.name = "bloom",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_DEGRADE},
     .oldest_version = 1,
     .can_share = true},
    {.name = "blocked that refuses",
     .options = {.on_full = SEENSET_ON_FULL_REFUSE,
                 .fp_rate = 1e-6,
                 .hash_count = 24},
     .oldest_version = 1,
     .can_share = true},
    {.name = "blocked",
     .options = {.on_full = SEENSET_ON_FULL_DEGRADE},
     .can_share = true},
    {.name = "bloom, grown",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_GROW,
                 .capacity_items = MATRIX_KEYS / 4}},
    {.name = "blocked, grown",
     .options = {.on_full = SEENSET_ON_FULL_GROW,
                 .capacity_items = MATRIX_KEYS / 2}},
    {.name = "window",
     .options = {.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 3}},
    {.name = "window by age",
     .options = {.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 1000000}},
    {.name = "counting of 4", .options = {.layout = SEENSET_LAYOUT_COUNTING}},
    {.name = "counting of 11",
     .options = {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 11}},
    {.name = "counting of 16 that refuses",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .on_full = SEENSET_ON_FULL_REFUSE,
                 .counter_bits = 16}},
    {.name = "fingerprint",
     .options = {.layout = SEENSET_LAYOUT_FINGERPRINT},
     .oldest_version = 5},
    {.name = "fingerprint that refuses",
     .options = {.layout = SEENSET_LAYOUT_FINGERPRINT,
                 .on_full = SEENSET_ON_FULL_REFUSE,
                 .fp_rate = 1e-5},
     .oldest_version = 5},
    {.name = "fingerprint, seeded",
     .options = {.layout = SEENSET_LAYOUT_FINGERPRINT,
                 .scheme_arguments = &seed},
     .oldest_version = 6},
    {.name = "split_block",
     .options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                 .on_full = SEENSET_ON_FULL_DEGRADE},
     .can_share = true,
     .oldest_version = 3},
    {.name = "split_block, grown",
     .options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                 .on_full = SEENSET_ON_FULL_GROW,
                 .capacity_items = MATRIX_KEYS / 4},
     .oldest_version = 3},
    {.name = "sealed in 3",
     .options = {.fp_rate = 0x1p-8, .hash_count = 3},
     .is_sealed = true},
    {.name = "sealed in 4", .options = {.fp_rate = 0x1p-16}, .is_sealed = true},
    {.name = "packed in 3",
     .options = {.fp_rate = 1e-6, .hash_count = 3},
     .is_sealed = true,
     .oldest_version = 7},
    {.name = "packed in 4",
     .options = {0},
     .is_sealed = true,
     .oldest_version = 7},
    {.name = "keyed",
     .options = {.on_full = SEENSET_ON_FULL_DEGRADE},
     .is_keyed = true,
     .can_share = true},
    {.name = "keyed, grown",
     .options = {.capacity_items = MATRIX_KEYS / 2},
     .is_keyed = true},
    {.name = "keyed, sealed",
     .options = {.fp_rate = 0x1p-8},
     .is_keyed = true,
     .is_sealed = true},
    {.name = "keyed, packed",
     .options = {0},
     .is_keyed = true,
     .is_sealed = true,
     .oldest_version = 7},
    {.name = "murmur2a+fnv1a",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_MURMUR2A_FNV1A,
                 .size_bits = 1 << 17,
                 .hash_count = 2}},
    {.name = "murmur3-128", SCHEME(SEENSET_SCHEME_MURMUR3_128)},
    {.name = "polynomial",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_POLYNOMIAL,
                 .size_bits = 1 << 17,
                 .hash_count = 7}},
    {.name = "md5-divmod", SCHEME(SEENSET_SCHEME_MD5_DIVMOD)},
    {.name = "enhanced double", SCHEME(SEENSET_SCHEME_ENHANCED_DOUBLE)},
    {.name = "caller's", SCHEME(SEENSET_SCHEME_CALLER), .is_caller = true},
    {.name = "counting, md5-divmod",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .scheme = SEENSET_SCHEME_MD5_DIVMOD}},
    {.name = "seeded",
     .options = {.on_full = SEENSET_ON_FULL_DEGRADE, .scheme_arguments = &seed},
     .can_share = true,
     .oldest_version = 4},
    {.name = "seeded, grown",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .capacity_items = MATRIX_KEYS / 4,
                 .scheme_arguments = &seed},
     .oldest_version = 4},
    {.name = "seeded, sealed",
     .options = {.fp_rate = 0x1p-8, .scheme_arguments = &seed},
     .is_sealed = true,
     .oldest_version = 4},
    {.name = "seeded, packed",
     .options = {.scheme_arguments = &seed},
     .is_sealed = true,
     .oldest_version = 7},
    {.name = "polynomial of words",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_POLYNOMIAL,
                 .scheme_arguments = &words},
     .oldest_version = 4},
    {.name = "clickhouse-bloom",
     SCHEME(SEENSET_SCHEME_CLICKHOUSE_BLOOM),
     .oldest_version = 4},
    {.name = "murmur2a+fnv1a-signed",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED,
                 .size_bits = 1 << 17,
                 .hash_count = 2},
     .oldest_version = 4},
    {.name = "counting, clickhouse-tokenbf",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .scheme = SEENSET_SCHEME_CLICKHOUSE_TOKENBF},
     .oldest_version = 4},
    {.name = "split_block, parquet",
     .options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                 .scheme = SEENSET_SCHEME_PARQUET},
     .can_share = true,
     .oldest_version = 4},
    {.name = "dcso", SCHEME(SEENSET_SCHEME_DCSO), .oldest_version = 4},
    {.name = "guava-mitz-64",
     SCHEME(SEENSET_SCHEME_GUAVA_MITZ_64),
     .oldest_version = 4},
    {.name = "guava-mitz-32",
     SCHEME(SEENSET_SCHEME_GUAVA_MITZ_32),
     .oldest_version = 4},
    {.name = "leveldb",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_LEVELDB,
                 .size_bits = 1 << 17,
                 .hash_count = 6},
     .oldest_version = 4},
    {.name = "rocksdb-legacy",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_ROCKSDB_LEGACY,
                 .size_bits = 1 << 17,
                 .hash_count = 6},
     .oldest_version = 4},
    {.name = "rocksdb",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_ROCKSDB,
                 .size_bits = 1 << 17,
                 .hash_count = 6},
     .oldest_version = 4},
    {.name = "redisbloom",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_REDISBLOOM,
                 .size_bits = 1 << 17,
                 .hash_count = 6},
     .oldest_version = 4},
    {.name = "bip37",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .scheme = SEENSET_SCHEME_BIP37,
                 .scheme_arguments = &seed,
                 .size_bits = 1 << 17,
                 .hash_count = 6},
     .oldest_version = 4},
    {.name = "blocked, grown in place",
     .options = {.on_full = SEENSET_ON_FULL_GROW, .capacity_items = 10},
     .oldest_version = 6},
    {.name = "keyed bloom, grown in place",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .capacity_items = MATRIX_KEYS / 4,
                 .fp_rate = 1e-5},
     .is_keyed = true,
     .oldest_version = 6},
};
const size_t matrix_kind_count = TEST_COUNT(matrix_kinds);

void matrix_make_keys(matrix_keys *out)
{
    for (int i = 0; i < MATRIX_KEYS; i++) {
        char *text = out->texts[i];
        int length = snprintf(text, sizeof out->texts[i], "key %d", i);
        out->keys[i] = (seenset_key){text, (size_t)length};
        out->hashes[i] = XXH3_64bits(text, (size_t)length);
    }
}

seenset *matrix_make_set(const matrix_kind *of, const matrix_keys *keys)
{
    seenset *set = NULL;
    seenset_options options = of->options;
    if (options.capacity_items == 0 && !of->is_sealed)
        options.capacity_items = CAPACITY;
    if (options.size_bits != 0)
        options.capacity_items = 0;
    if (of->is_keyed)
        options.secret = matrix_secret;
    if (of->is_caller)
        options.index_function = matrix_index_key;
    if (of->is_sealed) {
        options.capacity_items = 0;
        assert_int_equal(seenset_build_sealed(&set, &options, keys->keys,
                                              MATRIX_KEYS, NULL, NULL),
                         0);
        return set;
    }
    assert_int_equal(seenset_new(&set, &options), 0);
    bool is_list =
        of->oldest_version < 6 && set->on_full == SEENSET_ON_FULL_GROW;
    for (size_t i = 0; is_list && i < MATRIX_KEYS; i++) {
        test_grow_list(set);
        assert_true(seenset_add(set, keys->keys[i].data, keys->keys[i].len) >=
                    0);
    }
    if (!is_list)
        assert_int_equal(seenset_add_many(set, keys->keys, MATRIX_KEYS, NULL),
                         0);
    return set;
}

seenset_open_options matrix_options_for(const matrix_kind *of, uint32_t flags)
{
    return (seenset_open_options){.flags = flags,
                                  .secret = of->is_keyed ? matrix_secret : NULL,
                                  .index_function =
                                      of->is_caller ? matrix_index_key : NULL};
}

/* ---- files, sound and damaged ---- */

static uint64_t load_8(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* false: a file of this version has nothing to damage there. */
static bool hurt(matrix_file *into)
{
    uint8_t *bytes = into->bytes;
    uint64_t payload_at = load_8(bytes + 168), payload = load_8(bytes + 176);
    switch (into->how) {
    case MATRIX_HEADER:
        bytes[140 + into->version] ^= 4;
        break;
    case MATRIX_PAYLOAD:
        memset(bytes + payload_at, 0, (size_t)payload / 2);
        break;
    case MATRIX_SUMS:
        if (into->version < 3)
            return false;
        bytes[into->size_bytes - 3] ^= 1;
        break;
    case MATRIX_CUT:
        into->size_bytes--;
        break;
    case MATRIX_CUT_IN_HEADER:
        into->size_bytes = 90;
        break;
    case MATRIX_EMPTY:
        into->size_bytes = 0;
        break;
    default:
        break;
    }
    return true;
}

bool matrix_make_file(matrix_file *out, const matrix_kind *of, uint32_t version,
                      matrix_damage how, const matrix_keys *keys,
                      seenset *sound, const char *path)
{
    *out = (matrix_file){of, version, how, NULL, 0, path, keys, sound};
    uint8_t *bytes = test_bytes_of(sound, &out->size_bytes);
    test_to_version(version, bytes, &out->size_bytes);
    out->bytes = bytes;
    if (!hurt(out)) {
        free(bytes);
        return false;
    }
    out->bytes = malloc(out->size_bytes + (out->size_bytes == 0));
    assert_non_null(out->bytes);
    memcpy(out->bytes, bytes, out->size_bytes);
    free(bytes);
    test_write_file(path, out->bytes, out->size_bytes);
    return true;
}
