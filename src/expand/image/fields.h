/* fields.h - where each field of an image is: the table of docs/format.md
 * for its writer (write.c), its reader and its views (read.c) */
#ifndef SS_EXPAND_IMAGE_FIELDS_H
#define SS_EXPAND_IMAGE_FIELDS_H

#include "expand/image/image.h"
#include "lines/line.h"

enum {
    IMAGE_LINE_BITS_SHIFT = 9,
    IMAGE_LINE_BYTES_SHIFT = 6
};

/* Of a segment, in the directory. */
enum {
    OF_SEGMENT_STORED = 0,
    OF_SEGMENT_DEPTH = 4,
    OF_SEGMENT_WIDTH = 5,
    OF_SEGMENT_PAGES = 6,
    OF_SEGMENT_RESERVED = 7,
    IMAGE_SEGMENT_BYTES = 8
};

/* Of the rest. */
enum {
    OF_REST_STORED = 0,
    OF_REST_COVERED = 8,
    OF_REST_LOAD = 16,
    OF_REST_RESERVED_20 = 20,
    OF_REST_WIDTHS = 32,
    OF_REST_RESERVED_97 = OF_REST_WIDTHS + SS_EXPAND_DEPTHS
};

static inline uint64_t ss_image_page_bytes(const ss_image_shape *shape)
{
    return UINT64_C(1) << (shape->unit_bits - SS_STEP_SHIFT +
                           IMAGE_LINE_BYTES_SHIFT);
}

/* Where the pages end. */
static inline uint64_t ss_image_directory_offset(const ss_image_shape *shape)
{
    return shape->size_bits / 8;
}

/* Where the directory ends, with its zeros. */
static inline uint64_t ss_image_rest_offset(const ss_image_shape *shape)
{
    uint64_t bytes = shape->segments * IMAGE_SEGMENT_BYTES;
    bytes = (bytes + SS_LINE_BYTES - 1) / SS_LINE_BYTES * SS_LINE_BYTES;
    return ss_image_directory_offset(shape) + bytes;
}

#endif
