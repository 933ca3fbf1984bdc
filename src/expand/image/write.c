/* write.c - a table's bytes, written; the idea is in image.h */
#include "expand/image/image.h"

#include <string.h>

#include "expand/image/fields.h"
#include "seenset/plan.h"

bool ss_image_is_shape(const ss_image_shape *shape)
{
    uint32_t u = shape->unit_bits;
    if (u < SS_UNIT_BITS_MIN || u > SS_UNIT_BITS || shape->segments < 1 ||
        shape->segments > UINT32_MAX ||
        (u < SS_UNIT_BITS && shape->segments > 1))
        return false;
    uint64_t page_bits = ss_image_page_bytes(shape) * 8;
    uint64_t pages = shape->size_bits / page_bits;
    return shape->size_bits <= SEENSET_MAX_SIZE_BITS &&
           shape->size_bits % page_bits == 0 &&
           pages >= shape->segments * SS_PAGES_MIN &&
           pages <= shape->segments * SS_PAGES_MAX;
}

ss_image_shape ss_image_shape_of(const ss_expand *expand)
{
    const ss_pool *pool = &expand->pool;
    uint64_t pages = ss_pool_used(pool);
    return (ss_image_shape){.size_bits = pages << pool->line_shift
                                               << IMAGE_LINE_BITS_SHIFT,
                            .segments = expand->record_count,
                            .unit_bits = expand->unit_bits};
}

void ss_image_start(ss_image_cursor *cursor, const ss_expand *expand)
{
    *cursor =
        (ss_image_cursor){.expand = expand, .shape = ss_image_shape_of(expand)};
}

/* The segment that comes next, and from then on the one after it. The last one
 * is followed by the first. */
static const ss_entry *next_segment(ss_image_cursor *cursor)
{
    const ss_entry *entry =
        ss_directory_find(&cursor->expand->directory, cursor->hash);
    cursor->hash = ss_image_after(cursor->expand, cursor->hash);
    return entry;
}

/* To the segment that has a page of the image. */
static void seek_page(ss_image_cursor *cursor, uint64_t page)
{
    const ss_directory *directory = &cursor->expand->directory;
    const ss_entry *entry = ss_directory_find(directory, cursor->hash);
    while (page >= ss_entry_pages(entry)) {
        page -= ss_entry_pages(entry);
        (void)next_segment(cursor);
        entry = ss_directory_find(directory, cursor->hash);
    }
    cursor->page = (uint32_t)page;
}

/* To a segment by its number; there may be fewer. */
static void seek_segment(ss_image_cursor *cursor, uint64_t segment)
{
    for (uint64_t i = 0; i < segment && i < cursor->shape.segments; i++)
        (void)next_segment(cursor);
}

void ss_image_seek(ss_image_cursor *cursor, uint64_t offset)
{
    uint64_t directory = ss_image_directory_offset(&cursor->shape);
    cursor->done = offset;
    if (offset < directory)
        seek_page(cursor, offset / ss_image_page_bytes(&cursor->shape));
    else if (offset < ss_image_rest_offset(&cursor->shape))
        seek_segment(cursor, (offset - directory) / IMAGE_SEGMENT_BYTES);
}

/* A part of a page. */
static size_t next_of_page(ss_image_cursor *cursor, uint8_t *bytes,
                           size_t size_bytes)
{
    const ss_directory *directory = &cursor->expand->directory;
    const ss_entry *entry = ss_directory_find(directory, cursor->hash);
    uint64_t page_bytes = ss_image_page_bytes(&cursor->shape);
    uint64_t within = cursor->done % page_bytes;
    uint64_t left = page_bytes - within;
    size_t count = left < size_bytes ? (size_t)left : size_bytes;
    ss_bits_words_to_bytes(
        bytes, ss_entry_page(entry, cursor->page) + within / sizeof(uint64_t),
        count / sizeof(uint64_t));
    if (count == left && ++cursor->page == ss_entry_pages(entry)) {
        (void)next_segment(cursor);
        cursor->page = 0;
    }
    return count;
}

/* A segment's line of the directory, or the zeros after the last. */
static size_t next_of_directory(ss_image_cursor *cursor, uint8_t *bytes)
{
    uint64_t at = cursor->done - ss_image_directory_offset(&cursor->shape);
    memset(bytes, 0, IMAGE_SEGMENT_BYTES);
    if (at / IMAGE_SEGMENT_BYTES >= cursor->shape.segments)
        return IMAGE_SEGMENT_BYTES;
    const ss_entry *entry = next_segment(cursor);
    const ss_segment_record *record =
        &cursor->expand->records[ss_entry_id(entry)];
    ss_bits_store(bytes + OF_SEGMENT_STORED, 4, record->stored);
    bytes[OF_SEGMENT_DEPTH] = (uint8_t)ss_entry_depth(entry);
    bytes[OF_SEGMENT_WIDTH] = (uint8_t)ss_entry_width(entry);
    bytes[OF_SEGMENT_PAGES] = (uint8_t)ss_entry_pages(entry);
    return IMAGE_SEGMENT_BYTES;
}

static size_t next_of_rest(ss_image_cursor *cursor, uint8_t *bytes,
                           size_t size_bytes)
{
    const ss_expand *expand = cursor->expand;
    uint8_t rest[SS_IMAGE_REST_BYTES] = {0};
    uint64_t at = cursor->done - ss_image_rest_offset(&cursor->shape);
    size_t count = (size_t)(sizeof rest - at);
    count = count < size_bytes ? count : size_bytes;
    ss_bits_store(rest + OF_REST_STORED, 8, expand->stored);
    ss_bits_store(rest + OF_REST_COVERED, 8, expand->covered);
    ss_bits_store(rest + OF_REST_LOAD, 4, expand->load);
    memcpy(rest + OF_REST_WIDTHS, expand->widths, sizeof expand->widths);
    memcpy(bytes, rest + at, count);
    return count;
}

void ss_image_next(ss_image_cursor *cursor, uint8_t *bytes, size_t size_bytes)
{
    const ss_image_shape *shape = &cursor->shape;
    while (size_bytes > 0) {
        size_t count;
        if (cursor->done < ss_image_directory_offset(shape))
            count = next_of_page(cursor, bytes, size_bytes);
        else if (cursor->done < ss_image_rest_offset(shape))
            count = next_of_directory(cursor, bytes);
        else
            count = next_of_rest(cursor, bytes, size_bytes);
        cursor->done += count;
        bytes += count;
        size_bytes -= count;
    }
}
