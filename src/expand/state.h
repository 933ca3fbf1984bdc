/*
 * state.h - what a table that grows in place is made of (expand.h), and made
 * with.
 */
#ifndef SS_EXPAND_STATE_H
#define SS_EXPAND_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "expand/directory.h"
#include "expand/pool.h"

enum {
    SS_EXPAND_DEPTHS = 65,
    SS_EXPAND_LOAD = 230 /* the default, of 256 */
};

typedef struct ss_expand_options {
    uint64_t first_items; /* how many keys it begins with room for, or 0 */
    /* The width of new segments whose units are named by i bits: 8 to 56; what
     * is 0 is as the one before, and widths[0] at least is given. A width's
     * slots a line are at most 4/3 of the next width's. */
    uint8_t widths[SS_EXPAND_DEPTHS];
    uint32_t load; /* slots that are used before a segment grows, of 256; 0 */
    const char *kernel; /* of kernel/kernels.h; NULL: the fastest */
    const seenset_allocator *allocator;
} ss_expand_options;

typedef struct ss_segment_record {
    uint32_t stored; /* slots of the segment */
    uint32_t limit;  /* with so many it grows */
} ss_segment_record;

/* Of segments of so many pages. */
typedef struct ss_step {
    uint32_t homes;   /* m: lines that are homes */
    uint32_t inverse; /* 2^24 / m, rounded up */
} ss_step;

typedef struct ss_expand {
    const struct ss_expand_kernel *kernel;
    ss_pool pool;
    ss_directory directory;
    uint32_t unit_bits; /* u */
    ss_step steps[SS_PAGES_MAX + 1];
    ss_segment_record *records;
    uint32_t record_count, record_room;
    uint64_t stored;  /* slots */
    uint64_t covered; /* hashes that a slot covers, at most 2^64 - 1 */
    uint64_t first_items;
    uint32_t load;
    uint8_t widths[SS_EXPAND_DEPTHS];
    ss_memory memory;
    /* While it is read from bytes (image.h), what follows the pages; later
     * NULL. */
    uint8_t *unread;
    uint64_t unread_bytes;
    /* Of a view, the bytes that its pages are in; else NULL. */
    uint8_t *image;
    uint64_t image_bytes;
    bool owns_image; /* they are a copy, as the caller's were not aligned */
} ss_expand;

/* The settings of a table, and nothing in it. */
static inline ss_expand ss_expand_empty_like(const ss_expand *expand)
{
    ss_expand empty = {.kernel = expand->kernel,
                       .load = expand->load,
                       .first_items = expand->first_items,
                       .memory = expand->memory};
    memcpy(empty.widths, expand->widths, sizeof empty.widths);
    return empty;
}

#endif
