/*
 * rocksdb.c - the filter of a table of RocksDB, one for the whole of it.
 *
 *     bits       lines of 64 bytes
 *     k          a byte; ff: what follows says it, fe: a Ribbon filter
 *     before format_version 5:     lines, in 4 bytes
 *     from format_version 5 on:    0; k (5 bits) and, above it, 0 for lines of
 *                                  64 bytes; 0 0
 *
 * The properties, a block of names and values, say whether the filter has whole
 * keys: a table with a prefix extractor may have prefixes alone.
 *
 * RocksDB, table/block_based/filter_policy.cc.
 */
#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/sst.h"

enum {
    TAIL_BYTES = 5,
    LINE_BYTES = 64,
    IS_NEWER = 0xff,
    IS_RIBBON = 0xfe,
    MOST_NEWER = 30,
    MOST_LEGACY = 127
};

/* What the properties say. */
typedef struct properties {
    uint64_t entries, filter_entries;
    bool has_no_keys; /* prefixes alone */
    bool is_damaged;
} properties;

static uint64_t number_of(ss_sst_walk *walk)
{
    ss_thrift from = {.at = walk->value,
                      .end = walk->value + walk->value_bytes};
    uint64_t number = ss_thrift_number(&from);
    if (from.is_bad || number > SEENSET_MAX_SIZE_BITS)
        ss_thrift_fail(&walk->from);
    return number;
}

static properties read_properties(const ss_sst *of)
{
    properties found = {0};
    if (of->properties.end == 0)
        return found;
    ss_sst_walk walk = ss_sst_walk_of(of, of->properties);
    while (ss_sst_next(&walk)) {
        if (ss_sst_is_name(&walk, "rocksdb.num.entries"))
            found.entries = number_of(&walk);
        else if (ss_sst_is_name(&walk, "rocksdb.num.filter_entries"))
            found.filter_entries = number_of(&walk);
        else if (ss_sst_is_name(&walk, "rocksdb.block.based.table.whole.key."
                                       "filtering"))
            found.has_no_keys = walk.value_bytes == 1 && walk.value[0] == '0';
    }
    found.is_damaged = walk.from.is_bad;
    return found;
}

/* The five bytes after the bits. NULL, or why they are not read. */
static const char *read_tail(seenset_foreign_filter *out, const uint8_t *tail,
                             uint64_t bytes)
{
    uint8_t first = tail[0];
    out->hash_count = first;
    if (first == IS_RIBBON)
        return "a Ribbon filter";
    if (first == IS_NEWER) {
        out->scheme = SEENSET_SCHEME_ROCKSDB;
        out->hash_count = tail[2] & 31;
        if (tail[1] != 0 || tail[2] >> 5 != 0 || tail[3] != 0 || tail[4] != 0)
            return "a Bloom filter of a kind that is not known";
        return out->hash_count >= 1 && out->hash_count <= MOST_NEWER
                   ? NULL
                   : "a Bloom filter of a kind that is not known";
    }
    if (first == 0 || first > MOST_LEGACY)
        return "a filter of a kind that is not known";
    out->scheme = SEENSET_SCHEME_ROCKSDB_LEGACY;
    return ss_bits_load(tail + 1, 4) * LINE_BYTES == bytes
               ? NULL
               : "the filter's lines have not 64 bytes";
}

static void refuse(seenset_foreign_filter *out, int error, uint64_t offset,
                   const char *reason)
{
    out->error = error;
    out->reason = reason;
    out->reason_offset = offset;
}

static void read_filter(seenset_foreign_filter *out, const ss_sst *of,
                        const properties *known)
{
    uint64_t tail = of->filter.end - TAIL_BYTES;
    uint64_t bytes = tail - of->filter.first;
    *out = (seenset_foreign_filter){.column = "",
                                    .reason = "",
                                    .bits_offset = of->filter.first,
                                    .added_items = known->filter_entries,
                                    .layout = SEENSET_LAYOUT_BLOOM};
    const char *kind = read_tail(out, of->file->bytes + tail, bytes);
    if (known->is_damaged)
        refuse(out, SEENSET_ECORRUPT, of->properties.first,
               "the table's properties are damaged");
    else if (known->has_no_keys)
        refuse(out, SEENSET_EUNSUPPORTED, of->properties.first,
               "it has prefixes of keys, and not the keys");
    else if (kind != NULL)
        refuse(out, SEENSET_EUNSUPPORTED, tail, kind);
    else if (bytes % LINE_BYTES != 0 || bytes > UINT32_MAX)
        refuse(out, SEENSET_ECORRUPT, tail,
               "the filter is not a number of lines");
    else
        out->size_bits = bytes * 8;
}

/* A filter of no bits has no keys, and no record. */
int ss_rocksdb_read(const ss_sst *of, seenset_file_report *report)
{
    bool has_properties = of->properties.end != 0;
    const char *compression =
        has_properties ? ss_sst_compression(of, of->properties) : NULL;
    if (compression != NULL)
        return ss_sst_refuse_filter(of->file, SEENSET_EUNSUPPORTED,
                                    of->properties.first, compression, report);
    properties known = read_properties(of);
    of->file->info.row_count = known.entries;
    if (of->filter.end - of->filter.first <= TAIL_BYTES)
        return SEENSET_OK;
    int error = ss_foreign_make_room(of->file, 1, 0, report);
    if (error == SEENSET_OK)
        read_filter(of->file->filters, of, &known);
    return error;
}
