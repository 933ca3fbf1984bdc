/*
 * stop.h - SIGINT, SIGTERM and SIGHUP as a request to stop reading and save.
 *
 * For commands that read a stream for a set file. The first such signal is kept
 * and wakes the reader of the input. One request often comes as two signals:
 * timeout(1) signals its child and then the whole group, and a terminal that
 * closes sends SIGHUP, as does its shell. So what comes within a second of the
 * first is the same request. A signal after that second ends the command at
 * once. A signal that was ignored when the command was started (nohup, a
 * background job) stays ignored.
 */
#ifndef STOP_H
#define STOP_H

/* Catches the signals from now on. Returns 0, or -1 and errno. */
int stop_arm(void);

/* The signal that came, or 0. */
int stop_signal(void);

/* A descriptor that becomes readable when a signal comes; -1 before stop_arm.
 * For poll: Windows has none, and system/await.h is for both. */
int stop_fd(void);

/* Ends the process with the signal that came, so that a shell sees it. If that
 * fails, returns the exit status that a shell would show. */
int stop_die(void);

#endif
