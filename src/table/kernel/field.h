/* field.h - what the loops of a kernel need of a table, held in registers */
#ifndef SS_TABLE_KERNEL_FIELD_H
#define SS_TABLE_KERNEL_FIELD_H

#include "table/table.h"

typedef struct field {
    uint64_t *words;
    uint64_t range; /* lines in a region */
} field;

static inline field field_of(const ss_table *table)
{
    return (field){.words = table->words, .range = table->range};
}

#endif
