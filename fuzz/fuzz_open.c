/*
 * fuzz_open.c - any bytes at all, opened as a set.
 *
 * The bytes go into memory of exactly their size, so that the sanitizer sees
 * a read past either end. What opens must work like any set: answer, count,
 * take keys when it is a copy, and write itself back byte for byte.
 *
 * Checksums would keep a fuzzer outside for ever. So the mutator starts from
 * a whole set and, most of the time, repairs both checksums after a change:
 * what remains to be doubted are the fields, and those are what is tested.
 */
#define _GNU_SOURCE

#include <seenset/seenset.h>

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "hash.h"
#include "header.h"

/* Where docs/format.md puts the checksums. */
enum {
    HEADER_CHECKSUM = 120,
    PAYLOAD_CHECKSUM = SS_HEADER_FIXED_BYTES + 56
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_bytes,
                               size_t max_size_bytes, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size_bytes,
                        size_t max_size_bytes);

static void must(int is_so)
{
    if (!is_so)
        abort();
}

static void write_back(const seenset *set, const void *bytes, size_t size_bytes)
{
    size_t room_bytes = 0;
    must(seenset_write_bytes(set, NULL, &room_bytes) == SEENSET_ESPACE);
    must(room_bytes == size_bytes);
    void *written = malloc(room_bytes);
    must(written != NULL);
    must(seenset_write_bytes(set, written, &room_bytes) == 0);
    must(memcmp(written, bytes, size_bytes) == 0);
    free(written);
}

static void ask(const seenset *set)
{
    seenset_stats stats;
    must(seenset_get_stats(set, &stats) == 0);
    must(stats.set_bits <= stats.size_bits);
    for (uint64_t hash = 1; hash != 0; hash <<= 1) {
        int is_seen = seenset_has_hash(set, hash);
        must(is_seen == 0 || is_seen == 1);
    }
}

static void open_copy(const void *bytes, size_t size_bytes)
{
    seenset *set = NULL;
    if (seenset_open_bytes(&set, bytes, size_bytes, SEENSET_OPEN_COPY) != 0)
        return;
    ask(set);
    write_back(set, bytes, size_bytes);
    int added = seenset_add(set, "key", 3);
    must(added == 0 || added == 1 || added == SEENSET_EFULL);
    must(added < 0 || seenset_has(set, "key", 3) == 1);
    seenset_free(set);
}

/* A view checks no payload; whatever the bits are, it must answer. */
static void open_view(const void *bytes, size_t size_bytes)
{
    seenset *set = NULL;
    if (seenset_open_bytes(&set, bytes, size_bytes, SEENSET_OPEN_VIEW) != 0)
        return;
    ask(set);
    must(seenset_add(set, "key", 3) == SEENSET_EREADONLY);
    seenset_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    void *bytes = NULL;
    must(posix_memalign(&bytes, 64, size_bytes) == 0);
    if (size_bytes > 0)
        memcpy(bytes, data, size_bytes);
    open_view(bytes, size_bytes);
    open_copy(bytes, size_bytes);
    free(bytes);
    return 0;
}

/* A small set of either layout with a few keys, as bytes; 0 without room. */
static size_t write_seed_set(uint8_t *data, size_t max_size_bytes,
                             unsigned seed)
{
    seenset_options options = {
        .layout = seed & 1 ? SEENSET_BLOCKED : SEENSET_BLOOM,
        .on_full = seed & 2 ? SEENSET_DEGRADE : SEENSET_REFUSE,
        .capacity_items = 1 + (seed >> 2) % 100,
    };
    seenset *set = NULL;
    must(seenset_new(&set, &options) == 0);
    must(seenset_add(set, &seed, sizeof seed) == 1);
    size_t size_bytes = max_size_bytes;
    int error = seenset_write_bytes(set, data, &size_bytes);
    seenset_free(set);
    return error == 0 ? size_bytes : 0;
}

static void repair(uint8_t *data, size_t size_bytes)
{
    ss_bits_store(
        data + PAYLOAD_CHECKSUM, 8,
        ss_hash_key(data + SS_HEADER_BYTES, size_bytes - SS_HEADER_BYTES));
    memset(data + HEADER_CHECKSUM, 0, 8);
    ss_bits_store(data + HEADER_CHECKSUM, 8,
                  ss_hash_key(data, SS_HEADER_BYTES));
}

/* Zero, one, all ones, a single bit or a neighbour, in one 4-byte field. */
static void change_field(uint8_t *data, unsigned seed)
{
    uint8_t *field = data + seed % (SS_HEADER_BYTES / 4) * 4;
    uint64_t old = ss_bits_load(field, 4);
    const uint64_t values[] = {
        0, 1, UINT32_MAX, UINT64_C(1) << (seed >> 20 & 31), old + 1, old - 1,
    };
    ss_bits_store(field, 4, values[(seed >> 8) % 6]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_bytes,
                               size_t max_size_bytes, unsigned seed)
{
    uint64_t random = ss_hash_key(&seed, sizeof seed);
    if (size_bytes < SS_HEADER_BYTES || random % 64 == 0)
        size_bytes = write_seed_set(data, max_size_bytes, seed);
    if (size_bytes >= SS_HEADER_BYTES && random >> 8 & 1)
        change_field(data, (unsigned)(random >> 16));
    else
        size_bytes = LLVMFuzzerMutate(data, size_bytes, max_size_bytes);
    if (size_bytes >= SS_HEADER_BYTES && (random >> 9) % 16 != 0)
        repair(data, size_bytes);
    return size_bytes;
}
