/*
 * match.c - how each compressed format begins.
 *
 * gzip: RFC 1952, 2.3.1, with the only method that exists, 8. zstd: RFC 8878,
 * 3.1.1, and 3.1.2 for the skippable frames that parallel compressors begin
 * with. xz: The .xz File Format 1.1.0, 2.1.1.1.
 */
#include "input/format.h"

/* Compares with a magic: its bytes, where the mask has ones. */
static input_match compare(const uint8_t *bytes, size_t size,
                           const uint8_t *magic, const uint8_t *mask,
                           size_t magic_bytes)
{
    size_t count = size < magic_bytes ? size : magic_bytes;
    for (size_t i = 0; i < count; i++)
        if ((bytes[i] & mask[i]) != magic[i])
            return INPUT_NO;
    return size < magic_bytes ? INPUT_MAYBE : INPUT_YES;
}

static const uint8_t whole[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

input_match input_match_gzip(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[3] = {0x1f, 0x8b, 8};
    return compare(bytes, size, magic, whole, sizeof magic);
}

input_match input_match_zstd(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t skipped[4] = {0x50, 0x2a, 0x4d, 0x18};
    static const uint8_t any_of_16[4] = {0xf0, 0xff, 0xff, 0xff};
    input_match match = compare(bytes, size, magic, whole, sizeof magic);
    if (match != INPUT_NO)
        return match;
    return compare(bytes, size, skipped, any_of_16, sizeof skipped);
}

input_match input_match_xz(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    return compare(bytes, size, magic, whole, sizeof magic);
}
