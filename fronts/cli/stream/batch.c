/*
 * batch.c - see batch.h.
 */
#include "stream/batch.h"

#include <errno.h>
#include <stdlib.h>

#include "seenset/hash.h"

static int resize(batch *keys, size_t bytes)
{
    char *data = realloc(keys->data, bytes + BATCH_SLACK);
    if (data == NULL)
        return -1;
    keys->data = data;
    keys->room = bytes;
    return 0;
}

batch *batch_new(void)
{
    batch *keys = malloc(sizeof *keys);
    if (keys == NULL)
        return NULL;
    keys->data = NULL;
    keys->long_line = NULL;
    keys->room = 0;
    batch_clear(keys);
    if (resize(keys, BATCH_BYTES) == 0)
        return keys;
    free(keys);
    return NULL;
}

void batch_free(batch *keys)
{
    if (keys != NULL) {
        spill_free(keys->long_line);
        free(keys->data);
    }
    free(keys);
}

void batch_clear(batch *keys)
{
    spill_free(keys->long_line);
    keys->long_line = NULL;
    keys->count = 0;
    keys->used = 0;
    keys->first_number = 0;
    keys->input_bytes = 0;
    keys->input = "";
    keys->unit = "line";
    if (keys->room > BATCH_BYTES)
        (void)resize(keys, BATCH_BYTES);
}

int batch_reserve(batch *keys, size_t bytes)
{
    size_t room = keys->room;
    while (room < bytes) {
        if (room > SIZE_MAX / 4) {
            errno = ENOMEM;
            return -1;
        }
        room *= 2;
    }
    return room == keys->room ? 0 : resize(keys, room);
}

const char *batch_text(batch *keys)
{
    return keys->long_line != NULL ? spill_map(keys->long_line) : keys->data;
}

void batch_set_long(batch *keys, spill *line)
{
    keys->long_line = line;
    keys->count = 1;
    keys->used = 0;
    keys->ends[0] = (size_t)spill_bytes(line);
}

void batch_hash(batch *keys)
{
    size_t start = 0;
    if (keys->long_line != NULL) {
        keys->hashes[0] = spill_hash(keys->long_line);
        return;
    }
    for (size_t i = 0; i < keys->count; i++) {
        size_t end = keys->ends[i];
        keys->hashes[i] = seenset_hash(keys->data + start, end - start);
        start = end + 1;
    }
}
