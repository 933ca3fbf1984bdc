/* table.h - the row of the sealed layout */
#ifndef SS_TABLE_SEALED_TABLE_H
#define SS_TABLE_SEALED_TABLE_H

#include "table/layout.h"

extern const ss_layout_traits ss_sealed_traits;
extern const ss_layout ss_sealed;

#endif
