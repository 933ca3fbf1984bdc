/*
 * answer.c - what follows from the record of a filter: the answer for a key, in
 * the file's own bytes, and a set.
 */
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

/* A hash chooses a block of 256 bits, and eight bits of it. */
static int block_has(const seenset_foreign_filter *of, const uint8_t *bits,
                     const void *key, size_t key_len)
{
    ss_key_hash identity;
    int error = ss_key_hash_make(&identity, of->scheme, NULL, &none);
    if (error != SEENSET_OK)
        return error;
    uint64_t hash = ss_key_hash_of(&identity, key, key_len);
    uint64_t blocks = of->size_bits / SS_SPLIT_BLOCK_BITS;
    bits += ss_split_block_of(hash, blocks) * (SS_SPLIT_BLOCK_BITS / 8);
    for (unsigned w = 0; w < SS_SPLIT_BLOCK_WORDS; w++) {
        uint64_t mask = ss_split_block_mask(hash, w);
        if ((ss_bits_load(bits + 8 * w, 8) & mask) != mask)
            return 0;
    }
    return 1;
}

static int indices_have(const seenset_foreign_filter *of,
                        const ss_scheme *scheme, const uint8_t *bits,
                        const void *key, size_t key_len)
{
    uint64_t indices[SEENSET_MAX_HASH_COUNT];
    scheme->indices(&none, key, key_len, of->size_bits, of->hash_count,
                    indices);
    for (uint32_t i = 0; i < of->hash_count; i++)
        if ((bits[indices[i] / 8] >> indices[i] % 8 & 1) == 0)
            return 0;
    return 1;
}

int seenset_foreign_has(const seenset_foreign *file, uint32_t filter,
                        const void *key, size_t key_len)
{
    int error = check(file, filter);
    if (error != SEENSET_OK)
        return error;
    const seenset_foreign_filter *of = &file->filters[filter];
    if ((key == NULL && key_len > 0) || !is_length(of, key_len))
        return SEENSET_EINVAL;
    const uint8_t *bits = file->bytes + of->bits_offset;
    const ss_scheme *scheme = ss_scheme_find(of->scheme);
    return scheme->indices == NULL
               ? block_has(of, bits, key, key_len)
               : indices_have(of, scheme, bits, key, key_len);
}

/* With the capacity that the file says, unless no table has such a one. */
static int set_of(seenset **out, const seenset_foreign *file,
                  const seenset_foreign_filter *of, uint64_t capacity_items)
{
    const seenset_options options = {.layout = of->layout,
                                     .scheme = of->scheme,
                                     .size_bits = of->size_bits,
                                     .hash_count = of->hash_count,
                                     .capacity_items = capacity_items,
                                     .flags = SEENSET_FLAG_ANY_RATE,
                                     .allocator =
                                         file->memory.allocator.allocate == NULL
                                             ? NULL
                                             : &file->memory.allocator};
    return seenset_from_bits(out, &options, file->bytes + of->bits_offset,
                             (size_t)((of->size_bits + 7) / 8));
}

int seenset_foreign_set(seenset **out, const seenset_foreign *file,
                        uint32_t filter)
{
    int error = out == NULL ? SEENSET_EINVAL : check(file, filter);
    if (error != SEENSET_OK)
        return error;
    const seenset_foreign_filter *of = &file->filters[filter];
    error = set_of(out, file, of, of->capacity_items);
    if (error != SEENSET_OK && error != SEENSET_ENOMEM &&
        of->capacity_items > 0)
        error = set_of(out, file, of, 0);
    if (error == SEENSET_OK && of->added_items > 0)
        (*out)->generations[0].added_items = of->added_items;
    return error;
}
