/*
 * start.h - what has to be so before the command does anything: this room's
 * first call.
 *
 * system/ is what the command asks an operating system for and no standard has
 * for all of them. Each header here is one question; posix/ and windows/ have
 * a file of its name, and the build takes one of them. All else is written for
 * POSIX, and where the system is Windows, the few calls of POSIX that it lacks
 * are in windows/posix.h, by their own names.
 *
 *     start      arguments and standard streams
 *     stop       a signal as a request to stop and save: stream/stop.h
 *     await      input to come, or that request
 *     asked      a signal as a question: how far is it?
 *     beside     a file that will replace another one
 *     temporary  a file for what does not fit in memory
 *     terminal   is there one, and how wide
 *     machine    its processors and memory
 *     path       where a name in a path begins
 *     unread     a pipe whose reader is gone
 */
#ifndef SYSTEM_START_H
#define SYSTEM_START_H

/*
 * Call first in main. Afterwards the descriptors 0 to 2 are open, whatever the
 * parent closed; what is read and written are bytes, with no change at the ends
 * of lines; a file that may not grow any more is an error and no signal; and
 * the arguments are in UTF-8, each as it was given, with no pattern in it
 * replaced by names of files. Returns 0, or -1 where that cannot be.
 */
int start_process(int *argc, char ***argv);

#endif
