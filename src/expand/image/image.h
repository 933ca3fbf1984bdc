/*
 * image.h - an expandable table as bytes, and a table over such bytes.
 *
 *     | pages, in order of prefix | 8 bytes a segment | zeros | 128 bytes |
 *       the table's only memory     the directory       to a line  the rest
 *
 * docs/format.md has each byte. The pages come first, so that each of 4 KiB is
 * one block of the file's sums. All else is what a reader cannot find out from
 * the pages: how long each segment's prefix is, how wide its slots are, how
 * many pages and slots it has. The image depends on the segments alone: not on
 * the addresses of pages or the numbers of records.
 *
 * A reader believes nothing of it. What an image's length follows from, its
 * shape, is in the file's header and is checked first; then the directory is
 * held against the shape, and each segment against its lines (audit.h) before
 * anything is looked up in it.
 */
#ifndef SS_EXPAND_IMAGE_IMAGE_H
#define SS_EXPAND_IMAGE_IMAGE_H

#include <stddef.h>

#include "expand/state.h"

enum {
    SS_IMAGE_REST_BYTES = 128
};

/* What follows from it: the image's length. */
typedef struct ss_image_shape {
    uint64_t size_bits; /* of all pages */
    uint64_t segments;
    uint32_t unit_bits; /* of a segment: 8 to 12 */
} ss_image_shape;

/* Can a table be of that shape? Any numbers may be given. */
bool ss_image_is_shape(const ss_image_shape *shape);

/* The bytes of an image of a shape that can be, in whole lines. */
uint64_t ss_image_bytes(const ss_image_shape *shape);

ss_image_shape ss_image_shape_of(const ss_expand *expand);

/* Where in an image its reader is. */
typedef struct ss_image_cursor {
    const ss_expand *expand;
    ss_image_shape shape;
    uint64_t done; /* bytes */
    uint64_t hash; /* the first of the segment that comes next, */
    uint32_t page; /* and its page */
} ss_image_cursor;

/* The bytes of a table's image from the first to the last, in pieces of whole
 * words. Nobody else changes the table meanwhile. */
void ss_image_start(ss_image_cursor *cursor, const ss_expand *expand);

/* Just after ss_image_start: to a byte of the image, the first of a word. Goes
 * past segments, not past their bytes. */
void ss_image_seek(ss_image_cursor *cursor, uint64_t offset);
void ss_image_next(ss_image_cursor *cursor, uint8_t *bytes, size_t size_bytes);

/*
 * A table that is to be read: pages of its own as bytes come, then
 * ss_image_finish. It can only be freed before that. 0 or SEENSET_ENOMEM.
 */
int ss_image_begin(ss_expand **out, const ss_memory *memory,
                   const ss_image_shape *shape);

/* Where the image's next bytes go: *room of them, a part of a page or all that
 * follows the pages. `done` bytes came. NULL: no memory. */
uint8_t *ss_image_place(ss_expand *expand, const ss_image_shape *shape,
                        uint64_t done, size_t *room);

/* Makes the table of what was read, and checks every bit of it. 0,
 * SEENSET_ENOMEM, or SEENSET_ECORRUPT and what is wrong. */
int ss_image_finish(ss_expand *expand, const ss_image_shape *shape,
                    const char **fault);

/*
 * A table whose pages are those of an image, which has to stay as long; of a
 * copy of it where it is not at a multiple of 64 bytes. Only what follows the
 * pages is checked: before a lookup of a hash ss_image_check, unless it was for
 * another of the segment. Adding writes to the image, which then has to be the
 * caller's own. 0, SEENSET_ENOMEM, or SEENSET_ECORRUPT and what is wrong.
 */
int ss_image_view(ss_expand **out, const ss_memory *memory,
                  const ss_image_shape *shape, uint8_t *bytes,
                  const char **fault);

/* Where in a view's image the segment of a hash is: *size_bytes from the
 * result on; 0: it is not there any more. */
uint64_t ss_image_find(const ss_expand *expand, uint64_t hash,
                       uint64_t *size_bytes);

/* Where its pages end. */
uint64_t ss_image_pages_end(const ss_expand *expand);

/* The first hash of the segment that follows a hash's; 0: there is none. */
uint64_t ss_image_after(const ss_expand *expand, uint64_t hash);

/* Holds the segment of a hash against its lines. to_be_added_to: its slots,
 * too. NULL: a lookup may read it. */
const char *ss_image_check(const ss_expand *expand, uint64_t hash,
                           bool to_be_added_to);

/* An image that is read piece by piece. read: 0 or an error. */
typedef struct ss_image_source {
    int (*read)(void *context, uint64_t offset, void *bytes, size_t size_bytes);
    void *context;
} ss_image_source;

/* Checks every bit of an image in constant memory. 0, an error of `read`, or
 * SEENSET_ECORRUPT and what is wrong. Reads the pages once. */
int ss_image_verify(const ss_image_source *from, const ss_image_shape *shape,
                    const char **fault);

/* Checks a new table. False: there is no such width, load or kernel. */
bool ss_expand_set_options(ss_expand *expand, const ss_expand_options *options);

#endif
