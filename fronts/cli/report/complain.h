/*
 * complain.h - messages to a person, on standard error.
 *
 * Messages read "FILE: what is wrong; what to do".
 */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include <stddef.h>

struct output; /* stream/output.h */

/* Prints "seenset: ", the message and a newline, as one piece. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Draws a line on the terminal in place of the one before, at most so many
 * columns of it; NULL erases it. A message erases it first, so the two never
 * mix, whichever threads they come from.
 */
void complain_bar(const char *text, size_t columns);

/*
 * Reports that writing failed, followed by the consequence. Prints nothing if
 * nothing failed, or if the reader of a pipe went away.
 */
void complain_of_output(const struct output *out, const char *consequence);

#endif
