/* foreign_tables.c - see foreign_tables.h */
#include "foreign_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BYTES = 4096,
    TRAILER_BYTES = 5,
    PART_BYTES = 40
};

typedef struct writer {
    uint8_t at[MOST_BYTES];
    size_t count;
} writer;

/* A block of names and values, being written. */
typedef struct block {
    writer to;
    char last[64]; /* name */
} block;

typedef struct place {
    size_t first, bytes;
} place;

static void put(writer *to, const void *bytes, size_t count)
{
    assert_true(to->count + count <= MOST_BYTES);
    memcpy(to->at + to->count, bytes, count);
    to->count += count;
}

static void put_fixed(writer *to, unsigned size_bytes, uint64_t value)
{
    uint8_t bytes[8];
    test_store(bytes, size_bytes, value);
    put(to, bytes, size_bytes);
}

static void put_number(writer *to, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put_fixed(to, 1, 128 | (value & 127));
    put_fixed(to, 1, value);
}

static void put_place(writer *to, place of)
{
    put_number(to, of.first);
    put_number(to, of.bytes);
}

/* Names come in order, and share what they can. */
static void put_entry(block *to, const char *name, const void *value,
                      size_t bytes)
{
    size_t shared = 0, length = strlen(name);
    while (name[shared] != '\0' && name[shared] == to->last[shared])
        shared++;
    put_number(&to->to, shared);
    put_number(&to->to, length - shared);
    put_number(&to->to, bytes);
    put(&to->to, name + shared, length - shared);
    put(&to->to, value, bytes);
    assert_true(length < sizeof to->last);
    memcpy(to->last, name, length + 1);
}

static place put_block(writer *to, const writer *from, unsigned compression)
{
    static const uint8_t sum[4] = {1, 2, 3, 4}; /* which nobody checks */
    place of = {.first = to->count, .bytes = from->count};
    put(to, from->at, from->count);
    put_fixed(to, 1, compression);
    put(to, sum, sizeof sum);
    return of;
}

/* One entry begins anew, the first. */
static place end_block(writer *to, block *from, unsigned compression)
{
    put_fixed(&from->to, 4, 0);
    put_fixed(&from->to, 4, 1);
    return put_block(to, &from->to, compression);
}

/* ---- filters ---- */

size_t foreign_table_key(char out[16], int i)
{
    return (size_t)snprintf(out, 16, "table %d", i);
}

/* The bits of keys first to end - 1. */
static void put_bits(writer *to, seenset_scheme scheme, uint64_t size_bits,
                     int first, int end)
{
    uint8_t bits[FOREIGN_TABLE_LINES * 64];
    size_t size_bytes = sizeof bits;
    seenset *set =
        test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                    .scheme = scheme,
                                    .hash_count = FOREIGN_TABLE_HASHES,
                                    .size_bits = size_bits});
    for (int i = first; i < end; i++) {
        char key[16];
        size_t length = foreign_table_key(key, i);
        assert_true(seenset_add(set, key, length) >= 0);
    }
    assert_int_equal(seenset_to_bits(set, bits, &size_bytes), SEENSET_OK);
    put(to, bits, size_bytes);
    seenset_free(set);
}

static void put_leveldb_filters(writer *to)
{
    uint32_t offsets[4] = {0};
    for (int part = 0; part < 3; part++) {
        offsets[part] = (uint32_t)to->count;
        if (part == 1)
            continue;
        put_bits(to, SEENSET_SCHEME_LEVELDB, FOREIGN_TABLE_BITS, 20 * part,
                 20 * part + 40);
        put_fixed(to, 1, FOREIGN_TABLE_HASHES);
    }
    offsets[3] = (uint32_t)to->count;
    for (int i = 0; i < 4; i++)
        put_fixed(to, 4, offsets[i]);
    put_fixed(to, 1, 11);
}

static void put_rocksdb_filter(writer *to, bool is_legacy)
{
    put_bits(to,
             is_legacy ? SEENSET_SCHEME_ROCKSDB_LEGACY : SEENSET_SCHEME_ROCKSDB,
             FOREIGN_TABLE_LINES * 512, 0, FOREIGN_TABLE_KEYS);
    if (is_legacy) {
        put_fixed(to, 1, FOREIGN_TABLE_HASHES);
        put_fixed(to, 4, FOREIGN_TABLE_LINES);
        return;
    }
    put_fixed(to, 1, 0xff);
    put_fixed(to, 1, 0);
    put_fixed(to, 1, FOREIGN_TABLE_HASHES);
    put_fixed(to, 2, 0);
}

static place put_filter(writer *to, const foreign_table *how)
{
    writer filter = {.count = 0};
    if (how->is_rocksdb)
        put_rocksdb_filter(&filter, how->is_legacy);
    else
        put_leveldb_filters(&filter);
    if (how->tail_at > 0)
        filter.at[filter.count - how->tail_at] = (uint8_t)how->tail;
    return put_block(to, &filter, how->compression);
}

static place put_properties(writer *to, bool has_prefixes)
{
    static const uint8_t keys[1] = {FOREIGN_TABLE_KEYS};
    static const uint8_t entries[2] = {0xac, 2}; /* 300 */
    block properties = {.last = ""};
    put_entry(&properties, "rocksdb.block.based.table.whole.key.filtering",
              has_prefixes ? "0" : "1", 1);
    put_entry(&properties, "rocksdb.num.entries", entries, sizeof entries);
    put_entry(&properties, "rocksdb.num.filter_entries", keys, sizeof keys);
    return end_block(to, &properties, 0);
}

/* ---- the file ---- */

static place put_metaindex(writer *to, const foreign_table *how)
{
    block metaindex = {.last = ""};
    writer filter = {.count = 0}, properties = {.count = 0};
    const char *name = how->is_rocksdb ? "fullfilter.rocksdb.BuiltinBloomFilter"
                                       : "filter.leveldb.BuiltinBloomFilter2";
    if (how->name != NULL)
        name = how->name;
    put_place(&filter, put_filter(to, how));
    if (!how->has_no_filter)
        put_entry(&metaindex, name, filter.at, filter.count);
    if (how->is_rocksdb) {
        put_place(&properties, put_properties(to, how->has_prefixes));
        put_entry(&metaindex, "rocksdb.properties", properties.at,
                  properties.count);
    }
    return end_block(to, &metaindex, how->meta_compression);
}

/* The middle of a footer, of 40 bytes. */
static void put_places(writer *to, const foreign_table *how, place metaindex,
                       bool is_short)
{
    size_t end = to->count + PART_BYTES;
    metaindex.first += how->farther;
    if (is_short) {
        put_fixed(to, 4, 0x007a003e);
        put_fixed(to, 8, 0);
        put_fixed(to, 4, metaindex.bytes + how->farther);
    } else {
        put_place(to, metaindex);
        put_place(to, (place){0, 8});
    }
    while (to->count < end)
        put_fixed(to, 1, 0);
}

static void put_footer(writer *to, const foreign_table *how, place metaindex)
{
    uint32_t version = how->version == 0 ? 5 : how->version;
    uint64_t magic = how->is_rocksdb ? UINT64_C(0x88e241b785f4cff7)
                                     : UINT64_C(0xdb4775248b80fb57);
    if (how->is_rocksdb)
        put_fixed(to, 1, 4);
    put_places(to, how, metaindex, how->is_rocksdb && version >= 6);
    if (how->is_rocksdb)
        put_fixed(to, 4, version);
    put_fixed(to, 8, how->magic == 0 ? magic : how->magic);
}

uint8_t *foreign_table_make(const foreign_table *how, size_t *size_bytes)
{
    static const uint8_t data[32] = {0}; /* blocks that nobody reads */
    writer to = {.count = 0};
    put(&to, data, sizeof data);
    place metaindex = put_metaindex(&to, how);
    put_footer(&to, how, metaindex);
    uint8_t *exact = malloc(to.count);
    assert_non_null(exact);
    memcpy(exact, to.at, to.count);
    *size_bytes = to.count;
    return exact;
}
