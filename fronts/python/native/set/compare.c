/*
 * compare.c - a == b, a <= b.
 *
 * Two sets are equal if save() would write the same bytes of both: then they
 * give the same answer for every key. It is compared some bytes at a time, so
 * it takes no memory of the sets' size.
 */
#include "native/set/set.h"

#include <stdlib.h>

enum {
    PART_BYTES = 1 << 20
};

/* A part of one set, which that of the other is compared with. */
struct part {
    unsigned char *bytes;
    size_t used;
    bool differs;
};

static int keep(void *context, const void *bytes, size_t size_bytes)
{
    struct part *part = context;
    memcpy(part->bytes + part->used, bytes, size_bytes);
    part->used += size_bytes;
    return 0;
}

/* Ends the other's writing at the first difference. */
static int compare(void *context, const void *bytes, size_t size_bytes)
{
    struct part *part = context;
    part->differs = memcmp(part->bytes + part->used, bytes, size_bytes) != 0;
    part->used += size_bytes;
    return part->differs ? 1 : 0;
}

/* Returns 0 or an error; part->differs is the answer. */
static int compare_part(const seenset *a, const seenset *b, size_t offset,
                        size_t size_bytes, struct part *part)
{
    part->used = 0;
    int error = seenset_write_part(a, offset, size_bytes, keep, part);
    if (error != 0)
        return error;
    part->used = 0;
    error = seenset_write_part(b, offset, size_bytes, compare, part);
    return part->differs ? 0 : error;
}

static int compare_all(const seenset *a, const seenset *b, size_t size_bytes,
                       struct part *part)
{
    int error = 0;
    for (size_t at = 0; at < size_bytes && error == 0 && !part->differs;) {
        size_t left = size_bytes - at;
        size_t here = left < PART_BYTES ? left : PART_BYTES;
        error = compare_part(a, b, at, here, part);
        at += here;
    }
    return error;
}

/* A file has no secret in it. */
static bool have_one_secret(const struct sp_set *a, const struct sp_set *b)
{
    if (a->is_keyed != b->is_keyed)
        return false;
    return !a->is_keyed ||
           memcmp(a->secret, b->secret, SEENSET_SECRET_BYTES) == 0;
}

/* How many bytes save() writes; 0 or an error. */
static int get_size(const struct sp_set *set, size_t *size_bytes)
{
    *size_bytes = 0;
    int error = seenset_write_bytes(set->set, NULL, size_bytes);
    return error == SEENSET_ESPACE ? 0 : error;
}

int sp_set_compare(struct sp_set *a, struct sp_set *b, void *out)
{
    bool *are_equal = out;
    size_t size_a, size_b;
    *are_equal = false;
    int error = get_size(a, &size_a);
    if (error == 0)
        error = get_size(b, &size_b);
    if (error != 0 || size_a != size_b || !have_one_secret(a, b))
        return error;
    struct part part = {.bytes = malloc(PART_BYTES)};
    if (part.bytes == NULL)
        return SEENSET_ENOMEM;
    error = compare_all(a->set, b->set, size_a, &part);
    free(part.bytes);
    *are_equal = error == 0 && !part.differs;
    return error;
}
