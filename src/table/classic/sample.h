/* sample.h - tables whose keys have k places anywhere: bloom, counting */
#ifndef SS_TABLE_CLASSIC_SAMPLE_H
#define SS_TABLE_CLASSIC_SAMPLE_H

#include "table/layout.h"

/* What a part of the cells shows: the rate is (cells that are not 0 / m)^k. */
ss_sample ss_classic_sample(const ss_table *table, const ss_part *part);

/* The cells that are not 0 in some lines, of so many. */
double ss_classic_events(const ss_table *table, ss_lines lines, double *places);

#endif
