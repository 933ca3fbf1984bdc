/* build.h - builds the table of a binary fuse filter (fuse.h) */
#ifndef SS_TABLE_SEALED_BUILD_H
#define SS_TABLE_SEALED_BUILD_H

#include "base/memory.h"
#include "table/sealed/fuse.h"

/* A table that was built. Its owner gives back the words. */
typedef struct ss_fuse {
    ss_fuse_shape shape;
    uint64_t key_count; /* distinct hashes */
    uint64_t *words;    /* ss_memory_alloc(memory, ss_fuse_word_count, 8) */
} ss_fuse;

/* Told of progress: `done` of `total` steps of attempt number `attempt`, from
 * 0; the next attempt starts over. report may be NULL. */
typedef struct ss_fuse_progress {
    void (*report)(void *context, uint64_t done, uint64_t total,
                   unsigned attempt);
    void *context;
} ss_fuse_progress;

/*
 * Builds a table of `count` hashes, equal ones allowed: they are dropped by
 * comparing all 64 bits. progress may be NULL. With equal hashes a build begins
 * twice: that there are some is only noticed when they are in its way.
 *
 * The hashes are worked on in place. Afterwards the distinct ones are at the
 * front of the array, out->key_count of them, in no order; what follows them is
 * unspecified. After an error they are all there, in no order, too.
 *
 * Memory besides `hashes`, at most: a quarter of a byte a key and, first,
 * two windows of SS_FUSE_MOST_WINDOW segments, together 31.5 bytes for each
 * slot of a window (commonly a sixth of that); then, when these are given
 * back, the table. A billion hashes are 8 GB in the caller's array; the build
 * takes 0.25 GB and 0.1 GB (at most 0.5 GB) more, then 0.25 GB and the table,
 * which is 1.12 GB for three slots of 8 bits.
 *
 * Returns 0; SEENSET_EINVAL (arity or fingerprint_bits), SEENSET_ETOOBIG,
 * SEENSET_ENOMEM; or SEENSET_ERATE: all attempts failed. Of a sound hash
 * function's hashes one attempt in three fails at worst, so that is not by
 * chance: the hashes were made up.
 */
int ss_fuse_build(const ss_memory *memory, uint64_t *hashes, uint64_t count,
                  unsigned arity, unsigned fingerprint_bits,
                  const ss_fuse_progress *progress, ss_fuse *out);

#endif
