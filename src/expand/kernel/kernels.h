/*
 * kernels.h - the ways to compare a unit's slots and to shift a line.
 *
 * A kernel is a file, portable.c, avx2.c or vbmi.c, that includes what is its
 * own (lines/line_*.h, lines/slots_*.h) and then loops.h, with recut_lines.h
 * and move_slots.h, which make a row of functions of it. All give the same
 * answers and the same bits.
 */
#ifndef SS_EXPAND_KERNEL_KERNELS_H
#define SS_EXPAND_KERNEL_KERNELS_H

#include "expand/source.h"

enum {
    SS_EXPAND_AHEAD = 64, /* hashes of a batch in flight */
    SS_EXPAND_FULL = -1   /* the segment has to grow first */
};

/* Functions that change slots (move_slots.h). */
typedef struct ss_expand_moves {
    /* Writes the same slots, narrower. */
    void (*narrow)(ss_source *from, ss_segment *to);
    /* Counts what is in each half of each unit; writes them. */
    void (*count_halves)(ss_source *from, ss_parting *plan);
    void (*part)(ss_source *from, ss_parting *plan);
} ss_expand_moves;

typedef struct ss_expand_kernel {
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
                   uint64_t slot);
    /* rebuild.h: fills in the lengths of its units */
    void (*read_lengths)(ss_source *from);
    /* Do units of these lengths fit the counts and lines of a segment? */
    bool (*fits)(const uint8_t *lengths, uint32_t u, ss_step step,
                 uint32_t width);
    /* Writes the same slots into another number of pages. */
    void (*cut)(ss_source *from, ss_segment *to);
    /* Of slots of SS_WIDTH_SHORT bits at most; in ss_expand_portable, of all.
     */
    ss_expand_moves moves;
} ss_expand_kernel;

extern const ss_expand_kernel ss_expand_portable;
extern const ss_expand_kernel ss_expand_avx2;
extern const ss_expand_kernel ss_expand_vbmi;

/* The kernel of that name if it was built and this processor can run it, or
 * NULL; of no name: the fastest. "portable", "avx2", "vbmi". */
const ss_expand_kernel *ss_expand_kernel_find(const char *name);

#endif
