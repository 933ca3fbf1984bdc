/*
 * squeeze.c - the slots of a table of fingerprints in a smaller
 * one: for sets that many keys were taken out of.
 *
 * A table's homes, units and fingerprints name ranges of hashes, in order and
 * of one length, give or take one: a table of H homes has 8 H 2^l that begin
 * with l bits of a fingerprint. A slot's range is covered anew by ranges of the
 * other table that are at least as long, so by one of them or by two: the
 * second is what a smaller table costs beside its own rate. Every hash that a
 * slot covered is covered.
 */
#include "table/fingerprint/fingerprint.h"

#include <math.h>

#include "base/wide.h"

/* The hashes first, ..., last. */
typedef struct hash_range {
    uint64_t first, last;
} hash_range;

static uint64_t homes_of(const ss_table *table)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_in(table);
    return shape.segments * shape.homes;
}

/* Ranges of a table of so many homes, each with `length` bits of a
 * fingerprint. */
static double ranges_of(uint64_t homes, uint32_t length)
{
    return ldexp((double)homes, SS_FINGERPRINT_UNIT_BITS + (int)length);
}

bool ss_fingerprint_can_take(const ss_table *into, const ss_table *from)
{
    return ranges_of(homes_of(into), into->hash_count - 1) <=
           ranges_of(homes_of(from), from->hash_count - 1);
}

/* The first hash whose home is `home` or a later one and, if it is that, has
 * `rest` or more left: the least h with h homes >= home 2^64 + rest. Past the
 * last home that is 2^64, as 0. */
static uint64_t first_hash(uint64_t homes, uint64_t home, uint64_t rest)
{
    ss_wide at = {home, rest};
    uint64_t remainder = ss_wide_divide(&at, homes);
    return at.low + (remainder != 0);
}

/* The hashes that a slot of a unit covers. Where a table has more ranges than
 * there are hashes, a range may have none: its last is before its first. */
static hash_range range_of(const ss_table *table, uint64_t home, uint32_t unit,
                           uint64_t slot)
{
    const uint32_t rest_bits = 64 - SS_FINGERPRINT_UNIT_BITS;
    uint32_t width = table->hash_count, length = ss_slot_length(slot, width);
    uint64_t homes = homes_of(table);
    uint64_t prefix = slot >> (width - 1 - length) >> 1;
    uint64_t step = UINT64_C(1) << (rest_bits - length);
    uint64_t begin = (uint64_t)unit << rest_bits | prefix * step;
    uint64_t end = begin + step; /* 0: the next home's begin */
    hash_range range = {first_hash(homes, home, begin),
                        first_hash(homes, home + (end == 0), end) - 1};
    bool is_past = range.first == 0 && (home != 0 || begin != 0);
    return is_past ? (hash_range){1, 0} : range;
}

/* The bits of a fingerprint with which ranges of `into` are not shorter than
 * those of `from` with `length` bits. */
static uint32_t length_in(const ss_table *into, const ss_table *from,
                          uint32_t length)
{
    double longer =
        ranges_of(homes_of(from), length) / ranges_of(homes_of(into), 0);
    uint32_t most = into->hash_count - 1;
    uint32_t bits = longer >= 1.0 ? (uint32_t)ilogb(longer) : 0;
    return bits < most ? bits : most;
}

/* Adds slots of so many bits that cover a range; they go past it by less than
 * one of them at each end. */
static void put_range(ss_table *into, hash_range range, uint32_t length)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_in(into);
    uint32_t width = into->hash_count;
    hash_range covered = {.last = range.first - 1};
    do {
        uint64_t hash = covered.last + 1;
        ss_fingerprint_place place = ss_fingerprint_place_of(into, hash);
        uint64_t slot = ss_fingerprint_cut(place.query, width, length);
        uint64_t home =
            ss_hash_range(hash, shape.segments) * shape.homes + place.before;
        ss_fingerprint_put(&place, width, slot);
        covered = range_of(into, home, place.unit, slot);
    } while (covered.last < range.last);
}

void ss_fingerprint_squeeze(ss_table *into, const ss_table *from,
                            const ss_fingerprint_place *unit, uint64_t home)
{
    uint64_t slots[SS_END_MAX];
    uint32_t width = from->hash_count;
    uint32_t count = ss_fingerprint_read(unit, width, slots);
    for (uint32_t i = 0; i < count; i++) {
        hash_range range = range_of(from, home, unit->unit, slots[i]);
        if (range.first > range.last)
            continue; /* nor is there a key: the slot is forged */
        uint32_t length = ss_slot_length(slots[i], width);
        put_range(into, range, length_in(into, from, length));
    }
}
