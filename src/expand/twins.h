/*
 * twins.h - the ways to compare a unit's slots and to shift a line.
 *
 * A twin is a file look_<twin>.c that defines line_match and line_push and
 * includes loops.h, which makes a row of functions of them. All give the same
 * answers and the same bits.
 */
#ifndef SS_EXPAND_TWINS_H
#define SS_EXPAND_TWINS_H

#include "expand/place.h"

enum {
    SS_EXPAND_AHEAD = 64, /* hashes of a batch in flight */
    SS_EXPAND_FULL = -1   /* the segment has to grow first */
};

typedef struct ss_expand_twin {
    const char *name;
    int (*has)(const ss_expand *expand, uint64_t hash);
    size_t (*has_many)(const ss_expand *expand, const uint64_t *hashes,
                       size_t count, uint8_t *is_seen);
    /* 1 new, 0 seen, SS_EXPAND_FULL */
    int (*try_add)(ss_expand *expand, uint64_t hash);
    /* How many were added: less than all if there is no memory. */
    size_t (*add_many)(ss_expand *expand, const uint64_t *hashes, size_t count,
                       uint8_t *is_new);
    /* Stores a slot in a unit; false: there is no place. */
    bool (*insert)(ss_expand *expand, const ss_entry *entry, ss_place place,
                   uint32_t slot);
    /* What ss_line_copy does. */
    void (*copy)(uint64_t *to, uint32_t to_bit, const uint64_t *from,
                 uint32_t from_bit, uint32_t count);
} ss_expand_twin;

extern const ss_expand_twin ss_expand_portable;
extern const ss_expand_twin ss_expand_avx2;
extern const ss_expand_twin ss_expand_vbmi;

/* The twin of that name if it was built and this processor can run it, or
 * NULL; of no name: the fastest. "portable", "avx2", "vbmi". */
const ss_expand_twin *ss_expand_twin_find(const char *name);

#endif
