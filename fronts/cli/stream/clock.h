/*
 * clock.h - what time it is: the only place of the command that asks.
 *
 * The tests of the command set its time, and the library's, by a library that
 * is loaded before it: see tests/support/clock_preload.c.
 */
#ifndef CLOCK_H
#define CLOCK_H

/*
 * Seconds since the machine was started. They never go back, nobody sets
 * them, and they go on while the machine is suspended.
 */
double clock_steady_seconds(void);

#endif
