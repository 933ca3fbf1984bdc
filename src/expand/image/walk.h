/*
 * walk.h - the directory of an image, segment by segment, and what it
 * has to be like as a whole.
 */
#ifndef SS_EXPAND_IMAGE_WALK_H
#define SS_EXPAND_IMAGE_WALK_H

#include "expand/image/fields.h"

typedef struct ss_image_rest {
    uint64_t stored;
    uint64_t covered;
    ss_expand_options options;
} ss_image_rest;

/* SS_IMAGE_REST_BYTES bytes, decoded. NULL, or what is wrong. Widths and load
 * are ss_expand_set_options's to check. */
const char *ss_image_decode_rest(const uint8_t *bytes, ss_image_rest *rest);

typedef struct ss_image_walk {
    const ss_image_shape *shape;
    uint32_t most_depth;
    uint64_t count;  /* segments that were seen, */
    uint64_t pages;  /* their pages, */
    uint64_t stored; /* their slots, */
    uint64_t hash;   /* and the first hash after them */
} ss_image_walk;

typedef struct ss_image_segment {
    ss_segment segment; /* pages, depth and width */
    uint32_t stored;
    uint64_t hash;       /* its first */
    uint64_t first_page; /* of the image */
} ss_image_segment;

ss_image_walk ss_image_walk_start(const ss_image_shape *shape);

/* The next segment. NULL, or what is wrong. */
const char *ss_image_walk_next(ss_image_walk *walk,
                               const uint8_t bytes[IMAGE_SEGMENT_BYTES],
                               ss_image_segment *out);

/* After the last segment. */
const char *ss_image_walk_end(const ss_image_walk *walk,
                              const ss_image_rest *rest);

#endif
