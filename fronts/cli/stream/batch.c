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
    keys->forms = NULL;
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
        urls_free(keys->forms);
        free(keys->data);
    }
    free(keys);
}

void batch_clear(batch *keys)
{
    spill_free(keys->long_line);
    keys->long_line = NULL;
    keys->has_forms = false;
    keys->error = 0;
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

batch_keys batch_keys_of(batch *keys)
{
    if (keys->error != 0) {
        errno = keys->error;
        return (batch_keys){NULL, NULL, 0};
    }
    if (keys->has_forms)
        return (batch_keys){keys->forms->text, keys->forms->ends,
                            keys->forms->count};
    return (batch_keys){batch_text(keys), keys->ends, keys->count};
}

void batch_cut(batch *keys, size_t count)
{
    keys->count = count;
    if (keys->has_forms)
        urls_cut(keys->forms, count);
}

static void hash_each(uint64_t *hashes, const batch_keys *from)
{
    size_t start = 0;
    for (size_t i = 0; i < from->count; i++) {
        size_t end = from->ends[i];
        hashes[i] = seenset_hash(from->text + start, end - start);
        start = end + 1;
    }
}

void batch_hash(batch *keys)
{
    if (keys->long_line != NULL && !keys->has_forms) {
        keys->hashes[0] = spill_hash(keys->long_line);
        return;
    }
    batch_keys from = batch_keys_of(keys);
    hash_each(keys->hashes, &from);
}

/* Returns 0, or -1 and errno. */
static int normalise_each(batch *keys)
{
    int error = 0;
    if (keys->long_line != NULL) {
        urls_refuse(keys->forms, 0, "it is longer than 65536 bytes");
        return 0;
    }
    for (size_t i = 0; error == 0 && i < keys->count; i++) {
        size_t start = batch_start(keys, i);
        error =
            urls_add(keys->forms, i, keys->data + start, keys->ends[i] - start);
    }
    return error;
}

void batch_normalise(batch *keys)
{
    if (keys->forms == NULL)
        keys->forms = urls_new(BATCH_LINES);
    if (keys->forms != NULL)
        urls_clear(keys->forms);
    if (keys->forms == NULL || normalise_each(keys) != 0)
        keys->error = errno;
    keys->has_forms = keys->forms != NULL;
}
