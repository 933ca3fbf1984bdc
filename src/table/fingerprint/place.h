/*
 * place.h - where in a table of fingerprints a hash is, and what is
 * stored of it; the idea is in fingerprint.h.
 */
#ifndef SS_TABLE_FINGERPRINT_PLACE_H
#define SS_TABLE_FINGERPRINT_PLACE_H

#include "lines/line.h"
#include "hash/xxh3.h"
#include "table/table.h"

enum {
    SS_FINGERPRINT_SEGMENT = 256, /* lines of a segment, at least, where there
                                     are so many */
    SS_FINGERPRINT_COPIES =
        SEENSET_MAX_COPIES,       /* equal slots are fewer: so many stay */
    SS_FINGERPRINT_UNIT_BITS = 3, /* of a hash: which of its home's units */
    SS_FINGERPRINT_WIDTH_MAX = 49 /* nine a line: of as many as a line has
                                     places two are in one of its 8 units */
};

/* The lines of a table: `segments` times homes + spill, and fewer than that
 * many segments which are not used. */
typedef struct ss_fingerprint_shape {
    uint64_t segments;
    uint32_t homes;
    uint32_t spill;
} ss_fingerprint_shape;

/* A hash's home. Only whole lines of the segment are ever touched: the home and
 * the `left` ones after it, whatever the counts of a forged file say. */
typedef struct ss_fingerprint_place {
    uint64_t *line;
    uint32_t before; /* lines of its segment, */
    uint32_t left;   /* and those after it */
    uint32_t unit;
    uint64_t query; /* the fingerprint, then a 1: the slot of the hash */
} ss_fingerprint_place;

/* table->range: a shape in one word. */
enum {
    SS_FINGERPRINT_SPILL_BITS = 4,
    SS_FINGERPRINT_LINE_BITS = 16 /* homes and spill together */
};

static inline ss_fingerprint_shape
ss_fingerprint_shape_in(const ss_table *table)
{
    uint32_t lines = table->range & 0xFFFF;
    return (ss_fingerprint_shape){table->range >> SS_FINGERPRINT_LINE_BITS,
                                  lines >> SS_FINGERPRINT_SPILL_BITS,
                                  lines & 15};
}

/* width: the table's, and constant where it can be. */
static SS_ALWAYS_INLINE ss_fingerprint_place
ss_fingerprint_place_with(const ss_table *table, uint64_t hash, uint32_t width)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_in(table);
    uint64_t segment = ss_hash_range(hash, shape.segments);
    uint64_t rest = hash * shape.segments;
    uint64_t home = ss_hash_range(rest, shape.homes);
    uint64_t line = segment * (shape.homes + shape.spill) + home;
    rest *= shape.homes;
    return (ss_fingerprint_place){
        .line = table->words + line * SS_LINE_WORDS,
        .before = (uint32_t)home,
        .left = shape.homes + shape.spill - 1 - (uint32_t)home,
        .unit = (uint32_t)(rest >> (64 - SS_FINGERPRINT_UNIT_BITS)),
        .query = rest << SS_FINGERPRINT_UNIT_BITS >> (65 - width) << 1 | 1};
}

static inline ss_fingerprint_place
ss_fingerprint_place_of(const ss_table *table, uint64_t hash)
{
    return ss_fingerprint_place_with(table, hash, table->hash_count);
}

/* A slot that was not cut has a fingerprint of W - 1 bits. */
static inline bool ss_fingerprint_is_whole(uint64_t slot)
{
    return (slot & 1) != 0;
}

#endif
