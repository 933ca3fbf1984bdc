/*
 * answer.c - what follows from the record of a filter: the answer for a key, in
 * the file's own bytes, and a set.
 */
#include "base/inlining.h"
#include "foreign/foreign.h"
#include "hash/key_hash.h"
#include "set/set.h"
#include "table/split_block/split_block.h"

static const ss_scheme_arguments none = {0};

/* Whatever is wrong: the arguments, or the filter. */
static int check(const seenset_foreign *file, uint32_t filter)
{
    if (file == NULL || filter >= file->info.filter_count)
        return SEENSET_EINVAL;
    return file->filters[filter].error;
}

static bool is_length(const seenset_foreign_filter *of, size_t key_len)
{
    static const uint8_t lengths[] = {[SEENSET_VALUE_INT32] = 4,
                                      [SEENSET_VALUE_INT64] = 8,
                                      [SEENSET_VALUE_INT96] = 12,
                                      [SEENSET_VALUE_FLOAT] = 4,
                                      [SEENSET_VALUE_DOUBLE] = 8};
    if (of->value_type == SEENSET_VALUE_BYTES)
        return true;
    return key_len == (of->value_type == SEENSET_VALUE_FIXED
                           ? of->value_bytes
                           : lengths[of->value_type]);
}

enum {
    NEAR_BITS = 1 << 21, /* a quarter of a MiB: the second-level cache has it */
    GROUP_PLACES = 1024, /* of all keys of a group; at least four keys */
    GROUP_KEYS = 64
};

/* A filter that is asked, and can be. */
typedef struct asked {
    const seenset_foreign_filter *of;
    const uint8_t *bits;
    unsigned turn; /* of a byte's number: 7 where words are big-endian */
    const ss_scheme *scheme;
    ss_scheme_arguments arguments;
    ss_key_hash identity; /* of a scheme that hashes a key once */
    bool is_far;          /* its bits may be in no cache */
} asked;

static int ask(asked *out, const seenset_foreign *file, uint32_t filter)
{
    *out = (asked){.of = &file->filters[filter],
                   .turn = file->format->has_big_words ? 7 : 0};
    out->bits = file->bytes + out->of->bits_offset;
    out->arguments.seed = out->of->seed;
    out->is_far = out->of->size_bits > NEAR_BITS;
    out->scheme = ss_scheme_find(out->of->scheme);
    return out->scheme->indices != NULL
               ? SEENSET_OK
               : ss_key_hash_make(&out->identity, out->of->scheme, NULL, &none);
}

/* ---- a filter whose bits a scheme names ---- */

static const uint8_t *byte_of(const asked *from, uint64_t index)
{
    return &from->bits[(index / 8) ^ from->turn];
}

static void find_places(const asked *from, const seenset_key *keys,
                        size_t count, uint64_t *places)
{
    const ss_scheme *scheme = from->scheme;
    uint64_t size_bits = from->of->size_bits;
    uint32_t each = from->of->hash_count;
    if (scheme->indices_of_many != NULL) {
        scheme->indices_of_many(&from->arguments, keys, count, size_bits, each,
                                places);
        return;
    }
    for (size_t i = 0; i < count; i++)
        scheme->indices(&from->arguments, keys[i].data, keys[i].len, size_bits,
                        each, places + i * each);
}

static void fetch(const asked *from, const uint64_t *places)
{
    for (uint32_t i = 0; i < from->of->hash_count; i++)
        SS_PREFETCH(byte_of(from, places[i]));
}

static SS_ALWAYS_INLINE bool are_set(const asked *from, const uint64_t *places)
{
    unsigned bits = 1;
    for (uint32_t i = 0; i < from->of->hash_count; i++)
        bits &= (unsigned)(*byte_of(from, places[i]) >> places[i] % 8);
    return bits & 1;
}

static void has_by_places(const asked *from, const seenset_key *keys,
                          size_t count, uint8_t *is_seen)
{
    uint64_t places[GROUP_PLACES];
    uint32_t each = from->of->hash_count;
    find_places(from, keys, count, places);
    for (size_t i = 0; i < count && from->is_far; i++)
        fetch(from, places + i * each);
    for (size_t i = 0; i < count; i++)
        is_seen[i] = are_set(from, places + i * each);
}

/* ---- a filter of split blocks, one of which a key's hash chooses ---- */

static void has_by_hashes(const asked *from, const seenset_key *keys,
                          size_t count, uint8_t *is_seen)
{
    uint64_t hashes[GROUP_KEYS];
    uint64_t blocks = from->of->size_bits / SS_SPLIT_BLOCK_BITS;
    ss_key_hash_many(&from->identity, keys, count, hashes);
    for (size_t i = 0; i < count && from->is_far; i++) {
        const uint8_t *block =
            from->bits +
            ss_split_block_of(hashes[i], blocks) * SS_SPLIT_BLOCK_BYTES;
        SS_PREFETCH(block);
        SS_PREFETCH(block + SS_SPLIT_BLOCK_BYTES - 1);
    }
    ss_split_block_best()->has_bytes(from->bits, blocks, hashes, count,
                                     is_seen);
}

/* ---- keys ---- */

static bool is_key(const asked *from, const seenset_key *key)
{
    return (key->data != NULL || key->len == 0) &&
           is_length(from->of, key->len);
}

/* A group that is asked at a time. Returns 0, or SEENSET_EINVAL before any
 * answer of it. */
static int has_group(const asked *from, const seenset_key *keys, size_t count,
                     uint8_t *is_seen)
{
    for (size_t i = 0; i < count; i++)
        if (!is_key(from, &keys[i]))
            return SEENSET_EINVAL;
    if (from->scheme->indices == NULL)
        has_by_hashes(from, keys, count, is_seen);
    else
        has_by_places(from, keys, count, is_seen);
    return SEENSET_OK;
}

/* As many keys as have room for their places. */
static size_t group_of(const asked *from)
{
    size_t most = GROUP_PLACES / from->of->hash_count;
    return most < GROUP_KEYS ? most : GROUP_KEYS;
}

static int has_groups(const asked *from, const seenset_key *keys,
                      size_t key_count, uint8_t *is_seen)
{
    int error = SEENSET_OK;
    size_t most = group_of(from);
    for (size_t done = 0; error == SEENSET_OK && done < key_count;) {
        size_t left = key_count - done;
        size_t count = left < most ? left : most;
        error = has_group(from, keys + done, count, is_seen + done);
        done += count;
    }
    return error;
}

/* The keys of a format that answers itself. */
static int has_keys(const seenset_foreign *file, const seenset_key *keys,
                    size_t count, uint8_t *is_seen)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].data == NULL && keys[i].len > 0)
            return SEENSET_EINVAL;
    return file->format->has_keys(file, keys, count, is_seen);
}

int seenset_foreign_has(const seenset_foreign *file, uint32_t filter,
                        const void *key, size_t key_len)
{
    asked from;
    uint8_t is_seen = 0;
    const seenset_key wanted = {.data = key, .len = key_len};
    int error = check(file, filter);
    if (error != SEENSET_OK)
        return error;
    if (file->format->has_keys != NULL) {
        error = has_keys(file, &wanted, 1, &is_seen);
        return error != SEENSET_OK ? error : is_seen;
    }
    error = ask(&from, file, filter);
    if (error == SEENSET_OK)
        error = has_group(&from, &wanted, 1, &is_seen);
    return error != SEENSET_OK ? error : is_seen;
}

int seenset_foreign_has_many(const seenset_foreign *file, uint32_t filter,
                             const seenset_key *keys, size_t key_count,
                             uint8_t *is_seen)
{
    asked from;
    int error = check(file, filter);
    if (error != SEENSET_OK)
        return error;
    if (key_count > 0 && (keys == NULL || is_seen == NULL))
        return SEENSET_EINVAL;
    if (file->format->has_keys != NULL)
        return has_keys(file, keys, key_count, is_seen);
    error = ask(&from, file, filter);
    return error != SEENSET_OK ? error
                               : has_groups(&from, keys, key_count, is_seen);
}

void ss_foreign_turn_words(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = ss_bits_load(from + i, 8);
        ss_bits_store(to + i, 8, __builtin_bswap64(word));
    }
}

/* With the capacity that the file says, unless no table has such a one. bits is
 * as a table has them. */
static int set_of(seenset **out, const seenset_foreign *file,
                  const seenset_foreign_filter *of, const uint8_t *bits,
                  size_t bytes)
{
    const seenset_scheme_arguments arguments = {.seed = of->seed};
    seenset_options options = {.layout = of->layout,
                               .scheme = of->scheme,
                               .scheme_arguments = &arguments,
                               .size_bits = of->size_bits,
                               .hash_count = of->hash_count,
                               .capacity_items = of->capacity_items,
                               .flags = SEENSET_FLAG_ANY_RATE,
                               .allocator =
                                   file->memory.allocator.allocate == NULL
                                       ? NULL
                                       : &file->memory.allocator};
    int error = seenset_from_bits(out, &options, bits, bytes);
    if (error == SEENSET_OK || error == SEENSET_ENOMEM ||
        of->capacity_items == 0)
        return error;
    options.capacity_items = 0;
    return seenset_from_bits(out, &options, bits, bytes);
}

/* The same of bits in another order: a copy is in that of a table. */
static int set_of_turned(seenset **out, const seenset_foreign *file,
                         const seenset_foreign_filter *of, const uint8_t *bits,
                         size_t bytes)
{
    ss_memory memory = file->memory;
    uint8_t *turned = ss_memory_alloc(&memory, bytes, 1);
    if (turned == NULL)
        return SEENSET_ENOMEM;
    ss_foreign_turn_words(turned, bits, bytes);
    int error = set_of(out, file, of, turned, bytes);
    ss_memory_free(&memory, turned, bytes, 1);
    return error;
}

int seenset_foreign_set(seenset **out, const seenset_foreign *file,
                        uint32_t filter)
{
    int error = out == NULL ? SEENSET_EINVAL : check(file, filter);
    if (error != SEENSET_OK)
        return error;
    if (file->format->has_keys != NULL)
        return SEENSET_EUNSUPPORTED;
    const seenset_foreign_filter *of = &file->filters[filter];
    const uint8_t *bits = file->bytes + of->bits_offset;
    size_t bytes = (size_t)((of->size_bits + 7) / 8);
    error = file->format->has_big_words
                ? set_of_turned(out, file, of, bits, bytes)
                : set_of(out, file, of, bits, bytes);
    if (error == SEENSET_OK && of->added_items > 0)
        (*out)->generations[0].added_items = of->added_items;
    return error;
}
