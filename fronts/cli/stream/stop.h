/*
 * stop.h - SIGINT, SIGTERM and SIGHUP as a wish: stop reading, save, and end.
 *
 * For commands that read a stream for a set file. The first such signal is
 * kept, and wakes the reader of input; from then on all three do again
 * what they do by default, so that a second one ends the command at once,
 * whatever it is at. A signal that was ignored when the command was started
 * (nohup, a shell's background) stays ignored.
 */
#ifndef STOP_H
#define STOP_H

/* From now on. Returns 0, or -1 and errno. */
int stop_arm(void);

/* The signal that came, or 0. */
int stop_signal(void);

/* A descriptor that can be read from once a signal came; -1: not armed. */
int stop_fd(void);

/* Ends by the signal that came, so that a shell sees it. If that cannot be,
 * returns the exit status that a shell would show. */
int stop_die(void);

#endif
