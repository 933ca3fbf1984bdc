/* split_block.h - the rows of the split-block layout: for one thread, and for
 * many */
#ifndef SS_TABLE_CLASSIC_SPLIT_BLOCK_H
#define SS_TABLE_CLASSIC_SPLIT_BLOCK_H

#include "table/layout.h"

extern const ss_layout_traits ss_split_block_traits;
extern const ss_layout ss_split_block_single;
extern const ss_layout ss_split_block_shared;

#endif
