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
    VERSION = 8,
    HEADER_BYTES = 12,
    GENERATION_COUNT = 48,
    HEADER_CHECKSUM = 120,
    /* from the start of a generation's record */
    PAYLOAD_OFFSET = 40,
    PAYLOAD_BYTES = 48,
    PAYLOAD_CHECKSUM = 56
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

static void *write_set(const seenset *set, size_t *size_bytes)
{
    *size_bytes = 0;
    must(seenset_write_bytes(set, NULL, size_bytes) == SEENSET_ESPACE);
    void *written = malloc(*size_bytes);
    must(written != NULL);
    must(seenset_write_bytes(set, written, size_bytes) == 0);
    return written;
}

/* What is written is what was read. A set that came in a later version than it
 * needed is written in the one it needs, and again the same from that. */
static void write_back(const seenset *set, const uint8_t *bytes,
                       size_t size_bytes)
{
    size_t written_bytes, again_bytes;
    uint8_t *written = write_set(set, &written_bytes);
    if (ss_bits_load(written + VERSION, 4) ==
        ss_bits_load(bytes + VERSION, 4)) {
        must(written_bytes == size_bytes);
        must(memcmp(written, bytes, size_bytes) == 0);
    }
    seenset *reread = NULL;
    must(seenset_open_bytes(&reread, written, written_bytes,
                            SEENSET_OPEN_COPY) == 0);
    uint8_t *again = write_set(reread, &again_bytes);
    must(again_bytes == written_bytes);
    must(memcmp(again, written, written_bytes) == 0);
    seenset_free(reread);
    free(again);
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

static void open_copy(const uint8_t *bytes, size_t size_bytes)
{
    seenset *set = NULL;
    if (seenset_open_bytes(&set, bytes, size_bytes, SEENSET_OPEN_COPY) != 0)
        return;
    ask(set);
    write_back(set, bytes, size_bytes);
    int added = seenset_add(set, "key", 3);
    must(added == 0 || added == 1 || added == SEENSET_EFULL ||
         added == SEENSET_ENOMEM || added == SEENSET_ERATE ||
         added == SEENSET_ETOOBIG);
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

/* A small set of any kind with a few keys, as bytes; 0 without room. */
static size_t write_seed_set(uint8_t *data, size_t max_size_bytes,
                             unsigned seed)
{
    seenset_options options = {
        .layout = (seenset_layout)(1 + seed % 3),
        .on_full = (seenset_on_full)(seed >> 2 & 3),
        .capacity_items = 1 + (seed >> 4) % 100,
    };
    if (options.layout == SEENSET_COUNTING && options.on_full > SEENSET_REFUSE)
        options.on_full = SEENSET_REFUSE;
    else if ((seed >> 11) % 3 == 0 && options.layout != SEENSET_COUNTING)
        options.on_full = SEENSET_ROTATE;
    if (options.on_full == SEENSET_ROTATE)
        options.window_seconds = seed >> 13 & 1 ? 1000000000 : 0;
    seenset *set = NULL;
    must(seenset_new(&set, &options) == 0);
    for (unsigned i = 0; i < (seed >> 14) % 300; i++)
        must(seenset_add_hash(set, ss_hash_key(&i, sizeof i)) <= 1);
    size_t size_bytes = max_size_bytes;
    int error = seenset_write_bytes(set, data, &size_bytes);
    seenset_free(set);
    return error == 0 ? size_bytes : 0;
}

/* The header's length, where its count of generations lets it be believed and
 * the bytes hold it; else that of version 1. */
static size_t header_bytes_of(const uint8_t *data, size_t size_bytes)
{
    uint64_t claimed = ss_bits_load(data + HEADER_BYTES, 4);
    uint64_t count = ss_bits_load(data + GENERATION_COUNT, 4);
    bool is_sound = ss_bits_load(data + VERSION, 4) > 1 && count > 0 &&
                    claimed == SS_HEADER_FIXED_BYTES + 128 * count &&
                    claimed <= size_bytes;
    return is_sound ? (size_t)claimed : (size_t)SS_HEADER_BYTES;
}

/* Each payload that lies inside the bytes, then the header. */
static void repair(uint8_t *data, size_t size_bytes)
{
    size_t header_bytes = header_bytes_of(data, size_bytes);
    size_t step = header_bytes == SS_HEADER_BYTES ? 64 : 128;
    for (size_t at = SS_HEADER_FIXED_BYTES; at < header_bytes; at += step) {
        uint64_t offset = ss_bits_load(data + at + PAYLOAD_OFFSET, 8);
        uint64_t bytes = ss_bits_load(data + at + PAYLOAD_BYTES, 8);
        if (offset <= size_bytes && bytes <= size_bytes - offset)
            ss_bits_store(data + at + PAYLOAD_CHECKSUM, 8,
                          ss_hash_key(data + offset, (size_t)bytes));
    }
    memset(data + HEADER_CHECKSUM, 0, 8);
    ss_bits_store(data + HEADER_CHECKSUM, 8, ss_hash_key(data, header_bytes));
}

/* Zero, one, all ones, a single bit or a neighbour, in one 4-byte field. */
static void change_field(uint8_t *data, size_t size_bytes, unsigned seed)
{
    size_t fields = header_bytes_of(data, size_bytes) / 4;
    uint8_t *field = data + seed % fields * 4;
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
        change_field(data, size_bytes, (unsigned)(random >> 16));
    else
        size_bytes = LLVMFuzzerMutate(data, size_bytes, max_size_bytes);
    if (size_bytes >= SS_HEADER_BYTES && (random >> 9) % 16 != 0)
        repair(data, size_bytes);
    return size_bytes;
}
