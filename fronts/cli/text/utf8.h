/*
 * utf8.h - bytes as characters of UTF-8 (RFC 3629, section 4).
 */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include <stddef.h>

enum {
    UTF8_MOST_BYTES = 4 /* of a character */
};

/*
 * The length of the character at `text`, of which `size` bytes are there, 1 at
 * least; 0: there is none. Bytes after the first that does not belong to the
 * character are not read, so size may be
 * UTF8_MOST_BYTES where a NUL ends the text.
 */
size_t utf8_length(const void *text, size_t size);

#endif
