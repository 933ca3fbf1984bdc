/* foreign_index.h - the rows of tables whose cells an index scheme names */
#ifndef SS_TABLE_CLASSIC_FOREIGN_INDEX_H
#define SS_TABLE_CLASSIC_FOREIGN_INDEX_H

#include "table/table.h"

extern const ss_layout ss_foreign_bloom;
extern const ss_layout ss_foreign_counting;

#endif
