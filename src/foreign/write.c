/*
 * write.c - a set in the form of its home system: a copy of the file that it
 * came from, or of one like it, with the bits, the number of keys and the
 * seed of the set. So what the format does not know of, the owner's data,
 * stays.
 */
#include <string.h>

#include "foreign/foreign.h"
#include "seenset/seenset.h"

/* Is the set of one table, and that the file's? */
static int check_shape(const seenset_foreign_filter *of, const seenset *set)
{
    seenset_info info;
    seenset_table_info table;
    int error = seenset_get_info(set, &info, sizeof info);
    if (error == SEENSET_OK)
        error = seenset_get_table_info(set, 0, &table, sizeof table);
    if (error != SEENSET_OK)
        return error;
    bool is_same = info.table_count == 1 && info.scheme == of->scheme &&
                   info.layout == of->layout &&
                   table.size_bits == of->size_bits &&
                   table.hash_count == of->hash_count;
    return is_same ? SEENSET_OK : SEENSET_EMISMATCH;
}

/* The bits come after all that can be at fault beside them, so that an error
 * leaves the bytes as they were. Bits after the last are zero in the file, and
 * stay so. */
static int write_over(const seenset_foreign *like, const seenset *set,
                      uint8_t *bytes)
{
    const seenset_foreign_filter *of = like->filters;
    seenset_info info;
    size_t bit_bytes = (size_t)((of->size_bits + 7) / 8);
    uint64_t end = of->bits_offset + bit_bytes;
    int error = seenset_get_info(set, &info, sizeof info);
    if (error != SEENSET_OK)
        return error;
    if (like->format->ends_at_capacity && info.added_items > of->capacity_items)
        return SEENSET_EFULL;
    error = seenset_to_bits(set, bytes + of->bits_offset, &bit_bytes);
    if (error != SEENSET_OK)
        return error;
    if (like->format->has_big_words)
        ss_foreign_turn_words(bytes + of->bits_offset, bytes + of->bits_offset,
                              bit_bytes);
    memcpy(bytes, like->bytes, (size_t)of->bits_offset);
    memcpy(bytes + end, like->bytes + end,
           (size_t)(like->info.file_bytes - end));
    if (like->format->store_items != NULL)
        like->format->store_items(bytes, info.added_items);
    if (like->format->store_seed != NULL)
        like->format->store_seed(bytes, (size_t)like->info.file_bytes,
                                 info.seed);
    return SEENSET_OK;
}

int seenset_foreign_write_bytes(const seenset_foreign *like, const seenset *set,
                                void *bytes, size_t *size_bytes)
{
    if (like == NULL || set == NULL || size_bytes == NULL)
        return SEENSET_EINVAL;
    if (!like->format->is_written || like->info.filter_count != 1 ||
        like->filters[0].error != SEENSET_OK)
        return SEENSET_EUNSUPPORTED;
    int error = check_shape(like->filters, set);
    if (error != SEENSET_OK)
        return error;
    size_t needed = (size_t)like->info.file_bytes;
    bool is_room = bytes != NULL && *size_bytes >= needed;
    error = is_room ? write_over(like, set, bytes) : SEENSET_ESPACE;
    if (error == SEENSET_OK || error == SEENSET_ESPACE)
        *size_bytes = needed;
    return error;
}
