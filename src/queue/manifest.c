/*
 * queue_manifest.c - the manifest to bytes and back, and what agrees with it.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/manifest.h"

#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "hash/xxh3.h"
#include "queue/handle.h"
#include "set/set.h"

enum {
    AT_CRC = 84
};

static const uint8_t magic[8] = {'S', 'E', 'E', 'N', 'Q', 'U', 'E', 1};

void ss_manifest_encode(const ss_manifest *manifest,
                        uint8_t bytes[SS_MANIFEST_BYTES])
{
    uint64_t rate_bits;
    memset(bytes, 0, SS_MANIFEST_BYTES);
    memcpy(bytes, magic, sizeof magic);
    memcpy(&rate_bits, &manifest->set.fp_rate, sizeof rate_bits);
    ss_bits_store(bytes + 8, 4, manifest->log_id);
    ss_bits_store(bytes + 12, 4, SS_HASH_XXH3_64);
    ss_bits_store(bytes + 16, 4, (uint32_t)manifest->normalise);
    ss_bits_store(bytes + 20, 4, (uint32_t)manifest->set.layout);
    ss_bits_store(bytes + 24, 4, (uint32_t)manifest->set.on_full);
    ss_bits_store(bytes + 32, 8, manifest->set.capacity_items);
    ss_bits_store(bytes + 40, 8, rate_bits);
    ss_bits_store(bytes + 48, 8, manifest->set.size_bits);
    ss_bits_store(bytes + 56, 4, manifest->set.hash_count);
    ss_bits_store(bytes + 64, 8, manifest->segment_bytes);
    ss_bits_store(bytes + AT_CRC, 4, ss_crc32c(bytes, AT_CRC));
}

static void decode_fields(ss_manifest *out, const uint8_t *bytes)
{
    uint64_t rate_bits = ss_bits_load(bytes + 40, 8);
    *out = (ss_manifest){
        .log_id = (uint32_t)ss_bits_load(bytes + 8, 4),
        .normalise = (seenset_queue_normalise)ss_bits_load(bytes + 16, 4),
        .segment_bytes = ss_bits_load(bytes + 64, 8),
        .set = {.layout = (seenset_layout)ss_bits_load(bytes + 20, 4),
                .on_full = (seenset_on_full)ss_bits_load(bytes + 24, 4),
                .capacity_items = ss_bits_load(bytes + 32, 8),
                .size_bits = ss_bits_load(bytes + 48, 8),
                .hash_count = (uint32_t)ss_bits_load(bytes + 56, 4)}};
    memcpy(&out->set.fp_rate, &rate_bits, sizeof rate_bits);
}

/* What a manifest says about the log; the set checks its own part. */
static bool is_valid(const ss_manifest *manifest)
{
    return manifest->segment_bytes >= 4096 &&
           manifest->segment_bytes <= UINT64_C(1) << 40 &&
           (manifest->normalise == SEENSET_QUEUE_NORMALISE_OFF ||
            manifest->normalise == SEENSET_QUEUE_NORMALISE_URL);
}

/* Bytes that a later version may give a meaning. */
static bool is_reserved_zero(const uint8_t *bytes)
{
    return (ss_bits_load(bytes + 28, 4) | ss_bits_load(bytes + 60, 4) |
            ss_bits_load(bytes + 72, 8) | ss_bits_load(bytes + 80, 4)) == 0;
}

int ss_manifest_decode(ss_manifest *out, const uint8_t *bytes,
                       size_t size_bytes)
{
    ss_manifest manifest;
    if (size_bytes < sizeof magic || memcmp(bytes, magic, 7) != 0)
        return SEENSET_EFORMAT;
    if (bytes[7] != magic[7])
        return SEENSET_EVERSION;
    if (size_bytes != SS_MANIFEST_BYTES ||
        ss_bits_load(bytes + AT_CRC, 4) != ss_crc32c(bytes, AT_CRC))
        return SEENSET_EDAMAGED;
    if (ss_bits_load(bytes + 12, 4) != SS_HASH_XXH3_64)
        return SEENSET_EHASH;
    if (!is_reserved_zero(bytes))
        return SEENSET_EVERSION;
    decode_fields(&manifest, bytes);
    if (!is_valid(&manifest))
        return SEENSET_EDAMAGED;
    *out = manifest;
    return SEENSET_OK;
}

/* Decodes bytes, and asks whether there can be such a set at all. */
static int decode_possible(ss_manifest *out, const uint8_t *bytes,
                           size_t size_bytes)
{
    ss_set_spec design;
    int error = ss_manifest_decode(out, bytes, size_bytes);
    if (error == SEENSET_OK && ss_set_specify(&design, &out->set) != SEENSET_OK)
        return SEENSET_EDAMAGED;
    return error;
}

int ss_manifest_read(ss_manifest *out, const ss_directory *folder,
                     const ss_memory *memory, seenset_queue_report *report)
{
    uint8_t *bytes;
    size_t size_bytes;
    int error = ss_directory_read(folder, memory, SS_FOLDER_MANIFEST, &bytes,
                                  &size_bytes);
    if (error != SEENSET_OK)
        return error;
    error = decode_possible(out, bytes, size_bytes);
    ss_memory_free(memory, bytes, size_bytes, 1);
    if (error != SEENSET_OK)
        ss_report_refuse(report, error, SS_FOLDER_MANIFEST, 0,
                         error == SEENSET_EDAMAGED
                             ? "the file is damaged; bring back a copy of it"
                             : seenset_strerror(error));
    return error;
}

/* Does a manifest have a place for all that is asked for? */
static bool can_hold(const seenset_options *set)
{
    return set->scheme <= SEENSET_SCHEME_CHAIN && set->secret == NULL &&
           set->index_function == NULL && set->flags == 0 &&
           set->counter_bits == 0 && set->window_generations == 0 &&
           set->window_seconds == 0;
}

int ss_manifest_from_options(ss_manifest *out,
                             const seenset_queue_options *options)
{
    *out = (ss_manifest){.normalise = options->normalise,
                         .segment_bytes = options->segment_bytes,
                         .set = options->set};
    out->set.allocator = NULL;
    if (out->segment_bytes == 0)
        out->segment_bytes = UINT64_C(64) << 20;
    if (out->normalise == SEENSET_QUEUE_NORMALISE_DEFAULT)
        out->normalise = SEENSET_QUEUE_NORMALISE_OFF;
    if (!is_valid(out))
        return SEENSET_EINVAL;
    ss_set_spec design;
    return can_hold(&out->set) ? ss_set_specify(&design, &out->set)
                               : SEENSET_EUNSUPPORTED;
}

/* 0 means that the caller does not care */
static bool agrees(uint64_t stored, uint64_t asked)
{
    return asked == 0 || asked == stored;
}

bool ss_manifest_agrees(const ss_manifest *manifest,
                        const seenset_queue_options *options)
{
    const seenset_options *stored = &manifest->set, *asked = &options->set;
    return agrees((uint64_t)manifest->normalise,
                  (uint64_t)options->normalise) &&
           agrees(manifest->segment_bytes, options->segment_bytes) &&
           can_hold(asked) &&
           agrees((uint64_t)stored->layout, (uint64_t)asked->layout) &&
           agrees((uint64_t)stored->on_full, (uint64_t)asked->on_full) &&
           agrees(stored->capacity_items, asked->capacity_items) &&
           agrees(stored->size_bits, asked->size_bits) &&
           agrees(stored->hash_count, asked->hash_count) &&
           (asked->fp_rate == 0.0 || asked->fp_rate == stored->fp_rate);
}
