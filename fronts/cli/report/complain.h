/*
 * complain.h - messages to a person, on standard error.
 *
 * Messages read "FILE: what is wrong; what to do".
 */
#ifndef COMPLAIN_H
#define COMPLAIN_H

struct output; /* stream/output.h */

/* Prints "seenset: ", the message and a newline, as one piece. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Reports that writing failed, followed by the consequence. Prints nothing if
 * nothing failed, or if the reader of a pipe went away.
 */
void complain_of_output(const struct output *out, const char *consequence);

#endif
