/*
 * build_sealed.c - the calls that build a sealed set from all of its keys.
 *
 * All keys must be there at once. In exchange a set takes 1.08 to 1.13 times
 * log2(1/p) bits a key, a quarter less than the best that keys can be added
 * to. Its rate is a power of 1/2 from 2^-4 to 2^-32, however many keys it has.
 */
#include "plan/shape.h"
#include "base/growth.h"
#include "set/options.h"
#include "set/set.h"
#include "table/sealed/build.h"

static const seenset_layout sealed = SEENSET_LAYOUT_SEALED;

typedef struct request {
    ss_memory memory;
    ss_set_params kind;
    unsigned arity;
    double fp_rate;
} request;

static int read_options(request *asked, const seenset_options *options)
{
    static const seenset_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    const ss_layout_traits *layout = ss_layout_find_traits(options->layout);
    bool is_layout = options->layout == SEENSET_LAYOUT_DEFAULT ||
                     (layout != NULL && layout->is_built_once);
    uint32_t k = options->hash_count;
    *asked =
        (request){.arity = k == 0 ? SS_FUSE_DEFAULT_ARITY : k,
                  .fp_rate = options->fp_rate == 0.0 ? 0.01 : options->fp_rate,
                  .kind = {.on_full = SEENSET_ON_FULL_REFUSE}};
    if (!is_layout ||
        (k != 0 && !ss_plan_is_hash_count(ss_layout_find_traits(sealed), k)) ||
        !(asked->fp_rate > 0.0 && asked->fp_rate < 1.0) ||
        options->flags != 0 || options->size_bits != 0 ||
        options->counter_bits != 0 || options->on_full != 0 ||
        options->at_capacity != NULL || options->at_capacity_context != NULL ||
        options->scheme > SEENSET_SCHEME_CHAIN || options->reserved32 != 0 ||
        !SS_GROWTH_IS_UNUSED(options))
        return SEENSET_EINVAL;
    int error = ss_memory_init(&asked->memory, options->allocator);
    if (error == SEENSET_OK)
        error = ss_set_identify(&asked->kind.identity, options);
    return error;
}

/* A set over the table that was built, whose words become the set's. */
static int adopt(seenset **out, request *asked, const ss_fuse *fuse)
{
    seenset *set;
    uint64_t items = fuse->key_count > 0 ? fuse->key_count : 1;
    asked->kind.capacity_items = items;
    asked->kind.fp_rate = asked->fp_rate;
    int error = ss_set_make(&set, &asked->memory, &asked->kind, 1);
    if (error != SEENSET_OK)
        return error;
    ss_table table = ss_set_table(set, sealed, ss_fuse_size_bits(&fuse->shape),
                                  fuse->shape.arity, 1, fuse->words);
    table.fuse = fuse->shape;
    set->generations[0] = (ss_generation){.table = table,
                                          .capacity_items = items,
                                          .fp_rate = asked->fp_rate,
                                          .added_items = fuse->key_count};
    set->generation_count = 1;
    ss_set_choose_kind(set);
    *out = set;
    return SEENSET_OK;
}

static int seal(seenset **out, request *asked, uint64_t *hashes, size_t count,
                const ss_fuse_progress *reported)
{
    uint32_t bits = ss_plan_fingerprint_bits(count, asked->fp_rate);
    if (bits == 0)
        return SEENSET_ERATE;
    ss_fuse fuse;
    int error = ss_fuse_build(&asked->memory, hashes, count, asked->arity, bits,
                              reported, &fuse);
    if (error != SEENSET_OK)
        return error;
    error = adopt(out, asked, &fuse);
    if (error != SEENSET_OK)
        ss_memory_free(&asked->memory, fuse.words,
                       ss_fuse_word_count(&fuse.shape), sizeof *fuse.words);
    return error;
}

int seenset_build_sealed_hashes(seenset **out, const seenset_options *options,
                                uint64_t *hashes, size_t hash_count,
                                seenset_progress_function *progress,
                                void *progress_context)
{
    const ss_fuse_progress reported = {progress, progress_context};
    request asked;
    if (out == NULL || (hashes == NULL && hash_count > 0))
        return SEENSET_EINVAL;
    int error = read_options(&asked, options);
    if (error == SEENSET_OK && !ss_key_hash_is_unkeyed(&asked.kind.identity))
        error = SEENSET_EUNSUPPORTED;
    if (error == SEENSET_OK)
        error = seal(out, &asked, hashes, hash_count, &reported);
    ss_key_hash_wipe(&asked.kind.identity);
    return error;
}

int seenset_build_sealed(seenset **out, const seenset_options *options,
                         const seenset_key *keys, size_t key_count,
                         seenset_progress_function *progress,
                         void *progress_context)
{
    const ss_fuse_progress reported = {progress, progress_context};
    request asked;
    if (out == NULL || !ss_set_are_keys(keys, key_count))
        return SEENSET_EINVAL;
    int error = read_options(&asked, options);
    if (error != SEENSET_OK)
        return error;
    size_t room = key_count > 0 ? key_count : 1;
    uint64_t *hashes = ss_memory_alloc(&asked.memory, room, sizeof *hashes);
    if (hashes == NULL)
        error = SEENSET_ENOMEM;
    for (size_t i = 0; i < key_count && error == SEENSET_OK; i++)
        hashes[i] =
            ss_key_hash_of(&asked.kind.identity, keys[i].data, keys[i].len);
    if (error == SEENSET_OK)
        error = seal(out, &asked, hashes, key_count, &reported);
    ss_memory_free(&asked.memory, hashes, room, sizeof *hashes);
    ss_key_hash_wipe(&asked.kind.identity);
    return error;
}
