/*
 * urls.c - see urls.h.
 */
#include "stream/urls.h"

#include <errno.h>
#include <stdlib.h>

#include "seenset/url.h"

enum {
    HOST_BYTES = 256,       /* that a form may have besides 3 times its line */
    USUAL_BYTES = 320 << 10 /* of the forms of a batch */
};

urls *urls_new(size_t room_items)
{
    urls *keys = calloc(1, sizeof *keys);
    if (keys == NULL)
        return NULL;
    keys->room_items = room_items;
    keys->lines = calloc(room_items, sizeof *keys->lines);
    keys->ends = calloc(room_items, sizeof *keys->ends);
    keys->text = malloc(USUAL_BYTES);
    keys->room = USUAL_BYTES;
    if (keys->lines != NULL && keys->ends != NULL && keys->text != NULL)
        return keys;
    urls_free(keys);
    errno = ENOMEM;
    return NULL;
}

void urls_free(urls *keys)
{
    if (keys != NULL) {
        free(keys->lines);
        free(keys->ends);
        free(keys->text);
    }
    free(keys);
}

/* Returns 0, or -1 and errno. */
static int resize(urls *keys, size_t bytes)
{
    char *text = realloc(keys->text, bytes);
    if (text == NULL)
        return -1;
    keys->text = text;
    keys->room = bytes;
    return 0;
}

void urls_clear(urls *keys)
{
    keys->count = 0;
    keys->used = 0;
    keys->reason = NULL;
    if (keys->room > USUAL_BYTES)
        (void)resize(keys, USUAL_BYTES);
}

/* The most bytes of the form of a line, and of what follows it. */
static size_t form_room(size_t len)
{
    size_t bytes = SEENSET_URL_MAX_BYTES;
    if (len < SEENSET_URL_MAX_BYTES / 3 && 3 * len + HOST_BYTES < bytes)
        bytes = 3 * len + HOST_BYTES;
    return bytes + 1;
}

void urls_refuse(urls *keys, size_t number, const char *reason)
{
    if (keys->reason != NULL)
        return;
    keys->reason = reason;
    keys->first_other = number;
}

int urls_add(urls *keys, size_t number, const char *line, size_t len)
{
    size_t wanted = keys->used + form_room(len);
    const char *reason = NULL;
    if (wanted > keys->room && resize(keys, wanted + wanted / 2) != 0)
        return -1;
    size_t bytes = keys->room - keys->used - 1;
    int error = seenset_url_normalise(line, len, keys->text + keys->used,
                                      &bytes, &reason);
    if (error == SEENSET_EURL) {
        urls_refuse(keys, number, reason);
        return 0;
    }
    if (error != 0) {
        errno = ENOMEM;
        return -1;
    }
    keys->used += bytes;
    keys->text[keys->used] = '\0';
    keys->lines[keys->count] = (uint32_t)number;
    keys->ends[keys->count++] = keys->used++;
    return 0;
}

void urls_cut(urls *keys, size_t line_count)
{
    while (keys->count > 0 && keys->lines[keys->count - 1] >= line_count)
        keys->count--;
    if (keys->reason != NULL && keys->first_other >= line_count)
        keys->reason = NULL;
}
