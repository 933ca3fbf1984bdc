/* table.h - the rows of the sealed layout, and what they have in common */
#ifndef SS_TABLE_SEALED_TABLE_H
#define SS_TABLE_SEALED_TABLE_H

#include "table/layout.h"

extern const ss_layout_traits ss_sealed_traits;
extern const ss_layout ss_sealed_portable;
extern const ss_layout ss_sealed_bmi2; /* where it is built: x86-64 */

/* The fastest kernel here. */
const ss_layout *ss_sealed_best(void);

/* Number `index` of those that this processor can run, the fastest first; NULL
 * after the last. For tests, which compare them. */
const ss_layout *ss_sealed_kernel(size_t index);

uint32_t ss_sealed_list_bits(const ss_table *table, uint64_t hash,
                             uint64_t bits[SEENSET_MAX_HASH_COUNT]);
ss_sample ss_sealed_sample(const ss_table *table, const ss_part *part);

#endif
