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
                        bool has_big_words, const void *key, size_t key_len)
{
    uint64_t indices[SEENSET_MAX_HASH_COUNT];
    unsigned turn = has_big_words ? 7 : 0;
    scheme->indices(&none, key, key_len, of->size_bits, of->hash_count,
                    indices);
    for (uint32_t i = 0; i < of->hash_count; i++)
        if ((bits[(indices[i] / 8) ^ turn] >> indices[i] % 8 & 1) == 0)
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
               : indices_have(of, scheme, bits, file->format->has_big_words,
                              key, key_len);
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
    seenset_options options = {.layout = of->layout,
                               .scheme = of->scheme,
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
