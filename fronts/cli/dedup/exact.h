/*
 * exact.h - dedup without a false positive, in memory that is fixed.
 *
 * The set says of each line whether it is new. If it is, the line is printed at
 * once, and its 128-bit hash (wide.h) is kept, in bins that overflow to a file.
 * If it is not, it nearly always is a repeat, and its hash and its text are
 * kept as well. In the end, every hash of the second kind that is not among the
 * first was that of a new line, and that line is printed, after all others:
 *
 *     line     the set says   kept                        in the end
 *     a        new            hash of a
 *     b        new            hash of b
 *     a        seen           hash of a, "a"              is printed already
 *     c        seen           hash of c, "c"              c is printed
 *
 * Most repeats come again soon. So a table has the last hashes that were kept,
 * a quarter of a million, and a line whose hash is in it is settled at once.
 * What goes to the files is 16 bytes a new line, and 32 bytes and the text of
 * another.
 */
#ifndef EXACT_H
#define EXACT_H

#include <stdbool.h>
#include <stdint.h>

#include "dedup/bins.h"
#include "dedup/late.h"
#include "stream/batch.h"
#include "stream/output.h"
#include "stream/wide.h"

typedef struct exact {
    bool is_wanted;  /* from the command line */
    bool is_started; /* all of these are there: */
    uint8_t secret[WIDE_SECRET_BYTES];
    bins printed; /* hashes of lines that were new */
    bins doubted; /* and of those that were not (doubts.h) */
    late lines;   /* the texts of these */
    bool wants_lines;
    wide_hash *recent;
    int error;           /* errno of the first failure, or 0 */
    uint64_t late_count; /* lines that were new, and not called so */
} exact;

/* Starts, if it is wanted. wants_lines: not only how many there are. Returns 0,
 * or -1 and errno. */
int exact_start(exact *with, bool wants_lines);
void exact_free(exact *with);

/* After the filter: takes note of the answers to a batch that has wide hashes.
 * Returns 0, or -1: with->error says why. */
int exact_take(exact *with, const batch *keys);

/* Prints what was wrongly called seen, and counts it. Returns 0, or -1 and
 * with->error; an error of `to` is kept there. */
int exact_finish(exact *with, output *to);

#endif
