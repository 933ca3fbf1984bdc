/*
 * json.h - bytes as texts of JSON.
 */
#ifndef QUEUE_TEXT_JSON_H
#define QUEUE_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* A byte takes at most so many: 6 escaped, and 2 more in base64, rounded up;
 * for texts of any length, if 8 bytes are there besides. */
#define JSON_TEXT_MOST_PER_BYTE ((size_t)8)

bool json_text_is_utf8(const void *bytes, size_t size);

/* Writes the bytes as the inside of a text: quotes, backslashes and control
 * characters escaped, what is not UTF-8 as U+FFFD. Returns how many bytes were
 * written, 6 * size at most. */
size_t json_text_escape(char *out, const void *bytes, size_t size);

/* RFC 4648, section 4, with padding. Returns how many bytes were written,
 * 4 * ((size + 2) / 3). */
size_t json_text_base64(char *out, const void *bytes, size_t size);

#endif
