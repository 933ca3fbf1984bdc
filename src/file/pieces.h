/*
 * pieces.h - the bytes of a table as they are in a file, piece by piece, from
 * any place on: words from end to end, or the image of a table that grows in
 * place (expand/image.h).
 */
#ifndef SS_FILE_PIECES_H
#define SS_FILE_PIECES_H

#include "expand/image/image.h"
#include "set/set.h"

typedef struct ss_pieces {
    const uint64_t *words;  /* those that come next, or */
    ss_image_cursor cursor; /* those of a table that grows in place */
    uint64_t set_bits;      /* of the words that were read */
} ss_pieces;

/* From byte `first` on, the first of a word. */
ss_pieces ss_pieces_of(const ss_table *table, uint64_t first);

/* The next bytes, whole words. Others may be setting bits in those of a shared
 * set; each is read once. */
void ss_pieces_next(ss_pieces *from, uint8_t *bytes, size_t size_bytes);

#endif
