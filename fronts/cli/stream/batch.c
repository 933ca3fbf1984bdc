/*
 * batch.c - see batch.h.
 */
#include "stream/batch.h"

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
    some->long_line = NULL;
    some->room = 0;
    batch_clear(some);
    if (resize(some, BATCH_BYTES) == 0)
        return some;
    free(some);
    return NULL;
}

void batch_free(batch *some)
{
    if (some != NULL) {
        spill_free(some->long_line);
        free(some->data);
    }
    free(some);
}

void batch_clear(batch *some)
{
    spill_free(some->long_line);
    some->long_line = NULL;
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

const char *batch_text(batch *some)
{
    return some->long_line != NULL ? spill_map(some->long_line) : some->data;
}

void batch_set_long(batch *some, spill *line)
{
    some->long_line = line;
    some->count = 1;
    some->used = 0;
    some->ends[0] = (size_t)spill_bytes(line);
}

void batch_hash(batch *some)
{
    size_t start = 0;
    if (some->long_line != NULL) {
        some->hashes[0] = spill_hash(some->long_line);
        return;
    }
    for (size_t i = 0; i < some->count; i++) {
        size_t end = some->ends[i];
        some->hashes[i] = XXH3_64bits(some->data + start, end - start);
        start = end + 1;
    }
}
