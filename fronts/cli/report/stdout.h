/*
 * stdout.h - standard output through stdio, checked.
 *
 * Output that is cut short must not go unnoticed: a full disk is reported at
 * the latest when the file is closed. So standard output is closed and checked
 * at the end of the process, also when a command prints its help and exits.
 */
#ifndef STDOUT_H
#define STDOUT_H

/* Registers the check at exit, which exits with COMMAND_ERROR if output was
 * lost. Returns 0, or another value if it cannot be registered. */
int stdout_check_at_exit(void);

/*
 * Flushes what was printed. Returns COMMAND_DONE, or COMMAND_ERROR after a
 * message; a closed pipe is an error without a message.
 */
int stdout_flush(void);

/* Call after a failure was reported: the check at exit then prints nothing. */
void stdout_expect_short(void);

#endif
