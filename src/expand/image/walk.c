/* walk.c - see walk.h */
#include "expand/image/walk.h"

#include <string.h>

#include "expand/rebuild.h"

static bool is_zero(const uint8_t *bytes, size_t from, size_t to)
{
    uint8_t any = 0;
    for (size_t i = from; i < to; i++)
        any |= bytes[i];
    return any == 0;
}

uint64_t ss_image_bytes(const ss_image_shape *shape)
{
    return ss_image_rest_offset(shape) + SS_IMAGE_REST_BYTES;
}

const char *ss_image_decode_rest(const uint8_t *bytes, ss_image_rest *rest)
{
    *rest = (ss_image_rest){
        .stored = ss_bits_load(bytes + OF_REST_STORED, 8),
        .covered = ss_bits_load(bytes + OF_REST_COVERED, 8),
        .options = {.load = (uint32_t)ss_bits_load(bytes + OF_REST_LOAD, 4)}};
    memcpy(rest->options.widths, bytes + OF_REST_WIDTHS, SS_EXPAND_DEPTHS);
    if (!is_zero(bytes, OF_REST_RESERVED_20, OF_REST_WIDTHS) ||
        !is_zero(bytes, OF_REST_RESERVED_97, SS_IMAGE_REST_BYTES))
        return "reserved bytes of a table are in use";
    if (rest->options.load == 0 ||
        memchr(rest->options.widths, 0, SS_EXPAND_DEPTHS) != NULL)
        return "a width or the load of a table is missing";
    return NULL;
}

ss_image_walk ss_image_walk_start(const ss_image_shape *shape)
{
    return (ss_image_walk){
        .shape = shape,
        .most_depth = ss_rebuild_most_depth(shape->segments, shape->unit_bits)};
}

static const char *check_segment(const ss_image_walk *walk,
                                 const ss_segment *segment)
{
    uint64_t range = UINT64_MAX >> segment->depth; /* less 1 */
    if (segment->depth > walk->most_depth || (walk->hash & range) != 0 ||
        (walk->count > 0 && walk->hash == 0) ||
        (walk->shape->segments > 1) != (segment->depth > 0))
        return "the segments do not cover each hash once";
    if (segment->width < SS_WIDTH_MIN || segment->width > SS_WIDTH_MAX)
        return "a segment has slots of a width that none has";
    if (segment->pages < SS_PAGES_MIN || segment->pages > SS_PAGES_MAX)
        return "a segment has a number of pages that none has";
    return NULL;
}

const char *ss_image_walk_next(ss_image_walk *walk,
                               const uint8_t bytes[IMAGE_SEGMENT_BYTES],
                               ss_image_segment *out)
{
    *out = (ss_image_segment){
        .segment = {.depth = bytes[OF_SEGMENT_DEPTH] & 63,
                    .width = bytes[OF_SEGMENT_WIDTH],
                    .pages = bytes[OF_SEGMENT_PAGES]},
        .stored = (uint32_t)ss_bits_load(bytes + OF_SEGMENT_STORED, 4),
        .hash = walk->hash,
        .first_page = walk->pages};
    if (bytes[OF_SEGMENT_DEPTH] > 63 || bytes[OF_SEGMENT_RESERVED] != 0)
        return "a segment's bytes are out of range";
    const char *fault = check_segment(walk, &out->segment);
    uint32_t depth = out->segment.depth;
    walk->hash += depth == 0 ? 0 : UINT64_C(1) << (64 - depth);
    walk->pages += out->segment.pages;
    walk->stored += out->stored;
    walk->count++;
    if (fault == NULL && walk->pages * ss_image_page_bytes(walk->shape) >
                             ss_image_directory_offset(walk->shape))
        fault = "the segments have more pages than there are";
    return fault;
}

const char *ss_image_walk_end(const ss_image_walk *walk,
                              const ss_image_rest *rest)
{
    if (walk->hash != 0)
        return "the segments do not cover each hash once";
    if (walk->pages * ss_image_page_bytes(walk->shape) !=
        ss_image_directory_offset(walk->shape))
        return "the segments have fewer pages than there are";
    if (walk->stored != rest->stored)
        return "the segments have another number of slots than the table";
    return NULL;
}
