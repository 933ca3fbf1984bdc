/*
 * utf16.h - the UTF-16 code units of a text that is given as UTF-8.
 *
 * Well-formed UTF-8 (The Unicode Standard, table 3-7) becomes one unit a
 * character, or two, a surrogate pair, from U+10000 on. A byte b that begins no
 * well-formed sequence becomes the one unit 0xDC00 + b, a low surrogate that no
 * high one is before: UTF-8 has no surrogates of its own, so the text can be
 * told from its units, and different bytes have different units.
 */
#ifndef SS_HASH_UTF16_H
#define SS_HASH_UTF16_H

#include <stddef.h>
#include <stdint.h>

/*
 * Stores the units of what begins at bytes (count of them are left, at least
 * one) and how many units these are, 1 or 2. Returns how many bytes it took.
 */
size_t ss_utf16_next(const unsigned char *bytes, size_t count,
                     uint32_t units[2], unsigned *unit_count);

#endif
