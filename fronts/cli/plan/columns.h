/* columns.h - the plans that are shown side by side */
#ifndef PLAN_COLUMNS_H
#define PLAN_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/plan.h"

#define PLAN_LAYOUTS 2

typedef struct plan_columns {
    int count;
    seenset_plan plans[PLAN_LAYOUTS];
    int errors[PLAN_LAYOUTS]; /* 0, or why this layout cannot do it */
    uint32_t counter_bits;    /* 0: not given */
    seenset_scheme scheme;
    seenset_scheme_arguments arguments; /* as given */
    /* Beside them, where they can be: */
    bool has_growth;
    bool has_sealed;
    seenset_plan_growth growth; /* of the last plan's layout, keys and rate */
    seenset_plan_growth direct; /* the same, planned for so many keys */
    seenset_plan sealed;        /* all keys at once */
} plan_columns;

#endif
