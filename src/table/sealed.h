/* sealed.h - the row of the sealed layout */
#ifndef SS_SEALED_H
#define SS_SEALED_H

#include "table/table.h"

extern const ss_layout ss_sealed;

#endif
