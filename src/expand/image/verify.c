/* verify.c - an image that is read piece by piece, every bit checked */
#include "expand/image/audit.h"
#include "expand/image/walk.h"

enum {
    HELD_SEGMENTS = 128, /* of the directory, that are read at once */
    LINES = 64           /* of the pages */
};

typedef struct verifying {
    const ss_image_source *from;
    const ss_image_shape *shape;
    const char *fault;
    uint64_t covered;
    uint64_t held_first, held_count; /* segments of the directory */
    uint8_t held[HELD_SEGMENTS * IMAGE_SEGMENT_BYTES];
} verifying;

static int refuse(verifying *to, const char *fault)
{
    to->fault = fault;
    return SEENSET_ECORRUPT;
}

static int read_bytes(const verifying *to, uint64_t offset, void *bytes,
                      size_t size_bytes)
{
    return to->from->read(to->from->context, offset, bytes, size_bytes);
}

/* Segment number i of the directory. */
static int read_segment(verifying *to, uint64_t i, const uint8_t **bytes)
{
    uint64_t left = to->shape->segments - i;
    if (i - to->held_first >= to->held_count) {
        to->held_first = i;
        to->held_count = left < HELD_SEGMENTS ? left : HELD_SEGMENTS;
        int error = read_bytes(
            to, ss_image_directory_offset(to->shape) + i * IMAGE_SEGMENT_BYTES,
            to->held, (size_t)to->held_count * IMAGE_SEGMENT_BYTES);
        if (error != SEENSET_OK)
            return error;
    }
    *bytes = to->held + (i - to->held_first) * IMAGE_SEGMENT_BYTES;
    return SEENSET_OK;
}

/* The lines of a segment, some at a time. */
static int verify_lines(verifying *to, const ss_image_segment *found)
{
    uint64_t words[LINES * SS_LINE_WORDS];
    uint64_t page_bytes = ss_image_page_bytes(to->shape);
    uint64_t at = found->first_page * page_bytes;
    uint64_t end = at + found->segment.pages * page_bytes;
    ss_audit audit =
        ss_audit_start(to->shape->unit_bits, &found->segment, true);
    const char *fault = NULL;
    while (at < end && fault == NULL) {
        size_t count =
            end - at < sizeof words ? (size_t)(end - at) : sizeof words;
        int error = read_bytes(to, at, words, count);
        if (error != SEENSET_OK)
            return error;
        ss_bits_bytes_to_words(words, (const uint8_t *)words, count / 8);
        for (size_t i = 0; i < count / 8 && fault == NULL; i += SS_LINE_WORDS)
            fault = ss_audit_line(&audit, words + i);
        at += count;
    }
    if (fault == NULL)
        fault = ss_audit_end(&audit);
    if (fault == NULL && audit.stored != found->stored)
        fault = "a segment's record has another number of slots";
    to->covered += audit.covered;
    return fault == NULL ? SEENSET_OK : refuse(to, fault);
}

static int verify_segments(verifying *to, ss_image_walk *walk)
{
    int error = SEENSET_OK;
    for (uint64_t i = 0; error == SEENSET_OK && i < to->shape->segments; i++) {
        ss_image_segment found;
        const uint8_t *bytes;
        error = read_segment(to, i, &bytes);
        if (error != SEENSET_OK)
            return error;
        const char *fault = ss_image_walk_next(walk, bytes, &found);
        error = fault != NULL ? refuse(to, fault) : verify_lines(to, &found);
    }
    return error;
}

/* The zeros that fill the directory's last line. */
static int verify_zeros(verifying *to)
{
    uint8_t bytes[SS_LINE_BYTES], any = 0;
    uint64_t at = ss_image_directory_offset(to->shape) +
                  to->shape->segments * IMAGE_SEGMENT_BYTES;
    size_t count = (size_t)(ss_image_rest_offset(to->shape) - at);
    int error = read_bytes(to, at, bytes, count);
    for (size_t i = 0; error == SEENSET_OK && i < count; i++)
        any |= bytes[i];
    return any == 0 ? error
                    : refuse(to, "reserved bytes of a table are in use");
}

static int verify(verifying *to)
{
    uint8_t bytes[SS_IMAGE_REST_BYTES];
    ss_image_rest rest;
    ss_expand scratch;
    int error =
        read_bytes(to, ss_image_rest_offset(to->shape), bytes, sizeof bytes);
    if (error != SEENSET_OK)
        return error;
    const char *fault = ss_image_decode_rest(bytes, &rest);
    if (fault == NULL && !ss_expand_set_options(&scratch, &rest.options))
        fault = "no table has these widths and this load";
    if (fault != NULL)
        return refuse(to, fault);
    ss_image_walk walk = ss_image_walk_start(to->shape);
    error = verify_segments(to, &walk);
    if (error == SEENSET_OK)
        error = verify_zeros(to);
    if (error != SEENSET_OK)
        return error;
    fault = ss_image_walk_end(&walk, &rest);
    if (fault == NULL && rest.covered != UINT64_MAX &&
        rest.covered != to->covered)
        fault = "the table covers another part of the hashes";
    return fault == NULL ? SEENSET_OK : refuse(to, fault);
}

int ss_image_verify(const ss_image_source *from, const ss_image_shape *shape,
                    const char **fault)
{
    verifying to = {.from = from, .shape = shape};
    int error = verify(&to);
    *fault = to.fault;
    return error;
}
