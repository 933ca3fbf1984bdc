/* expandable.h - the row of the expandable layout, and what only it needs */
#ifndef SS_TABLE_EXPANDABLE_H
#define SS_TABLE_EXPANDABLE_H

#include "expand/expand.h"
#include "table/layout.h"

extern const ss_layout_traits ss_expandable_traits;
extern const ss_layout ss_expandable;

/* A table over what ss_expand_new made; the caller owns that. */
ss_table ss_expandable_table(ss_expand *expand);

#endif
