/*
 * key_text.h - a key given as text, as the bytes that a filter has of it: by
 * the funnel of the file or, where it has none, by the type of the values. The
 * page and the module for JavaScript read keys by this file, too.
 */
#ifndef KEY_TEXT_H
#define KEY_TEXT_H

#include "foreign/funnel.h"

/* The filter that is asked, and what its keys went through. */
typedef struct key_form {
    const seenset_foreign_filter *filter;
    seenset_format format;
    funnel funnel; /* FUNNEL_NONE: the type of the values decides */
} key_form;

/* As funnel_read, and as value_read: 1, 0 or SEENSET_ENOMEM. */
int key_text_read(value *out, const key_form *of, funnel_room *room,
                  const char *text, size_t len);

/* Why key_text_read returned 0: "'x' is not a value of 'id', which are int32"
 */
typedef struct key_text_problem {
    char text[640];
} key_text_problem;

key_text_problem key_text_say(const key_form *of, const char *text, size_t len);

#endif
