/*
 * sst.c - see sst.h.
 *
 * The footer is the end of the file. LevelDB's, 48 bytes:
 *
 *     metaindex   offset, length: numbers
 *     index       the same
 *     padding     to 40 bytes
 *     magic       8 bytes
 *
 * RocksDB's, 53 bytes, of versions 1 to 5 and from 6 on:
 *
 *     1   checksum    its type             1   checksum    its type
 *     40  as above, without the magic      4   3e 00 7a 00
 *                                          8   sums
 *                                          4   length of the metaindex, which
 *                                              ends where the footer begins
 *                                          24  0
 *     4   version                          4   version
 *     8   magic                            8   magic
 *
 * All is little-endian. RocksDB's first version has LevelDB's footer.
 *
 * LevelDB, doc/table_format.md; RocksDB, table/format.cc.
 */
#include "foreign/sst.h"

#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"

enum {
    MAGIC_BYTES = 8,
    PART_BYTES = 40,
    LEVELDB_FOOTER = PART_BYTES + MAGIC_BYTES,
    VERSION_BYTES = 4,
    ROCKSDB_FOOTER = 1 + PART_BYTES + VERSION_BYTES + MAGIC_BYTES,
    FIRST_VERSION = 1,
    SHORT_VERSION = 6, /* has one length and no offsets */
    LAST_VERSION = 7,
    SHORT_LENGTH = 12 /* of that length, after the checksum's type */
};

static const uint64_t leveldb_magic = UINT64_C(0xdb4775248b80fb57);
static const uint64_t rocksdb_magic = UINT64_C(0x88e241b785f4cff7);
static const uint32_t short_magic = 0x007a003e;

/* Other tables of RocksDB. They have no blocks, and no filters of these. */
static const uint64_t plain_magic = UINT64_C(0x8242229663bf9564);
static const uint64_t cuckoo_magic = UINT64_C(0x926789d0c5f17873);

static uint64_t magic_of(const uint8_t *bytes, size_t size_bytes)
{
    return size_bytes < MAGIC_BYTES
               ? 0
               : ss_bits_load(bytes + size_bytes - MAGIC_BYTES, MAGIC_BYTES);
}

static bool begins_leveldb(const uint8_t *bytes, size_t size_bytes)
{
    return magic_of(bytes, size_bytes) == leveldb_magic;
}

static bool begins_rocksdb(const uint8_t *bytes, size_t size_bytes)
{
    uint64_t magic = magic_of(bytes, size_bytes);
    return magic == rocksdb_magic || magic == plain_magic ||
           magic == cuckoo_magic;
}

/* ---- the footer ---- */

static int find_by_offset(ss_sst_part *out, ss_sst *of, const uint8_t *part,
                          seenset_file_report *report)
{
    ss_thrift from = {.at = part, .end = part + PART_BYTES};
    if (ss_sst_read_part(out, &from, of->limit))
        return SEENSET_OK;
    return ss_header_refuse(report, SEENSET_ECORRUPT,
                            (uint64_t)(part - of->file->bytes),
                            "the footer places the metaindex outside of the "
                            "blocks");
}

static int find_by_length(ss_sst_part *out, ss_sst *of, const uint8_t *part,
                          seenset_file_report *report)
{
    uint64_t bytes = ss_bits_load(part + SHORT_LENGTH, 4);
    if (ss_bits_load(part, 4) != short_magic ||
        of->limit < SS_SST_TRAILER_BYTES ||
        bytes > of->limit - SS_SST_TRAILER_BYTES)
        return ss_header_refuse(report, SEENSET_ECORRUPT, of->limit,
                                "the footer is not one of its version");
    out->end = of->limit - SS_SST_TRAILER_BYTES;
    out->first = out->end - bytes;
    return SEENSET_OK;
}

static int find_in_rocksdb(ss_sst_part *out, ss_sst *of,
                           seenset_file_report *report)
{
    uint64_t size = of->file->info.file_bytes;
    const uint8_t *end = of->file->bytes + size;
    if (magic_of(of->file->bytes, (size_t)size) != rocksdb_magic)
        return ss_header_refuse(report, SEENSET_EUNSUPPORTED,
                                size - MAGIC_BYTES,
                                "a plain or a cuckoo table of RocksDB, which "
                                "has no Bloom filter that is read");
    if (size < ROCKSDB_FOOTER)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size,
                                "the file ends inside the footer");
    of->limit = size - ROCKSDB_FOOTER;
    uint64_t version =
        ss_bits_load(end - MAGIC_BYTES - VERSION_BYTES, VERSION_BYTES);
    if (version < FIRST_VERSION || version > LAST_VERSION)
        return ss_header_refuse(report, SEENSET_EUNSUPPORTED,
                                size - MAGIC_BYTES - VERSION_BYTES,
                                "a version of RocksDB's tables that is not "
                                "known");
    return version < SHORT_VERSION
               ? find_by_offset(out, of, end - ROCKSDB_FOOTER + 1, report)
               : find_by_length(out, of, end - ROCKSDB_FOOTER + 1, report);
}

static int find_in_leveldb(ss_sst_part *out, ss_sst *of,
                           seenset_file_report *report)
{
    uint64_t size = of->file->info.file_bytes;
    if (size < LEVELDB_FOOTER)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size,
                                "the file ends inside the footer");
    of->limit = size - LEVELDB_FOOTER;
    return find_by_offset(out, of, of->file->bytes + of->limit, report);
}

/* ---- the metaindex ---- */

/* Names of filter blocks; the last ones are any other's. */
typedef struct filter_kind {
    const char *name;
    int (*read)(const ss_sst *of, seenset_file_report *report);
    const char *refused;
} filter_kind;

static const filter_kind kinds[] = {
    {.name = "filter.leveldb.BuiltinBloomFilter2", .read = ss_leveldb_read},
    {.name = "fullfilter.rocksdb.BuiltinBloomFilter", .read = ss_rocksdb_read},
    {.name = "partitionedfilter.rocksdb.BuiltinBloomFilter",
     .refused = "a partitioned filter"},
    {.name = "filter.rocksdb.BuiltinBloomFilter",
     .refused = "a filter for each block, as RocksDB wrote before version 7"},
    {.name = "filter.leveldb.BuiltinBloomFilter",
     .refused = "a filter of LevelDB before version 1.18"},
};

/* What the metaindex says; NULL: that entry is not a filter. */
static const filter_kind *kind_of(const ss_sst_walk *walk)
{
    static const char *const prefixes[] = {"filter.", "fullfilter.",
                                           "partitionedfilter."};
    static const filter_kind other = {.refused =
                                          "of a filter policy that is not "
                                          "known"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (ss_sst_is_name(walk, kinds[i].name))
            return &kinds[i];
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        if (walk->name_bytes >= length &&
            memcmp(walk->name, prefixes[i], length) == 0)
            return &other;
    }
    return NULL;
}

/* Finds the blocks. False: an entry is damaged. */
static bool read_metaindex(ss_sst *of, ss_sst_part block,
                           const filter_kind **kind, ss_sst_walk *walk)
{
    *kind = NULL;
    *walk = ss_sst_walk_of(of, block);
    while (ss_sst_next(walk)) {
        const filter_kind *found = kind_of(walk);
        bool is_properties = ss_sst_is_name(walk, "rocksdb.properties") ||
                             ss_sst_is_name(walk, "rocksdb.stats");
        if (found == NULL && !is_properties)
            continue;
        ss_thrift from = {.at = walk->value,
                          .end = walk->value + walk->value_bytes};
        if (!ss_sst_read_part(is_properties ? &of->properties : &of->filter,
                              &from, of->limit))
            ss_thrift_fail(&walk->from);
        if (found != NULL)
            *kind = found;
    }
    return !walk->from.is_bad;
}

static int read_filter(const ss_sst *of, const filter_kind *kind,
                       seenset_file_report *report)
{
    const char *compression = ss_sst_compression(of, of->filter);
    const char *refused = kind->read == NULL ? kind->refused : compression;
    if (refused == NULL)
        return kind->read(of, report);
    return ss_sst_refuse_filter(of->file, SEENSET_EUNSUPPORTED,
                                of->filter.first, refused, report);
}

static int open_table(seenset_foreign *file, seenset_file_report *report)
{
    ss_sst of = {.file = file};
    ss_sst_part block = {0};
    ss_sst_walk walk;
    const filter_kind *kind;
    bool is_leveldb = file->format->id == SEENSET_FORMAT_LEVELDB;
    int error = is_leveldb ? find_in_leveldb(&block, &of, report)
                           : find_in_rocksdb(&block, &of, report);
    if (error != SEENSET_OK)
        return error;
    const char *compression = ss_sst_compression(&of, block);
    if (compression != NULL)
        return ss_header_refuse(report, SEENSET_EUNSUPPORTED, block.end,
                                compression);
    if (!read_metaindex(&of, block, &kind, &walk))
        return ss_header_refuse(report, SEENSET_ECORRUPT,
                                (uint64_t)(walk.from.at - file->bytes),
                                "the list of meta blocks is damaged");
    return kind == NULL ? SEENSET_OK : read_filter(&of, kind, report);
}

const ss_format ss_format_leveldb = {.id = SEENSET_FORMAT_LEVELDB,
                                     .name = "leveldb",
                                     .begins = begins_leveldb,
                                     .open = open_table};

const ss_format ss_format_rocksdb = {.id = SEENSET_FORMAT_ROCKSDB,
                                     .name = "rocksdb",
                                     .begins = begins_rocksdb,
                                     .open = open_table};
