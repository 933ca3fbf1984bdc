/*
 * batch.c - see batch.h.
 */
#include "batch.h"

#include <errno.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static int resize(batch *some, size_t bytes)
{
    char *data = realloc(some->data, bytes + BATCH_SLACK);
    if (data == NULL)
        return -1;
    some->data = data;
    some->room = bytes;
    return 0;
}

batch *batch_new(void)
{
    batch *some = malloc(sizeof *some);
    if (some == NULL)
        return NULL;
    some->data = NULL;
    some->room = 0;
    batch_clear(some);
    if (resize(some, BATCH_BYTES) == 0)
        return some;
    free(some);
    return NULL;
}

void batch_free(batch *some)
{
    if (some != NULL)
        free(some->data);
    free(some);
}

void batch_clear(batch *some)
{
    some->count = 0;
    some->used = 0;
    some->first_number = 0;
    some->input_bytes = 0;
    some->input = "";
    some->unit = "line";
    if (some->room > BATCH_BYTES)
        (void)resize(some, BATCH_BYTES);
}

int batch_reserve(batch *some, size_t bytes)
{
    size_t room = some->room;
    while (room < bytes) {
        if (room > SIZE_MAX / 4) {
            errno = ENOMEM;
            return -1;
        }
        room *= 2;
    }
    return room == some->room ? 0 : resize(some, room);
}

void batch_hash(batch *some)
{
    size_t start = 0;
    for (size_t i = 0; i < some->count; i++) {
        size_t end = some->ends[i];
        some->hashes[i] = XXH3_64bits(some->data + start, end - start);
        start = end + 1;
    }
}
