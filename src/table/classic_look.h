/* classic_look.h - tables whose keys have k places anywhere: bloom, counting */
#ifndef SS_TABLE_CLASSIC_LOOK_H
#define SS_TABLE_CLASSIC_LOOK_H

#include "table/layout.h"

/* What a part of the cells shows: the rate is (cells that are not 0 / m)^k. */
ss_look ss_classic_look(const ss_table *table, const ss_part *part);

#endif
