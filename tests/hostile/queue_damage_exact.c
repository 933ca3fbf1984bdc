/*
 * queue_damage_exact.c - damage to a set of the URLs themselves.
 *
 * Its numbers at all their extremes, with the checksums of its header and of
 * each block made right (src/queue/exact.h); and files whose blocks are sound,
 * and are not what the header counts. A URL that it has and the log does not is
 * believed, as one of a filter's bits would be.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdlib.h>
#include <string.h>

#include "queue_damage_rows.h"
#include "base/bits.h"
#include "base/crc32c.h"
#include "forge.h"

enum {
    AT_COUNT = 24,
    AT_BLOCKS = 32,
    HEADER_BYTES = 48,
    BLOCK_HEADER_BYTES = 8,
    MOST_BYTES = 1024 /* of a set here */
};

/* ---- checksums ---- */

static void seal_header(uint8_t *bytes)
{
    ss_bits_store(bytes + HEADER_BYTES - 4, 4,
                  ss_crc32c(bytes, HEADER_BYTES - 4));
}

/* Those that are whole. */
static void seal_blocks(uint8_t *bytes, size_t size_bytes)
{
    size_t at = HEADER_BYTES, block_bytes;
    for (; at + BLOCK_HEADER_BYTES <= size_bytes; at += block_bytes) {
        block_bytes = (size_t)ss_bits_load(bytes + at, 4);
        at += BLOCK_HEADER_BYTES;
        if (block_bytes > size_bytes - at)
            return;
        ss_bits_store(bytes + at - 4, 4, ss_crc32c(bytes + at, block_bytes));
    }
}

/* ---- numbers ---- */

static const damage_field fields[] = {
    {"magic", 0, 8, false},           {"log id", 8, 4, false},
    {"reserved", 12, 4, false},       {"position", 16, 8, false},
    {"URLs", AT_COUNT, 8, false},     {"blocks", AT_BLOCKS, 8, false},
    {"reserved", 40, 4, false},       {"bytes", HEADER_BYTES, 4, false},
    {"length of a URL", 56, 4, false}};

static void make_number(const damage *of, disk *on)
{
    size_t size_bytes;
    uint8_t *bytes =
        damage_bytes(on, of->file, of->at + of->size_bytes, &size_bytes);
    if (bytes == NULL || size_bytes < HEADER_BYTES)
        return;
    ss_bits_store(bytes + of->at, of->size_bytes, of->value);
    seal_header(bytes);
    seal_blocks(bytes, size_bytes);
}

static void list_number(damage_list *to, disk *made, const char *name,
                        const damage_field *field)
{
    size_t size_bytes;
    uint64_t value;
    const uint8_t *bytes = damage_bytes(made, name, 0, &size_bytes);
    assert_true(field->at + field->size_bytes <= size_bytes);
    uint64_t own = ss_bits_load(bytes + field->at, field->size_bytes);
    for (size_t i = 0; test_extreme(i, field->size_bytes, &value); i++) {
        damage row = {.make = make_number,
                      .at = field->at,
                      .size_bytes = field->size_bytes,
                      .value = value};
        char what[sizeof row.what];
        strcpy(row.file, name);
        snprintf(what, sizeof what, "%s: %s (%u) =", name, field->name,
                 field->at);
        if (value != own)
            damage_add_at(to, row, value, what);
    }
}

/* ---- blocks ---- */

/* A block of a URL that is not in the log, after the others. */
typedef struct more_block {
    const char *name;
    const char *bytes; /* a length (4) and that many bytes, repeated */
    size_t size_bytes;
    int more_urls, more_blocks; /* than the header counted before */
} more_block;

static const more_block blocks[] = {
    {"of one URL", "\1\0\0\0u", 5, 1, 1},
    {"of the empty URL", "\0\0\0\0", 4, 1, 1},
    {"of one URL twice", "\1\0\0\0u\1\0\0\0u", 10, 2, 1},
    {"of a URL that is not counted", "\1\0\0\0u", 5, 0, 1},
    {"that is not counted", "\1\0\0\0u", 5, 1, 0},
    {"of fewer URLs than are counted", "\1\0\0\0u", 5, 2, 1},
    {"without a URL", "", 0, 0, 1},
    {"of a URL that is cut", "\2\0\0\0u", 5, 1, 1},
    {"of a length that is cut", "\1\0\0\0u\1\0\0", 8, 2, 1},
};

static void make_block(const damage *of, disk *on)
{
    const more_block *more = of->with;
    uint8_t bytes[MOST_BYTES];
    size_t size_bytes;
    const uint8_t *old = damage_bytes(on, of->file, HEADER_BYTES, &size_bytes);
    if (old == NULL ||
        size_bytes + BLOCK_HEADER_BYTES + more->size_bytes > sizeof bytes)
        return;
    memcpy(bytes, old, size_bytes);
    uint8_t *block = bytes + size_bytes;
    ss_bits_store(block, 4, more->size_bytes);
    memcpy(block + BLOCK_HEADER_BYTES, more->bytes, more->size_bytes);
    size_bytes += BLOCK_HEADER_BYTES + more->size_bytes;
    ss_bits_store(bytes + AT_COUNT, 8,
                  ss_bits_load(bytes + AT_COUNT, 8) +
                      (uint64_t)more->more_urls);
    ss_bits_store(bytes + AT_BLOCKS, 8,
                  ss_bits_load(bytes + AT_BLOCKS, 8) +
                      (uint64_t)more->more_blocks);
    seal_header(bytes);
    seal_blocks(bytes, size_bytes);
    damage_write(on, of->file, bytes, size_bytes);
}

/* A filter with a sound file. */
static void make_filter(const damage *of, disk *on)
{
    size_t size_bytes;
    seenset *set = test_make(damage_plain_set);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    if (disk_name(on, of->file, 0) != NULL)
        damage_write(on, of->file, bytes, size_bytes);
    free(bytes);
    seenset_free(set);
}

void damage_list_exact_sets(damage_list *to, disk *made)
{
    const char *name = disk_last_name(made, "set-");
    for (size_t i = 0; i < TEST_COUNT(fields); i++)
        list_number(to, made, name, &fields[i]);
    for (size_t i = 0; i < TEST_COUNT(blocks); i++) {
        damage row = {.make = make_block, .with = &blocks[i]};
        strcpy(row.file, name);
        damage_add(to, row, "%s and a block %s", name, blocks[i].name);
    }
    damage row = {.make = make_filter};
    strcpy(row.file, name);
    damage_add(to, row, "%s is a filter", name);
}
