/*
 * unread.h - a pipe whose reader is gone.
 */
#ifndef SYSTEM_UNREAD_H
#define SYSTEM_UNREAD_H

#include <stdbool.h>

/* Has a write to the descriptor failed because the reader of the pipe is gone?
 * errno is that of the write. */
bool unread_is(int fd);

#endif
