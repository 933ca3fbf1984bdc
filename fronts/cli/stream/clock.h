/*
 * clock.h - the time: the only place of the command that reads a clock.
 *
 * Tests set the time of the command and of the library with a library that is
 * preloaded (tests/support/clock_preload.c).
 */
#ifndef CLOCK_H
#define CLOCK_H

/*
 * Seconds since the machine was started. They never go back, cannot be set, and
 * go on while the machine is suspended.
 */
double clock_steady_seconds(void);

/* Seconds since 1970, as the system has them. */
double clock_wall_seconds(void);

#endif
