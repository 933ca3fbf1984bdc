/*
 * guess.h - what a mistyped word was meant to be: "; did you mean --stats?".
 */
#ifndef GUESS_H
#define GUESS_H

#include <stddef.h>

/* The names that a word is like, as the end of a message. Starts from {0}. */
typedef struct guess {
    char text[256]; /* "" or "; did you mean NAME or NAME" */
} guess;

/*
 * Adds the name if the word, of `length` bytes, is like it: its beginning, or
 * at most two letters away, which must be fewer than half of the word. A letter
 * that is missing, too many or wrong counts one, and so do two neighbours in
 * the wrong order. prefix: put before the name, "--" or "". Names that no
 * longer fit are left out.
 */
void guess_try(guess *out, const char *word, size_t length, const char *prefix,
               const char *name);

/* The question mark after the last name, or "". */
const char *guess_end(const guess *made);

#endif
