/* set_part.h - a part of the bytes that a set is written as */
#ifndef SEENSET_REDIS_SET_PART_H
#define SEENSET_REDIS_SET_PART_H

#include "seenset/seenset.h"

/* Stores the len bytes from `first` on, which are there: see
 * seenset_write_bytes. Cost: that of the part; the one with the file's
 * first byte reads the set once. */
void sr_set_part(const seenset *set, uint64_t first, uint8_t *bytes,
                 size_t len);

#endif
