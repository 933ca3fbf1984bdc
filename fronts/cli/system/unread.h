/*
 * unread.h - a pipe that nobody reads.
 */
#ifndef SYSTEM_UNREAD_H
#define SYSTEM_UNREAD_H

#include <stdbool.h>

/* Has a write to the descriptor failed since nobody reads the pipe any more?
 * errno is that of the write. */
bool unread_is(int fd);

#endif
