/* counting.h - the row of the counting layout, and what its counters tell */
#ifndef SS_TABLE_CLASSIC_COUNTING_H
#define SS_TABLE_CLASSIC_COUNTING_H

#include "table/table.h"

extern const ss_layout_traits ss_counting_traits;
extern const ss_layout ss_counting;

uint64_t ss_counting_count_places(const ss_table *table);
void ss_counting_merge(ss_table *into, const ss_table *from);

/* Counters that are full, and so stay as they are for ever. */
uint64_t ss_counting_count_full(const ss_table *table);

#endif
