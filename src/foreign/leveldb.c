/*
 * leveldb.c - the filters of a table of LevelDB, one for each 2 KiB of data.
 *
 *     filters    one after the other: bits, then k in a byte
 *     offsets    4 bytes for each filter, from the block's first byte on; and
 *                once more where they begin, which is the end of the last one
 *     11         2^11 bytes of data a filter
 *
 * Filter i has the keys of the data blocks that begin in the bytes 2^11 i to
 * 2^11 (i + 1) - 1 of the file. Where none begins it has no bytes and no keys:
 * such a filter has no record, and the others keep their numbers, as groups.
 *
 * LevelDB, doc/table_format.md.
 */
#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/sst.h"

enum {
    TAIL_BYTES = 5, /* where the offsets begin, and 11 */
    MOST_HASHES = 30
};

/* The offsets of a filter block. */
typedef struct offsets {
    const uint8_t *bytes; /* of the file */
    uint64_t block;       /* where it begins there */
    uint64_t first;       /* of the offsets in the block */
    uint32_t count;
} offsets;

static bool find_offsets(offsets *out, const ss_sst *of)
{
    uint64_t size = of->filter.end - of->filter.first;
    *out = (offsets){.bytes = of->file->bytes, .block = of->filter.first};
    if (size < TAIL_BYTES)
        return false;
    out->first = ss_bits_load(out->bytes + of->filter.end - TAIL_BYTES, 4);
    if (out->first > size - TAIL_BYTES)
        return false;
    uint64_t bytes = size - TAIL_BYTES - out->first;
    out->count = (uint32_t)(bytes / 4);
    return bytes % 4 == 0 && bytes / 4 <= UINT32_MAX;
}

/* Offset number `i`; `count` is that of the offsets themselves. */
static uint64_t offset_of(const offsets *of, uint32_t i)
{
    return ss_bits_load(of->bytes + of->block + of->first + 4 * (uint64_t)i, 4);
}

static bool is_there(const offsets *of, uint32_t i)
{
    return offset_of(of, i) != offset_of(of, i + 1);
}

static void read_filter(seenset_foreign_filter *out, const offsets *of,
                        uint32_t i)
{
    uint64_t first = offset_of(of, i), end = offset_of(of, i + 1);
    bool is_placed = first < end && end <= of->first;
    uint64_t size_bits = is_placed ? (end - first - 1) * 8 : 0;
    uint32_t k = is_placed ? of->bytes[of->block + end - 1] : 0;
    *out = (seenset_foreign_filter){.column = "",
                                    .reason = "",
                                    .bits_offset = of->block + first,
                                    .size_bits = size_bits,
                                    .hash_count = k,
                                    .group = i,
                                    .layout = SEENSET_LAYOUT_BLOOM,
                                    .scheme = SEENSET_SCHEME_LEVELDB};
    bool is_shape = size_bits > 0 && size_bits <= UINT64_C(1) << 32 && k >= 1;
    if (is_shape && k <= MOST_HASHES)
        return;
    out->error = is_shape ? SEENSET_EUNSUPPORTED : SEENSET_ECORRUPT;
    out->reason = is_shape     ? "a filter of another kind: over 30 bits a key"
                  : !is_placed ? "the filter's offsets are out of order"
                               : "no filter has this size";
    out->reason_offset = of->block + of->first + 4 * (uint64_t)i;
}

int ss_leveldb_read(const ss_sst *of, seenset_file_report *report)
{
    offsets all;
    uint32_t count = 0;
    if (!find_offsets(&all, of))
        return ss_sst_refuse_filter(of->file, SEENSET_ECORRUPT,
                                    of->filter.first,
                                    "the filter block is damaged", report);
    for (uint32_t i = 0; i < all.count; i++)
        count += is_there(&all, i);
    int error = ss_foreign_make_room(of->file, count, 0, report);
    if (error != SEENSET_OK)
        return error;
    of->file->info.group_count = all.count > 0 ? all.count : 1;
    seenset_foreign_filter *next = of->file->filters;
    for (uint32_t i = 0; i < all.count; i++)
        if (is_there(&all, i))
            read_filter(next++, &all, i);
    return SEENSET_OK;
}
