/* unit.h - a unit's slots, one by one: what need not be fast */
#ifndef SS_TABLE_FINGERPRINT_UNIT_H
#define SS_TABLE_FINGERPRINT_UNIT_H

#include "table/fingerprint/place.h"

/* Copies the slots of a unit; returns how many there are. */
uint32_t ss_fingerprint_read(const ss_fingerprint_place *place, uint32_t width,
                             uint64_t slots[SS_END_MAX]);

/* Does slot a cover all that slot b does? */
static inline bool ss_fingerprint_covers(uint64_t a, uint64_t b)
{
    return __builtin_ctzll(a) >= __builtin_ctzll(b) && ss_slot_matches(a, b);
}

/* The first `length` bits of a slot, as a slot. */
static inline uint64_t ss_fingerprint_cut(uint64_t slot, uint32_t width,
                                          uint32_t length)
{
    uint64_t prefix = slot >> (width - length);
    return (prefix << 1 | 1) << (width - 1 - length);
}

/* The place of a unit of a line. */
static inline ss_fingerprint_place ss_fingerprint_unit(const ss_table *table,
                                                       uint64_t segment,
                                                       uint32_t home,
                                                       uint32_t unit)
{
    ss_fingerprint_shape shape = ss_fingerprint_shape_in(table);
    uint32_t lines = shape.homes + shape.spill;
    uint64_t line = segment * lines + home;
    return (ss_fingerprint_place){.line = table->words + line * SS_LINE_WORDS,
                                  .before = home,
                                  .left = lines - 1 - home,
                                  .unit = unit};
}

/* Adds a slot to a unit whatever is there: once more, or not at all where a
 * slot that stays for ever covers it. Cuts slots where there is no place. */
void ss_fingerprint_put(const ss_fingerprint_place *place, uint32_t width,
                        uint64_t slot);

/* Adds the slots of a unit of `from`, of home number `home` of the whole table,
 * to `into`, which ss_fingerprint_can_take allows. */
void ss_fingerprint_squeeze(ss_table *into, const ss_table *from,
                            const ss_fingerprint_place *unit, uint64_t home);

/* Keys taken out, and counted: see layout.h. */
bool ss_fingerprint_remove(ss_table *table, uint64_t hash);
bool ss_fingerprint_remove_key(ss_table *table, const void *key,
                               size_t key_len);
uint64_t ss_fingerprint_count(const ss_table *table, uint64_t hash);
uint64_t ss_fingerprint_count_key(const ss_table *table, const void *key,
                                  size_t key_len);

#endif
