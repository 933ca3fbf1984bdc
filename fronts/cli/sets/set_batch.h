/*
 * set_batch.h - a batch of keys, added to a set or looked up in it.
 *
 * Most sets know a key by its 64-bit hash, which the pipeline computes (see
 * batch.h). A set that is keyed, or has an index scheme, needs the key itself,
 * since only the set can hash it.
 */
#ifndef SET_BATCH_H
#define SET_BATCH_H

#include <stdbool.h>

#include "seenset/seenset.h"
#include "stream/batch.h"

/* Does the set need the keys themselves, not hashes? */
bool set_batch_wants_keys(const seenset *set);

/* The hash stage for sets that need keys: does nothing. */
void set_batch_hash_nothing(batch *keys);

/*
 * Add the batch, or look it up, and store the answers as seenset_add_many and
 * seenset_has_many do. Return what those return, or SEENSET_EIO and errno if a
 * long line cannot be mapped. Unless the set needs keys, call batch_hash first.
 */
int set_batch_add(seenset *set, bool wants_keys, batch *keys);
int set_batch_has(const seenset *set, bool wants_keys, batch *keys);

#endif
