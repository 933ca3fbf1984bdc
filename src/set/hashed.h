/*
 * hashed.h - a set by the hashes of its keys, for the queue.
 *
 * As the public calls that take hashes, but for keyed sets, too: what is handed
 * in is what ss_key_hash_of makes of a key. A set with an index scheme has no
 * such hashes. The set can be added to; arguments are not checked.
 */
#ifndef SS_SET_HASHED_H
#define SS_SET_HASHED_H

#include "base/export.h"
#include "set/set.h"

SS_EXPORT int ss_hashed_add(seenset *set, uint64_t hash);
SS_EXPORT int ss_hashed_has(const seenset *set, uint64_t hash);
SS_EXPORT int ss_hashed_add_many(seenset *set, const uint64_t *hashes,
                                 size_t hash_count, uint8_t *is_new);
SS_EXPORT void ss_hashed_has_many(const seenset *set, const uint64_t *hashes,
                                  size_t hash_count, uint8_t *is_seen);

/* Would adding it leave the set changed though it is seen? So it is with a key
 * that a sliding window remembers, but not in its newest part. */
SS_EXPORT bool ss_hashed_renews(const seenset *set, uint64_t hash);

#endif
