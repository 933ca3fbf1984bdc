/*
 * set_batch.h - a batch of keys against a set.
 *
 * Most sets know a key by its 64-bit hash, which the pipeline makes beside
 * other work (batch.h). A keyed set, or one with an index scheme, must be
 * given the key itself, since only it knows how to hash it.
 */
#ifndef SET_BATCH_H
#define SET_BATCH_H

#include <stdbool.h>

#include "seenset/seenset.h"
#include "stream/batch.h"

/* Whether the set takes keys only, and no hashes. */
bool set_batch_wants_keys(const seenset *set);

/* The hash stage for sets that want keys: nothing. */
void set_batch_hash_nothing(batch *keys);

/*
 * Adds the batch, or asks for it, and stores the answers as seenset_add_many
 * and seenset_has_many do. Returns what they return, or SEENSET_EIO and errno:
 * a long line cannot be mapped. For sets that take hashes, the batch was
 * hashed.
 */
int set_batch_add(seenset *set, bool wants_keys, batch *keys);
int set_batch_has(const seenset *set, bool wants_keys, batch *keys);

#endif
