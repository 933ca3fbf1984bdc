/*
 * late.h - the text of lines that may have to be printed last.
 *
 * Each goes to the end of a file without a name, after its length:
 *
 *     | 14 | http://a/b/c \n | 11 | http://a/ \n | ...
 *     ^ place 0              ^ place 22
 *
 * Which of them are printed is known in the end, in no order. Their places are
 * put into bins (bins.h), each for an equal part of the file, and sorted bin by
 * bin; so they are read from front to back, and come in the order of the input.
 */
#ifndef LATE_H
#define LATE_H

#include <stdint.h>

#include "dedup/bins.h"
#include "stream/output.h"

typedef struct late {
    output text;
    uint64_t text_bytes;
    bins places;
    unsigned place_shift; /* that makes a place its bin */
} late;

/* Start with none. Return 0, or -1 and errno. late_free may follow either. */
int late_init(late *all);
void late_free(late *all);

/* Keeps line i of a batch. Returns its place. An error is kept in
 * all->text.error. */
uint64_t late_keep(late *all, const batch *from, size_t i);

/* The line of this place is to be printed: after all were kept. Returns 0, or
 * -1 and errno. */
int late_choose(late *all, uint64_t place);

/* Prints those. most_places: how many are sorted at a time, at least 1. Returns
 * 0, or -1 and errno; an error of `to` is kept there. */
int late_print(late *all, size_t most_places, output *to);

#endif
