/*
 * parquet_header.c - the header before the bits of a Parquet filter.
 *
 *     1 numBytes     the bytes of the bits, a multiple of 32
 *     2 algorithm    a union: 1 is the split-block filter
 *     3 hash         a union: 1 is XXH64
 *     4 compression  a union: 1 is none
 *
 * Drafts of the format had no field 4, and their hash 1 was Murmur3: the same
 * bytes up to there, and other bits. So a header without it is refused.
 *
 * Apache Parquet, "Bloom Filter" and parquet.thrift (the specification).
 */
#include "foreign/parquet.h"
#include "foreign/thrift.h"

enum {
    BLOCK_BYTES = 32,
    NUM_BYTES = 1,
    ALGORITHM = 2,
    HASH = 3,
    COMPRESSION = 4,
    HASHES = 8
};

typedef struct header {
    int64_t num_bytes;
    int32_t unions[COMPRESSION + 1]; /* which member each has; 0: none */
} header;

void ss_parquet_refuse(seenset_foreign_filter *out, int error, uint64_t offset,
                       const char *reason)
{
    out->error = error;
    out->reason = reason;
    out->reason_offset = offset;
}

/* The id of the only member. */
static int32_t read_union(ss_thrift *from)
{
    ss_thrift_field member = {0};
    int32_t id = 0;
    while (ss_thrift_next(from, &member)) {
        if (id != 0)
            ss_thrift_fail(from);
        id = member.id;
        ss_thrift_skip(from, member.type);
    }
    return id;
}

static header read_header(ss_thrift *from)
{
    header found = {.num_bytes = 0};
    ss_thrift_field field = {0};
    while (ss_thrift_next(from, &field)) {
        bool is_union = field.id >= ALGORITHM && field.id <= COMPRESSION;
        if (field.id == NUM_BYTES)
            found.num_bytes = ss_thrift_integer(from, field.type);
        else if (is_union && field.type == SS_THRIFT_STRUCT)
            found.unions[field.id] = read_union(from);
        else if (is_union)
            ss_thrift_fail(from);
        else
            ss_thrift_skip(from, field.type);
    }
    return found;
}

/* Kinds that are not read, by name. NULL: this one is. */
static const char *other_kind(const header *found)
{
    if (found->unions[ALGORITHM] != 1)
        return "not a split-block filter";
    if (found->unions[HASH] != 1)
        return "a hash that is not XXH64";
    if (found->unions[COMPRESSION] == 0)
        return "an older header, without a compression: its hash is Murmur3";
    if (found->unions[COMPRESSION] != 1)
        return "the bits are compressed";
    return NULL;
}

/* The part of the file that can be the filter. */
static bool find_part(uint64_t *first, uint64_t *end,
                      const ss_parquet_place *place)
{
    *first = (uint64_t)place->offset;
    *end = place->limit;
    if (place->offset < 4 || *first >= place->limit || place->length < 0)
        return false;
    if (place->length > 0 && (uint64_t)place->length > place->limit - *first)
        return false;
    if (place->length > 0)
        *end = *first + (uint64_t)place->length;
    return true;
}

void ss_parquet_read_header(seenset_foreign_filter *out, const uint8_t *bytes,
                            const ss_parquet_place *place)
{
    uint64_t first, end;
    if (!find_part(&first, &end, place)) {
        ss_parquet_refuse(out, SEENSET_ECORRUPT, place->limit,
                          "the footer places the filter outside of the data");
        return;
    }
    ss_thrift from = {.at = bytes + first, .end = bytes + end};
    header found = read_header(&from);
    uint64_t at = (uint64_t)(from.at - bytes);
    uint64_t size = (uint64_t)found.num_bytes;
    const char *kind = other_kind(&found);
    if (from.is_bad)
        ss_parquet_refuse(out, SEENSET_ECORRUPT, at,
                          "the filter's header is damaged");
    else if (kind != NULL)
        ss_parquet_refuse(out, SEENSET_EUNSUPPORTED, first, kind);
    else if (found.num_bytes <= 0 || found.num_bytes > INT32_MAX ||
             size % BLOCK_BYTES != 0)
        ss_parquet_refuse(out, SEENSET_ECORRUPT, first,
                          "the filter is not a number of blocks");
    else if (size > end - at || (place->length > 0 && size != end - at))
        ss_parquet_refuse(out, SEENSET_ECORRUPT, first,
                          "the filter is longer or shorter than its place");
    out->bits_offset = at;
    out->hash_count = HASHES;
    if (out->error == SEENSET_OK)
        out->size_bits = size * 8;
}
