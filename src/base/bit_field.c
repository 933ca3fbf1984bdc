/* bit_field.c - bits in bytes of the caller's (seenset/extra/bits.h) */
#include <stdbool.h>

#include "base/bits.h"
#include "seenset/extra/bits.h"

static bool is_inside(const uint8_t *bytes, size_t size_bytes, uint64_t index)
{
    return bytes != NULL && index / 8 < size_bytes;
}

static uint8_t mask_of(uint64_t index)
{
    return (uint8_t)(1u << index % 8);
}

int seenset_bits_set(uint8_t *bytes, size_t size_bytes, uint64_t index)
{
    if (!is_inside(bytes, size_bytes, index))
        return SEENSET_EINVAL;
    bytes[index / 8] |= mask_of(index);
    return SEENSET_OK;
}

int seenset_bits_clear(uint8_t *bytes, size_t size_bytes, uint64_t index)
{
    if (!is_inside(bytes, size_bytes, index))
        return SEENSET_EINVAL;
    bytes[index / 8] &= (uint8_t)~mask_of(index);
    return SEENSET_OK;
}

int seenset_bits_toggle(uint8_t *bytes, size_t size_bytes, uint64_t index)
{
    if (!is_inside(bytes, size_bytes, index))
        return SEENSET_EINVAL;
    bytes[index / 8] ^= mask_of(index);
    return SEENSET_OK;
}

int seenset_bits_test(const uint8_t *bytes, size_t size_bytes, uint64_t index)
{
    if (!is_inside(bytes, size_bytes, index))
        return SEENSET_EINVAL;
    return (bytes[index / 8] & mask_of(index)) != 0;
}

int seenset_bits_count(const uint8_t *bytes, size_t size_bytes,
                       uint64_t *set_count)
{
    if (set_count == NULL || (bytes == NULL && size_bytes > 0))
        return SEENSET_EINVAL;
    uint64_t found = 0;
    size_t at = 0;
    for (; size_bytes - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        found += ss_bits_count(word);
    }
    for (; at < size_bytes; at++)
        found += ss_bits_count(bytes[at]);
    *set_count = found;
    return SEENSET_OK;
}

int seenset_bits_print(const uint8_t *bytes, size_t size_bytes, char *text,
                       size_t *text_bytes)
{
    if (text_bytes == NULL || (bytes == NULL && size_bytes > 0) ||
        (text == NULL && *text_bytes > 0) || size_bytes > (SIZE_MAX - 1) / 8)
        return SEENSET_EINVAL;
    size_t needed = 8 * size_bytes + 1;
    bool is_room = *text_bytes >= needed;
    *text_bytes = needed;
    if (!is_room)
        return SEENSET_ESPACE;
    for (size_t i = 0; i < needed - 1; i++)
        text[i] = (bytes[i / 8] & mask_of(i)) != 0 ? '1' : '0';
    text[needed - 1] = '\0';
    return SEENSET_OK;
}
