/* single.h - what the rows of one table share; the idea is in single.c */
#ifndef SS_SET_KINDS_SINGLE_H
#define SS_SET_KINDS_SINGLE_H

#include "set/set.h"

/* As the functions of a row. */
int ss_single_add_hash(seenset *set, uint64_t hash);
int ss_single_add_at(seenset *set, uint64_t hash, uint64_t now);

/* How much of a batch may go straight to the only table now. */
typedef size_t ss_single_counter(const seenset *set, const ss_batch *batch);

/* What `count` lets through goes to the only table whole, which hashes it while
 * it waits for memory; the rest in chunks. is_new is not NULL. */
int ss_single_add_parts(seenset *set, const ss_batch *batch, uint8_t *is_new,
                        ss_single_counter *count);

/* The same with what fits, as long as calls go past the row. */
int ss_single_add_batch(seenset *set, const ss_batch *batch, uint8_t *is_new);

#endif
