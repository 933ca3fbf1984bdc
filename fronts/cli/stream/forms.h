/*
 * forms.h - keys of a batch that are not its lines, but are made of them.
 *
 * A key may be a field of its line, the normal form of the line or of the field
 * as a URL, or the like. The lines stay as they are, since they are what is
 * printed:
 *
 *     data:  HTTP://A.example/  \n  no URL  \n  http://b.example  \n
 *     text:  http://a.example/      http://b.example/
 *     lines: 0                      2
 *
 * A key that is in its line byte for byte need not be copied: `base` is then
 * where the lines are. Otherwise it is `text`. A line may have no key; why the
 * first such line has none is kept.
 *
 * The normal form of a URL has at most SEENSET_URL_MAX_BYTES, and at most three
 * times the bytes of its source and a host's 256. A field has at most the bytes
 * of its line. So memory is bounded by the size of a batch.
 */
#ifndef FORMS_H
#define FORMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct forms {
    size_t count;       /* keys */
    uint32_t *lines;    /* which line each is of */
    size_t *starts;     /* of each key in base */
    size_t *ends;       /* the same */
    size_t room_items;  /* of lines, starts and ends */
    const char *base;   /* NULL: text */
    char *text;         /* keys that were made */
    size_t used, room;  /* bytes of text */
    const char *reason; /* why a line has no key; NULL: all have one */
    size_t first_other; /* the first that has none */
} forms;

/* Room for `room_items` keys. Returns NULL and errno on error. forms_free takes
 * NULL too. */
forms *forms_new(size_t room_items);
void forms_free(forms *keys);

/* Removes all, and frees the memory that unusual lines took. */
void forms_clear(forms *keys);

/* Where the keys are. */
static inline const char *forms_base(const forms *keys)
{
    return keys->base != NULL ? keys->base : keys->text;
}

/*
 * Makes room for a key of up to `bytes` bytes and one more after `used`. The
 * text may move. Returns 0, or -1 and errno.
 */
int forms_reserve(forms *keys, size_t bytes);

/* Makes the next `bytes` bytes of text, which were written there, the key of
 * line `number`. Lines come in order. */
void forms_take(forms *keys, size_t number, size_t bytes);

/* Makes bytes start..end-1 of base the key of line `number`. */
static inline void forms_point(forms *keys, size_t number, size_t start,
                               size_t end)
{
    keys->lines[keys->count] = (uint32_t)number;
    keys->starts[keys->count] = start;
    keys->ends[keys->count++] = end;
}

/* Line `number` has no key, and why. The reason is not copied. */
void forms_refuse(forms *keys, size_t number, const char *reason);

/* Appends the normal form of the URL `text` as the key of line `number`; if it
 * is not a URL, refuses it. Returns 0, or -1 and errno. */
int forms_add_url(forms *keys, size_t number, const char *text, size_t len);

/* Removes those of line `line_count` and later ones. */
void forms_cut(forms *keys, size_t line_count);

#endif
