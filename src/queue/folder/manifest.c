/*
 * manifest.c - what a queue is made of: from the options of a new one, and from
 * the file of one that exists, with what is not in the file.
 */
#include "queue/folder/manifest.h"

#include "hash/key_hash.h"
#include "queue/report.h"
#include "seenset/url.h"
#include "set/options.h"

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
    ss_scheme_arguments arguments = ss_arguments_read(&manifest->arguments);
    arguments.caller = (ss_scheme_caller){.function = set->index_function,
                                          .context = set->index_context};
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
                                SS_MANIFEST_AT_HASH, wrong);
    wrong = wrong_function(&made);
    if (wrong != NULL)
        return ss_report_refuse(report, SEENSET_EHASH, SS_FOLDER_MANIFEST,
                                SS_MANIFEST_AT_HASH, wrong);
    bool is_keyed = made.set.secret != NULL;
    if (compute_check(&made) != SEENSET_OK)
        return SEENSET_EDAMAGED;
    if (ss_manifest_has_check(&made) && made.hash_check != manifest->hash_check)
        return ss_report_refuse(report,
                                is_keyed ? SEENSET_ESECRET : SEENSET_EHASH,
                                SS_FOLDER_MANIFEST, SS_MANIFEST_AT_CHECK,
                                is_keyed ? "the secret is not the queue's"
                                         : "the writer's index function gave "
                                           "other indices");
    *manifest = made;
    return SEENSET_OK;
}

/* ---- reading ---- */

/* Could seenset_new make it? Of one that is there the rate is what it is.
 * *arguments become those of its scheme, as that reads them. */
static int specify(const seenset_options *set, bool is_new,
                   ss_arguments *arguments)
{
    ss_set_spec spec;
    int error = ss_set_specify(&spec, set);
    if (error != SEENSET_OK)
        return error;
    ss_arguments_keep(arguments, &spec.kind.identity.arguments);
    ss_key_hash_wipe(&spec.kind.identity);
    return is_new ? ss_set_check_rate(&spec, set) : SEENSET_OK;
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
           !ss_arguments_are_asked(set->scheme_arguments) &&
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

/* With the set of one that was read, and its arguments. */
static int specify_made(const ss_manifest *made)
{
    const seenset_scheme_arguments lent = ss_arguments_lend(&made->arguments);
    seenset_options set = made->set;
    ss_arguments read;
    if (made->is_exact)
        return specify_exact(&set);
    set.scheme_arguments = &lent;
    return specify(&set, false, &read);
}

/* With the set that is asked for; its arguments are the manifest's then. */
static int specify_new(ss_manifest *made, bool is_any_rate)
{
    seenset_options *set = &made->set;
    int error = made->is_exact ? specify_exact(set)
                               : specify(set, !is_any_rate, &made->arguments);
    set->scheme_arguments = NULL;
    return error;
}

/* Decodes the bytes, and checks that there can be such a set. */
static int decode_possible(ss_manifest *out, const uint8_t *bytes,
                           size_t size_bytes, const seenset_options *given,
                           seenset_queue_report *report)
{
    int error = ss_manifest_decode(out, bytes, size_bytes);
    if (error == SEENSET_OK)
        error = adopt(out, given, report);
    if (error == SEENSET_OK && specify_made(out) != SEENSET_OK)
        return SEENSET_EDAMAGED;
    return error;
}

int ss_manifest_read(ss_manifest *out, const ss_folder *folder,
                     const ss_memory *memory, const seenset_options *given,
                     seenset_queue_report *report)
{
    uint8_t *bytes;
    size_t size_bytes;
    seenset_queue_report own = {0};
    int error =
        ss_folder_read(folder, memory, SS_FOLDER_MANIFEST, &bytes, &size_bytes);
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

/* One thread at a time uses the set of a queue, so none shares it. */
static bool is_for_queues(const seenset_options *set)
{
    return (set->flags & SEENSET_FLAG_SHARED) == 0;
}

/* A build without the libraries for URLs normalises none (url/none.c). */
static bool can_normalise(void)
{
    size_t none = 0;
    return seenset_url_normalise("", 0, NULL, &none, NULL) !=
           SEENSET_EUNSUPPORTED;
}

/* Flags that do not describe the set. */
static const uint32_t of_handle = SEENSET_FLAG_ZEROED | SEENSET_FLAG_ANY_RATE;

int ss_manifest_from_options(ss_manifest *out,
                             const seenset_queue_options *options)
{
    ss_manifest made = {.normalise = options->normalise,
                        .segment_bytes = options->segment_bytes,
                        .is_exact =
                            (options->flags & SEENSET_QUEUE_EXACT) != 0};
    if (options->set != NULL)
        made.set = *options->set;
    made.set.allocator = NULL; /* this and what it is like are of the handle */
    bool is_any_rate = (made.set.flags & SEENSET_FLAG_ANY_RATE) != 0;
    made.set.flags &= ~of_handle;
    made.set.at_capacity = NULL; /* of the handle: open.c */
    made.set.at_capacity_context = NULL;
    if (needs_rate(&made.set) && !made.is_exact)
        made.set.fp_rate = default_rate;
    if (made.segment_bytes == 0)
        made.segment_bytes = UINT64_C(64) << 20;
    if (made.normalise == SEENSET_QUEUE_NORMALISE_DEFAULT)
        made.normalise = SEENSET_QUEUE_NORMALISE_OFF;
    if (!ss_manifest_is_valid(&made))
        return SEENSET_EINVAL;
    if (!is_for_queues(&made.set))
        return SEENSET_EUNSUPPORTED;
    if (made.normalise == SEENSET_QUEUE_NORMALISE_URL && !can_normalise())
        return SEENSET_EUNSUPPORTED;
    if (options->politeness != NULL) {
        if (!ss_rules_are_supported(options->politeness))
            return SEENSET_EUNSUPPORTED;
        made.rules = ss_rules_of(options->politeness);
        made.is_extended = made.has_untried = made.has_turns = true;
        made.is_polite = true;
    }
    int error = specify_new(&made, is_any_rate);
    if (error == SEENSET_OK)
        error = compute_check(&made);
    if (error == SEENSET_OK)
        *out = made;
    return error;
}
