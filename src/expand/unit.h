/*
 * unit.h - a unit's slots, one by one: what need not be fast.
 */
#ifndef SS_EXPAND_UNIT_H
#define SS_EXPAND_UNIT_H

#include "expand/place.h"

/* Copies the slots of a unit; returns how many there are. */
uint32_t ss_unit_read(const ss_pool *pool, const ss_entry *entry,
                      ss_place place, uint64_t slots[SS_END_MAX]);

/* Takes out slot number `index` of a unit. */
void ss_unit_delete(const ss_pool *pool, const ss_entry *entry, ss_place place,
                    uint32_t index);

#endif
