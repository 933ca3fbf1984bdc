/* batch_hashes.h - the hashes of a batch, for sets of any identity that hashes:
 * of those that do not go to one table, which hashes keys itself */
#ifndef SS_SET_BATCH_HASHES_H
#define SS_SET_BATCH_HASHES_H

#include "hash/key_hash.h"
#include "table/batch.h"

/* The hash of key i. */
uint64_t ss_batch_hashes_one(const ss_key_hash *identity, const ss_batch *batch,
                             size_t i);

/* Those of keys first, first + 1, ..., count of them. The keys are there. */
void ss_batch_hashes_make(const ss_key_hash *identity, const ss_batch *batch,
                          size_t first, size_t count, uint64_t *hashes);

#endif
