/*
 * manifest_bytes.c - the manifest to bytes and back.
 *
 * A manifest is written in the oldest version that can hold it. So a queue that
 * needs nothing new can be opened by older libraries, too.
 */
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "hash/key_hash.h"
#include "queue/folder/manifest.h"

_Static_assert(SEENSET_FLAG_SLIDING == 8, "as the manifest stores it");

enum {
    AT_LOG_VERSION = 92, /* of version 6, as all after the check */
    AT_SEED = 104,
    AT_UNIT_BITS = 112,
    AT_SEED_COUNT = 116,
    AT_SEEDS = 124
};

enum {
    WITH_ARGUMENTS = 6, /* the versions */
    POLITE = 7,
    WITH_RUNS = 8
};

/* Of the log and the states of a polite queue, and of one with runs. */
enum {
    WITH_MOVED = 6, /* and of a polite one with runs: */
    DELAYED_IN_RUNS = 7
};

/* Of byte 28 in version 2. */
enum {
    KIND_FILTER = 1,
    KIND_EXACT = 2
};

static const uint8_t magic[7] = {'S', 'E', 'E', 'N', 'Q', 'U', 'E'};

/* Is there a field for all of it in version 1? */
static bool is_version_1(const ss_manifest *manifest)
{
    const seenset_options *set = &manifest->set;
    return !manifest->is_extended && !manifest->is_exact &&
           !ss_arguments_are_given(&manifest->arguments) &&
           manifest->hash == SS_HASH_XXH3_64 &&
           set->scheme <= SEENSET_SCHEME_CHAIN && set->flags == 0 &&
           set->counter_bits == 0 && set->window_generations == 0 &&
           set->window_seconds == 0;
}

bool ss_manifest_has_check(const ss_manifest *manifest)
{
    return !is_version_1(manifest);
}

/* What both versions have. */
static void encode_common(const ss_manifest *manifest, uint8_t *bytes)
{
    uint64_t rate_bits;
    memcpy(bytes, magic, sizeof magic);
    memcpy(&rate_bits, &manifest->set.fp_rate, sizeof rate_bits);
    ss_bits_store(bytes + 8, 4, manifest->log_id);
    ss_bits_store(bytes + SS_MANIFEST_AT_HASH, 4, manifest->hash);
    ss_bits_store(bytes + 16, 4, (uint32_t)manifest->normalise);
    ss_bits_store(bytes + 20, 4, (uint32_t)manifest->set.layout);
    ss_bits_store(bytes + 24, 4, (uint32_t)manifest->set.on_full);
    ss_bits_store(bytes + 32, 8, manifest->set.capacity_items);
    ss_bits_store(bytes + 40, 8, rate_bits);
    ss_bits_store(bytes + 48, 8, manifest->set.size_bits);
    ss_bits_store(bytes + 56, 4, manifest->set.hash_count);
    ss_bits_store(bytes + 64, 8, manifest->segment_bytes);
}

static void encode_version_2(const ss_manifest *manifest, uint8_t *bytes)
{
    const seenset_options *set = &manifest->set;
    ss_bits_store(bytes + 28, 4, manifest->is_exact ? KIND_EXACT : KIND_FILTER);
    ss_bits_store(bytes + 60, 4, set->flags);
    ss_bits_store(bytes + 72, 8, set->window_seconds);
    ss_bits_store(bytes + 80, 4, set->window_generations);
    ss_bits_store(bytes + 84, 4, set->counter_bits);
    ss_bits_store(bytes + 88, 4, (uint32_t)set->scheme);
    ss_bits_store(bytes + SS_MANIFEST_AT_CHECK, 8, manifest->hash_check);
}

static void encode_arguments(const ss_arguments *arguments, uint8_t *bytes)
{
    ss_bits_store(bytes + AT_SEED, 8, arguments->seed);
    ss_bits_store(bytes + AT_UNIT_BITS, 4, arguments->unit_bits);
    ss_bits_store(bytes + AT_SEED_COUNT, 4, arguments->seed_count);
    for (uint32_t i = 0; i < arguments->seed_count; i++)
        ss_bits_store(bytes + AT_SEEDS + 4 * (size_t)i, 4, arguments->seeds[i]);
}

/* What the log and the states may have: the version without arguments. */
static uint8_t log_version_of(const ss_manifest *manifest)
{
    if (manifest->has_runs)
        return DELAYED_IN_RUNS;
    if (manifest->has_moved)
        return WITH_MOVED;
    if (manifest->has_turns)
        return 5;
    if (manifest->has_untried)
        return 4;
    if (manifest->is_extended)
        return 3;
    return is_version_1(manifest) ? 1 : 2;
}

/* How long a manifest is. */
static size_t bytes_of(uint8_t version, uint32_t seed_count)
{
    if (version == 1)
        return SS_MANIFEST_BYTES;
    return SS_MANIFEST_2_BYTES + 4 * (size_t)seed_count +
           (version == POLITE ? SS_RULES_BYTES : 0);
}

size_t ss_manifest_encode(const ss_manifest *manifest, uint8_t *bytes)
{
    bool has_arguments = ss_arguments_are_given(&manifest->arguments);
    uint8_t log_version = log_version_of(manifest);
    uint8_t version = manifest->is_polite  ? POLITE
                      : manifest->has_runs ? WITH_RUNS
                      : has_arguments      ? WITH_ARGUMENTS
                                           : log_version;
    size_t size_bytes = bytes_of(version, manifest->arguments.seed_count);
    memset(bytes, 0, size_bytes);
    encode_common(manifest, bytes);
    bytes[sizeof magic] = version;
    if (version > 1)
        encode_version_2(manifest, bytes);
    if (version >= WITH_ARGUMENTS) {
        ss_bits_store(bytes + AT_LOG_VERSION, 4, log_version);
        encode_arguments(&manifest->arguments, bytes);
    }
    if (version == POLITE)
        ss_rules_encode(&manifest->rules,
                        bytes + size_bytes - 4 - SS_RULES_BYTES);
    ss_bits_store(bytes + size_bytes - 4, 4, ss_crc32c(bytes, size_bytes - 4));
    return size_bytes;
}

static void decode_common(ss_manifest *out, const uint8_t *bytes)
{
    uint64_t rate_bits = ss_bits_load(bytes + 40, 8);
    *out = (ss_manifest){
        .log_id = (uint32_t)ss_bits_load(bytes + 8, 4),
        .normalise = (seenset_queue_normalise)ss_bits_load(bytes + 16, 4),
        .segment_bytes = ss_bits_load(bytes + 64, 8),
        .hash = (uint32_t)ss_bits_load(bytes + SS_MANIFEST_AT_HASH, 4),
        .set = {.layout = (seenset_layout)ss_bits_load(bytes + 20, 4),
                .on_full = (seenset_on_full)ss_bits_load(bytes + 24, 4),
                .capacity_items = ss_bits_load(bytes + 32, 8),
                .size_bits = ss_bits_load(bytes + 48, 8),
                .hash_count = (uint32_t)ss_bits_load(bytes + 56, 4)}};
    memcpy(&out->set.fp_rate, &rate_bits, sizeof rate_bits);
}

static void decode_version_2(ss_manifest *out, const uint8_t *bytes)
{
    seenset_options *set = &out->set;
    out->is_exact = ss_bits_load(bytes + 28, 4) == KIND_EXACT;
    set->flags = (uint32_t)ss_bits_load(bytes + 60, 4);
    set->window_seconds = ss_bits_load(bytes + 72, 8);
    set->window_generations = (uint32_t)ss_bits_load(bytes + 80, 4);
    set->counter_bits = (uint32_t)ss_bits_load(bytes + 84, 4);
    set->scheme = (seenset_scheme)ss_bits_load(bytes + 88, 4);
    out->hash_check = ss_bits_load(bytes + SS_MANIFEST_AT_CHECK, 8);
}

/* There are as many seeds as it is long for. */
static void decode_arguments(ss_arguments *out, const uint8_t *bytes)
{
    *out = (ss_arguments){
        .seed = ss_bits_load(bytes + AT_SEED, 8),
        .unit_bits = (uint32_t)ss_bits_load(bytes + AT_UNIT_BITS, 4),
        .seed_count = (uint32_t)ss_bits_load(bytes + AT_SEED_COUNT, 4)};
    for (uint32_t i = 0; i < out->seed_count; i++)
        out->seeds[i] =
            (uint32_t)ss_bits_load(bytes + AT_SEEDS + 4 * (size_t)i, 4);
}

bool ss_manifest_is_valid(const ss_manifest *manifest)
{
    return manifest->segment_bytes >= 4096 &&
           manifest->segment_bytes <= UINT64_C(1) << 40 &&
           (manifest->normalise == SEENSET_QUEUE_NORMALISE_OFF ||
            manifest->normalise == SEENSET_QUEUE_NORMALISE_URL);
}

/* A later version may give these bytes a meaning. */
static bool is_reserved_zero(const uint8_t *bytes)
{
    uint8_t version = bytes[sizeof magic];
    if (version == 1)
        return (ss_bits_load(bytes + 28, 4) | ss_bits_load(bytes + 60, 4) |
                ss_bits_load(bytes + 72, 8) | ss_bits_load(bytes + 80, 4)) == 0;
    uint64_t kind = ss_bits_load(bytes + 28, 4);
    return (kind == KIND_FILTER || kind == KIND_EXACT) &&
           (ss_bits_load(bytes + 60, 4) & ~(uint64_t)SEENSET_FLAG_SLIDING) ==
               0 &&
           ss_bits_load(bytes + 120, 4) == 0 &&
           (version >= WITH_ARGUMENTS ||
            (ss_bits_load(bytes + 92, 4) | ss_bits_load(bytes + 104, 8) |
             ss_bits_load(bytes + 112, 8)) == 0);
}

/* The hash that the set's kind has: of version 1 always the same one. A version
 * 6 always has arguments, and no other version has any. */
static bool is_known_hash(const ss_manifest *manifest, uint8_t version)
{
    bool has_scheme = manifest->set.scheme > SEENSET_SCHEME_CHAIN;
    uint32_t of_scheme = ss_key_hash_for_scheme(manifest->set.scheme);
    if (version == 1)
        return manifest->hash == SS_HASH_XXH3_64;
    if (version == WITH_ARGUMENTS ||
        (version > WITH_ARGUMENTS &&
         ss_arguments_are_given(&manifest->arguments)))
        return !manifest->is_exact &&
               ss_arguments_are_given(&manifest->arguments) &&
               manifest->hash ==
                   (has_scheme ? of_scheme : SS_HASH_XXH3_64_SEEDED);
    if (manifest->is_exact || has_scheme)
        return manifest->hash ==
               (manifest->is_exact ? SS_HASH_OF_SCHEME : of_scheme);
    return manifest->hash == SS_HASH_XXH3_64 ||
           manifest->hash == SS_HASH_SIPHASH_2_4_128;
}

/* Is it as long as it must be, and with the checksum of all that? */
static bool is_whole(const uint8_t *bytes, size_t size_bytes)
{
    uint8_t version = bytes[sizeof magic];
    uint64_t seed_count = 0;
    if (version >= WITH_ARGUMENTS && size_bytes >= SS_MANIFEST_2_BYTES)
        seed_count = ss_bits_load(bytes + AT_SEED_COUNT, 4);
    return seed_count <= SS_SCHEME_MAX_INDICES &&
           size_bytes == bytes_of(version, (uint32_t)seed_count) &&
           ss_bits_load(bytes + size_bytes - 4, 4) ==
               ss_crc32c(bytes, size_bytes - 4);
}

/* What each version may say of the log and the states. */
static bool is_known_log(uint8_t version, uint64_t log_version)
{
    if (version == WITH_RUNS)
        return log_version == DELAYED_IN_RUNS;
    if (version == POLITE)
        return log_version >= 5 && log_version <= DELAYED_IN_RUNS;
    return log_version <= 5 && log_version >= (version == 1 ? 1 : 2);
}

int ss_manifest_decode(ss_manifest *out, const uint8_t *bytes,
                       size_t size_bytes)
{
    ss_manifest manifest;
    if (size_bytes < sizeof magic + 1 ||
        memcmp(bytes, magic, sizeof magic) != 0)
        return SEENSET_EFORMAT;
    uint8_t version = bytes[sizeof magic];
    uint64_t log_version = version;
    if (version < 1 || version > WITH_RUNS)
        return SEENSET_EVERSION;
    if (!is_whole(bytes, size_bytes))
        return SEENSET_EDAMAGED;
    decode_common(&manifest, bytes);
    if (version > 1)
        decode_version_2(&manifest, bytes);
    if (version >= WITH_ARGUMENTS) {
        decode_arguments(&manifest.arguments, bytes);
        log_version = ss_bits_load(bytes + AT_LOG_VERSION, 4);
    }
    manifest.is_extended = log_version >= 3;
    manifest.has_untried = log_version >= 4;
    manifest.has_turns = log_version >= 5;
    manifest.is_polite = version == POLITE;
    manifest.has_moved = manifest.is_polite && log_version >= WITH_MOVED;
    manifest.has_runs = log_version >= DELAYED_IN_RUNS;
    if (manifest.is_polite &&
        !ss_rules_decode(&manifest.rules,
                         bytes + size_bytes - 4 - SS_RULES_BYTES))
        return SEENSET_EDAMAGED;
    if (!is_known_hash(&manifest, version))
        return SEENSET_EHASH;
    if (!is_reserved_zero(bytes) || !is_known_log(version, log_version))
        return SEENSET_EVERSION;
    if (!ss_manifest_is_valid(&manifest))
        return SEENSET_EDAMAGED;
    *out = manifest;
    return SEENSET_OK;
}
