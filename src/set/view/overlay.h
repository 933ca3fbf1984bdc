/*
 * overlay.h - hashes beside a table that grows in place, and is not written.
 *
 * To add a key to such a table of a mapped file would copy pages of the file,
 * perhaps write a whole segment again, and other threads may be asking. So the
 * hashes that came since, from the journal and from this process, are kept
 * here as they are: a key is seen if the table or this list has it.
 *
 *     hashes  | a | b | a | c | ...    in the order of the journal
 *     places  | 0 | c | 0 | 0 | a | b | ...    each once, by its value and a
 *                                              seed, since whoever chooses keys
 *                                              may choose the hashes
 *
 * A table's bits depend on the order in which keys came. So where the table is
 * needed whole, its copy is given the hashes in the order of the journal, and
 * every process gets the same table. It may have some of them then, as they
 * came: what one hash covers another may agree with. Here both are kept, and
 * both were new.
 *
 * Memory: 24 to 48 bytes a hash. Any number of threads may ask; one at a time
 * may put hashes, while nobody asks.
 */
#ifndef SS_SET_VIEW_OVERLAY_H
#define SS_SET_VIEW_OVERLAY_H

#include <stdbool.h>

#include "base/memory.h"

typedef struct ss_overlay {
    ss_memory memory;
    uint64_t *hashes;
    size_t count, room;
    uint64_t *places; /* 0: none here */
    uint32_t place_bits;
    uint64_t seed;     /* of the places: hash/seeded.h */
    bool has_zero;     /* the hash 0, which has no place */
    uint64_t distinct; /* how many of the hashes are different ones */
} ss_overlay;

/* An empty list. NULL: no memory. */
ss_overlay *ss_overlay_new(const ss_memory *memory);
void ss_overlay_free(ss_overlay *beside);
uint64_t ss_overlay_memory_bytes(const ss_overlay *beside);

bool ss_overlay_has(const ss_overlay *beside, uint64_t hash);

/* Puts hashes, of 8 bytes each in a journal's order of bytes, before the last
 * `later` ones; *news: how many were not there. False: no memory, and nothing
 * changed. */
bool ss_overlay_put(ss_overlay *beside, const uint8_t *hashes, uint64_t count,
                    uint64_t later, uint64_t *news);

#endif
