/* harness.c - what the fuzzers share; the idea is in harness.h */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "hash/key_hash.h"
#include "hash/xxh3.h"

enum {
    MOST_BYTES = 8 << 20,
    POOL_BLOCKS = 4,
    POOL_LEAST_BYTES = 128 << 10
};

void fuzz_must(bool is_so, const char *rule)
{
    if (is_so)
        return;
    dprintf(STDERR_FILENO, "fuzz: broken: %s\n", rule);
    abort();
}

uint64_t fuzz_number(fuzz_bytes *from, unsigned size_bytes)
{
    unsigned there =
        from->left < size_bytes ? (unsigned)from->left : size_bytes;
    uint64_t value = ss_bits_load(from->at, there);
    from->at += there;
    from->left -= there;
    return value;
}

unsigned fuzz_below(fuzz_bytes *from, unsigned limit)
{
    return (unsigned)fuzz_number(from, 1) % limit;
}

const uint8_t *fuzz_take(fuzz_bytes *from, size_t size_bytes, size_t *given)
{
    const uint8_t *taken = from->at;
    *given = from->left < size_bytes ? from->left : size_bytes;
    from->at += *given;
    from->left -= *given;
    return taken;
}

/* ---- memory ---- */

/* Large blocks that were given back, for the next call that wants one of that
 * size: to map them again each time takes longer than all the rest. */
typedef struct pool {
    void *blocks[POOL_BLOCKS];
    size_t sizes[POOL_BLOCKS];
} pool;

static void *allocate(void *context, size_t size_bytes, size_t alignment_bytes)
{
    pool *kept = context;
    void *memory = NULL;
    if (size_bytes > MOST_BYTES)
        return NULL;
    for (int i = 0; i < POOL_BLOCKS; i++) {
        if (kept->sizes[i] == size_bytes) {
            kept->sizes[i] = 0;
            return kept->blocks[i];
        }
    }
    if (alignment_bytes < sizeof(void *))
        alignment_bytes = sizeof(void *);
    return posix_memalign(&memory, alignment_bytes, size_bytes) == 0 ? memory
                                                                     : NULL;
}

static void release(void *context, void *memory, size_t size_bytes)
{
    pool *kept = context;
    for (int i = 0; size_bytes >= POOL_LEAST_BYTES && i < POOL_BLOCKS; i++) {
        if (kept->sizes[i] == 0) {
            kept->blocks[i] = memory;
            kept->sizes[i] = size_bytes;
            return;
        }
    }
    free(memory);
}

seenset_allocator fuzz_allocator(void)
{
    static pool kept;
    return (seenset_allocator){allocate, release, &kept};
}

/* ---- files ---- */

void fuzz_put_file(const ss_io *io, const char *path, const void *bytes,
                   size_t size_bytes)
{
    int fd = io->open(io->context, path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    fuzz_must(fd >= 0 && ss_io_write_all(io, fd, bytes, size_bytes) &&
                  io->close(io->context, fd) == 0,
              "a file can be written");
}

/* ---- sets ---- */

uint8_t *fuzz_bytes_of(const seenset *set, size_t *size_bytes)
{
    *size_bytes = 0;
    fuzz_must(seenset_write_bytes(set, NULL, size_bytes) == SEENSET_ESPACE,
              "a set reports how many bytes it takes");
    uint8_t *bytes = malloc(*size_bytes);
    fuzz_must(bytes != NULL, "there is memory for a small set");
    fuzz_must(seenset_write_bytes(set, bytes, size_bytes) == SEENSET_OK,
              "a set can be written");
    return bytes;
}

/* Where docs/format.md puts them. */
enum {
    AT_VERSION = 8,
    AT_HASH = 24,
    AT_SCHEME = 28,
    AT_HASH_CHECK = 32,
    AT_SUMS_OFFSET = 96,
    AT_SUMS_BYTES = 104,
    AT_SUMS_CHECKSUM = 112,
    AT_CHECKSUM = 120,
    AT_HEADER_BYTES = 12,
    AT_COUNT = 48,
    /* in a table's record */
    AT_PAYLOAD_OFFSET = 40,
    AT_PAYLOAD_BYTES = 48,
    AT_PAYLOAD_CHECKSUM = 56
};

/* Indices for the scheme "caller"; some past the end, which must be safe. */
static void index_key(void *context, const void *key, size_t key_len,
                      uint64_t size_bits, uint32_t hash_count,
                      uint64_t *indices)
{
    (void)context;
    uint64_t x = ss_hash_key(key, key_len);
    for (uint32_t i = 0; i < hash_count; i++, x = ss_hash_step(x))
        indices[i] = x % 5 == 0 ? x : ss_hash_range(x, size_bits);
}

void fuzz_opening_for(fuzz_opening *opening, const uint8_t *bytes,
                      size_t size_bytes, uint32_t flags)
{
    *opening = (fuzz_opening){.allocator = fuzz_allocator(),
                              .secret = "a secret for all"};
    opening->options = (seenset_open_options){.flags = flags,
                                              .allocator = &opening->allocator};
    if (size_bytes < SS_HEADER_FIXED_BYTES)
        return;
    if (ss_bits_load(bytes + AT_HASH, 4) == SS_HASH_SIPHASH_2_4_128)
        opening->options.secret = opening->secret;
    if (ss_bits_load(bytes + AT_SCHEME, 4) == SS_SCHEME_CALLER)
        opening->options.index_function = index_key;
}

/* Version 4's arguments of a scheme, where the header has room for them. */
static void read_arguments(ss_scheme_arguments *out, const uint8_t *bytes,
                           size_t size_bytes,
                           uint32_t seeds[SEENSET_MAX_HASH_COUNT])
{
    uint64_t at = 128 + 128 * ss_bits_load(bytes + AT_COUNT, 4);
    uint64_t end = ss_bits_load(bytes + AT_HEADER_BYTES, 4);
    if (ss_bits_load(bytes + AT_VERSION, 4) != 4 || end > size_bytes ||
        at + 64 > end)
        return;
    uint64_t count = ss_bits_load(bytes + at + 12, 4);
    out->seed = ss_bits_load(bytes + at, 8);
    out->unit_bits = (uint32_t)ss_bits_load(bytes + at + 8, 4);
    if (count == 0 || count > SEENSET_MAX_HASH_COUNT ||
        at + 16 + 4 * count > end)
        return;
    for (uint64_t i = 0; i < count; i++)
        seeds[i] = (uint32_t)ss_bits_load(bytes + at + 16 + 4 * i, 4);
    out->seeds = seeds;
    out->seed_count = (uint32_t)count;
}

static void repair_hash_check(uint8_t *bytes, size_t size_bytes)
{
    fuzz_opening opening;
    ss_key_hash identity;
    uint32_t seeds[SEENSET_MAX_HASH_COUNT];
    uint32_t scheme = (uint32_t)ss_bits_load(bytes + AT_SCHEME, 4);
    fuzz_opening_for(&opening, bytes, SS_HEADER_FIXED_BYTES, 0);
    ss_scheme_arguments arguments = {
        .caller = {opening.options.index_function, NULL}};
    read_arguments(&arguments, bytes, size_bytes, seeds);
    if (ss_key_hash_make(&identity, scheme, opening.options.secret,
                         &arguments) == SEENSET_OK)
        ss_bits_store(bytes + AT_HASH_CHECK, 8, ss_key_hash_check(&identity));
}

static void repair_payload(uint8_t *bytes, size_t size_bytes, uint8_t *record)
{
    uint64_t from = ss_bits_load(record + AT_PAYLOAD_OFFSET, 8);
    uint64_t length = ss_bits_load(record + AT_PAYLOAD_BYTES, 8);
    if (from <= size_bytes && length <= size_bytes - from)
        ss_bits_store(record + AT_PAYLOAD_CHECKSUM, 8,
                      ss_hash_key(bytes + from, (size_t)length));
}

/* The table of sums, where the header has it, from version 3 on. */
static void repair_sums(uint8_t *bytes, size_t size_bytes)
{
    ss_header header;
    seenset_file_report report;
    uint64_t from = ss_bits_load(bytes + AT_SUMS_OFFSET, 8);
    uint64_t length = ss_bits_load(bytes + AT_SUMS_BYTES, 8);
    uint64_t version = ss_bits_load(bytes + AT_VERSION, 4);
    if (version < 3 || version > 4 || from > size_bytes ||
        length > size_bytes - from)
        return;
    /* each block's, where the rest of the header is sound */
    int error =
        ss_header_decode(&header, bytes, size_bytes, size_bytes, &report);
    for (uint32_t i = 0; error == SEENSET_OK && i < header.generation_count;
         i++) {
        const ss_table_record *record = &header.records[i];
        uint64_t block = record->first_block;
        for (uint64_t at = 0; at < record->payload_bytes;
             at += SS_BLOCK_BYTES, block++) {
            uint64_t left = record->payload_bytes - at;
            const uint8_t *of = bytes + record->payload_offset + at;
            uint64_t sum = ss_block_sum(
                block, of,
                left < SS_BLOCK_BYTES ? (size_t)left : (size_t)SS_BLOCK_BYTES);
            ss_bits_store(bytes + from + block * SS_SUM_BYTES, 8, sum);
        }
    }
    ss_bits_store(bytes + AT_SUMS_CHECKSUM, 8,
                  ss_hash_key(bytes + from, (size_t)length));
}

static void repair_header(uint8_t *bytes, size_t header_bytes)
{
    memset(bytes + AT_CHECKSUM, 0, 8);
    ss_bits_store(bytes + AT_CHECKSUM, 8, ss_hash_key(bytes, header_bytes));
}

void fuzz_repair_set(uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < SS_HEADER_FIXED_BYTES)
        return;
    size_t header_bytes = ss_header_claimed_bytes(bytes);
    size_t step = ss_bits_load(bytes + AT_VERSION, 4) == 1 ? 64 : 128;
    if (header_bytes > size_bytes || header_bytes < SS_HEADER_FIXED_BYTES)
        return;
    repair_hash_check(bytes, size_bytes);
    for (size_t at = SS_HEADER_FIXED_BYTES; at + step <= header_bytes;
         at += step)
        repair_payload(bytes, size_bytes, bytes + at);
    repair_header(bytes, header_bytes);
    repair_sums(bytes, size_bytes);
    repair_header(bytes, header_bytes);
}
