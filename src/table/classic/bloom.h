/* bloom.h - the rows of the classic layout: for one thread, and for many */
#ifndef SS_TABLE_CLASSIC_BLOOM_H
#define SS_TABLE_CLASSIC_BLOOM_H

#include "table/table.h"

extern const ss_layout_traits ss_bloom_traits;
extern const ss_layout ss_bloom_single;
extern const ss_layout ss_bloom_shared;

#endif
