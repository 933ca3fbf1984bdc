/* chunks.h - a batch that goes through the tables of a set; the idea is in
 * chunks.c */
#ifndef SS_SET_KINDS_CHUNKS_H
#define SS_SET_KINDS_CHUNKS_H

#include "set/set.h"

/* As seenset_add_many and seenset_has_many, for checked arguments. is_new is
 * not NULL. */
int ss_chunks_add_many(seenset *set, const ss_batch *batch, uint8_t *is_new);
int ss_chunks_has_many(const seenset *set, const ss_batch *batch,
                       uint8_t *is_seen);

/* As ss_chunks_add_many, of a sliding window. */
int ss_chunks_slide_many(seenset *set, const ss_batch *batch, uint8_t *is_new);

/* Gives the first hashes to the newest table: *count, or, if it returns
 * SEENSET_ENOMEM, fewer. */
int ss_chunks_give_to_newest(seenset *set, const uint64_t *hashes,
                             size_t *count, uint8_t *answers);

/* Adds by the add_batch of the set's row. is_new may be NULL: the answers go to
 * a buffer, in parts. */
int ss_chunks_add_blindly(seenset *set, const ss_batch *batch, uint8_t *is_new);

/* The same of a set that tells when it is at its capacity. */
int ss_chunks_add_told(seenset *set, const ss_batch *batch, uint8_t *is_new);

#endif
