/*
 * forms.c - see forms.h.
 */
#include "stream/forms.h"

#include <errno.h>
#include <stdlib.h>

#include "seenset/url.h"

enum {
    HOST_BYTES = 256,       /* that a form may have besides 3 times its URL */
    USUAL_BYTES = 320 << 10 /* of the keys of a batch */
};

forms *forms_new(size_t room_items)
{
    forms *keys = calloc(1, sizeof *keys);
    if (keys == NULL)
        return NULL;
    keys->room_items = room_items;
    keys->lines = calloc(room_items, sizeof *keys->lines);
    keys->starts = calloc(room_items, sizeof *keys->starts);
    keys->ends = calloc(room_items, sizeof *keys->ends);
    keys->text = malloc(USUAL_BYTES);
    keys->room = USUAL_BYTES;
    if (keys->lines != NULL && keys->starts != NULL && keys->ends != NULL &&
        keys->text != NULL)
        return keys;
    forms_free(keys);
    errno = ENOMEM;
    return NULL;
}

void forms_free(forms *keys)
{
    if (keys != NULL) {
        free(keys->lines);
        free(keys->starts);
        free(keys->ends);
        free(keys->text);
    }
    free(keys);
}

/* Returns 0, or -1 and errno. */
static int resize(forms *keys, size_t bytes)
{
    char *text = realloc(keys->text, bytes);
    if (text == NULL)
        return -1;
    keys->text = text;
    keys->room = bytes;
    return 0;
}

void forms_clear(forms *keys)
{
    keys->count = 0;
    keys->used = 0;
    keys->base = NULL;
    keys->reason = NULL;
    if (keys->room > USUAL_BYTES)
        (void)resize(keys, USUAL_BYTES);
}

int forms_reserve(forms *keys, size_t bytes)
{
    if (bytes >= SIZE_MAX / 4 - keys->used) {
        errno = ENOMEM;
        return -1;
    }
    size_t wanted = keys->used + bytes + 1;
    return wanted <= keys->room ? 0 : resize(keys, wanted + wanted / 2);
}

void forms_take(forms *keys, size_t number, size_t bytes)
{
    size_t start = keys->used;
    keys->used += bytes;
    keys->text[keys->used++] = '\0';
    forms_point(keys, number, start, start + bytes);
}

void forms_refuse(forms *keys, size_t number, const char *reason)
{
    if (keys->reason != NULL)
        return;
    keys->reason = reason;
    keys->first_other = number;
}

/* The most bytes of the form of a URL. */
static size_t form_room(size_t len)
{
    size_t bytes = SEENSET_URL_MAX_BYTES;
    if (len < SEENSET_URL_MAX_BYTES / 3 && 3 * len + HOST_BYTES < bytes)
        bytes = 3 * len + HOST_BYTES;
    return bytes;
}

int forms_add_url(forms *keys, size_t number, const char *text, size_t len)
{
    const char *reason = NULL;
    if (forms_reserve(keys, form_room(len)) != 0)
        return -1;
    size_t bytes = keys->room - keys->used - 1;
    int error = seenset_url_normalise(text, len, keys->text + keys->used,
                                      &bytes, &reason);
    if (error == SEENSET_EURL) {
        forms_refuse(keys, number, reason);
        return 0;
    }
    if (error != 0) {
        errno = ENOMEM;
        return -1;
    }
    forms_take(keys, number, bytes);
    return 0;
}

void forms_cut(forms *keys, size_t line_count)
{
    while (keys->count > 0 && keys->lines[keys->count - 1] >= line_count)
        keys->count--;
    if (keys->reason != NULL && keys->first_other >= line_count)
        keys->reason = NULL;
}
