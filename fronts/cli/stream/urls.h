/*
 * urls.h - the normal forms of those lines of a batch that are URLs.
 *
 * With --normalise the keys of a batch are not its lines but these. The lines
 * stay as they are, since they are what is printed:
 *
 *     data:  HTTP://A.example/  \n  no URL  \n  http://b.example  \n
 *     text:  http://a.example/  \n  http://b.example/  \n
 *     lines: 0                      2
 *
 * A form has at most SEENSET_URL_MAX_BYTES, and at most three times the bytes
 * of its line and a host's 256. So memory is bounded by the size of a batch.
 */
#ifndef URLS_H
#define URLS_H

#include <stddef.h>
#include <stdint.h>

typedef struct urls {
    size_t count;       /* lines that are URLs */
    uint32_t *lines;    /* which line each is of */
    size_t *ends;       /* of each form in text; a separator follows it */
    size_t room_items;  /* of lines and ends */
    char *text;         /* the forms */
    size_t used, room;  /* bytes of text */
    const char *reason; /* why a line is not a URL; NULL: all are */
    size_t first_other; /* the first that is not */
} urls;

/* Room for `room_items` URLs. Returns NULL and errno on error. urls_free takes
 * NULL too. */
urls *urls_new(size_t room_items);
void urls_free(urls *keys);

/* Removes all, and frees the memory that unusual lines took. */
void urls_clear(urls *keys);

/*
 * Appends the form of line `number`, if it is a URL. Lines come in order.
 * Returns 0, or -1 and errno.
 */
int urls_add(urls *keys, size_t number, const char *line, size_t len);

/* The same for a line of which it is known that it is not a URL, and why. */
void urls_refuse(urls *keys, size_t number, const char *reason);

/* Removes those of line `line_count` and later ones. */
void urls_cut(urls *keys, size_t line_count);

#endif
