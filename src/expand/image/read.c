/* read.c - a table made of its bytes; the idea is in image.h */
#include <string.h>

#include "expand/image/audit.h"
#include "expand/expand.h"
#include "expand/image/walk.h"
#include "expand/place.h"
#include "expand/rebuild.h"

/* A table without a segment. */
static ss_expand *make_bare(const ss_memory *memory,
                            const ss_image_shape *shape)
{
    ss_expand *made = ss_memory_alloc(memory, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->memory = *memory;
    made->unit_bits = shape->unit_bits;
    ss_rebuild_steps(made->steps, shape->unit_bits);
    ss_pool_init(&made->pool, &made->memory, shape->unit_bits - SS_STEP_SHIFT);
    return made;
}

int ss_image_begin(ss_expand **out, const ss_memory *memory,
                   const ss_image_shape *shape)
{
    ss_expand *made = make_bare(memory, shape);
    *out = made;
    return made != NULL ? SEENSET_OK : SEENSET_ENOMEM;
}

static uint8_t *place_in_page(ss_expand *expand, const ss_image_shape *shape,
                              uint64_t done, size_t *room)
{
    ss_pool *pool = &expand->pool;
    uint64_t page_bytes = ss_image_page_bytes(shape);
    uint64_t page = done / page_bytes, within = done % page_bytes;
    uint64_t pages = ss_image_directory_offset(shape) / page_bytes;
    uint64_t end = ss_pool_run_end(pool, page);
    end = end < pages ? end : pages;
    if (page == pool->fresh && !ss_pool_ensure(pool, 1))
        return NULL;
    while (pool->fresh < end)
        (void)ss_pool_take(pool);
    *room = (size_t)((end - page) * page_bytes - within);
    return (uint8_t *)ss_pool_page(pool, page) + within;
}

uint8_t *ss_image_place(ss_expand *expand, const ss_image_shape *shape,
                        uint64_t done, size_t *room)
{
    uint64_t pages_end = ss_image_directory_offset(shape);
    uint64_t bytes = ss_image_bytes(shape) - pages_end;
    if (done < pages_end)
        return place_in_page(expand, shape, done, room);
    if (expand->unread == NULL) {
        expand->unread = ss_memory_alloc(&expand->memory, bytes, 1);
        expand->unread_bytes = bytes;
    }
    if (expand->unread == NULL)
        return NULL;
    *room = (size_t)(pages_end + bytes - done);
    return expand->unread + (done - pages_end);
}

/* ---- made whole ---- */

/* The pages of a segment: those of a mapped image, or of the pool. */
static void find_pages(const ss_expand *expand, uint8_t *image,
                       ss_image_segment *found)
{
    size_t words = (size_t)SS_LINE_WORDS << expand->pool.line_shift;
    for (uint32_t i = 0; i < found->segment.pages; i++) {
        uint64_t page = found->first_page + i;
        found->segment.page[i] = image != NULL
                                     ? (uint64_t *)(void *)image + page * words
                                     : ss_pool_page(&expand->pool, page);
    }
}

static bool publish(ss_expand *expand, const ss_image_segment *found)
{
    ss_directory *directory = &expand->directory;
    const ss_segment *segment = &found->segment;
    ss_entry entry = ss_entry_pack(segment);
    expand->records[segment->id] = (ss_segment_record){
        found->stored,
        ss_rebuild_limit(expand->load, expand->steps[segment->pages].homes,
                         segment->width)};
    if (directory->top == NULL &&
        !ss_directory_init(directory, &expand->memory, &entry))
        return false;
    if (!ss_directory_ensure(directory, found->hash, segment->depth))
        return false;
    ss_directory_publish(directory, found->hash, segment->depth, &entry);
    return true;
}

static int refuse(const char *reason, const char **fault)
{
    *fault = reason;
    return SEENSET_ECORRUPT;
}

static int adopt_rest(ss_expand *expand, const ss_image_rest *rest,
                      const char **fault)
{
    expand->stored = rest->stored;
    expand->covered = rest->covered;
    return ss_expand_set_options(expand, &rest->options)
               ? SEENSET_OK
               : refuse("no table has these widths and this load", fault);
}

static int make_records(ss_expand *expand, const ss_image_shape *shape)
{
    expand->records = ss_memory_alloc(&expand->memory, shape->segments,
                                      sizeof *expand->records);
    if (expand->records == NULL)
        return SEENSET_ENOMEM;
    expand->record_count = expand->record_room = (uint32_t)shape->segments;
    return SEENSET_OK;
}

/* directory: what follows the pages. image: NULL where the pages are ours. */
static int build(ss_expand *expand, const ss_image_shape *shape,
                 const uint8_t *directory, uint8_t *image, const char **fault)
{
    ss_image_rest rest;
    const uint8_t *rest_at = directory + ss_image_rest_offset(shape) -
                             ss_image_directory_offset(shape);
    const char *reason = ss_image_decode_rest(rest_at, &rest);
    if (reason != NULL)
        return refuse(reason, fault);
    int error = adopt_rest(expand, &rest, fault);
    if (error == SEENSET_OK)
        error = make_records(expand, shape);
    if (error != SEENSET_OK)
        return error;
    ss_image_walk walk = ss_image_walk_start(shape);
    const uint8_t *at = directory;
    for (uint32_t i = 0; i < shape->segments; i++, at += IMAGE_SEGMENT_BYTES) {
        ss_image_segment found;
        reason = ss_image_walk_next(&walk, at, &found);
        if (reason != NULL)
            return refuse(reason, fault);
        found.segment.id = i;
        find_pages(expand, image, &found);
        if (!publish(expand, &found))
            return SEENSET_ENOMEM;
    }
    reason = ss_image_walk_end(&walk, &rest);
    for (; reason == NULL && at < rest_at; at++)
        reason = *at != 0 ? "reserved bytes of a table are in use" : NULL;
    return reason == NULL ? SEENSET_OK : refuse(reason, fault);
}

static void convert_pages(ss_expand *expand)
{
    size_t words = (size_t)SS_LINE_WORDS << expand->pool.line_shift;
    for (uint64_t i = 0; i < expand->pool.fresh; i++) {
        uint64_t *page = ss_pool_page(&expand->pool, i);
        ss_bits_bytes_to_words(page, (const uint8_t *)page, words);
    }
}

int ss_image_finish(ss_expand *expand, const ss_image_shape *shape,
                    const char **fault)
{
    if (!ss_bits_is_little_endian())
        convert_pages(expand);
    int error = build(expand, shape, expand->unread, NULL, fault);
    ss_memory_free(&expand->memory, expand->unread, expand->unread_bytes, 1);
    expand->unread = NULL;
    const char *reason = error == SEENSET_OK ? ss_expand_verify(expand) : NULL;
    return reason == NULL ? error : refuse(reason, fault);
}

/* ---- views ---- */

/* Entries have the addresses of lines. */
static bool adopt_image(ss_expand *expand, uint8_t *bytes, uint64_t size_bytes)
{
    expand->image = bytes;
    expand->image_bytes = size_bytes;
    expand->owns_image = (uintptr_t)bytes % SS_LINE_BYTES != 0;
    if (!expand->owns_image)
        return true;
    expand->image = ss_memory_alloc(&expand->memory, size_bytes, 1);
    if (expand->image != NULL)
        memcpy(expand->image, bytes, (size_t)size_bytes);
    return expand->image != NULL;
}

int ss_image_view(ss_expand **out, const ss_memory *memory,
                  const ss_image_shape *shape, uint8_t *bytes,
                  const char **fault)
{
    ss_expand *made = make_bare(memory, shape);
    if (made == NULL)
        return SEENSET_ENOMEM;
    uint64_t pages_end = ss_image_directory_offset(shape);
    int error = SEENSET_ENOMEM;
    made->pool.borrowed = pages_end / ss_image_page_bytes(shape);
    if (adopt_image(made, bytes, ss_image_bytes(shape)))
        error = build(made, shape, bytes + pages_end, made->image, fault);
    if (error != SEENSET_OK) {
        ss_expand_free(made);
        return error;
    }
    *out = made;
    return SEENSET_OK;
}

static uint64_t page_bytes(const ss_expand *expand)
{
    return (uint64_t)SS_LINE_BYTES << expand->pool.line_shift;
}

uint64_t ss_image_find(const ss_expand *expand, uint64_t hash,
                       uint64_t *size_bytes)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    uintptr_t at = (uintptr_t)ss_entry_page(entry, 0);
    uintptr_t from = (uintptr_t)expand->image;
    bool is_there =
        expand->image != NULL && at >= from && at - from < expand->image_bytes;
    *size_bytes = is_there ? ss_entry_pages(entry) * page_bytes(expand) : 0;
    return is_there ? at - from : 0;
}

uint64_t ss_image_pages_end(const ss_expand *expand)
{
    return expand->pool.borrowed * page_bytes(expand);
}

uint64_t ss_image_after(const ss_expand *expand, uint64_t hash)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    uint64_t range = ss_entry_depth(entry) == 0
                         ? UINT64_MAX
                         : UINT64_MAX >> ss_entry_depth(entry);
    return (hash | range) + 1;
}

const char *ss_image_check(const ss_expand *expand, uint64_t hash,
                           bool to_be_added_to)
{
    ss_audit found;
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    const char *fault = ss_audit_segment(expand, entry, to_be_added_to, &found);
    if (fault == NULL &&
        found.stored != expand->records[ss_entry_id(entry)].stored)
        fault = "a segment's record has another number of slots";
    return fault;
}
