/* indexed.h - the rows of tables whose places an index scheme says */
#ifndef SS_INDEXED_H
#define SS_INDEXED_H

#include "table/table.h"

extern const ss_layout ss_foreign_bloom;
extern const ss_layout ss_foreign_counting;

#endif
