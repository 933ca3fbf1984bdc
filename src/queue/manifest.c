/*
 * manifest.c - the manifest to bytes and back, and whether options agree.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/manifest.h"

#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "hash/xxh3.h"
#include "queue/report.h"
#include "set/options.h"

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

/* Checks what the manifest says about the log; ss_set_specify checks the set.
 */
static bool is_valid(const ss_manifest *manifest)
{
    return manifest->segment_bytes >= 4096 &&
           manifest->segment_bytes <= UINT64_C(1) << 40 &&
           (manifest->normalise == SEENSET_QUEUE_NORMALISE_OFF ||
            manifest->normalise == SEENSET_QUEUE_NORMALISE_URL);
}

/* A later version may give these bytes a meaning. */
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

/* Decodes the bytes, and checks that there can be such a set. */
static int decode_possible(ss_manifest *out, const uint8_t *bytes,
                           size_t size_bytes)
{
    ss_set_spec spec;
    int error = ss_manifest_decode(out, bytes, size_bytes);
    if (error == SEENSET_OK && ss_set_specify(&spec, &out->set) != SEENSET_OK)
        return SEENSET_EDAMAGED;
    return error;
}

int ss_manifest_read(ss_manifest *out, const ss_directory *directory,
                     const ss_memory *memory, seenset_queue_report *report)
{
    uint8_t *bytes;
    size_t size_bytes;
    int error = ss_directory_read(directory, memory, SS_FOLDER_MANIFEST, &bytes,
                                  &size_bytes);
    if (error != SEENSET_OK)
        return error;
    error = decode_possible(out, bytes, size_bytes);
    ss_memory_free(memory, bytes, size_bytes, 1);
    if (error != SEENSET_OK)
        ss_report_refuse(report, error, SS_FOLDER_MANIFEST, 0,
                         error == SEENSET_EDAMAGED
                             ? "the file is damaged; restore a copy of it"
                             : seenset_strerror(error));
    return error;
}

/* ---- options ---- */

/* The default false-positive rate of a queue's set: a URL that is dropped by
 * mistake is a page that the crawl never visits. */
static const double default_rate = 1e-6;

/*
 * Does the manifest have a field for all that is asked for? A secret, a scheme
 * and a window by age have none yet.
 */
static bool can_hold(const seenset_options *set)
{
    return set->scheme <= SEENSET_SCHEME_CHAIN && set->secret == NULL &&
           set->index_function == NULL && set->flags == 0 &&
           set->counter_bits == 0 && set->window_generations == 0 &&
           set->window_seconds == 0;
}

/* Is the rate left to us? Not if a size and how it is to be filled are given.
 */
static bool needs_rate(const seenset_options *set)
{
    bool is_size_alone = set->capacity_items == 0 && set->hash_count == 0;
    return set->fp_rate == 0.0 && (set->size_bits == 0 || is_size_alone);
}

static int specify(const seenset_options *set)
{
    ss_set_spec spec;
    return can_hold(set) ? ss_set_specify(&spec, set) : SEENSET_EUNSUPPORTED;
}

int ss_manifest_from_options(ss_manifest *out,
                             const seenset_queue_options *options)
{
    ss_manifest made = {.normalise = options->normalise,
                        .segment_bytes = options->segment_bytes};
    if (options->set != NULL)
        made.set = *options->set;
    made.set.allocator = NULL;
    if (needs_rate(&made.set))
        made.set.fp_rate = default_rate;
    if (made.segment_bytes == 0)
        made.segment_bytes = UINT64_C(64) << 20;
    if (made.normalise == SEENSET_QUEUE_NORMALISE_DEFAULT)
        made.normalise = SEENSET_QUEUE_NORMALISE_OFF;
    if (!is_valid(&made))
        return SEENSET_EINVAL;
    int error = specify(&made.set);
    if (error == SEENSET_OK)
        *out = made;
    return error;
}

/* 0 means that the caller leaves it to the queue. */
static bool agrees(uint64_t stored, uint64_t asked)
{
    return asked == 0 || asked == stored;
}

static bool does_set_agree(const seenset_options *stored,
                           const seenset_options *asked)
{
    return can_hold(asked) &&
           agrees((uint64_t)stored->layout, (uint64_t)asked->layout) &&
           agrees((uint64_t)stored->on_full, (uint64_t)asked->on_full) &&
           agrees(stored->capacity_items, asked->capacity_items) &&
           agrees(stored->size_bits, asked->size_bits) &&
           agrees(stored->hash_count, asked->hash_count) &&
           (asked->fp_rate == 0.0 || asked->fp_rate == stored->fp_rate);
}

int ss_manifest_compare(const ss_manifest *manifest,
                        const seenset_queue_options *options)
{
    bool is_alike =
        agrees((uint64_t)manifest->normalise, (uint64_t)options->normalise) &&
        agrees(manifest->segment_bytes, options->segment_bytes) &&
        (options->set == NULL || does_set_agree(&manifest->set, options->set));
    return is_alike ? SEENSET_OK : SEENSET_EMISMATCH;
}
