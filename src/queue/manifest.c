/*
 * manifest.c - the manifest to bytes and back, and whether options agree.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/manifest.h"

#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "hash/key_hash.h"
#include "queue/report.h"
#include "set/options.h"

enum {
    AT_HASH = 12,
    AT_HASH_CHECK = 96
};

/* Of byte 28 in version 2. */
enum {
    KIND_FILTER = 1,
    KIND_EXACT = 2
};

static const uint8_t magic[7] = {'S', 'E', 'E', 'N', 'Q', 'U', 'E'};

/* ---- bytes ---- */

/* Is there a field for all of it in version 1? */
static bool is_version_1(const ss_manifest *manifest)
{
    const seenset_options *set = &manifest->set;
    return !manifest->is_extended && !manifest->is_exact &&
           manifest->hash == SS_HASH_XXH3_64 &&
           set->scheme <= SEENSET_SCHEME_CHAIN && set->flags == 0 &&
           set->counter_bits == 0 && set->window_generations == 0 &&
           set->window_seconds == 0;
}

/* What both versions have. */
static void encode_common(const ss_manifest *manifest, uint8_t *bytes)
{
    uint64_t rate_bits;
    memcpy(bytes, magic, sizeof magic);
    memcpy(&rate_bits, &manifest->set.fp_rate, sizeof rate_bits);
    ss_bits_store(bytes + 8, 4, manifest->log_id);
    ss_bits_store(bytes + AT_HASH, 4, manifest->hash);
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
    ss_bits_store(bytes + AT_HASH_CHECK, 8, manifest->hash_check);
}

size_t ss_manifest_encode(const ss_manifest *manifest, uint8_t *bytes)
{
    bool is_first = is_version_1(manifest);
    size_t size_bytes = is_first ? SS_MANIFEST_BYTES : SS_MANIFEST_2_BYTES;
    memset(bytes, 0, size_bytes);
    bytes[sizeof magic] = is_first ? 1 : manifest->is_extended ? 3 : 2;
    encode_common(manifest, bytes);
    if (!is_first)
        encode_version_2(manifest, bytes);
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
        .hash = (uint32_t)ss_bits_load(bytes + AT_HASH, 4),
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
    out->hash_check = ss_bits_load(bytes + AT_HASH_CHECK, 8);
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
static bool is_reserved_zero(const uint8_t *bytes, bool is_first)
{
    if (is_first)
        return (ss_bits_load(bytes + 28, 4) | ss_bits_load(bytes + 60, 4) |
                ss_bits_load(bytes + 72, 8) | ss_bits_load(bytes + 80, 4)) == 0;
    uint64_t kind = ss_bits_load(bytes + 28, 4);
    return (kind == KIND_FILTER || kind == KIND_EXACT) &&
           (ss_bits_load(bytes + 60, 4) & ~(uint64_t)SEENSET_SLIDING) == 0 &&
           (ss_bits_load(bytes + 92, 4) | ss_bits_load(bytes + 104, 8) |
            ss_bits_load(bytes + 112, 8) | ss_bits_load(bytes + 120, 4)) == 0;
}

/* The hash that the set's kind has: of version 1 always the same one. */
static bool is_known_hash(const ss_manifest *manifest, bool is_first)
{
    bool has_scheme = manifest->set.scheme > SEENSET_SCHEME_CHAIN;
    if (is_first)
        return manifest->hash == SS_HASH_XXH3_64;
    if (manifest->is_exact || has_scheme)
        return manifest->hash == SS_HASH_OF_SCHEME;
    return manifest->hash == SS_HASH_XXH3_64 ||
           manifest->hash == SS_HASH_SIPHASH_2_4_128;
}

int ss_manifest_decode(ss_manifest *out, const uint8_t *bytes,
                       size_t size_bytes)
{
    ss_manifest manifest;
    if (size_bytes < sizeof magic + 1 ||
        memcmp(bytes, magic, sizeof magic) != 0)
        return SEENSET_EFORMAT;
    uint8_t version = bytes[sizeof magic];
    bool is_first = version == 1;
    size_t wanted = is_first ? SS_MANIFEST_BYTES : SS_MANIFEST_2_BYTES;
    if (version < 1 || version > 3)
        return SEENSET_EVERSION;
    if (size_bytes != wanted ||
        ss_bits_load(bytes + wanted - 4, 4) != ss_crc32c(bytes, wanted - 4))
        return SEENSET_EDAMAGED;
    decode_common(&manifest, bytes);
    if (!is_first)
        decode_version_2(&manifest, bytes);
    manifest.is_extended = version == 3;
    if (!is_known_hash(&manifest, is_first))
        return SEENSET_EHASH;
    if (!is_reserved_zero(bytes, is_first))
        return SEENSET_EVERSION;
    if (!is_valid(&manifest))
        return SEENSET_EDAMAGED;
    *out = manifest;
    return SEENSET_OK;
}

/* ---- the hash of the URLs ---- */

/* What the hash makes of "seenset". 0, or the error of ss_key_hash_make. */
static int compute_check(ss_manifest *manifest)
{
    ss_key_hash identity;
    const seenset_options *set = &manifest->set;
    manifest->hash = SS_HASH_OF_SCHEME;
    manifest->hash_check = 0;
    if (manifest->is_exact)
        return SEENSET_OK;
    const ss_scheme_arguments arguments = {
        .caller = {.function = set->index_function,
                   .context = set->index_context}};
    int error =
        ss_key_hash_make(&identity, set->scheme, set->secret, &arguments);
    if (error != SEENSET_OK)
        return error;
    manifest->hash = identity.hash;
    manifest->hash_check = ss_key_hash_check(&identity);
    ss_key_hash_wipe(&identity);
    return SEENSET_OK;
}

/* What was given to open it with must be what it was made with: the secret...
 */
static const char *wrong_secret(const ss_manifest *manifest)
{
    bool is_keyed = manifest->hash == SS_HASH_SIPHASH_2_4_128;
    if (is_keyed == (manifest->set.secret != NULL))
        return NULL;
    return is_keyed ? "the queue is keyed: its secret is needed"
                    : "the queue is not keyed, and a secret was given";
}

/* ... and the caller's index function. */
static const char *wrong_function(const ss_manifest *manifest)
{
    bool is_caller = manifest->set.scheme == SEENSET_SCHEME_CALLER;
    if (is_caller == (manifest->set.index_function != NULL))
        return NULL;
    return is_caller ? "the index function is the caller's: it is needed"
                     : "the index function is not the caller's, and one was "
                       "given";
}

static int adopt(ss_manifest *manifest, const seenset_options *given,
                 seenset_queue_report *report)
{
    ss_manifest made = *manifest;
    if (given != NULL) {
        made.set.secret = given->secret;
        made.set.index_function = given->index_function;
        made.set.index_context = given->index_context;
    }
    const char *wrong = wrong_secret(&made);
    if (wrong != NULL)
        return ss_report_refuse(report, SEENSET_ESECRET, SS_FOLDER_MANIFEST,
                                AT_HASH, wrong);
    wrong = wrong_function(&made);
    if (wrong != NULL)
        return ss_report_refuse(report, SEENSET_EHASH, SS_FOLDER_MANIFEST,
                                AT_HASH, wrong);
    bool is_keyed = made.set.secret != NULL;
    if (compute_check(&made) != SEENSET_OK)
        return SEENSET_EDAMAGED;
    if (!is_version_1(&made) && made.hash_check != manifest->hash_check)
        return ss_report_refuse(report,
                                is_keyed ? SEENSET_ESECRET : SEENSET_EHASH,
                                SS_FOLDER_MANIFEST, AT_HASH_CHECK,
                                is_keyed ? "the secret is not the queue's"
                                         : "the writer's index function gave "
                                           "other indices");
    *manifest = made;
    return SEENSET_OK;
}

/* ---- reading ---- */

/* Could seenset_new make it? */
static int specify(const seenset_options *set)
{
    ss_set_spec spec;
    int error = ss_set_specify(&spec, set);
    if (error == SEENSET_OK)
        ss_key_hash_wipe(&spec.kind.identity);
    return error;
}

static bool is_rate(double rate)
{
    return rate == 0.0 || (rate > 0.0 && rate < 1.0);
}

/* The options of a set that an exact one can do without. */
static bool can_be_exact(const seenset_options *set)
{
    return set->layout == SEENSET_LAYOUT_DEFAULT &&
           set->on_full != SEENSET_ON_FULL_ROTATE && set->size_bits == 0 &&
           set->hash_count == 0 && set->flags == 0 && set->counter_bits == 0 &&
           set->window_generations == 0 && set->window_seconds == 0 &&
           set->scheme <= SEENSET_SCHEME_CHAIN && set->secret == NULL &&
           set->index_function == NULL;
}

static int specify_exact(const seenset_options *set)
{
    if (!can_be_exact(set))
        return SEENSET_EUNSUPPORTED;
    return is_rate(set->fp_rate) && set->on_full >= SEENSET_ON_FULL_DEFAULT &&
                   set->on_full <= SEENSET_ON_FULL_ROTATE
               ? SEENSET_OK
               : SEENSET_EINVAL;
}

static int specify_any(const ss_manifest *manifest)
{
    return manifest->is_exact ? specify_exact(&manifest->set)
                              : specify(&manifest->set);
}

/* Decodes the bytes, and checks that there can be such a set. */
static int decode_possible(ss_manifest *out, const uint8_t *bytes,
                           size_t size_bytes, const seenset_options *given,
                           seenset_queue_report *report)
{
    int error = ss_manifest_decode(out, bytes, size_bytes);
    if (error == SEENSET_OK)
        error = adopt(out, given, report);
    if (error == SEENSET_OK && specify_any(out) != SEENSET_OK)
        return SEENSET_EDAMAGED;
    return error;
}

int ss_manifest_read(ss_manifest *out, const ss_directory *directory,
                     const ss_memory *memory, const seenset_options *given,
                     seenset_queue_report *report)
{
    uint8_t *bytes;
    size_t size_bytes;
    seenset_queue_report own = {0};
    int error = ss_directory_read(directory, memory, SS_FOLDER_MANIFEST, &bytes,
                                  &size_bytes);
    if (error != SEENSET_OK)
        return error;
    error = decode_possible(out, bytes, size_bytes, given, &own);
    ss_memory_free(memory, bytes, size_bytes, 1);
    if (error != SEENSET_OK && own.reason[0] == '\0')
        ss_report_refuse(&own, error, SS_FOLDER_MANIFEST, 0,
                         error == SEENSET_EDAMAGED
                             ? "the file is damaged; restore a copy of it"
                             : seenset_strerror(error));
    if (error != SEENSET_OK)
        ss_report_refuse(report, error, own.file, own.offset, own.reason);
    return error;
}

/* ---- options ---- */

/* The default false-positive rate of a queue's set: a URL that is dropped by
 * mistake is a page that the crawl never visits. */
static const double default_rate = 1e-6;

/* Is the rate left to us? Not if a size and how it is to be filled are given.
 */
static bool needs_rate(const seenset_options *set)
{
    bool is_size_alone = set->capacity_items == 0 && set->hash_count == 0;
    return set->fp_rate == 0.0 && (set->size_bits == 0 || is_size_alone);
}

/* One thread at a time uses the set of a queue, so none shares it; and the
 * manifest has no field for the arguments of a scheme. */
static bool is_for_queues(const seenset_options *set)
{
    return (set->flags & SEENSET_SHARED) == 0 && set->scheme_arguments == NULL;
}

int ss_manifest_from_options(ss_manifest *out,
                             const seenset_queue_options *options)
{
    ss_manifest made = {.normalise = options->normalise,
                        .segment_bytes = options->segment_bytes,
                        .is_exact = options->exact != 0};
    if (options->set != NULL)
        made.set = *options->set;
    made.set.allocator = NULL; /* this and what it is like are of the handle */
    made.set.flags &= ~SEENSET_ZEROED;
    made.set.at_capacity = NULL; /* of the handle: open.c */
    made.set.at_capacity_context = NULL;
    if (needs_rate(&made.set) && !made.is_exact)
        made.set.fp_rate = default_rate;
    if (made.segment_bytes == 0)
        made.segment_bytes = UINT64_C(64) << 20;
    if (made.normalise == SEENSET_QUEUE_NORMALISE_DEFAULT)
        made.normalise = SEENSET_QUEUE_NORMALISE_OFF;
    if (!is_valid(&made))
        return SEENSET_EINVAL;
    if (!is_for_queues(&made.set))
        return SEENSET_EUNSUPPORTED;
    int error = specify_any(&made);
    if (error == SEENSET_OK)
        error = compute_check(&made);
    if (error == SEENSET_OK)
        *out = made;
    return error;
}

/* 0 means that the caller leaves it to the queue. */
static bool agrees(uint64_t stored, uint64_t asked)
{
    return asked == 0 || asked == stored;
}

/* No scheme, and the one that is called "chain", are the same. */
static bool does_scheme_agree(const seenset_options *stored,
                              const seenset_options *asked)
{
    if (asked->scheme == SEENSET_SCHEME_CHAIN)
        return stored->scheme <= SEENSET_SCHEME_CHAIN;
    return agrees((uint64_t)stored->scheme, (uint64_t)asked->scheme);
}

/* Their secrets and functions have been compared. */
static bool does_set_agree(const seenset_options *stored,
                           const seenset_options *asked)
{
    return (asked->flags & ~(stored->flags | SEENSET_ZEROED)) == 0 &&
           does_scheme_agree(stored, asked) &&
           asked->scheme_arguments == NULL &&
           agrees(stored->counter_bits, asked->counter_bits) &&
           agrees(stored->window_generations, asked->window_generations) &&
           agrees(stored->window_seconds, asked->window_seconds) &&
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
        (options->exact == 0 || manifest->is_exact) &&
        (options->set == NULL || does_set_agree(&manifest->set, options->set));
    return is_alike ? SEENSET_OK : SEENSET_EMISMATCH;
}
